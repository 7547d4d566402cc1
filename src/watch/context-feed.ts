import { type Hint, hintKey } from './hints.ts';
import { KeyedWork } from './keyed-work.ts';
import { startWatcher, type Watcher, type WatcherOptions } from './watcher.ts';

/**
 * The part of a context store that the watcher needs. Each call reads the files again, compares them with what the store
 * holds, and pushes only what differs; so our own writes, already known to the store, are pushed once.
 */
export type RefreshableStore = {
  /** One owner's `context.json` (or its legacy settings file). */
  refresh(projectId: string): Promise<unknown>;
  /** One plan's document. */
  refreshPlan(projectId: string, file: string): Promise<unknown>;
  /** Everything that the store holds. */
  refreshAll(): Promise<unknown>;
};

/** The same of the store of memories; null is the memory of all. */
export type RefreshableMemory = {
  refresh(ownerId: string | null): Promise<unknown>;
  refreshAll(): Promise<unknown>;
};

export type ContextFeedOptions = Pick<WatcherOptions, 'root' | 'workerUrl' | 'onStatus'> & {
  store: RefreshableStore;
  /** Nothing is told of memories when left out. */
  memory?: RefreshableMemory;
  /** The set of project folders may have changed. */
  onProjects: () => unknown;
  report: (problem: Error) => void;
};

/** Connects the watcher to a context store: changes on disk become pushes of the store. */
export const startContextFeed = (options: ContextFeedOptions): Watcher => {
  const refreshes = new RefreshQueue(options);
  const watcher = startWatcher({
    root: options.root,
    report: options.report,
    onHints: (hints) => refreshes.add(hints),
    ...(options.workerUrl && { workerUrl: options.workerUrl }),
    ...(options.onStatus && { onStatus: options.onStatus }),
  });
  return {
    status: () => watcher.status(),
    rescan: () => watcher.rescan(),
    dispose: async () => {
      await watcher.dispose();
      await refreshes.dispose();
    },
  };
};

/** Runs the refreshes that hints ask for, see {@link KeyedWork}. */
export class RefreshQueue {
  readonly #options: Pick<ContextFeedOptions, 'store' | 'memory' | 'onProjects' | 'report'>;
  readonly #work: KeyedWork<Hint>;

  constructor(options: Pick<ContextFeedOptions, 'store' | 'memory' | 'onProjects' | 'report'>) {
    this.#options = options;
    this.#work = new KeyedWork({ run: (hint) => this.#refresh(hint), report: options.report });
  }

  add(hints: readonly Hint[]): void {
    this.#work.add(hints.map((hint) => [refreshKey(hint), hint]));
  }

  /** Resolves when no refresh is under way; later hints are ignored. */
  dispose(): Promise<void> {
    return this.#work.dispose();
  }

  async #refresh(hint: Hint): Promise<void> {
    const { store, memory, onProjects } = this.#options;
    switch (hint.kind) {
      case 'context':
      case 'legacy':
        await store.refresh(hint.projectId);
        break;
      case 'plan':
        await store.refreshPlan(hint.projectId, hint.file);
        break;
      case 'memory':
        await memory?.refresh(hint.ownerId);
        break;
      case 'projects':
        await onProjects();
        break;
      case 'all':
        await Promise.all([store.refreshAll(), memory?.refreshAll(), onProjects()]);
        break;
    }
  }
}

/** A legacy file and a context file are refreshed by the same call. */
const refreshKey = (hint: Hint): string =>
  hint.kind === 'legacy' ? hintKey({ kind: 'context', projectId: hint.projectId }) : hintKey(hint);
