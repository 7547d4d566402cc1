import { expect, test } from 'vitest';
import { checkPayload, MAXIMUM_PAYLOAD_BYTES } from '../../src/contract/index.ts';

test('plain data of every kind passes', () => {
  const payload = { text: 'a', number: 1, yes: true, nothing: null, missing: undefined, list: [1, { deep: ['x'] }] };
  expect(checkPayload(payload)).toBeNull();
  expect(checkPayload(Object.create(null))).toBeNull();
});

test('a function, symbol, big integer, class instance, date or map is refused and named', () => {
  class Body {
    text = 'x';
  }
  const wrong = [() => 1, Symbol('s'), 1n, new Body(), new Date(), new Map()];
  for (const value of wrong) {
    expect(checkPayload({ origin: { messageId: value } })).toMatchObject({ code: 'invalid', path: 'origin.messageId' });
  }
});

test('exactly one mebibyte passes, one byte more does not', () => {
  const frame = 8 + 'text'.length;
  expect(checkPayload({ text: 'a'.repeat(MAXIMUM_PAYLOAD_BYTES - frame) })).toBeNull();
  expect(checkPayload({ text: 'a'.repeat(MAXIMUM_PAYLOAD_BYTES - frame + 1) })).toMatchObject({ code: 'too-large' });
});

test('size counts UTF-8 bytes, not characters', () => {
  expect(checkPayload('あ'.repeat(MAXIMUM_PAYLOAD_BYTES / 3 + 1))).toMatchObject({ code: 'too-large' });
  expect(checkPayload('😀'.repeat(MAXIMUM_PAYLOAD_BYTES / 4))).toBeNull();
});

test('a request of 200 MB is refused with its field, and nothing after it is looked at', () => {
  const huge = 'x'.repeat(200 * 1024 * 1024);
  const after = {
    get trap(): never {
      throw new Error('looked past the excess');
    },
  };
  expect(checkPayload({ body: huge, after })).toMatchObject({ code: 'too-large', path: 'body' });
});

test('nesting stops at sixteen levels, also when it never ends', () => {
  const nest = (depth: number): unknown => (depth === 0 ? 'x' : [nest(depth - 1)]);
  expect(checkPayload(nest(16))).toBeNull();
  expect(checkPayload(nest(17))).toMatchObject({ code: 'too-large' });
  const endless: Record<string, unknown> = {};
  endless.again = endless;
  expect(checkPayload(endless)).toMatchObject({ code: 'too-large' });
});

test('own __proto__ keys are looked into', () => {
  const payload: unknown = JSON.parse(`{"__proto__": {"big": "${'x'.repeat(MAXIMUM_PAYLOAD_BYTES)}"}}`);
  expect(checkPayload(payload)).toMatchObject({ code: 'too-large' });
});
