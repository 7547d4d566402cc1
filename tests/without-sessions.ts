import { join } from 'node:path';
import type { SidekeepOptions } from '../src/sidekeep.ts';

/** What the core needs for sessions where there are none: a folder beside the root that does not exist. */
export const withoutSessions = (
  root: string,
): Pick<SidekeepOptions, 'sessionsRoot' | 'cacheFolder' | 'pinnedSessions' | 'reveal' | 'memoryEnabled'> => ({
  sessionsRoot: join(root, '..', 'no-sessions'),
  cacheFolder: null,
  pinnedSessions: { list: () => [], set: () => undefined },
  reveal: () => undefined,
  memoryEnabled: () => false,
});
