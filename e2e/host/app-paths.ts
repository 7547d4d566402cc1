import { mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type PathName = Parameters<Electron.App['getPath']>[0];

const overridden = new Map<string, string>();
let appName = 'Electron';

/** `app.getPath` and its like, by Electron's rules for Linux. */
export const paths = {
  setAppName(name: string): void {
    appName = name;
  },

  /** @throws Error for a name that Electron does not know on this platform. */
  get(name: PathName): string {
    const known = overridden.get(name) ?? standardPath(name);
    if (known === undefined) throw new Error(`Failed to get '${name}' path`);
    return known;
  },

  /** @throws Error for a path that is not absolute. */
  set(name: string, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    mkdirSync(path, { recursive: true, mode: 0o700 });
    overridden.set(name, path);
  },
};

function standardPath(name: PathName): string | undefined {
  const home = homedir();
  const appData = process.env.XDG_CONFIG_HOME || join(home, '.config');
  switch (name) {
    case 'home':
      return home;
    case 'appData':
      return appData;
    case 'userData':
      return join(appData, appName);
    case 'sessionData':
      return paths.get('userData');
    case 'temp':
      return tmpdir();
    case 'exe':
    case 'module':
      return join(import.meta.dirname, 'electron');
    case 'logs':
      return join(paths.get('userData'), 'logs');
    case 'crashDumps':
      return join(paths.get('userData'), 'Crashpad');
    case 'desktop':
    case 'documents':
    case 'downloads':
    case 'music':
    case 'pictures':
    case 'videos':
      return join(home, `${name[0]?.toUpperCase()}${name.slice(1)}`);
    default:
      return undefined;
  }
}
