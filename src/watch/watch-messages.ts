import type { WatcherStatus } from '../contract/entities.ts';

/** Health of the watcher: {@link WatcherStatus} before it gets its number. */
export type Health = Pick<WatcherStatus, 'state' | 'reason'>;

/** What the worker is started with. */
export type WatchWorkerData = {
  /** Which kind of root it is. */
  tree: TreeName;
  /** Absolute path of the root; it need not exist yet. */
  root: string;
};

/** The kinds of roots that are watched. */
export type TreeName = 'context' | 'sessions';

/** From the main thread to the worker. */
export type WatchRequest = { type: 'rescan' } | { type: 'dispose' };

/** From the worker to the main thread. */
export type WatchReport<Hint> =
  | { type: 'hints'; hints: Hint[] }
  | { type: 'health'; health: Health }
  | { type: 'problem'; message: string };
