import {
  closeQuietly,
  type FileHandle,
  type FileIdentity,
  type FileSystem,
  identityOf,
  sameIdentity,
} from '../../files/index.ts';
import { readExactly } from '../transcript/lines.ts';
import { writeAll } from './log-handle.ts';
import { eachMessage, type LogRange } from './log-messages.ts';

const LF = Buffer.from('\n');
/** How much is read or written at a time, in bytes. */
const PIECE = 1024 * 1024;

/**
 * What a transcript is compared with its log: `foreign` holds bytes that the log does not have and is left alone; `changed`
 * means that somebody else wrote to it meanwhile.
 */
export type CaughtUp = FileIdentity | 'foreign' | 'changed';

/**
 * Adds messages to the end of a transcript that is as it was left, and syncs it.
 *
 * @returns What it is then; `changed`, with nothing written, when it is not as it was left.
 */
export async function addToTranscript(
  fileSystem: FileSystem,
  path: string,
  known: FileIdentity,
  messages: readonly Buffer[],
): Promise<FileIdentity | 'changed'> {
  const handle = await fileSystem.open(path, 'a');
  try {
    if (!sameIdentity(identityOf(await handle.stat()), known)) return 'changed';
    const bytes = Buffer.concat(messages.flatMap((message) => [message, LF]));
    await writeAll(handle, bytes, Number(known.size));
    await handle.sync();
    const identity = identityOf(await handle.stat());
    return identity.size === known.size + BigInt(bytes.length) ? identity : 'changed';
  } finally {
    await closeQuietly(handle);
  }
}

/**
 * Brings a transcript up to its log: what a crash tore at its end is cut off, what it lacks is added. One that holds
 * anything else than the log is left as it is. Both are streamed.
 */
export async function catchUpTranscript(
  fileSystem: FileSystem,
  path: string,
  log: string,
  range: LogRange,
): Promise<CaughtUp> {
  const source = await fileSystem.open(log, 'r');
  try {
    const target = await fileSystem.open(path, 'r+');
    try {
      const before = identityOf(await target.stat());
      const same = await sameLength(source, range, target, Number(before.size));
      if (same === null) return 'foreign';
      if (!sameIdentity(identityOf(await target.stat()), before)) return 'changed';
      if (same < Number(before.size)) await target.truncate(same);
      await addFrom(source, range, target, same);
      await target.sync();
      return identityOf(await target.stat());
    } finally {
      await closeQuietly(target);
    }
  } finally {
    await closeQuietly(source);
  }
}

/**
 * Up to where a transcript holds the messages of its log, whole. Behind that it may be torn: bytes that are missing or NUL.
 * Null where it holds any other byte.
 */
async function sameLength(
  source: FileHandle,
  range: LogRange,
  target: FileHandle,
  size: number,
): Promise<number | null> {
  const reader = new SequentialReader(target, size);
  let same = 0;
  let foreign = false;
  await eachMessage(source, range, async (message) => {
    if (foreign || reader.position >= size) return;
    const isWhole = same === reader.position;
    const expected = Buffer.concat([message, LF]);
    const found = await reader.take(expected.length);
    if (isWhole && found.equals(expected)) same += found.length;
    else foreign = !found.every((byte, place) => byte === 0 || byte === expected[place]);
  });
  while (!foreign && reader.position < size) foreign = !(await reader.take(PIECE)).every((byte) => byte === 0);
  return foreign ? null : same;
}

/** Writes the messages that stand behind `start` in the transcript of a log. */
async function addFrom(source: FileHandle, range: LogRange, target: FileHandle, start: number): Promise<void> {
  let position = 0;
  let written = start;
  let pieces: Buffer[] = [];
  let held = 0;
  const write = async (): Promise<void> => {
    const bytes = Buffer.concat(pieces, held);
    pieces = [];
    held = 0;
    await writeAll(target, bytes, written);
    written += bytes.length;
  };
  await eachMessage(source, range, async (message) => {
    position += message.length + 1;
    if (position <= start) return;
    // The bytes are only good until this returns.
    pieces.push(Buffer.from(message), LF);
    held += message.length + 1;
    if (held >= PIECE) await write();
  });
  if (held > 0) await write();
}

/** Reads a file from its beginning, piece by piece. */
class SequentialReader {
  readonly #handle: FileHandle;
  readonly #size: number;
  #buffer: Buffer = Buffer.alloc(0);
  #bufferStart = 0;
  position = 0;

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.#size = size;
  }

  /** The next bytes; fewer where the file ends. */
  async take(length: number): Promise<Buffer> {
    const wanted = Math.min(length, this.#size - this.position);
    const offset = this.position - this.#bufferStart;
    if (offset + wanted > this.#buffer.length) {
      const size = Math.max(wanted, Math.min(PIECE, this.#size - this.position));
      this.#buffer = await readExactly(this.#handle, this.position, size);
      this.#bufferStart = this.position;
      return this.#cut(0, wanted);
    }
    return this.#cut(offset, wanted);
  }

  #cut(start: number, length: number): Buffer {
    const piece = this.#buffer.subarray(start, start + length);
    // A file that ends early is read as ended.
    this.position = piece.length < length ? this.#size : this.position + length;
    return piece;
  }
}
