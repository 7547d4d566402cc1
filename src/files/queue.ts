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

/** A job that waits to be taken into a write with others. */
interface Refusable {
  reject: (error: unknown) => void;
}

/**
 * The jobs that wait for the next write of their key. The first to wait brings the write; whatever comes before that
 * begins goes out in it.
 */
export class GatheringQueue<Job extends Refusable> {
  readonly #write: (key: string, take: () => Job[]) => Promise<void>;
  readonly #waiting = new Map<string, Job[]>();

  /** @param write Calls `take` once for what waits, and settles each of them; what it rejects with goes to the rest. */
  constructor(write: (key: string, take: () => Job[]) => Promise<void>) {
    this.#write = write;
  }

  /** Whether a job of this key waits for its write. */
  isWaiting(key: string): boolean {
    return this.#waiting.has(key);
  }

  add(key: string, job: Job): void {
    const batch = this.#waiting.get(key);
    if (batch) batch.push(job);
    else {
      this.#waiting.set(key, [job]);
      void this.#begin(key);
    }
  }

  async #begin(key: string): Promise<void> {
    const take = (): Job[] => {
      const batch = this.#waiting.get(key) ?? [];
      this.#waiting.delete(key);
      return batch;
    };
    try {
      await this.#write(key, take);
    } catch (error) {
      for (const { reject } of take()) reject(error);
    }
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
