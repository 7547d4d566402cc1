import type { RunningDigest } from './digest.ts';
import { encodeRecord, type FoundRecord, messageRanges, type RecordHead } from './log-record.ts';
import type { LogState, RecordPlace } from './log-state.ts';

/** What goes into one record. */
export interface RecordContent {
  /** Stored bytes of each message. */
  readonly messages: readonly Buffer[];
  readonly type?: RecordHead['type'];
  readonly reason?: string;
}

/** A record with the bytes of its line, made to follow what a log holds. */
export interface ComposedRecord {
  readonly line: Buffer;
  readonly head: RecordHead;
  readonly messages: readonly Buffer[];
  /** Number of rows of the transcript up to and with its own messages. */
  readonly rows: number;
}

/** Makes records that follow each other, and what a log holds already. */
export class RecordComposer {
  readonly #writerId: string;
  #revision: number;
  #next: number;
  #rows: number;
  readonly #digest: RunningDigest;

  constructor(state: LogState, writerId: string) {
    this.#writerId = writerId;
    this.#revision = state.revision;
    this.#next = state.next;
    this.#rows = state.rows;
    this.#digest = state.nextDigest();
  }

  /** The next record. @param createdAt In ms since 1970. */
  add({ messages, type = 'append', reason }: RecordContent, createdAt: number): ComposedRecord {
    for (const message of messages) this.#digest.add(message);
    const head: RecordHead = {
      type,
      revision: this.#revision + 1,
      baseRevision: this.#revision,
      messageIndex: type === 'replace' ? 0 : this.#next,
      contentDigest: this.#digest.text(),
      writerId: this.#writerId,
      ...(reason === undefined ? {} : { reason }),
      createdAt,
    };
    this.#revision++;
    this.#next = head.messageIndex + messages.length;
    this.#rows += messages.length;
    return { line: encodeRecord(head, messages), head, messages, rows: this.#rows };
  }
}

/** Takes a composed record in as it now stands in the file, from `offset` on. */
export function takeComposed(state: LogState, { line, head }: ComposedRecord, offset: number): void {
  const length = line.length - 1;
  const place: RecordPlace = { offset, length, lineEnd: offset + line.length };
  state.take(foundRecord(line, head), line, place);
}

function foundRecord(line: Buffer, head: RecordHead): FoundRecord {
  const messages = messageRanges(line, 0);
  return {
    kind: head.type,
    revision: head.revision,
    messageIndex: head.messageIndex,
    writerId: head.writerId,
    createdAt: head.createdAt,
    messages,
    values: messages.map(({ start, end }) => JSON.parse(line.toString('utf8', start, end))),
    span: { start: 0, end: line.length - 1 },
  };
}
