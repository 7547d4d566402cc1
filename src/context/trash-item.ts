import { type DeletedItem, limits } from '../contract/entities.ts';
import { newerTrash, TRASH_VERSION } from '../files/deleted-files.ts';
import { isRecord, type JsonObject, own, parseStored, serialiseStored } from '../files/json.ts';
import { isPlainlyBuilt } from '../files/json-shape.ts';
import { type EntryReading, storedId } from '../files/stored-entry.ts';
import { clampText, onOneLine } from '../files/text.ts';
import { linkedFile, readNote, readPlanLink, readTodo } from './entries.ts';

/** One stored entry that was taken out of its list, and where it stood. */
export interface RemovedEntry {
  /** The entry as it was stored, whole. */
  readonly raw: JsonObject;
  /** Its place in the stored list. */
  readonly index: number;
  /** Id of the shown entry before it; null when there was none. */
  readonly after: string | null;
  /** Id of the shown entry behind it; null when there was none. */
  readonly before: string | null;
}

/** What one delete took out of a context; it comes back together. */
export interface RemovedItem {
  readonly kind: DeletedItem['kind'];
  /** In stored order, one at least; exactly one of a note or plan. */
  readonly entries: readonly RemovedEntry[];
  /** Only of a plan: its file. */
  readonly file?: string;
  /** Only of a plan: that another link named the same file, so that this stayed where it was. */
  readonly shared?: true;
}

const TITLE_LENGTH = 100;

const readers: Record<RemovedItem['kind'], (raw: unknown) => EntryReading<{ id: string }>> = {
  note: readNote,
  todos: readTodo,
  plan: readPlanLink,
};

/**
 * What a delete takes out of a list, to be kept before the list is written.
 *
 * @param list The list before anything is taken out, and where each shown entry stands in it: see `writableList`.
 * @param ids Ids of the entries to be taken out.
 */
export function removedFrom(
  kind: RemovedItem['kind'],
  { raw: list, positions }: { readonly raw: readonly unknown[]; readonly positions: ReadonlyMap<string, number> },
  ids: Iterable<string>,
): RemovedItem {
  const shown = [...positions].sort(([, left], [, right]) => left - right);
  const places = new Map(shown.map(([id], place) => [id, place]));
  const entries = [...ids].map((id): RemovedEntry => {
    const place = places.get(id) ?? -1;
    const index = positions.get(id) ?? -1;
    const raw = list[index];
    if (!isRecord(raw)) throw new Error('only what is shown can be deleted');
    return { raw, index, after: shown[place - 1]?.[0] ?? null, before: shown[place + 1]?.[0] ?? null };
  });
  entries.sort((left, right) => left.index - right.index);
  const [first] = entries;
  if (kind !== 'plan' || first === undefined) return { kind, entries };
  const file = linkedFile(first.raw);
  if (file === null) throw new Error('a plan that is shown names its file');
  const shared = list.some((link, index) => index !== first.index && isSameFile(linkedFile(link), file));
  return { kind, entries, file, ...(shared ? { shared } : {}) };
}

/** The id of an entry of the trash or of a list ready to be written. */
export function idOf(raw: JsonObject): string {
  const id = storedId(raw);
  if (id === null) throw new Error('an entry that was shown has an id');
  return id;
}

/** Some disks take `A.md` and `a.md` for the same file. */
export const isSameFile = (left: string | null, right: string): boolean => left?.toLowerCase() === right.toLowerCase();

/** The beginning of an entry's text, on one line. */
export function titleOf(kind: RemovedItem['kind'], raw: JsonObject): string {
  const text = own(raw, { note: 'body', todos: 'text', plan: 'title' }[kind]);
  const line = onOneLine(clampText(typeof text === 'string' ? text.trim() : '', limits.noteBody));
  return clampText(line, TITLE_LENGTH) || 'Plan';
}

/** The bytes of a file of the trash. */
export function trashBytes(deletedAt: number, items: readonly RemovedItem[]): Buffer {
  const bytes = serialiseStored({ version: TRASH_VERSION, deletedAt, items });
  if (isPlainlyBuilt(bytes)) return bytes;
  // An entry that is nested almost too deeply for its own file stands deeper here: it goes in as a text.
  const flat = items.map(({ entries, ...item }) => ({
    ...item,
    entries: entries.map(({ raw, ...place }) => ({ raw: JSON.stringify(raw), ...place })),
  }));
  return serialiseStored({ version: TRASH_VERSION, deletedAt, items: flat });
}

/**
 * The items of a file of the trash; null where one cannot be read, so that the others keep their places.
 *
 * @throws Failure `malformed` for a file that cannot be read at all, `newer-version`.
 */
export function parseTrash(bytes: Uint8Array): (RemovedItem | null)[] {
  const stored = parseStored(bytes, 'What was deleted');
  const version = own(stored, 'version');
  if (version !== TRASH_VERSION) throw newerTrash();
  const items = own(stored, 'items');
  return Array.isArray(items) ? items.map(readItem) : [];
}

function readItem(stored: unknown): RemovedItem | null {
  if (!isRecord(stored)) return null;
  const kind = own(stored, 'kind');
  if (kind !== 'note' && kind !== 'todos' && kind !== 'plan') return null;
  const list = own(stored, 'entries');
  const entries = Array.isArray(list) ? list.map((entry) => readEntry(kind, entry)).filter((one) => one !== null) : [];
  const [first] = entries;
  if (first === undefined || (kind !== 'todos' && entries.length > 1)) return null;
  if (kind !== 'plan') return { kind, entries };
  const file = linkedFile(stored);
  if (file === null) return null;
  return { kind, entries, file, ...(own(stored, 'shared') === true ? { shared: true } : {}) };
}

function readEntry(kind: RemovedItem['kind'], stored: unknown): RemovedEntry | null {
  if (!isRecord(stored)) return null;
  const kept = own(stored, 'raw');
  const raw = typeof kept === 'string' ? parseStored(Buffer.from(kept), 'What was deleted') : kept;
  if (!isRecord(raw) || shownId(kind, raw) === null) return null;
  const index = own(stored, 'index');
  const id = (key: string): string | null => {
    const value = own(stored, key);
    return typeof value === 'string' ? value : null;
  };
  return {
    raw,
    index: typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : 0,
    after: id('after'),
    before: id('before'),
  };
}

function shownId(kind: RemovedItem['kind'], entry: unknown): string | null {
  return readers[kind](entry).view?.id || null;
}
