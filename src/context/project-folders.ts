import { posix, win32 } from 'node:path';
import { Failure } from '../contract/errors.ts';
import { type FileSystem, ioFailure, isInside, isMissing, resolveExisting, systemCode } from '../files/index.ts';
import type { ProjectEntry } from './project-entries.ts';
import { projectIdOf, projectPathOf } from './project-id.ts';

const NOTHING_DONE = 'Nothing was changed.';

export interface ProjectFoldersOptions {
  fileSystem: FileSystem;
  /** Folder of the chats without a project; need not exist. */
  chatsRoot: string;
  platform: NodeJS.Platform;
}

/** The folder that a person named for a project, and the id that it has. */
export interface NamedFolder {
  id: string;
  /** Path to keep in the settings. */
  path: string;
}

/** Which folders can be projects, and under which ids. */
export class ProjectFolders {
  readonly #fileSystem: FileSystem;
  readonly #chatsRoot: string;
  readonly #platform: NodeJS.Platform;

  constructor({ fileSystem, chatsRoot, platform }: ProjectFoldersOptions) {
    this.#fileSystem = fileSystem;
    this.#chatsRoot = chatsRoot;
    this.#platform = platform;
  }

  /**
   * The id of a folder: that of the entry that is this folder, else that under which it has data, else a new one.
   *
   * @param path As its person named it.
   * @param found Ids that have data on disk.
   * @throws Failure `not-found` or `invalid` when it cannot be a project.
   */
  async identify(path: string, entries: readonly ProjectEntry[], found: readonly string[]): Promise<NamedFolder> {
    const folder = await this.#realPath(path);
    await this.#refuseChats(folder);
    const alias = await this.#entryOfFolder(entries, folder);
    const known = new Set([...entries.map((entry) => entry.id), ...found]);
    const id = alias?.id ?? (await this.knownIdOf(path, known, 'canonical'));
    const stored = entries.find((entry) => entry.id === id);
    if (alias === null) await this.#refuseSharedId(stored?.path ?? projectPathOf(id), folder);
    return { id, path: alias?.path ?? (projectIdOf(folder) === id ? folder : path) };
  }

  /** The id under which a folder has data: that of its text, then that of its real path; else the preferred one of them. */
  async knownIdOf(path: string, known: ReadonlySet<string>, otherwise: 'text' | 'canonical'): Promise<string> {
    const text = projectIdOf(path);
    if (known.has(text)) return text;
    const canonical = projectIdOf(await resolveExisting(this.#fileSystem, path));
    return known.has(canonical) || otherwise === 'canonical' ? canonical : text;
  }

  /** The real path of a folder that a person named. */
  async #realPath(path: string): Promise<string> {
    const { isAbsolute } = this.#platform === 'win32' ? win32 : posix;
    if (!isAbsolute(path) || path.includes('\0')) {
      throw new Failure('invalid', `A project needs the whole path of its folder. ${NOTHING_DONE}`, {
        detail: { field: 'path' },
      });
    }
    try {
      const folder = await this.#fileSystem.realpath(path);
      if ((await this.#fileSystem.stat(folder)).isDirectory()) return folder;
    } catch (error) {
      if (isMissing(error)) throw new Failure('not-found', `There is no such folder. ${NOTHING_DONE}`);
      throw ioFailure(error, 'The folder could not be read', NOTHING_DONE);
    }
    throw new Failure('invalid', `This is not a folder. ${NOTHING_DONE}`, { detail: { field: 'path' } });
  }

  async #refuseChats(folder: string): Promise<void> {
    const chats = await resolveExisting(this.#fileSystem, this.#chatsRoot);
    if (!isInside(chats, folder)) return;
    throw new Failure('invalid', `This folder belongs to the chats, which are in the list already. ${NOTHING_DONE}`, {
      detail: { field: 'path', reason: 'chats' },
    });
  }

  /**
   * Ids come from a path without the blanks around it and with every `\` as `/`, so two folders can have the same one. The
   * second is refused: it would show and change the notes of the first.
   *
   * @param owner The folder that the id stands for; null when it does not tell.
   */
  async #refuseSharedId(owner: string | null, folder: string): Promise<void> {
    if (owner === null || owner === folder) return;
    let real: string;
    try {
      real = await this.#fileSystem.realpath(owner);
    } catch (error) {
      // The other folder is gone, and its notes with it to whoever has its id now.
      if (isMissing(error) || systemCode(error) === 'ENOTDIR') return;
      throw ioFailure(error, 'Another folder with the same id could not be looked at', NOTHING_DONE);
    }
    if (real === folder) return;
    throw new Failure(
      'invalid',
      `This folder gets the same id as another one, because their paths differ only in blanks or backslashes. ${NOTHING_DONE} Rename one of them.`,
      { detail: { field: 'path', reason: 'same-id' } },
    );
  }

  /** The entry that is this folder under another text: through a link, or with another spelling. */
  async #entryOfFolder(entries: readonly ProjectEntry[], folder: string): Promise<ProjectEntry | null> {
    for (const entry of entries) {
      const path = entry.path ?? projectPathOf(entry.id);
      if (path === null) continue;
      if (path === folder) return entry;
      const real = await this.#fileSystem.realpath(path).catch(() => null);
      // A folder that cannot be resolved (moved, on a disk that is away) is at least not this one.
      if (real === folder) return entry;
    }
    return null;
  }
}
