import { dirname } from 'node:path';
import { Failure } from '../contract/errors.ts';
import {
  childPath,
  closeQuietly,
  FILE_MODE,
  type FileStatus,
  type FileSystem,
  FOLDER_MODE,
  isMissing,
  noSecondNames,
  openFolder,
  removeTemporary,
  retryWhileHeld,
  syncFolder,
  syncHandle,
  systemCode,
  temporaryPath,
} from '../files/index.ts';

/** Size of the pieces in which a file is copied or compared, in bytes. */
const PIECE = 1024 * 1024;
const WRITABLE = 0o200;

/** Status of whatever has this name; null when nothing has, or nothing can. */
export async function statusOrNull(fileSystem: FileSystem, path: string): Promise<FileStatus | null> {
  try {
    return await fileSystem.lstat(path);
  } catch (error) {
    if (isMissing(error) || systemCode(error) === 'ENAMETOOLONG') return null;
    throw error;
  }
}

/** Names in a folder; none where it is not there. */
export async function namesOrNone(fileSystem: FileSystem, folder: string): Promise<string[]> {
  try {
    return await fileSystem.readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * Moves a file, folder or link as it is to a name that nothing has and nobody else uses. On another disk it is copied,
 * synced, compared and then removed. Durable when both folders were synced.
 *
 * @returns Whether there was something to move.
 */
export async function moveAside(fileSystem: FileSystem, from: string, to: string): Promise<boolean> {
  try {
    await retryWhileHeld(() => fileSystem.rename(from, to), {});
    return true;
  } catch (error) {
    if (isMissing(error) && (await statusOrNull(fileSystem, from)) === null) return false;
    if (systemCode(error) !== 'EXDEV') throw error;
  }
  await copyTo(fileSystem, from, to);
  await syncFolder(fileSystem, dirname(to));
  await removeTree(fileSystem, from);
  return true;
}

/**
 * Puts something into a place that other programs use, and never over anything: a file by a second name, with the first
 * one left for later; a folder or link by a rename, as well as a file where the disk knows no second names.
 *
 * @returns `taken` when something else has the place; `placed` also when it was there before.
 */
export async function placeInto(fileSystem: FileSystem, from: string, to: string): Promise<'placed' | 'taken'> {
  const source = await statusOrNull(fileSystem, from);
  const target = await statusOrNull(fileSystem, to);
  if (source === null) return target === null ? 'taken' : 'placed';
  if (target !== null) return (await isSameTree(fileSystem, from, to)) ? 'placed' : 'taken';
  if (source.isFile()) {
    try {
      await fileSystem.link(from, to);
      return 'placed';
    } catch (error) {
      const code = systemCode(error) ?? '';
      if (code === 'EEXIST') return 'taken';
      if (code !== 'EXDEV' && !noSecondNames.includes(code)) throw error;
    }
  }
  try {
    await retryWhileHeld(() => fileSystem.rename(from, to), {});
  } catch (error) {
    if (['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR'].includes(systemCode(error) ?? '')) return 'taken';
    if (systemCode(error) !== 'EXDEV') throw error;
    await copyTo(fileSystem, from, to);
  }
  return 'placed';
}

/** Takes something out of its place again, see {@link placeInto}; what is not the same stays. */
export async function takeBack(fileSystem: FileSystem, from: string, placed: string): Promise<void> {
  if ((await statusOrNull(fileSystem, placed)) === null) return;
  if ((await statusOrNull(fileSystem, from)) === null) await moveAside(fileSystem, placed, from);
  else if (await isSameTree(fileSystem, from, placed)) await removeTree(fileSystem, placed);
}

/** Removes a file or link, or a folder with everything below it. A link is removed, never what it points to. */
export async function removeTree(fileSystem: FileSystem, path: string): Promise<void> {
  const status = await statusOrNull(fileSystem, path);
  if (status === null) return;
  try {
    if (!status.isDirectory()) return await fileSystem.unlink(path);
    if ((modeOf(status) & WRITABLE) === 0) await makeWritable(fileSystem, path);
    for (const name of await namesOrNone(fileSystem, path)) await removeTree(fileSystem, childPath(path, name));
    await fileSystem.rmdir(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** How much a file or folder takes up; links are not followed. */
export async function sizeOf(
  fileSystem: FileSystem,
  path: string,
  signal?: AbortSignal,
): Promise<{ bytes: number; files: number }> {
  signal?.throwIfAborted();
  const status = await statusOrNull(fileSystem, path);
  if (status === null) return { bytes: 0, files: 0 };
  if (!status.isDirectory()) return { bytes: Number(status.size), files: 1 };
  const total = { bytes: 0, files: 0 };
  for (const name of await namesOrNone(fileSystem, path)) {
    const part = await sizeOf(fileSystem, childPath(path, name), signal);
    total.bytes += part.bytes;
    total.files += part.files;
  }
  return total;
}

/** Copies a file or folder to a name on another disk, whole or not at all. */
export async function copyTo(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  const temporary = temporaryPath(to);
  try {
    await copyTree(fileSystem, from, temporary);
    if (!(await isCopy(fileSystem, from, temporary))) {
      throw new Failure('io', 'The copy on the other disk is not what was copied. The files are where they were.');
    }
    await fileSystem.rename(temporary, to);
  } catch (error) {
    await removeTree(fileSystem, temporary);
    throw error;
  }
}

async function copyTree(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  const status = await fileSystem.lstat(from);
  if (status.isDirectory()) {
    await fileSystem.mkdir(to, FOLDER_MODE);
    for (const name of await fileSystem.readdir(from)) {
      await copyTree(fileSystem, childPath(from, name), childPath(to, name));
    }
    return keepFolder(fileSystem, to, status);
  }
  if (status.isSymbolicLink()) return fileSystem.symlink(await fileSystem.readlink(from), to);
  if (!status.isFile()) {
    throw new Failure(
      'io',
      'Something that is neither a file nor a folder cannot be copied to another disk. Nothing was moved.',
    );
  }
  const source = await fileSystem.open(from, 'r');
  try {
    const target = await fileSystem.open(to, 'wx', FILE_MODE);
    try {
      const piece = Buffer.alloc(PIECE);
      let place = 0;
      for (;;) {
        const { bytesRead } = await source.read(piece, 0, PIECE, place);
        if (bytesRead === 0) break;
        for (let done = 0; done < bytesRead; ) {
          done += (await target.write(piece, done, bytesRead - done, place + done)).bytesWritten;
        }
        place += bytesRead;
      }
      await target.chmod(modeOf(status));
      await target.setModified(Number(status.mtimeNs / 1_000_000n));
      await target.sync();
    } catch (error) {
      await removeTemporary(fileSystem, to);
      throw error;
    } finally {
      await closeQuietly(target);
    }
  } finally {
    await closeQuietly(source);
  }
}

/** Gives a folder's copy the mode of the folder, durably, when everything is in it. */
async function keepFolder(fileSystem: FileSystem, copy: string, status: FileStatus): Promise<void> {
  const folder = await openFolder(fileSystem, copy);
  if (folder === null) return;
  try {
    await folder.chmod(modeOf(status));
    await syncHandle(folder);
  } finally {
    await closeQuietly(folder);
  }
}

/** A folder that its person may not change keeps what is in it; before that is removed it has to be another. */
async function makeWritable(fileSystem: FileSystem, path: string): Promise<void> {
  const folder = await openFolder(fileSystem, path);
  try {
    await folder?.chmod(FOLDER_MODE);
  } finally {
    await closeQuietly(folder);
  }
}

const modeOf = ({ mode }: FileStatus): number => Number(mode) & 0o777;

/** Whether two names are of one file or folder, or, on two disks, of copies. On one disk two files are two. */
export async function isSameTree(fileSystem: FileSystem, left: string, right: string): Promise<boolean> {
  const [one, other] = [await fileSystem.lstat(left), await fileSystem.lstat(right)];
  return one.dev === other.dev ? one.ino === other.ino : isCopy(fileSystem, left, right);
}

/** Whether two names are of the same bytes, and the same names below them. */
async function isCopy(fileSystem: FileSystem, left: string, right: string): Promise<boolean> {
  const [one, other] = [await fileSystem.lstat(left), await fileSystem.lstat(right)];
  if (one.isDirectory() && other.isDirectory()) {
    const names = (await fileSystem.readdir(left)).sort();
    if (names.join('/') !== (await fileSystem.readdir(right)).sort().join('/')) return false;
    for (const name of names) {
      if (!(await isCopy(fileSystem, childPath(left, name), childPath(right, name)))) return false;
    }
    return true;
  }
  if (one.isSymbolicLink() && other.isSymbolicLink()) {
    return (await fileSystem.readlink(left)) === (await fileSystem.readlink(right));
  }
  return one.isFile() && other.isFile() && one.size === other.size && sameBytes(fileSystem, left, right);
}

async function sameBytes(fileSystem: FileSystem, left: string, right: string): Promise<boolean> {
  const one = await fileSystem.open(left, 'r');
  try {
    const other = await fileSystem.open(right, 'r');
    try {
      const pieces = [Buffer.alloc(PIECE), Buffer.alloc(PIECE)] as const;
      for (let place = 0; ; ) {
        const [{ bytesRead }, { bytesRead: second }] = [
          await one.read(pieces[0], 0, PIECE, place),
          await other.read(pieces[1], 0, PIECE, place),
        ];
        const length = Math.min(bytesRead, second);
        if (!pieces[0].subarray(0, length).equals(pieces[1].subarray(0, length))) return false;
        if (length === 0) return bytesRead === second;
        place += length;
      }
    } finally {
      await closeQuietly(other);
    }
  } finally {
    await closeQuietly(one);
  }
}
