import { dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { SessionRef, StoreKey } from '../../contract/entities.ts';
import {
  closeQuietly,
  type FileSystem,
  MAXIMUM_FILE_BYTES,
  makeFolderDurably,
  removeTemporary,
  temporaryPath,
} from '../../files/index.ts';
import { catalogDisk, isMark, type Mark } from './disk.ts';
import type { Facts } from './facts.ts';
import { isObject } from './shape.ts';

/** Grows with every change of what the file holds, of {@link Facts} above all: a file of another shape is ignored. */
const SHAPE = 1;
export const CACHE_FILE = 'sessions.catalog';

/** A session as the catalog last saw it. */
export interface Remembered {
  readonly session: SessionRef;
  readonly facts: Facts;
}

/** What the first line says of the rest. */
interface Header {
  readonly shape: number;
  /** The folder that it is of. */
  readonly root: string;
  /** Of all bytes behind the first line. */
  readonly sum: number;
  /** How many sessions the list showed. */
  readonly shown: number;
  readonly stores: readonly StoreKey[];
}

/** How long lines are made or read in one go, in ms. */
const SLICE = 4;
const STRIDE = 32;
const LF = 0x0a;

/**
 * What the catalog remembers between two runs: one file in the cache folder, good for nothing but speed. A line for each
 * session, the newest first; every state of a file in it is compared with the disk before it is believed.
 */
export class CacheFile {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #root: string;

  /** @param root The sessions root that is remembered. */
  constructor(fileSystem: FileSystem, path: string, root: string) {
    this.#fileSystem = fileSystem;
    this.#path = path;
    this.#root = root;
  }

  /** Reads what was remembered; null when the file is missing, damaged, of another shape or of another root. */
  async read(): Promise<Memory | null> {
    const disk = await catalogDisk(this.#fileSystem, dirname(this.#path));
    const [seen] = await disk.look([this.#path]);
    if (seen === undefined || !isMark(seen) || seen.size > MAXIMUM_FILE_BYTES) return null;
    const [ends] = await disk.ends([{ path: this.#path, size: seen.size, head: seen.size, tail: 0 }]);
    if (ends === undefined || ends === 'missing') return null;
    if (ends instanceof Error) throw ends;
    const bytes = ends.head;
    const end = bytes.indexOf(LF);
    const header = end < 0 ? null : parse(bytes.subarray(0, end));
    if (!isHeader(header) || header.shape !== SHAPE || header.root !== this.#root) return null;
    if (crc32(bytes.subarray(end + 1)) !== header.sum) return null;
    return new Memory(bytes.subarray(end + 1), header.stores, header.shown);
  }

  /**
   * Remembers sessions, those that the list shows in its order first. Not durable: what a crash leaves of it is noticed when
   * it is read.
   *
   * @param shown How many the list shows.
   */
  async write(sessions: Iterable<Remembered>, shown: number): Promise<void> {
    const stores: StoreKey[] = [];
    const numbers = new Map<StoreKey, number>();
    const lines: string[] = [];
    await inSlices(sessions, ({ session, facts }) => {
      let number = numbers.get(session.store);
      if (number === undefined) {
        number = stores.push(session.store) - 1;
        numbers.set(session.store, number);
      }
      lines.push(`${JSON.stringify(pack(number, session.id, facts))}\n`);
    });
    const body = Buffer.from(lines.join(''));
    const header: Header = { shape: SHAPE, root: this.#root, sum: crc32(body), shown, stores };
    await this.#replace(Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]));
  }

  async #replace(bytes: Buffer): Promise<void> {
    await makeFolderDurably(this.#fileSystem, dirname(this.#path));
    const temporary = temporaryPath(this.#path);
    try {
      const handle = await this.#fileSystem.open(temporary, 'wx', 0o600);
      try {
        for (let written = 0; written < bytes.length; ) {
          const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, written);
          if (bytesWritten <= 0) throw new Error('the disk did not take all of the list');
          written += bytesWritten;
        }
      } finally {
        await closeQuietly(handle);
      }
      await this.#fileSystem.rename(temporary, this.#path);
    } catch (error) {
      await removeTemporary(this.#fileSystem, temporary);
      throw error;
    }
  }
}

type Packed = readonly [
  store: number,
  id: string,
  marks: readonly (readonly number[] | null)[],
  state: Facts['detailsState'],
  details: Facts['details'],
  gist: Facts['gist'],
];

const pack = (store: number, id: string, { transcript, log, meta, detailsState, details, gist }: Facts): Packed => [
  store,
  id,
  [packMark(transcript), packMark(log), packMark(meta)],
  detailsState,
  details,
  gist,
];

const packMark = (mark: Mark | null): number[] | null =>
  mark === null ? null : [mark.ino, mark.size, mark.mtime, mark.ctime];

/** What a cache file holds, made ready piece by piece. */
export class Memory {
  /** How many sessions the list showed. */
  readonly shown: number;
  readonly #bytes: Buffer;
  readonly #stores: readonly StoreKey[];
  #at = 0;

  constructor(bytes: Buffer, stores: readonly StoreKey[], shown: number) {
    this.#bytes = bytes;
    this.#stores = stores;
    this.shown = shown;
  }

  /** The next sessions, at most so many. */
  take(count: number): Remembered[] {
    const taken: Remembered[] = [];
    while (taken.length < count && this.#at < this.#bytes.length) {
      const end = this.#bytes.indexOf(LF, this.#at);
      const remembered = this.#read(this.#bytes.toString('utf8', this.#at, end));
      if (remembered !== null) taken.push(remembered);
      this.#at = end + 1;
    }
    return taken;
  }

  /** All that were not taken yet. */
  async rest(): Promise<Remembered[]> {
    const rest: Remembered[] = [];
    for (let some = this.take(STRIDE), since = performance.now(); some.length > 0; some = this.take(STRIDE)) {
      rest.push(...some);
      if (performance.now() - since < SLICE) continue;
      await turn();
      since = performance.now();
    }
    return rest;
  }

  /** The sum was right, so this is a line that was written here. */
  #read(line: string): Remembered | null {
    const [number, id, marks, detailsState, details, gist] = JSON.parse(line) as Packed;
    const [transcript, log = null, meta = null] = marks.map(unpackMark);
    const store = this.#stores[number];
    if (store === undefined || transcript == null) return null;
    return {
      session: { store, id },
      facts: { transcript, log, meta, detailsState, details, gist, unreadable: null },
    };
  }
}

function unpackMark(packed: readonly number[] | null): Mark | null {
  if (packed === null) return null;
  const [ino = 0, size = 0, mtime = 0, ctime = 0] = packed;
  return { ino, size, mtime, ctime };
}

async function inSlices<Item>(items: Iterable<Item>, act: (item: Item) => void): Promise<void> {
  let until = performance.now() + SLICE;
  let count = 0;
  for (const item of items) {
    if (count++ % STRIDE === 0 && performance.now() > until) {
      await turn();
      until = performance.now() + SLICE;
    }
    act(item);
  }
}

const isHeader = (value: unknown): value is Header =>
  isObject(value) && typeof value.shape === 'number' && typeof value.sum === 'number' && Array.isArray(value.stores);

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // A damaged cache is as good as none.
    return null;
  }
}
