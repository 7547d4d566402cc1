import type { TrashedSession } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { mapBounded, readWhole } from '../files/index.ts';
import { isRecord, own } from '../files/json.ts';
import { artifactName, artifactOf } from './artifacts.ts';
import type { SessionFiles } from './session-files.ts';
import type { SessionStore } from './session-stores.ts';
import { TRASH_LIFETIME_MS } from './tombstones.ts';
import { isSession, type TrashContext } from './trash-context.ts';
import type { TrashEntry, TrashJournal } from './trash-entry.ts';
import { sizeOf } from './trash-files.ts';

const CONCURRENCY = 8;
const META_BYTES = 4 * 1024 * 1024;
const TITLE_LENGTH = 200;

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
    title: (await titleIn(context, await entry.path(artifactName(artifactOf('meta'), id)))) ?? id,
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

/** Title of a live session, by its meta. */
export const titleOf = async (context: TrashContext, files: SessionFiles): Promise<string | null> =>
  titleIn(context, await files.path('meta'));

/** The title that a meta file gives; null when it gives none. */
async function titleIn({ fileSystem }: TrashContext, path: string): Promise<string | null> {
  const read = await readWhole(fileSystem, path, { limit: META_BYTES });
  if (read.state !== 'present') return null;
  try {
    const meta: unknown = JSON.parse(read.bytes.toString('utf8'));
    if (!isRecord(meta)) return null;
    for (const key of ['custom_title', 'topic_title', 'preview']) {
      const title = plain(own(meta, key));
      if (title !== '') return title;
    }
  } catch {
    // A meta that cannot be read gives no title; the session has its id.
  }
  return null;
}

/** Text of one line without control characters and marks that change its direction. */
function plain(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
  return [...text.trim()].slice(0, TITLE_LENGTH).join('');
}
