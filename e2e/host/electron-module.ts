import { dialog, shell } from './answered-by-tests.ts';
import { app } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import { globalShortcut } from './global-shortcut.ts';
import { hostControls } from './host-controls.ts';
import { ipcMain } from './ipc-main.ts';
import { Menu, MenuItem } from './menu.ts';
import { nativeTheme } from './native-theme.ts';
import { net } from './net.ts';
import { protocol } from './protocol.ts';
import { refusedClass, refusedModule } from './refuse.ts';
import { screen } from './screen.ts';
import { session } from './session.ts';
import { clipboard, powerMonitor } from './small-modules.ts';
import { webContents, webFrameMain } from './web-contents.ts';

/** What `require('electron')` answers in the main process; `__host` is the host's own, for tests. */
export const electron = {
  __host: hostControls,
  app,
  BrowserWindow,
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  MenuItem,
  nativeTheme,
  net,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  webContents,
  webFrameMain,
  // Refused by name as soon as they are used.
  autoUpdater: refusedModule('autoUpdater', 'AutoUpdater'),
  BaseWindow: refusedClass('BaseWindow'),
  BrowserView: refusedClass('BrowserView'),
  ClipboardItem: refusedClass('ClipboardItem'),
  contentTracing: refusedModule('contentTracing', 'ContentTracing'),
  crashReporter: refusedModule('crashReporter', 'CrashReporter'),
  desktopCapturer: refusedModule('desktopCapturer', 'DesktopCapturer'),
  ImageView: refusedClass('ImageView'),
  inAppPurchase: refusedModule('inAppPurchase', 'InAppPurchase'),
  MessageChannelMain: refusedClass('MessageChannelMain'),
  nativeImage: refusedModule('nativeImage', 'NativeImage'),
  netLog: refusedModule('netLog', 'NetLog'),
  Notification: refusedClass('Notification'),
  powerSaveBlocker: refusedModule('powerSaveBlocker', 'PowerSaveBlocker'),
  pushNotifications: refusedModule('pushNotifications', 'PushNotifications'),
  safeStorage: refusedModule('safeStorage', 'SafeStorage'),
  ShareMenu: refusedClass('ShareMenu'),
  systemPreferences: refusedModule('systemPreferences', 'SystemPreferences'),
  TouchBar: refusedClass('TouchBar'),
  Tray: refusedClass('Tray'),
  utilityProcess: refusedModule('utilityProcess', 'UtilityProcess'),
  View: refusedClass('View'),
  WebContentsView: refusedClass('WebContentsView'),
};
