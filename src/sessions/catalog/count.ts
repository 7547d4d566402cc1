import { splitLine } from '../transcript/json-values.ts';
import type { Line } from '../transcript/lines.ts';
import { logShape, messageShape, recordKind } from '../transcript/records.ts';
import { markLength } from '../transcript/rows.ts';
import { HeadGraph } from './head-graph.ts';
import { authored } from './preview.ts';
import { isObject, textOrNull } from './shape.ts';
import { later, recordedTime } from './times.ts';

/** Most records or messages that are counted (docs/formats/session-format.md, section 7). */
export const MAXIMUM_RECORDS = 100_000;

type Stored = Readonly<Record<string, unknown>>;

/** What was counted of a file. Turns and preview are those of the conversation that is shown when it is opened. */
export interface Counted {
  /** Of a log: whether it has at least one good record, so that it is the authority. */
  readonly isNative: boolean;
  readonly isTooNew: boolean;
  /** More records than are counted; then nothing else is certain. */
  readonly isTooMany: boolean;
  /** Number of messages that a person wrote; null when a record could not be looked at. */
  readonly turns: number | null;
  readonly messages: number;
  readonly preview: string | null;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly firstWriter: string | null;
  readonly lastWriter: string | null;
  /** Regions that are no records, the end left out. */
  readonly holes: number;
  /** Whether the file ends in the middle of a record. */
  readonly isTorn: boolean;
}

/**
 * Counts a conversation line by line, in file order, without keeping its texts: a plain transcript, or an event log of
 * version 1 or 2 (docs/formats/session-format.md, sections 2, 5, 6 and 7).
 */
export class ConversationCount {
  readonly #kind: 'log' | 'transcript';
  readonly #now: number;
  /** Of a transcript and a log of version 1: the messages so far. */
  #turns = 0;
  #messages = 0;
  #preview: string | null = null;
  /** Of a log of version 2. */
  #graph: HeadGraph | null = null;
  #records = 0;
  #good = 0;
  #holes = 0;
  #isTorn = false;
  #isUncertain = false;
  #isTooNew = false;
  #firstAt: number | null = null;
  #lastAt: number | null = null;
  #firstWriter: string | null = null;
  #lastWriter: string | null = null;

  /** @param now ms since 1970: recorded times beyond it are not believed. */
  constructor(kind: 'log' | 'transcript', now: number) {
    this.#kind = kind;
    this.#now = now;
  }

  /** Whether there is no use in going on. */
  get isOver(): boolean {
    return this.#isTooNew || this.#isTooMany;
  }

  get #isTooMany(): boolean {
    return this.#records > MAXIMUM_RECORDS || this.#messages > MAXIMUM_RECORDS;
  }

  take({ offset, bytes, terminated }: Line): void {
    if (bytes === null) {
      this.#records++;
      this.#isUncertain = true;
      return;
    }
    const content = bytes.subarray(markLength(bytes, offset));
    const isLog = this.#kind === 'log';
    const { pieces, torn } = splitLine(content, terminated, isLog ? logShape : messageShape);
    for (const { value } of pieces) {
      this.#records++;
      if (value !== null && (isLog ? this.#takeRecord(value) : this.#takeMessage(value))) this.#good++;
      else this.#holes++;
    }
    this.#isTorn = torn;
  }

  result(): Counted {
    const shown = this.#graph?.shown() ?? { turns: this.#turns, preview: this.#preview, messages: this.#messages };
    return {
      ...shown,
      turns: this.#isUncertain || this.isOver ? null : shown.turns,
      isNative: this.#good > 0,
      isTooNew: this.#isTooNew,
      isTooMany: this.#isTooMany,
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
      firstWriter: this.#firstWriter,
      lastWriter: this.#lastWriter,
      holes: this.#holes,
      isTorn: this.#isTorn,
    };
  }

  /** A message of a transcript. One of an unknown shape is shown in raw form, so it is no hole. */
  #takeMessage(message: Stored): boolean {
    this.#addTime(message.createdAt);
    this.#add(message);
    return true;
  }

  #takeRecord(record: Stored): boolean {
    const kind = recordKind(record);
    if (kind === 'too-new') this.#isTooNew = true;
    if (kind === 'log-2') this.#graph ??= new HeadGraph();
    if (kind === 'too-new' || kind === 'other') return false;
    if (!(kind === 'log-1' ? this.#takeList(record) : this.#graph?.take(record))) return false;
    this.#addTime(kind === 'log-1' ? record.created_at : record.at);
    this.#messages = Math.max(this.#messages, this.#graph?.size ?? 0);
    const writer = textOrNull(kind === 'log-1' ? record.writer_id : record.writer);
    this.#firstWriter ??= writer;
    this.#lastWriter = writer ?? this.#lastWriter;
    return true;
  }

  /** A record of version 1: the whole list, or more of it. One that does not fit is counted all the same. */
  #takeList({ type, messages = [], message_index: index = 0 }: Stored): boolean {
    if (!Array.isArray(messages)) return false;
    if (type === 'replace') {
      this.#turns = 0;
      this.#messages = 0;
      this.#preview = null;
    } else if (index !== this.#messages) this.#holes++;
    for (const message of messages) {
      if (isObject(message)) this.#addTime(message.createdAt);
      this.#add(message);
    }
    return true;
  }

  #add(message: unknown): void {
    this.#messages++;
    const text = authored(message);
    if (text === null) return;
    this.#turns++;
    this.#preview ??= text === '' ? null : text;
  }

  #addTime(value: unknown): void {
    const time = recordedTime(value, this.#now);
    this.#firstAt ??= time;
    this.#lastAt = later(this.#lastAt, time);
  }
}
