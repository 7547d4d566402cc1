import { type BigIntStats, constants, linkSync, lstatSync, promises, renameSync, unlinkSync } from 'node:fs';
import { type NameExchange, nameExchange } from './name-exchange.ts';

/** What is asked of a file's status; sizes and times are exact (bigint, nanoseconds). */
export type FileStatus = Pick<
  BigIntStats,
  'dev' | 'ino' | 'size' | 'mode' | 'uid' | 'mtimeNs' | 'ctimeNs' | 'isFile' | 'isDirectory' | 'isSymbolicLink'
>;

/** An open file or folder. Positions are byte offsets; a short read or write is answered, not repeated. */
export interface FileHandle {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  write(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  /** Cuts the file at this size, in bytes, or fills it up with zeros to it. */
  truncate(size: number): Promise<void>;
  /** Returns when the bytes (of a folder: its entries) are on the disk. */
  sync(): Promise<void>;
  stat(): Promise<FileStatus>;
  chmod(mode: number): Promise<void>;
  /** Sets the time of the last change of the bytes, in ms since 1970. */
  setModified(time: number): Promise<void>;
  close(): Promise<void>;
}

/** Status of the new file and of the one that it replaced, right after the rename; null where it could not be told. */
export interface ReplacedStatus {
  readonly written: FileStatus | null;
  readonly kept: FileStatus | null;
  /** The name that what was replaced has now. */
  readonly keptAt: string;
}

/**
 * How a file is opened: `r` for reading a file or folder; `wx` for writing a file that must not exist yet; `r+` for reading
 * and changing one that is there; `a` for reading one that is there and adding to it: whatever position a write names, its
 * bytes go to the end, behind those that any other program added. None but `wx` makes a file; none follows a link at the
 * last name or waits for a pipe's other end.
 */
export type OpenFlags = 'r' | 'wx' | 'r+' | 'a';

/**
 * The calls to the system that everything durable is made of: a small subset of `node:fs/promises`, with the same
 * meaning and errors. Another value can stand in to record calls, to fail them or to play a crash.
 */
export interface FileSystem {
  open(path: string, flags: OpenFlags, mode?: number): Promise<FileHandle>;
  lstat(path: string): Promise<FileStatus>;
  /**
   * The same at once, without a turn of the threads that all calls share: for disks of this machine only, as nothing else
   * happens until it answers. Not every file system has it.
   */
  lstatNow?(path: string): FileStatus;
  stat(path: string): Promise<FileStatus>;
  rename(from: string, to: string): Promise<void>;
  /**
   * As near to compare-and-swap as systems have it: looks at `to`, and if that is expected lets `from` and `to` change places
   * at once. Where a system cannot, it gives `to` the second name `keep` and renames `from` over it, with nothing of this
   * process in between.
   *
   * @returns What now has the names, as far as that could be seen: with a change of places also what another program put
   *   there after the look. Null, with nothing renamed and no `keep`, when `to` was not the expected file.
   */
  replaceKept(
    from: string,
    to: string,
    keep: string,
    isExpected: (status: FileStatus) => boolean,
  ): Promise<ReplacedStatus | null>;
  /** A second name for a file; fails with EEXIST when the name is taken. */
  link(existing: string, name: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** One folder, whose parent exists. */
  mkdir(path: string, mode: number): Promise<void>;
  rmdir(path: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
  readlink(path: string): Promise<string>;
  /** A link at a path that nothing has, with the same text as another one that is copied: no other is ever made. */
  symlink(target: string, path: string): Promise<void>;
  realpath(path: string): Promise<string>;
}

// Windows has neither flag; there an open never follows into a pipe and links are refused by the check before it.
const inPlace = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const flagsOf: Readonly<Record<OpenFlags, number | 'wx'>> = {
  r: constants.O_RDONLY | inPlace,
  wx: 'wx',
  'r+': constants.O_RDWR | inPlace,
  a: constants.O_RDWR | constants.O_APPEND | inPlace,
};

/** The flags of {@link OpenFlags} as the system takes them. */
export const openMode = (flags: OpenFlags): string | number => flagsOf[flags];

/** After a rename a status that cannot be had must not make the rename look failed. */
function statusOrNull(path: string): FileStatus | null {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return null;
  }
}

/** The replaced file, whichever it was, has the name of the new one afterwards. */
function replaceByExchange(
  exchange: NameExchange,
  from: string,
  to: string,
  isExpected: (status: FileStatus) => boolean,
): ReplacedStatus | null | 'unsupported' {
  if (!isExpected(lstatSync(to, { bigint: true }))) return null;
  const made = lstatSync(from, { bigint: true });
  const problem = exchange(from, to);
  if (problem === 'unsupported') return problem;
  if (problem !== null) throw Object.assign(new Error(`${problem}: renaming`), { code: problem, syscall: 'rename' });
  const written = statusOrNull(to);
  return { written: written?.ino === made.ino ? written : null, kept: statusOrNull(from), keptAt: from };
}

/** What another program puts there between the second look and the rename is lost. */
function replaceByLink(
  from: string,
  to: string,
  keep: string,
  isExpected: (status: FileStatus) => boolean,
): ReplacedStatus | null {
  const status = lstatSync(to, { bigint: true });
  if (!isExpected(status)) return null;
  linkSync(to, keep);
  if (![keep, to].every((path) => isSameFile(statusOrNull(path), status))) {
    unlinkSync(keep);
    return null;
  }
  const made = lstatSync(from, { bigint: true });
  renameSync(from, to);
  const written = statusOrNull(to);
  return { written: written?.ino === made.ino ? written : null, kept: statusOrNull(keep), keptAt: keep };
}

const isSameFile = (one: FileStatus | null, other: FileStatus): boolean =>
  one !== null && one.ino === other.ino && one.size === other.size && one.mtimeNs === other.mtimeNs;

/** The file system of this machine. */
export const nodeFileSystem: FileSystem = {
  async open(path, flags, mode) {
    const handle = await promises.open(path, openMode(flags), mode);
    return {
      read: (buffer, offset, length, position) => handle.read(buffer, offset, length, position),
      write: (buffer, offset, length, position) => handle.write(buffer, offset, length, position),
      truncate: (size) => handle.truncate(size),
      sync: () => handle.sync(),
      stat: () => handle.stat({ bigint: true }),
      chmod: (mode) => handle.chmod(mode),
      setModified: (time) => handle.utimes(time / 1000, time / 1000),
      close: () => handle.close(),
    };
  },
  lstat: (path) => promises.lstat(path, { bigint: true }),
  lstatNow: (path) => lstatSync(path, { bigint: true }),
  stat: (path) => promises.stat(path, { bigint: true }),
  rename: (from, to) => promises.rename(from, to),
  async replaceKept(from, to, keep, isExpected) {
    const exchange = await nameExchange();
    // Each await would give other programs time; these calls touch names only, no bytes.
    const exchanged = exchange === null ? 'unsupported' : replaceByExchange(exchange, from, to, isExpected);
    return exchanged === 'unsupported' ? replaceByLink(from, to, keep, isExpected) : exchanged;
  },
  link: (existing, name) => promises.link(existing, name),
  unlink: (path) => promises.unlink(path),
  mkdir: async (path, mode) => {
    await promises.mkdir(path, { mode });
  },
  rmdir: (path) => promises.rmdir(path),
  readdir: (path) => promises.readdir(path),
  readlink: (path) => promises.readlink(path),
  symlink: (target, path) => promises.symlink(target, path),
  realpath: (path) => promises.realpath(path),
};
