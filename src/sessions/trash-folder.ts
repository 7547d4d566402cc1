import { basename, dirname, join } from 'node:path';
import { Failure } from '../contract/errors.ts';
import {
  type FileSystem,
  isMissing,
  retryWhileHeld,
  syncFolder,
  systemCode,
  temporaryOwner,
  temporaryPath,
} from '../files/index.ts';
import type { OwnFolders } from './own-folder.ts';
import type { TrashEntry } from './trash-entry.ts';
import { copyTo, isSameTree, removeTree, statusOrNull } from './trash-files.ts';
import { TRASH_FOLDER } from './trash-names.ts';

/**
 * The way of a session's own folder into the entry of its session, and back. On one disk it is a rename. To another disk it
 * is copied and compared; meanwhile it has a name beside its place that tells nobody anything (`.<name>.leaving`), under
 * which it is removed only when the copy is there whole. Each step can be stopped anywhere and done again.
 */
export class TrashFolder {
  readonly place: string;
  readonly #fileSystem: FileSystem;
  readonly #folders: OwnFolders;
  readonly #entry: TrashEntry;

  constructor(folders: OwnFolders, entry: TrashEntry, place: string) {
    this.place = place;
    this.#fileSystem = entry.fileSystem;
    this.#folders = folders;
    this.#entry = entry;
  }

  /** The folder that an entry has or is to get. @throws Failure `io` when nobody knows where such folders are. */
  static of(folders: OwnFolders | null, entry: TrashEntry, place: string | null): TrashFolder | null {
    if (place === null) return null;
    if (folders === null)
      throw new Failure('io', 'It is not known where the folder of this session was. Nothing was moved.');
    return new TrashFolder(folders, entry, place);
  }

  /** Moves it into the entry; one that is gone counts as moved. Durable but for the entry's own folder, see {@link settle}. */
  async take(): Promise<void> {
    const [place, kept] = await this.#paths();
    const aside = asideOf(place);
    if ((await statusOrNull(this.#fileSystem, kept)) === null) {
      if ((await statusOrNull(this.#fileSystem, aside)) === null) {
        if (await this.#renamed(place, kept)) return;
        await this.#fileSystem.rename(place, aside);
        await syncFolder(this.#fileSystem, dirname(place));
      }
      await this.#copy(aside, kept);
      await syncFolder(this.#fileSystem, dirname(kept));
    }
    // What is in the entry is whole: it got its name there when it was.
    await removeTree(this.#fileSystem, aside);
  }

  /** Makes sure that it is gone from its place for good; to be called when the entry's folder is on the disk. */
  async settle(): Promise<void> {
    const [place] = await this.#paths();
    await this.#syncDay(place);
    await this.#folders.tidy(this.place);
  }

  /** Whether something that it must not replace has its place. An empty folder, which anybody may have made again, is no such thing. */
  async isTaken(): Promise<boolean> {
    const [place, kept] = await this.#paths();
    const status = await statusOrNull(this.#fileSystem, place);
    if (status === null || (await statusOrNull(this.#fileSystem, kept)) === null) return false;
    if (status.isDirectory() && (await this.#fileSystem.readdir(place)).length === 0) return false;
    return !(await isSameTree(this.#fileSystem, kept, place));
  }

  /** Puts it where it was, durably. @throws Failure `conflict` when something has its place. */
  async put(): Promise<void> {
    const [place, kept] = await this.#paths();
    const aside = asideOf(place);
    if ((await statusOrNull(this.#fileSystem, kept)) === null) {
      // A move to another disk was stopped before the copy was whole.
      if ((await statusOrNull(this.#fileSystem, aside)) === null) return;
      if ((await statusOrNull(this.#fileSystem, place)) !== null) throw taken(this.place);
      await this.#fileSystem.rename(aside, place);
      return this.#syncDay(place);
    }
    if (await this.isTaken()) throw taken(this.place);
    await this.#folders.makeRoom(this.place);
    if (!(await this.#isPlaced(kept, place)) && !(await this.#renamed(kept, place))) {
      await this.#copy(kept, place);
    }
    // A try before may have been stopped when it had removed what the one before that had left, but not for good.
    await this.#clear(place);
    await this.#syncDay(place);
    await removeTree(this.#fileSystem, aside);
  }

  /** Takes it out of its place again, see {@link put}. */
  async takeBack(): Promise<void> {
    const [place, kept] = await this.#paths();
    if ((await statusOrNull(this.#fileSystem, kept)) === null) return this.take();
    if ((await statusOrNull(this.#fileSystem, place)) === null) return;
    // A copy from another disk.
    if (!(await isSameTree(this.#fileSystem, kept, place))) return;
    await this.#fileSystem.rename(place, asideOf(place));
    await this.#syncDay(place);
    await removeTree(this.#fileSystem, asideOf(place));
  }

  /** Removes it from the entry if the same is in its place: the session is there again. */
  async shed(): Promise<void> {
    const [place, kept] = await this.#paths();
    const [live, own] = [await statusOrNull(this.#fileSystem, place), await statusOrNull(this.#fileSystem, kept)];
    if (live === null || own === null) return;
    if (!(await isSameTree(this.#fileSystem, kept, place))) return;
    // Under another name first: half of it must not be taken for what is to come back.
    const aside = temporaryPath(kept);
    await this.#fileSystem.rename(kept, aside);
    await syncFolder(this.#fileSystem, dirname(kept));
    await removeTree(this.#fileSystem, aside);
  }

  /** @returns False when the other name is on another disk. */
  async #renamed(from: string, to: string): Promise<boolean> {
    try {
      await retryWhileHeld(() => this.#fileSystem.rename(from, to), {});
      return true;
    } catch (error) {
      if (isMissing(error) && (await statusOrNull(this.#fileSystem, from)) === null) return true;
      if (systemCode(error) !== 'EXDEV') throw error;
      return false;
    }
  }

  /** Copies it to another disk, whole or not at all, after what an earlier try left there was removed. */
  async #copy(from: string, to: string): Promise<void> {
    await this.#clear(to);
    await copyTo(this.#fileSystem, from, to);
  }

  /** Removes copies to a name that were begun and not ended. */
  async #clear(to: string): Promise<void> {
    const left = (await this.#fileSystem.readdir(dirname(to))).filter(
      (name) => name.startsWith(`.${basename(to)}.`) && temporaryOwner(name) !== null,
    );
    for (const name of left) await removeTree(this.#fileSystem, join(dirname(to), name));
  }

  /** Whether a copy of it is in its place already. An empty folder there makes room. */
  async #isPlaced(kept: string, place: string): Promise<boolean> {
    const status = await statusOrNull(this.#fileSystem, place);
    if (status === null) return false;
    if (await isSameTree(this.#fileSystem, kept, place)) return true;
    await this.#fileSystem.rmdir(place);
    return false;
  }

  async #syncDay(place: string): Promise<void> {
    await syncFolder(this.#fileSystem, dirname(place)).catch((error: unknown) => {
      // A day that is gone has nothing in it that could come back.
      if (!isMissing(error)) throw error;
    });
  }

  async #paths(): Promise<[place: string, kept: string]> {
    return [await this.#folders.locate(this.place), await this.#entry.path(TRASH_FOLDER)];
  }
}

/** Where a folder waits while it is copied to another disk. */
const asideOf = (place: string): string => join(dirname(place), `.${basename(place)}.leaving`);

function taken(name: string): Failure {
  return new Failure(
    'conflict',
    'Something has the place of the folder of this session. The session stays in the trash, whole, and what is there is unchanged. Move or delete that first.',
    { detail: { reason: 'taken', name } },
  );
}
