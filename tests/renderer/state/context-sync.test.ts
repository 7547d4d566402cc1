import { describe, expect, it } from 'vitest';
import { actions } from '../../../renderer/state/actions.ts';
import { Failure } from '../../../src/contract/index.ts';
import { CHATS } from '../memory/context.ts';
import { note, openWindow, settle, todo } from '../window.ts';

const withTodos = (store: Parameters<NonNullable<Parameters<typeof openWindow>[0]>>[0]) => {
  store.of(CHATS).todos = [todo('t1', 'one'), todo('t2', 'two', true)];
  store.of(CHATS).notes = [note('n1', 'alpha')];
};

describe('a window keeps its context true', () => {
  it('shows a change in which only a flag or a text of the same length differs (openchamber/openchamber#999)', async () => {
    using window = await openWindow(withTodos);
    const { store, sidekeep } = window;
    const before = sidekeep.contexts.entry(CHATS).view;
    store.change(CHATS, (stored) => {
      const [first] = stored.todos;
      if (first) first.completed = true;
    });
    store.change(CHATS, (stored) => {
      const [first] = stored.notes;
      if (first) first.body = 'gamma';
    });
    const after = sidekeep.contexts.entry(CHATS).view;
    expect(after?.todos[0]?.completed).toBe(true);
    expect(after?.notes[0]?.body).toBe('gamma');
    expect(after?.todos[1], 'an entry that did not change keeps its identity').toBe(before?.todos[1]);
  });

  it('asks once for the whole context after a gap, and holds back what is pushed meanwhile', async () => {
    using window = await openWindow(withTodos);
    const { store, sidekeep } = window;
    store.silent = true;
    store.change(CHATS, (stored) => stored.todos.push(todo('t3', 'unseen')));
    store.silent = false;
    const asked = store.calls.length;
    store.change(CHATS, (stored) => stored.todos.push(todo('t4', 'seen')));
    store.change(CHATS, (stored) => stored.todos.push(todo('t5', 'pushed while asking')));
    await settle();
    expect(sidekeep.contexts.entry(CHATS).view?.todos.map((entry) => entry.id)).toEqual(['t1', 't2', 't3', 't4', 't5']);
    expect(store.calls.slice(asked)).toEqual(['context.get']);
  });

  it('keeps the last good view beside a problem, and ends the problem with the next good context', async () => {
    using window = await openWindow(withTodos);
    const { store, sidekeep } = window;
    store.fail(CHATS, 'malformed', 'The file cannot be parsed.');
    expect(sidekeep.contexts.entry(CHATS)).toMatchObject({
      problem: { code: 'malformed' },
      view: { projectId: CHATS },
    });
    store.failing.clear();
    store.change(CHATS, (stored) => stored.todos.pop());
    const { problem, view } = sidekeep.contexts.entry(CHATS);
    expect(problem).toBeNull();
    expect(view?.todos).toHaveLength(1);
  });

  it('tells failed from empty and from loading', async () => {
    using window = await openWindow((store) => store.fail(CHATS, 'io', 'The folder cannot be read.'));
    expect(window.sidekeep.contexts.entry(CHATS)).toMatchObject({ view: null, problem: { code: 'io' } });
    expect(window.sidekeep.contexts.entry('path_never_asked')).toMatchObject({ view: null, problem: null });
  });

  it('shows what another window did, once', async () => {
    using window = await openWindow(withTodos);
    const miniChat = window.connect('mini-chat');
    await actions(miniChat).createNote(CHATS, 'from the small window');
    const bodies = window.sidekeep.contexts.entry(CHATS).view?.notes.map((entry) => entry.body);
    expect(bodies).toEqual(['from the small window', 'alpha']);
  });

  it('stops listening when it is disposed, and never hears a change twice (electron/electron#45224)', async () => {
    const window = await openWindow(withTodos);
    for (let turn = 0; turn < 50; turn++) window.connect('sidebar')[Symbol.dispose]();
    let heard = 0;
    const stop = window.sidekeep.client.on('context.changed', () => heard++);
    window.store.change(CHATS, (stored) => stored.todos.pop());
    expect(heard).toBe(1);
    stop();
    window[Symbol.dispose]();
    window.store.change(CHATS, (stored) => stored.todos.pop());
    expect(heard).toBe(1);
    expect(window.sidekeep.contexts.entry(CHATS).view).toBeNull();
  });
});

describe('a change is shown at once', () => {
  it('and taken back when it fails, with the reason, the text and a retry that works', async () => {
    using window = await openWindow(withTodos);
    const { store, sidekeep } = window;
    store.failing.set('todos.update', failure());
    const ticking = actions(sidekeep).tickTodo(CHATS, 't1', true);
    expect(sidekeep.contexts.entry(CHATS).view?.todos[0]?.completed, 'before the answer').toBe(true);
    await ticking;
    expect(sidekeep.contexts.entry(CHATS).view?.todos[0]?.completed, 'after the failure').toBe(false);
    const [failed] = sidekeep.saves.get().failures;
    expect(failed).toMatchObject({ subject: 'todo:t1', error: { code: 'io' } });
    store.failing.clear();
    failed?.retry?.();
    await settle();
    expect(sidekeep.contexts.entry(CHATS).view?.todos[0]?.completed).toBe(true);
    expect(sidekeep.saves.get()).toMatchObject({ running: 0, failures: [] });
    expect(sidekeep.saves.get().savedAt).not.toBeNull();
  });

  it('over a change from outside that comes before the answer', async () => {
    using window = await openWindow(withTodos);
    const { store, sidekeep } = window;
    const moving = actions(sidekeep).moveTodo(CHATS, 't2', 't1');
    store.change(CHATS, (stored) => stored.todos.push(todo('t3', 'from outside')));
    expect(sidekeep.contexts.entry(CHATS).view?.todos.map((entry) => entry.id)).toEqual(['t2', 't1', 't3']);
    await moving;
    expect(sidekeep.contexts.entry(CHATS).view?.todos.map((entry) => entry.id)).toEqual(['t2', 't1', 't3']);
    expect(sidekeep.contexts.entry(CHATS).pending).toEqual([]);
  });

  it('offers no retry where doing the same again cannot help', async () => {
    using window = await openWindow(withTodos);
    await actions(window.sidekeep).createNote(CHATS, ' ');
    expect(window.sidekeep.saves.get().failures[0]).toMatchObject({
      error: { code: 'invalid' },
      text: ' ',
      retry: null,
    });
  });
});

function failure() {
  return new Failure('io', 'The disk is full. Nothing was changed.');
}
