import { Worker } from 'node:worker_threads';
import type { FileSystem } from '../../files/index.ts';
import { type BuiltIndex, buildIndex, type PreviousIndex } from './index-builder.ts';
import { readIndex, writeIndex } from './index-file.ts';
import type { TranscriptFormat } from './index-head.ts';
import type { IndexReport, IndexWorkerData } from './index-messages.ts';
import { cancelled } from './lines.ts';
import { persistable, received, revived } from './persist.ts';

export interface IndexBuildsOptions {
  readonly fileSystem: FileSystem;
  /** The worker's file: the bundle in the packaged program; the source beside this file when left out. Null: no worker. */
  readonly workerUrl?: URL | null;
  /** Gets what belongs in a log. */
  readonly report?: (problem: Error) => void;
}

export interface BuildRequest {
  readonly path: string;
  readonly format: TranscriptFormat;
  readonly indexPath: string | null;
  readonly previous: PreviousIndex | null;
}

const sourceWorker = './index-worker.ts';
/** How long a worker gets to leave nothing half written, in ms. */
const FAREWELL_MS = 2000;
/** Progress is told at most this often. */
const PROGRESS_MS = 200;

/** Makes indexes of large transcripts, one after another, each in a worker of its own. */
export class IndexBuilds {
  readonly #options: IndexBuildsOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: IndexBuildsOptions) {
    this.#options = options;
  }

  /**
   * Makes an index when those before it are made.
   *
   * @throws Failure `cancelled` when the signal was aborted, and what reading threw.
   */
  run(
    request: BuildRequest,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<BuiltIndex> {
    let told = 0;
    const tell = (done: number, total: number): void => {
      if (performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      onProgress(done, total);
    };
    const build = this.#last.then(() => this.#build(request, signal, tell));
    this.#last = build.catch(() => undefined);
    return build;
  }

  async #build(
    request: BuildRequest,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<BuiltIndex> {
    if (signal.aborted) throw cancelled();
    const { fileSystem, workerUrl = new URL(sourceWorker, import.meta.url) } = this.#options;
    if (workerUrl !== null) {
      const built = await inWorker(workerUrl, request, signal, onProgress);
      if (built === 'written') {
        const index = request.indexPath === null ? null : await readIndex(fileSystem, request.indexPath);
        if (index !== null) return revived(index);
      } else if (!(built instanceof Error)) return built;
      // A worker that cannot run must not keep a session from being read: it is gone through here, with pauses.
      else this.#options.report?.(built);
    }
    const { path, format, previous, indexPath } = request;
    const index = await buildIndex(fileSystem, path, format, null, previous, { signal, onProgress });
    const written = indexPath === null ? null : await writeIndex(fileSystem, indexPath, persistable(index));
    return written === null ? index : revived(written);
  }
}

/** @returns An error when the worker itself failed. */
function inWorker(
  url: URL,
  request: BuildRequest,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<BuiltIndex | 'written' | Error> {
  return new Promise((resolve, reject) => {
    const data: IndexWorkerData = request;
    let worker: Worker;
    try {
      worker = new Worker(url, { workerData: data, execArgv: [], name: 'sidekeep transcript index' });
    } catch (error) {
      resolve(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    let answer: BuiltIndex | 'written' | Error = new Error('The worker ended without an answer.');
    let impatience: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      worker.postMessage('stop');
      impatience = setTimeout(() => void worker.terminate(), FAREWELL_MS);
    };
    signal.addEventListener('abort', onAbort);
    worker.on('message', (report: IndexReport) => {
      if (report.type === 'progress') onProgress(report.done, report.total);
      else if (report.type === 'written') answer = 'written';
      else if (report.type === 'built') answer = received(report.head, report.blocks);
      else answer = new Error(report.message);
    });
    worker.on('error', (error) => {
      answer = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', () => {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(impatience);
      if (signal.aborted) reject(cancelled());
      else resolve(answer);
    });
  });
}
