import path from 'node:path';
import { BrowserWindow, type BrowserWindowConstructorOptions, nativeTheme, screen } from 'electron';
import { bridgeTable, type Role } from '../../src/contract/index.ts';
import { ORIGIN } from '../protocol.ts';
import { secureWebPreferences } from '../security.ts';
import type { Bounds, SettingsStore } from '../settings.ts';
import { cornerPlace, rememberPlace, usablePlace } from './place.ts';
import type { WindowSet } from './window-set.ts';

/** What the two windows need of the program. */
export interface WindowDependencies {
  settings: SettingsStore;
  windows: WindowSet;
  /** Folder of the built main process, with `preload.cjs`. */
  buildFolder: string;
}

const shapes = {
  sidebar: { title: 'Sidekeep', page: 'sidebar.html', width: 1100, height: 760, minWidth: 360, minHeight: 420 },
  'mini-chat': { title: 'Mini Chat', page: 'mini-chat.html', width: 400, height: 560, minWidth: 320, minHeight: 320 },
} as const;

/** Opens a window of a role at its remembered place and loads its page. */
export function openApplicationWindow(
  role: Role,
  dependencies: WindowDependencies,
  options: BrowserWindowConstructorOptions = {},
): BrowserWindow {
  const { settings, windows } = dependencies;
  const shape = shapes[role];
  const key = role === 'sidebar' ? 'sidebar' : 'miniChat';
  const remembered = usablePlace(settings.stored[key].bounds, screen.getAllDisplays());
  const place = remembered ?? (role === 'mini-chat' ? cornerPlace(shape, screen.getPrimaryDisplay()) : null);
  const window = new BrowserWindow({
    title: shape.title,
    width: shape.width,
    height: shape.height,
    ...place,
    minWidth: shape.minWidth,
    minHeight: shape.minHeight,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181d' : '#fbfbfa',
    ...options,
    webPreferences: {
      ...secureWebPreferences,
      preload: path.join(dependencies.buildFolder, 'preload.cjs'),
      additionalArguments: [`--sidekeep-bridge=${JSON.stringify(bridgeTable(role))}`],
    },
  });
  windows.add(role, window);
  rememberPlace(window, (bounds: Bounds) => settings.setBounds(key, bounds));
  reloadAfterCrash(window);
  window.loadURL(`${ORIGIN}/${shape.page}`).catch((error: unknown) => {
    // Closing a window while it loads ends the load; anything else is worth knowing.
    if (!window.isDestroyed()) console.error(`The ${shape.title} window could not be loaded.`, error);
  });
  return window;
}

/** A window whose page died comes back by itself, unless it keeps dying. */
function reloadAfterCrash(window: BrowserWindow): void {
  const crashes: number[] = [];
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return;
    const now = Date.now();
    crashes.push(now);
    if (crashes.filter((time) => now - time < 30_000).length > 3) {
      console.error(`The window keeps ending (${details.reason}); it is left as it is. Close it and start again.`);
      return;
    }
    setTimeout(() => {
      if (!window.isDestroyed()) window.webContents.reload();
    }, 100);
  });
}
