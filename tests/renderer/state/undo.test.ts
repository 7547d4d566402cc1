import { describe, expect, it } from 'vitest';
import { moveTarget } from '../../../renderer/state/edits.ts';
import { undoableDeletes } from '../../../renderer/state/undo.ts';
import { strings } from '../../../renderer/ui/strings.ts';
import { Failure } from '../../../src/contract/index.ts';
import { CHATS } from '../memory/context.ts';
import type { MemoryStore } from '../memory/store.ts';
import { note, openWindow, settle, todo } from '../window.ts';

const texts = (window: Awaited<ReturnType<typeof openWindow>>) =>
  window.store.of(CHATS).todos.map((entry) => `${entry.completed ? 'x' : '-'} ${entry.text}`);

async function undo(window: Awaited<ReturnType<typeof openWindow>>): Promise<void> {
  expect(window.sidekeep.toasts.actOnNewest()).toBe(true);
  await settle();
  await settle();
}

const everything = (window: Awaited<ReturnType<typeof openWindow>>) => {
  const { notes, todos, plans, files } = window.store.of(CHATS);
  return structuredClone({ notes, todos, plans, files });
};

const prepare = (store: MemoryStore): void => {
  const stored = store.of(CHATS);
  stored.notes = [
    note('n1', 'alpha'),
    { ...note('n2', 'beta'), source: 'selection', origin: { sessionId: 's1' }, pinned: true },
    note('n3', 'gamma'),
  ];
  stored.todos = [todo('a', 'a', true), todo('b', 'b'), todo('c', 'c', true), todo('d', 'd', true)];
  stored.plans = [
    { id: 'p1', file: 'a.md', createdAt: 1 },
    { id: 'p2', file: 'b.md', createdAt: 2 },
  ];
  stored.files.set('a.md', '  #   Odd heading\r\ntext').set('b.md', '# B');
};

describe('undoing a delete', () => {
  it.each(['n1', 'n2', 'n3'])('brings note %s back as it was, in its place', async (id) => {
    using window = await openWindow(prepare);
    const before = everything(window);
    const entry = window.sidekeep.contexts.entry(CHATS).view?.notes.find((each) => each.id === id);
    if (!entry) throw new Error('no note');
    await undoableDeletes(window.sidekeep, strings.undo).note(CHATS, entry);
    expect(window.store.of(CHATS).notes).toHaveLength(2);
    await undo(window);
    expect(everything(window)).toEqual(before);
    expect(window.sidekeep.toasts.get().map(({ message }) => message)).toEqual([strings.undo.restored]);
  });

  it.each(['a', 'b', 'd'])('brings todo %s back as it was, in its place', async (id) => {
    using window = await openWindow(prepare);
    const before = everything(window);
    const entry = window.sidekeep.contexts.entry(CHATS).view?.todos.find((each) => each.id === id);
    if (!entry) throw new Error('no todo');
    await undoableDeletes(window.sidekeep, strings.undo).todo(CHATS, entry);
    await undo(window);
    expect(everything(window)).toEqual(before);
  });

  it('brings all cleared todos back with one call', async () => {
    using window = await openWindow(prepare);
    const before = everything(window);
    await undoableDeletes(window.sidekeep, strings.undo).clearCompleted(CHATS);
    expect(texts(window)).toEqual(['- b']);
    await undo(window);
    expect(everything(window)).toEqual(before);
    expect(window.store.calls.filter((call) => call === 'todos.restore')).toHaveLength(1);
  });

  it('brings a plan back byte for byte, in its place', async () => {
    using window = await openWindow(prepare);
    const before = everything(window);
    await undoableDeletes(window.sidekeep, strings.undo).plan(CHATS, 'p1', null);
    expect(window.store.of(CHATS).files.size).toBe(1);
    await undo(window);
    expect(everything(window)).toEqual(before);
  });

  it('brings text back that was not saved when its plan was deleted', async () => {
    using window = await openWindow(prepare);
    const { drafts } = window.sidekeep;
    const key = `${CHATS}/plan:p1`;
    drafts.write(key, 'typed', { text: '', revision: '0123456789abcdef' });
    const unsaved = drafts.read(key);
    await undoableDeletes(window.sidekeep, strings.undo).plan(CHATS, 'p1', unsaved);
    drafts.clear(key);
    await undo(window);
    expect(drafts.read(key)).toEqual(unsaved);
  });

  it('undoes the newest first, and says so once', async () => {
    using window = await openWindow(prepare);
    const before = everything(window);
    const deletes = undoableDeletes(window.sidekeep, strings.undo);
    for (const id of ['b', 'c']) {
      const entry = window.sidekeep.contexts.entry(CHATS).view?.todos.find((each) => each.id === id);
      if (entry) await deletes.todo(CHATS, entry);
    }
    await undo(window);
    expect(texts(window)).toEqual(['x a', 'x c', 'x d']);
    await undo(window);
    expect(everything(window)).toEqual(before);
    expect(window.sidekeep.toasts.get().map(({ message }) => message)).toEqual([strings.undo.restored]);
  });

  it('says why it failed, keeps the entry in the trash and tries again', async () => {
    using window = await openWindow(prepare);
    const before = everything(window);
    await undoableDeletes(window.sidekeep, strings.undo).plan(CHATS, 'p2', null);
    window.store.failing.set('plans.restore', new Failure('io', 'The disk is full.'));
    await undo(window);
    expect(window.sidekeep.toasts.get().at(-1)?.message).toBe(strings.undo.notRestored('The disk is full.'));
    const deleted = await window.sidekeep.client.context.deleted({ projectId: CHATS });
    expect(deleted).toMatchObject({ ok: true, value: { items: [{ kind: 'plan', title: 'B', count: 1 }] } });
    window.store.failing.clear();
    await undo(window);
    expect(everything(window)).toEqual(before);
  });
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
