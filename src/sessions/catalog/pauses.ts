/** Pauses before something that failed is tried again, in ms; after the last one it waits for a change. */
export const retryPauses: readonly number[] = [1000, 4000, 15_000, 60_000, 300_000];
/** Nothing that changes all the time is looked at more often than this for that alone, in ms. */
const SHORTEST = 20;

/**
 * When to look again at what could not be read, or what changed in the moment it was looked at: each thing after pauses
 * that grow with every try, one timer for all.
 */
export class Pauses {
  readonly #onDue: (keys: string[]) => void;
  readonly #waiting = new Map<string, { at: number; tries: number }>();
  #timer: NodeJS.Timeout | null = null;

  /** @param onDue Gets what is due now; it stays due until it is dealt with by one of the other calls. */
  constructor(onDue: (keys: string[]) => void) {
    this.#onDue = onDue;
  }

  /** Something failed (again): it is due after the next pause, or never by itself. */
  fail(key: string): void {
    const tries = this.#waiting.get(key)?.tries ?? 0;
    this.#set(key, { at: performance.now() + (retryPauses[tries] ?? Number.POSITIVE_INFINITY), tries: tries + 1 });
  }

  /** Looks again after a while; a failure later on begins with the first pause. */
  later(key: string, wait: number): void {
    this.#set(key, { at: performance.now() + Math.max(SHORTEST, wait), tries: 0 });
  }

  /** It was read, or is gone. */
  clear(key: string): void {
    if (this.#waiting.delete(key)) this.#arm();
  }

  /** Whether it may be tried now: it never failed, or its pause is over. */
  isDue(key: string): boolean {
    const waiting = this.#waiting.get(key);
    return waiting !== undefined && waiting.at <= performance.now();
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #set(key: string, waiting: { at: number; tries: number }): void {
    this.#waiting.set(key, waiting);
    this.#arm();
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.#waiting.values()) next = Math.min(next, at);
    if (next === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#fire(), Math.max(SHORTEST, next - performance.now()));
    // Waiting for a damaged file is no reason to stay.
    this.#timer.unref();
  }

  #fire(): void {
    this.#timer = null;
    const due = [...this.#waiting.keys()].filter((key) => this.isDue(key));
    if (due.length > 0) this.#onDue(due);
    else this.#arm();
  }
}
