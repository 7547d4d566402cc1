import type { CatalogState, SessionRef, SessionRow } from '../../contract/entities.ts';
import type { EventPayload } from '../../contract/index.ts';
import type { Entry } from './entries.ts';

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
  /** Rows as they were told or answered last; those that nobody was told of are not there. */
  readonly #told = new Map<string, SessionRow>();
  readonly #touched = new Set<string>();
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

  touch(key: string): void {
    this.#touched.add(key);
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
    const changed: SessionRow[] = [];
    const removed: SessionRef[] = [];
    for (const key of this.#touched) {
      const entry = this.#options.entryOf(key);
      const before = this.#told.get(key);
      const row = entry !== undefined && !entry.isHidden ? entry.row : undefined;
      if (row === before) continue;
      if (row === undefined) {
        this.#told.delete(key);
        if (before !== undefined) removed.push(before.session);
      } else {
        this.#told.set(key, row);
        changed.push(row);
      }
    }
    this.#touched.clear();
    const catalog = this.#options.state();
    const state = JSON.stringify(catalog);
    if (changed.length + removed.length === 0 && state === this.#toldState) return;
    this.#toldState = state;
    this.#sequence++;
    const all = changed.length + removed.length > MOST_NAMED;
    this.#options.tell({
      sequence: this.#sequence,
      changed: all ? [] : changed,
      removed: all ? [] : removed,
      all,
      catalog,
    });
  }

  dispose(): void {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
