import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../contract/errors.ts';
import {
  childPath,
  FOLDER_MODE,
  ioFailure,
  isMissing,
  makeFolderDurably,
  syncFolder,
  systemCode,
} from '../files/index.ts';
import type { Artifact } from './artifacts.ts';
import type { GoingFolder, OwnFolders } from './own-folder.ts';
import { removeMarker, writeMarker } from './pending-marker.ts';
import type { FoundArtifact, SessionFiles } from './session-files.ts';
import { strayNames } from './session-strays.ts';
import { subagentNames } from './subagents.ts';
import {
  type JournalArtifact,
  OWN_FOLDER,
  ownFolderOf,
  partPath,
  TrashEntry,
  type TrashJournal,
  trashFolder,
} from './trash-entry.ts';
import { moveAside, namesOrNone, removeTree, statusOrNull } from './trash-files.ts';
import { TrashFolder } from './trash-folder.ts';
import { newEntryName, purgeName, SUBAGENTS } from './trash-names.ts';

const FAILED = 'The session could not be moved to the trash';
const UNCHANGED = 'It is where it was.';
const CHILD = `${SUBAGENTS}/`;

/** The logs first: nothing may bring back a session whose transcript is gone already. */
const order: readonly Artifact['trash'][] = ['log', 'transcript', 'content', 'meta'];

/**
 * The way of one session into the trash (docs/formats/session-format.md, section 12). From the moment that {@link begin}
 * has answered the session is hidden, here and in the reference; {@link finish} can be stopped anywhere and called again.
 */
export class Deletion {
  readonly entry: TrashEntry;
  readonly #files: SessionFiles;
  readonly #journal: TrashJournal;
  readonly #found: readonly FoundArtifact[];
  /** Names in the store, which are read while the disk syncs what comes first. */
  readonly #names: Promise<string[]>;
  /** Whether the entry was just made, so that nothing can be in the way there. */
  readonly #isNew: boolean;
  /** The session's own folder, which goes along. */
  readonly #folder: TrashFolder | null;

  private constructor(
    files: SessionFiles,
    entry: TrashEntry,
    journal: TrashJournal,
    found: readonly FoundArtifact[],
    names: Promise<string[]> | null,
    folders: OwnFolders | null,
  ) {
    this.#files = files;
    this.entry = entry;
    this.#journal = journal;
    this.#found = found;
    this.#isNew = names !== null;
    this.#folder = TrashFolder.of(folders, entry, ownFolderOf(journal));
    this.#names = names ?? namesIn(files);
    // Asked for early; its failure is told where the names are needed.
    this.#names.catch(() => undefined);
  }

  /** A deletion that was begun earlier. */
  static async resume(
    files: SessionFiles,
    entry: TrashEntry,
    journal: TrashJournal,
    folders: OwnFolders | null,
  ): Promise<Deletion> {
    return new Deletion(files, entry, journal, await files.existing(), null, folders);
  }

  /**
   * Writes down what is to be done and hides the session. After a failure everything is as it was.
   *
   * @param found What of the session is on the disk.
   * @param own The folder of its own that goes along.
   * @throws Failure `io`.
   */
  static async begin(
    files: SessionFiles,
    found: readonly FoundArtifact[],
    now: number,
    own: GoingFolder | null = null,
  ): Promise<Deletion> {
    const names = namesIn(files);
    names.catch(() => undefined);
    try {
      const children = await subagentNames(files);
      const artifacts = [
        ...inOrder(found).map(partOf),
        ...children.map((name) => ({ name: `${CHILD}${name}`, kind: 'subagent', bytes: null })),
        ...(own === null ? [] : [{ name: own.place, kind: OWN_FOLDER, bytes: null }]),
      ];
      const entry = await makeEntry(files, now);
      const journal: TrashJournal = {
        version: 1,
        op: 'delete',
        phase: 'open',
        id: files.id,
        deletedAt: now,
        artifacts,
      };
      const deletion = new Deletion(files, entry, journal, found, names, own?.folders ?? null);
      const written = await Promise.allSettled([entry.writeJournal(journal), writeMarker(files, now, own?.choice)]);
      const failed = written.find((one) => one.status === 'rejected');
      if (failed === undefined) return deletion;
      await deletion.withdraw();
      throw failed.reason;
    } catch (error) {
      throw ioFailure(error, FAILED, UNCHANGED);
    }
  }

