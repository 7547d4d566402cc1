import { isSameTyping, type Query } from './find-query.ts';

/** Longest time between two keys that are typed behind one another, in ms. */
const KEY_MS = 1000;
/** For how long, in ms, a look at the files serves such keys. */
const LOOK_MS = 10_000;

/** Which searches of one owner look at its plan files, and which rely on the look of the key before. */
export class Looks {
  readonly #now: () => number;
  /** The last search that saw all files: when, for what, and when it or the one that it relied on looked at them. */
  #last: { at: number; query: Query; lookedAt: number } | null = null;
  #changes = 0;

  /** @param now Time in ms since any moment; never goes back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Begins a search. A query that is the last one with something typed behind it, or taken away there, relies on its look:
   * to look at a thousand files takes longer than a key may. `end` is to be called when all files were seen.
   */
  begin(query: Query): { relies: boolean; end: () => void } {
    const at = this.#now();
    const last = this.#last;
    const changes = this.#changes;
    const isTyping = last !== null && at - last.at < KEY_MS && isSameTyping(query, last.query);
    const relies = isTyping && at - last.lookedAt < LOOK_MS;
    const end = (): void => {
      if (this.#changes === changes) this.#last = { at, query, lookedAt: relies ? last.lookedAt : at };
    };
    return { relies, end };
  }

  /** Says that files were changed: the next search looks at them. */
  changed(): void {
    this.#changes++;
    this.#last = null;
  }
}
