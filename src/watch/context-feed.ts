import { type Hint, hintKey } from './hints.ts';
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

export type ContextFeedOptions = Pick<WatcherOptions, 'root' | 'workerUrl' | 'onStatus'> & {
  store: RefreshableStore;
  /** The set of project folders may have changed. */
  onProjects: () => unknown;
  report: (problem: Error) => void;
};

/** How many files are read at the same time. */
const concurrency = 4;

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

/**
 * Runs refreshes, one at a time for each thing. A hint that comes during a refresh of the same thing leads to another
 * one after it: the refresh under way may have read the file before the change.
 */
export class RefreshQueue {
  readonly #options: Pick<ContextFeedOptions, 'store' | 'onProjects' | 'report'>;
  readonly #waiting = new Map<string, Hint>();
  readonly #running = new Map<string, Promise<void>>();
  #disposed = false;

  constructor(options: Pick<ContextFeedOptions, 'store' | 'onProjects' | 'report'>) {
    this.#options = options;
  }

  add(hints: readonly Hint[]): void {
    if (this.#disposed) return;
    for (const hint of hints) this.#waiting.set(refreshKey(hint), hint);
    this.#startWaiting();
  }

  /** Resolves when no refresh is under way; later hints are ignored. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }

  #startWaiting(): void {
    for (const [key, hint] of this.#waiting) {
      if (this.#running.size >= concurrency) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.set(key, this.#run(key, hint));
    }
  }

  async #run(key: string, hint: Hint): Promise<void> {
    try {
      await this.#refresh(hint);
    } catch (error) {
      this.#options.report(new Error(`Looking again at ${key} failed.`, { cause: error }));
    }
    this.#running.delete(key);
    this.#startWaiting();
  }

  async #refresh(hint: Hint): Promise<void> {
    const { store, onProjects } = this.#options;
    switch (hint.kind) {
      case 'context':
      case 'legacy':
        await store.refresh(hint.projectId);
        break;
      case 'plan':
        await store.refreshPlan(hint.projectId, hint.file);
        break;
      case 'projects':
        await onProjects();
        break;
      case 'all':
        await Promise.all([store.refreshAll(), onProjects()]);
        break;
    }
  }
}

/** A legacy file and a context file are refreshed by the same call. */
const refreshKey = (hint: Hint): string =>
  hint.kind === 'legacy' ? hintKey({ kind: 'context', projectId: hint.projectId }) : hintKey(hint);
