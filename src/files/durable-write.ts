import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../contract/errors.ts';
import { guard, isMissing, linkFailure, systemCode } from './failures.ts';
import type { FileHandle, FileStatus, FileSystem } from './file-system.ts';
import { closeQuietly, openFolder, syncFolder, syncHandle } from './folders.ts';
import { type FileIdentity, identityOf, sameIdentity } from './identity.ts';
import { FILE_MODE, removeTemporary, writeTemporary } from './temporary-file.ts';
import { temporaryPath } from './temporary-name.ts';

/** How long a rename waits between its tries where another program may hold the file for a moment (Windows), in ms. */
const renameDelays = [10, 20, 40, 80, 160, 320, 500, 500];

export interface WriteOptions {
  /**
   * Takes what was replaced, at the temp name that it is given, to move it away or to remove it; while the folder is being
   * synced. Not called for what another program put there. Must not fail.
   */
  release?: (kept: string) => Promise<void>;
  /** For tests of what only Windows does. */
  platform?: NodeJS.Platform;
  sleep?: (ms: number) => Promise<unknown>;
}

/** What {@link replaceDurably} did. */
export interface Replaced {
  /** Identity of what was written; null when someone else replaced it at once. */
  identity: FileIdentity | null;
  /** Where the file that was replaced now is, under a temp name; null once it was released, or where there is none. */
  kept: string | null;
  /** Whether that is not the file that was expected: another program saved in the moment of the rename. */
  displaced: boolean;
}

/**
 * Replaces a file, or makes it, so that after a crash at any point it holds the old bytes or the new ones, whole. Resolves
 * when the bytes are on the disk. The mode of an existing file is kept; a new one gets {@link FILE_MODE}. Its folder must exist.
 *
 * @returns The identity of what was written; null when someone else replaced it at once.
 * @throws Failure `io`; with `detail.reason` `not-confirmed` the new bytes are in place but may not survive a power cut.
 */
export async function writeDurably(
  fileSystem: FileSystem,
  path: string,
  bytes: Uint8Array,
  options: WriteOptions = {},
): Promise<FileIdentity | null> {
  const rename = async (temporary: string): Promise<true> => {
    await retryWhileHeld(() => fileSystem.rename(temporary, path), options);
    return true;
  };
  const { identity, unconfirmed } = await write(fileSystem, path, bytes, options, rename, () => Promise.resolve());
  if (unconfirmed !== null) throw unconfirmed;
  return identity;
}

/**
 * The same over a file that was read before, and only if it still is as it was then. What is replaced stays, under a temp
 * name beside the new file: it is the caller's to move away or to remove. So nothing is lost, should another program save
 * in the very moment of the rename.
 *
 * @returns `changed`, with nothing written, when another program changed or removed the file since.
 * @throws Failure as {@link writeDurably}.
 */
export async function replaceDurably(
  fileSystem: FileSystem,
  path: string,
  bytes: Uint8Array,
  expected: FileIdentity,
  options: WriteOptions = {},
): Promise<Replaced | 'changed'> {
  const keep = temporaryPath(path);
  let kept: string | null = null;
  let standing = expected;
  const swap = async (temporary: string): Promise<boolean> => {
    const done = await retryWhileHeld(async () => {
      try {
        return await exchange(fileSystem, temporary, path, keep, standing);
      } catch (error) {
        standing = await identityAfterSecondName(fileSystem, path, standing);
        throw error;
      }
    }, options);
    if (done === 'kept') kept = keep;
    return done !== 'changed';
  };
  let displaced = false;
  const after = async (): Promise<void> => {
    displaced = kept !== null && (await isDisplaced(fileSystem, keep, expected));
    if (kept === null || displaced || options.release === undefined) return;
    kept = null;
    await options.release(keep);
  };
  const { replaced, identity, unconfirmed } = await write(fileSystem, path, bytes, options, swap, after);
  if (!replaced) return 'changed';
  if (unconfirmed === null) return { identity, kept, displaced };
  if (!displaced) await removeTemporary(fileSystem, keep);
  // What it displaced must not be thrown away: it goes back, or stays where it is kept.
  else if (identity !== null && (await putBack(fileSystem, keep, path, identity))) return 'changed';
  throw unconfirmed;
}

/**
 * Puts a file that was displaced back in its place, if what displaced it is still there.
 *
 * @param written Identity of what displaced it.
 * @returns Whether it is back; otherwise it stays where it is.
 */
export async function putBack(
  fileSystem: FileSystem,
  kept: string,
  path: string,
  written: FileIdentity,
): Promise<boolean> {
  const keep = temporaryPath(path);
  try {
    if ((await exchange(fileSystem, kept, path, keep, written)) === 'changed') return false;
  } catch (error) {
    // Whatever stands in the way: it is not back, and its bytes are where they were.
    if (systemCode(error) === null) throw error;
    return false;
  }
  // It held nothing but a change that is made again.
  await removeTemporary(fileSystem, keep);
  // Should this fail, it is back all the same; the folder is synced with the change that is made again.
  await syncFolder(fileSystem, dirname(path)).catch(() => undefined);
  return true;
}

/**
 * @param replace Gives the temp file its name; false when it may not have it.
 * @param after Runs beside the sync of the folder.
 * @returns `unconfirmed` when the new bytes are in place but may not survive a power cut.
 */
