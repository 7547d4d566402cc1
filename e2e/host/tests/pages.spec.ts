import { expect, type Page, test } from '@playwright/test';
import { type Launched, launch } from './launch.ts';

let launched: Launched;
let main: Page;
test.beforeAll(async () => {
  launched = await launch();
  main = await launched.window('Main');
});
test.afterAll(() => launched.close());

test.beforeEach(() => launched.app.evaluate(() => Object.assign(globalThis, { heard: [] })));
const heard = (): Promise<unknown[]> => launched.app.evaluate(() => globalThis.heard);

test('a custom scheme answers pages, fetches with bodies, and redirects', async () => {
  expect(
    await main.evaluate(async () => {
      const inspected = await fetch('/inspect?a=1', { method: 'POST', body: 'some text' });
      const redirected = await fetch('/redirect');
      const missing = await fetch('/none.html');
      return [await inspected.json(), redirected.url.split('/').pop(), redirected.status, missing.status];
    }),
  ).toEqual([
    { url: 'app://sidekeep/inspect?a=1', method: 'POST', origin: 'app://sidekeep', body: 'some text' },
    'second.html',
    200,
    404,
  ]);
});

test('the Content-Security-Policy of a page is in force', async () => {
  expect(await main.evaluate(() => globalThis.inlineRan)).toBeUndefined();
  expect(
    await main.evaluate(async () => {
      // Not `evaluate`'s own world of permissions: a task of the page itself.
      const evaluated = await new Promise((resolve) =>
        setTimeout(() => {
          try {
            // biome-ignore lint/security/noGlobalEval: that it is refused is what is tested
            resolve(eval('1'));
          } catch (error) {
            resolve((error as Error).name);
          }
        }),
      );
      const elsewhere = await fetch('https://example.com/').then(String, (error: Error) => error.name);
      return [evaluated, elsewhere];
    }),
  ).toEqual(['EvalError', 'TypeError']);
});

test('a navigation that the page starts can be prevented; one of main is not asked about', async () => {
  await launched.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.on('will-frame-navigate', (event) => globalThis.heard.push(['frame', event.url, event.isMainFrame]));
    contents?.on('will-navigate', (event, url) => {
      globalThis.heard.push(['main', url, event.frame?.url]);
      if (new URL(url).host !== 'sidekeep') event.preventDefault();
    });
  });
  await main.locator('#elsewhere').click();
  await expect.poll(heard).toEqual([
    ['frame', 'https://example.com/elsewhere', true],
    ['main', 'https://example.com/elsewhere', 'app://sidekeep/main.html?from=main'],
  ]);
  expect(await main.evaluate(() => globalThis.sample.add(1, 2))).toBe(3);

  await launched.app.evaluate(async ({ BrowserWindow }) => {
    globalThis.heard = [];
    await BrowserWindow.getAllWindows()[0]?.loadURL('app://sidekeep/main.html?again');
  });
  await expect(main).toHaveURL(/again/);
  await main.reload();
  await main.goto(main.url().replace('again', 'goto'));
  expect(await heard()).toEqual([]);
  await main.evaluate(() => location.assign('/main.html?assigned'));
  await expect
    .poll(heard)
    .toContainEqual(['main', 'app://sidekeep/main.html?assigned', 'app://sidekeep/main.html?goto']);
  await expect(main).toHaveURL(/assigned/);
});

test('the life of a navigation is told', async () => {
  await launched.app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const names = ['did-start-navigation', 'did-navigate', 'dom-ready', 'did-finish-load', 'did-stop-loading'] as const;
    for (const name of names) contents?.on(name as 'dom-ready', () => globalThis.heard.push(name));
    contents?.on('did-navigate-in-page', (_event, url) => globalThis.heard.push(url));
    await contents?.loadURL('app://sidekeep/main.html?life');
  });
  await expect
    .poll(heard)
    .toEqual(['did-start-navigation', 'did-navigate', 'dom-ready', 'did-finish-load', 'did-stop-loading']);
  await main.evaluate(() => {
    location.hash = 'part';
  });
  await expect.poll(heard).toContain('app://sidekeep/main.html?life#part');
});

