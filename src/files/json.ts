import { isUtf8 } from 'node:buffer';
import { Failure } from '../contract/errors.ts';
import { isPlainlyBuilt } from './json-shape.ts';

/** A JSON object as it is stored. Never changed in place: a change makes a new one, so its text is its identity. */
export type JsonObject = { readonly [key: string]: unknown };

// Part of the language since V8 11.4, not yet in the library's types.
const exactJson = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};

/** A text in which a number may stand that a double does not keep: of many digits, or of a large exponent. */
const unusualNumber = /\d[\d.]{15}|[eE][+-]?\d{3}/;
/** Smallest number that a double keeps with all its digits. */
const SMALLEST_NORMAL = 2 ** -1022;

/** Whether a stored value is an object and no list. */
export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The object in the bytes of a stored file: UTF-8, one BOM allowed. Numbers that a double cannot hold keep their text, so
 * that a write brings them back digit for digit.
 *
 * @throws Failure `malformed` for anything else: an empty file, one that is nested too deeply to be written back, one whose
 *   top level has a key twice (of which JSON keeps only the last).
 */
export function parseStored(bytes: Uint8Array, what: string): JsonObject {
  // Checking and decoding apart takes half the time of a decoder that does both.
  if (!isUtf8(bytes)) throw malformed(what);
  const text = decodeStored(bytes);
  let value: unknown;
  try {
    value = unusualNumber.test(text) ? exactJson.parse(text, keepExactNumber) : JSON.parse(text);
  } catch (error) {
    // The parser throws only for text that is not what it should be.
    throw malformed(what, error);
  }
  if (!isRecord(value) || !isPlainlyBuilt(bytes)) throw malformed(what);
  return value;
}

/**
 * The bytes of a stored object: UTF-8, two blanks of indent, no final newline, no BOM. The text of each entry of a list is
 * made once and kept as long as the entry: a change of one entry then costs one entry, however many there are.
 */
export function serialiseStored(value: JsonObject): Buffer {
  const pieces: Buffer[] = [];
  for (const [key, item] of Object.entries(value)) {
    const text = Array.isArray(item) && item.length > 0 ? item.map(entryPiece) : keyPiece(item);
    if (text === null) continue;
    pieces.push(Buffer.from(`${pieces.length === 0 ? '{' : ','}\n  ${JSON.stringify(key)}: `));
    if (Buffer.isBuffer(text)) {
      pieces.push(text);
    } else {
      pieces.push(listStart);
      for (const [index, piece] of text.entries()) pieces.push(index === 0 ? piece.subarray(1) : piece);
      pieces.push(listEnd);
    }
  }
  pieces.push(Buffer.from(pieces.length === 0 ? '{}' : '\n}'));
  return joined(pieces);
}

/**
 * As `Buffer.concat`, which takes eight times as long for many small pieces. Its memory can be shared, so that another thread
 * gets it without a copy; nobody ever changes it.
 */
function joined(pieces: readonly Buffer[]): Buffer {
  const whole = Buffer.from(new SharedArrayBuffer(pieces.reduce((length, piece) => length + piece.length, 0)));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

const listStart = Buffer.from('[');
const listEnd = Buffer.from('\n  ]');

const entryPieces = new WeakMap<object, Buffer>();

/** The text of an entry on a line of its own, behind the comma after the one before. */
function entryPiece(entry: unknown): Buffer {
  const known = isRecord(entry) ? entryPieces.get(entry) : undefined;
  if (known !== undefined) return known;
  const piece = Buffer.from(`,\n    ${indented(entry, 4) ?? 'null'}`);
  if (isRecord(entry)) entryPieces.set(entry, piece);
  return piece;
}

/** Null for what JSON leaves out. */
function keyPiece(item: unknown): Buffer | null {
  const text = indented(item, 2);
  return text === null ? null : Buffer.from(text);
}

function indented(value: unknown, blanks: number): string | null {
  // Answers undefined for what JSON leaves out, which its type does not say.
  const text: string | undefined = JSON.stringify(value, null, 2);
  // A line break inside a text is escaped, so each that is there is one between two lines.
  return text === undefined ? null : text.replaceAll('\n', `\n${' '.repeat(blanks)}`);
}

/** An object with some of its keys set, each in its place if it was there. Safe for any key. */
export function withKeys(object: JsonObject, changes: JsonObject): JsonObject {
  return { ...object, ...changes };
}

/** An object without some of its keys; the others stay in order. */
export function withoutKeys(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** An object's own value under a key; nothing is ever found on a prototype. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The wanted key, or the first free of `<wanted>2`, `<wanted>3` … */
export function freeKey(raw: JsonObject, wanted: string): string {
  let key = wanted;
  for (let suffix = 2; Object.hasOwn(raw, key); suffix++) key = `${wanted}${suffix}`;
  return key;
}

/** Text of bytes that are UTF-8, without a BOM. */
function decodeStored(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function keepExactNumber(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  const vanished = Math.abs(value) < SMALLEST_NORMAL && /^-?[0.]*[1-9]/.test(source);
  return source.length < 16 && Number.isFinite(value) && !vanished ? value : exactJson.rawJSON(source);
}

function malformed(what: string, cause?: unknown): Failure {
  return new Failure(
    'malformed',
    `${what} is damaged and cannot be read. It was left exactly as it is. Repair the file or put it aside.`,
    { cause },
  );
}
