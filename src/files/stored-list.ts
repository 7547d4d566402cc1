import { differingRange } from '../contract/differing-range.ts';
import { isRecord, type JsonObject, withKeys } from './json.ts';
import { type EntryProblem, type EntryReading, storedId } from './stored-entry.ts';
import { revisionOf } from './text.ts';

/** What is not quite right in a list, at a place of it; see `HealthItem`. */
export interface ListProblem {
  readonly position: number;
  readonly problem: EntryProblem | 'duplicate-id';
}

/** A stored entry that can be shown. */
export interface Stored<View> {
  /** Where it stands in the stored list. */
  readonly position: number;
  readonly raw: JsonObject;
  readonly view: View;
}

/** A list of a stored file: what is stored, and what of it can be shown. */
export interface StoredList<View> {
  /** The list as stored, odd entries included. */
  readonly raw: readonly unknown[];
  /** In stored order. Every id is there once. */
  readonly entries: readonly Stored<View>[];
  readonly health: readonly ListProblem[];
}

/**
 * Reads a stored list entry by entry; one bad entry never hides the others. Ids come out unique, and the same at every
 * read: an exact copy of an entry with the same id is not shown, an entry that differs, or has no id, gets one made from
 * its content.
 *
 * @param kind What an entry is: the beginning of such an id.
 */
export function readList<View extends { id: string }>(
  kind: string,
  raw: readonly unknown[],
  read: (raw: unknown) => EntryReading<View>,
): StoredList<View> {
  const entries: Stored<View>[] = [];
  const health: ListProblem[] = [];
  // Only of ids that are there more than once is the content compared.
  const seen = new Map<string, JsonObject | Set<string>>();
  const readings = raw.map(read);
  let ids: FreeIds | null = null;
  for (let position = 0; position < raw.length; position++) {
    const reading = readings[position] as EntryReading<View>;
    const entry = raw[position];
    for (const problem of reading.problems) health.push({ position, problem });
    if (reading.view === null || !isRecord(entry)) continue;
    let { view } = reading;
    const earlier = view.id === '' ? undefined : seen.get(view.id);
    if (earlier) {
      health.push({ position, problem: 'duplicate-id' });
      const content = contentOf(entry);
      const known = earlier instanceof Set ? earlier : new Set([contentOf(earlier)]);
      seen.set(view.id, known);
      if (known.has(content)) continue;
      known.add(content);
    } else if (view.id !== '') {
      seen.set(view.id, entry);
    }
    if (earlier || view.id === '') {
      ids ??= new FreeIds(readings.map((one) => one.view?.id ?? ''));
      view = { ...view, id: ids.take(`${kind}_${revisionOf(contentOf(entry))}`) };
    }
    entries.push({ position, raw: entry, view });
  }
  return { raw, entries, health };
}

/** How many entries may differ from the list before for {@link readChangedList} to be worth it. */
const FEW = 8;

/**
 * Reads a list that differs in a few places from one that was read, and whose every entry is shown with its own id.
 *
 * @returns What {@link readList} would; null where the whole has to be read.
 */
export function readChangedList<View extends { id: string }>(
  before: StoredList<View>,
  raw: readonly unknown[],
  read: (raw: unknown) => EntryReading<View>,
): StoredList<View> | null {
  if (!isPlain(before)) return null;
  const { start, beforeEnd, afterEnd } = differingRange(before.raw, raw);
  if (afterEnd - start > FEW) return null;
  const ahead = before.entries.slice(0, start);
  const moved = afterEnd - beforeEnd;
  const behind = before.entries.slice(beforeEnd);
  const entries = [...ahead];
  for (let position = start; position < afterEnd; position++) {
    const entry = raw[position];
    const { view, problems } = read(entry);
    if (view === null || !isRecord(entry) || problems.length > 0) return null;
    if (entries.some((one) => one.view.id === view.id) || behind.some((one) => one.view.id === view.id)) return null;
    entries.push({ position, raw: entry, view });
  }
  for (const entry of behind) entries.push(moved === 0 ? entry : { ...entry, position: entry.position + moved });
  return { raw, entries, health: [] };
}

/** Whether every entry is shown, with the id that it is stored with. */
const isPlain = ({ raw, entries, health }: StoredList<unknown>): boolean =>
  health.length === 0 && entries.length === raw.length;

/**
 * The stored list ready to be changed: exact copies are gone and every entry carries the id that it is shown with, so that
 * a change of one entry moves no other. Odd entries stay where they are.
 */
export interface WritableList {
  readonly raw: unknown[];
  /** For each shown entry where it now stands. */
  readonly positions: ReadonlyMap<string, number>;
  /** The same for one. */
  placeOf(id: string): number | undefined;
}

/** A copy of a list that can be changed. */
export function writableList<View extends { id: string }>(list: StoredList<View>): WritableList {
  if (!isPlain(list)) return withShownIds(list);
  const { entries } = list;
  return {
    raw: list.raw.slice(),
    get positions() {
      return new Map(entries.map(({ view, position }) => [view.id, position]));
    },
    placeOf: (id) => entries.find(({ view }) => view.id === id)?.position,
  };
}

function withShownIds<View extends { id: string }>(list: StoredList<View>): WritableList {
  const copies = copiesIn(list);
  const raw: unknown[] = [];
  const positions = new Map<string, number>();
  let next = 0;
  for (let position = 0; position < list.raw.length; position++) {
    const stored = list.entries[next];
    if (stored?.position === position) {
      next++;
      positions.set(stored.view.id, raw.length);
      raw.push(withShownId(stored));
    } else if (!copies.has(position)) {
      raw.push(list.raw[position]);
    }
  }
  return { raw, positions, placeOf: (id) => positions.get(id) };
}

/** Where the exact copies stand that are not shown. */
function copiesIn<View>(list: StoredList<View>): ReadonlySet<number> {
  const copies = new Set<number>();
  for (const { problem, position } of list.health) {
    if (problem === 'duplicate-id') copies.add(position);
  }
  return copies;
}

const contents = new WeakMap<JsonObject, string>();

function contentOf(entry: JsonObject): string {
  const content = contents.get(entry) ?? JSON.stringify(entry);
  contents.set(entry, content);
  return content;
}

function withShownId<View extends { id: string }>({ raw, view }: Stored<View>): JsonObject {
  return storedId(raw) === view.id ? raw : withKeys(raw, { id: view.id });
}

/** Ids that nothing in a list has yet. */
class FreeIds {
  readonly #taken: Set<string>;
  /** The last suffix of each wanted id, so that many equal entries do not each try all of them. */
  readonly #suffixes = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** The wanted id, or with `-1`, `-2` … behind it. */
  take(wanted: string): string {
    let suffix = this.#suffixes.get(wanted) ?? 0;
    let id = suffix === 0 ? wanted : `${wanted}-${suffix}`;
    while (this.#taken.has(id)) id = `${wanted}-${++suffix}`;
    this.#suffixes.set(wanted, suffix);
    this.#taken.add(id);
    return id;
  }
}
