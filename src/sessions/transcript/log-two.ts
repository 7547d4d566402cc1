import { type GraphData, type GraphText, graphText, MessageGraph } from './graph.ts';
import { type Head, Heads, MAIN_HEAD, recordTime } from './heads.ts';
import { elementRanges, memberRanges, type Piece, type Range, splitLine } from './json-values.ts';
import { type Line, lineEnd } from './lines.ts';
import { isObject, readStored } from './message.ts';
import { logShape, recordKind } from './records.ts';
import { markLength } from './rows.ts';

/** Most bytes and records of a log of schema 2 that is gone through (docs/formats/session-format.md, section 14). */
export const LOG_TWO_BYTES = 128 * 1024 * 1024;
export const LOG_TWO_RECORDS = 100_000;

/** What is known of a log of schema 2; plain data, the content of its index file. */
export interface LogTwoState {
  readonly resume: number;
  readonly torn: boolean;
  /** Regions that could not be read; they are counted, the chain of a head has no place for them. */
  readonly holes: number;
  readonly records: number;
  readonly tooNew: boolean;
  readonly tooLarge: boolean;
  /** How often texts of messages that were there became others. */
  readonly changes: number;
  readonly heads: readonly Head[];
  readonly selected: string | null;
  readonly graph: GraphData;
}

type LogRecord = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Replays an event log of schema 2 in file order (docs/formats/session-format.md, section 6), holding places, no texts. */
export class LogTwoIndexer {
  readonly graph: MessageGraph;
  readonly heads: Heads;
  #resume: number;
  #torn: boolean;
  #holes: number;
  #records: number;
  #tooNew: boolean;
  #tooLarge: boolean;
  #changes: number;
  // The line that is being taken apart.
  #bytes: Buffer = Buffer.alloc(0);
  #base = 0;

  constructor(state: LogTwoState | null) {
    this.graph = new MessageGraph(state?.graph);
    this.heads = new Heads(state?.heads, state?.selected ?? null);
    this.#resume = state?.resume ?? 0;
    this.#torn = state?.torn ?? false;
    this.#holes = state?.holes ?? 0;
    this.#records = state?.records ?? 0;
    this.#tooNew = state?.tooNew ?? false;
    this.#tooLarge = state?.tooLarge ?? false;
    this.#changes = state?.changes ?? 0;
  }

  get resume(): number {
    return this.#resume;
  }

  get torn(): boolean {
    return this.#torn;
  }

  get holes(): number {
    return this.#holes;
  }

  get records(): number {
    return this.#records;
  }

  get changes(): number {
    return this.#changes;
  }

  get isTooNew(): boolean {
    return this.#tooNew;
  }

  get isTooLarge(): boolean {
    return this.#tooLarge;
  }

  /** Takes note that the log is too large to be gone through. */
  refuse(): void {
    this.#tooLarge = true;
  }

  /** @returns False once the log has more records than are gone through. */
  line(line: Line): boolean {
    const { bytes, terminated } = line;
    if (bytes === null) {
      if (terminated) this.#holes++;
      this.#torn = !terminated;
      this.#resume = terminated ? lineEnd(line) : line.offset;
      return true;
    }
    const mark = markLength(bytes, line.offset);
    this.#bytes = mark > 0 ? bytes.subarray(mark) : bytes;
    this.#base = line.offset + mark;
    const { pieces, rest, torn } = splitLine(this.#bytes, terminated, logShape);
    for (const piece of pieces) this.#piece(piece);
    this.#torn = torn;
    this.#resume = terminated ? lineEnd(line) : rest === 0 ? line.offset : this.#base + rest;
    this.#tooLarge ||= this.#records > LOG_TWO_RECORDS;
    return !this.#tooLarge;
  }

  #piece({ start, value }: Piece): void {
    const kind = value === null ? 'other' : recordKind(value);
    if (kind === 'too-new') this.#tooNew = true;
    if (value === null || kind !== 'log-2') {
      this.#holes++;
      return;
    }
    this.#records++;
    if (!this.#apply(value, start)) this.#holes++;
  }

  /** @returns Whether the record could be understood. */
  #apply(record: LogRecord, start: number): boolean {
    switch (record.type) {
      case 'message':
        return this.#message(record, start);
      case 'patch':
        return this.#patch(record, start);
      case 'system':
        return this.#system(record, start);
      case 'redact':
        return this.#redact(record, start);
      case 'fork':
        return this.#fork(record);
      case 'checkpoint':
        if (typeof record.selected_head === 'string' && record.selected_head !== '') {
          this.heads.selected = record.selected_head;
        }
        return true;
      case 'log':
      case 'writer':
        return true;
      default:
        this.#mark(record);
        return true;
    }
  }

