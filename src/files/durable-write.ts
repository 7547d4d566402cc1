import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../contract/errors.ts';
import { type Exchanged, exchange, identityAfterSecondName, identityIfSame } from './exchange.ts';
import { guard, isMissing, linkFailure, systemCode } from './failures.ts';
import type { FileHandle, FileSystem } from './file-system.ts';
import { closeQuietly, openFolder, syncFolder, syncHandle } from './folders.ts';
import type { FileIdentity } from './identity.ts';
import { FILE_MODE, removeTemporary, writeTemporary } from './temporary-file.ts';
import { temporaryPath } from './temporary-name.ts';

/** How long a rename waits between its tries where another program may hold the file for a moment (Windows), in ms. */
const renameDelays = [10, 20, 40, 80, 160, 320, 500, 500];

export interface WriteOptions {
  /**
   * Takes what was replaced, at the temp name that it is given, to move it away or to remove it; before the
   * folder is synced. Not called for what another program put there. Must not fail.
   */
  release?: (kept: string) => Promise<void>;
  /**
   * Asked when the new bytes are on the disk and nothing is replaced yet: whether all that the write stands on still holds.
   * Nothing is replaced when it does not, or when that cannot be told.
   */
  verify?: () => Promise<boolean>;
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
  let identity: FileIdentity | null = null;
  const { unconfirmed } = await write(fileSystem, path, bytes, modeToKeep(fileSystem, path), options, {
    async replace(temporary) {
      const made = await fileSystem.lstat(temporary);
      await retryWhileHeld(() => fileSystem.rename(temporary, path), options);
      identity = await identityIfSame(fileSystem, path, made);
      return true;
    },
    after: () => Promise.resolve(),
  });
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
  let done: Exchanged = 'changed';
  let standing = expected;
  const { unconfirmed } = await write(fileSystem, path, bytes, expected.mode, options, {
    async replace(temporary) {
      if (options.verify !== undefined && !(await holds(options.verify))) return false;
      done = await retryWhileHeld(async () => {
        try {
          return await exchange(fileSystem, temporary, path, keep, standing);
        } catch (error) {
          standing = await identityAfterSecondName(fileSystem, path, standing);
          throw error;
        }
      }, options);
      return done !== 'changed';
    },
    async after() {
      if (done === 'changed' || done.kept !== 'expected' || options.release === undefined) return;
      const { identity, keptAt } = done;
      done = { identity, kept: 'none' };
      await options.release(keptAt);
    },
  });
  const replaced = exchanged(done);
  if (replaced === null) return 'changed';
  const { identity } = replaced;
  const kept = replaced.kept === 'none' ? null : replaced.keptAt;
  const displaced = replaced.kept === 'displaced';
  if (unconfirmed === null) return { identity, kept, displaced };
  if (kept !== null && !displaced) await removeTemporary(fileSystem, kept);
  // What it displaced must not be thrown away: it goes back, or stays where it is kept.
  else if (kept !== null && identity !== null && (await putBack(fileSystem, kept, path, identity))) return 'changed';
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
  let done: Exchanged;
  try {
    done = await exchange(fileSystem, kept, path, temporaryPath(path), written);
  } catch (error) {
    // Whatever stands in the way: it is not back, and its bytes are where they were.
    if (systemCode(error) === null) throw error;
    return false;
  }
  if (done === 'changed') return false;
  if (done.kept === 'displaced' && (await isNewer(fileSystem, done, path, kept))) return false;
  // It held nothing but a change that is made again. What nobody can tell is left to the sweep of a later start.
  if (done.kept === 'expected') await removeTemporary(fileSystem, done.keptAt);
  // Should this fail, it is back all the same; the folder is synced with the change that is made again.
  await syncFolder(fileSystem, dirname(path)).catch(() => undefined);
  return true;
}

/**
 * Whether a third program saved in the moment in which a displaced file was put back: then its text, the newest, gets the
 * place again, and the displaced file the name that it was kept under.
 */
async function isNewer(
  fileSystem: FileSystem,
  { identity, keptAt }: Extract<Exchanged, { keptAt: string }>,
  path: string,
  kept: string,
): Promise<boolean> {
  if (identity === null) return false;
  try {
    return (await exchange(fileSystem, keptAt, path, kept, identity)) !== 'changed';
  } catch (error) {
    // A disk that answers nothing any more: what was displaced is back, which is what was asked for.
    if (systemCode(error) === null) throw error;
    return false;
  }
}

/** The two steps of a write that its kinds differ in. */
interface WriteSteps {
  /** Gives the temp file its name; false when it may not have it. */
  replace(temporary: string): Promise<boolean>;
  /** Runs before the sync of the folder. */
  after(): Promise<void>;
}

/**
 * @param mode What the new file is to have.
 * @returns `unconfirmed` when the new bytes are in place but may not survive a power cut.
 */
async function write(
  fileSystem: FileSystem,
  path: string,
  bytes: Uint8Array,
  mode: number | Promise<number>,
  options: WriteOptions,
  { replace, after }: WriteSteps,
): Promise<{ unconfirmed: Failure | null }> {
  const { folder, temporary } = await prepare(fileSystem, path, bytes, mode, options);
  try {
    let replaced = false;
    try {
      replaced = await guard(() => replace(temporary));
    } finally {
      if (!replaced) await removeTemporary(fileSystem, temporary);
    }
    if (!replaced) return { unconfirmed: null };
    // Before the sync: beside it, a change of the folder waits until the disk has taken the one before.
    await after();
    return { unconfirmed: await confirm(folder) };
  } finally {
    await closeQuietly(folder);
  }
}

/** The new bytes in a temp file, and the open folder to sync. Each call to the disk is a wait, so they go side by side. */
async function prepare(
  fileSystem: FileSystem,
  path: string,
  bytes: Uint8Array,
  mode: number | Promise<number>,
  { platform }: WriteOptions,
): Promise<{ folder: FileHandle | null; temporary: string }> {
  const [folder, temporary] = await Promise.allSettled([
    guard(() => openFolder(fileSystem, dirname(path), platform)),
    writeTemporary(fileSystem, path, bytes, mode),
  ]);
  if (folder.status === 'fulfilled' && temporary.status === 'fulfilled') {
    return { folder: folder.value, temporary: temporary.value };
  }
  if (folder.status === 'fulfilled') await closeQuietly(folder.value);
  if (temporary.status === 'fulfilled') await removeTemporary(fileSystem, temporary.value);
  throw folder.status === 'rejected' ? folder.reason : temporary.status === 'rejected' && temporary.reason;
}

/** What cannot be looked at holds nothing up: it is told by whoever reads it before the next try. */
async function holds(verify: () => Promise<boolean>): Promise<boolean> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof Failure || systemCode(error) !== null) return false;
    throw error;
  }
}

/** As the compiler does not see what a step of a write left. */
const exchanged = (done: Exchanged): Exclude<Exchanged, 'changed'> | null => (done === 'changed' ? null : done);

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
