import { Failure } from '../contract/errors.ts';
import { ioFailure, isMissing, OLD_KEPT, SAVE_FAILED, systemCode } from './failures.ts';
import type { FileHandle, FileSystem } from './file-system.ts';
import { closeQuietly } from './folders.ts';
import { backdated } from './identity.ts';
import { temporaryPath } from './temporary-name.ts';

/** Mode of every new file: for the person alone. */
export const FILE_MODE = 0o600;

/**
 * Every byte in a new file of its own, on the disk. After any failure, also of a sync, the file is removed, never used again.
 *
 * @param mode What the file is to have; may still be on its way. Its failure is that of the whole.
 */
export async function writeTemporary(
  fileSystem: FileSystem,
  target: string,
  bytes: Uint8Array,
  mode: number | Promise<number>,
): Promise<string> {
  const path = temporaryPath(target);
  const [opened, wanted] = await Promise.allSettled([fileSystem.open(path, 'wx', FILE_MODE), mode]);
  if (opened.status === 'rejected') throw ioFailure(opened.reason, SAVE_FAILED, OLD_KEPT);
  const handle = opened.value;
  let open = true;
  try {
    if (wanted.status === 'rejected') throw wanted.reason;
    await writeAll(handle, bytes);
    if (wanted.value !== FILE_MODE) await handle.chmod(wanted.value);
    await backdate(handle);
    await handle.sync();
    open = false;
    await handle.close();
    return path;
  } catch (error) {
    if (open) await closeQuietly(handle);
    await removeTemporary(fileSystem, path);
    throw ioFailure(error, SAVE_FAILED, OLD_KEPT);
  }
}

/** Spares reading the bytes again; see {@link isFresh}. */
async function backdate(handle: FileHandle): Promise<void> {
  try {
    await handle.setModified(backdated(Date.now()));
  } catch (error) {
    // A disk that keeps no times, or not those: then the bytes are read again.
    if (systemCode(error) === null) throw error;
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

/** Removes a temp file. Tried twice: what is left after that is swept at a later start, and the first error matters more. */
export async function removeTemporary(fileSystem: FileSystem, path: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return await fileSystem.unlink(path);
    } catch (error) {
      if (isMissing(error)) return;
    }
  }
}
