import { Buffer } from 'node:buffer';

/** A row of a transcript in its file. */
export interface Entry {
  /** Byte offset of its record. */
  readonly offset: number;
  /** Bytes of the record. */
  readonly length: number;
  readonly kind: EntryKind;
  readonly oddity: 'no-call' | 'repeated-id' | null;
  /** Hash of its id, to find ids that are there twice; 0 when it has none. */
  readonly idHash: number;
}

/** `giant`: a record that is too long to be taken apart. */
export type EntryKind = 'message' | 'raw' | 'hole' | 'giant';

/** Consecutive entries, wherever they are kept. */
export interface EntrySource {
  readonly count: number;
  /** Entries from one index up to another, as far as there are any. */
  slice(from: number, to: number): Promise<Entry[]>;
}

/** Bytes of an entry: offset 6, length 6, flags 4, hash 8. */
export const ENTRY_BYTES = 24;
/** Entries of a block; the rest of it is its checksum. */
export const BLOCK_ENTRIES = 170;
export const BLOCK_BYTES = 4096;

const kinds: readonly EntryKind[] = ['message', 'raw', 'hole', 'giant'];
const oddities = [null, 'no-call', 'repeated-id'] as const;

export function writeEntry(block: Buffer, slot: number, entry: Entry): void {
  const at = slot * ENTRY_BYTES;
  block.writeUIntLE(entry.offset, at, 6);
  block.writeUIntLE(entry.length, at + 6, 6);
  block.writeUInt32LE(kinds.indexOf(entry.kind) + 4 * oddities.indexOf(entry.oddity), at + 12);
  block.writeDoubleLE(entry.idHash, at + 16);
}

export function readEntry(block: Buffer, slot: number): Entry {
  const at = slot * ENTRY_BYTES;
  const flags = block.readUInt32LE(at + 12);
  return {
    offset: block.readUIntLE(at, 6),
    length: block.readUIntLE(at + 6, 6),
    kind: kinds[flags & 3] ?? 'raw',
    oddity: oddities[(flags >> 2) & 3] ?? null,
    idHash: block.readDoubleLE(at + 16),
  };
}

/** Entries in memory, in the blocks that an index file is made of. */
export class EntryList implements EntrySource {
  readonly blocks: Buffer[] = [];
  #count = 0;

  /** Entries in blocks that came from elsewhere. */
  static of(blocks: readonly Uint8Array[], count: number): EntryList {
    const list = new EntryList();
    for (const block of blocks) list.blocks.push(Buffer.from(block.buffer, block.byteOffset, block.byteLength));
    list.#count = count;
    return list;
  }

  get count(): number {
    return this.#count;
  }

  push(entry: Entry): void {
    const slot = this.#count % BLOCK_ENTRIES;
    if (slot === 0) this.blocks.push(Buffer.alloc(BLOCK_BYTES));
    const block = this.blocks.at(-1);
    if (block !== undefined) writeEntry(block, slot, entry);
    this.#count++;
  }

  clear(): void {
    this.blocks.length = 0;
    this.#count = 0;
  }

  get(index: number): Entry {
    const block = this.blocks[Math.floor(index / BLOCK_ENTRIES)];
    if (block === undefined || index >= this.#count) throw new RangeError('there is no such entry');
    return readEntry(block, index % BLOCK_ENTRIES);
  }

  *all(): Generator<Entry> {
    for (let index = 0; index < this.#count; index++) yield this.get(index);
  }

  slice(from: number, to: number): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (let index = Math.max(0, from); index < Math.min(to, this.#count); index++) entries.push(this.get(index));
    return Promise.resolve(entries);
  }
}

/** Some entries and those that came after them. */
export class JoinedEntries implements EntrySource {
  readonly base: EntrySource;
  readonly tail: EntryList;

  constructor(base: EntrySource, tail: EntryList) {
    this.base = base;
    this.tail = tail;
  }

  get count(): number {
    return this.base.count + this.tail.count;
  }

  async slice(from: number, to: number): Promise<Entry[]> {
    const { count } = this.base;
    const first = from < count ? await this.base.slice(from, Math.min(to, count)) : [];
    const second = to > count ? await this.tail.slice(Math.max(0, from - count), to - count) : [];
    return [...first, ...second];
  }
}
