import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Failure } from '../contract/errors.ts';
import { nodeFileSystem } from './file-system.ts';
import { type ReplaceRequest, type Replacer, replacerOf, type VerifiedReplaced } from './verified-replace.ts';
import { errorOf, type WriteAnswer } from './write-messages.ts';

export interface WriteThreadsOptions {
  /** The worker's file: the bundle in the packaged program; the source beside this file when left out. */
  workerUrl?: URL;
  /** Told of a thread that died. */
  report: (where: string, error: unknown) => void;
}

/** As many as Node's own pool has for calls to the disk. */
const THREADS = 4;

interface Pending {
  readonly request: ReplaceRequest;
  readonly resolve: (value: VerifiedReplaced | 'changed') => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** What it is at; null when it waits for work. */
  pending: Pending | null;
  isReady: boolean;
}

/**
 * Threads that make replacements, each with calls that block it: a durable write is ten calls to the system, and on the main
 * thread each would be a trip to a pool and back. A thread makes one at a time, since in one thread the waits for the disk
 * come one after the other anyway. It is started when it is needed and used when it is ready; until then, and where threads
 * die, the main thread does the work.
 */
export class WriteThreads implements Replacer {
  readonly #options: WriteThreadsOptions;
  readonly #direct: Replacer;
  readonly #threads: Thread[] = [];
  #waiting: Pending[] = [];
  #mayStart = true;

  constructor(options: WriteThreadsOptions) {
    this.#options = options;
    this.#direct = replacerOf(nodeFileSystem);
  }

  /** Whether a thread is ready; until then the work is done here. */
  get isWorking(): boolean {
    return this.#threads.some(({ isReady }) => isReady);
  }

  replace(request: ReplaceRequest): Promise<VerifiedReplaced | 'changed'> {
    if (this.#threads.length < THREADS && this.#threads.every(({ pending }) => pending !== null)) this.#start();
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
    const free = this.#threads.find(({ isReady, pending }) => isReady && pending === null);
    const next = free && this.#waiting.shift();
    if (!next) return;
    free.pending = next;
    free.worker.postMessage(next.request);
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
    const thread: Thread = { worker, pending: null, isReady: false };
    this.#threads.push(thread);
    let cause: unknown = null;
    worker.on('message', (answer: WriteAnswer | 'ready') => {
      if (answer === 'ready') {
        thread.isReady = true;
        return;
      }
      const done = thread.pending;
      thread.pending = null;
      this.#dispatch();
      if ('value' in answer) done?.resolve(answer.value);
      else done?.reject(errorOf(answer.error));
    });
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', (code) => {
      const index = this.#threads.indexOf(thread);
      if (index === -1) return;
      this.#threads.splice(index, 1);
      this.#giveUp(cause ?? new Error(`A writing thread ended with code ${code}.`));
      thread.pending?.reject(interrupted(cause));
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
