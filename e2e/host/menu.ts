import { EventEmitter } from 'node:events';
import { refuse, refuseMissingOf } from './refuse.ts';
import { hostEvent, runtime } from './runtime.ts';

type Options = Electron.MenuItemConstructorOptions;

/** Roles that the host can carry out when an item is clicked; the others are accepted, and refused when clicked. */
const roleActions: Record<string, () => void> = {
  quit: () => runtime.appQuit(),
  close: () => runtime.focused?.close(),
  minimize: () => runtime.focused?.minimize(),
  togglefullscreen: () => runtime.focused?.setFullScreen(!runtime.focused.isFullScreen()),
  reload: () => runtime.focused?.webContents.reload(),
  forcereload: () => runtime.focused?.webContents.reloadIgnoringCache(),
};

let lastCommand = 0;

/** An item that a test clicks; accelerators are recorded and never heard. */
export class MenuItem {
  readonly commandId = ++lastCommand;
  readonly id: string;
  readonly type: NonNullable<Options['type']>;
  readonly role: string | undefined;
  readonly accelerator: string | null | undefined;
  readonly submenu: Menu | undefined;
  readonly registerAccelerator: boolean;
  label: string;
  sublabel: string;
  toolTip: string;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  menu: Menu | undefined;
  click: (event?: object, window?: Electron.BaseWindow) => void;

  constructor(options: Options) {
    const { submenu, click } = options;
    const role = options.role?.toLowerCase();
    this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : (submenu as Menu | undefined);
    this.id = options.id ?? '';
    this.type = options.type ?? (submenu ? 'submenu' : 'normal');
    this.role = role;
    this.accelerator = options.accelerator;
    this.registerAccelerator = options.registerAccelerator ?? true;
    this.label = options.label ?? role ?? '';
    this.sublabel = options.sublabel ?? '';
    this.toolTip = options.toolTip ?? '';
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.click = (event = hostEvent(), window) => {
      if (!this.enabled) return;
      if (this.type === 'checkbox') this.checked = !this.checked;
      if (this.type === 'radio') this.checked = true;
      if (role) return (roleActions[role] ?? (() => refuse(`the menu role ${role}`)))();
      const target = window ?? (runtime.focused as unknown as Electron.BaseWindow | null) ?? undefined;
      click?.(this as unknown as Electron.MenuItem, target, event as Electron.KeyboardEvent);
    };
  }
}
refuseMissingOf(MenuItem, 'MenuItem');

let applicationMenu: Menu | null = null;

/** Menus as data: nothing is drawn. */
export class Menu extends EventEmitter {
  static buildFromTemplate(template: (Options | MenuItem)[]): Menu {
    const menu = new Menu();
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item));
    return menu;
  }
  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu;
  }
  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }

  readonly items: MenuItem[] = [];

  append(item: MenuItem): void {
    this.insert(this.items.length, item);
  }
  insert(position: number, item: MenuItem): void {
    item.menu = this;
    this.items.splice(position, 0, item);
  }
  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
}
refuseMissingOf(Menu, 'Menu');
