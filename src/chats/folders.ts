import { randomUUID } from 'node:crypto';
import { dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import { ChatFolder } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  childPath,
  type FileStatus,
  type FileSystem,
  FOLDER_MODE,
  guard,
  isInside,
  isMissing,
  makeFolderDurably,
  nodeFileSystem,
  Root,
  resolveExisting,
  syncFolder,
  systemCode,
} from '../files/index.ts';
import { sizeOf } from '../sessions/trash-files.ts';
import { dayOf } from './day.ts';

export interface ChatFoldersOptions {
  /** Folder of all chats; it need not exist, and may be a link. */
  root: string;
  fileSystem?: FileSystem;
  /** In ms since 1970. */
  now?: () => number;
  /** Time zone of the days; that of this machine when left out. */
  timeZone?: string;
  /** What makes a new folder's name its own; for tests. */
  newName?: () => string;
}

/** What stands at the place of a chat's folder. `other` is neither a folder nor a link. */
export interface FolderLook {
  readonly state: 'missing' | 'folder' | 'link' | 'other';
  /** Files in it at any depth; links in it count as one, and are not followed. */
  readonly files: number;
  /** Whether nothing at all is in it. */
  readonly isEmpty: boolean;
}

/** A chat's folder as a look at all of them finds it. */
export interface FoundFolder {
  readonly place: ChatFolder;
  /** When a name in it last came or went, in ms since 1970. */
  readonly modifiedAt: number;
}

const MAKE_FAILED = 'The folder of the chat could not be made';
const READ_FAILED = 'The folder of the chat could not be looked at';
const REMOVE_FAILED = 'The empty folder of the chat could not be removed';
/** Names that are tried until one is free, and days that another program removes meanwhile. */
const MOST_TRIES = 5;
const dayShape = /^\d{4}-\d{2}-\d{2}$/;
/** What a folder says that cannot be removed because it holds something. */
const filled = ['ENOTEMPTY', 'EEXIST'];

/**
 * The folders of chats: `<root>/<local day>/session-<uuid>` (docs/formats/context-format.md, section 11). Nothing else makes
 * or removes them. What is removed here is removed by `rmdir`, which takes no folder that holds anything, and a link as a
 * link. A folder is named by its place, `<day>/<name>`; nothing else below the root is ever touched.
 */
export class ChatFolders {
  readonly #fileSystem: FileSystem;
  readonly #given: string;
  readonly #root: Root;
  readonly #now: () => number;
  readonly #timeZone: string | undefined;
  readonly #newName: () => string;

  constructor({
    root,
    fileSystem = nodeFileSystem,
    now = Date.now,
    timeZone,
    newName = randomUUID,
  }: ChatFoldersOptions) {
    this.#fileSystem = fileSystem;
    this.#given = resolve(root);
    this.#root = new Root(fileSystem, root);
    this.#now = now;
    this.#timeZone = timeZone;
    this.#newName = newName;
  }

  /** Makes a new folder in the folder of today, durably. @throws Failure `io`. */
  async make(): Promise<ChatFolder> {
    return guard(
      async () => {
        for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
          const place = `${dayOf(this.#now(), this.#timeZone)}/session-${this.#newName()}`;
          if (await this.#makeAt(place)) return place;
        }
        throw new Failure('io', `${MAKE_FAILED}: no free name was found. Nothing was changed. Try again.`);
      },
      MAKE_FAILED,
      'Nothing was changed.',
    );
  }

