import type { FileHandle } from '../../files/file-system.ts';
import type { EntryKind } from './entries.ts';
import type { TranscriptFormat } from './index-head.ts';
import { elementRanges, memberRanges, type Piece, splitLine } from './json-values.ts';
import { type Line, scanLinesBackwards } from './lines.ts';
import { readStored } from './message.ts';
import { logShape, messageShape, recordKind } from './records.ts';
import { markLength, type RowPlace } from './rows.ts';

/** How far back the end of a transcript is looked through at once, in bytes, and the most rows that are taken from it. */
const TAIL_BYTES = 24 * 1024 * 1024;
const TAIL_ROWS = 400;
/** Once this much was gone through, what was found is enough. */
const SOON_BYTES = 2 * 1024 * 1024;

/** The last rows of a transcript, in order. */
export interface Tail {
  readonly rows: readonly RowPlace[];
  readonly torn: boolean;
  /** Size of the file that it is the end of. */
  readonly size: number;
}

/**
 * Finds the last rows of a transcript from its end, without knowing how many there are before: what can be shown at once
 * of one that has no index. Of a log of schema 2 those that lead to the last message that was written.
 */
export async function readTail(
  handle: FileHandle,
  format: TranscriptFormat,
  size: number,
  signal?: AbortSignal,
): Promise<Tail> {
  const finder = format === 'transcript' ? new PlainTail() : format === 'log-1' ? new LogOneTail() : new LogTwoTail();
  const floor = Math.max(0, size - TAIL_BYTES);
  let torn = false;
  await scanLinesBackwards(handle, { end: size, floor, signal }, (line) => {
    const { bytes, terminated } = line;
    if (bytes === null) return finder.giant(line);
    const mark = markLength(bytes, line.offset);
    const content = mark > 0 ? bytes.subarray(mark) : bytes;
    const split = splitLine(content, terminated, format === 'transcript' ? messageShape : logShape);
    torn ||= split.torn;
    const more = finder.line(content, line.offset + mark, split.pieces);
    const enough = finder.count >= TAIL_ROWS || (finder.count > 0 && size - line.offset >= SOON_BYTES);
    return more && !enough;
  });
  return { rows: finder.rows(), torn, size };
}

const row = (offset: number, length: number, kind: EntryKind, id: string | null = null): RowPlace => ({
  offset,
  length,
  kind,
  oddity: null,
  id,
});

const kindOf = (value: unknown): EntryKind => (readStored(value) === null ? 'raw' : 'message');

/** Rows in reverse. Its methods answer whether to go on. */
abstract class TailFinder {
  protected readonly found: RowPlace[] = [];

  get count(): number {
    return this.found.length;
  }

  rows(): RowPlace[] {
    return this.found.toReversed();
  }

  abstract line(bytes: Buffer, base: number, pieces: readonly Piece[]): boolean;
  abstract giant(line: Line): boolean;
}

class PlainTail extends TailFinder {
  line(_bytes: Buffer, base: number, pieces: readonly Piece[]): boolean {
    for (const { start, end, value } of pieces.toReversed()) {
      this.found.push(row(base + start, end - start, value === null ? 'hole' : kindOf(value)));
    }
    return true;
  }

  giant({ offset, length, terminated }: Line): boolean {
    if (terminated) this.found.push(row(offset, length, 'giant'));
    return true;
  }
}

class LogOneTail extends TailFinder {
  line(bytes: Buffer, base: number, pieces: readonly Piece[]): boolean {
    for (const { start, end, value } of pieces.toReversed()) {
      const messages = value?.messages ?? [];
      if (value === null) this.found.push(row(base + start, end - start, 'hole'));
      else if (recordKind(value) !== 'log-1' || !Array.isArray(messages)) {
        this.found.push(row(base + start, end - start, 'raw'));
      } else {
        const list = memberRanges(bytes, start).get('messages');
        const elements = list === undefined ? [] : elementRanges(bytes, list.start);
        for (const [index, element] of [...elements.entries()].toReversed()) {
          this.found.push(row(base + element.start, element.end - element.start, kindOf(messages[index])));
        }
        if (value.type === 'replace') return false;
      }
    }
    return true;
  }

  /** Such a record is mostly the whole list so far: its messages are found when it is gone through from its beginning. */
  giant(): boolean {
    return false;
  }
}

class LogTwoTail extends TailFinder {
  /** The message that the chain goes on with; null before its last one was found. */
  #wanted: string | null = null;
  #patches = new Map<string, RowPlace>();

  line(bytes: Buffer, base: number, pieces: readonly Piece[]): boolean {
    for (const { start, value } of pieces.toReversed()) {
      if (value === null || recordKind(value) !== 'log-2') continue;
      const { type, id, target, parent, msgs } = value;
      // A redaction may be of any message before it: what it says is known only when all was gone through.
      if (type === 'redact' || type === 'rewind') return false;
      if (!Array.isArray(msgs) || msgs.length !== 1 || (type !== 'message' && type !== 'patch')) continue;
      const list = memberRanges(bytes, start).get('msgs');
      const place = list === undefined ? undefined : elementRanges(bytes, list.start)[0];
      const name = type === 'patch' ? target : id;
      if (place === undefined || typeof name !== 'string') continue;
      const found = row(base + place.start, place.end - place.start, kindOf(msgs[0]), name);
      if (type === 'patch') {
        if (!this.#patches.has(name)) this.#patches.set(name, found);
      } else if (this.#wanted === null || this.#wanted === name) {
        this.found.push(this.#patches.get(name) ?? found);
        this.#wanted = typeof parent === 'string' ? parent : '';
        if (this.#wanted === '') return false;
      }
    }
    return true;
  }

  giant(): boolean {
    return true;
  }
}
