import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  closeQuietly,
  FILE_MODE,
  type FileHandle,
  type FileIdentity,
  type FileSystem,
  identityOf,
  isMissing,
  modifiedAt,
  sameIdentity,
  syncFolder,
  systemCode,
} from '../../files/index.ts';
import { readExactly } from '../transcript/lines.ts';
import { piecesOf, writeAll } from './log-handle.ts';

/** How long nobody may have written before a torn end is taken for one that nobody will finish, in ms. */
const QUIET_MS = 2000;
const LF = Buffer.from('\n');

export interface TornTail {
  readonly fileSystem: FileSystem;
  readonly log: string;
  /** Where the bytes are set aside. */
  readonly damaged: string;
  /** The log as it was when it was gone through, whole. */
  readonly identity: FileIdentity;
  /** Behind its last whole record. */
  readonly goodEnd: number;
  /** Whether these bytes are of a write of this process that failed: then nobody else is busy with them. */
  readonly own: boolean;
  readonly now: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/**
 * What became of a torn end: it is set aside and cut off; it stays, because it could not be set aside; or the file is another
 * one by now and has to be looked at again.
 */
export type Repaired = { outcome: 'cut'; bytes: number } | { outcome: 'kept'; cause: unknown } | { outcome: 'changed' };

/**
 * Sets a torn end aside and cuts it off (docs/formats/session-format.md, section 8). Nothing is cut that does not stand in
 * the file of damaged ends, on the disk and read back from there.
 *
 * @throws whatever the system says of the cut itself; the file is then to be looked at again.
 */
export async function repairTail(tail: TornTail): Promise<Repaired> {
  if (!(await waitUntilQuiet(tail))) return { outcome: 'changed' };
  const bytes = Number(tail.identity.size) - tail.goodEnd;
  try {
    await setAside(tail, bytes);
  } catch (error) {
    // Whatever the reason: as long as it is not set aside it is not cut, and the caller says so.
    if (systemCode(error) === null) throw error;
    return { outcome: 'kept', cause: error };
  }
  return (await cut(tail)) ? { outcome: 'cut', bytes } : { outcome: 'changed' };
}

/** Whether the file still is as it was gone through once nobody has written to it for a while. */
async function waitUntilQuiet({ fileSystem, log, identity, own, now, sleep = delay }: TornTail): Promise<boolean> {
  const age = now() - modifiedAt(identity);
  if (!own && age < QUIET_MS) await sleep(age < 0 ? QUIET_MS : QUIET_MS - age);
  return sameIdentity(identityOf(await fileSystem.lstat(log)), identity);
}

async function setAside({ fileSystem, log, damaged, goodEnd, now }: TornTail, length: number): Promise<void> {
  const source = await fileSystem.open(log, 'r');
  try {
    const target = await openForAppending(fileSystem, damaged);
    try {
      const size = Number((await target.stat()).size);
      const header = {
        damaged_tail: true,
        preserved_at: new Date(now()).toISOString(),
        log_offset: goodEnd,
        bytes: length,
      };
      // Also behind a piece that an earlier try left unfinished the header stands on a line of its own.
      const isOpen = size > 0 && !(await readExactly(target, size - 1, 1)).equals(LF);
      const head = Buffer.from(`${isOpen ? '\n' : ''}${JSON.stringify(header)}\n`);
      let position = size;
      const add = async (piece: Buffer): Promise<void> => {
        await writeAll(target, piece, position);
        position += piece.length;
      };
      await add(head);
      for await (const piece of piecesOf(source, goodEnd, goodEnd + length)) await add(piece);
      await add(LF);
      await target.sync();
      await syncFolder(fileSystem, dirname(damaged));
      await compare(source, goodEnd, damaged, size + head.length, length, fileSystem);
    } finally {
      await closeQuietly(target);
    }
  } finally {
    await closeQuietly(source);
  }
}

async function openForAppending(fileSystem: FileSystem, path: string): Promise<FileHandle> {
  try {
    const handle = await fileSystem.open(path, 'a');
    if ((await handle.stat()).isFile()) return handle;
    await closeQuietly(handle);
    throw Object.assign(new Error('something that is not a file stands there'), { code: 'EISDIR' });
  } catch (error) {
    if (!isMissing(error)) throw error;
    return fileSystem.open(path, 'wx', FILE_MODE);
  }
}

/** Reads back what was set aside, from the file by its name. @throws an error of the system when it is not the same. */
async function compare(
  source: FileHandle,
  sourceStart: number,
  path: string,
  start: number,
  length: number,
  fileSystem: FileSystem,
): Promise<void> {
  const copy = await fileSystem.open(path, 'r');
  try {
    const copied = piecesOf(copy, start, start + length);
    for await (const piece of piecesOf(source, sourceStart, sourceStart + length)) {
      const { value } = await copied.next();
      if (!value?.equals(piece))
        throw Object.assign(new Error('what was set aside reads differently'), { code: 'EIO' });
    }
  } finally {
    await closeQuietly(copy);
  }
}

/** False, with nothing cut, when the file changed meanwhile. */
async function cut({ fileSystem, log, identity, goodEnd }: TornTail): Promise<boolean> {
  const handle = await fileSystem.open(log, 'r+');
  try {
    if (!sameIdentity(identityOf(await handle.stat()), identity)) return false;
    await handle.truncate(goodEnd);
    await handle.sync();
    return true;
  } finally {
    await closeQuietly(handle);
  }
}
