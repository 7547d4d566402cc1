import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Where `@sparticuz/chromium` (headless shell, Linux x64), unpacked on demand, is expected. */
export const cachedChromium: string = join(root, 'node_modules/.cache/chromium/chromium');

/** Debian's real executables come before its wrapper scripts, which add flags of their own. */
const withWindows = ['/usr/lib/chromium/chromium', '/usr/bin/chromium', '/usr/bin/chromium-browser'];
/** A shell starts in half the time and leaves the machine more of its processors. */
const withoutWindows = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium-headless-shell'];
const namesOnPath = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'];

/** Whether windows are drawn nowhere: asked for with `HOST_HEADLESS=1`, or for want of a display on Linux. */
export function isHeadless(environment: NodeJS.ProcessEnv = process.env): boolean {
  if (environment.HOST_HEADLESS) return environment.HOST_HEADLESS !== '0';
  return process.platform === 'linux' && !environment.DISPLAY && !environment.WAYLAND_DISPLAY;
}

/**
 * The Chromium that the host drives: `$CHROMIUM_PATH`, one that the system installed, or the cached one; `undefined` when
 * there is none. One that cannot show windows is only taken when none are to be shown.
 *
 * @throws Error when `$CHROMIUM_PATH` is set but is no executable file; nothing else is tried then.
 */
export function findChromium(
  environment: NodeJS.ProcessEnv = process.env,
  headless: boolean = isHeadless(environment),
): string | undefined {
  const named = environment.CHROMIUM_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROMIUM_PATH is ${named}, which is not an executable file`);
  }
  const onPath = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    ...(headless ? withoutWindows : []),
    ...withWindows,
    ...namesOnPath.flatMap((name) => onPath.map((folder) => join(folder, name))),
    ...(headless ? [cachedChromium] : []),
  ];
  return candidates.find(isExecutable);
}

/** As `findChromium`. @throws Error that says what to install when there is none. */
export function requireChromium(environment: NodeJS.ProcessEnv = process.env): string {
  const found = findChromium(environment);
  if (found) return found;
  throw new Error(
    'No Chromium was found. Install chromium (or chromium-headless-shell, or google-chrome), or set CHROMIUM_PATH to one. ' +
      `Looked at ${[...withWindows, ...withoutWindows].join(', ')}, on PATH for ${namesOnPath.join(', ')}, and at ${cachedChromium}.`,
  );
}

/** Whether `path` is a Chromium that can only run without a display. */
export function isHeadlessShell(path: string): boolean {
  return /headless[-_]shell$/.test(path) || path === cachedChromium;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // Missing, or not ours to run: not a candidate either way.
  }
}
