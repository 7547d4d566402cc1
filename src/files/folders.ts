import { dirname } from 'node:path';
import { Failure } from '../contract/errors.ts';
import { guard, ioFailure, isMissing, OLD_KEPT, SAVE_FAILED, systemCode } from './failures.ts';
import type { FileHandle, FileSystem } from './file-system.ts';

/** Mode of every new folder: for the person alone. */
export const FOLDER_MODE = 0o700;

/** Makes a folder and the missing ones above it, each for the person alone and durable. An existing folder is left as it is. */
export async function makeFolderDurably(
  fileSystem: FileSystem,
  path: string,
  options: { platform?: NodeJS.Platform } = {},
): Promise<void> {
  if (await guard(() => isFolder(fileSystem, path))) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolderDurably(fileSystem, parent, options);
  await guard(async () => {
    await fileSystem.mkdir(path, FOLDER_MODE).catch((error: unknown) => {
      // Another program made it in between: as good as ours.
      if (systemCode(error) !== 'EEXIST') throw error;
    });
    await syncFolder(fileSystem, parent, options.platform);
  });
}

/** Removes a file, or a link but never what it points to, durably. False when there was nothing to remove. */
export async function removeDurably(
  fileSystem: FileSystem,
  path: string,
  options: { platform?: NodeJS.Platform } = {},
): Promise<boolean> {
  try {
    await fileSystem.unlink(path);
  } catch (error) {
    if (isMissing(error)) return false;
    throw ioFailure(error, 'The file could not be removed', 'It is still there.');
  }
  await guard(() => syncFolder(fileSystem, dirname(path), options.platform), 'The file could not be removed', '');
  return true;
}

/** A folder's handle for syncing it; null where folders cannot be synced (Windows). */
export async function openFolder(
  fileSystem: FileSystem,
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<FileHandle | null> {
  return platform === 'win32' ? null : fileSystem.open(path, 'r');
}

/** Opens a folder and syncs it: its entries are then on the disk. */
export async function syncFolder(fileSystem: FileSystem, path: string, platform?: NodeJS.Platform): Promise<void> {
  const folder = await openFolder(fileSystem, path, platform);
  try {
    await syncHandle(folder);
  } finally {
    await closeQuietly(folder);
  }
}

/** Syncs an open folder. */
export async function syncHandle(folder: FileHandle | null): Promise<void> {
  try {
    await folder?.sync();
  } catch (error) {
    // Some network and user-space file systems cannot sync a folder at all; there is nothing more to be had from them.
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error;
  }
}

/** Closes a handle whose bytes no longer matter or are already on the disk: a failure to close changes nothing. */
export async function closeQuietly(handle: FileHandle | null): Promise<void> {
  await handle?.close().catch(() => undefined);
}

async function isFolder(fileSystem: FileSystem, path: string): Promise<boolean> {
  try {
    const status = await fileSystem.stat(path);
    if (status.isDirectory()) return true;
    throw new Failure('io', `${SAVE_FAILED}: a file stands where a folder should be. ${OLD_KEPT} Move it away.`, {
      detail: { reason: 'not-a-folder' },
    });
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
