import { expect, test } from '@playwright/test';
import { type Launched, launch, type WithHost } from './launch.ts';

let launched: Launched;
test.beforeAll(async () => {
  launched = await launch();
  await launched.window('Main');
});
test.afterAll(() => launched.close());

test('what leaves the program or asks a person is refused by name until a test answers it', async () => {
  const messages = await launched.app.evaluate(async ({ dialog, shell }) => {
    const work = [
      () => shell.trashItem('/tmp/nothing'),
      () => shell.openExternal('https://example.com'),
      () => shell.openPath('/tmp'),
      async () => shell.showItemInFolder('/tmp'),
      () => dialog.showOpenDialog({}),
      async () => dialog.showOpenDialogSync({}),
      () => dialog.showSaveDialog({}),
      () => dialog.showMessageBox({ message: 'm' }),
      async () => dialog.showErrorBox('t', 'c'),
    ];
    return Promise.all(
      work.map((it) =>
        it().then(
          () => 'done',
          (error: Error) => error.message.split(' is not')[0],
        ),
      ),
    );
  });
  expect(messages).toEqual([
    'host: shell.trashItem',
    'host: shell.openExternal',
    'host: shell.openPath',
    'host: shell.showItemInFolder',
    'host: dialog.showOpenDialog',
    'host: dialog.showOpenDialogSync',
    'host: dialog.showSaveDialog',
    'host: dialog.showMessageBox',
    'host: dialog.showErrorBox',
  ]);
  const answered = await launched.app.evaluate(async ({ dialog }) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: ['/picked'] });
    return dialog.showOpenDialog({});
  });
  expect(answered.filePaths).toEqual(['/picked']);
});

test('documented parts that are not imitated throw by name, undocumented ones are undefined', async () => {
  const messages = await launched.app.evaluate((electron) => {
    const { app, BrowserWindow, ipcMain, screen, session, webContents, autoUpdater } = electron;
    const { contentTracing, safeStorage, utilityProcess, nativeImage, Notification, Tray } = electron;
    const [window] = BrowserWindow.getAllWindows();
    const uses: (() => unknown)[] = [
      () => app.relaunch(),
      () => app.getAppMetrics(),
      () => app.setBadgeCount(1),
      () => window?.setIcon('x'),
      () => window?.webContents.openDevTools(),
      () => window?.webContents.debugger,
      () => window?.webContents.printToPDF({}),
      () => screen.getCursorScreenPoint(),
      () => session.defaultSession.cookies,
      () => session.fromPartition('p'),
      () => session.defaultSession.webRequest.onHeadersReceived(() => undefined),
      () => autoUpdater.checkForUpdates(),
      () => contentTracing.startRecording({}),
      () => safeStorage.isEncryptionAvailable(),
      () => utilityProcess.fork('x'),
      () => nativeImage.createEmpty(),
      () => new Notification(),
      () => Notification.isSupported(),
      () => new Tray('x'),
    ];
    const undefinedOnes = [app, window, ipcMain, webContents].map((it) => typeof Reflect.get(it ?? {}, 'noSuchThing'));
    const message = (use: () => unknown): string => {
      try {
        return `answered ${String(use())}`;
      } catch (error) {
        return (error as Error).message;
      }
    };
    return { refused: uses.map(message), undefinedOnes, dock: typeof app.dock };
  });
  expect(messages.refused.map((text) => /^host: (.*) is not imitated; /.exec(text)?.[1] ?? text)).toEqual([
    'app.relaunch',
    'app.getAppMetrics',
    'app.setBadgeCount',
    'BrowserWindow.setIcon',
    'WebContents.openDevTools',
    'WebContents.debugger',
    'WebContents.printToPDF',
    'screen.getCursorScreenPoint',
    'session.cookies',
    "session.fromPartition('p')",
    'session.webRequest.onHeadersReceived',
    'autoUpdater.checkForUpdates',
    'contentTracing.startRecording',
    'safeStorage.isEncryptionAvailable',
    'utilityProcess.fork',
    'nativeImage.createEmpty',
    'new Notification()',
    'Notification.isSupported',
    'new Tray()',
  ]);
  expect(messages.undefinedOnes).toEqual(Array(4).fill('undefined'));
  expect(messages.dock).toBe('undefined');
});

test('preferences and window options that cannot be given are refused', async () => {
  const found = await launched.app.evaluate(({ BrowserWindow }) => {
    const refusal = (options: Electron.BrowserWindowConstructorOptions): string => {
      try {
        new BrowserWindow(options).destroy();
        return 'accepted';
      } catch (error) {
        return (error as Error).message.split(' is not')[0] ?? '';
      }
    };
    const [window] = BrowserWindow.getAllWindows();
    const effective = Reflect.get(window?.webContents ?? {}, 'getLastWebPreferences').call(window?.webContents);
    return [
      refusal({ webPreferences: { nodeIntegration: true } }),
      refusal({ webPreferences: { contextIsolation: false } }),
      refusal({ webPreferences: { sandbox: false } }),
      refusal({ webPreferences: { webviewTag: true } }),
      refusal({ webPreferences: { webSecurity: false } }),
      refusal({ webPreferences: { partition: 'persist:x' } }),
      refusal({ kiosk: true }),
      [effective.sandbox, effective.contextIsolation, effective.additionalArguments],
      BrowserWindow.getAllWindows().length,
    ];
  });
  expect(found).toEqual([
    'host: webPreferences.nodeIntegration: true',
    'host: webPreferences.contextIsolation: false',
    'host: webPreferences.sandbox: false',
    'host: webPreferences.webviewTag: true',
    'host: webPreferences.webSecurity: false',
    'host: webPreferences.partition: persist:x',
    'host: BrowserWindow option kiosk: true',
    [true, true, ['--role=sample']],
    2,
  ]);
});

test('the host names itself and imitates the installed version', async () => {
  const found = await launched.app.evaluate((electron) => {
    const { app, __host } = electron as unknown as WithHost;
    const { electron: version, chrome } = process.versions;
    return [
      __host.name,
      version,
      /^\d+\./.test(chrome ?? ''),
      app.isPackaged,
      app.getName(),
      app.getVersion(),
      process.type,
    ];
  });
  expect(found).toEqual(['sidekeep-host', '45.5.0', true, false, 'Host Sample', '1.2.3', 'browser']);
});
