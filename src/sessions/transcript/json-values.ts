/** A range of bytes: from `start` up to `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What a part of a line is: an object that parsed, or bytes that are none. */
export interface Piece extends Range {
  /** Null for a hole. */
  readonly value: Readonly<Record<string, unknown>> | null;
}

export interface SplitLine {
  readonly pieces: readonly Piece[];
  /** Where the line goes on when more of it is written: behind the last value; the length of a line that is whole. */
  readonly rest: number;
  /** Whether something stands behind `rest` that is not whole yet. */
  readonly torn: boolean;
}

/** What a record looks like, to find whole ones behind the fragment of another. */
export interface RecordShape {
  /** Bytes that one may begin with. */
  readonly openings: readonly string[];
  /** Whether an object is one. */
  is(value: Readonly<Record<string, unknown>>): boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;

/** First byte at or after `start` that is not white space; the length when there is none. */
export function skipBlanks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && isBlank(bytes[at])) at++;
  return at;
}

/** Parses an object; null for what is none. */
export function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    // Bytes that are no JSON are what this question is about; a line that is too long for a string was left out before.
    return null;
  }
}

/**
 * Takes a line apart into the objects on it and the holes between them (docs/formats/session-format.md, section 7). What it
 * says of the beginning of a line without LF stays true when more is written: such a line is decided only up to `rest`.
 *
 * @param terminated Whether the line ends with an LF.
 */
export function splitLine(bytes: Buffer, terminated: boolean, shape: RecordShape): SplitLine {
  const first = skipBlanks(bytes, 0);
  if (terminated && bytes[first] === OPEN_BRACE) {
    const value = parseObject(bytes);
    if (value !== null)
      return { pieces: [{ start: first, end: trimEnd(bytes), value }], rest: bytes.length, torn: false };
  }
  const pieces: Piece[] = [];
  let rest = 0;
  for (;;) {
    const start = skipBlanks(bytes, rest);
    if (start >= bytes.length) return { pieces, rest: terminated ? bytes.length : rest, torn: false };
    const piece = pieceAt(bytes, start, terminated, shape);
    if (piece === null) return { pieces, rest, torn: true };
    pieces.push(piece);
    rest = piece.end;
  }
}

/** The piece that begins at a byte; null when that cannot be told before more of the line is there. */
function pieceAt(bytes: Buffer, start: number, terminated: boolean, shape: RecordShape): Piece | null {
  if (bytes[start] === 0) {
    let end = start;
    while (end < bytes.length && bytes[end] === 0) end++;
    return end < bytes.length || terminated ? { start, end, value: null } : null;
  }
  const end = bytes[start] === OPEN_BRACE ? endOfValue(bytes, start) : -1;
  const value = end < 0 ? null : parseObject(bytes.subarray(start, end));
  if (value !== null) return { start, end, value };
  return terminated ? { start, end: nextRecord(bytes, start + 1, shape), value: null } : null;
}

/** Where the next whole record of a line begins; the end of the line when there is none. */
function nextRecord(bytes: Buffer, from: number, shape: RecordShape): number {
  // Each try may go through the rest of the line: a bound keeps a hostile line from taking for ever.
  let work = bytes.length * 8 + 1024 * 1024;
  for (let at = from; work > 0; at++) {
    at = bytes.indexOf(OPEN_BRACE, at);
    if (at < 0) break;
    if (!shape.openings.some((opening) => bytes.toString('latin1', at, at + opening.length) === opening)) continue;
    const end = endOfValue(bytes, at);
    work -= (end < 0 ? bytes.length : end) - at;
    const value = end < 0 ? null : parseObject(bytes.subarray(at, end));
    if (value !== null && shape.is(value)) return at;
  }
  return trimEnd(bytes);
}

function trimEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && isBlank(bytes[end - 1])) end--;
  return end;
}

/** End of the value that begins at `start`, by its brackets and quotes; -1 when it does not end. */
export function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return endOfString(bytes, start);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return endOfScalar(bytes, start);
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at) - 1;
      if (at < 0) return -1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

function endOfScalar(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (isBlank(byte) || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) break;
    at++;
  }
  return at;
}

