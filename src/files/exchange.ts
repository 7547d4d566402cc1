import { isMissing, systemCode } from './failures.ts';
import type { FileStatus, FileSystem } from './file-system.ts';
import { type FileIdentity, identityOf, sameIdentity } from './identity.ts';
import { removeTemporary } from './temporary-file.ts';

/**
 * What an exchange did: nothing, because the file was not the expected one; or which file now is there (null when nobody can
 * tell), and what of the replaced one is kept where.
 */
export type Exchanged =
  | 'changed'
  | { identity: FileIdentity | null; kept: 'expected' | 'displaced'; keptAt: string }
  | { identity: FileIdentity | null; kept: 'none' };

/**
 * Puts a file in the place of the expected one, which is kept where the disk can: under the name that the new one had, or
 * under `keep`.
 */
export async function exchange(
  fileSystem: FileSystem,
  from: string,
  to: string,
  keep: string,
  expected: FileIdentity,
): Promise<Exchanged> {
  const isExpected = (status: FileStatus): boolean => sameIdentity(identityOf(status), expected);
  try {
    const replaced = await fileSystem.replaceKept(from, to, keep, isExpected);
    if (replaced === null) return 'changed';
    const { written, kept, keptAt } = replaced;
    const identity = written && identityOf(written);
    return { identity, kept: isStill(kept, expected) ? 'expected' : 'displaced', keptAt };
  } catch (error) {
    // With a second name it was the rename that failed: nothing was replaced.
    const named = await exists(fileSystem, keep);
    await removeTemporary(fileSystem, keep);
    if (isMissing(error)) return 'changed';
    if (named || !noSecondNames.includes(systemCode(error) ?? '')) throw error;
  }
  const made = await fileSystem.lstat(from);
  try {
    if (!isExpected(await fileSystem.lstat(to))) return 'changed';
  } catch (error) {
    if (isMissing(error)) return 'changed';
    throw error;
  }
  await fileSystem.rename(from, to);
  return { identity: await identityIfSame(fileSystem, to, made), kept: 'none' };
}

/** What a file is after a second name of it came and went, which changes its ctime: without this, no try could follow. */
export async function identityAfterSecondName(
  fileSystem: FileSystem,
  path: string,
  before: FileIdentity,
): Promise<FileIdentity> {
  try {
    const now = identityOf(await fileSystem.lstat(path));
    return now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs ? now : before;
  } catch {
    // The next try finds out.
    return before;
  }
}

/** Whether there is something; a name that cannot be looked at is taken for one that is there. */
async function exists(fileSystem: FileSystem, path: string): Promise<boolean> {
  try {
    await fileSystem.lstat(path);
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}

/** What a system says that cannot give this file a second name. */
export const noSecondNames: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];

/**
 * Whether the kept file is as it was looked at: a program that writes in place can have changed it since. A second name
 * changes its ctime. What nobody can tell is not to be thrown away: put back, it harms nothing but time.
 */
const isStill = (kept: FileStatus | null, { ino, size, mtimeNs }: FileIdentity): boolean =>
  kept !== null && kept.ino === ino && kept.size === size && kept.mtimeNs === mtimeNs;

/** The identity of what was given a name; null when someone else replaced it at once. */
export async function identityIfSame(
  fileSystem: FileSystem,
  path: string,
  made: FileStatus,
): Promise<FileIdentity | null> {
  try {
    const now = await fileSystem.lstat(path);
    return now.ino === made.ino && now.size === made.size && now.mtimeNs === made.mtimeNs ? identityOf(now) : null;
  } catch {
    // The bytes are safe; not knowing the identity only means that they are read again before the next change.
    return null;
  }
}
