import { isSameTyping, type Query } from './find-query.ts';

/** For how long, in ms, a look at the files serves the keys that are typed behind one another. */
const LOOK_MS = 1000;

/** Which searches of one owner look at its files, and which rely on the look of the key before. */
export class Looks {
  /** The last search that saw all files: when it looked at them, and for what. */
  #last: { at: number; query: Query } | null = null;
  #changes = 0;

  /**
   * Begins a search: one whose query is the last one with something typed behind it, or taken away there, relies on a look
   * of less than a second ago. `end` is to be called when all files were seen.
   */
  begin(query: Query): { relies: boolean; end: () => void } {
    const now = performance.now();
    const last = this.#last;
    const changes = this.#changes;
    const relies = last !== null && now - last.at < LOOK_MS && isSameTyping(query, last.query);
    const end = (): void => {
      if (this.#changes === changes) this.#last = { at: relies ? last.at : now, query };
    };
    return { relies, end };
  }

  /** Says that files were changed: the next search looks at them. */
  changed(): void {
    this.#changes++;
    this.#last = null;
  }
}
