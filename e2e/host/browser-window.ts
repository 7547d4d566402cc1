import { EventEmitter } from 'node:events';
import type { Protocol } from './cdp.ts';
import { closePage } from './close-page.ts';
import { refuse, refuseMissingOf } from './refuse.ts';
import { chromium, type HostEvent, hostEvent, quietly, runtime } from './runtime.ts';
import { type AttachedTarget, closeTarget, type WindowPlace } from './targets.ts';
import { WebContents } from './web-contents.ts';
import { checkWindowOptions } from './window-options.ts';

type Options = Electron.BrowserWindowConstructorOptions;
type Bounds = Electron.Rectangle;
type Size = [width: number, height: number];

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
export class BrowserWindow extends EventEmitter implements Imitated {
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
  autoHideMenuBar: boolean;
  closable: boolean;
  focusable: boolean;
  maximizable: boolean;
  minimizable: boolean;
  movable: boolean;
  resizable: boolean;
  fullScreenable = true;
  private bounds: Bounds;
  private minimum: Size;
  private maximum: Size;
  private shown: boolean;
  private onTop: boolean;
  private windowState: 'normal' | 'minimized' | 'maximized' | 'fullscreen' = 'normal';
  private title: string;
  private opacity: number;

  constructor(options: Options = {}, adopted?: AttachedTarget) {
    if (!runtime.ready) throw new Error('Cannot create BrowserWindow before app is ready');
    super();
    this.setMaxListeners(0);
    checkWindowOptions(options);
    this.minimum = [options.minWidth ?? 0, options.minHeight ?? 0];
    this.maximum = [options.maxWidth ?? 0, options.maxHeight ?? 0];
    this.bounds = this.firstBounds(options);
    this.shown = options.show !== false;
    this.onTop = options.alwaysOnTop === true;
    this.title = options.title ?? runtime.appName;
    this.opacity = options.opacity ?? 1;
    this.autoHideMenuBar = options.autoHideMenuBar ?? false;
    this.closable = options.closable ?? true;
    this.focusable = options.focusable ?? true;
    this.maximizable = options.maximizable ?? true;
    this.minimizable = options.minimizable ?? true;
    this.movable = options.movable ?? true;
    this.resizable = options.resizable ?? true;
    this.webContents = new WebContents(this, options.webPreferences, adopted);
    this.id = this.webContents.id;
    runtime.windows.add(this);
    runtime.appEmit('browser-window-created', hostEvent(), this);
    runtime.appEmit('web-contents-created', hostEvent(), this.webContents);
    if (options.fullscreen) this.setFullScreen(true);
    if (this.shown) setImmediate(() => this.isDestroyed() || this.focus());
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
    if (this.shown) return;
    this.shown = true;
    this.applyState();
    this.emit('show', hostEvent());
  }
  hide(): void {
    if (!this.shown) return;
    this.shown = false;
    this.applyState();
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
    return this.shown && this.windowState !== 'minimized';
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
    if (this.windowState === 'minimized') this.enter('normal', 'restore');
  }
  maximize(): void {
    this.enter('maximized', 'maximize');
  }
  unmaximize(): void {
    if (this.windowState === 'maximized') this.enter('normal', 'unmaximize');
  }
  setFullScreen(flag: boolean): void {
    if (flag) this.enter('fullscreen', 'enter-full-screen');
    else if (this.windowState === 'fullscreen') this.enter('normal', 'leave-full-screen');
  }
  isMinimized(): boolean {
    return this.windowState === 'minimized';
  }
  isMaximized(): boolean {
    return this.windowState === 'maximized';
  }
  isFullScreen(): boolean {
    return this.windowState === 'fullscreen';
  }
  isNormal(): boolean {
    return this.windowState === 'normal';
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
    const area = this.windowState === 'maximized' || this.windowState === 'fullscreen' ? this.screenArea() : undefined;
    return { ...(area ?? this.bounds) };
  }
  getNormalBounds(): Bounds {
    return { ...this.bounds };
  }
  getContentBounds(): Bounds {
    return this.getBounds();
  }
  setBounds(wanted: Partial<Bounds>): void {
    const old = this.bounds;
    this.bounds = this.clamped({ ...old, ...wanted });
    const { x, y, width, height } = this.bounds;
    if (this.windowState === 'maximized') this.windowState = 'normal';
    this.applyState();
    if (width !== old.width || height !== old.height)
      for (const name of ['resize', 'resized']) this.emit(name, hostEvent());
    if (x !== old.x || y !== old.y) for (const name of ['move', 'moved']) this.emit(name, hostEvent());
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
    this.setBounds(this.centered(this.bounds.width, this.bounds.height));
  }
  /** Enforced on every size that the program sets from now on. */
  setMinimumSize(width: number, height: number): void {
    this.minimum = [width, height];
  }
  getMinimumSize(): number[] {
    return [...this.minimum];
  }
  setMaximumSize(width: number, height: number): void {
    this.maximum = [width, height];
  }
  getMaximumSize(): number[] {
    return [...this.maximum];
  }

