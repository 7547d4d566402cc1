import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../contract/errors.ts';

/** How long a search works at a stretch, in ms. */
const STRETCH_MS = 6;

/** Lets everything else of this process run between two stretches of work, and ends the work when it is cancelled. */
export class Pace {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();
  #pause: Promise<void> | null = null;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** @throws Failure `cancelled` when the signal was aborted. */
  check(): void {
    if (this.#signal?.aborted) throw new Failure('cancelled', 'The search was stopped. Nothing was changed.');
  }

  /** Whether {@link pause} would wait. */
  get isDue(): boolean {
    return performance.now() - this.#since > STRETCH_MS;
  }

  /**
   * Waits when it is time to. Jobs that run side by side share a stretch: of those that wait together only the first go
   * on in the next one.
   *
   * @throws Failure `cancelled` when the signal was aborted.
   */
  async pause(): Promise<void> {
    this.check();
    while (this.isDue) {
      this.#pause ??= nextTurn().then(() => {
        this.#since = performance.now();
        this.#pause = null;
      });
      await this.#pause;
      this.check();
    }
  }
}
