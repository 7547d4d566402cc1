import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { BrowserWindow } from './browser-window.ts';
import type { CdpSession, Protocol } from './cdp.ts';
import { closePage } from './close-page.ts';
import { watchConsole } from './console-messages.ts';
import { FrameSession, type FrameSessionOwner } from './frame-session.ts';
import { IpcMain } from './ipc-main.ts';
import { Navigation } from './navigation.ts';
import { pageScripts } from './page/scripts.ts';
import { PageIpc } from './page-ipc.ts';
import { refuse, refuseMissingOf } from './refuse.ts';
import { Requests } from './requests.ts';
import { hostEvent, quietly, runtime } from './runtime.ts';
import { schemes } from './schemes.ts';
import { session as sessions } from './session.ts';
import { type AttachedTarget, closeTarget, createTarget } from './targets.ts';
import { FrameTree, type WebFrameMain } from './web-frame.ts';
import { effectivePreferences } from './web-preferences.ts';

type OpenHandler = Parameters<Electron.WebContents['setWindowOpenHandler']>[0];

type Imitated = Pick<
  Electron.WebContents,
  | 'close'
  | 'executeJavaScript'
  | 'focus'
  | 'forcefullyCrashRenderer'
  | 'getTitle'
  | 'getType'
  | 'getURL'
  | 'id'
  | 'isCrashed'
  | 'isDestroyed'
  | 'isFocused'
  | 'isLoading'
  | 'isLoadingMainFrame'
  | 'loadFile'
  | 'loadURL'
  | 'reload'
  | 'reloadIgnoringCache'
  | 'send'
  | 'setWindowOpenHandler'
  | 'stop'
>;

let lastId = 0;

/** One page target of Chromium as Electron's WebContents. Members that begin with `_` are the host's own. */
export class WebContents extends EventEmitter implements Imitated {
  readonly id: number = ++lastId;
  readonly ipc = new IpcMain();
  readonly session = sessions.defaultSession;
  readonly hostWebContents = null;
  readonly devToolsWebContents = null;
  readonly _nonce = randomBytes(16).toString('hex');
  readonly _window: BrowserWindow;
  readonly _preferences: Electron.WebPreferences;
  readonly _frames: FrameTree = new FrameTree(this.id);
  readonly _ipc: PageIpc = new PageIpc(this);
  readonly _requests: Requests;
  readonly _navigation: Navigation = new Navigation(this);
  /** Settles when the page exists and everything is in place before its first document. */
  readonly _attached: Promise<void>;
  _targetId = '';
  _openHandler: OpenHandler | undefined;
  /** Details of `window.open` calls whose target has not been attached yet. */
  readonly _opening: Electron.HandlerDetails[] = [];
  private frameSession: FrameSession | undefined;
  private destroyed = false;
  private crashed = false;
  private title = '';

  constructor(window: BrowserWindow, preferences: Electron.WebPreferences | undefined, adopted?: AttachedTarget) {
    super();
    this.setMaxListeners(0);
    this._window = window;
    this._preferences = effectivePreferences(preferences);
    this._requests = new Requests(this, adopted !== undefined);
    runtime.contents.set(this.id, this);
    this._attached = this.attach(adopted);
    void quietly(this._attached);
  }

  get _session(): CdpSession {
    if (!this.frameSession) throw new Error('host: this page does not exist yet');
    return this.frameSession.session;
  }

  get mainFrame(): WebFrameMain | undefined {
    return this._frames.main;
  }
  get opener(): WebFrameMain | null {
    return null;
  }

