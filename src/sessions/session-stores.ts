import { dirname, join } from 'node:path';
import { StoreKey } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  childPath,
  type FileSystem,
  guard,
  ioFailure,
  isMissing,
  linkFailure,
  Root,
  systemCode,
} from '../files/index.ts';

/** A folder of sessions. */
export interface SessionStore {
  readonly key: StoreKey;
  /** The folder of the sessions itself; it need not exist. No link leads to it below the root of all stores. */
  readonly root: Root;
}

/** A store that could not be looked at, with a sentence for the person. */
export interface UnreadStore {
  readonly store: StoreKey;
  readonly reason: string;
}

const READ_FAILED = 'The stores of sessions could not be read';
const PROJECT = 'project:';

/** The stores below one root: `sessions` for all, and `projects/<slug>/sessions`. */
export class SessionStores {
  readonly fileSystem: FileSystem;
  readonly root: Root;
  /** Path of the root as it was given. */
  readonly givenRoot: string;
  readonly #known = new Map<StoreKey, SessionStore>();

  /** @param sessionsRoot Absolute path; it may be a link, and need not exist. */
  constructor(fileSystem: FileSystem, sessionsRoot: string) {
    this.fileSystem = fileSystem;
    this.root = new Root(fileSystem, sessionsRoot);
    this.givenRoot = sessionsRoot;
  }

  /**
   * The store for all first, whether its folder is there or not, then those of workspaces by name. What stands in the way
   * of one store is told in `unread` and hides no other.
   *
   * @throws Failure `io` when the root itself cannot be read.
   */
  async list(): Promise<{ stores: SessionStore[]; unread: UnreadStore[] }> {
    const stores: SessionStore[] = [];
    const unread: UnreadStore[] = [];
    const take = async (key: StoreKey, mayBeMissing: boolean): Promise<void> => {
      try {
        const store = this.get(key);
        if (mayBeMissing || (await isFolder(this.fileSystem, await store.root.path()))) stores.push(store);
        await store.root.path();
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        unread.push({ store: key, reason: error.message });
        if (stores.at(-1)?.key === key) stores.pop();
      }
    };
    await take('global', true);
    for (const slug of await this.#slugs(unread)) {
      const key = StoreKey.safeParse(`${PROJECT}${slug}`);
      if (key.success) await take(key.data, false);
      else
        unread.push({
          store: placeholder(slug),
          reason: 'The folder of this workspace has a name that cannot be used.',
        });
    }
    return { stores, unread };
  }

  /**
   * A store by its key; nothing is looked at yet.
   *
   * @throws Failure `invalid` for a key that is none.
   */
  get(key: StoreKey): SessionStore {
    if (!StoreKey.safeParse(key).success || !key.isWellFormed()) {
      throw new Failure('invalid', 'This is not the name of a store of sessions. Nothing was read or changed.');
    }
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const names = key === 'global' ? ['sessions'] : ['projects', key.slice(PROJECT.length), 'sessions'];
    const store = { key, root: new StoreRoot(this.fileSystem, this.root, names) };
    this.#known.set(key, store);
    return store;
  }

  async #slugs(unread: UnreadStore[]): Promise<string[]> {
    let folder: string;
    try {
      folder = dirname(await this.root.locate('projects', 'x'));
    } catch (error) {
      if (!(error instanceof Failure) || error.detail?.reason !== 'link') throw error;
      unread.push({ store: 'global', reason: `The sessions of workspaces were not read. ${error.message}` });
      return [];
    }
    const names = await guard(
      () =>
        this.fileSystem.readdir(folder).catch((error: unknown) => {
          if (isMissing(error)) return [];
          throw error;
        }),
      READ_FAILED,
      'They are unchanged.',
    );
    return names.filter((name) => !name.startsWith('.')).sort();
  }
}

/** The folder of a store: below the root of all stores no link leads to it. */
class StoreRoot extends Root {
  readonly #fileSystem: FileSystem;
  readonly #parent: Root;
  readonly #names: readonly string[];
  #found: string | null = null;

  constructor(fileSystem: FileSystem, parent: Root, names: readonly string[]) {
    // Never asked for its own path: it is found below the parent.
    super(fileSystem, join('/', ...names));
    this.#fileSystem = fileSystem;
    this.#parent = parent;
    this.#names = names;
  }

  override async path(): Promise<string> {
    if (this.#found !== null) return this.#found;
    let path = await this.#parent.path();
    for (const name of this.#names) {
      path = childPath(path, name);
      const status = await this.#fileSystem.lstat(path).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw ioFailure(error, READ_FAILED, 'They are unchanged.');
      });
      if (status?.isSymbolicLink()) throw linkFailure();
      // What is no folder yet may still become a link.
      if (!status?.isDirectory()) return childPath(await this.#parent.path(), ...this.#names);
    }
    this.#found = path;
    return path;
  }
}

async function isFolder(fileSystem: FileSystem, path: string): Promise<boolean> {
  try {
    return (await fileSystem.lstat(path)).isDirectory();
  } catch (error) {
    // A file where a workspace's folder would be holds no sessions.
    if (isMissing(error) || systemCode(error) === 'ENOTDIR') return false;
    throw ioFailure(error, READ_FAILED, 'They are unchanged.');
  }
}

/** A key that shows which folder is meant, though none could be made of its name. */
const placeholder = (slug: string): StoreKey =>
  `${PROJECT}${slug
    .toWellFormed()
    .replace(/[/\\:\u0000-\u001f]/g, '_')
    .slice(0, 200)}`;
