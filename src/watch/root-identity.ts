import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** What stands where the root should be. */
export type RootSight =
  | { state: 'present'; root: string; identity: string; changes: FolderChanges }
  | { state: 'absent'; isFile: boolean }
  | { state: 'unknown'; error: Error };

/**
 * Times (ns) at which entries last came to or went from the root (`root`) and folders right below it (by name); null where
 * there is no folder.
 */
export type FolderChanges = Readonly<Record<string, bigint | null>>;

const isMissing = (error: unknown): boolean => error instanceof Error && codeOf(error) === 'ENOENT';

/**
 * Looks at the root once, and at the times of the folders below it that are named; never throws. Two sights with the same
 * identity are of the same folder.
 */
export const lookAtRoot = async (root: string, probed: readonly string[]): Promise<RootSight> => {
  try {
    const resolved = await realpath(root);
    const stats = await stat(resolved, { bigint: true });
    if (!stats.isDirectory()) {
      return { state: 'absent', isFile: true };
    }
    const times = await Promise.all(
      probed.map(async (name) => [name, await entriesChanged(path.join(resolved, name))] as const),
    );
    return {
      state: 'present',
      root: resolved,
      // An inode number can be used again at once, so the time of birth is part of it.
      identity: `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`,
      changes: { ...Object.fromEntries(times), root: stats.mtimeNs },
    };
  } catch (error) {
    if (isMissing(error)) return { state: 'absent', isFile: false };
    const cause = error instanceof Error ? error : new Error(String(error));
    return { state: 'unknown', error: cause };
  }
};

const entriesChanged = async (folder: string): Promise<bigint | null> => {
  try {
    // What lies behind a link is not watched, so its events are not missed either.
    const stats = await lstat(folder, { bigint: true });
    return stats.isDirectory() ? stats.mtimeNs : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/** The operating system's code of an error, or its name. */
export const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;
