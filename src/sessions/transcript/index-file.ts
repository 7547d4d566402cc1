import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isMissing } from '../../files/failures.ts';
import type { FileHandle, FileSystem } from '../../files/file-system.ts';
import { closeQuietly, removeTemporary, temporaryPath } from '../../files/index.ts';
import {
  BLOCK_BYTES,
  BLOCK_ENTRIES,
  ENTRY_BYTES,
  type Entry,
  EntryList,
  type EntrySource,
  readEntry,
} from './entries.ts';
import { IndexHead, type TranscriptIndex } from './index-head.ts';
import { readExactly } from './lines.ts';

/**
 * The index of one transcript in the cache folder: 16 bytes (mark, stamp, length and checksum of the head), the head as JSON,
 * filled up to a multiple of 4096, then blocks of 170 entries, each with its checksum, the stamp and its number. A reader
 * takes the head and the blocks of a page; a damaged one is as good as none.
 */
const MARK = 0x31495453;
const FRONT = 16;
const CHECKED = BLOCK_ENTRIES * ENTRY_BYTES;
const HEAD_LIMIT = 256 * 1024 * 1024;
/** Blocks that are written at once. */
const BATCH = 64;

/** An index file that does not hold what it should: it is made again. */
export class DamagedIndex extends Error {}

/** Entries that stay in an index file; each read opens it, so that nothing has to be closed. */
class FileEntries implements EntrySource {
  readonly count: number;
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #start: number;
  readonly #stamp: number;

  constructor(fileSystem: FileSystem, path: string, start: number, stamp: number, count: number) {
    this.#fileSystem = fileSystem;
    this.#path = path;
    this.#start = start;
    this.#stamp = stamp;
    this.count = count;
  }

  async slice(from: number, to: number): Promise<Entry[]> {
    const first = Math.max(0, from);
    const end = Math.min(to, this.count);
    if (first >= end) return [];
    const blocks = await this.#blocks(Math.floor(first / BLOCK_ENTRIES), Math.floor((end - 1) / BLOCK_ENTRIES));
    const base = Math.floor(first / BLOCK_ENTRIES) * BLOCK_ENTRIES;
    return Array.from({ length: end - first }, (_, index) => {
      const slot = first + index - base;
      const block = Math.floor(slot / BLOCK_ENTRIES) * BLOCK_BYTES;
      return readEntry(blocks.subarray(block, block + BLOCK_BYTES), slot % BLOCK_ENTRIES);
    });
  }

  async #blocks(first: number, last: number): Promise<Buffer> {
    const length = (last - first + 1) * BLOCK_BYTES;
    const bytes = await withFile(this.#fileSystem, this.#path, (handle) =>
      readExactly(handle, this.#start + first * BLOCK_BYTES, length),
    );
    for (let number = first; number <= last; number++) {
      const block = bytes.subarray((number - first) * BLOCK_BYTES, (number - first + 1) * BLOCK_BYTES);
      if (block.length < BLOCK_BYTES || !isBlock(block, this.#stamp, number))
        throw new DamagedIndex('a block is damaged');
    }
    return bytes;
  }
}

function isBlock(block: Buffer, stamp: number, number: number): boolean {
  return (
    block.readUInt32LE(CHECKED) === crc32(block.subarray(0, CHECKED)) &&
    block.readUInt32LE(CHECKED + 4) === stamp &&
    block.readUInt32LE(CHECKED + 8) === number
  );
}

/**
 * Reads the head of an index file.
 *
 * @returns Null when there is none, or one that cannot be used: damaged, of another version, or not to be read.
 */
export async function readIndex(fileSystem: FileSystem, path: string): Promise<TranscriptIndex | null> {
  try {
    return await withFile(fileSystem, path, async (handle) => {
      const front = await readExactly(handle, 0, FRONT);
      if (front.length < FRONT || front.readUInt32LE(0) !== MARK) return null;
      const stamp = front.readUInt32LE(4);
      const length = front.readUInt32LE(8);
      if (length > HEAD_LIMIT) return null;
      const json = await readExactly(handle, FRONT, length);
      if (json.length < length || crc32(json) !== front.readUInt32LE(12)) return null;
      const head = IndexHead.safeParse(JSON.parse(json.toString()));
      if (!head.success) return null;
      const start = roundUp(FRONT + length);
      const size = Number((await handle.stat()).size);
      if (size !== start + Math.ceil(head.data.count / BLOCK_ENTRIES) * BLOCK_BYTES) return null;
      return { head: head.data, entries: new FileEntries(fileSystem, path, start, stamp, head.data.count) };
    });
  } catch {
    // Whatever keeps it from being read, it is only a copy of what the transcript says: without it that is read.
    return null;
  }
}

/**
 * Writes an index beside its name and gives it the name when it is whole. Its entries may come from the file that it replaces.
 *
 * @returns The index as it now is on the disk; null when it could not be written.
 */
export async function writeIndex(
  fileSystem: FileSystem,
  path: string,
  { head, entries }: TranscriptIndex,
): Promise<TranscriptIndex | null> {
  const temporary = temporaryPath(path);
  try {
    const handle = await fileSystem.open(temporary, 'wx', 0o600);
    try {
      const json = Buffer.from(JSON.stringify({ ...head, count: entries.count }));
      const stamp = randomBytes(4).readUInt32LE();
      const front = Buffer.alloc(roundUp(FRONT + json.length));
      front.writeUInt32LE(MARK, 0);
      front.writeUInt32LE(stamp, 4);
      front.writeUInt32LE(json.length, 8);
      front.writeUInt32LE(crc32(json), 12);
      json.copy(front, FRONT);
      let position = await writeAll(handle, front, 0);
      for (let first = 0; first < entries.count; first += BATCH * BLOCK_ENTRIES) {
        const list = new EntryList();
        for (const entry of await entries.slice(first, first + BATCH * BLOCK_ENTRIES)) list.push(entry);
        for (const [index, block] of list.blocks.entries()) finish(block, stamp, first / BLOCK_ENTRIES + index);
        position = await writeAll(handle, Buffer.concat(list.blocks), position);
      }
      await handle.sync();
    } finally {
      await closeQuietly(handle);
    }
    await fileSystem.rename(temporary, path);
  } catch (error) {
    await removeTemporary(fileSystem, temporary);
    if (error instanceof DamagedIndex) throw error;
    // A cache that cannot be written costs time at the next start, nothing else.
    return null;
  }
  return readIndex(fileSystem, path);
}

/** Removes an index file, if there is one. */
export async function removeIndex(fileSystem: FileSystem, path: string): Promise<void> {
  try {
    await fileSystem.unlink(path);
  } catch (error) {
    // What cannot be removed is overwritten, or found to be of something else, later.
    if (!isMissing(error)) return;
  }
}

function finish(block: Buffer, stamp: number, number: number): void {
  block.writeUInt32LE(crc32(block.subarray(0, CHECKED)), CHECKED);
  block.writeUInt32LE(stamp, CHECKED + 4);
  block.writeUInt32LE(number, CHECKED + 8);
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<number> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    if (bytesWritten === 0) throw new Error('the disk takes no more');
    written += bytesWritten;
  }
  return position + written;
}

async function withFile<Value>(
  fileSystem: FileSystem,
  path: string,
  use: (handle: FileHandle) => Promise<Value>,
): Promise<Value> {
  const handle = await fileSystem.open(path, 'r').catch((error: unknown) => {
    throw isMissing(error) ? new DamagedIndex('the index is gone') : error;
  });
  try {
    return await use(handle);
  } finally {
    await closeQuietly(handle);
  }
}

const roundUp = (length: number): number => Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES;
