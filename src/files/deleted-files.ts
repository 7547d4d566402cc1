import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { TrashId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { createDurably } from './durable-create.ts';
import { isMissing } from './failures.ts';
import { lookInto, nextTime } from './kept-folder.ts';
import type { OwnerFolder } from './owner-folder.ts';
import { MAXIMUM_FILE_BYTES, readWhole } from './read-whole.ts';

/** How long something that was deleted can come back: 30 days. */
export const TRASH_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
/** Version of the files of the trash; those of a higher one are not read. */
export const TRASH_VERSION = 1;
/** Largest file of the trash: the entries of the largest file, with more blanks in front of each line. */
export const LARGEST_TRASH_BYTES = 4 * MAXIMUM_FILE_BYTES;

const jsonName = /^(\d{1,16})-[0-9a-f]{12}\.json$/;
const documentName = /^(\d{1,16})-[0-9a-f]{12}\.\d+\.md$/;
const LATEST_TIME = 8.64e15;
const FOLDER = ['.sidekeep', 'trash'] as const;

/** A file of the trash that has not expired. */
export interface DeletedFile {
  readonly name: string;
  readonly deletedAt: number;
}

/**
 * The files in which an owner's deleted entries are kept: `.sidekeep/trash/<ms>-<12 hex>.json`, one for each write, with the
 * document of a deleted plan beside it. What is in them is the business of whoever put it there.
 */
export class DeletedFiles {
  readonly #folder: OwnerFolder;
  readonly #now: () => number;
  readonly #report: (where: string, error: unknown) => void;
  /** The last time that a file was named by; null before the first look. */
  #newest: number | null = null;

  constructor(folder: OwnerFolder, now: () => number, report: (where: string, error: unknown) => void) {
    this.#folder = folder;
    this.#now = now;
    this.#report = report;
  }

  /**
   * Keeps what is about to be taken out of a list; resolves when it is on the disk.
   *
   * @param bytesOf What to keep, by the time of the delete.
   * @returns For each of `count` items the id by which it comes back.
   */
  async keep(count: number, bytesOf: (deletedAt: number) => Buffer): Promise<string[]> {
    if (count === 0) return [];
    await this.#folder.prepareFolder(...FOLDER);
    for (;;) {
      const deletedAt = nextTime(this.#newest === null ? await this.#times() : [this.#newest], this.#now());
      const name = `${deletedAt}-${randomBytes(6).toString('hex')}`;
      const made = await createDurably(this.#folder.fileSystem, await this.path(`${name}.json`), bytesOf(deletedAt));
      this.#newest = deletedAt;
      if (made !== 'taken') return Array.from({ length: count }, (_item, index) => `${name}.${index}`);
    }
  }

  /**
   * Takes back what was kept for a change that was then not made. It may fail without harm: what is in the lists is not
   * shown as deleted.
   */
  async discard(ids: readonly string[]): Promise<void> {
    for (const name of new Set(ids.map((id) => fileOfItem(id)))) {
      try {
        await this.#folder.fileSystem.unlink(await this.path(name));
      } catch (error) {
        if (!isMissing(error)) this.#report('taking back what was kept of a delete', error);
      }
    }
  }

  /** The files that can still be brought back from, newest first; and the names of everything beside them. */
  async list(): Promise<{ files: DeletedFile[]; names: readonly string[] }> {
    const names = await this.#names();
    const files = names
      .map((name) => ({ name, deletedAt: timeOfDelete(jsonName, name) }))
      .filter((file): file is DeletedFile => file.deletedAt !== null && !this.isExpired(file.deletedAt))
      .sort((left, right) => right.deletedAt - left.deletedAt || (left.name < right.name ? 1 : -1));
    return { files, names };
  }

  /** The documents of deleted plans that can still be brought back, newest first. */
  async documents(): Promise<DeletedFile[]> {
    return (await this.#names())
      .map((name) => ({ name, deletedAt: timeOfDelete(documentName, name) }))
      .filter((file): file is DeletedFile => file.deletedAt !== null && !this.isExpired(file.deletedAt))
      .sort((left, right) => right.deletedAt - left.deletedAt);
  }

  /**
   * The file that an item of the trash is in, and its place there.
   *
   * @throws Failure `not-found` when it is gone for good.
   */
  async read(id: string): Promise<{ bytes: Buffer; index: number; deletedAt: number }> {
    const deletedAt = TrashId.safeParse(id).success ? timeOfDelete(jsonName, fileOfItem(id)) : null;
    if (deletedAt === null || this.isExpired(deletedAt)) throw goneForGood();
    const read = await readWhole(this.#folder.fileSystem, await this.path(fileOfItem(id)), {
      limit: LARGEST_TRASH_BYTES,
    });
    if (read.state === 'unknown') throw read.failure;
    if (read.state === 'missing') throw goneForGood();
    return { bytes: read.bytes, index: Number(id.slice(id.lastIndexOf('.') + 1)), deletedAt };
  }

  /** Removes for good what was deleted 30 days ago, and no stranger; answers how many files that were. */
  async purge(): Promise<number> {
    const { path, names } = await lookInto(this.#folder, 'trash');
    let removed = 0;
    for (const name of names) {
      const isDocument = documentName.test(name);
      const deletedAt = timeOfDelete(isDocument ? documentName : jsonName, name);
      if (deletedAt === null || !this.isExpired(deletedAt)) continue;
      try {
        const status = await this.#folder.fileSystem.lstat(join(path, name));
        // A plan can have been a link; nothing else of ours is one.
        if (!status.isFile() && !(isDocument && status.isSymbolicLink())) continue;
        await this.#folder.fileSystem.unlink(join(path, name));
        removed++;
      } catch (error) {
        if (!isMissing(error)) this.#report('emptying the trash', error);
      }
    }
    return removed;
  }

  /** The path of a file of the trash. */
  path(name: string): Promise<string> {
    return this.#folder.locate(...FOLDER, name);
  }

  /** Whether what was deleted at this time has gone for good. */
  isExpired(deletedAt: number): boolean {
    return deletedAt + TRASH_LIFETIME_MS <= this.#now();
  }

  async #names(): Promise<readonly string[]> {
    return (await lookInto(this.#folder, 'trash')).names;
  }

  async #times(): Promise<number[]> {
    return (await this.#names()).map((name) => timeOfDelete(jsonName, name)).filter((time) => time !== null);
  }
}

/** The name of the file that an item of the trash is in. */
export const fileOfItem = (id: string): string => `${id.slice(0, id.lastIndexOf('.'))}.json`;

/** Told of an item that cannot be brought back any more. */
export function goneForGood(): Failure {
  return new Failure(
    'not-found',
    'This cannot be brought back any more: what is deleted is kept for 30 days. Earlier versions of the context may still hold it.',
  );
}

/** Refuses the files of the trash that a newer program wrote. */
export function newerTrash(): Failure {
  return new Failure(
    'newer-version',
    'This was deleted by a newer program, which alone can bring it back. Nothing was changed. Update Sidekeep.',
  );
}

/** The time in a name of ours; null for any other name, and for a time that no date can hold. */
function timeOfDelete(pattern: RegExp, name: string): number | null {
  const time = Number(pattern.exec(name)?.[1] ?? Number.NaN);
  return time + TRASH_LIFETIME_MS <= LATEST_TIME ? time : null;
}
