import { splitLine } from './json-values.ts';
import { type Line, lineEnd } from './lines.ts';
import type { Oddities } from './oddities.ts';
import { messageShape } from './records.ts';
import { type ListState, markLength, RowCollector } from './rows.ts';

/** Finds the rows of a plain transcript (docs/formats/session-format.md, section 2): one message a line. */
export class PlainIndexer {
  readonly rows: RowCollector;
  #resume: number;
  #torn: boolean;

  constructor(state: ListState, oddities: Oddities) {
    this.rows = new RowCollector(state, oddities);
    this.#resume = state.resume;
    this.#torn = state.torn;
  }

  line(line: Line): void {
    const { bytes, terminated } = line;
    this.#torn = false;
    if (bytes === null) {
      if (terminated) this.rows.giant(line.offset, line.length);
      this.#torn = !terminated;
      this.#resume = terminated ? lineEnd(line) : line.offset;
      return;
    }
    const mark = markLength(bytes, line.offset);
    const { pieces, rest, torn } = splitLine(mark > 0 ? bytes.subarray(mark) : bytes, terminated, messageShape);
    const base = line.offset + mark;
    for (const { start, end, value } of pieces) {
      if (value === null) this.rows.hole(base + start, end - start);
      else this.rows.value(base + start, end - start, value);
    }
    this.#torn = torn;
    // A byte order mark alone is read again, or it would look like the beginning of a record.
    this.#resume = terminated ? lineEnd(line) : rest === 0 ? line.offset : base + rest;
  }

  state(): ListState {
    return {
      resume: this.#resume,
      torn: this.#torn,
      holes: this.rows.holes,
      replaces: 0,
      unplaced: 0,
      records: 0,
      next: 0,
      tooNew: false,
      calls: this.rows.oddities.calls,
    };
  }
}
