import {
  closeQuietly,
  type FileHandle,
  type FileIdentity,
  type FileStatus,
  type FileSystem,
} from '../../files/index.ts';
import { readExactly } from '../transcript/lines.ts';

/** How much is copied at a time, in bytes. */
const PIECE = 1024 * 1024;

/**
 * Writes every byte, from a position on or (where the file is open for that) at its end.
 *
 * @throws the system's error, also when the disk took only a part.
 */
export async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    if (bytesWritten <= 0) throw Object.assign(new Error('the disk took nothing'), { code: 'ENOSPC' });
    written += bytesWritten;
  }
}

/** Bytes of a part of an open file, piece by piece. @throws Error when it ends before. */
export async function* piecesOf(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer, void> {
  for (let offset = start; offset < end; offset += PIECE) {
    const length = Math.min(PIECE, end - offset);
    const piece = await readExactly(handle, offset, length);
    if (piece.length < length) throw Object.assign(new Error('the file is shorter than it was'), { code: 'EIO' });
    yield piece;
  }
}

/**
 * Writes a part of a file once more, as it stands there, and syncs it. After a failed sync the system may take bytes for
 * written that are not on the disk: only what is written anew goes there.
 */
export async function writeAgain(
  fileSystem: FileSystem,
  path: string,
  start: number,
  end: number,
): Promise<FileStatus> {
  const handle = await fileSystem.open(path, 'r+');
  try {
    let offset = start;
    for await (const piece of piecesOf(handle, start, end)) {
      await writeAll(handle, piece, offset);
      offset += piece.length;
    }
    await handle.sync();
    return await handle.stat();
  } finally {
    await closeQuietly(handle);
  }
}

/** Whether a status is of the same file with the same bytes, as far as that can be told without reading them. */
export function isSameFile(status: FileStatus, known: FileIdentity): boolean {
  return status.ino === known.ino && status.size === known.size && status.mtimeNs === known.mtimeNs;
}
