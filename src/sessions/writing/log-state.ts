import type { FileHandle } from '../../files/index.ts';
import { authoredText, previewOf } from '../catalog/preview.ts';
import { type Line, lineEnd, scanLines } from '../transcript/lines.ts';
import { RunningDigest } from './digest.ts';
import { type FoundRecord, partsOf } from './log-record.ts';

/** Writers of ours are known by the beginning of their id (docs/formats/session-format.md, section 13, has the rest). */
const ourWriter = /^sidekeep\./;

/** Where a message stands in the log. */
export interface MessagePlace {
  /** Position among the rows of the transcript, from 0. */
  readonly index: number;
  /** The bytes of its record. */
  readonly offset: number;
  readonly length: number;
  /** Position among the messages of its record. */
  readonly item: number;
}

/** Where a record and its line stand in the file. */
export interface RecordPlace {
  readonly offset: number;
  readonly length: number;
  /** Behind its line and the LF. */
  readonly lineEnd: number;
}

/** What a writer has to know of a log of schema 1: made by going through it, kept up with each write. */
export class LogState {
  /** Bytes of the file that were looked at. */
  size = 0;
  /** Behind the last whole record or whole line: where the next one goes. What is left behind it is torn. */
  goodEnd = 0;
  /** Whether the last record lacks its LF. */
  needsNewline = false;
  /** Whether something stands behind {@link goodEnd} that is neither a record nor blank. */
  torn = false;
  /** Lines that are no records, or more than records. */
  holes = 0;
  records = 0;
  revision = 0;
  /** Number of messages. */
  count = 0;
  /** Number of rows that a reader shows: messages, holes, and objects that are no records. */
  rows = 0;
  /** Where the next record says that its messages go. */
  next = 0;
  /** Bytes of all messages, each with an LF: those of the transcript that goes with it. */
  textBytes = 0;
  /** Where the record stands that set all messages; 0 while there was none. */
  base = 0;
  /** Messages that a person wrote, and the beginning of the first. */
  turns = 0;
  preview: string | null = null;
  /** Time of the last record, ms since 1970. */
  lastAt: number | null = null;
  /** Whether there are records of a version or kind that is not known here. */
  newer = false;
  /** Whether it is a log of the other schema. */
  other = false;
  #digest = new RunningDigest();
  readonly #places = new Map<string, MessagePlace>();
  #replaces = 0;
  #firstWriter: string | null = null;
  #lastWriter: string | null = null;

  /** Digest of all messages. */
  get digest(): string {
    return this.#digest.text();
  }

  /** Whether a session with this log is ours: its first and its last record were written here. */
  get isOurs(): boolean {
    return ourWriter.test(this.#firstWriter ?? '') && ourWriter.test(this.#lastWriter ?? '');
  }

  /** Whether it is known already that it is not, so that the rest need not be read. */
  get isForeign(): boolean {
    return this.#firstWriter !== null && !ourWriter.test(this.#firstWriter);
  }

  /** A digest that goes on from that of all messages. */
  nextDigest(): RunningDigest {
    return this.#digest.copy();
  }

  /** Where the message with this id stands; undefined when there is none. */
  placeOf(id: string): MessagePlace | undefined {
    return this.#places.get(id);
  }

  /** Takes in what the file has behind {@link goodEnd}. Ends early where the log is not ours. */
  async read(handle: FileHandle, signal?: AbortSignal): Promise<void> {
    this.torn = false;
    const from = this.goodEnd;
    const needed = this.needsNewline;
    this.size = from;
    await scanLines(handle, { from, ...(signal === undefined ? {} : { signal }) }, (line) => {
      this.#takeLine(line, needed && line.offset === from);
      return !this.isForeign && !this.newer && !this.other;
    });
  }

  /**
   * Takes in a record that is on the disk now.
   *
   * @param digest That of all messages up to and with its own, where it is known already. It is this state's from now on.
   */
  take(record: FoundRecord, bytes: Buffer, place: RecordPlace, digest?: RunningDigest): void {
    this.records++;
    this.#firstWriter ??= record.writerId;
    this.#lastWriter = record.writerId;
    this.newer ||= record.kind === 'newer';
    this.other ||= record.kind === 'other-log';
    if (record.kind === 'replace') this.#restart(place.offset);
    this.next = (record.kind === 'replace' ? 0 : record.messageIndex) + record.messages.length;
    this.revision = Math.max(this.revision, record.revision);
    this.lastAt = record.createdAt ?? this.lastAt;
    for (const [item, span] of record.messages.entries()) {
      const message = bytes.subarray(span.start, span.end);
      if (digest === undefined) this.#digest.add(message);
      this.#takeMessage(message.length, record.values[item], { ...place, item });
    }
    if (digest !== undefined) this.#digest = digest;
    this.goodEnd = place.lineEnd;
    this.size = Math.max(this.size, place.lineEnd);
    this.needsNewline = false;
  }

  /** Leaves a torn end where it is: it is a hole as soon as a line stands behind it. */
  leaveTail(): void {
    this.#takeHole(this.size);
    this.torn = false;
    this.needsNewline = true;
  }

  /** @param continued Whether the line goes on behind a record that had no LF yet. */
  #takeLine(line: Line, continued: boolean): void {
    const end = lineEnd(line);
    this.size = end;
    const bytes = line.bytes;
    const parts =
      bytes === null ? [{ start: 0, end: line.length, record: null, isObject: false }] : partsOf(bytes, line.offset);
    // What stands behind the last whole object of a line without LF may still grow: it is no hole yet.
    const whole = line.terminated ? parts.length : parts.findLastIndex(({ isObject }) => isObject) + 1;
    for (const { start, end: partEnd, record } of parts.slice(0, whole)) {
      const place = { offset: line.offset + start, length: partEnd - start, lineEnd: line.offset + partEnd };
      if (record !== null && bytes !== null) this.take(record, bytes, place);
      else this.#takeHole(place.lineEnd);
    }
    this.torn = whole < parts.length;
    // Blanks are nothing to set aside.
    if (!this.torn) this.goodEnd = end;
    this.needsNewline = !line.terminated && (whole > 0 || continued || (!this.torn && line.length > 0));
  }

  #takeHole(end: number): void {
    this.holes++;
    this.rows++;
    this.goodEnd = end;
  }

  #restart(offset: number): void {
    this.base = offset;
    // Before the first of a log stands nothing but what was damaged, which stays to be seen.
    if (this.#replaces++ > 0 || this.next > 0) this.rows = 0;
    this.count = 0;
    this.textBytes = 0;
    this.turns = 0;
    this.preview = null;
    this.#digest = new RunningDigest();
    this.#places.clear();
  }

  #takeMessage(size: number, value: unknown, { offset, length, item }: Omit<MessagePlace, 'index'>): void {
    const id = messageId(value);
    if (id !== null && !this.#places.has(id)) this.#places.set(id, { index: this.rows, offset, length, item });
    const authored = authoredText(value);
    if (authored !== null) {
      this.turns++;
      this.preview ??= previewOf(authored);
    }
    this.textBytes += size + 1;
    this.count++;
    this.rows++;
  }
}

function messageId(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' && value.id !== '' ? value.id : null;
}
