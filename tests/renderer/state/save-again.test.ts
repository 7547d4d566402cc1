import { describe, expect, it } from 'vitest';
import { actions } from '../../../renderer/state/actions.ts';
import { Failure } from '../../../src/contract/index.ts';
import { CHATS } from '../memory/context.ts';
import { openWindow, settle, todo } from '../window.ts';

const open = () =>
  openWindow((store) => {
    store.of(CHATS).todos = [todo('t1', 'one')];
  });

const DAMAGED = new Failure('malformed', 'It is damaged.');

describe('a save that failed because the file was damaged', () => {
  it('is made again by itself, once, when the file can be read again', async () => {
    using window = await open();
    const { store, sidekeep } = window;
    store.failing.set('todos.update', DAMAGED);
    await actions(sidekeep).tickTodo(CHATS, 't1', true);
    expect(sidekeep.saves.get().failures).toMatchObject([{ subject: 'todo:t1', ready: false }]);
    const ticks = () => store.calls.filter((name) => name === 'todos.update').length;
    await sidekeep.contexts.load(CHATS);
    await settle();
    expect(ticks()).toBe(2);
    store.failing.clear();
    store.change(CHATS, (stored) => stored.todos.push(todo('t2', 'two')));
    await settle();
    expect(ticks()).toBe(3);
    expect(sidekeep.saves.get()).toMatchObject({ running: 0, failures: [] });
    expect(store.of(CHATS).todos[0]?.completed).toBe(true);
  });

  it('waits for a word where it would send a text that may be typed on, and says that it can be saved', async () => {
    using window = await open();
    const { store, sidekeep } = window;
    store.failing.set('notes.create', DAMAGED);
    await actions(sidekeep).createNote(CHATS, 'typed');
    store.failing.clear();
    await sidekeep.contexts.load(CHATS);
    await settle();
    expect(store.of(CHATS).notes).toEqual([]);
    const [failure] = sidekeep.saves.get().failures;
    expect(failure).toMatchObject({ subject: 'new-note', ready: true });
    failure?.retry?.();
    await settle();
    expect(store.of(CHATS).notes).toMatchObject([{ body: 'typed' }]);
    expect(sidekeep.saves.get().failures).toEqual([]);
  });

  it('waits where the disk was the reason, which a file that can be read does not disprove', async () => {
    using window = await open();
    const { store, sidekeep } = window;
    store.failing.set('todos.update', new Failure('io', 'The disk is full.'));
    await actions(sidekeep).tickTodo(CHATS, 't1', true);
    await sidekeep.contexts.load(CHATS);
    await settle();
    expect(store.calls.filter((name) => name === 'todos.update')).toHaveLength(1);
    expect(sidekeep.saves.get().failures).toMatchObject([{ ready: false }]);
  });
});
