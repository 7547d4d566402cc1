import type { JsonObject } from '../../files/json.ts';
import { elementRanges, memberRanges, type Range, splitLine } from '../transcript/json-values.ts';
import { logShape, recordKind } from '../transcript/records.ts';
import { markLength } from '../transcript/rows.ts';
import { escapeText } from './message-text.ts';

/** Version of the records that are written here (docs/formats/session-format.md, section 5). */
export const RECORD_VERSION = 1;

/** What a record says besides its messages. */
export interface RecordHead {
  readonly type: 'replace' | 'append';
  readonly revision: number;
  readonly baseRevision: number;
  /** Number of messages before its own. */
  readonly messageIndex: number;
  /** Digest of all messages up to and with its own. */
  readonly contentDigest: string;
  readonly writerId: string;
  /** Why a `replace` was written. */
  readonly reason?: string;
  /** Ms since 1970. */
  readonly createdAt: number;
}

/** A record as it was found, with where each of its messages stands in the bytes of its line. */
export interface FoundRecord {
  /** `newer`: of a version or type that is not known here. */
  readonly kind: 'replace' | 'append' | 'newer' | 'other-log';
  readonly revision: number;
  /** 0 where the record tells none. */
  readonly messageIndex: number;
  readonly writerId: string;
  /** Ms since 1970; null where the record tells none. */
  readonly createdAt: number | null;
  readonly messages: readonly Range[];
  /** The same messages as they were parsed. */
  readonly values: readonly unknown[];
  /** The record's own place in the bytes of its line. */
  readonly span: Range;
}

/** One line of the log, with its LF, and where each message stands in it. */
export interface EncodedRecord {
  readonly line: Buffer;
  readonly messages: readonly Range[];
}

/** A record as a line. Members that say nothing are left out, as the reference does. */
export function encodeRecord(head: RecordHead, messages: readonly Buffer[]): EncodedRecord {
  const { type, revision, baseRevision, messageIndex, contentDigest, writerId, reason = '', createdAt } = head;
  const before =
    `{"schema_version":${RECORD_VERSION},"type":"${type}","revision":${revision}` +
    (baseRevision === 0 ? '' : `,"base_revision":${baseRevision}`) +
    (messageIndex === 0 ? '' : `,"message_index":${messageIndex}`) +
    (messages.length === 0 ? '' : ',"messages":[');
  const after =
    `${messages.length === 0 ? '' : ']'},"content_digest":"${contentDigest}","writer_id":${textMember(writerId)}` +
    (reason === '' ? '' : `,"reason":${textMember(reason)}`) +
    `,"created_at":"${new Date(createdAt).toISOString()}"}\n`;
  const pieces: Buffer[] = [Buffer.from(before)];
  const ranges: Range[] = [];
  let place = before.length;
  for (const message of messages) {
    if (ranges.length > 0) {
      pieces.push(comma);
      place += comma.length;
    }
    pieces.push(message);
    ranges.push({ start: place, end: place + message.length });
    place += message.length;
  }
  pieces.push(Buffer.from(after));
  return { line: Buffer.concat(pieces), messages: ranges };
}

const comma = Buffer.from(',');
const textMember = (text: string): string => escapeText(JSON.stringify(text));

/** A part of a line: a record, or bytes that are none. */
export interface LinePart extends Range {
  /** Null for a hole, and for an object that is no record. */
  readonly record: FoundRecord | null;
  readonly isObject: boolean;
}

/**
 * Takes a line apart. Mostly it is one record; where a write was interrupted, several can share one line, a fragment among
 * them (docs/formats/session-format.md, section 7).
 *
 * @param offset Where the line begins in its file: before the first a byte order mark may stand.
 */
export function partsOf(line: Buffer, offset: number): LinePart[] {
  const mark = markLength(line, offset);
  // Also a line that may still grow is taken as it stands: nothing whole on it is ever cut off.
  const { pieces } = splitLine(line.subarray(mark), true, logShape);
  return pieces.map(({ start, end, value }) => {
    const span = { start: mark + start, end: mark + end };
    return { ...span, record: value && recordOf(line, span, value), isObject: value !== null };
  });
}

/** Where each message stands in the bytes of a record that begins at `start`. */
export function messageRanges(bytes: Buffer, start: number): Range[] {
  const list = memberRanges(bytes, start).get('messages');
  return list === undefined ? [] : elementRanges(bytes, list.start);
}

function recordOf(line: Buffer, span: Range, value: JsonObject): FoundRecord | null {
  const found = recordKind(value);
  const { type, revision, message_index: index, writer_id: writer, created_at: at, messages } = value;
  const values = messages ?? [];
  if (found === 'other' || (found === 'log-1' && !Array.isArray(values))) return null;
  const isOurs = found === 'log-1';
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return {
    kind: found === 'log-2' ? 'other-log' : found === 'too-new' ? 'newer' : type === 'replace' ? 'replace' : 'append',
    revision: typeof revision === 'number' ? revision : 0,
    messageIndex: typeof index === 'number' ? index : 0,
    writerId: typeof writer === 'string' ? writer : '',
    createdAt: Number.isNaN(time) ? null : time,
    messages: isOurs ? messageRanges(line, span.start) : [],
    values: isOurs && Array.isArray(values) ? values : [],
    span,
  };
}
