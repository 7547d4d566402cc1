import { closeSync, constants, lstatSync, openSync, promises, readSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { systemCode } from '../../files/failures.ts';
import type { CatalogDisk, Ends, EndsRequest, Seen } from './disk.ts';

/** How long calls are made in one go before others of this process have their turn, in ms. */
const SLICE = 4;
/** How many calls are made before the clock is looked at. */
const STRIDE = 16;

// Never through a link at the last name, never waiting for a pipe's other end.
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The disk of this machine: calls without a promise each, in slices of a few milliseconds. */
export const localDisk: CatalogDisk = {
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
    return { ino: status.ino, size: status.size, mtime: status.mtimeMs, ctime: status.ctimeMs };
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
