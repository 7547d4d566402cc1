import type { Stats } from 'node:fs';
import path from 'node:path';
import type { ChokidarOptions, FSWatcher } from 'chokidar';
import { FolderWatcher } from './folder-watcher.ts';
import type { EntryType, TreeEvent, TreeEventKind, WatchedTree } from './watched-tree.ts';

/** How changes are noticed: told by the operating system, or looked for. */
export type Backend = 'native' | 'polling';

/** Ms between two looks when polling. */
export const pollingInterval = 1000;

/** Makes a backend. `isUnread` names the folders whose entries it must not list. */
export type CreateWatcher = (options: ChokidarOptions, isUnread: (folder: string) => boolean) => FSWatcher;

export type TreeWatchOptions = {
  tree: Pick<WatchedTree<unknown>, 'depth' | 'isWatched' | 'isUnread'>;
  /** Absolute path of an existing folder, links resolved. */
  root: string;
  backend: Backend;
  onEvent: (event: TreeEvent) => void;
  /** The tree is scanned and watched; later changes are seen. */
  onReady: () => void;
  onError: (error: Error) => void;
  /** Makes the backend; the seam through which a test delivers errors of the operating system. */
  createWatcher?: CreateWatcher;
};

/** A running watch over one root. */
export type TreeWatch = {
  /** The backend in use; an environment variable of chokidar can force another than was asked for. */
  readonly backend: Backend;
  /** Resolves when every handle is closed; no callback runs afterwards. */
  dispose(): Promise<void>;
};

const createFolderWatcher: CreateWatcher = (options, isUnread) => new FolderWatcher(options, isUnread);

/** Watches the folders of a tree below one root, one watch each, and nothing else. */
export const watchTree = (options: TreeWatchOptions): TreeWatch => {
  const { root, tree, onEvent, onReady, onError } = options;
  let disposed = false;

  const segmentsOf = (location: string): string[] | null => {
    const relative = path.relative(root, location);
    if (relative === '') return [];
    if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) return null;
    return relative.split(path.sep);
  };

  const emit = (kind: TreeEventKind, location: string): void => {
    if (disposed) return;
    const segments = segmentsOf(location);
    if (segments !== null) onEvent({ kind, segments });
  };

  const isUnread = (folder: string): boolean => {
    const segments = segmentsOf(folder);
    return segments !== null && tree.isUnread(segments);
  };

  const chokidarOptions: ChokidarOptions = {
    backend: options.backend,
    pollingInterval,
    pollingBinaryInterval: pollingInterval,
    ignoreInitial: true,
    followSymlinks: false,
    depth: tree.depth,
    // chokidar's own pairing of removal and arrival would also drop paths that merely look like an editor's temporary
    // files, a root that ends in "~" among them. The hint queue pairs them instead.
    atomic: false,
    ignored: (location, stats) => {
      const segments = segmentsOf(location);
      // Null lies above the root: not ours to filter, chokidar walks through it only to reach the root.
      return segments !== null && !tree.isWatched(segments, typeOf(stats));
    },
  };
  const watcher = (options.createWatcher ?? createFolderWatcher)(chokidarOptions, isUnread);

  watcher.on('error', (error) => {
    if (!disposed) onError(error instanceof Error ? error : new Error(String(error)));
  });
  watcher.on('ready', () => {
    if (!disposed) onReady();
  });
  watcher.on('all', (kind, location) => {
    if (isTreeEventKind(kind)) emit(kind, location);
  });
  // chokidar joins changes that look alike by size, time and inode. The operating system's notices are not joined, and are
  // all that is told of an unread folder.
  watcher.on('raw', (word, name, details) => {
    const folder = watchedFolderOf(details);
    if (folder === null) {
      // A poll names the folder whose time changed, never an entry.
      if (name !== null && isUnread(name)) emit('notice', name);
      return;
    }
    emit(
      word === 'change' && isUnread(folder) ? 'change' : 'notice',
      name === null ? folder : path.resolve(folder, name),
    );
  });
  watcher.add(root);

  return {
    backend: watcher.options.usePolling ? 'polling' : 'native',
    dispose: async () => {
      disposed = true;
      await watcher.close();
    },
  };
};

const typeOf = (stats: Stats | undefined): EntryType => {
  if (stats === undefined) return 'unknown';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
};

const isTreeEventKind = (kind: string): kind is TreeEventKind =>
  kind === 'add' || kind === 'addDir' || kind === 'change' || kind === 'unlink' || kind === 'unlinkDir';

/** The folder that a notice is about; a poll's notice has none. */
const watchedFolderOf = (details: unknown): string | null => {
  if (typeof details !== 'object' || details === null || !('watchedPath' in details)) return null;
  return typeof details.watchedPath === 'string' ? details.watchedPath : null;
};
