import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Failure } from '../contract/errors.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { type ReplaceRequest, type Replacer, replacerOf, type VerifiedReplaced } from './verified-replace.ts';
import { errorOf, type WriteAnswer, type WriteTask } from './write-messages.ts';

export interface WriteThreadsOptions {
  /** The worker's file: the bundle in the packaged program; the source beside this file when left out. */
  workerUrl?: URL;
  /** Told of a thread that died. */
  report: (where: string, error: unknown) => void;
  fileSystem?: FileSystem;
}

/** As many as Node's own pool has for calls to the disk. */
const THREADS = 4;
/** How many replacements a thread takes at a time: one more than it makes keeps it from waiting. */
const BATCH = 1;

interface Pending {
  readonly request: ReplaceRequest;
  readonly resolve: (value: VerifiedReplaced | 'changed') => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** What it is at; empty when it waits for work. */
  pending: readonly Pending[];
  isReady: boolean;
}

/**
 * Threads that make replacements, each with calls that block it: a durable write is ten calls to the system, and on the main
 * thread each would be a trip to a pool and back. Whatever waits when a thread is free goes to it at once and is made step by
 * step side by side, so that the disk's journal takes many in one go. A thread is started when it is needed and used when it
 * is ready; until then, and where threads die, the main thread does the work.
 */
export class WriteThreads implements Replacer {
  readonly #options: WriteThreadsOptions;
  readonly #direct: Replacer;
  readonly #threads: Thread[] = [];
  #waiting: Pending[] = [];
  #mayStart = true;

  constructor(options: WriteThreadsOptions) {
    this.#options = options;
    this.#direct = replacerOf(options.fileSystem ?? nodeFileSystem);
  }

  /** Whether a thread is ready; until then the work is done here. */
  get isWorking(): boolean {
    return this.#threads.some(({ isReady }) => isReady);
  }

  replace(request: ReplaceRequest): Promise<VerifiedReplaced | 'changed'> {
    if (this.#threads.length < THREADS && this.#threads.every(({ pending }) => pending.length > 0)) this.#start();
    if (!this.isWorking) return this.#direct.replace(request);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#dispatch();
    });
  }

  /** Resolves when all that was begun has ended and no thread is left. Later replacements are made without threads. */
  async dispose(): Promise<void> {
    this.#mayStart = false;
    const threads = this.#threads.splice(0);
    await Promise.all(
      threads.map(({ worker }) => {
        const gone = once(worker, 'exit');
        worker.postMessage('end');
        return gone;
      }),
    );
  }

  #dispatch(): void {
    const free = this.#threads.find(({ isReady, pending }) => isReady && pending.length === 0);
    if (free === undefined || this.#waiting.length === 0) return;
    free.pending = this.#waiting.splice(0, BATCH);
    const task: WriteTask = free.pending.map(({ request }) => request);
    free.worker.postMessage(task);
  }

  #start(): void {
    if (!this.#mayStart) return;
    let worker: Worker;
    try {
      worker = new Worker(this.#options.workerUrl ?? new URL('./write-worker.ts', import.meta.url), {
        execArgv: [],
        name: 'sidekeep writer',
      });
    } catch (error) {
      this.#giveUp(error);
      return;
    }
    const thread: Thread = { worker, pending: [], isReady: false };
    this.#threads.push(thread);
    let cause: unknown = null;
    worker.on('message', (answer: WriteAnswer | 'ready') => {
      if (answer === 'ready') {
        thread.isReady = true;
        return;
      }
      const done = thread.pending;
      thread.pending = [];
      this.#dispatch();
      for (const [index, { resolve, reject }] of done.entries()) {
        const outcome = answer[index];
        if (outcome === undefined) reject(interrupted(null));
        else if ('value' in outcome) resolve(outcome.value);
        else reject(errorOf(outcome.error));
      }
    });
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', (code) => {
      const index = this.#threads.indexOf(thread);
      if (index === -1) return;
      this.#threads.splice(index, 1);
      this.#giveUp(cause ?? new Error(`A writing thread ended with code ${code}.`));
      for (const { reject } of thread.pending) reject(interrupted(cause));
      // What waits goes on with the threads that are left, or without.
      if (!this.isWorking) this.#workDirectly();
    });
  }

  #giveUp(cause: unknown): void {
    this.#mayStart = false;
    this.#options.report('a writing thread', cause);
  }

  #workDirectly(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { request, resolve, reject } of waiting) this.#direct.replace(request).then(resolve, reject);
  }
}

function interrupted(cause: unknown): Failure {
  return new Failure(
    'io',
    'The change could not be confirmed: it is saved, or what was saved before is unchanged. Look at what is shown, and try again if it is missing.',
    { detail: { reason: 'interrupted' }, cause },
  );
}
