import type { SessionStore } from './session-stores.ts';
import type { TrashContext } from './trash-context.ts';
import { parseEntryName } from './trash-names.ts';

/**
 * Which of these sessions were deleted here: they are in the trash, or were removed for good, and their person has not
 * brought them back. What is live under such an id was written after the delete, by a program that did not notice.
 * Entries that another program made say nothing here: it may have brought back what it deleted without a trace.
 */
export async function deletedAmong(
  context: TrashContext,
  store: SessionStore,
  ids: ReadonlySet<string>,
): Promise<Set<string>> {
  if (ids.size === 0) return new Set();
  const [tombstones, entries] = await Promise.all([context.tombstones.ids(store), context.entriesOf(store, ids)]);
  const deleted = new Set([...ids].filter((id) => tombstones.has(id)));
  for (const entry of entries) {
    const read = await entry.readJournal();
    if (read.state === 'present' && !read.value.revived && ids.has(read.value.id)) deleted.add(read.value.id);
  }
  return deleted;
}

/**
 * Whether anything in the trash has this id, whoever put it there and whatever the case of its letters, or it was removed
 * for good: a new session must not get it (docs/formats/session-format.md, section 14).
 */
export async function isSpent(context: TrashContext, store: SessionStore, id: string): Promise<boolean> {
  const folded = id.toLowerCase();
  const [tombstones, names] = await Promise.all([context.tombstones.ids(store), context.entryNames(store)]);
  const ids = [...tombstones, ...names.map((name) => parseEntryName(name)?.id ?? '')];
  return ids.some((one) => one.toLowerCase() === folded);
}

/** Says that a session is there again: no entry of the trash and no tombstone speaks of it as deleted any more. */
export async function revive(context: TrashContext, store: SessionStore, id: string, except: string): Promise<void> {
  for (const entry of await context.entriesOf(store, new Set([id]))) {
    if (entry.name === except) continue;
    const read = await entry.readJournal();
    if (read.state !== 'present' || read.value.id !== id || read.value.phase === 'open' || read.value.revived) continue;
    await entry.writeJournal({ ...read.value, revived: true });
  }
  await context.tombstones.remove(store, id);
}
