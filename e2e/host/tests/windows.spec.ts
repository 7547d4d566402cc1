import { expect, type Page, test } from '@playwright/test';
import { type Launched, launch, type WithHost } from './launch.ts';

let launched: Launched;
let main: Page;
let second: Page;
test.beforeAll(async () => {
  launched = await launch();
  main = await launched.window('Main');
  second = await launched.window('Second');
});
test.afterAll(() => launched.close());

test('a window that is not shown is not visible, and a close that is prevented hides it', async () => {
  const window = await launched.app.browserWindow(second);
  expect(await window.evaluate((it) => [it.isVisible(), it.isAlwaysOnTop(), it.getTitle()])).toEqual([
    false,
    true,
    'Second',
  ]);
  const log = await window.evaluate(async (it) => {
    const seen: string[] = [];
    const names = ['show', 'hide', 'focus', 'blur', 'close', 'closed', 'resize', 'move', 'minimize', 'restore'];
    for (const name of [...names, 'always-on-top-changed']) it.on(name as 'show', () => seen.push(name));
    const keep = (event: Electron.Event): void => {
      event.preventDefault();
      it.hide();
    };
    it.on('close', keep);
    it.show();
    it.setBounds({ x: 30, y: 50, width: 420, height: 320 });
    it.setAlwaysOnTop(false);
    it.minimize();
    it.restore();
    it.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    it.off('close', keep);
    return [...seen, it.isDestroyed(), it.isVisible()];
  });
  expect(log).toEqual([
    ...['show', 'focus', 'resize', 'move', 'always-on-top-changed', 'minimize', 'blur', 'restore', 'close', 'hide'],
    ...[false, false],
  ]);
});

test('bounds are those of the real window, and no smaller than the minimum', async () => {
  const window = await launched.app.browserWindow(second);
  await window.evaluate((it) => it.setBounds({ x: 10, y: 20, width: 640, height: 480 }));
  await expect.poll(() => second.evaluate(() => innerWidth)).toBe(640);
  const whole = await launched.app.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea.width);
  const sizes = await window.evaluate((it) => {
    it.setMinimumSize(320, 240);
    it.setSize(100, 100);
    const small = it.getBounds();
    it.maximize();
    const maximized = [it.isMaximized(), it.getBounds().width, it.getNormalBounds().width];
    it.unmaximize();
    return [small, maximized, it.getSize(), it.getPosition()];
  });
  expect(sizes).toEqual([{ x: 10, y: 20, width: 320, height: 240 }, [true, whole, 320], [320, 240], [10, 20]]);
  await expect.poll(() => second.evaluate(() => [innerWidth, innerHeight])).toEqual([320, 240]);
});

test('focus moves from window to window', async () => {
  const log = await launched.app.evaluate(({ app, BrowserWindow }) => {
    const seen: string[] = [];
    const [first, other] = BrowserWindow.getAllWindows();
    other?.focus();
    app.on('browser-window-focus', (_event, window) => seen.push(`focus ${window.id}`));
    app.on('browser-window-blur', (_event, window) => seen.push(`blur ${window.id}`));
    first?.focus();
    other?.show();
    return [...seen, BrowserWindow.getFocusedWindow() === other, BrowserWindow.fromId(1) === first];
  });
  expect(log).toEqual(['blur 2', 'focus 1', 'blur 1', 'focus 2', true, true]);
});

test('menus are found and clicked by id, themes reach the pages', async () => {
  await launched.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('dark')?.click());
  await expect.poll(() => main.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
  await expect(main.locator('body')).toHaveCSS('background-color', 'rgb(17, 34, 51)');
  expect(await launched.app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true);
  const refused = await launched.app.evaluate(({ Menu }) => {
    try {
      Menu.getApplicationMenu()?.getMenuItemById('tools')?.click();
      return 'clicked';
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect(refused).toContain('host: the menu role toggledevtools is not imitated');
});

test('global shortcuts are registered once, pressed by the test, and may be taken by another program', async () => {
  const found = await launched.app.evaluate((electron) => {
    const { globalShortcut, __host } = electron as unknown as WithHost;
    let pressed = 0;
    const press = (): void => {
      pressed += 1;
    };
    const keys = 'CommandOrControl+Shift+Space';
    __host.takeShortcut('Alt+F9');
    const answers = [
      globalShortcut.register(keys, press),
      globalShortcut.register('Shift+Ctrl+space', press),
      globalShortcut.register('Alt+F9', press),
      globalShortcut.isRegistered(keys),
      __host.pressShortcut(keys),
    ];
    globalShortcut.unregister(keys);
    const invalid = ['', 'Control', 'Foo+A', 'Control+A+B'].map((accelerator) => {
      try {
        return globalShortcut.register(accelerator, press);
      } catch (error) {
        return (error as Error).name;
      }
    });
    return [answers, __host.pressShortcut(keys), pressed, invalid];
  });
  expect(found).toEqual([[true, false, false, true, true], false, 1, Array(4).fill('TypeError')]);
});

test('a page can keep its window from closing, and destroy asks no one', async () => {
  const made = launched.app.waitForEvent('window');
  await launched.app.evaluate(({ BrowserWindow }) => new BrowserWindow().loadURL('app://sidekeep/second.html?third'));
  const page = await made;
  await page.locator('h1').click();
  await page.evaluate(() => {
    window.onbeforeunload = (event) => event.preventDefault();
  });
  page.on('dialog', () => undefined); // The host answers the question, not Playwright.
  const kept = await launched.app.evaluate(async ({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().at(-1);
    const asked = new Promise((resolve) => window?.webContents.once('will-prevent-unload', resolve));
    window?.close();
    await asked;
    return window?.isDestroyed();
  });
  expect(kept).toBe(false);
  const gone = await launched.app.evaluate(({ BrowserWindow, webContents }) => {
    const window = BrowserWindow.getAllWindows().at(-1);
    const { id } = window?.webContents ?? {};
    let closed = 0;
    window?.on('closed', () => {
      closed += 1;
    });
    window?.destroy();
    return [
      window?.isDestroyed(),
      closed,
      BrowserWindow.getAllWindows().length,
      webContents.fromId(id ?? -1) === undefined,
    ];
  });
  expect(gone).toEqual([true, 1, 2, true]);
  await expect.poll(() => page.isClosed()).toBe(true);
});

test('a page that is closed does not ask the window, as one that closes itself', async () => {
  const made = launched.app.waitForEvent('window');
  await launched.app.evaluate(({ BrowserWindow }) => {
    globalThis.heard = [];
    const window = new BrowserWindow();
    for (const name of ['close', 'closed']) window.on(name as 'closed', () => globalThis.heard.push(name));
    return window.loadURL('app://sidekeep/second.html?fourth');
  });
  await (await made).close();
  await expect.poll(() => launched.app.evaluate(() => globalThis.heard)).toEqual(['closed']);
});
