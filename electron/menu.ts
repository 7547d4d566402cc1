import { Menu, type MenuItemConstructorOptions } from 'electron';

/** What the menu can ask for. */
export interface MenuActions {
  showSidebar(): void;
  toggleMiniChat(): void;
  quit(): void;
}

/** The application menu: only what works, and the editing roles that text fields need on macOS. */
export function buildMenu(actions: MenuActions, platform: NodeJS.Platform): Menu {
  const file: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [
      { id: 'show-sidebar', label: 'Show Sidebar', accelerator: 'CmdOrCtrl+Shift+S', click: actions.showSidebar },
      {
        id: 'toggle-mini-chat',
        label: 'Show or Hide Mini Chat',
        accelerator: 'CmdOrCtrl+M',
        click: actions.toggleMiniChat,
      },
      { type: 'separator' },
      { id: 'quit', label: 'Quit', accelerator: 'CmdOrCtrl+Q', click: actions.quit },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: '&View',
    submenu: [
      { role: 'reload' },
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
    ],
  };
  const application: MenuItemConstructorOptions[] = platform === 'darwin' ? [{ role: 'appMenu' }] : [];
  return Menu.buildFromTemplate([...application, file, { role: 'editMenu' }, view, { role: 'windowMenu' }]);
}