/** Where the values of an object's members stand. Of a key that is there twice the last counts, as for a parser. */
export function memberRanges(bytes: Buffer, start: number): Map<string, Range> {
  const members = new Map<string, Range>();
  for (let at = skipBlanks(bytes, start + 1); bytes[at] === QUOTE; ) {
    const keyEnd = endOfString(bytes, at);
    const key = String(JSON.parse(bytes.toString('utf8', at, keyEnd)));
    const colon = skipBlanks(bytes, keyEnd);
    if (keyEnd < 0 || bytes[colon] !== COLON) break;
    const from = skipBlanks(bytes, colon + 1);
    const end = endOfValue(bytes, from);
    if (end < 0) break;
    members.set(key, { start: from, end });
    at = skipBlanks(bytes, end);
    if (bytes[at] !== COMMA) break;
    at = skipBlanks(bytes, at + 1);
  }
  return members;
}

/** Where the elements of an array stand. */
export function elementRanges(bytes: Buffer, start: number): Range[] {
  const elements: Range[] = [];
  let at = skipBlanks(bytes, start + 1);
  while (at < bytes.length && bytes[at] !== CLOSE_BRACKET) {
    const end = endOfValue(bytes, at);
    if (end <= at) break;
    elements.push({ start: at, end });
    at = skipBlanks(bytes, end);
    if (bytes[at] !== COMMA) break;
    at = skipBlanks(bytes, at + 1);
  }
  return elements;
}

/** Longest scalar that {@link GiantRecord} keeps, in bytes. */
const SCALAR_BYTES = 256;

/**
 * Finds the elements of one array in a record that is too long to be held: bytes are pushed in, places come out. It follows
 * brackets and quotes only; the elements are parsed one by one by the caller.
 */
export class GiantRecord {
  readonly elements: Range[] = [];
  /** Members at the top that are neither object nor array, as JSON text. */
  readonly scalars = new Map<string, string>();
  /** Offset behind the record; -1 while it has not ended. */
  end = -1;
  readonly #array: string;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #key: string | null = null;
  #kept: number[] = [];
  #isValue = false;
  #inArray = false;
  #elementStart = -1;

  /** @param array Key of the array at the top whose elements are wanted. */
  constructor(array: string) {
    this.#array = array;
  }

  /** Takes the next bytes; stops at the end of the record. */
  push(bytes: Uint8Array, offset: number): void {
    for (let index = 0; index < bytes.length && this.end < 0; index++) this.#byte(bytes[index] ?? 0, offset + index);
  }

  #byte(byte: number, offset: number): void {
    if (this.#depth === 1) this.#keep(byte);
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
      return;
    }
    if (this.#inArray && this.#depth === 2 && this.#elementStart < 0 && byte !== COMMA && byte !== CLOSE_BRACKET) {
      if (!isBlank(byte)) this.#elementStart = offset;
    }
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#open(byte);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#close(offset);
    else if (byte === COMMA && this.#depth === 1) this.#endMember();
    else if (byte === COMMA && this.#depth === 2) this.#endElement(offset);
    else if (byte === COLON && this.#depth === 1 && !this.#isValue) {
      this.#key = parseScalar(this.#kept.slice(0, -1));
      this.#kept = [];
      this.#isValue = true;
    }
  }

  #keep(byte: number): void {
    if (this.#kept.length < SCALAR_BYTES) this.#kept.push(byte);
  }

  #open(byte: number): void {
    if (this.#depth === 1) this.#inArray = this.#isValue && this.#key === this.#array && byte === OPEN_BRACKET;
    this.#depth++;
  }

  #close(offset: number): void {
    if (this.#depth === 2) this.#endElement(offset);
    this.#depth--;
    if (this.#depth === 1) this.#inArray = false;
    if (this.#depth > 0) return;
    this.#kept.pop();
    this.#endMember();
    this.end = offset + 1;
  }

  #endElement(offset: number): void {
    if (this.#inArray && this.#elementStart >= 0) this.elements.push({ start: this.#elementStart, end: offset });
    this.#elementStart = -1;
  }

  #endMember(): void {
    const text = Buffer.from(this.#kept).toString('utf8').replace(/,$/, '').trim();
    if (this.#key !== null && this.#isValue && /^["\d\-tfn]/.test(text)) this.scalars.set(this.#key, text);
    this.#kept = [];
    this.#key = null;
    this.#isValue = false;
  }
}

function parseScalar(bytes: readonly number[]): string | null {
  try {
    const key: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof key === 'string' ? key : null;
  } catch {
    // A key that is too long to be kept is none that is asked for.
    return null;
  }
}
