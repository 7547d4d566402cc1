import type { SessionRef, StoreKey, TrashedRef } from '../contract/entities.ts';
import { sessionKey } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { guard, syncFolder } from '../files/index.ts';
import { revive } from './deleted-ids.ts';
import { Deletion, discardEntry } from './deletion.ts';
import { idOfUnnamed, removeUnmade } from './half-made.ts';
import { idOfMarker, readMarker, removeMarker } from './pending-marker.ts';
import { finishRemoval, removeEntry } from './removal.ts';
import { Restoration } from './restoration.ts';
import { SessionFiles } from './session-files.ts';
import { refuseBadId } from './session-id.ts';
import type { SessionStore } from './session-stores.ts';
import { TRASH_LIFETIME_MS } from './tombstones.ts';
import { leavingFolder, liveOf, type TrashContext } from './trash-context.ts';
import type { TrashEntry } from './trash-entry.ts';
import { namesOrNone, removeTree } from './trash-files.ts';
import { isPurgedByItself } from './trash-list.ts';
import { isPurgeName, parseEntryName } from './trash-names.ts';

/** What a start found half done, and what became of it. */
export interface Reconciled {
  /** Sessions that are wholly in the trash now. */
  deleted: TrashedRef[];
  /** Sessions that are wholly back. */
  restored: SessionRef[];
  /** Sessions that are hidden until whoever has them open lets go of them. */
  waiting: SessionRef[];
  /** How many entries were removed for good. */
  purged: number;
  /** What could not be finished, with a sentence for the person: it is tried again at the next start. */
  left: { store: StoreKey; name: string; reason: string }[];
}

/** @param startedAt Markers that are younger are of this run, and somebody is at work on them. */
export async function reconcileStore(
  context: TrashContext,
  store: SessionStore,
  startedAt: number,
  found: Reconciled,
  signal?: AbortSignal,
): Promise<void> {
  for (const name of await context.trashNames(store)) {
    signal?.throwIfAborted();
    await attempt(context, store, name, found, () => reconcileEntry(context, context.entryOf(store, name), found));
  }
  const folder = await store.root.path();
  const names = await guard(
    () => namesOrNone(context.fileSystem, folder),
    'The sessions could not be read',
    'They are unchanged.',
  );
  for (const name of names) {
    const id = idOfMarker(name);
    if (id === null || !isUsable(id)) continue;
    signal?.throwIfAborted();
    await attempt(context, store, name, found, () =>
      reconcileMarker(context, new SessionFiles(context.fileSystem, store, id), startedAt, found),
    );
  }
  for (const name of names) {
    const id = idOfUnnamed(name);
    if (id === null) continue;
    signal?.throwIfAborted();
    await attempt(context, store, name, found, () => removeUnmade(context, store, id, name, startedAt));
  }
}

/** One that fails stops no other. */
async function attempt(
  context: TrashContext,
  store: SessionStore,
  name: string,
  found: Reconciled,
  job: () => Promise<void>,
): Promise<void> {
  try {
    await job();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    context.report('finishing what was left undone in the trash', error);
    found.left.push({ store: store.key, name, reason: error.message });
  }
}

async function reconcileEntry(context: TrashContext, entry: TrashEntry, found: Reconciled): Promise<void> {
  if (isPurgeName(entry.name)) {
    if ((await entry.folder()) === null) return;
    await guard(() => finishRemoval(entry, context.report), 'What was removed is still there in part', '');
    found.purged++;
    return;
  }
  if (entry.name.startsWith('.') || (await entry.folder()) === null) return;
  const read = await entry.readJournal();
  if (read.state === 'unknown') throw read.failure;
  if (read.state === 'missing') {
    const named = parseEntryName(entry.name)?.id ?? entry.name;
    return context.queue.run(sessionKey({ store: entry.store.key, id: named }), async () => {
      if (await entry.isBlank()) await guard(() => discardEntry(entry));
    });
  }
  const { id, phase, deletedAt } = read.value;
  await context.queue.run(sessionKey({ store: entry.store.key, id }), async () => {
    if (phase === 'open') return resumeEntry(context, entry, found);
    const age = context.now() - deletedAt;
    if (age < TRASH_LIFETIME_MS || !isPurgedByItself(read.value, await entry.ownFolder())) return;
    await removeEntry(entry, context.tombstones, context.report);
    found.purged++;
  });
}

/** Carries on with what an open journal says, in its direction. To be run in the session's turn. */
export async function resumeEntry(context: TrashContext, entry: TrashEntry, found: Reconciled): Promise<void> {
  const read = await entry.readJournal();
  if (read.state !== 'present' || read.value.phase !== 'open') return;
  const journal = read.value;
  const files = new SessionFiles(context.fileSystem, entry.store, journal.id);
  if (journal.op === 'restore') {
    const restoration = Restoration.resume(files, entry, journal, context.ownFolders);
    await restoration.finish(() => revive(context, entry.store, journal.id, entry.name));
    found.restored.push(files.ref);
    return;
  }
  if ((await context.hold(files)) !== null) {
    found.waiting.push(files.ref);
    return;
  }
  const deletion = await Deletion.resume(files, entry, journal, context.ownFolders);
  await deletion.finish();
  found.deleted.push(entry.ref);
}

async function reconcileMarker(
  context: TrashContext,
  files: SessionFiles,
  startedAt: number,
  found: Reconciled,
): Promise<void> {
  await context.queue.run(sessionKey(files.ref), async () => {
    const marker = await readMarker(files);
    if (marker.state !== 'present') return;
    const { operation, createdAt } = marker.value;
    if (operation === 'delete') return deleteMarked(context, files, found);
    // What another program is at, or what cannot be read, is left to it; its session stays hidden.
    if (operation !== 'fork' || createdAt === null || createdAt >= startedAt) return;
    if ((await context.hold(files)) === null) await removeHalfMade(context, files);
  });
}

/** Moves a session that was to be deleted as soon as nobody has it open. To be run in the session's turn. */
export async function deleteMarked(context: TrashContext, files: SessionFiles, found: Reconciled): Promise<void> {
  const existing = await files.existing();
  if (liveOf(existing).length === 0) return removeMarker(files);
  if ((await context.hold(files)) !== null) {
    found.waiting.push(files.ref);
    return;
  }
  const marker = await readMarker(files);
  const choice = marker.state === 'present' ? marker.value.folder : undefined;
  const { own } = await leavingFolder(context, files, choice);
  const deletion = await Deletion.begin(files, existing, context.now(), own);
  await deletion.finish();
  found.deleted.push(deletion.entry.ref);
}

/** A fork that was never finished is a copy of something that is there: its files go, the marker last. */
async function removeHalfMade(context: TrashContext, files: SessionFiles): Promise<void> {
  await guard(
    async () => {
      const existing = await files.existing();
      for (const { path, kind } of existing) if (kind !== 'cleanup-pending') await removeTree(context.fileSystem, path);
      await syncFolder(context.fileSystem, await files.store.root.path());
    },
    'A fork that was not finished could not be removed',
    'It is hidden.',
  );
  await removeMarker(files);
}

function isUsable(id: string): boolean {
  try {
    refuseBadId(id);
    return true;
  } catch {
    // No session can have this id, so nothing is hidden by it.
    return false;
  }
}
