import { dirname } from 'node:path';
import { retryWhileHeld, type WriteOptions } from './durable-write.ts';
import { noSecondNames } from './exchange.ts';
import { guard, ioFailure, OLD_KEPT, SAVE_FAILED, systemCode } from './failures.ts';
import type { FileHandle, FileSystem } from './file-system.ts';
import { closeQuietly, openFolder, syncHandle } from './folders.ts';
import { type FileIdentity, identityOf } from './identity.ts';
import { FILE_MODE, removeTemporary, writeTemporary } from './temporary-file.ts';

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
      const made = await guard(() => publish(fileSystem, temporary, path, options));
      if (!made) return 'taken';
    } finally {
      await removeTemporary(fileSystem, temporary);
    }
    try {
      await syncHandle(folder);
      return identityOf(await fileSystem.lstat(path));
    } catch (error) {
      // Nothing refers to the new name yet, so the cleanest state is the one before.
      await removeTemporary(fileSystem, path);
      throw ioFailure(error, SAVE_FAILED, OLD_KEPT);
    }
  } finally {
    await closeQuietly(folder);
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
    if (!noSecondNames.includes(code ?? '')) throw error;
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
    await retryWhileHeld(() => fileSystem.rename(from, to), options);
  } catch (error) {
    await removeTemporary(fileSystem, to);
    throw error;
  }
  return true;
}
