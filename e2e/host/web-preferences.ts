import { isAbsolute } from 'node:path';
import { refuse } from './refuse.ts';
import { session } from './session.ts';

/** Preferences without which the host would not be what it is; each is also Electron's default or its advice. */
const fixed: [keyof Electron.WebPreferences, unknown][] = [
  ['nodeIntegration', false],
  ['nodeIntegrationInWorker', false],
  ['nodeIntegrationInSubFrames', false],
  ['contextIsolation', true],
  ['sandbox', true],
  ['webSecurity', true],
  ['allowRunningInsecureContent', false],
  ['experimentalFeatures', false],
  ['webviewTag', false],
  ['javascript', true],
  ['plugins', false],
  ['offscreen', false],
  ['navigateOnDragDrop', false],
];

/** Without effect on what the host shows: they are recorded and reported, nothing more. */
const recorded = new Set<keyof Electron.WebPreferences>([
  'accessibleTitle',
  'additionalArguments',
  'autoplayPolicy',
  'backgroundThrottling',
  'defaultEncoding',
  'devTools',
  'disableDialogs',
  'enableWebSQL',
  'preload',
  'safeDialogs',
  'safeDialogsMessage',
  'scrollBounce',
  'session',
  'spellcheck',
  'v8CacheOptions',
  'webgl',
]);

/**
 * The preferences that a window has in effect.
 *
 * @throws NotImitated for every value that the host cannot give.
 */
export function effectivePreferences(given: Electron.WebPreferences = {}): Electron.WebPreferences {
  const effective: Record<string, unknown> = Object.fromEntries(fixed);
  for (const [name, value] of Object.entries(given) as [keyof Electron.WebPreferences, unknown][]) {
    if (value === undefined) continue;
    const rule = fixed.find(([known]) => known === name);
    if (rule ? rule[1] !== value : !recorded.has(name)) refuse(`webPreferences.${name}: ${String(value)}`);
    effective[name] = value;
  }
  if (given.session && (given.session as unknown) !== session.defaultSession) refuse('webPreferences.session');
  if (given.preload !== undefined && !isAbsolute(given.preload)) {
    throw new Error(`preload script must have absolute path: ${given.preload}`);
  }
  return effective as Electron.WebPreferences;
}
