import type { FileHandle } from '../../files/file-system.ts';
import { elementRanges, GiantRecord, memberRanges, type Piece, parseObject, splitLine } from './json-values.ts';
import { LINE_CAP, type Line, lineEnd, readExactly } from './lines.ts';
import type { Oddities } from './oddities.ts';
import { logShape, recordKind } from './records.ts';
import { type ListState, markLength, RowCollector } from './rows.ts';

/** Bytes of one read of a record that is too long to be held. */
const CHUNK = 1024 * 1024;

type LogRecord = Readonly<Record<string, unknown>>;

/**
 * Finds the rows of an event log of schema 1 (docs/formats/session-format.md, section 5): the messages of its records in
 * file order, from the last `replace` on. A record that does not continue the list where it says is counted and shown where
 * it stands: two writers, or a lost record before it, must not hide what it holds.
 */
export class LogOneIndexer {
  readonly rows: RowCollector;
  readonly #handle: FileHandle;
  #resume: number;
  #torn: boolean;
  #replaces: number;
  #unplaced: number;
  #records: number;
  #next: number;
  #tooNew: boolean;

  /** @param handle The log, to read records again that are too long to be held. */
  constructor(handle: FileHandle, state: ListState, oddities: Oddities) {
    this.#handle = handle;
    this.rows = new RowCollector(state, oddities);
    this.#resume = state.resume;
    this.#torn = state.torn;
    this.#replaces = state.replaces;
    this.#unplaced = state.unplaced;
    this.#records = state.records;
    this.#next = state.next;
    this.#tooNew = state.tooNew;
  }

  line(line: Line): void | Promise<void> {
    const { bytes, terminated } = line;
    if (bytes === null) return this.#giantLine(line);
    const mark = markLength(bytes, line.offset);
    const content = mark > 0 ? bytes.subarray(mark) : bytes;
    const { pieces, rest, torn } = splitLine(content, terminated, logShape);
    const base = line.offset + mark;
    for (const piece of pieces) this.#piece(content, base, piece);
    this.#torn = torn;
    this.#resume = terminated ? lineEnd(line) : rest === 0 ? line.offset : base + rest;
  }

  #piece(bytes: Buffer, base: number, { start, end, value }: Piece): void {
    if (value === null) {
      this.rows.hole(base + start, end - start);
      return;
    }
    const kind = recordKind(value);
    if (kind === 'too-new') this.#tooNew = true;
    const messages = value.messages ?? [];
    if (kind !== 'log-1' || !Array.isArray(messages)) {
      this.rows.raw(base + start, end - start);
      return;
    }
    this.#place(value, messages.length);
    const list = memberRanges(bytes, start).get('messages');
    if (list === undefined) return;
    for (const [index, element] of elementRanges(bytes, list.start).entries()) {
      this.rows.value(base + element.start, element.end - element.start, messages[index]);
    }
  }

  /** Takes note of a record's place in the list. */
  #place(record: LogRecord, count: number): void {
    this.#records++;
    if (record.type === 'replace') {
      // Before the first of a log stands nothing but what was damaged, which stays to be seen.
      if (this.#next > 0 || this.#replaces > 0) this.rows.clear();
      this.#replaces++;
      this.#unplaced = 0;
      this.#next = count;
      return;
    }
    const index = typeof record.message_index === 'number' ? record.message_index : 0;
    if (index !== this.#next) this.#unplaced++;
    this.#next = index + count;
  }

  async #giantLine(line: Line): Promise<void> {
    const record = new GiantRecord('messages');
    const end = line.offset + line.length;
    for (let at = line.offset; at < end && record.end < 0; at += CHUNK) {
      record.push(await readExactly(this.#handle, at, Math.min(CHUNK, end - at)), at);
    }
    const value: LogRecord = Object.fromEntries([...record.scalars].map(([key, text]) => [key, parseScalar(text)]));
    if (record.end >= 0 && recordKind(value) === 'too-new') this.#tooNew = true;
    if (record.end < 0 || recordKind(value) !== 'log-1') {
      if (line.terminated) this.rows.giant(line.offset, line.length);
      this.#torn = !line.terminated;
      this.#resume = line.terminated ? lineEnd(line) : line.offset;
      return;
    }
    this.#place(value, record.elements.length);
    for (const { start, end: elementEnd } of record.elements) {
      const length = elementEnd - start;
      if (length > LINE_CAP) this.rows.giant(start, length);
      else this.#element(start, await readExactly(this.#handle, start, length));
    }
    const isMore = (await readExactly(this.#handle, record.end, end - record.end)).toString('latin1').trim() !== '';
    if (isMore && line.terminated) this.rows.hole(record.end, end - record.end);
    this.#torn = isMore && !line.terminated;
    this.#resume = line.terminated ? lineEnd(line) : record.end;
  }

  #element(start: number, bytes: Buffer): void {
    const value = parseObject(bytes);
    if (value === null) this.rows.hole(start, bytes.length);
    else this.rows.value(start, bytes.length, value);
  }

  state(): ListState {
    return {
      resume: this.#resume,
      torn: this.#torn,
      holes: this.rows.holes,
      replaces: this.#replaces,
      unplaced: this.#unplaced,
      records: this.#records,
      next: this.#next,
      tooNew: this.#tooNew,
      calls: this.rows.oddities.calls,
    };
  }
}

function parseScalar(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Only found by its brackets: what does not parse is a member that says nothing.
    return null;
  }
}