  /**
   * Puts everything back and shows the session again.
   *
   * @throws When that cannot be done: the session stays hidden, its deletion open, and what was moved in the trash.
   */
  async withdraw(): Promise<void> {
    const { fileSystem, store } = this.#files;
    const folder = await store.root.path();
    const names = await this.entry.contents();
    if (names.some((name) => name.startsWith(CHILD))) await makeFolderDurably(fileSystem, childPath(folder, SUBAGENTS));
    for (const name of names) {
      const place = partPath(folder, name);
      if ((await statusOrNull(fileSystem, place)) !== null) throw inTheWay();
      await moveAside(fileSystem, await this.entry.path(...name.split('/')), place);
    }
    if (names.length > 0) await this.#syncStore(names.some((name) => name.startsWith(CHILD)));
    await this.#folder?.put();
    await this.#folder?.shed();
    await removeMarker(this.#files);
    await discardEntry(this.entry);
  }

  /**
   * Moves everything, durably. A file that is gone counts as moved.
   *
   * @throws Failure `io`: everything is as it was; or, with `detail.reason` `unfinished`, the session is hidden and the
   *   rest is still to be done.
   */
  async finish(): Promise<TrashJournal> {
    try {
      const others = await this.#move();
      return await this.#settle(others).catch((error: unknown) => {
        throw unfinished(error);
      });
    } catch (error) {
      if (error instanceof Failure && error.detail?.reason === 'unfinished') throw error;
      await this.withdraw().catch((cause: unknown) => {
        throw unfinished(cause);
      });
      throw ioFailure(error, FAILED, UNCHANGED);
    }
  }

  get #hasChildren(): boolean {
    return this.#journal.artifacts.some(({ name }) => name.startsWith(CHILD));
  }

  /** @returns Names that were moved besides those that the journal has. */
  async #move(): Promise<string[]> {
    for (const { name } of inOrder(this.#found)) await this.#moveOne(name);
    const children = this.#journal.artifacts.filter(({ name }) => name.startsWith(CHILD));
    if (children.length > 0) await makeFolderDurably(this.#files.fileSystem, await this.entry.path(SUBAGENTS));
    for (const { name } of children) await this.#moveOne(name);
    const known = new Set(this.#found.map(({ name }) => name));
    const strays = strayNames(this.#files.id, await this.#names).filter((name) => !known.has(name));
    for (const name of strays) await this.#moveOne(name);
    await this.#folder?.take();
    return strays;
  }

  async #moveOne(name: string): Promise<void> {
    const { fileSystem, store } = this.#files;
    const from = partPath(await store.root.path(), name);
    const target = this.#isNew ? name : await this.#freeTarget(from, name);
    if (target !== null) await moveAside(fileSystem, from, await this.entry.path(...target.split('/')));
  }

  /**
   * The name for something in an entry that may hold it already: what another program wrote since lies beside it.
   *
   * @returns Null when there is nothing to move.
   */
  async #freeTarget(from: string, name: string): Promise<string | null> {
    const { fileSystem } = this.#files;
    const source = await statusOrNull(fileSystem, from);
    if (source === null) return null;
    for (let attempt = 0; ; attempt++) {
      const target = attempt === 0 ? name : `${name}.late-${attempt}`;
      const status = await statusOrNull(fileSystem, await this.entry.path(...target.split('/')));
      if (status === null) return target;
      if (status.dev === source.dev && status.ino === source.ino && !source.isDirectory()) {
        // A move that reached the disk in half: the file has both names.
        await fileSystem.unlink(from);
        return null;
      }
    }
  }

  async #settle(others: readonly string[]): Promise<TrashJournal> {
    const { id, fileSystem } = this.#files;
    const { artifacts, deletedAt } = this.#journal;
    if (this.#hasChildren) await syncFolder(fileSystem, await this.entry.path(SUBAGENTS));
    // Syncs the folder of the entry, so that what was moved is there before it is certainly gone from the store.
    await this.entry.writeMeta(id, deletedAt);
    await this.#folder?.settle();
    await this.#removeLocks();
    await this.#syncStore(this.#hasChildren);
    await removeMarker(this.#files);
    const known = new Set(artifacts.map(({ name }) => name));
    const added = others.filter((name) => !known.has(name)).map((name) => ({ name, kind: 'other', bytes: null }));
    const journal: TrashJournal = { ...this.#journal, phase: 'done', artifacts: [...artifacts, ...added] };
    await this.entry.writeJournal(journal);
    return journal;
  }

  async #removeLocks(): Promise<void> {
    const { fileSystem, id, store } = this.#files;
    const folder = await store.root.path();
    const locks = this.#found.filter((found) => isRemoved(found) && !isMarker(found)).map(({ path }) => path);
    const metaLocks = [`${id}.jsonl`, `${id}.jsonl.meta`].map((name) => metaLockName(join(folder, name)));
    for (const path of [...locks, ...metaLocks.map((name) => childPath(folder, name))]) {
      await fileSystem.unlink(path).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    }
  }

  async #syncStore(withChildren: boolean): Promise<void> {
    const { fileSystem, store } = this.#files;
    const folder = await store.root.path();
    await syncFolder(fileSystem, folder);
    if (!withChildren) return;
    await syncFolder(fileSystem, childPath(folder, SUBAGENTS)).catch((error: unknown) => {
      // Another program has removed the folder since: nothing of it is live any more.
      if (!isMissing(error)) throw error;
    });
  }
}

/**
 * Removes an entry that holds nothing of a session any more, durably: first out of the list, then from the disk.
 *
 * @throws Failure `io` when it holds files of the session's own folder: those are removed by nobody who was not asked to.
 */
export async function discardEntry(entry: TrashEntry): Promise<void> {
  const { fileSystem, store, name } = entry;
  if ((await entry.ownFolder())?.files) {
    throw new Failure('io', 'The folder of the session is still in the trash. It stays there, whole.');
  }
  const trash = await trashFolder(store);
  const aside = childPath(trash, purgeName(name));
  await removeTree(fileSystem, aside);
  if (!(await moveAside(fileSystem, await entry.path(), aside))) return;
  await syncFolder(fileSystem, trash);
  await removeTree(fileSystem, aside);
  await syncFolder(fileSystem, trash);
}

/** Whether something is removed with the deletion instead of being moved: locks and the marker, as long as they are files. */
const isRemoved = ({ row, status }: FoundArtifact): boolean =>
  (row.trash === 'lock' || row.trash === 'marker') && !status.isDirectory();

const isMarker = ({ row, guardian }: FoundArtifact): boolean => row.trash === 'marker' && !guardian;

/** What of a session is moved, in the order in which it is. */
function inOrder(found: readonly FoundArtifact[]): FoundArtifact[] {
  const place = ({ row, guardian }: FoundArtifact): number => {
    const answer = guardian && row.trash === 'transcript' ? 'log' : row.trash;
    return order.includes(answer) ? order.indexOf(answer) : order.indexOf('content');
  };
  return found.filter((one) => !isRemoved(one)).sort((left, right) => place(left) - place(right));
}

const partOf = ({ name, kind, status }: FoundArtifact): JournalArtifact => ({
  name,
  kind,
  bytes: status.isDirectory() ? null : Number(status.size),
});

/** Names in a store, for what no row of the table names. */
const namesIn = async ({ fileSystem, store }: SessionFiles): Promise<string[]> =>
  namesOrNone(fileSystem, await store.root.path());

/** A new folder in the trash, durable. */
async function makeEntry({ fileSystem, id, store }: SessionFiles, now: number): Promise<TrashEntry> {
  const trash = await trashFolder(store);
  await makeFolderDurably(fileSystem, trash);
  for (let attempt = 0; ; attempt++) {
    const entry = new TrashEntry(fileSystem, store, newEntryName(id, now + Math.floor(attempt / 100), attempt % 100));
    try {
      await fileSystem.mkdir(await entry.path(), FOLDER_MODE);
    } catch (error) {
      if (systemCode(error) === 'EEXIST') continue;
      throw error;
    }
    await syncFolder(fileSystem, trash);
    return entry;
  }
}

/** Name of the lock that the reference holds while it changes a meta file. */
const metaLockName = (path: string): string =>
  `.${createHash('sha256').update(path).digest('hex').slice(0, 16)}.meta.lock`;

function inTheWay(): Failure {
  return new Failure(
    'io',
    'Another program has put a file where one of the session was. Both are kept. Move it away.',
    {
      detail: { reason: 'taken' },
    },
  );
}

/** A failure that leaves the deletion open; a bug stays one. */
function unfinished(error: unknown): unknown {
  const failure = ioFailure(error, 'The disk did not take the change', '');
  if (!(failure instanceof Failure)) return error;
  return new Failure(
    'io',
    'The session could not be moved to the trash completely. It is hidden, nothing of it is lost, and Sidekeep goes on with it when it starts the next time.',
    { detail: { reason: 'unfinished' }, cause: error },
  );
}
