import { fold } from '../../context/find-text.ts';
import type { ProjectId, SessionRow } from '../../contract/entities.ts';
import { type Cursor, listName, readCursor, writeCursor } from './cursor.ts';
import type { Entry } from './entries.ts';

export interface PageInput {
  /** Null: of all owners. */
  ownerId: ProjectId | null;
  query?: string | undefined;
  cursor?: string | null | undefined;
  limit?: number | undefined;
}

export interface Page {
  rows: SessionRow[];
  cursor: string | null;
  total: number;
}

const DEFAULT_LIMIT = 50;
/** How many orders are kept for those who are in the middle of one. */
const KEPT_ORDERS = 12;

/**
 * Pages of the list. Whoever goes on gets the order in which he began, without what is gone: each session that was there
 * then once, whatever moves meanwhile; what came since the pushes tell. The rows themselves are always the newest. An order
 * that was forgotten is gone on with by the place of the last row in the newest.
 */
export class Pages {
  readonly #orders = new Map<string, readonly Entry[]>();
  /** No order of another run has this name. */
  readonly #name = Math.random().toString(36).slice(2);
  #made = 0;
  #newest: { name: string; order: readonly Entry[] } | null = null;
  #total: { list: string; order: readonly Entry[]; version: number; total: number } | null = null;

  /**
   * @param order The list as it is now.
   * @param version Grows whenever a row changes.
   * @throws Failure `conflict` for a cursor of another list.
   */
  page(
    { ownerId, query = '', cursor = null, limit = DEFAULT_LIMIT }: PageInput,
    order: readonly Entry[],
    version: number,
  ): Page {
    const words = wordsOf(query);
    const list = listName(ownerId, words.join(' '));
    const { name, entries, from } = cursor === null ? this.#begin(order) : this.#goOn(readCursor(list, cursor), order);
    const matches = (entry: Entry): boolean =>
      entry.isThere && !entry.isHidden && (ownerId === null || entry.ownerId === ownerId) && hasWords(entry, words);
    const found: { entry: Entry; index: number }[] = [];
    for (let index = from; index < entries.length && found.length <= limit; index++) {
      const entry = entries[index];
      if (entry !== undefined && matches(entry)) found.push({ entry, index });
    }
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    if (last !== undefined) this.#keep(name, entries);
    return {
      rows: shown.map(({ entry }) => entry.row),
      cursor: last === undefined ? null : writeCursor(list, { order: name, index: last.index }, last.entry),
      total: this.#count(list, order, version, matches),
    };
  }

  #begin(order: readonly Entry[]): { name: string; entries: readonly Entry[]; from: number } {
    if (this.#newest?.order !== order) this.#newest = { name: `${this.#name}-${(this.#made++).toString(36)}`, order };
    return { name: this.#newest.name, entries: order, from: 0 };
  }

  #goOn(cursor: Cursor, order: readonly Entry[]): { name: string; entries: readonly Entry[]; from: number } {
    const kept = this.#orders.get(cursor.order);
    if (kept !== undefined) return { name: cursor.order, entries: kept, from: cursor.index + 1 };
    const place = order.findIndex((entry) => isBehind(entry, cursor));
    return { ...this.#begin(order), from: place < 0 ? order.length : place };
  }

  #keep(name: string, entries: readonly Entry[]): void {
    this.#orders.delete(name);
    this.#orders.set(name, entries);
    for (const oldest of this.#orders.keys()) {
      if (this.#orders.size <= KEPT_ORDERS) break;
      this.#orders.delete(oldest);
    }
  }

  #count(list: string, order: readonly Entry[], version: number, matches: (entry: Entry) => boolean): number {
    const known = this.#total;
    if (known?.list === list && known.order === order && known.version === version) return known.total;
    let total = 0;
    for (const entry of order) if (matches(entry)) total++;
    this.#total = { list, order, version, total };
    return total;
  }
}

function isBehind({ isPinned, lastActivity, key }: Entry, cursor: Cursor): boolean {
  if (isPinned !== cursor.pinned) return cursor.pinned;
  return lastActivity === cursor.lastActivity ? key > cursor.key : lastActivity < cursor.lastActivity;
}

const wordsOf = (query: string): string[] =>
  fold(query)
    .folded.split(/\s+/)
    .filter((word) => word !== '');

function hasWords(entry: Entry, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  entry.folded ??= fold(`${entry.row.title}\n${entry.row.preview ?? ''}`).folded;
  const { folded } = entry;
  return words.every((word) => folded.includes(word));
}
