import { refuse } from './refuse.ts';

type Options = Electron.BrowserWindowConstructorOptions;

/** Options that the host gives effect to, as a real Chromium window or as state that the program reads back. */
const imitated = new Set<keyof Options>([
  'alwaysOnTop',
  'center',
  'closable',
  'focusable',
  'fullscreen',
  'height',
  'maxHeight',
  'maxWidth',
  'maximizable',
  'minHeight',
  'minWidth',
  'minimizable',
  'movable',
  'opacity',
  'resizable',
  'show',
  'title',
  'webPreferences',
  'width',
  'x',
  'y',
]);

/** Options of decoration: accepted, and without effect on what the host shows. */
const decoration = new Set<keyof Options>([
  'accentColor',
  'acceptFirstMouse',
  'autoHideMenuBar',
  'backgroundColor',
  'darkTheme',
  'frame',
  'fullscreenable',
  'hasShadow',
  'icon',
  'paintWhenInitiallyHidden',
  'roundedCorners',
  'skipTaskbar',
  'thickFrame',
  'titleBarOverlay',
  'titleBarStyle',
  'trafficLightPosition',
  'useContentSize',
]);

/** @throws NotImitated for an option that the host would have to ignore though a program may rely on it. */
export function checkWindowOptions(options: Options): void {
  for (const [name, value] of Object.entries(options) as [keyof Options, unknown][]) {
    if (value === undefined || value === false || imitated.has(name) || decoration.has(name)) continue;
    refuse(`BrowserWindow option ${name}: ${String(value)}`);
  }
}
