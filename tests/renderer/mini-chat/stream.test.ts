import { expect, test } from 'vitest';
import { handoverOf } from '../../../renderer/mini-chat/handover.ts';
import { placeOf, startOfDay, streamDays, streamItems, textOf } from '../../../renderer/mini-chat/stream.ts';
import { resolveTarget, targetsOf } from '../../../renderer/mini-chat/targets.ts';
import type { ContextSnapshot, ProjectList } from '../../../src/contract/index.ts';
import { project } from '../memory/application.ts';
import { CHATS, emptyContext, snapshotOf } from '../memory/context.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOON = new Date(2026, 2, 1, 12).getTime();

function snapshot(): ContextSnapshot {
  const note = (id: string, createdAt: number) =>
    ({ id, body: id, createdAt, updatedAt: createdAt + DAY * 9, source: 'manual' }) as const;
  const todo = (id: string, createdAt: number, completed = false) => ({ id, text: id, completed, createdAt });
  return snapshotOf(CHATS, 1, {
    ...emptyContext(),
    notes: [note('n2', NOON + 3), note('n1b', NOON), note('n1a', NOON), note('undated', 0)],
    todos: [todo('t1', NOON + DAY), todo('t2', NOON + DAY), todo('done', NOON + 1, true)],
    plans: [{ id: 'p1', file: 'p1.md', createdAt: NOON + 2 }],
  });
}

test('entries of all kinds stand in the order in which they were made', () => {
  const items = streamItems(snapshot(), new Set());
  expect(items.map((item) => item.key)).toEqual([
    'note:undated',
    'note:n1a',
    'note:n1b',
    'plan:p1',
    'note:n2',
    'todo:t1',
    'todo:t2',
  ]);
  expect(items.map(textOf)).toContain('Missing plan');
  expect(placeOf(items[3] ?? expect.unreachable())).toEqual({ section: 'plans', entryId: 'p1' });
});

test('a ticked todo is there only while it is kept', () => {
  expect(streamItems(snapshot(), new Set(['done'])).map((item) => item.key)).toContain('todo:done');
});

test('an entry that did not change keeps its item', () => {
  const view = snapshot();
  const again = streamItems({ ...view, notes: view.notes.slice(1) }, new Set());
  expect(again[0]).toBe(streamItems(view, new Set())[0]);
});

test('days hold the newest items, and undated entries come first', () => {
  const items = streamItems(snapshot(), new Set());
  expect(streamDays(items, 100).map(({ day, items }) => [day, items.length])).toEqual([
    [0, 1],
    [startOfDay(NOON), 4],
    [startOfDay(NOON + DAY), 2],
  ]);
  expect(streamDays(items, 3).flatMap(({ items }) => items.map((item) => item.key))).toEqual([
    'note:n2',
    'todo:t1',
    'todo:t2',
  ]);
});

const list = (): ProjectList => ({
  sequence: 1,
  chatsId: CHATS,
  projects: [project('a', 'Alpha'), { ...project('b', 'Beta'), hidden: true }, project(CHATS, 'Chats')],
  moved: [],
});

test('targets are Chats and the projects that are not hidden', () => {
  expect(targetsOf(list()).map(({ id }) => id)).toEqual([CHATS, 'a']);
});

test('a hidden or unknown target gives way to Chats', () => {
  expect(resolveTarget(list(), 'a')).toMatchObject({ target: { id: 'a' }, vanished: false });
  expect(resolveTarget(list(), null)).toMatchObject({ target: { id: CHATS }, vanished: false });
  expect(resolveTarget(list(), 'b')).toMatchObject({ target: { id: CHATS }, vanished: true });
  expect(resolveTarget(list(), 'gone')).toMatchObject({ target: { id: CHATS }, vanished: true });
});

test('a handover carries the text without its command, in the mode of the command', () => {
  expect(handoverOf('a', '/todo buy milk', 'note')).toEqual({
    projectId: 'a',
    section: 'todos',
    draft: { mode: 'todo', text: 'buy milk' },
  });
  expect(handoverOf('a', '//todo is a word', 'plan')).toEqual({
    projectId: 'a',
    section: 'plans',
    draft: { mode: 'plan', text: '/todo is a word' },
  });
  expect(handoverOf('a', '/todo ', 'note')).toEqual({ projectId: 'a' });
});