  /** Path of a folder as a session names it: the root as it was given, with the place behind. */
  pathOf(place: ChatFolder): string {
    return childPath(this.#given, ...namesOf(place));
  }

  /**
   * The place that a path names exactly: the root, however it is reached, with a day and a name of a chat's folder behind it.
   *
   * @returns Null for the root itself, a day, anything deeper, a path with `.` or `..`, any other shape, and where it cannot be
   *   told.
   */
  async placeOf(directory: string): Promise<ChatFolder | null> {
    if (!isAbsolute(directory) || directory.includes('\0')) return null;
    const segments = directory.split(/[/\\]/);
    const place = ChatFolder.safeParse(segments.slice(-2).join('/'));
    const above = segments.slice(0, -2);
    if (!place.success || segments.includes('.') || segments.includes('..')) return null;
    const parent = dirname(dirname(directory));
    if (above.slice(1).includes('')) return null;
    if (parent === this.#given) return place.data;
    try {
      const root = await this.#root.path();
      return parent === root || (await this.#fileSystem.realpath(parent)) === root ? place.data : null;
    } catch (error) {
      // What cannot be resolved is not known to be ours, so it is left alone.
      if (systemCode(error) === null && !(error instanceof Failure)) throw error;
      return null;
    }
  }

  /**
   * Whether a directory that a session names is a chat's folder or lies in it, by its text or by where its links lead.
   *
   * @throws Failure `io` when it cannot be told.
   */
  async holds(place: ChatFolder, directory: string): Promise<boolean> {
    if (!isAbsolute(directory) || directory.includes('\0')) return false;
    const root = await this.#root.path();
    const text = normalize(directory);
    // Too many are taken for users rather than too few: upper and lower case may be the same to the disk.
    const isIn = (folder: string, path: string): boolean => isInside(fold(folder), fold(path));
    if ([this.#given, root].some((above) => isIn(childPath(above, ...namesOf(place)), text))) return true;
    return isIn(childPath(root, ...namesOf(place)), await resolveExisting(this.#fileSystem, text));
  }

  /**
   * Path of a place. No link leads there below the root; the folder itself may be one.
   *
   * @throws Failure `invalid` for what is no place; `io` with `detail.reason` `link`.
   */
  async locate(place: string): Promise<string> {
    return this.#root.locate(...namesOf(place));
  }

  /** What is at a place, with the number of its files. @throws Failure `io`. */
  async look(place: ChatFolder, signal?: AbortSignal): Promise<FolderLook> {
    const path = await this.locate(place);
    return guard(
      async () => {
        const status = await this.#statusOf(path);
        if (status === null) return { state: 'missing', files: 0, isEmpty: true };
        if (status.isSymbolicLink()) return { state: 'link', files: 0, isEmpty: true };
        if (!status.isDirectory()) return { state: 'other', files: 1, isEmpty: false };
        const names = await this.#fileSystem.readdir(path);
        const { files } = names.length === 0 ? { files: 0 } : await sizeOf(this.#fileSystem, path, signal);
        return { state: 'folder', files, isEmpty: names.length === 0 };
      },
      READ_FAILED,
      'It is unchanged.',
    );
  }

  /** Whether certainly nothing is at a place. @throws Failure `io` when that cannot be told. */
  async isMissing(place: ChatFolder): Promise<boolean> {
    const path = await this.locate(place);
    return guard(async () => (await this.#statusOf(path)) === null, READ_FAILED, 'It is unchanged.');
  }

  /** Makes a folder again that certainly is not there; whatever stands there is left as it is. @returns Whether it was made. */
  async renew(place: ChatFolder): Promise<boolean> {
    return guard(
      async () => {
        for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
          if ((await this.#statusOf(await this.locate(place))) !== null) return false;
          if (await this.#makeAt(place)) return true;
        }
        return false;
      },
      MAKE_FAILED,
      'Nothing was changed.',
    );
  }

  /**
   * Removes a folder if nothing is in it, and its day if nothing is in that any more; a link instead of it is removed, never
   * what it points to. Nobody must use it: that is for the caller to know.
   *
   * @returns Whether it is gone; false when something is in it.
   * @throws Failure `io`.
   */
  async removeEmpty(place: ChatFolder): Promise<boolean> {
    const path = await this.locate(place);
    return guard(
      async () => {
        const status = await this.#statusOf(path);
        if (status !== null && !status.isSymbolicLink() && !status.isDirectory()) return false;
        if (status !== null && !(await this.#remove(path, status))) return false;
        await this.tidy(place);
        return true;
      },
      REMOVE_FAILED,
      'It is where it was.',
    );
  }

  /** Makes the day that a place lies in, durably. */
  async makeRoom(place: string): Promise<void> {
    await makeFolderDurably(this.#fileSystem, dirname(await this.locate(place)));
  }

  /** Removes the day that a place lies in, if it is empty. */
  async tidy(place: string): Promise<void> {
    await this.#removeDay(dirname(await this.locate(place)));
  }

  /**
   * All folders that have the shape of a chat's, by days.
   *
   * @throws Failure `io` when the root cannot be read. A day that cannot be, or is reached by a link, is left out.
   */
  async *list(): AsyncGenerator<{ day: string; modifiedAt: number; folders: FoundFolder[] }> {
    const root = await this.#root.path();
    const days = await guard(() => this.#namesIn(root), READ_FAILED, 'It is unchanged.');
    for (const day of days.filter((name) => dayShape.test(name)).sort()) {
      try {
        const path = childPath(root, day);
        const status = await this.#statusOf(path);
        if (!status?.isDirectory()) continue;
        const folders: FoundFolder[] = [];
        for (const name of (await this.#namesIn(path)).sort()) {
          const place = ChatFolder.safeParse(`${day}/${name}`);
          if (!place.success) continue;
          const found = await this.#statusOf(join(path, name));
          if (found !== null) folders.push({ place: place.data, modifiedAt: millisecondsOf(found) });
        }
        yield { day, modifiedAt: millisecondsOf(status), folders };
      } catch (error) {
        // What cannot be looked at is left as it is; the other days are looked at all the same.
        if (systemCode(error) === null) throw error;
      }
    }
  }

  /** Removes a day that is empty; one that is not, or cannot be removed, harms nobody. */
  async removeEmptyDay(day: string): Promise<void> {
    await this.#removeDay(dirname(await this.#root.locate(day, 'x')));
  }

  /** @returns Whether it was made; false when the name is taken, or its day was removed meanwhile. */
  async #makeAt(place: ChatFolder): Promise<boolean> {
    const path = await this.locate(place);
    await makeFolderDurably(this.#fileSystem, dirname(path));
    try {
      await this.#fileSystem.mkdir(path, FOLDER_MODE);
      await syncFolder(this.#fileSystem, dirname(path));
      return true;
    } catch (error) {
      if (systemCode(error) === 'EEXIST' || isMissing(error)) return false;
      throw error;
    }
  }

  /** @returns False when something is in it. */
  async #remove(path: string, status: FileStatus): Promise<boolean> {
    try {
      await (status.isSymbolicLink() ? this.#fileSystem.unlink(path) : this.#fileSystem.rmdir(path));
    } catch (error) {
      if (filled.includes(systemCode(error) ?? '')) return false;
      if (!isMissing(error)) throw error;
    }
    await syncFolder(this.#fileSystem, dirname(path)).catch((error: unknown) => {
      // The day went with its last folder, by another program.
      if (!isMissing(error)) throw error;
    });
    return true;
  }

  async #removeDay(path: string): Promise<void> {
    try {
      await this.#fileSystem.rmdir(path);
      await syncFolder(this.#fileSystem, dirname(path));
    } catch (error) {
      // It holds something, is gone, or cannot be removed: an empty day harms nobody.
      if (systemCode(error) === null) throw error;
    }
  }

  async #statusOf(path: string): Promise<FileStatus | null> {
    try {
      return await this.#fileSystem.lstat(path);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async #namesIn(path: string): Promise<string[]> {
    try {
      return await this.#fileSystem.readdir(path);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }
}

/** The two names of a place. @throws Failure `invalid`. */
function namesOf(place: string): [day: string, name: string] {
  const [day, name] = place.split('/');
  if (!ChatFolder.safeParse(place).success || day === undefined || name === undefined) {
    throw new Failure('invalid', 'This is not the folder of a chat. Nothing was changed.');
  }
  return [day, name];
}

const millisecondsOf = ({ mtimeNs }: FileStatus): number => Number(mtimeNs / 1_000_000n);

const fold = (path: string): string => path.normalize('NFC').toLowerCase();
