import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';

/** The folders that the program owns; absolute. */
export interface Roots {
  /** Project context: `projects/`, `chats/`, `memory.json`. */
  context: string;
  /** Sessions: `sessions/` and `projects/<slug>/sessions/`. */
  sessions: string;
  /** Electron's userData: settings, window places, caches. Null leaves Electron's own choice. */
  application: string | null;
}

/** The roots that the settings name; null leaves a root where it usually is. */
export interface RootSettings {
  contextRoot: string | null;
  sessionsRoot: string | null;
}

/** Where the data lives: `--data DIR` wins, then the environment, then the settings, then the usual place. */
export function resolveRoots(
  data: string | null,
  environment: Readonly<Record<string, string | undefined>>,
  settings: RootSettings,
): Roots {
  if (data !== null) {
    return {
      context: path.join(data, 'context'),
      sessions: path.join(data, 'sessions'),
      application: path.join(data, 'app'),
    };
  }
  const context = environment.SIDEKEEP_CONTEXT_ROOT || settings.contextRoot;
  const sessions = environment.SIDEKEEP_SESSIONS_ROOT || settings.sessionsRoot;
  return {
    context: context ? path.resolve(context) : path.join(os.homedir(), '.config', 'openchamber'),
    sessions: sessions ? path.resolve(sessions) : path.join(os.homedir(), '.reasonix'),
    application: null,
  };
}

/** The folder for what is kept about a root only to be faster: deleting it loses nothing. One for each root. */
export function cacheFolder(userData: string, root: string): string {
  const name = createHash('sha256').update(path.resolve(root)).digest('hex').slice(0, 16);
  return path.join(userData, 'cache', name);
}
