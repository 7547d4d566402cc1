import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, parseStored, serialiseStored, withKeys } from '../../src/files/json.ts';

const written = (value: unknown): string => JSON.stringify(value, null, 2);
const bytesOf = (text: string): Buffer => Buffer.from(text);

describe('the bytes of a stored object', () => {
  test('are those of JSON with two blanks of indent, whatever the object holds', () => {
    const key = fc.oneof(fc.constantFrom('notes', '__proto__', 'toJSON', '', '1', 'ü\n"'), fc.string());
    const value = fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.constant(undefined));
    fc.assert(
      fc.property(fc.dictionary(key, value), (object) => {
        expect(serialiseStored(object).toString()).toBe(written(object));
        expect(serialiseStored(object).toString(), 'a second time').toBe(written(object));
      }),
    );
  });

  test('keep a list with holes for what JSON leaves out, and numbers digit for digit', () => {
    const value = parseStored(bytesOf('{"notes":[12345678901234567890,{"n":1e400}],"n":0.1000000000000000000}'), 'x');
    expect(serialiseStored(value).toString()).toBe(written(value));
    expect(serialiseStored({ a: [undefined, { b: undefined }], c: undefined }).toString()).toBe(
      '{\n  "a": [\n    null,\n    {}\n  ]\n}',
    );
  });

  test('show a changed entry, and one that stands in two lists, each as it is', () => {
    const entry: JsonObject = { id: 'a', body: 'line\nline', deep: { list: [1, { two: 2 }] } };
    const before = { notes: [entry], todos: [entry, 1, 'text', [], {}] };
    expect(serialiseStored(before).toString()).toBe(written(before));
    const after = { notes: [withKeys(entry, { body: 'changed' })], kept: entry };
    expect(serialiseStored(after).toString()).toBe(written(after));
  });
});

describe('reading bytes', () => {
  test('one BOM is allowed and is no part of the text; two are not', () => {
    expect(parseStored(bytesOf('\ufeff{"a":"\ufeff"}'), 'x')).toEqual({ a: '\ufeff' });
    expect(() => parseStored(bytesOf('\ufeff\ufeff{}'), 'x')).toThrow(/damaged/);
  });

  test.each([
    ['a byte of no character', [0xff]],
    ['half a character', [0xe2, 0x82]],
    ['a long form of a short character', [0xc0, 0xaf]],
    ['half of a pair', [0xed, 0xa0, 0x80]],
  ])('%s is malformed, not replaced', (_what, odd) => {
    const bytes = Buffer.concat([bytesOf('{"a":"'), Buffer.from(odd), bytesOf('"}')]);
    expect(() => parseStored(bytes, 'x')).toThrow(/damaged/);
  });

  test('a part of a larger memory is read as that part', () => {
    const memory = bytesOf('xx{"a":"ü"}yy');
    expect(parseStored(memory.subarray(2, memory.length - 2), 'x')).toEqual({ a: 'ü' });
  });
});
