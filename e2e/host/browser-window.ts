import { closePage } from './close-page.ts';
import { RealWindow, type WindowState } from './real-window.ts';
import { refuseMissingOf } from './refuse.ts';
import { hostEvent, quietly, runtime } from './runtime.ts';
import { type AttachedTarget, closeTarget } from './targets.ts';
import { WebContents } from './web-contents.ts';
import { WindowAttributes } from './window-attributes.ts';
import { checkWindowOptions } from './window-options.ts';

type Options = Electron.BrowserWindowConstructorOptions;
type Bounds = Electron.Rectangle;

type Imitated = Pick<
  Electron.BrowserWindow,
  | 'blur'
  | 'center'
  | 'close'
  | 'destroy'
  | 'focus'
  | 'getBounds'
  | 'getNormalBounds'
  | 'getTitle'
  | 'hide'
  | 'id'
  | 'isAlwaysOnTop'
  | 'isDestroyed'
  | 'isFocused'
  | 'isFullScreen'
  | 'isMaximized'
  | 'isMinimized'
  | 'isNormal'
  | 'isVisible'
  | 'loadFile'
  | 'loadURL'
  | 'maximize'
  | 'minimize'
  | 'moveTop'
  | 'reload'
  | 'restore'
  | 'setAlwaysOnTop'
  | 'setBounds'
  | 'setFullScreen'
  | 'setPosition'
  | 'setSize'
  | 'setTitle'
  | 'show'
  | 'showInactive'
  | 'unmaximize'
>;

/**
 * One real Chromium window. Its size, place and, once it was shown, whether its page is hidden are Chromium's; focus, being
 * on top and the order of windows are state, since nothing here stands in for a window manager.
 */
