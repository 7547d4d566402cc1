import {
  closeSync,
  constants,
  type Dir,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  promises,
  readSync,
  type Stats,
} from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { systemCode } from '../../files/failures.ts';
import type { CatalogDisk, Ends, EndsRequest, Mark, QuickDisk, Seen } from './disk.ts';

/** How long calls are made in one go before others of this process have their turn, in ms. */
const SLICE = 4;
/** How many calls are made before the clock is looked at. */
const STRIDE = 16;
/** Longest file that is small, in bytes. */
const SMALL = 65_536;
/** Entries of a folder that are fetched in one go. */
const ENTRIES = 512;

// Never through a link at the last name, never waiting for a pipe's other end.
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const quick: QuickDisk = {
  async kinds(path) {
    const names: string[] = [];
    const odd = new Set<string>();
    const folder = openFolder(path);
    if (folder === null) return null;
    try {
      let until = performance.now() + SLICE;
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        names.push(entry.name);
        if (!entry.isFile()) odd.add(entry.name);
        if (names.length % ENTRIES !== 0 || performance.now() < until) continue;
        await turn();
        until = performance.now() + SLICE;
      }
    } finally {
      folder.closeSync();
    }
    return { names, odd };
  },
  small(paths, parse) {
    // One for all: what is read is made into something else at once.
    const bytes = Buffer.allocUnsafe(SMALL);
    return inSlices(paths, (path) => readSmall(path, bytes, parse));
  },
};

function openFolder(path: string): Dir | null {
  try {
    return opendirSync(path, { bufferSize: ENTRIES });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function readSmall<Value>(path: string, bytes: Buffer, parse: (bytes: Buffer, mark: Mark) => Value): Value | null {
  let file: number | null = null;
  try {
    file = openSync(path, readFlags);
    const status = fstatSync(file);
    if (!status.isFile() || status.size > bytes.length) return null;
    if (readSync(file, bytes, 0, bytes.length, 0) !== status.size) return null;
    return parse(bytes.subarray(0, status.size), markOf(status));
  } catch (error) {
    systemError(error);
    // Whoever looks at all of the session will learn what it is.
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

const markOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): Mark => ({ ino, size, mtime: mtimeMs, ctime: ctimeMs });

/** The disk of this machine: calls without a promise each, in slices of a few milliseconds. */
export const localDisk: CatalogDisk = {
  quick,
  async names(folder) {
    try {
      return await promises.readdir(folder);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return null;
      throw error;
    }
  },
  look: (paths) => inSlices(paths, look),
  ends: (requests) => inSlices(requests, readEnds),
};

async function inSlices<Item, Value>(items: readonly Item[], act: (item: Item) => Value): Promise<Value[]> {
  const values: Value[] = [];
  let until = performance.now() + SLICE;
  for (const [index, item] of items.entries()) {
    if (index % STRIDE === 0 && performance.now() > until) {
      await turn();
      until = performance.now() + SLICE;
    }
    values.push(act(item));
  }
  return values;
}

function look(path: string): Seen {
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    // Also where what should be a folder above it is none.
    if (status === undefined) return 'missing';
    if (!status.isFile()) return 'not-a-file';
    return markOf(status);
  } catch (error) {
    return systemError(error);
  }
}

function readEnds({ path, size, head, tail }: EndsRequest): Ends | 'missing' | Error {
  let file: number;
  try {
    file = openSync(path, readFlags);
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '') ? 'missing' : systemError(error);
  }
  try {
    const first = Math.min(size, head);
    const last = Math.min(size - first, tail);
    return { head: read(file, 0, first), tail: read(file, size - last, last) };
  } catch (error) {
    return systemError(error);
  } finally {
    closeSync(file);
  }
}

function read(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** An error of the system is an answer; anything else is a bug. */
function systemError(error: unknown): Error {
  if (error instanceof Error && systemCode(error) !== null) return error;
  throw error;
}
