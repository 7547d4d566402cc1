import type { Clock } from '../../src/watch/hint-queue.ts';

/** A clock that stands still until told to go on. */
export class FakeClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ at: number; callback: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delay: number, callback: () => void): () => void {
    const timer = { at: this.#now + delay, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  goTo(time: number): void {
    for (;;) {
      const next = [...this.#timers].sort((left, right) => left.at - right.at)[0];
      if (next === undefined || next.at > time) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.callback();
    }
    this.#now = time;
  }

  get waiting(): number {
    return this.#timers.size;
  }
}
