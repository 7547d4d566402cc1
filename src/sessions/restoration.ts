import { Failure } from '../contract/errors.ts';
import { childPath, ioFailure, makeFolderDurably, syncFolder } from '../files/index.ts';
import type { Artifact } from './artifacts.ts';
import { discardEntry } from './deletion.ts';
import type { OwnFolders } from './own-folder.ts';
import { readMarker, removeMarker } from './pending-marker.ts';
import { artifactPlaces, type SessionFiles } from './session-files.ts';
import {
  type EntryIdentity,
  OWN_FOLDER,
  ownFolderOf,
  partPath,
  type TrashEntry,
  type TrashJournal,
} from './trash-entry.ts';
import { isSameTree, placeInto, removeTree, statusOrNull, takeBack } from './trash-files.ts';
import { TrashFolder } from './trash-folder.ts';
import { SUBAGENTS } from './trash-names.ts';

const FAILED = 'The session could not be brought back';
const IN_TRASH = 'It is still in the trash, whole.';
const CHILD = `${SUBAGENTS}/`;

/** What makes the session visible is last. */
const order: readonly Artifact['restore'][] = ['early', 'meta', 'log', 'transcript'];

/**
 * The way of one session back from the trash (docs/formats/session-format.md, section 12). It is seen by nobody until its
 * transcript has its name, which it gets when everything else is certainly there.
 */
export class Restoration {
  readonly #files: SessionFiles;
  readonly #entry: TrashEntry;
  readonly #journal: TrashJournal;
  /** The session's own folder, which comes along. */
  readonly #folder: TrashFolder | null;

  private constructor(files: SessionFiles, entry: TrashEntry, journal: TrashJournal, folder: TrashFolder | null) {
    this.#files = files;
    this.#entry = entry;
    this.#journal = journal;
    this.#folder = folder;
  }

  /** A restore that was begun earlier. @throws Failure `io`. */
  static resume(
    files: SessionFiles,
    entry: TrashEntry,
    journal: TrashJournal,
    folders: OwnFolders | null,
  ): Restoration {
    return new Restoration(files, entry, journal, TrashFolder.of(folders, entry, ownFolderOf(journal)));
  }

  /**
   * Looks at every place that something would go to, then writes down what is to be done.
   *
   * @throws Failure `conflict`, with nothing changed, when something has a place; `not-found` for an empty entry.
   */
  static async begin(
    files: SessionFiles,
    entry: TrashEntry,
    told: EntryIdentity,
    folders: OwnFolders | null,
  ): Promise<Restoration> {
    try {
      const names = inOrder(files.id, await entry.contents());
      const hasFolder = (await entry.ownFolder()) !== null;
      if (names.length === 0 && !hasFolder)
        throw new Failure('not-found', 'This entry of the trash holds nothing that could come back.');
      if (hasFolder && ownFolderOf(told.journal) === null) throw unknownPlace();
      // Of a session that another program brought back only the folder is left in it.
      const taken = names.length === 0 ? null : await whatIsInTheWay(files, names);
      if (taken !== null) throw inTheWay(taken);
      const folder = hasFolder ? TrashFolder.of(folders, entry, ownFolderOf(told.journal)) : null;
      if (await folder?.isTaken()) throw inTheWay(folder?.place ?? '');
      const artifacts = await Promise.all(
        names.map(async (name) => {
          const status = await entry.fileSystem.lstat(await entry.path(...name.split('/')));
          return { name, kind: 'restored', bytes: status.isFile() ? Number(status.size) : null };
        }),
      );
      const journal: TrashJournal = {
        version: 1,
        op: 'restore',
        phase: 'open',
        id: files.id,
        deletedAt: told.deletedAt,
        artifacts: folder === null ? artifacts : [...artifacts, { name: folder.place, kind: OWN_FOLDER, bytes: null }],
        ...(told.journal === null ? { foreign: true } : {}),
      };
      await entry.writeJournal(journal);
      return new Restoration(files, entry, journal, folder);
    } catch (error) {
      throw ioFailure(error, FAILED, IN_TRASH);
    }
  }

