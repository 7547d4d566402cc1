import { expect, test } from 'vitest';
import { handoverOf } from '../../../renderer/mini-chat/handover.ts';

const session = { store: 'global', id: 'one' };

test.each([
  ['note', 'a thought', { section: 'notes', draft: { mode: 'note', text: 'a thought' } }],
  ['message', '/todo milk', { section: 'todos', draft: { mode: 'todo', text: 'milk' } }],
  ['note', '', {}],
  ['note', '/message hello', {}],
  ['message', '', { session }],
  ['message', 'stays in the Mini Chat, where messages are written', { session }],
] as const)('in %s mode %j is handed over as %j', (mode, typed, expected) => {
  expect(handoverOf('path_a', typed, mode, session)).toEqual({ projectId: 'path_a', ...expected });
});

test('without a session nothing names one', () => {
  expect(handoverOf('path_a', 'typed', 'message', null)).toEqual({ projectId: 'path_a' });
});