  loadURL(url: string, options: Electron.LoadURLOptions = {}): Promise<void> {
    for (const name of ['extraHeaders', 'postData', 'userAgent', 'baseURLForDataURL'] as const) {
      if (options[name] !== undefined) refuse(`loadURL with ${name}`);
    }
    return this._navigation.loadURL(url, options);
  }
  loadFile(file: string, options: Electron.LoadFileOptions = {}): Promise<void> {
    return this._navigation.loadFile(file, options);
  }
  reload(): void {
    this._navigation.reload(false);
  }
  reloadIgnoringCache(): void {
    this._navigation.reload(true);
  }
  stop(): void {
    void quietly(this._attached.then(() => this._session.send('Page.stopLoading')));
  }
  getURL(): string {
    const url = this._frames.main?.url ?? '';
    return url === 'about:blank' ? '' : url;
  }
  getTitle(): string {
    return this.title;
  }
  getType(): ReturnType<Electron.WebContents['getType']> {
    return 'window';
  }
  isLoading(): boolean {
    return this._navigation.isLoading;
  }
  isLoadingMainFrame(): boolean {
    return this._navigation.isLoading;
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  isCrashed(): boolean {
    return this.crashed;
  }
  isFocused(): boolean {
    return this._window.isFocused();
  }
  focus(): void {
    this._window.focus();
  }
  getLastWebPreferences(): Electron.WebPreferences {
    return { ...this._preferences };
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this._openHandler = handler;
  }

  /** To the document that is there. Before the first one nothing listens, and the message is lost, as in Electron. */
  send(channel: string, ...args: unknown[]): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
    this._frames.main?.send(channel, ...args);
  }

  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    await this._attached;
    const frame = this._frames.main;
    if (!frame) throw new Error('host: this page has no frame');
    return frame.executeJavaScript(code, userGesture);
  }

  /** Kills the renderer for real: `render-process-gone` follows, and `reload` brings the page back. */
  forcefullyCrashRenderer(): void {
    void quietly(this._attached.then(() => this._session.send('Page.crash')));
  }

  /** As if the page had called `window.close()`: the window is not asked (no `close` event), the page only if wanted. */
  close(options?: Electron.CloseOpts): void {
    if (options?.waitForBeforeUnload) void quietly(this._attached.then(() => closePage(this)));
    else this._window.destroy();
  }

  async _interceptAgain(): Promise<void> {
    await this.frameSession?.intercept();
  }
  async _applyTheme(): Promise<void> {
    await this.frameSession?.applyTheme();
  }

  _titleChanged(title: string): void {
    this.title = title;
    const event = hostEvent();
    this.emit('page-title-updated', event, title, true);
    this._window._titleChanged(title, event);
  }

  _crashed(status: string, exitCode: number): void {
    if (this.crashed || this.destroyed) return;
    this.crashed = true;
    this.frameSession?.forgetContexts();
    const details = {
      reason: status === 'crashed' || status === 'killed' || status === 'oom' ? status : 'abnormal-exit',
      exitCode,
    };
    this.emit('render-process-gone', hostEvent(), details);
    runtime.appEmit('render-process-gone', hostEvent(), this, details);
  }

  /** The target is gone: closed by a page, by the program, or with Chromium. */
  _gone(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    runtime.byTarget.delete(this._targetId);
    runtime.contents.delete(this.id);
    this.frameSession?.forgetContexts();
    this._frames.dispose();
    this.emit('destroyed');
    this._window._closed();
  }

  private async attach(adopted: AttachedTarget | undefined): Promise<void> {
    const target = adopted ?? (await createTarget(this._window._real.place));
    const { session, targetId } = target;
    this._targetId = targetId;
    if (this.destroyed) return closeTarget(targetId);
    runtime.byTarget.set(targetId, this);
    const owner: FrameSessionOwner = {
      frames: this._frames,
      nonce: this._nonce,
      scripts: pageScripts(this._nonce, this.pageProcess(), this._preferences.preload),
      message: (message) => this._ipc.receive(message),
      paused: (request, from) => this._requests.paused(request, from),
      committed: (frame) => {
        this.crashed = false;
        this._navigation.committed(frame);
      },
    };
    this.frameSession = new FrameSession(session, owner);
    this._frames.attach(targetId, undefined, session); // A page's main frame has the id of its target.
    this._navigation.watch(session);
    this._requests.gate.watch(session);
    watchConsole(this, session);
    this.watchDialogs(session);
    await this.frameSession.start();
    await this._window._real.fit();
  }

  private pageProcess() {
    const argv = ['electron', '--type=renderer', ...(this._preferences.additionalArguments ?? [])];
    const { platform, arch } = process;
    return { platform, arch, versions: { ...process.versions }, argv, env: {} };
  }

  private watchDialogs(session: CdpSession): void {
    session.onEvent('Page.javascriptDialogOpening', ({ type }: Protocol.Page.javascriptDialogOpeningPayload) => {
      if (type !== 'beforeunload') return;
      const event = hostEvent();
      this.emit('will-prevent-unload', event);
      void quietly(session.send('Page.handleJavaScriptDialog', { accept: event.defaultPrevented }));
    });
    session.onEvent('Page.windowOpen', ({ url, windowName, windowFeatures }) => {
      this._opening.push({
        url: schemes.fromPage(url),
        frameName: windowName,
        features: windowFeatures.join(','),
        disposition: windowFeatures.length ? 'new-window' : 'foreground-tab',
        referrer: { url: '', policy: 'strict-origin-when-cross-origin' },
      });
    });
  }
}
refuseMissingOf(WebContents, 'WebContents');

/** The `webContents` module. */
export const webContents = {
  getAllWebContents: (): WebContents[] => [...runtime.contents.values()],
  getFocusedWebContents: (): WebContents | null => runtime.focused?.webContents ?? null,
  fromId: (id: number): WebContents | undefined => runtime.contents.get(id),
  fromDevToolsTargetId: (targetId: string): WebContents | undefined => runtime.byTarget.get(targetId),
  fromFrame: (frame: WebFrameMain): WebContents | undefined =>
    [...runtime.contents.values()].find((contents) => contents._frames === frame._tree),
};

/** The `webFrameMain` module. */
export { WebFrameMain as webFrameMain } from './web-frame.ts';
