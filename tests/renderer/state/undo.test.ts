import { describe, expect, it } from 'vitest';
import { moveTarget } from '../../../renderer/state/edits.ts';
import { undoableDeletes } from '../../../renderer/state/undo.ts';
import { strings } from '../../../renderer/ui/strings.ts';
import { CHATS } from '../memory/context.ts';
import { note, openWindow, settle, todo } from '../window.ts';

const texts = (window: Awaited<ReturnType<typeof openWindow>>) =>
  window.store.of(CHATS).todos.map((entry) => `${entry.completed ? 'x' : '-'} ${entry.text}`);

async function undo(window: Awaited<ReturnType<typeof openWindow>>): Promise<void> {
  expect(window.sidekeep.toasts.actOnNewest()).toBe(true);
  await settle();
  await settle();
}

describe('undoing a delete', () => {
  it('brings a todo back to its place, ticked as it was', async () => {
    using window = await openWindow((store) => {
      store.of(CHATS).todos = [todo('t1', 'one'), todo('t2', 'two', true), todo('t3', 'three')];
    });
    const [, second] = window.sidekeep.contexts.entry(CHATS).view?.todos ?? [];
    if (!second) throw new Error('no second todo');
    await undoableDeletes(window.sidekeep, strings.undo).todo(CHATS, second);
    expect(texts(window)).toEqual(['- one', '- three']);
    await undo(window);
    expect(texts(window)).toEqual(['- one', 'x two', '- three']);
    expect(window.sidekeep.toasts.get().at(-1)?.message).toBe(strings.undo.restored);
  });

  it('brings all cleared todos back to their places', async () => {
    using window = await openWindow((store) => {
      store.of(CHATS).todos = [todo('a', 'a', true), todo('b', 'b'), todo('c', 'c', true), todo('d', 'd', true)];
    });
    const before = texts(window);
    await undoableDeletes(window.sidekeep, strings.undo).clearCompleted(CHATS);
    expect(texts(window)).toEqual(['- b']);
    await undo(window);
    expect(texts(window)).toEqual(before);
  });

  it('brings a note back with its source', async () => {
    using window = await openWindow((store) => {
      store.of(CHATS).notes = [{ ...note('n1', 'alpha'), source: 'selection', origin: { sessionId: 's1' } }];
    });
    const [only] = window.sidekeep.contexts.entry(CHATS).view?.notes ?? [];
    if (!only) throw new Error('no note');
    await undoableDeletes(window.sidekeep, strings.undo).note(CHATS, only);
    expect(window.store.of(CHATS).notes).toEqual([]);
    await undo(window);
    expect(window.store.of(CHATS).notes[0]).toMatchObject({
      body: 'alpha',
      source: 'selection',
      origin: { sessionId: 's1' },
    });
  });

  it.each(['# Alpha\n\nbody\n', 'no heading\n', '  #   Odd heading\r\ntext', '# T'])(
    'brings a plan back byte for byte: %j',
    async (raw) => {
      using window = await openWindow((store) => {
        store.of(CHATS).plans = [{ id: 'p1', file: 'a.md', createdAt: 1 }];
        store.of(CHATS).files.set('a.md', raw);
      });
      await undoableDeletes(window.sidekeep, strings.undo).plan(CHATS, 'p1', null);
      expect(window.store.of(CHATS).files.size).toBe(0);
      await undo(window);
      expect([...window.store.of(CHATS).files.values()]).toEqual([raw]);
    },
  );
});

describe('moving a todo', () => {
  const list = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  it.each([
    ['a', 'up', undefined],
    ['b', 'up', 'a'],
    ['c', 'top', 'a'],
    ['a', 'down', 'c'],
    ['b', 'down', null],
    ['c', 'down', undefined],
    ['a', 'bottom', null],
    ['gone', 'up', undefined],
  ] as const)('%s %s comes in front of %s', (id, direction, before) => {
    expect(moveTarget(list, id, direction)).toBe(before);
  });
});
