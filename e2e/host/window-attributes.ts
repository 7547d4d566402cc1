import { EventEmitter } from 'node:events';
import { refuse } from './refuse.ts';
import { type HostEvent, runtime } from './runtime.ts';

type Options = Electron.BrowserWindowConstructorOptions;

/** The attributes of a window that are state which the program reads back, and nothing that the host shows. */
export class WindowAttributes extends EventEmitter {
  autoHideMenuBar: boolean;
  closable: boolean;
  focusable: boolean;
  fullScreenable: boolean;
  maximizable: boolean;
  minimizable: boolean;
  movable: boolean;
  resizable: boolean;
  private windowTitle: string;
  private windowOpacity: number;

  constructor(options: Options) {
    super();
    this.setMaxListeners(0);
    this.autoHideMenuBar = options.autoHideMenuBar ?? false;
    this.closable = options.closable ?? true;
    this.focusable = options.focusable ?? true;
    this.fullScreenable = options.fullscreenable ?? true;
    this.maximizable = options.maximizable ?? true;
    this.minimizable = options.minimizable ?? true;
    this.movable = options.movable ?? true;
    this.resizable = options.resizable ?? true;
    this.windowTitle = options.title ?? runtime.appName;
    this.windowOpacity = options.opacity ?? 1;
  }

  setTitle(title: string): void {
    this.windowTitle = title;
  }
  getTitle(): string {
    return this.windowTitle;
  }
  setOpacity(opacity: number): void {
    this.windowOpacity = Math.min(1, Math.max(0, opacity));
  }
  getOpacity(): number {
    return this.windowOpacity;
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
  getParentWindow(): null {
    return null;
  }
  getChildWindows(): never[] {
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
  setSkipTaskbar(_skip: boolean): void {}
  setBackgroundColor(_color: string): void {}

  /** The page's title becomes the window's, unless the program prevents it. */
  _titleChanged(title: string, event: HostEvent): void {
    this.emit('page-title-updated', event, title, true);
    if (!event.defaultPrevented) this.windowTitle = title;
  }
}
