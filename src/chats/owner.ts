import { posix, win32 } from 'node:path';
import { projectIdOf, projectPathOf } from '../context/project-id.ts';
import type { ProjectId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { type FileSystem, isInside, nodeFileSystem, systemCode } from '../files/index.ts';
import { primaryWorktree } from './worktree.ts';

/** A project as the resolver needs it. */
export interface KnownProject {
  readonly id: ProjectId;
  /** Its folder; null where neither the settings nor the id tell it. */
  readonly path: string | null;
}

export interface OwnerResolverOptions {
  /** Folder of the chats without a project; need not exist. */
  chatsRoot: string;
  /** Id of the chats root. */
  chatsId: () => Promise<ProjectId>;
  /** The projects as they are now, hidden ones included. */
  projects: () => Promise<readonly KnownProject[]>;
  fileSystem?: FileSystem;
  platform?: NodeJS.Platform;
  /** How long the search for a worktree may take, in ms. */
  worktreeLimit?: number;
}

const WORKTREE_LIMIT = 2000;
/** Links that lead to each other are given up after this many names. */
const MOST_NAMES = 1000;

/**
 * Whose a directory is (docs/formats/context-format.md, section 12), in this order: the chats root and everything in it, a
 * known project's folder, the root of the primary git worktree, the directory itself. Links, and on systems that do not
 * tell upper from lower case that too, are resolved here and nowhere else. It only reads.
 */
export class OwnerResolver {
  readonly #options: OwnerResolverOptions;
  readonly #fileSystem: FileSystem;
  readonly #platform: NodeJS.Platform;
  /** Real paths of project folders by their texts. */
  #real = new Map<string, Promise<string>>();

  constructor(options: OwnerResolverOptions) {
    this.#options = options;
    this.#fileSystem = options.fileSystem ?? nodeFileSystem;
    this.#platform = options.platform ?? process.platform;
  }

  /**
   * The owner of a directory, which need not exist: what is gone is resolved by its deepest part that is there.
   *
   * @returns Null for a blank path and for one that is not absolute.
   */
  async ownerOf(directory: string): Promise<ProjectId | null> {
    const { isAbsolute, normalize } = this.#platform === 'win32' ? win32 : posix;
    if (directory.trim() === '' || directory.includes('\0') || !isAbsolute(directory)) return null;
    const folder = await this.#realPath(normalize(directory));
    if (isInside(this.#fold(await this.#realPath(this.#options.chatsRoot)), this.#fold(folder))) {
      return this.#options.chatsId();
    }
    const projects = await this.#options.projects();
    const project = await this.#projectAt(folder, projects);
    if (project !== null) return project;
    const root = await this.#worktreeOf(folder);
    if (root === null || root === folder) return idAt(folder, directory, projects);
    return (await this.#projectAt(root, projects)) ?? idAt(root, root, projects);
  }

  /** The projects or the links to their folders may be others now. */
  projectsChanged(): void {
    this.#real = new Map();
  }

  /** The known project whose folder this is. */
  async #projectAt(folder: string, projects: readonly KnownProject[]): Promise<ProjectId | null> {
    const wanted = this.#fold(folder);
    for (const { id, path } of projects) {
      const own = path ?? projectPathOf(id);
      if (own !== null && this.#fold(own) === wanted) return id;
    }
    for (const { id, path } of projects) {
      const own = path ?? projectPathOf(id);
      if (own !== null && this.#fold(await this.#realPathOnce(own)) === wanted) return id;
    }
    return null;
  }

  #realPathOnce(path: string): Promise<string> {
    let real = this.#real.get(path);
    if (real === undefined) {
      real = this.#realPath(path);
      this.#real.set(path, real);
    }
    return real;
  }

  /** The real path of the deepest part that is there, with the rest behind it. */
  async #realPath(path: string): Promise<string> {
    const { dirname, basename, join } = this.#platform === 'win32' ? win32 : posix;
    const rest: string[] = [];
    let part = path;
    for (let names = 0; names < MOST_NAMES; names++) {
      try {
        return join(await this.#fileSystem.realpath(part), ...rest);
      } catch (error) {
        // Gone, below a file, in a loop of links, not ours to look at: whatever it is, the part above it may be resolved.
        if (systemCode(error) === null) throw error;
        const parent = dirname(part);
        if (parent === part) break;
        rest.unshift(basename(part));
        part = parent;
      }
    }
    return path;
  }

  /** Null when there is none, or it cannot be told, or that takes too long: then the directory stands for itself. */
  async #worktreeOf(folder: string): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.#options.worktreeLimit ?? WORKTREE_LIMIT);
    });
    const search = primaryWorktree(this.#fileSystem, folder).catch((error: unknown) => {
      if (systemCode(error) === null && !(error instanceof Failure)) throw error;
      return null;
    });
    try {
      const root = await Promise.race([search, late]);
      return root === null ? null : await this.#realPath(root);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Systems whose disks mostly do not tell upper from lower case: there, paths that differ only in it are one. */
  #fold(path: string): string {
    const folds = this.#platform === 'win32' || this.#platform === 'darwin';
    return folds ? path.normalize('NFC').toLowerCase() : path;
  }
}

/** The id of a folder: the one of its text if that is known, else that of its real path. */
function idAt(folder: string, text: string, projects: readonly KnownProject[]): ProjectId {
  const id = projectIdOf(text);
  return projects.some((project) => project.id === id) ? id : projectIdOf(folder);
}
