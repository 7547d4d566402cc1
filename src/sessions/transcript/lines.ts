import { Failure } from '../../contract/errors.ts';
import type { FileHandle } from '../../files/file-system.ts';

/** A line of a file. Only LF ends one: JSON text may hold every other separator (docs/formats/session-format.md, section 7). */
export interface Line {
  /** Byte offset of its first byte. */
  readonly offset: number;
  /** Bytes without the LF; a CR before it counts. */
  readonly length: number;
  /** Its bytes, without the LF, good until the callback returns (or what it returns resolves). Null when it is over the cap. */
  readonly bytes: Buffer | null;
  /** Whether an LF ends it; only the last line of a file may have none. */
  readonly terminated: boolean;
}

/** Offset of the first byte behind a line and its LF. */
export const lineEnd = ({ offset, length, terminated }: Line): number => offset + length + (terminated ? 1 : 0);

/** Gets a line; answers `false` to end the scan. */
export type OnLine = (line: Line) => unknown;

export interface ScanOptions {
  /** Where to begin: the first byte of a line, or any byte that is to be taken for one. 0 when left out. */
  from?: number;
  /** Bytes from here on are not read; the end of the file when left out. */
  to?: number;
  /** Bytes of the longest line whose bytes are handed over. */
  cap?: number;
  /** Bytes of one read. */
  chunk?: number;
  signal?: AbortSignal | undefined;
  /** Gets all bytes that are read, in order, before their lines; good until it returns. */
  onBytes?: (bytes: Buffer, offset: number) => void;
}

/** Longest line that is held in memory (docs/formats/session-format.md, section 14), in bytes. */
export const LINE_CAP = 16 * 1024 * 1024;
const CHUNK = 256 * 1024;
const LF = 0x0a;

/**
 * Goes through the lines of an open file, in order, with one chunk (or one long line) in memory. Blank lines are lines too.
 *
 * @returns Offset behind the last byte that was read as part of a line that was handed over.
 * @throws Failure `cancelled`, and whatever the file system throws.
 */
export async function scanLines(handle: FileHandle, options: ScanOptions, onLine: OnLine): Promise<number> {
  const { from = 0, to = Number.POSITIVE_INFINITY, cap = LINE_CAP, chunk = CHUNK, signal, onBytes } = options;
  let buffer: Buffer = Buffer.allocUnsafe(chunk);
  // The current line begins at `offset` in the file and at `start` in the buffer; `filled` is the end of what was read.
  let offset = from;
  let start = 0;
  let filled = 0;
  // Bytes of the current line that were let go because it is over the cap.
  let dropped = 0;
  for (;;) {
    if (signal?.aborted) throw cancelled();
    if (start > 0) {
      buffer.copyWithin(0, start, filled);
      filled -= start;
      start = 0;
    }
    if (filled > cap) {
      dropped += filled;
      filled = 0;
    }
    if (buffer.length - filled < chunk) buffer = grown(buffer, filled, chunk);
    const position = offset + dropped + filled;
    const wanted = Math.min(chunk, to - position);
    const { bytesRead } = wanted > 0 ? await handle.read(buffer, filled, wanted, position) : { bytesRead: 0 };
    if (bytesRead === 0) break;
    onBytes?.(buffer.subarray(filled, filled + bytesRead), position);
    let search = filled;
    filled += bytesRead;
    for (;;) {
      const found = buffer.subarray(0, filled).indexOf(LF, search);
      if (found < 0) break;
      const length = dropped + found - start;
      const bytes = length > cap ? null : buffer.subarray(start, found);
      const answer = onLine({ offset, length, bytes, terminated: true });
      offset += length + 1;
      start = found + 1;
      search = start;
      dropped = 0;
      if ((answer instanceof Promise ? await answer : answer) === false) return offset;
    }
  }
  const length = dropped + filled - start;
  if (length === 0) return offset;
  await onLine({
    offset,
    length,
    bytes: length > cap ? null : buffer.subarray(start, filled),
    terminated: false,
  });
  return offset + length;
}

function grown(buffer: Buffer, filled: number, chunk: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, filled + chunk));
  buffer.copy(larger, 0, 0, filled);
  return larger;
}

export interface BackwardOptions {
  /** Where to begin: behind the last byte to look at. */
  end: number;
  /** Nothing before this byte is read; what is cut by it is not handed over. */
  floor?: number;
  /** As for {@link scanLines}. */
  cap?: number;
  chunk?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Goes through the lines of an open file from the last to the first. A last line without LF is handed over first; the line
 * that `floor` cuts is not handed over.
 *
 * @throws Failure `cancelled`, and whatever the file system throws.
 */
export async function scanLinesBackwards(handle: FileHandle, options: BackwardOptions, onLine: OnLine): Promise<void> {
  const { end, floor = 0, cap = LINE_CAP, chunk = CHUNK, signal } = options;
  // Pieces of the line whose beginning is not found yet, first to last; empty and `held` at 0 once it is over the cap.
  let pieces: Buffer[] = [];
  let length = 0;
  let terminated = false;
  let position = end;
  const handOver = (offset: number): unknown => {
    const bytes = length > cap ? null : Buffer.concat(pieces, length);
    const line: Line = { offset, length, bytes, terminated };
    pieces = [];
    length = 0;
    return onLine(line);
  };
  while (position > floor) {
    if (signal?.aborted) throw cancelled();
    const size = Math.min(chunk, position - floor);
    const block = await readExactly(handle, position - size, size);
    position -= size;
    let right = block.length;
    for (;;) {
      const found = right === 0 ? -1 : block.lastIndexOf(LF, right - 1);
      length += right - found - 1;
      if (length > cap) pieces = [];
      else if (right > found + 1) pieces.unshift(block.subarray(found + 1, right));
      if (found < 0) break;
      const offset = position + found + 1;
      // What stands behind the last LF of the file is a line only if there is something.
      if (terminated || length > 0) {
        const answer = handOver(offset);
        if ((answer instanceof Promise ? await answer : answer) === false) return;
      }
      terminated = true;
      right = found;
    }
  }
  if (position === 0 && floor === 0 && (terminated || length > 0)) await handOver(0);
}

/** Reads a range of bytes; shorter only where the file ends. */
export async function readExactly(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, offset + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

/** The failure of work that its caller gave up. */
export function cancelled(): Failure {
  return new Failure('cancelled', 'The work was stopped. Nothing was changed.');
}
