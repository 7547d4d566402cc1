import os from 'node:os';
import path from 'node:path';

/** The folders that the program owns; absolute. */
export interface Roots {
  /** Project context: `projects/`, `chats/`, `memory.json`. */
  context: string;
  /** Electron's userData: settings, window places, caches. Null leaves Electron's own choice. */
  application: string | null;
}

/** Where the data lives: `--data DIR` wins, then the environment, then the setting, then the usual place. */
export function resolveRoots(
  data: string | null,
  environment: Readonly<Record<string, string | undefined>>,
  contextRootSetting: string | null,
): Roots {
  if (data !== null) return { context: path.join(data, 'context'), application: path.join(data, 'app') };
  const chosen = environment.SIDEKEEP_CONTEXT_ROOT || contextRootSetting;
  return {
    context: chosen ? path.resolve(chosen) : path.join(os.homedir(), '.config', 'openchamber'),
    application: null,
  };
}
