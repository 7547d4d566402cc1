import { cancelled } from './lines.ts';

/** A promise that is not waited for any more when a signal is aborted. */
export async function unless<Value>(signal: AbortSignal | undefined, promise: Promise<Value>): Promise<Value> {
  if (signal === undefined) return promise;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(cancelled());
  });
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** After work that failed the next try waits, in ms, ever longer. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** Keeps work that fails from being tried again without pause. */
export class GrowingPause {
  #error: unknown = null;
  #until = 0;
  #length = 0;

  /** Why the last try failed; null when none is to be waited for. */
  get reason(): unknown {
    return performance.now() < this.#until ? this.#error : null;
  }

  failed(error: unknown): void {
    this.#error = error;
    this.#length = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#length * 2));
    this.#until = performance.now() + this.#length;
  }

  succeeded(): void {
    this.#length = 0;
    this.#until = 0;
  }
}
