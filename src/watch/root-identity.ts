import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** What stands where the root should be. */
export type RootSight =
  | { state: 'present'; root: string; identity: string; changes: FolderChanges }
  | { state: 'absent'; reason: string; isFile: boolean }
  | { state: 'unknown'; reason: string; error: Error };

/** Times (ns) at which entries last came to or went from the two folders that always exist; null where it is missing. */
export type FolderChanges = { root: bigint; projects: bigint | null };

const isMissing = (error: unknown): boolean => error instanceof Error && codeOf(error) === 'ENOENT';

/** Looks at the root once; never throws. Two sights with the same identity are of the same folder. */
export const lookAtRoot = async (root: string): Promise<RootSight> => {
  try {
    const resolved = await realpath(root);
    const stats = await stat(resolved, { bigint: true });
    if (!stats.isDirectory()) {
      return { state: 'absent', reason: 'There is a file where the data folder should be.', isFile: true };
    }
    return {
      state: 'present',
      root: resolved,
      // An inode number can be used again at once, so the time of birth is part of it.
      identity: `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`,
      changes: { root: stats.mtimeNs, projects: await entriesChanged(path.join(resolved, 'projects')) },
    };
  } catch (error) {
    if (isMissing(error)) return { state: 'absent', reason: 'The data folder is not there.', isFile: false };
    const cause = error instanceof Error ? error : new Error(String(error));
    return { state: 'unknown', reason: `The data folder cannot be opened (${codeOf(cause)}).`, error: cause };
  }
};

const entriesChanged = async (folder: string): Promise<bigint | null> => {
  try {
    return (await stat(folder, { bigint: true })).mtimeNs;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/** The operating system's code of an error, or its name. */
export const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;
