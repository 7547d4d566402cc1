import { type Entry, EntryList } from './entries.ts';
import { readStored } from './message.ts';
import type { Oddities } from './oddities.ts';

/** What is known of a transcript that is one list, but for its rows. Plain data: a part of the index file. */
export interface ListState {
  /** Everything before this byte was taken apart; an extension begins here. */
  readonly resume: number;
  /** Whether bytes stand behind `resume` that are no whole record yet. */
  readonly torn: boolean;
  /** Number of rows that are holes. */
  readonly holes: number;
  /** How often the whole list was replaced by a record; with each, earlier rows are void. */
  readonly replaces: number;
  /** Records that do not continue the list where they say: shown where they stand. */
  readonly unplaced: number;
  /** Records of a log that could be read. */
  readonly records: number;
  /** Index of the next message, as the records count. */
  readonly next: number;
  /** Whether something stands in it that a newer version wrote. */
  readonly tooNew: boolean;
  /** Hashes of the last tool calls. */
  readonly calls: readonly number[];
}

export const emptyList: ListState = {
  resume: 0,
  torn: false,
  holes: 0,
  replaces: 0,
  unplaced: 0,
  records: 0,
  next: 0,
  tooNew: false,
  calls: [],
};

/** Collects the rows of a list as they are found. */
export class RowCollector {
  /** The rows that are new. */
  readonly entries = new EntryList();
  readonly oddities: Oddities;
  holes: number;
  /** Whether the rows from before are void. */
  cleared = false;

  /** @param oddities What is remembered of the rows before. */
  constructor(state: ListState, oddities: Oddities) {
    this.oddities = oddities;
    this.holes = state.holes;
  }

  /** A message, or a record that should be one. */
  value(offset: number, length: number, value: unknown): void {
    const message = readStored(value);
    if (message === null) this.raw(offset, length);
    else this.entries.push({ offset, length, kind: 'message', ...this.oddities.look(message) });
  }

  raw(offset: number, length: number): void {
    this.entries.push({ offset, length, kind: 'raw', oddity: null, idHash: 0 });
  }

  giant(offset: number, length: number): void {
    this.entries.push({ offset, length, kind: 'giant', oddity: null, idHash: 0 });
  }

  hole(offset: number, length: number): void {
    this.entries.push({ offset, length, kind: 'hole', oddity: null, idHash: 0 });
    this.holes++;
  }

  clear(): void {
    this.entries.clear();
    this.oddities.clear();
    this.holes = 0;
    this.cleared = true;
  }
}

/** Where a row stands in its file, and what is not told by its bytes. */
export interface RowPlace extends Pick<Entry, 'offset' | 'length' | 'kind' | 'oddity'> {
  /** Id that counts instead of the one inside the message. */
  readonly id: string | null;
}

/** Bytes of a byte order mark at the beginning of a file, 0 when there is none. */
export function markLength(bytes: Uint8Array, offset: number): number {
  return offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
