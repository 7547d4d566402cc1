/**
 * One job at a time for each key, in the order of arrival; jobs of different keys run side by side. A job that fails does
 * not stop the next.
 *
 * Jobs of one key are handed over as functions, so that several of them can later be taken together into one write.
 */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs a job when all earlier jobs of this key have ended; settles as the job does. */
  run<Value>(key: string, job: () => Promise<Value>): Promise<Value> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(job);
    const tail: Promise<void> = result.then(
      () => this.#end(key, tail),
      () => this.#end(key, tail),
    );
    this.#tails.set(key, tail);
    return result;
  }

  /** Resolves when no job is left, those that come in meanwhile included. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }

  #end(key: string, tail: Promise<void>): void {
    if (this.#tails.get(key) === tail) this.#tails.delete(key);
  }
}

/** Maps every item with at most `limit` running at once; the first error is thrown after those running have ended. */
export async function mapBounded<Item, Value>(
  items: readonly Item[],
  limit: number,
  map: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const values = new Array<Value>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      values[index] = await map(items[index] as Item);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return values;
}
