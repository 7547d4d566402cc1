import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { type Launched, launch, sampleFolder } from './launch.ts';

let launched: Launched;
let main: Page;
let server: Server;
let foreign: string;
test.beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Foreign</title><p>foreign</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  foreign = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  launched = await launch();
  main = await launched.window('Main');
});
test.afterAll(async () => {
  await launched.close();
  server.close();
});

test('the sender of the main frame is known by its original URL and origin, from the preload on', async () => {
  expect(await main.evaluate(() => globalThis.sample.sender())).toEqual({
    url: 'app://sidekeep/main.html?from=main',
    origin: 'app://sidekeep',
    isMainFrame: true,
    window: 1,
  });
  const preloaded = await launched.app.evaluate(() => globalThis.sampleState.preloaded);
  expect(preloaded.map((line) => line.split(' ')[0])).toContain('app://sidekeep/main.html?from=main');
});

test('a child frame has a parent and a URL of its own, and no preload', async () => {
  for (const url of ['second.html', foreign]) {
    await main.evaluate(async (src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(frame);
      await loaded;
    }, url);
  }
  await expect.poll(() => main.frames().length).toBe(3);
  for (const frame of main.frames().slice(1)) {
    expect(await frame.evaluate(() => typeof globalThis.sample)).toBe('undefined');
  }
  const frames = await launched.app.evaluate(({ BrowserWindow }) => {
    const top = BrowserWindow.getAllWindows()[0]?.webContents.mainFrame;
    return top?.frames.map(({ url, origin, parent, top: root }) => [url, origin, parent === top, root === top]);
  });
  expect(frames).toEqual([
    ['app://sidekeep/second.html', 'app://sidekeep', true, true],
    [foreign, foreign.slice(0, -1), true, true],
  ]);
});

test('senderFrame is null after the document was left', async () => {
  await main.evaluate(() => void globalThis.sample.senderAfterNavigation());
  await main.reload();
  await expect
    .poll(() => launched.app.evaluate(() => globalThis.sampleState.late))
    .toEqual([['app://sidekeep/main.html?from=main', null]]);
  expect(await main.evaluate(() => globalThis.sample.add(1, 1))).toBe(2);
});

test('a foreign page in a window with a preload is seen as what it is', async () => {
  const [page] = await Promise.all([
    launched.app.waitForEvent('window'),
    launched.app.evaluate(async ({ BrowserWindow, app }, url) => {
      const preload = `${app.getAppPath()}/preload.cjs`;
      const window = new BrowserWindow({ width: 400, height: 300, webPreferences: { preload } });
      await window.loadURL(url);
    }, foreign),
  ]);
  await expect(page).toHaveTitle('Foreign');
  expect(await page.evaluate(() => globalThis.sample.sender())).toMatchObject({
    url: foreign,
    origin: foreign.slice(0, -1),
    isMainFrame: true,
  });
  await launched.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[2]?.loadFile('pages/second.html', { hash: 'h' }),
  );
  await expect(page).toHaveTitle('Second');
  expect(await page.evaluate(() => globalThis.sample.sender())).toMatchObject({
    url: `file://${sampleFolder}/pages/second.html#h`,
    origin: 'file://',
  });
  await page.close();
});
