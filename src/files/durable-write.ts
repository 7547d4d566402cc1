import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../contract/errors.ts';
import { guard, ioFailure, isMissing, linkFailure, OLD_KEPT, SAVE_FAILED, systemCode } from './failures.ts';
import type { FileHandle, FileStatus, FileSystem } from './file-system.ts';
import { closeQuietly, openFolder, syncHandle } from './folders.ts';
import { type FileIdentity, identityOf } from './identity.ts';
import { temporaryPath } from './temporary-name.ts';

/** Mode of every new file: for the person alone. */
export const FILE_MODE = 0o600;

/** How long a rename waits between its tries where another program may hold the file for a moment (Windows), in ms. */
const renameDelays = [10, 20, 40, 80, 160, 320, 500, 500];

export interface WriteOptions {
  /**
   * Runs when the new bytes are safe in the temp file, right before they take the name; what it throws stops the write,
   * passes through unchanged, and leaves everything as it was.
   */
  beforeReplace?: () => Promise<void>;
  /** For tests of what only Windows does. */
  platform?: NodeJS.Platform;
  sleep?: (ms: number) => Promise<unknown>;
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
  const mode = await guard(() => modeToKeep(fileSystem, path));
  const folder = await guard(() => openFolder(fileSystem, dirname(path), options.platform));
  try {
    const temporary = await writeTemporary(fileSystem, path, bytes, mode);
    try {
      await options.beforeReplace?.();
      await guard(() => renameWithRetries(fileSystem, temporary.path, path, options));
    } catch (error) {
      await removeTemporary(fileSystem, temporary.path);
      throw error;
    }
    await confirm(folder);
    return await identityIfUnchanged(fileSystem, path, temporary.status);
  } finally {
    await closeQuietly(folder);
  }
}

/**
 * Makes a file under a name that nothing has, whole or not at all, also across a crash.
 *
 * @returns Its identity, or `taken` when something has that name (which stays as it is).
 */
export async function createDurably(
  fileSystem: FileSystem,
  path: string,
  bytes: Uint8Array,
  options: WriteOptions = {},
): Promise<FileIdentity | 'taken'> {
  const folder = await guard(() => openFolder(fileSystem, dirname(path), options.platform));
  try {
    const temporary = await writeTemporary(fileSystem, path, bytes, FILE_MODE);
    try {
      const made = await guard(() => publish(fileSystem, temporary.path, path, options));
      if (!made) return 'taken';
    } finally {
      await removeTemporary(fileSystem, temporary.path);
    }
    try {
      await syncHandle(folder);
    } catch (error) {
      // Nothing refers to the new name yet, so the cleanest state is the one before.
      await removeTemporary(fileSystem, path);
      throw ioFailure(error, SAVE_FAILED, OLD_KEPT);
    }
    return identityOf(await guard(() => fileSystem.lstat(path)));
  } finally {
    await closeQuietly(folder);
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

/** Every byte in a new file of its own, on the disk. After any failure, also of a sync, the file is removed, never used again. */
async function writeTemporary(
  fileSystem: FileSystem,
  target: string,
  bytes: Uint8Array,
  mode: number,
): Promise<{ path: string; status: FileStatus }> {
  const path = temporaryPath(target);
  const handle = await guard(() => fileSystem.open(path, 'wx', FILE_MODE));
  let open = true;
  try {
    await writeAll(handle, bytes);
    if (mode !== FILE_MODE) await handle.chmod(mode);
    await handle.sync();
    const status = await handle.stat();
    if (status.size !== BigInt(bytes.length)) throw shortWrite();
    open = false;
    await handle.close();
    return { path, status };
  } catch (error) {
    if (open) await closeQuietly(handle);
    await removeTemporary(fileSystem, path);
    throw ioFailure(error, SAVE_FAILED, OLD_KEPT);
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, written);
    if (bytesWritten <= 0) throw shortWrite();
    written += bytesWritten;
  }
}

function shortWrite(): Failure {
  return new Failure(
    'io',
    `${SAVE_FAILED}: the disk did not take all of it. ${OLD_KEPT} Check the disk and try again.`,
    {
      detail: { reason: 'short-write' },
    },
  );
}

async function renameWithRetries(
  fileSystem: FileSystem,
  from: string,
  to: string,
  { platform = process.platform, sleep = delay }: WriteOptions,
): Promise<void> {
  for (const wait of [...renameDelays, null]) {
    try {
      return await fileSystem.rename(from, to);
    } catch (error) {
      const held = platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '');
      if (!held || wait === null) throw error;
      await sleep(wait);
    }
  }
}

/** Gives the temp file its name unless that is taken; answers whether it did. */
async function publish(fileSystem: FileSystem, from: string, to: string, options: WriteOptions): Promise<boolean> {
  try {
    await fileSystem.link(from, to);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(code ?? '')) throw error;
  }
  // A disk without second names (FAT and the like): take the name with an empty file, then put the whole one in its place.
  let reservation: FileHandle;
  try {
    reservation = await fileSystem.open(to, 'wx', FILE_MODE);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  await closeQuietly(reservation);
  try {
    await renameWithRetries(fileSystem, from, to, options);
  } catch (error) {
    await removeTemporary(fileSystem, to);
    throw error;
  }
  return true;
}

async function confirm(folder: FileHandle | null): Promise<void> {
  try {
    await syncHandle(folder);
  } catch (error) {
    throw new Failure(
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

/** Removes a temp file. Tried twice: what is left after that is swept at a later start, and the first error matters more. */
async function removeTemporary(fileSystem: FileSystem, path: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return await fileSystem.unlink(path);
    } catch (error) {
      if (isMissing(error)) return;
    }
  }
}
