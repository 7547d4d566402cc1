import { limits, type Note, type Todo } from '../contract/entities.ts';
import { type JsonObject, own, withKeys } from '../files/json.ts';
import { type EntryReading, entryRevision } from '../files/stored-entry.ts';
import { type StoredList, writableList } from '../files/stored-list.ts';
import { type Change, fullList } from './change.ts';
import { type ContextDocument, writtenDocument } from './document.ts';
import { readNote, readTodo } from './entries.ts';
import { idOf, type RemovedEntry, type RemovedItem } from './trash-item.ts';

/** Brings a deleted note back, whole, to its place; one that is there as it was stays as it is. */
export function restoreNote(document: ContextDocument, item: RemovedItem): Change<{ note: Note }> {
  const { list, entries } = putBack('note', document.notes, item.entries, limits.notes);
  const raw = list === null ? null : writtenDocument(document, { notes: list });
  return { raw, result: { note: shown(readNote(entries[0])) } };
}

/** Brings deleted todos back together, each to its place; those that were beside each other are so again. */
export function restoreTodos(document: ContextDocument, item: RemovedItem): Change<{ todos: Todo[] }> {
  const { list, entries } = putBack('todo', document.todos, item.entries, limits.todos);
  const raw = list === null ? null : writtenDocument(document, { todos: list });
  return { raw, result: { todos: entries.map((entry) => shown(readTodo(entry))) } };
}

/**
 * Brings the link of a deleted plan back.
 *
 * @param file Name of its file, which may be another one than it was.
 * @returns Its id, and the file that is named by the link with that id.
 */
export function restorePlanLink(
  document: ContextDocument,
  item: RemovedItem,
  file: string,
): Change<{ id: string; file: string }> {
  const links = item.entries.map((entry) => ({ ...entry, raw: withFile(entry.raw, item.file, file) }));
  const { list, entries } = putBack('plan', document.plans, links, limits.plans);
  const [link] = entries;
  if (link === undefined) throw new Error('an item of the trash holds an entry');
  const raw = list === null ? null : writtenDocument(document, { plans: list });
  return { raw, result: { id: idOf(link), file } };
}

/** Whether an entry that is there holds all that a deleted one held; another program may have added keys of its own. */
export function holdsAll(present: JsonObject, deleted: JsonObject): boolean {
  return Object.entries(deleted).every(
    ([key, value]) => key === 'id' || JSON.stringify(own(present, key)) === JSON.stringify(value),
  );
}

/** A blank around the name, as another program stored it, stays where the name does. */
const withFile = (raw: JsonObject, before: string | undefined, file: string): JsonObject =>
  before === file ? raw : withKeys(raw, { file });

/**
 * Puts entries back into a list: those that are there already as they were stay; where another entry has the id by now, it
 * comes back under an id made from its content, the same each time.
 *
 * @returns The list to write, null when all were there; and the entries as they stand in it.
 */
function putBack<View extends { id: string }>(
  kind: 'note' | 'todo' | 'plan',
  stored: StoredList<View>,
  removed: readonly RemovedEntry[],
  limit: number,
): { list: unknown[] | null; entries: JsonObject[] } {
  const places = new Places(writableList(stored));
  const renamed = new Map<string, string>();
  const behind = new Map(removed.map((entry) => [idOf(entry.raw), entry.before]));
  const entries: JsonObject[] = [];
  let added = 0;
  for (const entry of [...removed].sort((left, right) => left.index - right.index)) {
    const wanted = idOf(entry.raw);
    const { id, present } = places.idFor(wanted, `${kind}_${entryRevision(entry.raw)}`, entry.raw);
    if (id !== wanted) renamed.set(wanted, id);
    const raw = id === wanted ? entry.raw : withKeys(entry.raw, { id });
    entries.push(present ?? raw);
    if (present !== null) continue;
    const after = entry.after === null ? null : (renamed.get(entry.after) ?? entry.after);
    places.insert(id, raw, { index: entry.index, after, before: nextPresent(entry.before, behind, places) });
    added++;
  }
  if (added > 0 && stored.entries.length + added > limit) throw fullList(`${kind}s`, limit);
  return { list: added > 0 ? places.list : null, entries };
}

/**
 * The entry that a removed one stood before; where that was removed with it and is not back yet, the one behind that, and
 * so on.
 *
 * @param behind What stood behind each entry that was removed.
 */
function nextPresent(before: string | null, behind: ReadonlyMap<string, string | null>, places: Places): string | null {
  const seen = new Set<string>();
  let next = before;
  while (next !== null && !places.has(next) && !seen.has(next)) {
    seen.add(next);
    next = behind.get(next) ?? null;
  }
  return next;
}

/** A list that is being changed, and which of its places hold a shown entry. */
class Places {
  readonly list: unknown[];
  /** For each place the id that is shown there; null for an odd entry. */
  readonly #ids: (string | null)[];

  constructor({ raw, positions }: { raw: unknown[]; positions: ReadonlyMap<string, number> }) {
    this.list = raw;
    this.#ids = raw.map(() => null);
    for (const [id, position] of positions) this.#ids[position] = id;
  }

  has(id: string): boolean {
    return this.#ids.includes(id);
  }

  /** The id under which an entry comes back, and the entry that stands there already because it holds the same. */
  idFor(wanted: string, otherwise: string, raw: JsonObject): { id: string; present: JsonObject | null } {
    for (let attempt = 0; ; attempt++) {
      const id = attempt === 0 ? wanted : attempt === 1 ? otherwise : `${otherwise}-${attempt - 1}`;
      const place = this.#ids.indexOf(id);
      if (place < 0) return { id, present: null };
      const present = this.list[place] as JsonObject;
      if (holdsAll(present, raw)) return { id, present };
    }
  }

  insert(id: string, raw: JsonObject, place: Omit<RemovedEntry, 'raw'>): void {
    const position = this.#placeFor(place);
    this.list.splice(position, 0, raw);
    this.#ids.splice(position, 0, id);
  }

  /** Behind the entry that it stood behind, else before the one it stood before; among odd entries there, as it stood. */
  #placeFor({ index, after, before }: Omit<RemovedEntry, 'raw'>): number {
    const behind = after === null ? -1 : this.#ids.indexOf(after);
    if (behind >= 0) {
      const next = this.#ids.findIndex((id, place) => place > behind && id !== null);
      return clamp(index, behind + 1, next < 0 ? this.list.length : next);
    }
    const ahead = before === null ? -1 : this.#ids.indexOf(before);
    if (ahead >= 0)
      return clamp(index, this.#ids.findLastIndex((id, place) => place < ahead && id !== null) + 1, ahead);
    return Math.min(index, this.list.length);
  }
}

const clamp = (value: number, lowest: number, highest: number): number => Math.min(Math.max(value, lowest), highest);

function shown<View>({ view }: EntryReading<View>): View {
  if (view === null) throw new Error('what was shown before it was deleted can be shown again');
  return view;
}
