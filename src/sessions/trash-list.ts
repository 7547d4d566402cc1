import type { TrashedSession } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { mapBounded } from '../files/index.ts';
import { artifactName, artifactOf } from './artifacts.ts';
import type { SessionStore } from './session-stores.ts';
import { storedTitle } from './stored-title.ts';
import { TRASH_LIFETIME_MS } from './tombstones.ts';
import { isSession, type TrashContext } from './trash-context.ts';
import type { TrashEntry, TrashJournal } from './trash-entry.ts';
import { sizeOf } from './trash-files.ts';

const CONCURRENCY = 8;

/** What is in the trash of a store, newest first. An entry that cannot be understood is shown with its problem. */
export async function trashedIn(context: TrashContext, store: SessionStore): Promise<TrashedSession[]> {
  const names = await context.entryNames(store);
  const items = await mapBounded(names, CONCURRENCY, async (name) => {
    try {
      return await trashedSession(context, context.entryOf(store, name));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      context.report('reading the trash', error);
      return unreadable(store, name, error.message);
    }
  });
  return items.filter((item) => item !== null).sort((left, right) => right.deletedAt - left.deletedAt);
}

async function trashedSession(context: TrashContext, entry: TrashEntry): Promise<TrashedSession | null> {
  const { store, name } = entry;
  // Neither a file in the trash is an entry, which the report tells of, nor what a stopped deletion left before it began.
  if ((await entry.folder()) === null || (await entry.isBlank())) return null;
  const told = await entry.identity();
  if (told === null) return unreadable(store, name, 'Nothing in it tells which session it was.');
  const { id, deletedAt, journal } = told;
  const contents = await entry.contents();
  const total = { bytes: 0, files: 0 };
  for (const part of contents) {
    const size = await sizeOf(context.fileSystem, await entry.path(...part.split('/')));
    total.bytes += size.bytes;
    total.files += size.files;
  }
  const folder = await entry.ownFolder();
  total.bytes += folder?.bytes ?? 0;
  return {
    store: store.key,
    name,
    session: { store: store.key, id },
    title: (await titleInEntry(entry, id)) ?? id,
    deletedAt,
    purgeAt: isPurgedByItself(journal, folder) ? deletedAt + TRASH_LIFETIME_MS : null,
    ...total,
    folderFiles: folder?.files ?? null,
    problem: await problemOf(context, store, id, contents, journal?.phase === 'open'),
  };
}

/** Whether an entry goes for good when it is old enough: what others put there, and files of the person, only on request. */
export const isPurgedByItself = (journal: TrashJournal | null, folder: { files: number } | null): boolean =>
  journal !== null && (folder?.files ?? 0) === 0;

const titleInEntry = (entry: TrashEntry, id: string): Promise<string | null> =>
  storedTitle(entry.fileSystem, (kind) => entry.path(artifactName(artifactOf(kind), id)));

async function problemOf(
  context: TrashContext,
  store: SessionStore,
  id: string,
  contents: readonly string[],
  isOpen: boolean,
): Promise<string | null> {
  if (isOpen) return 'Sidekeep is not done with it yet.';
  if (!contents.includes(`${id}.jsonl`)) return 'Its transcript is missing.';
  const live = await context.filesOf({ store: store.key, id }).existing();
  return isSession(live) ? 'A session with the same id is in the list.' : null;
}

function unreadable(store: SessionStore, name: string, problem: string): TrashedSession {
  const session = {
    store: store.key,
    id:
      name
        .replace(/^\.+|[:\\]/g, '_')
        .slice(0, 200)
        .trim() || 'unknown',
  };
  return {
    store: store.key,
    name,
    session,
    title: name,
    deletedAt: 0,
    purgeAt: null,
    files: 0,
    bytes: 0,
    folderFiles: null,
    problem,
  };
}