test('a page that cannot be loaded says so', async () => {
  const failure = await launched.app.evaluate(async ({ BrowserWindow }) => {
    const window = new BrowserWindow({ show: false });
    window.webContents.on('did-fail-load', (_event, code, text, url) => globalThis.heard.push([code, text, url]));
    const error = await window.loadURL('http://127.0.0.1:1/').catch((reason) => reason);
    window.destroy();
    return [error.message, error.code, error.errno];
  });
  expect(failure[0]).toMatch(/^ERR_\w+ \(-\d+\) loading 'http:\/\/127\.0\.0\.1:1\/'$/);
  expect(await heard()).toEqual([[failure[2], failure[1], 'http://127.0.0.1:1/']]);
});

test('a window that a page wants is denied or opened by the handler', async () => {
  await launched.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.setWindowOpenHandler(({ url }) => {
      globalThis.heard.push(url);
      return { action: url.startsWith('app:') ? 'allow' : 'deny' };
    });
    contents?.on('did-create-window', (window) => globalThis.heard.push(`created ${window.id > 2}`));
  });
  const count = () => launched.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  await main.locator('#outside').click();
  await expect.poll(heard).toEqual(['https://example.com/outside']);
  await expect.poll(count).toBe(2);
  await main.evaluate(() => void window.open('/second.html?popup', 'named', 'width=300,height=200'));
  await expect.poll(heard).toContain('created true');
  await expect.poll(() => launched.app.windows().filter((page) => page.url().endsWith('?popup')).length).toBe(1);
  const popup = launched.app.windows().find((page) => page.url().endsWith('?popup'));
  expect(await popup?.evaluate(() => globalThis.sample.sender())).toMatchObject({
    url: 'app://sidekeep/second.html?popup',
  });
  await popup?.close();
  await expect.poll(count).toBe(2);
});

test('webRequest.onBeforeRequest sees, cancels and redirects real requests', async () => {
  await launched.app.evaluate(({ session }) => {
    session.defaultSession.webRequest.onBeforeRequest({ urls: ['app://sidekeep/*'] }, (details, answer) => {
      globalThis.heard.push([details.method, details.url, details.resourceType]);
      const { pathname } = new URL(details.url);
      if (pathname === '/style.css') answer({ redirectURL: 'app://sidekeep/page.js' });
      else answer({ cancel: pathname === '/second.html' });
    });
  });
  const found = await main.evaluate(async () => [
    await fetch('/second.html').then(String, (error: Error) => error.name),
    await fetch('/style.css').then(({ url }) => url.split('/').pop()),
  ]);
  expect(found).toEqual(['TypeError', 'page.js']);
  expect(await heard()).toContainEqual(['GET', 'app://sidekeep/second.html', 'xhr']);
  await launched.app.evaluate(({ session }) => session.defaultSession.webRequest.onBeforeRequest(null));
  expect(await main.evaluate(() => fetch('/second.html').then(({ status }) => status))).toBe(200);
});

test('console messages and errors of a page reach main', async () => {
  await launched.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.on('console-message', ({ level, message }) =>
      globalThis.heard.push([level, message]),
    );
  });
  await main.evaluate(() => {
    console.warn('careful', 5);
    setTimeout(() => {
      throw new Error('uncaught here');
    });
  });
  await expect.poll(heard).toContainEqual(['warning', 'careful 5']);
  await expect.poll(heard).toContainEqual(['error', 'Uncaught Error: uncaught here']);
});

test('a navigation that is prevented never becomes a request, and leaves the page as it was', async () => {
  await launched.app.evaluate(({ BrowserWindow, session }) => {
    const prevent = (event: Electron.Event): void => event.preventDefault();
    BrowserWindow.getAllWindows()[0]?.webContents.once('will-navigate', prevent);
    session.defaultSession.webRequest.onBeforeRequest((details, answer) => {
      globalThis.heard.push(`request ${details.url}`);
      answer({ cancel: true });
    });
  });
  const kept = await main.evaluate(async () => {
    const link = document.createElement('a');
    link.href = 'https://example.com/leave';
    document.body.append(link);
    link.click();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return globalThis.sample.add(2, 2);
  });
  await launched.app.evaluate(({ session }) => session.defaultSession.webRequest.onBeforeRequest(null));
  expect(kept).toBe(4);
  expect((await heard()).filter((it) => String(it).startsWith('request'))).toEqual([]);
});
