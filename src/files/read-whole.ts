import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../contract/errors.ts';
import { ioFailure, isMissing, linkFailure } from './failures.ts';
import type { FileHandle, FileSystem } from './file-system.ts';
import { type FileIdentity, identityOf, modifiedAt, sameIdentity } from './identity.ts';

/** Largest file that is read whole: 64 MiB. */
export const MAXIMUM_FILE_BYTES = 64 * 1024 * 1024;

/**
 * The three states of a file. Only a confirmed absence is `missing`; every other obstacle is `unknown`, and nothing may be
 * written on top of that.
 */
export type FileState<Present> =
  | ({ state: 'present'; identity: FileIdentity } & Present)
  | { state: 'missing' }
  | { state: 'unknown'; failure: Failure; identity: FileIdentity | null };

export interface ReadOptions {
  /** Largest size to read, in bytes; a larger file is `malformed` and not read. */
  limit?: number;
  /** Reads at most this many bytes from the start; no size is then too large. */
  head?: number;
}

/** How often a file that changes while it is read is read again. */
const STEADY_TRIES = 5;

/** A file's status without reading it; never through a link. */
export async function identify(fileSystem: FileSystem, path: string): Promise<FileState<object>> {
  try {
    const status = await fileSystem.lstat(path);
    if (status.isSymbolicLink()) return unknown(linkFailure());
    if (!status.isFile()) return unknown(notAFile());
    return { state: 'present', identity: identityOf(status) };
  } catch (error) {
    return isMissing(error) ? { state: 'missing' } : unknown(readFailure(error));
  }
}

/** Reads a file's bytes as they were at one moment. Its status is looked at first: links, folders and giants are not read. */
export async function readWhole(
  fileSystem: FileSystem,
  path: string,
  { limit = MAXIMUM_FILE_BYTES, head }: ReadOptions = {},
): Promise<FileState<{ bytes: Buffer }>> {
  const first = await identify(fileSystem, path);
  if (first.state !== 'present') return first;
  if (head === undefined && first.identity.size > BigInt(limit)) return unknown(tooLarge(), first.identity);
  try {
    const handle = await fileSystem.open(path, 'r');
    try {
      return await readSteady(handle, first.identity, limit, head);
    } finally {
      // Nothing was written through this handle, so a failure to close it loses nothing.
      await handle.close().catch(() => undefined);
    }
  } catch (error) {
    return isMissing(error) ? { state: 'missing' } : unknown(readFailure(error));
  }
}

/** @param found Identity of what had the name a moment ago; the open file may already be another one. */
async function readSteady(
  handle: FileHandle,
  found: FileIdentity,
  limit: number,
  head?: number,
): Promise<FileState<{ bytes: Buffer }>> {
  let before = found;
  for (let attempt = 1; ; attempt++) {
    const size = head === undefined ? Number(before.size) : Math.min(head, Number(before.size));
    const bytes = await readBytes(handle, size);
    const after = await handle.stat();
    if (!after.isFile()) return unknown(notAFile());
    const identity = identityOf(after);
    const steady = sameIdentity(before, identity) && bytes.length === size;
    if (steady || attempt === STEADY_TRIES) return { state: 'present', bytes, identity: before };
    if (head === undefined && after.size > BigInt(limit)) return unknown(tooLarge(), identity);
    before = identity;
  }
}

async function readBytes(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let read = 0;
  while (read < size) {
    const { bytesRead } = await handle.read(bytes, read, size - read, read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

/** Waits between the readings of a file that another program may still be writing, in ms. */
export const tornDelays = [50, 100, 200, 400, 800];
/** A file that does not parse and is younger than this may still be being written. */
const TORN_AGE_MS = 2000;

export interface ParsedOptions {
  sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Reads and parses a file. Bytes that do not parse and changed less than 2 s ago are read again after 50, 100, 200 … ms:
 * another program may be in the middle of writing them.
 *
 * @param parse Throws `Failure` for bytes that it cannot read.
 */
export async function readParsed<Value>(
  fileSystem: FileSystem,
  path: string,
  parse: (bytes: Buffer, identity: FileIdentity) => Value,
  { sleep = delay }: ParsedOptions = {},
): Promise<FileState<{ bytes: Buffer; value: Value }>> {
  for (const wait of [...tornDelays, null]) {
    const read = await readWhole(fileSystem, path);
    if (read.state !== 'present') return read;
    try {
      return { ...read, value: parse(read.bytes, read.identity) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const age = Date.now() - modifiedAt(read.identity);
      if (wait === null || age < 0 || age > TORN_AGE_MS) return unknown(error, read.identity);
      await sleep(wait);
    }
  }
  throw new Error('the last turn of the loop returns');
}

function unknown(failure: Failure, identity: FileIdentity | null = null) {
  return { state: 'unknown', failure, identity } as const;
}

function tooLarge(): Failure {
  return new Failure(
    'malformed',
    'The stored file is too large (over 64 MiB) and was not read. It is unchanged. Make it smaller or move it away.',
    { detail: { reason: 'too-large' } },
  );
}

function notAFile(): Failure {
  return new Failure('io', 'Something that is not a file stands where one should be. It is unchanged. Move it away.', {
    detail: { reason: 'not-a-file' },
  });
}

function readFailure(error: unknown): Failure {
  const failure = ioFailure(error, 'The stored data could not be read', 'It is unchanged.');
  if (failure instanceof Failure) return failure;
  throw failure;
}
