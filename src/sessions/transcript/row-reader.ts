import { StringDecoder } from 'node:string_decoder';
import type { SessionMessage } from '../../contract/session-entities.ts';
import type { FileHandle } from '../../files/file-system.ts';
import { parseObject } from './json-values.ts';
import { LINE_CAP, readExactly } from './lines.ts';
import { partOf, readStored, type StoredMessage, sanitise, shownBytes, shownMessage } from './message.ts';
import type { RowPlace } from './rows.ts';

/** The file does not hold what was seen in it a moment ago: it has to be looked at again. */
export class StaleView extends Error {}

/** Bytes of a hole or of a giant record that a page shows at most. */
const EXCERPT_BYTES = 66_000;
const CHUNK = 1024 * 1024;

/** Reads the row at a place, as a page shows it. */
export async function readRow(handle: FileHandle, place: RowPlace, index: number): Promise<SessionMessage> {
  const facts = { index, bytes: place.length, oddity: place.oddity };
  if (place.kind === 'hole' || place.kind === 'giant' || place.length > LINE_CAP) {
    const bytes = await readPlace(handle, place, Math.min(place.length, EXCERPT_BYTES));
    const kind = place.kind === 'hole' ? 'hole' : 'raw';
    return shownBytes(kind, bytes.toString('utf8'), facts, bytes.length < place.length);
  }
  const bytes = await readPlace(handle, place, place.length);
  if (place.kind === 'raw') return shownBytes('raw', bytes.toString('utf8'), facts);
  return shownMessage(withId(parseMessage(bytes), place), facts);
}

/** Reads the message at a place with its whole texts; null for a row that is none. */
export async function readMessage(handle: FileHandle, place: RowPlace): Promise<StoredMessage | null> {
  if (place.kind !== 'message' || place.length > LINE_CAP) return null;
  return withId(parseMessage(await readPlace(handle, place, place.length)), place);
}

/** A part of a row's text from an offset on, sanitised, and the length of all of it; null when there is no such part. */
export async function readPart(
  handle: FileHandle,
  place: RowPlace,
  part: 'content' | 'reasoning' | number,
  offset: number,
  length: number,
): Promise<{ text: string; total: number } | null> {
  const message = await readMessage(handle, place);
  if (message === null) return part === 'content' ? readBytesAsText(handle, place, offset, length) : null;
  const text = partOf(message, part);
  return text === null ? null : { text: text.slice(offset, offset + length), total: text.length };
}

/** The text of bytes that may be too many to be held: they are gone through. */
async function readBytesAsText(handle: FileHandle, place: RowPlace, offset: number, length: number) {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let total = 0;
  for (let at = 0; at < place.length; at += CHUNK) {
    const size = Math.min(CHUNK, place.length - at);
    const bytes = await readPlace(handle, { ...place, offset: place.offset + at, length: size }, size);
    const isLast = at + size >= place.length;
    const piece = sanitise(decoder.write(bytes) + (isLast ? decoder.end() : ''));
    const from = Math.max(0, offset - total);
    const to = offset + length - total;
    if (to > 0 && from < piece.length) text += piece.slice(from, to);
    total += piece.length;
  }
  return { text, total };
}

/** Bytes at a place; the file must still have them. */
export async function readPlace(handle: FileHandle, place: RowPlace, length: number): Promise<Buffer> {
  const bytes = await readExactly(handle, place.offset, length);
  if (bytes.length < length) throw new StaleView('the file is shorter than it was');
  return bytes;
}

function parseMessage(bytes: Buffer): StoredMessage {
  const message = readStored(parseObject(bytes));
  if (message === null) throw new StaleView('there is no message any more where one was');
  return message;
}

function withId(message: StoredMessage, { id }: RowPlace): StoredMessage {
  return id === null ? message : { ...message, id };
}
