import { type DeletedItem, Failure } from '../../../src/contract/index.ts';
import type { StoredContext, StoredEntry, StoredTrash } from './context.ts';

const DAYS_30 = 30 * 24 * 60 * 60 * 1000;

type ListName = 'notes' | 'todos' | 'plans';
const listOf: Record<DeletedItem['kind'], ListName> = { note: 'notes', todos: 'todos', plan: 'plans' };

/** Takes these entries out of their list; answers the id with which they come back, null when there were none. */
export function throwAway(
  stored: StoredContext,
  kind: DeletedItem['kind'],
  ids: readonly string[],
  now: number,
): string | null {
  const list: StoredEntry[] = stored[listOf[kind]];
  const entries = list.flatMap((entry, index) =>
    ids.includes(entry.id)
      ? [{ entry, index, after: list[index - 1]?.id ?? null, before: list[index + 1]?.id ?? null }]
      : [],
  );
  const [first] = entries;
  if (first === undefined) return null;
  const id = `${now}-${String(stored.trash.length).padStart(12, '0')}.0`;
  const file = 'file' in first.entry ? first.entry.file : null;
  const raw = file === null ? null : (stored.files.get(file) ?? null);
  stored.trash.unshift({ id, kind, deletedAt: now, entries, raw });
  if (file !== null) stored.files.delete(file);
  removeFrom(list, ids);
  return id;
}

/** Puts back what is not there again by now, each entry to its place. */
export function restoreTrash(stored: StoredContext, kind: DeletedItem['kind'], trashId: string): StoredEntry[] {
  const trash = stored.trash.find((item) => item.id === trashId && item.kind === kind);
  if (!trash) throw new Failure('not-found', 'It is no longer there to bring back. Nothing was changed.');
  const list: StoredEntry[] = stored[listOf[kind]];
  for (const { entry, index, after, before } of trash.entries) {
    if (list.some((other) => other.id === entry.id)) continue;
    const behind = list.findIndex((other) => other.id === after);
    const front = list.findIndex((other) => other.id === before);
    list.splice(behind >= 0 ? behind + 1 : front >= 0 ? front : Math.min(index, list.length), 0, entry);
    if ('file' in entry && trash.raw !== null) stored.files.set(entry.file, trash.raw);
  }
  return trash.entries.map(({ entry }) => entry);
}

/** What can come back, newest first: not what is there again, and of an entry that went twice only the last time. */
export function deletedItems(stored: StoredContext): DeletedItem[] {
  const seen = new Set<string>();
  return stored.trash.flatMap((trash) => {
    const list: StoredEntry[] = stored[listOf[trash.kind]];
    const gone = trash.entries.filter(({ entry }) => !seen.has(entry.id) && !list.some(({ id }) => id === entry.id));
    for (const { entry } of gone) seen.add(entry.id);
    return gone.length === 0 ? [] : [itemOf(trash, gone.length)];
  });
}

function itemOf(trash: StoredTrash, count: number): DeletedItem {
  const { id, kind, deletedAt } = trash;
  return { id, kind, deletedAt, expiresAt: deletedAt + DAYS_30, title: titleOf(trash), count };
}

function titleOf({ entries, raw }: StoredTrash): string {
  const entry = entries[0]?.entry;
  if (entry === undefined) return '';
  const text = 'body' in entry ? entry.body : 'text' in entry ? entry.text : (raw ?? entry.file).replace(/^#\s+/, '');
  return (text.split('\n')[0] ?? '').slice(0, 200);
}

function removeFrom(list: StoredEntry[], ids: readonly string[]): void {
  for (let index = list.length - 1; index >= 0; index--) if (ids.includes(list[index]?.id ?? '')) list.splice(index, 1);
}