async function write(
  fileSystem: FileSystem,
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
  replace: (temporary: string) => Promise<boolean>,
  after: () => Promise<void>,
): Promise<{ replaced: boolean; identity: FileIdentity | null; unconfirmed: Failure | null }> {
  const { folder, temporary } = await prepare(fileSystem, path, bytes, options);
  try {
    let replaced = false;
    try {
      replaced = await guard(() => replace(temporary.path));
    } finally {
      if (!replaced) await removeTemporary(fileSystem, temporary.path);
    }
    if (!replaced) return { replaced, identity: null, unconfirmed: null };
    const [identity, unconfirmed] = await Promise.all([
      identityIfUnchanged(fileSystem, path, temporary.status),
      confirm(folder),
      after(),
    ]);
    return { replaced, identity, unconfirmed };
  } finally {
    await closeQuietly(folder);
  }
}

/** The new bytes in a temp file, and the open folder to sync. Each call to the disk is a wait, so they go side by side. */
async function prepare(
  fileSystem: FileSystem,
  path: string,
  bytes: Uint8Array,
  { platform }: WriteOptions,
): Promise<{ folder: FileHandle | null; temporary: { path: string; status: FileStatus } }> {
  const [folder, temporary] = await Promise.allSettled([
    guard(() => openFolder(fileSystem, dirname(path), platform)),
    writeTemporary(fileSystem, path, bytes, modeToKeep(fileSystem, path)),
  ]);
  if (folder.status === 'fulfilled' && temporary.status === 'fulfilled') {
    return { folder: folder.value, temporary: temporary.value };
  }
  if (folder.status === 'fulfilled') await closeQuietly(folder.value);
  if (temporary.status === 'fulfilled') await removeTemporary(fileSystem, temporary.value.path);
  throw folder.status === 'rejected' ? folder.reason : temporary.status === 'rejected' && temporary.reason;
}

/** Renames over the expected file, keeping it under a second name where the disk knows such. */
async function exchange(
  fileSystem: FileSystem,
  from: string,
  to: string,
  keep: string,
  expected: FileIdentity,
): Promise<'kept' | 'replaced' | 'changed'> {
  const isExpected = (status: FileStatus): boolean => sameIdentity(identityOf(status), expected);
  try {
    return (await fileSystem.replaceKept(from, to, keep, isExpected)) ? 'kept' : 'changed';
  } catch (error) {
    // With a second name it was the rename that failed: nothing was replaced.
    const named = await exists(fileSystem, keep);
    await removeTemporary(fileSystem, keep);
    if (isMissing(error)) return 'changed';
    if (named || !noSecondNames.includes(systemCode(error) ?? '')) throw error;
  }
  try {
    if (!isExpected(await fileSystem.lstat(to))) return 'changed';
  } catch (error) {
    if (isMissing(error)) return 'changed';
    throw error;
  }
  await fileSystem.rename(from, to);
  return 'replaced';
}

/** What a file is after a second name of it came and went, which changes its ctime: without this, no try could follow. */
async function identityAfterSecondName(
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

/** Whether the kept file changed since it was looked at: by a program that writes in place. A second name changes its ctime. */
async function isDisplaced(fileSystem: FileSystem, kept: string, expected: FileIdentity): Promise<boolean> {
  try {
    const { ino, size, mtimeNs } = await fileSystem.lstat(kept);
    return ino !== expected.ino || size !== expected.size || mtimeNs !== expected.mtimeNs;
  } catch {
    // Nobody can tell: then it is not to be thrown away. Put back, it harms nothing but time.
    return true;
  }
}

async function modeToKeep(fileSystem: FileSystem, path: string): Promise<number> {
  try {
    const status = await fileSystem.lstat(path);
    if (status.isSymbolicLink()) throw linkFailure();
    return Number(status.mode & 0o777n);
  } catch (error) {
    if (isMissing(error)) return FILE_MODE;
    throw error;
  }
}

/** Tries again while another program holds the file for a moment, as virus scanners on Windows do. */
export async function retryWhileHeld<Value>(
  action: () => Promise<Value>,
  { platform = process.platform, sleep = delay }: WriteOptions,
): Promise<Value> {
  for (const wait of [...renameDelays, null]) {
    try {
      return await action();
    } catch (error) {
      const held = platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '');
      if (!held || wait === null) throw error;
      await sleep(wait);
    }
  }
  throw new Error('the last turn of the loop returns or throws');
}

/** Syncs the folder of a new file; answers why it could not. */
async function confirm(folder: FileHandle | null): Promise<Failure | null> {
  try {
    await syncHandle(folder);
    return null;
  } catch (error) {
    return new Failure(
      'io',
      'The change was written, but the disk did not confirm that it will survive a power cut. Check the disk, then save again.',
      { detail: { reason: 'not-confirmed', system: systemCode(error) }, cause: error },
    );
  }
}

async function identityIfUnchanged(
  fileSystem: FileSystem,
  path: string,
  written: FileStatus,
): Promise<FileIdentity | null> {
  try {
    const now = await fileSystem.lstat(path);
    const same = now.ino === written.ino && now.size === written.size && now.mtimeNs === written.mtimeNs;
    return same ? identityOf(now) : null;
  } catch {
    // The bytes are safe; not knowing the identity only means that they are read again before the next change.
    return null;
  }
}