  #head(record: LogRecord): Head {
    const head = this.heads.named(text(record.head) || MAIN_HEAD);
    const at = recordTime(record.at);
    if (at >= head.activity) {
      head.activity = at;
      head.order = this.#records;
    }
    return head;
  }

  #message(record: LogRecord, start: number): boolean {
    const { id, msgs } = record;
    if (typeof id !== 'string' || id === '' || !Array.isArray(msgs) || msgs.length !== 1) return false;
    const place = this.#elements(memberRanges(this.#bytes, start).get('msgs'))[0];
    if (place === undefined) return false;
    const number = this.graph.add(id, text(record.parent) || null, this.#text(place, msgs[0]));
    if (number < 0) return true;
    const head = this.#head(record);
    // A message that does not follow the last one leaves rows behind.
    if (head.leaf >= 0 && this.graph.numberOf(text(record.parent)) !== head.leaf) head.changes++;
    head.leaf = number;
    return true;
  }

  #patch(record: LogRecord, start: number): boolean {
    const { target, msgs } = record;
    if (typeof target !== 'string' || !Array.isArray(msgs) || msgs.length !== 1) return false;
    const place = this.#elements(memberRanges(this.#bytes, start).get('msgs'))[0];
    if (place === undefined) return false;
    this.#head(record);
    if (this.graph.replace(target, this.#text(place, msgs[0]), false)) this.#changes++;
    return true;
  }

  #system(record: LogRecord, start: number): boolean {
    const place = this.#elements(memberRanges(this.#bytes, start).get('msgs'))[0];
    if (place === undefined) return false;
    const head = this.#head(record);
    head.system = { offset: this.#base + place.start, length: place.end - place.start };
    head.changes++;
    return true;
  }

  #redact(record: LogRecord, start: number): boolean {
    const { targets } = record;
    if (!isObject(targets)) return false;
    const range = memberRanges(this.#bytes, start).get('targets');
    if (range === undefined) return false;
    this.#head(record);
    for (const [id, list] of memberRanges(this.#bytes, range.start)) {
      const messages = targets[id];
      // What takes the place of a message counts whatever its shape: what was to go must not be shown.
      const place = this.#elements(list)[0] ?? list;
      const message = Array.isArray(messages) ? messages[0] : messages;
      if (this.graph.replace(id, this.#text(place, message), true)) this.#changes++;
    }
    return true;
  }

  #fork(record: LogRecord): boolean {
    const id = text(record.new_head);
    if (id === '') return false;
    const parent = this.heads.named(text(record.head) || MAIN_HEAD);
    if (this.heads.get(id) !== undefined) return true;
    const head = this.heads.named(id);
    head.kind = record.kind === 'rewind' || record.kind === 'concurrent' ? record.kind : 'fork';
    head.name = text(record.name) || null;
    head.leaf = this.graph.numberOf(text(record.from));
    head.system = parent.system;
    head.activity = recordTime(record.at);
    head.order = this.#records;
    return true;
  }

  /** Records that change where a head is, or say something about it. */
  #mark(record: LogRecord): void {
    const head = this.#head(record);
    switch (record.type) {
      case 'rewind': {
        const to = text(record.to);
        const leaf = to === '' ? -1 : this.graph.numberOf(to);
        // A message that was lost cannot be gone back to; all is shown rather than nothing.
        if (to !== '' && leaf < 0) break;
        head.leaf = leaf;
        head.changes++;
        break;
      }
      case 'select':
        this.heads.selected = head.id;
        break;
      case 'rename':
        head.name = text(record.name) || null;
        break;
      case 'retire':
        head.retired = true;
        break;
      case 'turn_begin':
        head.turn = text(record.turn);
        break;
      case 'turn_end':
        if (text(record.turn) === '' || record.turn === head.turn) head.turn = null;
        break;
    }
  }

  #text(place: Range, value: unknown): GraphText {
    const { start, end } = place;
    return graphText(this.#base + start, end - start, readStored(value));
  }

  #elements(list: Range | undefined): Range[] {
    return list === undefined || this.#bytes[list.start] !== 0x5b ? [] : elementRanges(this.#bytes, list.start);
  }

  state(): LogTwoState {
    return {
      resume: this.#resume,
      torn: this.#torn,
      holes: this.#holes,
      records: this.#records,
      tooNew: this.#tooNew,
      tooLarge: this.#tooLarge,
      changes: this.#changes,
      heads: this.heads.all(),
      selected: this.heads.selected,
      graph: this.graph.data(),
    };
  }
}
