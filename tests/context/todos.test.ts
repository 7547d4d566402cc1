import { describe, expect, test } from 'vitest';
import { failure, NOW, p1, setUp, setUpSmall, small } from './support.ts';

const t1 = { ...small.todos[0], id: 't1', text: 'one' };
const t2 = { ...small.todos[1], id: 't2', text: 'two' };

describe('replacing the list', () => {
  test('stores what the caller sends, in its order', async () => {
    const { store, stored } = await setUpSmall();
    const done = await store.todos.replace({
      ...p1,
      todos: [{ id: 'new', text: ' three ', completed: true }, { ...t2, completed: false }, t1],
    });
    expect(done.clamped).toBe(false);
    expect((await stored()).todos).toEqual([
      { id: 'new', text: 'three', completed: true, createdAt: NOW },
      { ...t2, completed: false },
      t1,
    ]);
    expect(done.context.todos.order).toEqual(['new', 't2', 't1']);
    await store.todos.replace({ ...p1, todos: [{ id: 'x', text: 'x', createdAt: 5 }] });
    expect((await stored()).todos).toEqual([{ id: 'x', text: 'x', completed: false, createdAt: 5 }]);
  });

  test('keeps unknown keys by id, long stored texts that were not changed, and odd entries in their places', async () => {
    const { store, put, stored, text } = await setUp();
    const long = 'x'.repeat(500);
    const odd = [
      { id: 'long', text: long, createdAt: 1, tag: 'keep' },
      'a stranger',
      { id: 'b', text: 'b', createdAt: 2 },
    ];
    await put({ version: 2, notes: [], todos: odd, plans: [] });
    const before = await text('projects', 'p1', 'context.json');
    await store.todos.replace({
      ...p1,
      todos: [
        { id: 'long', text: long, createdAt: 1 },
        { id: 'b', text: 'b' },
      ],
    });
    expect(await text('projects', 'p1', 'context.json')).toBe(before);
    await store.todos.replace({
      ...p1,
      todos: [
        { id: 'b', text: 'b' },
        { id: 'long', text: long, completed: true },
      ],
    });
    expect((await stored()).todos).toEqual([odd[2], odd[1], { ...(odd[0] as object), completed: true }]);
  });

  test('is refused when the list is not the one it was based on', async () => {
    const { store } = await setUpSmall();
    const { todosRevision } = await store.context.get(p1);
    await store.todos.update({ ...p1, todoId: 't1', completed: true });
    const conflict = await failure(store.todos.replace({ ...p1, todos: [], todosRevision }), 'conflict');
    expect(conflict.detail).toMatchObject({ current: [{ id: 't1', completed: true }, { id: 't2' }] });
    const current = (await store.context.get(p1)).todosRevision;
    expect(conflict.detail).toMatchObject({ todosRevision: current });
    await store.todos.replace({ ...p1, todos: [], todosRevision: current });
    expect((await store.context.get(p1)).todos).toEqual([]);
  });

  test('an id twice is invalid and named; over 500 is refused unless that many are stored', async () => {
    const { store, put } = await setUpSmall();
    expect((await failure(store.todos.replace({ ...p1, todos: [t1, t2, t1] }), 'invalid')).detail).toEqual({
      field: 'todos.2.id',
    });
    const many = Array.from({ length: 501 }, (_value, index) => ({ id: `t${index}`, text: `${index}` }));
    const refused = await failure(store.todos.replace({ ...p1, todos: many }), 'limit');
    expect(refused.message).toMatch(/at most 500 todos\. Nothing was changed/);
    await put({ version: 2, todos: many });
    await store.todos.replace({ ...p1, todos: many.toReversed() });
    expect((await store.context.get(p1)).todos[0]?.id).toBe('t500');
    await failure(store.todos.add({ ...p1, text: 'more' }), 'limit');
  });

  test('a new text over the limit is cut at a character', async () => {
    const { store } = await setUp();
    const text = `${'a'.repeat(119)}😀`;
    expect(await store.todos.replace({ ...p1, todos: [{ id: 'a', text }] })).toMatchObject({ clamped: true });
    expect((await store.context.get(p1)).todos[0]?.text).toBe('a'.repeat(119));
  });
});

describe('one todo', () => {
  test('is added at the end', async () => {
    const { store } = await setUpSmall();
    const { todo, clamped } = await store.todos.add({ ...p1, text: 'three' });
    expect(todo).toMatchObject({ text: 'three', completed: false, createdAt: NOW });
    expect(clamped).toBe(false);
    expect((await store.context.get(p1)).todos.map((entry) => entry.text)).toEqual(['one', 'two', 'three']);
  });

  test('is changed in its place, keeping its unknown keys', async () => {
    const { store, put, stored } = await setUp();
    await put({ version: 2, todos: [{ ...t1, tag: [1] }, 7, t2] });
    const { todo } = await store.todos.update({ ...p1, todoId: 't1', completed: true });
    expect(todo).toMatchObject({ text: 'one', completed: true });
    await store.todos.update({ ...p1, todoId: 't1', text: 'uno', revision: todo.revision });
    expect((await stored()).todos).toEqual([{ ...t1, text: 'uno', completed: true, tag: [1] }, 7, t2]);
    await failure(store.todos.update({ ...p1, todoId: 't1', text: 'x', revision: todo.revision }), 'conflict');
    await failure(store.todos.update({ ...p1, todoId: 'gone', text: 'x' }), 'not-found');
  });

  test('a tick keeps a stored text over the limit', async () => {
    const { store, put, stored } = await setUp();
    await put({ version: 2, todos: [{ id: 'a', text: 'x'.repeat(500) }] });
    expect(await store.todos.update({ ...p1, todoId: 'a', completed: true })).toMatchObject({ clamped: false });
    expect(await stored()).toMatchObject({ todos: [{ text: 'x'.repeat(500), completed: true }] });
  });

  test('is moved before another, or to the end, past odd entries', async () => {
    const { store, put, stored, events } = await setUp();
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, text: id, completed: false, createdAt: 1 }));
    await put({ version: 2, todos: [a, null, b, c] });
    await store.todos.move({ ...p1, todoId: 'c', before: 'a' });
    expect((await stored()).todos).toEqual([c, a, null, b]);
    await store.todos.move({ ...p1, todoId: 'c', before: null });
    expect((await stored()).todos).toEqual([a, null, b, c]);
    await store.todos.move({ ...p1, todoId: 'a', before: 'c' });
    expect((await stored()).todos).toEqual([null, b, a, c]);
    expect(events).toHaveLength(3);
    for (const before of ['a', 'c']) await store.todos.move({ ...p1, todoId: 'a', before });
    await store.todos.move({ ...p1, todoId: 'c', before: null });
    expect(events).toHaveLength(3);
    await failure(store.todos.move({ ...p1, todoId: 'a', before: 'gone' }), 'not-found');
  });

  test('is deleted alone; the ticked ones go together', async () => {
    const { store, stored } = await setUpSmall();
    expect(await store.todos.clearCompleted(p1)).toMatchObject({ removed: 1, context: { todos: { order: ['t1'] } } });
    expect(await store.todos.clearCompleted(p1)).toMatchObject({ removed: 0, context: { base: 1, sequence: 1 } });
    await store.todos.delete({ ...p1, todoId: 't1' });
    expect((await stored()).todos).toEqual([]);
    await failure(store.todos.delete({ ...p1, todoId: 't1' }), 'not-found');
  });
});
