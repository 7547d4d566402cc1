import { basename, dirname, join, resolve, sep } from 'node:path';
import { Failure } from '../contract/errors.ts';
import { ioFailure, isMissing, linkFailure } from './failures.ts';
import type { FileSystem } from './file-system.ts';

/**
 * A folder that data lives under. It may itself be reached through a link, which is resolved once; below it nothing is
 * reached through a link.
 */
export class Root {
  readonly #fileSystem: FileSystem;
  readonly #given: string;
  #resolved: string | null = null;

  /** @param path Absolute path; the folder need not exist. */
  constructor(fileSystem: FileSystem, path: string) {
    this.#fileSystem = fileSystem;
    this.#given = resolve(path);
  }

  /** Its real path. While it does not exist: the real path of what exists of it, with the rest behind. */
  async path(): Promise<string> {
    if (this.#resolved !== null) return this.#resolved;
    try {
      this.#resolved = await this.#fileSystem.realpath(this.#given);
      return this.#resolved;
    } catch (error) {
      if (!isMissing(error)) throw ioFailure(error, 'The data folder could not be read', 'It is unchanged.');
    }
    return resolveExisting(this.#fileSystem, this.#given);
  }

  /** Whether the folder, or one below it, is there. */
  async has(...names: readonly string[]): Promise<boolean> {
    const path = childPath(await this.path(), ...names);
    try {
      return (await this.#fileSystem.stat(path)).isDirectory();
    } catch (error) {
      if (isMissing(error)) return false;
      throw ioFailure(error, 'The data folder could not be read', 'It is unchanged.');
    }
  }

  /**
   * Path of something below the root, each name a direct child of the one before. A link at any of the names but the last
   * is refused; the last is left to the reader and the writer, since deleting a link is allowed.
   *
   * @throws Failure `invalid` for a name that is none, `io` with `detail.reason` `link`.
   */
  async locate(...names: readonly string[]): Promise<string> {
    const root = await this.path();
    const path = childPath(root, ...names);
    if (names.length < 2 || (await this.#isReal(dirname(path)))) return path;
    let above = root;
    for (const name of names.slice(0, -1)) {
      above = childPath(above, name);
      if (await this.#isLink(above)) throw linkFailure();
    }
    return path;
  }

  /** Whether a path certainly is its own real path: no link at any of its names. One question instead of one for each name. */
  async #isReal(path: string): Promise<boolean> {
    try {
      return (await this.#fileSystem.realpath(path)) === path;
    } catch {
      // Mostly because it does not exist yet; whatever it is, looking at each name tells it exactly.
      return false;
    }
  }

  async #isLink(path: string): Promise<boolean> {
    try {
      return (await this.#fileSystem.lstat(path)).isSymbolicLink();
    } catch (error) {
      if (isMissing(error)) return false;
      throw ioFailure(error, 'The stored data could not be read', 'It is unchanged.');
    }
  }
}

/** Joins names to a folder; each must be one plain name, so the result is below the folder. */
export function childPath(folder: string, ...names: readonly string[]): string {
  return names.reduce((parent, name) => {
    const path = join(parent, name);
    const plain = name !== '' && !/[/\\\0]/.test(name) && !/^\.+$/.test(name);
    if (!plain || dirname(path) !== parent || basename(path) !== name) {
      throw new Failure('invalid', 'This is not a name of something in the data folder. Nothing was changed.');
    }
    return path;
  }, resolve(folder));
}

/** Whether `path` is `folder` or something below it; both absolute and resolved. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The real path of the deepest part of `path` that exists, with the missing names behind it. */
export async function resolveExisting(fileSystem: FileSystem, path: string): Promise<string> {
  try {
    return await fileSystem.realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) {
      throw ioFailure(error, 'The folder could not be read', 'It is unchanged.');
    }
    return join(await resolveExisting(fileSystem, parent), basename(path));
  }
}
