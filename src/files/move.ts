import { dirname } from 'node:path';
import { Failure } from '../contract/errors.ts';
import { retryWhileHeld, type WriteOptions } from './durable-write.ts';
import { noSecondNames } from './exchange.ts';
import { guard, ioFailure, isMissing, systemCode } from './failures.ts';
import type { FileStatus, FileSystem } from './file-system.ts';
import { syncFolder } from './folders.ts';
import { removeTemporary } from './temporary-file.ts';

const MOVE_FAILED = 'The file could not be moved';
const STILL_THERE = 'It is still where it was.';

/**
 * Moves a file, or a link but never what it points to, to a name that nothing has, also in another folder of the same
 * disk. After a crash at any point the file has its old name, its new one, or both; where the disk knows no second names,
 * and for links, it is left to the disk that a rename happens whole.
 *
 * @returns `missing` when there is nothing to move, `taken` when something has the new name; nothing is changed then.
 * @throws Failure `io`; with `detail.reason` `not-confirmed` the file has its new name, and after a power cut perhaps both.
 */
export async function moveDurably(
  fileSystem: FileSystem,
  from: string,
  to: string,
  options: WriteOptions = {},
): Promise<'moved' | 'missing' | 'taken'> {
  const status = await statusOf(fileSystem, from);
  if (status === null) return 'missing';
  // A second name for a link would on some systems be one for its target.
  if (status.isSymbolicLink()) return rename(fileSystem, from, to, options);
  if (!status.isFile()) throw notAFile();
  const linked = await linkDurably(fileSystem, from, to, options);
  if (linked === 'unsupported') return rename(fileSystem, from, to, options);
  if (linked === 'missing') return 'missing';
  if (linked === 'taken') {
    if (!(await isSameFile(fileSystem, status, to))) return 'taken';
    // An earlier move stopped half-way.
    await guard(() => syncFolder(fileSystem, dirname(to), options.platform), MOVE_FAILED, STILL_THERE);
  }
  try {
    await retryWhileHeld(() => fileSystem.unlink(from), options);
  } catch (error) {
    if (!isMissing(error)) {
      await removeTemporary(fileSystem, to);
      throw ioFailure(error, MOVE_FAILED, STILL_THERE);
    }
  }
  await confirmMove(fileSystem, dirname(from), options);
  return 'moved';
}

/**
 * Gives a file a second name that nothing has. Resolves when that name is on the disk.
 *
 * @returns `unsupported` where the disk knows no second names, or does not allow one for this file.
 */
export async function linkDurably(
  fileSystem: FileSystem,
  existing: string,
  name: string,
  options: WriteOptions = {},
): Promise<'linked' | 'missing' | 'taken' | 'unsupported'> {
  try {
    await fileSystem.link(existing, name);
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (code === 'EEXIST') return 'taken';
    if (noSecondNames.includes(code)) return 'unsupported';
    if (isMissing(error) && (await statusOf(fileSystem, existing)) === null) return 'missing';
    throw ioFailure(error, MOVE_FAILED, STILL_THERE);
  }
  try {
    await guard(() => syncFolder(fileSystem, dirname(name), options.platform), MOVE_FAILED, STILL_THERE);
  } catch (error) {
    await removeTemporary(fileSystem, name);
    throw error;
  }
  return 'linked';
}

async function rename(
  fileSystem: FileSystem,
  from: string,
  to: string,
  options: WriteOptions,
): Promise<'moved' | 'missing' | 'taken'> {
  if ((await statusOf(fileSystem, to)) !== null) return 'taken';
  try {
    await retryWhileHeld(() => fileSystem.rename(from, to), options);
  } catch (error) {
    if (isMissing(error) && (await statusOf(fileSystem, from)) === null) return 'missing';
    throw ioFailure(error, MOVE_FAILED, STILL_THERE);
  }
  await confirmMove(fileSystem, dirname(to), options);
  if (dirname(from) !== dirname(to)) await confirmMove(fileSystem, dirname(from), options);
  return 'moved';
}

async function confirmMove(fileSystem: FileSystem, folder: string, { platform }: WriteOptions): Promise<void> {
  try {
    await syncFolder(fileSystem, folder, platform);
  } catch (error) {
    throw new Failure(
      'io',
      'The file was moved, but the disk did not confirm that this will survive a power cut. Check the disk.',
      { detail: { reason: 'not-confirmed', system: systemCode(error) }, cause: error },
    );
  }
}

async function isSameFile(fileSystem: FileSystem, { dev, ino }: FileStatus, path: string): Promise<boolean> {
  const status = await statusOf(fileSystem, path);
  return status !== null && status.dev === dev && status.ino === ino;
}

async function statusOf(fileSystem: FileSystem, path: string): Promise<FileStatus | null> {
  try {
    return await fileSystem.lstat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw ioFailure(error, MOVE_FAILED, STILL_THERE);
  }
}

function notAFile(): Failure {
  return new Failure('io', `${MOVE_FAILED}: something that is not a file stands there. ${STILL_THERE}`, {
    detail: { reason: 'not-a-file' },
  });
}
