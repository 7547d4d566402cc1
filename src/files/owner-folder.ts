import { dirname } from 'node:path';
import { Failure } from '../contract/errors.ts';
import { guard, isMissing } from './failures.ts';
import type { FileSystem } from './file-system.ts';
import { makeFolderDurably } from './folders.ts';
import type { Root } from './root.ts';
import type { Replacer, Unchanged } from './verified-replace.ts';

const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/**
 * Why an id cannot name a folder on this platform; null when it can. Windows takes device names for devices, `:` for a
 * stream of a file, and drops trailing dots, so two ids would share one folder.
 */
export function idProblem(id: string, platform: NodeJS.Platform): string | null {
  if (platform !== 'win32') return null;
  if (device.test(id)) return 'it is the name of a device on Windows';
  if (id.includes(':')) return 'it holds a colon';
  return id.endsWith('.') ? 'it ends in a dot' : null;
}

/**
 * The folder that a new folder would share a place with on a disk that takes upper and lower case for the same; null when
 * there is none.
 *
 * @param names Names in the parent folder.
 */
export function caseClash(id: string, names: readonly string[], foldsCase: boolean): string | null {
  if (!foldsCase || names.includes(id)) return null;
  return names.find((name) => name.toLowerCase() === id.toLowerCase()) ?? null;
}

/** Whether the data folder was seen in this run: what was there and is gone is not "empty". */
export interface SeenFolders {
  root: boolean;
  projects: boolean;
}

/** What a write needs beside the file system. */
export interface WriteAccess {
  /** Makes sure, before a write, that this process owns the root; may create it. */
  claim(): Promise<void>;
  /** What proves that it does without that; an empty list where nobody else can; null where it has to be made sure. */
  proofs(): readonly Unchanged[] | null;
  /** Makes the writes that prove themselves. */
  readonly replacer: Replacer;
}

/** The folder of one owner's files: the root itself, or one below `projects/`. */
export class OwnerFolder {
  readonly fileSystem: FileSystem;
  readonly root: Root;
  /** Names below the root; empty for the root itself. */
  readonly place: readonly string[];
  readonly #seen: SeenFolders;
  readonly #access: WriteAccess;
  /** Whether a folder of exactly this name was seen. */
  #exactName = false;

  /** @param owner Name of the folder below `projects/`; null for the root itself. */
  constructor(fileSystem: FileSystem, root: Root, owner: string | null, seen: SeenFolders, access: WriteAccess) {
    this.fileSystem = fileSystem;
    this.root = root;
    this.place = owner === null ? [] : ['projects', owner];
    this.#seen = seen;
    this.#access = access;
  }

  /** Path of something in the folder; see `Root.locate`. */
  locate(...names: readonly string[]): Promise<string> {
    return this.root.locate(...this.place, ...names);
  }

  /** The same. @throws Failure `invalid` when the folder is that of another owner, on a disk that folds case. */
  async locateOwn(...names: readonly string[]): Promise<string> {
    const path = await this.locate(...names);
    await this.#refuseCaseClash();
    return path;
  }

  /** Whether the folder is there. */
  isThere(): Promise<boolean> {
    return this.root.has(...this.place);
  }

  /** Makes sure that the folder of a file of this owner is there before it is written. */
  async prepareFolder(...names: readonly string[]): Promise<void> {
    await this.checkSeen();
    await this.#access.claim();
    try {
      const folder = await this.locate(...names);
      await this.#refuseCaseClash();
      await makeFolderDurably(this.fileSystem, folder);
      this.markSeen();
      // The last name was not looked at: nothing may be written through a link there either.
      await this.locate(...names, 'x');
    } catch (error) {
      if (names[0] === '.sidekeep' && error instanceof Failure) throw namedFailure(error);
      throw error;
    }
  }

  /** Makes sure that this process owns the root, before a write in a folder that is known to be there. */
  claim(): Promise<void> {
    return this.#access.claim();
  }

  /** See {@link WriteAccess.proofs}. */
  proofs(): readonly Unchanged[] | null {
    return this.#access.proofs();
  }

  /** Makes the writes that prove themselves. */
  get replacer(): Replacer {
    return this.#access.replacer;
  }

  /**
   * Notices whether the data folder is there.
   *
   * @throws Failure `io` with `detail.reason` `root-missing` when it was there in this run and is gone.
   */
  async checkSeen(): Promise<void> {
    await noticeFolders(this.root, this.#seen);
  }

  /** Says that something in the folder was just read. */
  markSeen(): void {
    this.#seen.root = true;
    if (this.place.length > 0) this.#seen.projects = true;
  }

  async #refuseCaseClash(): Promise<void> {
    const name = this.place.at(-1);
    if (this.#exactName || name === undefined) return;
    const folder = await this.root.locate(...this.place);
    let names: string[];
    try {
      names = await guard(() => this.fileSystem.readdir(dirname(folder)), 'The stored data could not be read');
    } catch (error) {
      if (error instanceof Failure && isMissing(error.cause)) return;
      throw error;
    }
    this.#exactName = names.includes(name);
    // The exact name is not there, yet the disk finds something by it: it folds case.
    const folds = !this.#exactName && (await exists(this.fileSystem, folder));
    const other = caseClash(name, names, folds);
    if (other === null) return;
    throw new Failure(
      'invalid',
      'Another project differs from this one only in upper and lower case, which this disk does not tell apart. Nothing was changed.',
      { detail: { other } },
    );
  }
}

/** See {@link OwnerFolder.checkSeen}. */
export async function noticeFolders(root: Root, seen: SeenFolders): Promise<void> {
  const projects = await root.has('projects');
  const folder = projects || (await root.has());
  if ((seen.projects && !projects) || (seen.root && !folder)) {
    throw new Failure(
      'io',
      'The data folder is gone; it may have been moved, or its disk is not connected. Nothing was changed. Bring it back and try again.',
      { detail: { reason: 'root-missing' } },
    );
  }
  seen.root = folder;
  seen.projects = projects;
}

async function exists(fileSystem: FileSystem, path: string): Promise<boolean> {
  try {
    await guard(() => fileSystem.lstat(path));
    return true;
  } catch (error) {
    if (error instanceof Failure && isMissing(error.cause)) return false;
    throw error;
  }
}

/** Says which folder it is about: of this one a person knows nothing. */
function namedFailure(failure: Failure): Failure {
  const reason = failure.detail?.reason;
  if (reason !== 'link' && reason !== 'not-a-folder') return failure;
  const what = reason === 'link' ? 'A link' : 'A file';
  return new Failure(
    'io',
    `${what} stands where Sidekeep keeps what is deleted: “.sidekeep” in the folder of these data. Nothing was changed. Move it away and try again.`,
    { detail: failure.detail ?? {}, cause: failure },
  );
}
