import { Worker } from 'node:worker_threads';
import type { WatcherStatus } from '../contract/entities.ts';
import type { Hint } from './hints.ts';
import type { SessionHint } from './session-tree.ts';
import type { Health, TreeName, WatchReport, WatchRequest, WatchWorkerData } from './watch-messages.ts';

export type WatcherOptions<Kind = Hint> = {
  /** Absolute path of the root; need not exist. */
  root: string;
  /** The worker's file: the bundle in the packaged program; the source beside this file when left out. */
  workerUrl?: URL;
  /** Gets batches of hints, at most about ten a second. */
  onHints: (hints: Kind[]) => void;
  /** Gets each new status; `sequence` grows by one with each. */
  onStatus?: (status: WatcherStatus) => void;
  /** Gets what belongs in a log. */
  report?: (problem: Error) => void;
  /** Pauses in ms before a worker that died is started again; after the last one it stays stopped. */
  restartPauses?: readonly number[];
};

/** A running watcher. */
export type Watcher = {
  status(): WatcherStatus;
  /** Makes everything be looked at again: after sleep, or when the person asks. Also revives a stopped watcher. */
  rescan(): void;
  /** Resolves when the worker is gone; nothing is called afterwards. */
  dispose(): Promise<void>;
};

const defaultRestartPauses: readonly number[] = [100, 500, 2000, 5000];
/** A worker that lived this long, in ms, died of something new. */
const soundLife = 60_000;
/** How long a worker gets to close its handles, in ms. */
const farewell = 2000;

const sourceWorker = './watch-worker.ts';

/** Starts watching a context root; returns at once. Failures show in the status, never as an exception. */
export const startWatcher = (options: WatcherOptions): Watcher =>
  new WorkerWatcher<Hint>('context', { kind: 'all' }, options);

/** Starts watching a sessions root, as {@link startWatcher} does a context root. */
export const startSessionWatcher = (options: WatcherOptions<SessionHint>): Watcher =>
  new WorkerWatcher<SessionHint>('sessions', { kind: 'all' }, options);

class WorkerWatcher<Kind> implements Watcher {
  readonly #tree: TreeName;
  readonly #all: Kind;
  readonly #options: WatcherOptions<Kind>;
  #worker: Worker | null = null;
  #startedAt = 0;
  #failures = 0;
  #restartTimer: NodeJS.Timeout | null = null;
  #disposing: Promise<void> | null = null;
  #status: WatcherStatus = { sequence: 0, state: 'starting', reason: null };

  constructor(tree: TreeName, all: Kind, options: WatcherOptions<Kind>) {
    this.#tree = tree;
    this.#all = all;
    this.#options = options;
    this.#start();
  }

  status(): WatcherStatus {
    return this.#status;
  }

  rescan(): void {
    if (this.#disposing !== null) return;
    if (this.#worker !== null) {
      this.#send(this.#worker, { type: 'rescan' });
      return;
    }
    this.#options.onHints([this.#all]);
    if (this.#restartTimer !== null) return;
    this.#failures = 0;
    this.#start();
  }

  dispose(): Promise<void> {
    this.#disposing ??= this.#stop();
    return this.#disposing;
  }

  #start(): void {
    this.#restartTimer = null;
    this.#startedAt = performance.now();
    const workerData: WatchWorkerData = { tree: this.#tree, root: this.#options.root };
    let worker: Worker;
    try {
      worker = new Worker(this.#options.workerUrl ?? new URL(sourceWorker, import.meta.url), {
        workerData,
        execArgv: [],
        name: `sidekeep watcher (${this.#tree})`,
      });
    } catch (error) {
      this.#onDeath(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#worker = worker;
    let cause: Error | null = null;
    worker.on('message', (report: WatchReport<Kind>) => {
      if (worker === this.#worker && this.#disposing === null) this.#receive(report);
    });
    worker.on('error', (error) => {
      cause = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', (code) => {
      if (worker !== this.#worker) return;
      this.#worker = null;
      if (this.#disposing === null) this.#onDeath(cause ?? new Error(`The watcher's worker ended with code ${code}.`));
    });
  }

  #receive(report: WatchReport<Kind>): void {
    switch (report.type) {
      case 'hints':
        this.#options.onHints(report.hints);
        break;
      case 'health':
        this.#setHealth(report.health);
        break;
      case 'problem':
        this.#options.report?.(new Error(report.message));
        break;
    }
  }

  /** The new worker gives `all` as its first hint, so what happened in between is not lost. */
  #onDeath(cause: Error): void {
    this.#options.report?.(cause);
    if (performance.now() - this.#startedAt > soundLife) this.#failures = 0;
    const pause = (this.#options.restartPauses ?? defaultRestartPauses)[this.#failures];
    this.#failures += 1;
    if (pause === undefined) {
      this.#setHealth({
        state: 'stopped',
        reason: 'Changes by other programs are not noticed any more. Refresh to try again.',
      });
      return;
    }
    this.#setHealth({ state: 'degraded', reason: 'The watcher stopped and is being started again.' });
    this.#restartTimer = setTimeout(() => this.#start(), pause);
  }

  #setHealth(health: Health): void {
    if (health.state === this.#status.state && health.reason === this.#status.reason) return;
    this.#status = { sequence: this.#status.sequence + 1, ...health };
    this.#options.onStatus?.(this.#status);
  }

  async #stop(): Promise<void> {
    if (this.#restartTimer !== null) clearTimeout(this.#restartTimer);
    const worker = this.#worker;
    if (worker === null) return;
    const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    this.#send(worker, { type: 'dispose' });
    const impatience = setTimeout(() => void worker.terminate(), farewell);
    await gone;
    clearTimeout(impatience);
  }

  #send(worker: Worker, request: WatchRequest): void {
    worker.postMessage(request);
  }
}