  setTitle(title: string): void {
    this.title = title;
  }
  getTitle(): string {
    return this.title;
  }
  setOpacity(opacity: number): void {
    this.opacity = Math.min(1, Math.max(0, opacity));
  }
  getOpacity(): number {
    return this.opacity;
  }
  setResizable(resizable: boolean): void {
    this.resizable = resizable;
  }
  isResizable(): boolean {
    return this.resizable;
  }
  isModal(): boolean {
    return false;
  }
  getParentWindow(): BrowserWindow | null {
    return null;
  }
  getChildWindows(): BrowserWindow[] {
    return [];
  }
  setMenu(menu: object | null): void {
    if (menu !== null) refuse('BrowserWindow.setMenu with a menu');
  }
  removeMenu(): void {}
  setMenuBarVisibility(_visible: boolean): void {}
  setAutoHideMenuBar(hide: boolean): void {
    this.autoHideMenuBar = hide;
  }
  /** Decoration, without effect on what the host shows: the taskbar, the colour behind the page. */
  setSkipTaskbar(_skip: boolean): void {}
  setBackgroundColor(_color: string): void {}

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

  _titleChanged(title: string, event: HostEvent): void {
    this.emit('page-title-updated', event, title, true);
    if (!event.defaultPrevented) this.title = title;
  }

  /** What a person does to a headed window. */
  _pageEvent(type: string, [x = 0, y = 0, width = 0, height = 0]: number[]): void {
    if (runtime.headless) return;
    if (type === 'focus') this.focus();
    else if (type === 'blur') this.blur();
    else if (this.windowState === 'normal' && (width !== this.bounds.width || height !== this.bounds.height)) {
      this.bounds = { x, y, width, height };
      this.emit('resize', hostEvent());
    }
  }

  _place(): WindowPlace {
    return this.bounds;
  }

  private enter(state: BrowserWindow['windowState'], eventName: string): boolean {
    if (this.windowState === state) return false;
    this.windowState = state;
    this.applyState();
    this.emit(eventName, hostEvent());
    return true;
  }

  /** Brings the real window to this state: a hidden one is minimized, and its page sees itself hidden. */
  private applyState(): void {
    const state = this.shown ? this.windowState : 'minimized';
    const { x: left, y: top, width, height } = this.bounds;
    const { _attached, _targetId } = this.webContents;
    const set = async (targetId: string): Promise<void> => {
      const { browser } = chromium();
      const { windowId } = await browser.send('Browser.getWindowForTarget', { targetId });
      const apply = (bounds: Protocol.Browser.Bounds) => browser.send('Browser.setWindowBounds', { windowId, bounds });
      await apply({ windowState: 'normal' });
      await (state === 'normal' ? apply({ left, top, width, height }) : apply({ windowState: state }));
    };
    void quietly(_attached.then(() => set(_targetId || this.webContents._targetId)));
  }

  private firstBounds({ x, y, width = 800, height = 600, center }: Options): Bounds {
    const size = this.clamped({ x: 0, y: 0, width, height });
    if (center || x === undefined || y === undefined) return this.centered(size.width, size.height);
    return { ...size, x, y };
  }

  private centered(width: number, height: number): Bounds {
    const { x, y, width: w, height: h } = this.screenArea();
    return {
      x: x + Math.max(0, Math.round((w - width) / 2)),
      y: y + Math.max(0, Math.round((h - height) / 2)),
      width,
      height,
    };
  }

  private screenArea(): Bounds {
    const {
      availLeft: x = 0,
      availTop: y = 0,
      availWidth: width = 1280,
      availHeight: height = 800,
    } = runtime.screens[0] ?? {};
    return { x, y, width, height };
  }

  private clamped({ x, y, width, height }: Bounds): Bounds {
    const within = (value: number, least: number, most: number): number =>
      Math.max(Math.min(value, most || Number.POSITIVE_INFINITY), least, 1);
    return {
      x: Math.round(x),
      y: Math.round(y),
      width: within(Math.round(width), this.minimum[0], this.maximum[0]),
      height: within(Math.round(height), this.minimum[1], this.maximum[1]),
    };
  }
}
refuseMissingOf(BrowserWindow, 'BrowserWindow');
