import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codec } from '../../e2e/host/codec.ts';

const there = (value: unknown): unknown => codec.decode(codec.encode(value));

/** Values of every kind that the structured clone algorithm carries. */
const cloneable = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.boolean(),
    fc.bigInt(),
    fc.constantFrom(null, undefined, -0, Number.NaN, Number.POSITIVE_INFINITY),
    fc.date({ noInvalidDate: false }),
    fc.uint8Array(),
    fc.float64Array(),
    fc.bigInt64Array(),
    fc.constantFrom(/a+/gi, /[/]/u),
    fc.uint8Array().map((bytes) => bytes.slice().buffer),
    fc.string().map((message) => new RangeError(message)),
  ),
  key: fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '$', '0')),
  object: fc
    .array(fc.tuple(tie('key'), tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries as [string, unknown][])),
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('leaf'),
    tie('object'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.sparseArray(tie('value'), { maxLength: 4 }),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => new Set(items)),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
})).value;

describe('the codec of ipc payloads', () => {
  test('carries whatever a structured clone carries, as a structured clone', () => {
    fc.assert(
      fc.property(cloneable, (value) => {
        deepStrictEqual(there(value), structuredClone(value));
      }),
      { numRuns: 500 },
    );
  });

  test('keeps cycles and shared references', () => {
    const shared = new Map<string, unknown>();
    const value: Record<string, unknown> = { first: shared, second: [shared] };
    value.self = value;
    shared.set('owner', value);
    const back = there(value) as { self: unknown; first: Map<string, unknown>; second: unknown[] };
    expect(back.self).toBe(back);
    expect(back.second[0]).toBe(back.first);
    expect(back.first.get('owner')).toBe(back);
  });

  test('keeps two views of one buffer on one buffer', () => {
    const bytes = new Uint8Array([1, 2, 3, 4]);
    const view = new DataView(bytes.buffer, 1, 2);
    const back = there([bytes, view, bytes.buffer]) as [Uint8Array, DataView, ArrayBuffer];
    expect(back[1].buffer).toBe(back[0].buffer);
    expect(back[2]).toBe(back[0].buffer);
    expect([back[1].byteOffset, back[1].byteLength, back[1].getUint8(0)]).toEqual([1, 2, 2]);
  });

  test('carries an error with its name, message, stack and cause', () => {
    const error = new TypeError('bad', { cause: { code: 5 } });
    const back = there(error) as TypeError;
    expect(back).toBeInstanceOf(TypeError);
    expect([back.message, back.stack, back.cause]).toEqual(['bad', error.stack, { code: 5 }]);
  });

  test('leaves prototypes behind, and never writes one', () => {
    class Point {
      x = 1;
      get twice() {
        return 2;
      }
    }
    expect(there(new Point())).toStrictEqual({ x: 1 });
    const hostile = JSON.parse('{"__proto__": {"polluted": true}}');
    const back = there(hostile) as object;
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(Object.keys(back)).toEqual(['__proto__']);
    expect('polluted' in {}).toBe(false);
  });

  test.each([
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a promise', Promise.resolve()],
    ['a function deep inside', { a: [new Map([['f', () => 1]])] }],
  ])('refuses %s with a DataCloneError', (_what, value) => {
    expect(() => codec.encode(value)).toThrow(expect.objectContaining({ name: 'DataCloneError' }));
  });

  test.each(['[]', '["?"]', '["t","Function",["b",""],0,0]', '["a"', ''])('refuses the damaged payload %j', (text) => {
    expect(() => codec.decode(text)).toThrow();
  });
});
