export type KeyedWorkOptions<Item> = {
  run: (item: Item) => Promise<void>;
  /** Makes one of two items of a key of which the first still waits; the later one takes its place when left out. */
  join?: (waiting: Item, later: Item) => Item;
  report: (problem: Error) => void;
};

/** How many things are worked on at the same time. */
const concurrency = 4;

/**
 * Works on things, one at a time for each key. What comes during the work on its key leads to more of it afterwards: the
 * work under way may have read before the change.
 */
export class KeyedWork<Item> {
  readonly #options: KeyedWorkOptions<Item>;
  readonly #waiting = new Map<string, Item>();
  readonly #running = new Map<string, Promise<void>>();
  #disposed = false;

  constructor(options: KeyedWorkOptions<Item>) {
    this.#options = options;
  }

  add(items: readonly (readonly [key: string, item: Item])[]): void {
    if (this.#disposed) return;
    for (const [key, item] of items) {
      const waiting = this.#waiting.get(key);
      const { join } = this.#options;
      this.#waiting.set(key, waiting !== undefined && join ? join(waiting, item) : item);
    }
    this.#startWaiting();
  }

  /** Resolves when nothing is under way; what still waits is dropped, and what comes later is ignored. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }

  #startWaiting(): void {
    for (const [key, item] of this.#waiting) {
      if (this.#running.size >= concurrency) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.set(key, this.#run(key, item));
    }
  }

  async #run(key: string, item: Item): Promise<void> {
    try {
      await this.#options.run(item);
    } catch (error) {
      this.#options.report(new Error(`Looking again at ${key} failed.`, { cause: error }));
    }
    this.#running.delete(key);
    this.#startWaiting();
  }
}
