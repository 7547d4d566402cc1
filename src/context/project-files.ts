import { dirname } from 'node:path';
import { Failure } from '../contract/errors.ts';
import {
  type FileSystem,
  guard,
  isMissing,
  makeFolderDurably,
  type Replacer,
  type Root,
  type Unchanged,
} from '../files/index.ts';

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

/** Where one owner's files are. */
export class ProjectFiles {
  readonly fileSystem: FileSystem;
  readonly root: Root;
  readonly id: string;
  readonly #seen: SeenFolders;
  readonly #access: WriteAccess;
  /** Whether a folder of exactly this name was seen. */
  #exactName = false;

  constructor(fileSystem: FileSystem, root: Root, id: string, seen: SeenFolders, access: WriteAccess) {
    this.fileSystem = fileSystem;
    this.root = root;
    this.id = id;
    this.#seen = seen;
    this.#access = access;
  }

  /** @throws Failure `invalid` when the folder is that of another owner, on a disk that folds case. */
  async contextPath(): Promise<string> {
    const path = await this.root.locate('projects', this.id, 'context.json');
    await this.#refuseCaseClash();
    return path;
  }

  planPath(file: string): Promise<string> {
    return this.root.locate('projects', this.id, 'plans', file);
  }

  /** The settings file of the client, old home of notes, todos and plan links. */
  legacyPath(): Promise<string> {
    return this.root.locate('projects', `${this.id}.json`);
  }

  migrationLogPath(): Promise<string> {
    return this.root.locate('projects', this.id, '.sidekeep', 'migration.json');
  }

  mergeLogPath(): Promise<string> {
    return this.root.locate('projects', this.id, '.sidekeep', 'merge-log.json');
  }

  /** Makes sure that the folder of a file of this owner is there before it is written. */
  async prepareFolder(...names: readonly string[]): Promise<void> {
    await this.checkSeen();
    await this.#access.claim();
    try {
      const folder = await this.root.locate('projects', this.id, ...names);
      await this.#refuseCaseClash();
      await makeFolderDurably(this.fileSystem, folder);
      this.#seen.root = this.#seen.projects = true;
      // The last name was not looked at: nothing may be written through a link there either.
      await this.root.locate('projects', this.id, ...names, 'x');
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

  /** Says that something below `projects/` was just read. */
  markSeen(): void {
    this.#seen.root = this.#seen.projects = true;
  }

  async #refuseCaseClash(): Promise<void> {
    if (this.#exactName) return;
    const folder = await this.root.locate('projects', this.id);
    let names: string[];
    try {
      names = await guard(() => this.fileSystem.readdir(dirname(folder)), 'The stored data could not be read');
    } catch (error) {
      if (error instanceof Failure && isMissing(error.cause)) return;
      throw error;
    }
    this.#exactName = names.includes(this.id);
    // The exact name is not there, yet the disk finds something by it: it folds case.
    const folds = !this.#exactName && (await exists(this.fileSystem, folder));
    const other = caseClash(this.id, names, folds);
    if (other === null) return;
    throw new Failure(
      'invalid',
      'Another project differs from this one only in upper and lower case, which this disk does not tell apart. Nothing was changed.',
      { detail: { other } },
    );
  }
}

/** See {@link ProjectFiles.checkSeen}. */
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
    `${what} stands where Sidekeep keeps what is deleted: “.sidekeep” in the folder of this project's data. Nothing was changed. Move it away and try again.`,
    { detail: failure.detail ?? {}, cause: failure },
  );
}
