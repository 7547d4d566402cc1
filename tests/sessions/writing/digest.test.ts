import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RunningDigest, withoutCreatedAt } from '../../../src/sessions/writing/digest.ts';
import { encodeMessage } from '../../../src/sessions/writing/message-text.ts';
import { slowDigest } from './support.ts';

const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('role', 'content', 'id', 'created', 'createdAt2', 'a"b', 'a\\', '{', 'é') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
);
const member = fc.tuple(key, fc.jsonValue({ maxDepth: 2 }));
const members = fc.uniqueArray(member, { selector: ([name]) => name, maxLength: 6 });
const named = members.map((list) => list.filter(([name]) => name !== 'createdAt' && name !== '__proto__'));
const text = (list: readonly (readonly [string, string])[]): string =>
  `{${list.map(([name, value]) => `${name}:${value}`).join(',')}}`;

test('only the time is taken out of a message, wherever it stands and however its key is written', () => {
  const spelt = fc.constantFrom('"createdAt"', '"created\\u0041t"', '"\\u0063reatedAt"');
  fc.assert(
    fc.property(named, fc.array(fc.tuple(fc.nat(6), spelt, fc.jsonValue()), { maxLength: 3 }), (list, times) => {
      const whole = list.map(([name, value]) => [JSON.stringify(name), JSON.stringify(value)] as const);
      const with_ = [...whole];
      for (const [at, name, value] of times) with_.splice(at, 0, [name, JSON.stringify(value)]);
      expect(Buffer.concat(withoutCreatedAt(Buffer.from(text(with_)))).toString()).toBe(text(whole));
    }),
    { numRuns: 2000, seed: 7 },
  );
});

test('a digest is that of the slow way, for any messages, also when it is gone on with', () => {
  const message = fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const, 'tool' as const),
    id: fc.string({ minLength: 1 }),
    content: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('<', '>', '&', '\u2028', '\u2029', '\ud83d', '"', '\\', 'createdAt') }),
    ),
    createdAt: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), fc.nat(8), (list, split) => {
      const stored = list.map((one) => encodeMessage(one).bytes);
      let digest = new RunningDigest();
      for (const [index, bytes] of stored.entries()) {
        if (index === split) digest = digest.copy();
        digest.add(bytes);
        expect(bytes.toString()).not.toMatch(/[<>&\u2028\u2029\n]/);
        expect(JSON.parse(bytes.toString())).toEqual(list[index]);
      }
      expect(digest.text()).toBe(slowDigest(stored.map(String)));
    }),
    { numRuns: 500, seed: 8 },
  );
});
