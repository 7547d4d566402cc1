import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, BrowserWindow, type IpcMainInvokeEvent, ipcMain, Menu, nativeTheme, net, protocol } from 'electron';
import Store from 'electron-store';

/** What the specs read and change from outside, on `globalThis.sampleState`. */
const sample = {
  log: [] as string[],
  preloaded: [] as string[],
  late: [] as unknown[],
  quitOnLastWindow: true,
  secondInstances: [] as unknown[],
};
export type Sample = typeof sample;
Object.assign(globalThis, { sampleState: sample });

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self' http://127.0.0.1:*; base-uri 'none'; form-action 'none'";
const store = new Store<{ launches: number }>({ defaults: { launches: 0 } });
store.set('launches', store.get('launches') + 1);

protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

if (app.requestSingleInstanceLock({ from: 'sample', started: new Map([['pid', process.pid]]) })) run();
else app.quit();

function run(): void {
  app.on('second-instance', (_event, argv, workingDirectory, data) => {
    sample.secondInstances.push({ argv, workingDirectory, data });
  });
  app.on('window-all-closed', () => {
    sample.log.push('window-all-closed');
    if (sample.quitOnLastWindow) app.quit();
  });
  void app.whenReady().then(() => {
    protocol.handle('app', answer);
    listen();
    Menu.setApplicationMenu(
      Menu.buildFromTemplate([
        {
          label: 'View',
          submenu: [
            { id: 'dark', label: 'Dark', click: () => (nativeTheme.themeSource = 'dark') },
            { role: 'reload', id: 'reload' },
            { role: 'toggleDevTools', id: 'tools' },
          ],
        },
      ]),
    );
    open('main.html', { x: 0, y: 0, width: 500, height: 400, title: 'Main' });
    open('second.html', { x: 520, y: 40, width: 360, height: 300, show: false, alwaysOnTop: true, title: 'Second' });
  });
}

function open(page: string, options: Electron.BrowserWindowConstructorOptions): BrowserWindow {
  const window = new BrowserWindow({
    ...options,
    webPreferences: {
      preload: join(import.meta.dirname, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      additionalArguments: ['--role=sample'],
    },
  });
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  void window.loadURL(`app://sidekeep/${page}?from=main`);
  return window;
}

async function answer(request: Request): Promise<Response> {
  const { host, pathname } = new URL(request.url);
  if (host !== 'sidekeep') return new Response('unknown host', { status: 404 });
  if (pathname === '/redirect') return Response.redirect('app://sidekeep/second.html', 302);
  if (pathname === '/inspect') {
    return Response.json({
      url: request.url,
      method: request.method,
      origin: request.headers.get('origin'),
      body: await request.text(),
    });
  }
  const file = pathToFileURL(join(import.meta.dirname, 'pages', pathname)).href;
  const found = await net.fetch(file).catch(() => null);
  if (!found) return new Response('not found', { status: 404 });
  const headers = new Headers(found.headers);
  headers.set('content-security-policy', policy);
  return new Response(found.body, { headers });
}

function listen(): void {
  ipcMain.handle('echo', (_event, value: unknown) => value);
  ipcMain.handle('sender', ({ senderFrame, sender }: IpcMainInvokeEvent) => ({
    url: senderFrame?.url,
    origin: senderFrame?.origin,
    isMainFrame: senderFrame?.parent === null && senderFrame === sender.mainFrame,
    window: BrowserWindow.fromWebContents(sender)?.id,
  }));
  ipcMain.handle('sender-after-navigation', async (event) => {
    const before = event.senderFrame?.url;
    await new Promise((resolve) => event.sender.once('did-navigate', resolve));
    sample.late.push([before, event.senderFrame]);
  });
  ipcMain.handle('fail', (_event, how: string) => {
    if (how === 'text') throw 'just text';
    throw Object.assign(new RangeError('out of range'), { code: 'SECRET' });
  });
  ipcMain.on('sync', (event, value: number) => {
    event.returnValue = value * 2;
  });
  ipcMain.on('preloaded', (event, href: string) => {
    sample.preloaded.push(`${event.senderFrame?.url} ${href}`);
  });
}
