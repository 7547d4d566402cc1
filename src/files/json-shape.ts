/** Deepest nesting of a stored file; writing recurses, so what is deeper could be read and not written back. */
const MAXIMUM_DEPTH = 500;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const blank: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Whether valid JSON text survives being read and written: not nested too deeply, and no key of its top level there twice,
 * of which a parser would keep only the last and drop the rest without a word.
 *
 * @param bytes UTF-8 text of one JSON object; none of the bytes looked for is part of another character.
 */
export function isPlainlyBuilt(bytes: Uint8Array): boolean {
  const keys = new Set<string>();
  let depth = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === quote) {
      const start = index;
      index = endOfString(bytes, index);
      if (depth !== 1 || bytes[nextVisible(bytes, index + 1)] !== colon) continue;
      const key = String(JSON.parse(Buffer.from(bytes.subarray(start, index + 1)).toString()));
      if (keys.has(key)) return false;
      keys.add(key);
    } else if (opening.has(byte)) {
      depth++;
      if (depth > MAXIMUM_DEPTH) return false;
    } else if (closing.has(byte)) {
      depth--;
    }
  }
  return true;
}

function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}

function nextVisible(bytes: Uint8Array, start: number): number {
  let index = start;
  while (blank.has(bytes[index] ?? 0)) index++;
  return index;
}
