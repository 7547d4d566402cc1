import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SessionMessage } from '../../../src/contract/session-entities.ts';
import {
  partOf,
  readStored,
  type StoredMessage,
  sanitise,
  shownBytes,
  shownMessage,
} from '../../../src/sessions/transcript/message.ts';

const facts = { index: 3, bytes: 100, oddity: null };
const stored = (value: unknown): StoredMessage => {
  const message = readStored(value);
  if (message === null) throw new Error('it is no message');
  return message;
};

test('all fields of a message are told', () => {
  const message = shownMessage(
    stored({
      role: 'assistant',
      id: 'm1',
      content: 'hello',
      origin: 'host',
      tool_calls: [{ id: 'c1', name: 'read', arguments: '{"a":1}' }],
      tool_run_state: 'completed',
      reasoning_content: 'because',
      images: ['x', 'y'],
      createdAt: 1_790_656_806_880,
      workDurationMs: 5,
    }),
    facts,
  );
  expect(SessionMessage.parse(message)).toEqual({
    ...facts,
    kind: 'message',
    role: 'assistant',
    id: 'm1',
    origin: 'host',
    content: 'hello',
    reasoning: 'because',
    toolCalls: [{ id: 'c1', name: 'read', arguments: '{"a":1}' }],
    toolCallId: null,
    toolName: null,
    toolState: 'completed',
    createdAt: 1_790_656_806_880,
    images: 2,
    cut: false,
  });
});

test('any value is either a message that the contract takes, or none', () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.record({ role: fc.string(), content: fc.string({ unit: 'binary' }) }),
      (odd, base) => {
        for (const value of [odd, { ...base, ...(typeof odd === 'object' ? odd : { id: odd, createdAt: odd }) }]) {
          const message = readStored(value);
          if (message !== null) SessionMessage.parse(shownMessage(message, facts));
        }
      },
    ),
  );
});

test('a wrong type where the text, the role or the calls should be makes it raw; elsewhere it is left out', () => {
  expect(readStored({ role: 'tool', content: { odd: 1 } })).toBeNull();
  expect(readStored({ role: 7, content: 'x' })).toBeNull();
  expect(readStored({ role: 'assistant', content: 'x', tool_calls: 'none' })).toBeNull();
  expect(readStored({ type: 'progress' })).toBeNull();
  expect(readStored({ role: 'tool', content: 'x', tool_call_id: null, createdAt: 'soon', id: 7 })).toMatchObject({
    content: 'x',
    toolCallId: null,
    createdAt: null,
    id: null,
  });
  expect(readStored({ role: 'developer', content: null })).toMatchObject({ role: 'unknown', content: '' });
});

test('control characters, colour codes and half surrogate pairs do not reach the screen; Unicode separators do', () => {
  expect(sanitise('a\0b\u001b[31mred\u001b[0m\r\nc\rd\u009b\u0007\te')).toBe('abred\nc\nd\te');
  expect(sanitise('\u001b]0;title\u0007x\u001b]8;;http://a\u001b\\y')).toBe('xy');
  expect(sanitise('cut \ud83d')).toBe('cut \ufffd');
  expect(sanitise('\ude00 low')).toBe('\ufffd low');
  expect(sanitise('a\u2028b\u2029c\u0085d😀')).toBe('a\u2028b\u2029c\u0085d😀');
});

test('long texts are cut at characters, within their limit, and what is cut is said', () => {
  const long = shownMessage(stored({ role: 'tool', content: '😀'.repeat(1_000_000) }), facts);
  expect(long.cut).toBe(true);
  expect(Buffer.byteLength(long.content)).toBeGreaterThan(60_000);
  expect(Buffer.byteLength(long.content)).toBeLessThanOrEqual(65_536);
  expect(long.content).not.toMatch(/\ufffd/);
  const all = shownMessage(
    stored({
      role: 'assistant',
      content: 'x'.repeat(100_000),
      reasoning_content: 'y'.repeat(100_000),
      tool_calls: [{ id: 'a', name: 'b', arguments: 'z'.repeat(100_000) }],
    }),
    facts,
  );
  expect([all.content.length, all.reasoning?.length, all.toolCalls[0]?.arguments.length]).toEqual([49_152, 8192, 8192]);
  expect(shownMessage(stored({ role: 'user', content: 'x'.repeat(65_536) }), facts).cut).toBe(false);
  const calls = Array.from({ length: 300 }, (_, index) => ({ id: `${index}`, name: 'n', arguments: '' }));
  expect(shownMessage(stored({ role: 'assistant', tool_calls: calls }), facts)).toMatchObject({ cut: true });
});

test('the beginning that is shown is the beginning of the whole text, wherever the cut falls', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          '\u001b[31m',
          '\u001b]0;t\u0007',
          '\u001b]0;t\u001b\\',
          '\r\n',
          '\r',
          '\0',
          '😀',
          'ab',
          '\ud83d',
        ),
        {
          minLength: 10,
          maxLength: 60,
        },
      ),
      fc.integer({ min: 0, max: 40 }),
      (parts, lead) => {
        const content = 'x'.repeat(131_136 - 40 + lead) + parts.join('').repeat(40);
        const message = stored({ role: 'user', content: `${'\0'.repeat(66_000)}${content}` });
        const { content: shown } = shownMessage(message, facts);
        expect(partOf(message, 'content')?.startsWith(shown)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test('bytes that are no message are shown as far as they can be', () => {
  expect(shownBytes('hole', '{"role":"us\0', facts)).toMatchObject({
    kind: 'hole',
    content: '{"role":"us',
    cut: false,
  });
  expect(shownBytes('raw', 'x'.repeat(100_000), facts)).toMatchObject({ cut: true });
});
