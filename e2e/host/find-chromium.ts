import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Where `@sparticuz/chromium` (headless shell, Linux x64), unpacked on demand, is expected. */
export const cachedChromium: string = join(root, 'node_modules/.cache/chromium/chromium');

const systemPlaces = ['/usr/lib/chromium/chromium', '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const namesOnPath = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'];

/**
 * The Chromium that the host drives: `$CHROMIUM_PATH`, one that the system installed, or the cached one; `undefined` when
 * there is none. Debian's real executable comes before its wrapper script, which adds flags of its own.
 *
 * @throws Error when `$CHROMIUM_PATH` is set but is no executable file; nothing else is tried then.
 */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = environment.CHROMIUM_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROMIUM_PATH is ${named}, which is not an executable file`);
  }
  const onPath = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    ...systemPlaces,
    ...namesOnPath.flatMap((name) => onPath.map((folder) => join(folder, name))),
    cachedChromium,
  ];
  return candidates.find(isExecutable);
}

/** As `findChromium`. @throws Error that says what to install when there is none. */
export function requireChromium(environment: NodeJS.ProcessEnv = process.env): string {
  const found = findChromium(environment);
  if (found) return found;
  throw new Error(
    'No Chromium was found. Install chromium (or chromium-headless-shell, or google-chrome), or set CHROMIUM_PATH to one. ' +
      `Looked at ${systemPlaces.join(', ')}, on PATH for ${namesOnPath.join(', ')}, and at ${cachedChromium}.`,
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