  /**
   * Puts everything into its place, durably.
   *
   * @param revive Run when the session is there and before its entry is gone: makes what else says that it is deleted
   *   say so no more.
   * @throws Failure: the session is in the trash again, whole; or, with `detail.reason` `unfinished`, not yet.
   */
  async finish(revive: () => Promise<void>): Promise<void> {
    try {
      if (await this.#isSeen()) {
        await revive();
        return await this.#shed();
      }
      await this.#place();
    } catch (error) {
      await this.#takeBack().catch((cause: unknown) => {
        throw unfinished(cause);
      });
      throw ioFailure(error, FAILED, IN_TRASH);
    }
    try {
      await revive();
      await this.#folder?.shed();
      await discardEntry(this.#entry);
    } catch (error) {
      throw unfinished(error);
    }
  }

  /**
   * Whether a session is live with a transcript that is not the one in the entry: it was brought back, then went on
   * elsewhere before the entry was gone. What was not live then is never put beside it.
   */
  async #isSeen(): Promise<boolean> {
    const { fileSystem, store } = this.#files;
    const name = this.#names.find((one) => answerOf(this.#files.id, one) === 'transcript');
    if (name === undefined) return false;
    const live = partPath(await store.root.path(), name);
    const kept = await this.#entry.path(name);
    if ((await statusOrNull(fileSystem, live)) === null || (await statusOrNull(fileSystem, kept)) === null)
      return false;
    return !(await isSameTree(fileSystem, kept, live));
  }

  /** Leaves in the entry only what differs from what is live, and the entry in the trash for it. */
  async #shed(): Promise<void> {
    const { fileSystem, store } = this.#files;
    const folder = await store.root.path();
    for (const name of this.#names) {
      const kept = await this.#entry.path(...name.split('/'));
      const live = partPath(folder, name);
      if ((await statusOrNull(fileSystem, kept)) === null || (await statusOrNull(fileSystem, live)) === null) continue;
      if (await isSameTree(fileSystem, kept, live)) await removeTree(fileSystem, kept);
    }
    await this.#folder?.shed();
    await this.#entry.writeJournal({ ...this.#journal, op: 'delete', phase: 'done', revived: true });
  }

  get #names(): string[] {
    return this.#journal.artifacts.filter(({ kind }) => kind !== OWN_FOLDER).map(({ name }) => name);
  }

  async #place(): Promise<void> {
    const { fileSystem, id, store } = this.#files;
    const folder = await store.root.path();
    const names = inOrder(id, this.#names);
    const hasChildren = names.some((name) => name.startsWith(CHILD));
    if (hasChildren) await makeFolderDurably(fileSystem, childPath(folder, SUBAGENTS));
    await this.#folder?.put();
    const transcripts = names.filter((name) => answerOf(id, name) === 'transcript');
    await this.#placeAll(
      folder,
      names.filter((name) => !transcripts.includes(name)),
    );
    if (hasChildren) await syncFolder(fileSystem, childPath(folder, SUBAGENTS));
    await syncFolder(fileSystem, folder);
    await this.#placeAll(folder, transcripts);
    await syncFolder(fileSystem, folder);
  }

  async #placeAll(folder: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      const from = await this.#entry.path(...name.split('/'));
      if ((await placeInto(this.#files.fileSystem, from, partPath(folder, name))) === 'taken') throw inTheWay(name);
    }
  }

  /** The transcript first: then nothing that is left shows a session. */
  async #takeBack(): Promise<void> {
    const { fileSystem, id, store } = this.#files;
    const folder = await store.root.path();
    const names = inOrder(id, this.#names).reverse();
    for (const [index, name] of names.entries()) {
      await takeBack(fileSystem, await this.#entry.path(...name.split('/')), partPath(folder, name));
      if (index === 0) await syncFolder(fileSystem, folder);
    }
    if (names.some((name) => name.startsWith(CHILD))) {
      await syncFolder(fileSystem, childPath(folder, SUBAGENTS));
      await syncFolder(fileSystem, await this.#entry.path(SUBAGENTS));
    }
    await this.#folder?.takeBack();
    await syncFolder(fileSystem, await this.#entry.path());
    await this.#folder?.settle();
    await syncFolder(fileSystem, folder);
    await this.#entry.closeJournal(this.#journal);
  }
}

/**
 * Something of a session with this id that is live, or something else in a place that is needed; null when there is
 * nothing. A marker that a finished deletion left is taken away.
 */
async function whatIsInTheWay(files: SessionFiles, names: readonly string[]): Promise<string | null> {
  const { fileSystem, store } = files;
  const live = (await files.existing()).filter(({ row }) => row.trash !== 'lock' && row.trash !== 'marker');
  if (live[0] !== undefined) return live[0].name;
  const folder = await store.root.path();
  for (const name of names) {
    if ((await statusOrNull(fileSystem, partPath(folder, name))) !== null) return name;
  }
  const marker = await readMarker(files);
  if (marker.state === 'missing') return null;
  if (marker.state === 'unknown' || marker.value.operation !== 'delete') return files.name('cleanup-pending');
  await removeMarker(files);
  return null;
}

function inOrder(id: string, names: readonly string[]): string[] {
  const place = (name: string): number => order.indexOf(answerOf(id, name));
  return [...names].sort((left, right) => place(left) - place(right));
}

/** When something comes back; what no row names comes early, as nobody looks for it. */
function answerOf(id: string, name: string): Artifact['restore'] {
  const place = artifactPlaces(id).find((one) => one.name === name);
  if (place === undefined || place.guardian || place.row.restore === 'never') return 'early';
  return place.row.restore;
}

function inTheWay(name: string): Failure {
  return new Failure(
    'conflict',
    'Something has the place of this session already. It stays in the trash, whole, and what is there is unchanged. Move or delete that first.',
    { detail: { reason: 'taken', name } },
  );
}

function unknownPlace(): Failure {
  return new Failure(
    'io',
    'What Sidekeep wrote down of this session cannot be read now, so it is not known where its folder was. It stays in the trash, whole. Try again.',
  );
}

function unfinished(error: unknown): unknown {
  const failure = ioFailure(error, 'The disk did not take the change', '');
  if (!(failure instanceof Failure)) return error;
  return new Failure(
    'io',
    'The session could not be brought back completely. Nothing of it is lost, and Sidekeep goes on with it when it starts the next time.',
    { detail: { reason: 'unfinished' }, cause: error },
  );
}
