import type { StoreKey } from '../contract/entities.ts';
import { KeyedWork } from './keyed-work.ts';
import type { SessionHint } from './session-tree.ts';
import { startSessionWatcher, type Watcher, type WatcherOptions } from './watcher.ts';

/** Where to look again in one store of sessions. */
export type StoreHint = {
  store: StoreKey;
  /** Names of the entries of its folder that changed, came or went; none when `all`. */
  names: readonly string[];
  /** Whether any of its entries may have changed, or all of it came or went. */
  all: boolean;
};

export type SessionFeedOptions = Pick<WatcherOptions, 'root' | 'workerUrl' | 'onStatus' | 'restartPauses'> & {
  /**
   * Entries of one store changed. While a promise that it answers is pending, it is not called for the same store again:
   * what changes meanwhile comes as one hint afterwards.
   */
  onHints: (hint: StoreHint) => unknown;
  /** The set of stores may have changed. */
  onStores: () => unknown;
  /** Everything may have changed, the set of stores too: at the start, after sleep, or because changes may have been missed. */
  onAll: () => unknown;
  report: (problem: Error) => void;
};

/** Connects the watcher of a sessions root to whoever keeps what is read of it. Returns at once; nobody waits for it. */
export const startSessionFeed = (options: SessionFeedOptions): Watcher => {
  const looks = new SessionLooks(options);
  const watcher = startSessionWatcher({
    root: options.root,
    report: options.report,
    onHints: (hints) => looks.add(hints),
    ...(options.workerUrl && { workerUrl: options.workerUrl }),
    ...(options.onStatus && { onStatus: options.onStatus }),
    ...(options.restartPauses && { restartPauses: options.restartPauses }),
  });
  return {
    status: () => watcher.status(),
    rescan: () => watcher.rescan(),
    dispose: async () => {
      await watcher.dispose();
      await looks.dispose();
    },
  };
};

/** So many names that wait for one store are the same as all of it. */
const manyNames = 1000;

/** Passes hints on, one at a time for each store; what waits for a store is joined. */
export class SessionLooks {
  readonly #options: Pick<SessionFeedOptions, 'onHints' | 'onStores' | 'onAll' | 'report'>;
  readonly #work: KeyedWork<SessionHint>;

  constructor(options: Pick<SessionFeedOptions, 'onHints' | 'onStores' | 'onAll' | 'report'>) {
    this.#options = options;
    this.#work = new KeyedWork({ run: (hint) => this.#look(hint), join: joinedHint, report: options.report });
  }

  add(hints: readonly SessionHint[]): void {
    this.#work.add(hints.map((hint) => [lookKey(hint), hint]));
  }

  /** Resolves when no look is under way; later hints are ignored. */
  dispose(): Promise<void> {
    return this.#work.dispose();
  }

  async #look(hint: SessionHint): Promise<void> {
    const { onHints, onStores, onAll } = this.#options;
    switch (hint.kind) {
      case 'files':
        await onHints({ store: hint.store, names: hint.names, all: false });
        break;
      case 'store':
        await onHints({ store: hint.store, names: [], all: true });
        break;
      case 'stores':
        await onStores();
        break;
      case 'all':
        await onAll();
        break;
    }
  }
}

const lookKey = (hint: SessionHint): string => ('store' in hint ? hint.store : hint.kind);

/** Two hints of the same key are about the same store, or say the same. */
const joinedHint = (waiting: SessionHint, later: SessionHint): SessionHint => {
  if (waiting.kind !== 'files' || later.kind !== 'files') return waiting.kind === 'files' ? later : waiting;
  const names = [...new Set([...waiting.names, ...later.names])];
  return names.length > manyNames ? { kind: 'store', store: later.store } : { ...later, names };
};
