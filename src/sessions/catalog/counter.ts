import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FileSystem } from '../../files/index.ts';
import type { WorkerReport, WorkerRequest } from './catalog-worker.ts';
import { type CountRequest, countConversation } from './count-file.ts';
import type { Gist } from './first-look.ts';

/** Counts conversations, one at a time. */
export interface Counter {
  /** @throws An error, of the system where it has a `code`. */
  count(request: CountRequest, signal: AbortSignal): Promise<Gist>;
  dispose(): Promise<void>;
}

/** Counts in this thread, over any file system. */
export const localCounter = (fileSystem: FileSystem, now: () => number): Counter => ({
  count: (request, signal) =>
    countConversation(fileSystem, request, {
      now,
      signal,
      pause: async () => {
        await turn();
      },
    }),
  dispose: async () => {},
});

const sourceWorker = './catalog-worker.ts';
/** A worker with nothing to do leaves after this, in ms: it takes memory. */
const IDLE = 5000;
/** How long a worker gets to leave by itself, in ms. */
const FAREWELL = 2000;
/** Memory for one conversation, in MiB: a line of 16 MiB, parsed, and the graph of a log. */
const MEMORY = 512;

/** Counts in a worker thread, which is there only while there is something to count. */
export class WorkerCounter implements Counter {
  readonly #url: URL;
  #worker: Worker | null = null;
  #waiting: { job: number; resolve: (gist: Gist) => void; reject: (error: Error) => void } | null = null;
  #jobs = 0;
  #idle: NodeJS.Timeout | null = null;
  #leaving: Promise<void> = Promise.resolve();

  /** @param url The worker's file: the bundle in the packaged program; the source beside this file when left out. */
  constructor(url: URL = new URL(sourceWorker, import.meta.url)) {
    this.#url = url;
  }

  count(request: CountRequest, signal: AbortSignal): Promise<Gist> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    return new Promise((resolve, reject) => {
      const job = ++this.#jobs;
      this.#waiting = { job, resolve, reject };
      signal.addEventListener('abort', () => this.#settle(job, (waiting) => waiting.reject(new Error('given up'))), {
        once: true,
      });
      try {
        this.#worker ??= this.#start();
        const message: WorkerRequest = { type: 'count', job, request };
        this.#worker.postMessage(message);
      } catch (error) {
        this.#settle(job, (waiting) => waiting.reject(error instanceof Error ? error : new Error(String(error))));
      }
    });
  }

  async dispose(): Promise<void> {
    this.#leave();
    await this.#leaving;
  }

  #start(): Worker {
    const worker = new Worker(this.#url, {
      execArgv: [],
      name: 'sidekeep sessions',
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    });
    let cause: Error | null = null;
    worker.on('message', (report: WorkerReport) => {
      this.#settle(report.job, (waiting) => {
        if ('gist' in report) waiting.resolve(report.gist);
        else {
          const { message, code } = report.failure;
          waiting.reject(Object.assign(new Error(message), code === null ? {} : { code }));
        }
      });
    });
    worker.on('error', (error) => {
      cause = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', (code) => {
      if (worker !== this.#worker) return;
      this.#worker = null;
      this.#settle(this.#waiting?.job, (waiting) =>
        waiting.reject(cause ?? new Error(`The worker of the sessions ended with code ${code}.`)),
      );
    });
    return worker;
  }

  #settle(
    job: number | undefined,
    how: (waiting: { resolve: (gist: Gist) => void; reject: (error: Error) => void }) => void,
  ): void {
    const waiting = this.#waiting;
    if (waiting === null || waiting.job !== job) return;
    this.#waiting = null;
    if (this.#worker !== null) {
      this.#idle = setTimeout(() => this.#leave(), IDLE);
      this.#idle.unref();
    }
    how(waiting);
  }

  #leave(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    const worker = this.#worker;
    if (worker === null) return;
    this.#worker = null;
    const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const message: WorkerRequest = { type: 'dispose' };
    worker.postMessage(message);
    const impatience = setTimeout(() => void worker.terminate(), FAREWELL);
    const before = this.#leaving;
    this.#leaving = Promise.all([before, gone]).then(() => clearTimeout(impatience));
  }
}
