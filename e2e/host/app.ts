import { EventEmitter } from 'node:events';
import { paths } from './app-paths.ts';
import { Menu } from './menu.ts';
import { refuseMissing } from './refuse.ts';
import { hostEvent, quietly, runtime } from './runtime.ts';
import { SingleInstanceLock } from './single-instance.ts';

type Imitated = Pick<
  Electron.App,
  | 'disableHardwareAcceleration'
  | 'enableSandbox'
  | 'exit'
  | 'focus'
  | 'getAppPath'
  | 'getLocale'
  | 'getLocaleCountryCode'
  | 'getName'
  | 'getPath'
  | 'getPreferredSystemLanguages'
  | 'getSystemLocale'
  | 'getVersion'
  | 'hasSingleInstanceLock'
  | 'isPackaged'
  | 'isReady'
  | 'name'
  | 'quit'
  | 'releaseSingleInstanceLock'
  | 'setName'
  | 'setPath'
  | 'whenReady'
>;

const ready = Promise.withResolvers<void>();

/** Switches as `app.commandLine` holds them; those that are set before `ready` reach Chromium. */
export const commandLine = {
  appendSwitch(name: string, value = ''): void {
    const old = runtime.switches.get(name);
    const isList = /^(enable|disable)-features$/.test(name) && old && value;
    runtime.switches.set(name, isList ? `${old},${value}` : String(value));
  },
  hasSwitch: (name: string): boolean => runtime.switches.has(name),
  getSwitchValue: (name: string): string => runtime.switches.get(name) ?? '',
  removeSwitch: (name: string): void => {
    runtime.switches.delete(name);
  },
};
refuseMissing(commandLine, 'CommandLine', 'app.commandLine');

class App extends EventEmitter implements Imitated {
  readonly commandLine = commandLine;
  readonly isPackaged = false;
  /** For the host: stops Chromium, and waits for one that is just starting. */
  _stopChromium: () => Promise<void> = async () => undefined;
  private instanceLock: SingleInstanceLock | undefined;
  private sandboxEnabled = false;

  get name(): string {
    return runtime.appName;
  }
  set name(name: string) {
    runtime.appName = name;
    paths.setAppName(name);
  }
  getName(): string {
    return this.name;
  }
  setName(name: string): void {
    this.name = name;
  }
  getVersion(): string {
    return runtime.appVersion;
  }
  getAppPath(): string {
    return runtime.appPath;
  }
  getPath(name: Parameters<Electron.App['getPath']>[0]): string {
    return paths.get(name);
  }
  setPath(name: string, path: string): void {
    paths.set(name, path);
  }
  getLocale(): string {
    return 'en-US';
  }
  getLocaleCountryCode(): string {
    return 'US';
  }
  getSystemLocale(): string {
    return 'en-US';
  }
  getPreferredSystemLanguages(): string[] {
    return ['en-US'];
  }
  isReady(): boolean {
    return runtime.ready;
  }
  whenReady(): Promise<void> {
    return ready.promise;
  }
  get applicationMenu(): Menu | null {
    return Menu.getApplicationMenu();
  }
  set applicationMenu(menu: Menu | null) {
    Menu.setApplicationMenu(menu);
  }
  disableHardwareAcceleration(): void {
    if (runtime.ready) throw new Error('app.disableHardwareAcceleration() can only be called before app is ready');
    commandLine.appendSwitch('disable-gpu');
  }
  /** Recorded (`__host.sandboxEnabled`): each page of the host is as if sandboxed anyway. */
  enableSandbox(): void {
    if (runtime.ready) throw new Error('app.enableSandbox() can only be called before app is ready');
    this.sandboxEnabled = true;
  }
  isSandboxEnabled(): boolean {
    return this.sandboxEnabled;
  }
  focus(): void {
    [...runtime.windows].find((window) => window.isVisible())?.focus();
  }

  requestSingleInstanceLock(additionalData: Record<string, unknown> = {}): boolean {
    this.instanceLock ??= new SingleInstanceLock(this.getPath('userData'), (second) => {
      const { argv, workingDirectory, additionalData: data } = second;
      void this.whenReady().then(() => this.emit('second-instance', hostEvent(), argv, workingDirectory, data));
    });
    return this.instanceLock.request(additionalData);
  }
  hasSingleInstanceLock(): boolean {
    return this.instanceLock?.isHeld() ?? false;
  }
  releaseSingleInstanceLock(): void {
    this.instanceLock?.release();
  }

  /** Asks the program and each window; whoever prevents it keeps the app running. */
  quit(): void {
    if (runtime.quitting) return;
    runtime.quitting = true;
    const event = hostEvent();
    this.emit('before-quit', event);
    if (event.defaultPrevented) runtime.quitting = false;
    else void quietly(this.closeAndEnd());
  }

  /** Ends without asking. */
  exit(exitCode = 0): void {
    runtime.quitting = true;
    for (const window of runtime.windows) window.destroy();
    void quietly(this.end(exitCode));
  }

  /** For the host: Chromium runs, and the main script was loaded. */
  _setReady(): void {
    runtime.ready = true;
    ready.resolve();
    this.emit('ready', hostEvent(), {});
  }

  private async closeAndEnd(): Promise<void> {
    const closed = await Promise.all([...runtime.windows].map((window) => window._close()));
    if (closed.includes(false)) {
      runtime.quitting = false;
      return;
    }
    const event = hostEvent();
    this.emit('will-quit', event);
    if (event.defaultPrevented) runtime.quitting = false;
    else await this.end(0);
  }

  private async end(exitCode: number): Promise<void> {
    this.emit('quit', hostEvent(), exitCode);
    await this.instanceLock?.delivered();
    await this._stopChromium();
    this.releaseSingleInstanceLock();
    process.exit(exitCode);
  }
}
refuseMissing(App.prototype, 'App', 'app');

export const app = new App();
app.setMaxListeners(0);
runtime.appEmit = (name, ...args) => app.emit(name, ...args);
runtime.appQuit = () => app.quit();
runtime.allWindowsClosed = () => {
  if (runtime.quitting) return;
  if (app.listenerCount('window-all-closed') > 0) app.emit('window-all-closed');
  else app.quit();
};