export class BrowserWindow extends WindowAttributes implements Imitated {
  static getAllWindows(): BrowserWindow[] {
    return [...runtime.windows];
  }
  static getFocusedWindow(): BrowserWindow | null {
    return runtime.focused;
  }
  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return contents?._window ?? null;
  }
  static fromId(id: number): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.id === id) ?? null;
  }

  readonly id: number;
  readonly webContents: WebContents;
  readonly _real: RealWindow;
  private onTop: boolean;

  constructor(options: Options = {}, adopted?: AttachedTarget) {
    if (!runtime.ready) throw new Error('Cannot create BrowserWindow before app is ready');
    checkWindowOptions(options);
    super(options);
    this._real = new RealWindow(options, () => this.webContents);
    this.onTop = options.alwaysOnTop === true;
    this.webContents = new WebContents(this, options.webPreferences, adopted);
    this.id = this.webContents.id;
    runtime.windows.add(this);
    runtime.appEmit('web-contents-created', hostEvent(), this.webContents);
    runtime.appEmit('browser-window-created', hostEvent(), this);
    if (options.fullscreen) this.setFullScreen(true);
    if (this._real.isShown) setImmediate(() => this.isDestroyed() || this.focus());
  }

  loadURL(url: string, options?: Electron.LoadURLOptions): Promise<void> {
    return this.webContents.loadURL(url, options);
  }
  loadFile(file: string, options?: Electron.LoadFileOptions): Promise<void> {
    return this.webContents.loadFile(file, options);
  }
  reload(): void {
    this.webContents.reload();
  }

  show(): void {
    this.showInactive();
    this.focus();
  }
  showInactive(): void {
    if (this._real.isShown) return;
    this._real.setShown(true);
    this.emit('show', hostEvent());
  }
  hide(): void {
    if (!this._real.isShown) return;
    this._real.setShown(false);
    this.blur();
    this.emit('hide', hostEvent());
  }
  focus(): void {
    if (runtime.focused === this || !this.focusable) return;
    runtime.focused?.blur();
    runtime.focused = this;
    void quietly(this.webContents._attached.then(() => this.webContents._session.send('Page.bringToFront')));
    this.emit('focus', hostEvent());
    runtime.appEmit('browser-window-focus', hostEvent(), this);
  }
  blur(): void {
    if (runtime.focused !== this) return;
    runtime.focused = null;
    this.emit('blur', hostEvent());
    runtime.appEmit('browser-window-blur', hostEvent(), this);
  }
  moveTop(): void {
    this.focus();
  }
  isVisible(): boolean {
    return this._real.isShown && this._real.state !== 'minimized';
  }
  isFocused(): boolean {
    return runtime.focused === this;
  }
  isDestroyed(): boolean {
    return this.webContents.isDestroyed();
  }

  minimize(): void {
    if (this.enter('minimized', 'minimize')) this.blur();
  }
  restore(): void {
    if (this._real.state === 'minimized') this.enter('normal', 'restore');
  }
  maximize(): void {
    this.enter('maximized', 'maximize');
  }
  unmaximize(): void {
    if (this._real.state === 'maximized') this.enter('normal', 'unmaximize');
  }
  setFullScreen(flag: boolean): void {
    if (flag) this.enter('fullscreen', 'enter-full-screen');
    else if (this._real.state === 'fullscreen') this.enter('normal', 'leave-full-screen');
  }
  isMinimized(): boolean {
    return this._real.state === 'minimized';
  }
  isMaximized(): boolean {
    return this._real.state === 'maximized';
  }
  isFullScreen(): boolean {
    return this._real.state === 'fullscreen';
  }
  isNormal(): boolean {
    return this._real.state === 'normal';
  }
  get fullScreen(): boolean {
    return this.isFullScreen();
  }
  set fullScreen(flag: boolean) {
    this.setFullScreen(flag);
  }

  setAlwaysOnTop(flag: boolean, _level?: string, _relativeLevel?: number): void {
    if (this.onTop === flag) return;
    this.onTop = flag;
    this.emit('always-on-top-changed', hostEvent(), flag);
  }
  isAlwaysOnTop(): boolean {
    return this.onTop;
  }

  getBounds(): Bounds {
    return this._real.bounds;
  }
  getNormalBounds(): Bounds {
    return this._real.normalBounds;
  }
  getContentBounds(): Bounds {
    return this._real.bounds;
  }
  setBounds(wanted: Partial<Bounds>): void {
    this.tellOf(this._real.setBounds(wanted));
  }
  setContentBounds(bounds: Bounds): void {
    this.setBounds(bounds);
  }
  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  getSize(): number[] {
    const { width, height } = this.getBounds();
    return [width, height];
  }
  setContentSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  getContentSize(): number[] {
    return this.getSize();
  }
  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }
  getPosition(): number[] {
    const { x, y } = this.getBounds();
    return [x, y];
  }
  center(): void {
    this.tellOf(this._real.center());
  }
  /** Enforced on every size that the program sets from now on. */
  setMinimumSize(width: number, height: number): void {
    this._real.minimum = [width, height];
  }
  getMinimumSize(): number[] {
    return [...this._real.minimum];
  }
  setMaximumSize(width: number, height: number): void {
    this._real.maximum = [width, height];
  }
  getMaximumSize(): number[] {
    return [...this._real.maximum];
  }

  close(): void {
    void quietly(this._close());
  }
  destroy(): void {
    const { _targetId: targetId } = this.webContents;
    this.webContents._gone();
    if (targetId) void closeTarget(targetId);
  }

  /** Asks the program, then the page, whether the window may close; true when it went away. */
  async _close(): Promise<boolean> {
    if (this.isDestroyed()) return true;
    const event = hostEvent();
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    await this.webContents._attached;
    if (this.isDestroyed()) return true;
    return closePage(this.webContents);
  }

  _closed(): void {
    if (!runtime.windows.delete(this)) return;
    if (runtime.focused === this) runtime.focused = null;
    this.emit('closed');
    if (runtime.windows.size === 0) runtime.allWindowsClosed();
  }

  /** What a person does to a headed window. */
  _pageEvent(type: string, [x = 0, y = 0, width = 0, height = 0]: number[]): void {
    if (runtime.headless) return;
    if (type === 'focus') this.focus();
    else if (type === 'blur') this.blur();
    else if (this._real.state === 'normal') {
      const { width: oldWidth, height: oldHeight } = this._real.bounds;
      this._real.noteBounds({ x, y, width, height });
      if (width !== oldWidth || height !== oldHeight) this.emit('resize', hostEvent());
    }
  }

  private enter(state: WindowState, eventName: string): boolean {
    const entered = this._real.enter(state);
    if (entered) this.emit(eventName, hostEvent());
    return entered;
  }

  private tellOf({ moved, resized }: { moved: boolean; resized: boolean }): void {
    if (resized) for (const name of ['resize', 'resized']) this.emit(name, hostEvent());
    if (moved) for (const name of ['move', 'moved']) this.emit(name, hostEvent());
  }
}
refuseMissingOf(BrowserWindow, 'BrowserWindow');
