import type { CountRequest } from './count-file.ts';
import type { Counter } from './counter.ts';
import type { Gist } from './first-look.ts';

/** A conversation that waits to be counted. */
export interface Job<Of> {
  readonly key: string;
  /** What the caller knew of it. */
  readonly of: Of;
  readonly request: CountRequest;
  /** The newest is counted first. */
  readonly lastActivity: number;
}

export interface BackgroundOptions<Of> {
  counter: Counter;
  /** Gets what was counted, or why that failed. */
  onCounted: (job: Job<Of>, outcome: Gist | Error) => void;
  onProgress: () => void;
}

/** A conversation that changes all the time is counted again after this at the earliest, in ms, … */
const SHORTEST_PAUSE = 2000;
/** … or after this many times what counting it took. */
const PAUSE_FACTOR = 5;

/** Counts conversations behind the scenes, one at a time, the newest first. */
export class Background<Of> {
  readonly #options: BackgroundOptions<Of>;
  readonly #waiting = new Map<string, Job<Of>>();
  /** When a conversation that was counted may be counted again, on the monotonic clock. */
  readonly #notBefore = new Map<string, number>();
  readonly #end = new AbortController();
  #running: Job<Of> | null = null;
  #work: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #done = 0;

  constructor(options: BackgroundOptions<Of>) {
    this.#options = options;
  }

  /** How far it is; null when there is nothing to do. */
  get progress(): { done: number; total: number } | null {
    const left = this.#ready().length + (this.#running === null ? 0 : 1);
    return left === 0 ? null : { done: this.#done, total: this.#done + left };
  }

  /** Wants a conversation counted as it is now; an earlier wish for it is forgotten. */
  want(job: Job<Of>): void {
    const isWanted = [this.#running, this.#waiting.get(job.key)].some(
      (one) => one?.key === job.key && one.of === job.of,
    );
    if (isWanted || this.#end.signal.aborted) return;
    this.#waiting.set(job.key, job);
    this.#options.onProgress();
    this.#go();
  }

  forget(key: string): void {
    if (this.#waiting.delete(key)) this.#options.onProgress();
  }

  async dispose(): Promise<void> {
    this.#waiting.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#end.abort();
    await this.#work;
    await this.#options.counter.dispose();
  }

  #go(): void {
    this.#work ??= this.#run();
  }

  async #run(): Promise<void> {
    // What is wanted in this turn is sorted together.
    await Promise.resolve();
    for (let jobs = this.#ready(); jobs.length > 0; jobs = this.#ready()) {
      for (const { key } of jobs) {
        if (this.#end.signal.aborted) break;
        // Gone, or wanted again as it is now.
        const job = this.#waiting.get(key);
        if (job !== undefined) await this.#count(job);
      }
    }
    // In one go with the last look at what waits: what is wanted from now on starts it again.
    this.#work = null;
    this.#done = 0;
    const now = performance.now();
    for (const [key, at] of this.#notBefore) if (at <= now) this.#notBefore.delete(key);
    this.#options.onProgress();
    if (this.#waiting.size > 0) this.#wait();
  }

  #ready(): Job<Of>[] {
    const now = performance.now();
    return [...this.#waiting.values()]
      .filter(({ key }) => (this.#notBefore.get(key) ?? 0) <= now)
      .sort((left, right) => right.lastActivity - left.lastActivity);
  }

  #wait(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const next = Math.min(...[...this.#waiting.keys()].map((key) => this.#notBefore.get(key) ?? 0));
    this.#timer = setTimeout(() => this.#go(), Math.max(10, next - performance.now()));
    this.#timer.unref();
  }

  async #count(job: Job<Of>): Promise<void> {
    this.#waiting.delete(job.key);
    this.#running = job;
    const began = performance.now();
    let outcome: Gist | Error;
    try {
      outcome = await this.#options.counter.count(job.request, this.#end.signal);
    } catch (error) {
      outcome = error instanceof Error ? error : new Error(String(error));
    }
    const ended = performance.now();
    this.#running = null;
    this.#done++;
    this.#notBefore.set(job.key, ended + Math.max(SHORTEST_PAUSE, PAUSE_FACTOR * (ended - began)));
    if (this.#end.signal.aborted) return;
    this.#options.onCounted(job, outcome);
    this.#options.onProgress();
  }
}
