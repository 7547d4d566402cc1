import type { Range } from '../transcript/json-values.ts';
import type { RunningDigest } from './digest.ts';
import { encodeRecord, type FoundRecord, type RecordHead } from './log-record.ts';
import type { LogState } from './log-state.ts';
import type { EncodedMessage } from './message-text.ts';

/** What goes into one record. */
export interface RecordContent {
  readonly messages: readonly EncodedMessage[];
  readonly type?: RecordHead['type'];
  readonly reason?: string;
}

/** A record with the bytes of its line, made to follow what a log holds. */
export interface ComposedRecord {
  readonly line: Buffer;
  readonly head: RecordHead;
  readonly messages: readonly EncodedMessage[];
  /** Where each message stands in the line. */
  readonly ranges: readonly Range[];
  /** Number of rows of the transcript up to and with its own messages. */
  readonly rows: number;
}

/** Makes records that follow each other, and what a log holds already. */
export class RecordComposer {
  readonly #writerId: string;
  #revision: number;
  #next: number;
  #rows: number;
  /** Digest of all messages so far. */
  readonly digest: RunningDigest;

  constructor(state: LogState, writerId: string) {
    this.#writerId = writerId;
    this.#revision = state.revision;
    this.#next = state.next;
    this.#rows = state.rows;
    this.digest = state.nextDigest();
  }

  /** The next record. @param createdAt In ms since 1970. */
  add({ messages, type = 'append', reason }: RecordContent, createdAt: number): ComposedRecord {
    for (const { bytes } of messages) this.digest.add(bytes);
    const head: RecordHead = {
      type,
      revision: this.#revision + 1,
      baseRevision: this.#revision,
      messageIndex: type === 'replace' ? 0 : this.#next,
      contentDigest: this.digest.text(),
      writerId: this.#writerId,
      ...(reason === undefined ? {} : { reason }),
      createdAt,
    };
    this.#revision++;
    this.#next = head.messageIndex + messages.length;
    this.#rows += messages.length;
    const { line, messages: ranges } = encodeRecord(
      head,
      messages.map(({ bytes }) => bytes),
    );
    return { line, head, messages, ranges, rows: this.#rows };
  }
}

/**
 * Takes a composed record in as it now stands in the file, from `offset` on.
 *
 * @param composer What made it, and nothing behind it, or all of whose records are taken in now.
 */
export function takeComposed(
  state: LogState,
  { line, head, messages, ranges }: ComposedRecord,
  offset: number,
  composer: RecordComposer,
): void {
  const length = line.length - 1;
  const found: FoundRecord = {
    kind: head.type,
    revision: head.revision,
    messageIndex: head.messageIndex,
    writerId: head.writerId,
    createdAt: head.createdAt,
    messages: ranges,
    values: messages.map(({ value }) => value),
    span: { start: 0, end: length },
  };
  state.take(found, line, { offset, length, lineEnd: offset + line.length }, composer.digest);
}
