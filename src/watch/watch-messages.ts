import type { WatcherStatus } from '../contract/entities.ts';
import type { Hint } from './hints.ts';

/** Health of the watcher: {@link WatcherStatus} before it gets its number. */
export type Health = Pick<WatcherStatus, 'state' | 'reason'>;

/** What the worker is started with. */
export type WatchWorkerData = {
  /** Absolute path of the context root; it need not exist yet. */
  root: string;
};

/** From the main thread to the worker. */
export type WatchRequest = { type: 'rescan' } | { type: 'dispose' };

/** From the worker to the main thread. */
export type WatchReport =
  | { type: 'hints'; hints: Hint[] }
  | { type: 'health'; health: Health }
  | { type: 'problem'; message: string };
