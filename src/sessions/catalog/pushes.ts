import type { CatalogState, SessionRef, SessionRow } from '../../contract/entities.ts';
import { sessionKey } from '../../contract/identifiers.ts';
import type { EventPayload } from '../../contract/index.ts';
import { type Entry, sameRow } from './entries.ts';

export type CatalogChange = EventPayload<'sessions.changed'>;

/** Most changed and removed sessions that one push names. */
const MOST_NAMED = 100;
/** How long changes are gathered before they are told, in ms. */
const GATHER = 60;

export interface PushesOptions {
  entryOf: (key: string) => Entry | undefined;
  state: () => CatalogState;
  tell: (change: CatalogChange) => void;
}

/** Tells of what is really different from what was told before, gathered for a moment, with growing numbers. */
export class Pushes {
  readonly #options: PushesOptions;
  /** What changed since the last push, with the rows as they were then; null for what the list did not show. */
  readonly #touched = new Map<string, SessionRow | null>();
  /** Sessions whose rows are told though they are the same. */
  readonly #again = new Set<string>();
  #toldState = '';
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;
  #sequence = 0;

  constructor(options: PushesOptions) {
    this.#options = options;
    this.#toldState = JSON.stringify(options.state());
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** @param before The row that the list showed before. */
  touch(key: string, before: SessionRow | null): void {
    if (!this.#touched.has(key)) this.#touched.set(key, before);
    this.soon();
  }

  /** Tells the row of a session once more: what is known of it besides the row, who has it open above all, changed. */
  again(key: string): void {
    this.#again.add(key);
    this.soon();
  }

  /** The state may have changed. */
  soon(): void {
    if (this.#timer === null && !this.#isOver) this.#timer = setTimeout(() => this.flush(), GATHER);
  }

  /** Tells what there is to tell, now. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isOver) return;
    const all = this.#touched.size > MOST_NAMED;
    const changed: SessionRow[] = [];
    const removed: SessionRef[] = [];
    const later = new Map<string, SessionRow | null>();
    for (const [key, before] of all ? [] : this.#touched) {
      const entry = this.#options.entryOf(key);
      // Its row is told when it is known.
      if (entry?.isGlimpse === true) later.set(key, before);
      const row = entry === undefined || entry.isGlimpse ? null : entry.shown;
      if (row !== null && (before === null || !sameRow(row, before))) changed.push(row);
      if (row === null && before !== null && !later.has(key)) removed.push(before.session);
    }
    this.#touched.clear();
    for (const [key, before] of later) this.#touched.set(key, before);
    if (!all) this.#takeAgain(changed, MOST_NAMED - removed.length);
    // More than one push may name.
    if (this.#again.size > 0) this.soon();
    const catalog = this.#options.state();
    const state = JSON.stringify(catalog);
    if (!all && changed.length + removed.length === 0 && state === this.#toldState) return;
    this.#toldState = state;
    this.#sequence++;
    this.#options.tell({ sequence: this.#sequence, changed, removed, all, catalog });
  }

  /** Adds rows that are told once more, up to so many in all; what there is no room for waits. */
  #takeAgain(changed: SessionRow[], most: number): void {
    const named = new Set(changed.map(({ session }) => sessionKey(session)));
    for (const key of this.#again) {
      if (changed.length >= most) return;
      this.#again.delete(key);
      const row = this.#options.entryOf(key)?.shown ?? null;
      if (row !== null && !named.has(key)) changed.push(row);
    }
  }

  dispose(): void {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
