import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FileSystem, mapBounded, nodeFileSystem, systemCode } from '../../files/index.ts';
import { localDisk } from './local-disk.ts';
import { realPathNow } from './local-path.ts';

/** What tells one state of a file from another without reading it; times in ms. */
export interface Mark {
  readonly ino: number;
  /** Bytes. */
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
}

/** What has a name: a regular file, nothing, something else (link, folder, pipe …), or an error that hides it. */
export type Seen = Mark | 'missing' | 'not-a-file' | Error;

/** A file of which the beginning and the end are wanted. */
export interface EndsRequest {
  readonly path: string;
  /** Bytes of the file as they were seen. */
  readonly size: number;
  /** Most bytes from the beginning, and from the end beyond those. */
  readonly head: number;
  readonly tail: number;
}

/** Beginning and end of a file; the tail is empty where the head holds all. */
export interface Ends {
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** What only a disk of this machine answers so soon that it is asked before all else. */
export interface QuickDisk {
  /** Names in a folder, and those among them that are no regular files; null when it is confirmed to be absent. */
  kinds(folder: string): Promise<{ names: string[]; odd: ReadonlySet<string> } | null>;
  /**
   * What `parse` makes of each small file, with the mark of the file that was read. The bytes are good during that call only.
   * Null for whatever is no regular file, longer than 64 KiB, changing just now, or not to be read.
   */
  small<Value>(paths: readonly string[], parse: (bytes: Buffer, mark: Mark) => Value): Promise<(Value | null)[]>;
}

/** The few questions of the catalog, each for many files at once: answered without keeping anyone waiting for long. */
export interface CatalogDisk {
  /** Absent where the disk may be slow. */
  readonly quick?: QuickDisk;
  /** Names in a folder; null when it is confirmed to be absent. @throws an error of the system. */
  names(folder: string): Promise<string[] | null>;
  /** What has each of these names, in their order. */
  look(paths: readonly string[]): Promise<Seen[]>;
  /** Beginnings and ends of files, in their order; `missing` where a file is gone meanwhile. */
  ends(requests: readonly EndsRequest[]): Promise<(Ends | 'missing' | Error)[]>;
}

export const isMark = (seen: Seen): seen is Mark => typeof seen === 'object' && !(seen instanceof Error);

/** Whether two marks are of the same state of the same file; null (no file) equals only null. */
export function sameMark(left: Mark | null, right: Mark | null): boolean {
  if (left === null || right === null) return left === right;
  return left.ino === right.ino && left.size === right.size && left.mtime === right.mtime && left.ctime === right.ctime;
}

/** A disk's clock moves in steps, in ms: two changes within one step can leave the same mark. */
const CLOCK_STEP = 50;

/** Whether a file changed so shortly before it was looked at that the same mark later does not prove the same bytes. */
export const isFreshMark = (mark: Mark | null, now: number): boolean =>
  mark !== null && now - mark.ctime < CLOCK_STEP && now >= mark.ctime;

/**
 * The disk below a folder. Calls that do not wait for another machine are made in one go, in short slices: thousands of
 * them cost a fraction of what they cost one by one. Wherever one may wait, they go side by side, each with a time limit.
 */
export async function catalogDisk(fileSystem: FileSystem, folder: string): Promise<CatalogDisk> {
  if (fileSystem !== nodeFileSystem) return patientDisk(fileSystem);
  return realPathNow(folder) !== null || (await isLocal(folder)) ? localDisk : patientDisk(fileSystem);
}

/**
 * `f_type` of file systems of this machine (Linux, `<linux/magic.h>`): ext, xfs, btrfs, tmpfs, overlayfs, f2fs, ramfs, zfs,
 * bcachefs, squashfs.
 */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x858458f6, 0x2fc12fc1, 0xca451a4e, 0x73717368,
]);

/** Whether a folder is on a disk of this machine, as far as that can be told (Linux). */
export async function isLocal(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  for (let path = folder; ; path = dirname(path)) {
    try {
      return localTypes.has((await statfs(path)).type >>> 0);
    } catch (error) {
      // What does not exist yet will be on the disk of the folder above it. Of anything else nothing is known.
      if (systemCode(error) !== 'ENOENT' || dirname(path) === path) return false;
    }
  }
}

/** How many calls wait at the same time, and how long one may take, in ms. */
const SIDE_BY_SIDE = 32;
const PATIENCE = 5000;

/** The same over any file system. */
export function patientDisk(fileSystem: FileSystem, patience = PATIENCE): CatalogDisk {
  const inTime = <Value>(action: () => Promise<Value>): Promise<Value | Error> => withLimit(action, patience);
  return {
    async names(folder) {
      try {
        const names = await inTime(() => fileSystem.readdir(folder));
        if (names instanceof Error) throw names;
        return names;
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return null;
        throw error;
      }
    },
    look: (paths) =>
      mapBounded(paths, SIDE_BY_SIDE, async (path) => {
        const status = await inTime(() => fileSystem.lstat(path));
        if (status instanceof Error) return isAbsence(status) ? 'missing' : status;
        if (!status.isFile()) return 'not-a-file';
        return {
          ino: Number(status.ino),
          size: Number(status.size),
          mtime: milliseconds(status.mtimeNs),
          ctime: milliseconds(status.ctimeNs),
        };
      }),
    ends: (requests) =>
      mapBounded(requests, SIDE_BY_SIDE, async (request) => {
        const ends = await inTime(() => readEnds(fileSystem, request));
        return ends instanceof Error && isAbsence(ends) ? 'missing' : ends;
      }),
  };
}

/** Nothing has the name, or what should be a folder above it is none. */
const isAbsence = (error: Error): boolean => ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');

/** As Node makes its `mtimeMs`: seconds and nanoseconds apart. */
const milliseconds = (nanoseconds: bigint): number =>
  Number(nanoseconds / 1_000_000_000n) * 1000 + Number(nanoseconds % 1_000_000_000n) / 1_000_000;

async function readEnds(fileSystem: FileSystem, { path, size, head, tail }: EndsRequest): Promise<Ends> {
  const handle = await fileSystem.open(path, 'r');
  try {
    const read = async (from: number, length: number): Promise<Buffer> => {
      const bytes = Buffer.alloc(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(bytes, filled, length - filled, from + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    };
    const first = Math.min(size, head);
    const last = Math.min(size - first, tail);
    return { head: await read(0, first), tail: await read(size - last, last) };
  } finally {
    // Nothing was written through it, so a failure to close it loses nothing.
    await handle.close().catch(() => undefined);
  }
}

/** An error of the system, or of a call that took too long, is answered; anything else is a bug and thrown. */
async function withLimit<Value>(action: () => Promise<Value>, limit: number): Promise<Value | Error> {
  const running = action();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Error>((resolve) => {
    timer = setTimeout(
      () => resolve(Object.assign(new Error('the disk did not answer'), { code: 'ETIMEDOUT' })),
      limit,
    );
  });
  try {
    return await Promise.race([running, late]);
  } catch (error) {
    if (error instanceof Error && systemCode(error) !== null) return error;
    throw error;
  } finally {
    clearTimeout(timer);
    // Should it fail after all, nobody asks any more.
    running.catch(() => undefined);
  }
}
