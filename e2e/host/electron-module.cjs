const { electron } = require('./electron-module.ts');

module.exports = electron;

// Never runs. Node reads the names that `import { app } from 'electron'` may use from the text of a CommonJS module.
if (electron === undefined) {
  module.exports = {
    app,
    autoUpdater,
    BaseWindow,
    BrowserView,
    BrowserWindow,
    clipboard,
    ClipboardItem,
    contentTracing,
    crashReporter,
    desktopCapturer,
    dialog,
    globalShortcut,
    ImageView,
    inAppPurchase,
    ipcMain,
    Menu,
    MenuItem,
    MessageChannelMain,
    nativeImage,
    nativeTheme,
    net,
    netLog,
    Notification,
    powerMonitor,
    powerSaveBlocker,
    protocol,
    pushNotifications,
    safeStorage,
    screen,
    session,
    ShareMenu,
    shell,
    systemPreferences,
    TouchBar,
    Tray,
    utilityProcess,
    View,
    webContents,
    WebContentsView,
    webFrameMain,
  };
}
