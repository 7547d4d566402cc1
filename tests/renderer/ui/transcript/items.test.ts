import { describe, expect, it } from 'vitest';
import { isSameItem, itemAt, itemsOf } from '../../../../renderer/ui/transcript/items.ts';
import type { SessionMessage } from '../../../../src/contract/index.ts';
import { message } from '../../memory/session-store.ts';

const numbered = (messages: SessionMessage[]): SessionMessage[] => messages.map((one, index) => ({ ...one, index }));
const call = (id: string) => ({ id, name: 'read', arguments: '{}' });

describe('messages as they are shown', () => {
  it('fold the result of a tool into the message that called it', () => {
    const items = itemsOf(
      numbered([
        message('user', 'look'),
        message('assistant', '', { toolCalls: [call('a'), call('b')] }),
        message('tool', 'of b', { toolCallId: 'b' }),
        message('tool', 'of a', { toolCallId: 'a' }),
        message('assistant', 'done'),
      ]),
    );
    expect(items.map((item) => item.message.index)).toEqual([0, 1, 4]);
    expect([...(items[1]?.results ?? [])].map(([id, { content }]) => [id, content])).toEqual([
      ['b', 'of b'],
      ['a', 'of a'],
    ]);
    expect(itemAt(items, 3)?.message.index).toBe(1);
  });

  it('leave a result alone whose call is not there, and a second one of the same call', () => {
    const items = itemsOf(
      numbered([
        message('tool', 'of a page before', { toolCallId: 'x' }),
        message('assistant', '', { toolCalls: [call('a')] }),
        message('tool', 'first', { toolCallId: 'a' }),
        message('tool', 'second', { toolCallId: 'a' }),
      ]),
    );
    expect(items.map((item) => item.message.content)).toEqual(['of a page before', '', 'second']);
  });

  it('take the newest call where two have one id', () => {
    const items = itemsOf(
      numbered([
        message('assistant', 'one', { toolCalls: [call('a')] }),
        message('tool', 'of one', { toolCallId: 'a' }),
        message('assistant', 'two', { toolCalls: [call('a')] }),
        message('tool', 'of two', { toolCallId: 'a' }),
      ]),
    );
    expect(items.map((item) => item.results.get('a')?.content)).toEqual(['of one', 'of two']);
  });

  it('are the same as long as their messages are, so that they are not drawn again', () => {
    const messages = numbered([message('assistant', '', { toolCalls: [call('a')] }), message('user', 'x')]);
    const [first] = itemsOf(messages);
    const [second] = itemsOf([...messages]);
    const [third] = itemsOf([...messages, { ...message('tool', 'late', { toolCallId: 'a' }), index: 2 }]);
    expect(first && second && isSameItem(first, second)).toBe(true);
    expect(first && third && isSameItem(first, third)).toBe(false);
  });
});
