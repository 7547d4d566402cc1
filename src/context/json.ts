import { Failure } from '../contract/errors.ts';

/** A JSON object as it is stored. Never changed in place: a change makes a new one, so its text is its identity. */
export type JsonObject = { readonly [key: string]: unknown };

// Part of the language since V8 11.4, not yet in the library's types.
const exactJson = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};

/** A number that this long may have more digits than a double keeps. */
const longNumber = /\d[\d.]{15}/;

/** Whether a stored value is an object and no list. */
export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The object in the bytes of a stored file: UTF-8, one BOM allowed. Numbers that a double cannot hold keep their text, so
 * that a write brings them back digit for digit.
 *
 * @throws Failure `malformed` for anything else, an empty file included.
 */
export function parseStored(bytes: Uint8Array, what: string): JsonObject {
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = longNumber.test(text) ? exactJson.parse(text, keepLongNumber) : JSON.parse(text);
  } catch (error) {
    // Both the decoder and the parser throw only for bytes that are not what they should be.
    throw malformed(what, error);
  }
  if (!isRecord(value)) throw malformed(what);
  return value;
}

/** The bytes of a stored object: UTF-8, two blanks of indent, no final newline, no BOM. */
export function serialiseStored(value: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(value, null, 2));
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

function keepLongNumber(_key: string, value: unknown, { source }: { source?: string }): unknown {
  const exact = typeof value !== 'number' || source === undefined || source.length < 16 || String(value) === source;
  return exact ? value : exactJson.rawJSON(source);
}

function malformed(what: string, cause?: unknown): Failure {
  return new Failure(
    'malformed',
    `${what} is damaged and cannot be read. It was left exactly as it is. Repair the file or put it aside.`,
    { cause },
  );
}
