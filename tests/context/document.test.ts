import { utimes } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { failure, p1, setUp, setUpSample } from './support.ts';

describe('a stored entry is read on its own', () => {
  test('odd ones are kept in place, named in the health list, and hide nothing', async () => {
    const { store, put, stored, text } = await setUp();
    const notes = [
      'a stranger',
      null,
      {
        id: 'n1',
        body: ' kept as it is \n',
        createdAt: 3,
        updatedAt: 'no',
        source: 'robot',
        origin: { messageId: 'm' },
      },
      { id: 'n2', body: '  ', createdAt: 2 },
      { id: 'n3', body: 5 },
      { id: 'n4', body: 'odd date', createdAt: '12', pinned: 'yes' },
      { id: 'n5', body: 'far date', createdAt: 1e300, updatedAt: -1, origin: { sessionId: ' s ', messageId: ' ' } },
    ];
    const todos = [{ id: 't1', text: ' two words ', completed: 'true' }, [], { id: 't2', text: '' }];
    await put({ extra: { a: 1 }, version: 2, notes, todos, plans: 'none', last: [1, { b: 2 }] });
    const context = await store.context.get(p1);
    expect(context.notes).toMatchObject([
      { id: 'n1', body: ' kept as it is \n', createdAt: 3, updatedAt: 3, source: 'manual' },
      { id: 'n4', body: 'odd date', createdAt: 0, updatedAt: 0 },
      { id: 'n5', body: 'far date', createdAt: 0, origin: { sessionId: 's' } },
    ]);
    expect(context.notes[0]).not.toHaveProperty('origin');
    expect(context.notes[1]).not.toHaveProperty('pinned');
    expect(context.todos).toMatchObject([{ id: 't1', text: ' two words ', completed: false, createdAt: 0 }]);
    expect(context.health.map(({ list, position, problem }) => `${list} ${position} ${problem}`)).toEqual([
      'notes 0 not-a-record',
      'notes 1 not-a-record',
      'notes 3 blank-text',
      'notes 4 blank-text',
      'notes 5 bad-date',
      'notes 6 bad-date',
      'todos 1 not-a-record',
      'todos 2 blank-text',
      'plans null not-a-list',
    ]);
    const before = JSON.parse(await text('projects', 'p1', 'context.json')) as Record<string, unknown>;
    await store.notes.update({ ...p1, noteId: 'n1', body: 'changed' });
    const after = await stored();
    expect(Object.keys(after)).toEqual(['extra', 'version', 'notes', 'todos', 'plans', 'last']);
    expect({ ...after, notes: 0 }).toEqual({ ...before, notes: 0 });
    expect((after.notes as unknown[]).toSpliced(2, 1)).toEqual(notes.toSpliced(2, 1));
    expect((after.notes as unknown[])[2]).toMatchObject({
      body: 'changed',
      source: 'robot',
      origin: { messageId: 'm' },
    });
  });

  test('a list that is none is kept under another key when the list is needed', async () => {
    const { store, put, stored } = await setUp();
    await put({ version: 2, notes: { my: 'own' }, todos: 7, todosKept: 'there', plans: [] });
    await store.todos.add({ ...p1, text: 'one' });
    expect(await stored()).toMatchObject({
      notes: { my: 'own' },
      todosKept: 'there',
      todosKept2: 7,
      todos: [{ text: 'one' }],
    });
    await store.notes.create({ ...p1, body: 'first' });
    expect(await stored()).toMatchObject({ notesKept: { my: 'own' }, notes: [{ body: 'first' }] });
  });

  test('keys that nobody knows survive every kind of write, also in entries', async () => {
    const { store, put, stored } = await setUp();
    const entry = (id: string) => ({
      id,
      body: id,
      text: id,
      file: `${id}.md`,
      title: id,
      createdAt: 1,
      'x-tool': { [id]: [1] },
    });
    await put({ $schema: 'x', version: 2, notes: [entry('n')], todos: [entry('t')], plans: [entry('p')], zeta: null });
    await store.notes.update({ ...p1, noteId: 'n', body: 'new' });
    await store.todos.replace({ ...p1, todos: [{ id: 't', text: 'new' }] });
    await store.plans.setPinned({ ...p1, planId: 'p', pinned: true });
    await store.notes.create({ ...p1, body: 'another' });
    const after = await stored();
    expect(Object.keys(after)).toEqual(['$schema', 'version', 'notes', 'todos', 'plans', 'zeta']);
    for (const [list, id] of [
      ['notes', 'n'],
      ['todos', 't'],
      ['plans', 'p'],
    ] as const) {
      const kept = (after[list] as { id: string }[]).find((one) => one.id === id);
      expect(kept).toMatchObject({ 'x-tool': { [id]: [1] } });
    }
  });

  test('numbers that no double holds come back digit for digit', async () => {
    const { store, put, text } = await setUp();
    await put(
      '{"version":2,"big":12345678901234567890,"notes":[{"id":"n","body":"b","createdAt":1,"x":0.12345678901234567891}]}',
    );
    await store.notes.create({ ...p1, body: 'new' });
    const written = await text('projects', 'p1', 'context.json');
    expect(written).toContain('"big": 12345678901234567890');
    expect(written).toContain('"x": 0.12345678901234567891');
  });
});

// NousResearch/hermes-agent#73178, neovateai/neovate-desktop#89
describe('ids', () => {
  test('twice in a list: both texts are seen, the same at every read, and deleting one leaves the other', async () => {
    const { store, put, stored } = await setUp();
    const list = [
      { id: 'x', body: 'A', text: 'A' },
      { id: 'x', body: 'B', text: 'B' },
      { id: 'x', body: 'B', text: 'B' },
    ];
    const plans = [
      { id: 'p', file: 'a.md', title: 'A' },
      { id: 'p', file: 'b.md', title: 'B' },
    ];
    await put({ version: 2, notes: list, todos: list, plans });
    const context = await store.context.get(p1);
    expect(context.notes.map((note) => note.body)).toEqual(['A', 'B']);
    expect(context.todos.map((todo) => todo.text)).toEqual(['A', 'B']);
    expect(context.plans.map((plan) => plan.file)).toEqual(['a.md', 'b.md']);
    expect(new Set(context.notes.map((note) => note.id)).size).toBe(2);
    expect(context.health.filter(({ problem }) => problem === 'duplicate-id')).toHaveLength(5);
    const [, second] = context.notes;
    await store.notes.update({ ...p1, noteId: 'x', body: 'A changed' });
    expect((await store.context.get(p1)).notes.map((note) => [note.id, note.body])).toEqual([
      ['x', 'A changed'],
      [second?.id, 'B'],
    ]);
    await store.notes.delete({ ...p1, noteId: 'x' });
    expect((await stored()).notes).toEqual([{ id: second?.id, body: 'B', text: 'B' }]);
    expect((await stored()).todos).toEqual(list);
    await store.plans.delete({ ...p1, planId: 'p' });
    expect((await store.context.get(p1)).plans).toMatchObject([{ file: 'b.md' }]);
  });

  test('missing ones come from the content, also for equal entries, and are kept from the next change of the list on', async () => {
    const { store, put, stored, root } = await setUp();
    await put({
      version: 2,
      todos: [
        { text: 'milk' },
        { id: ' ', text: 'milk' },
        { text: 'milk' },
        { id: 5, text: 'eggs' },
        { id: ' t ', text: 'tea' },
      ],
    });
    const first = await store.context.get(p1);
    const ids = first.todos.map((todo) => todo.id);
    expect(new Set(ids).size).toBe(5);
    expect(ids[4]).toBe('t');
    const other = await setUp({ root });
    expect((await other.store.context.get(p1)).todos).toEqual(first.todos);
    await store.todos.update({ ...p1, todoId: ids[2] ?? '', completed: true });
    expect((await stored()).todos).toMatchObject([
      { id: ids[0], text: 'milk' },
      { id: ids[1], text: 'milk' },
      { id: ids[2], text: 'milk', completed: true },
      { id: ids[3], text: 'eggs' },
      { id: ' t ', text: 'tea' },
    ]);
    expect((await store.context.get(p1)).todos.map((todo) => todo.id)).toEqual(ids);
  });
});

describe('version 1', () => {
  test('its text is one note, the same at every read, kept whole by the first change of anything', async () => {
    const { store, put, stored, path, root } = await setUp();
    const body = ` Old text \n\n${'x'.repeat(4000)}\n`;
    await put({
      version: 1,
      notes: body,
      todos: [{ id: 't', text: 'a', completed: false, createdAt: 5 }],
      plans: [],
      mine: 1,
    });
    await utimes(path('projects', 'p1', 'context.json'), 1_700_000_000, 1_700_000_000);
    const first = await store.context.get(p1);
    expect(first).toMatchObject({ version: 1, readOnly: false });
    expect(first.notes).toMatchObject([
      { body, createdAt: 1_700_000_000_000, updatedAt: 1_700_000_000_000, source: 'manual' },
    ]);
    expect(first.notes[0]?.id).toMatch(/^note_legacy_[0-9a-f]{16}$/);
    const other = await setUp({ root });
    expect((await other.store.context.get(p1)).notes).toEqual(first.notes);
    await store.todos.update({ ...p1, todoId: 't', completed: true });
    const after = await stored();
    expect(after).toMatchObject({
      version: 2,
      notes: [{ id: first.notes[0]?.id, body, createdAt: 1_700_000_000_000 }],
      mine: 1,
    });
    expect((await store.context.get(p1)).notes).toEqual(first.notes);
  });

  test('its note can be changed and deleted under the id that was shown', async () => {
    const { store } = await setUpSample();
    const projectId = 'path_L2hvbWUvZGV2L25vdGVzLXNpdGU';
    const noteId = (await store.context.get({ projectId })).notes[0]?.id ?? '';
    await store.notes.update({ projectId, noteId, body: 'edited' });
    await store.notes.delete({ projectId, noteId });
    expect(await store.context.get(p1)).toMatchObject({ notes: [] });
  });

  test.each(['', ' \n', null, 5])('%j is no note', async (notes) => {
    const { store, put } = await setUp();
    await put({ version: 1, notes, todos: [], plans: [] });
    expect((await store.context.get(p1)).notes).toEqual([]);
  });
});

test('a newer version is shown and never written', async () => {
  const { store, put, text } = await setUp();
  const newer = JSON.stringify({
    version: 3,
    notes: [{ id: 'n', body: 'b' }],
    todos: [{ id: 't', text: 't' }],
    plans: [{ id: 'p', file: 'p.md' }],
  });
  await put(newer);
  expect(await store.context.get(p1)).toMatchObject({
    version: 3,
    readOnly: true,
    notes: [{ id: 'n' }],
    health: [{ list: 'file', position: null, problem: 'newer-version' }],
  });
  const writes = [
    () => store.notes.create({ ...p1, body: 'x' }),
    () => store.notes.update({ ...p1, noteId: 'n', pinned: true }),
    () => store.notes.delete({ ...p1, noteId: 'n' }),
    () => store.todos.replace({ ...p1, todos: [] }),
    () => store.todos.add({ ...p1, text: 'x' }),
    () => store.todos.move({ ...p1, todoId: 't', before: null }),
    () => store.todos.clearCompleted(p1),
    () => store.plans.create({ ...p1, body: 'x' }),
    () => store.plans.update({ ...p1, planId: 'p', raw: 'x' }),
    () => store.plans.delete({ ...p1, planId: 'p' }),
    () => store.plans.setPinned({ ...p1, planId: 'p', pinned: true }),
  ];
  for (const write of writes) await failure(write(), 'newer-version');
  expect(await text('projects', 'p1', 'context.json')).toBe(newer);
});

// earendil-works/pi#8337, element-hq/element-web#34504
test('a BOM is accepted, and nothing is lost by the write that drops it', async () => {
  const { store, put, stored, text } = await setUp();
  await put(
    `\uFEFF${JSON.stringify({ version: 2, notes: [{ id: 'n', body: 'b', createdAt: 1 }], todos: [], plans: [] })}`,
  );
  expect((await store.context.get(p1)).notes).toMatchObject([{ id: 'n' }]);
  await store.notes.create({ ...p1, body: 'new' });
  expect((await text('projects', 'p1', 'context.json')).startsWith('{')).toBe(true);
  expect((await stored()).notes).toMatchObject([{ body: 'new' }, { id: 'n', body: 'b' }]);
});

// anthropics/claude-code#41311, bhousel/node-diff3#83
describe('names that every object has', () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];

  test('are ordinary ids of projects and entries', async () => {
    const { store, put } = await setUp();
    for (const name of names) {
      const projectId = name;
      expect(await store.context.get({ projectId })).toMatchObject({ state: 'missing', notes: [] });
      await put({ version: 2, notes: [{ id: name, body: name }], todos: [{ id: name, text: name }] }, projectId);
      expect(await store.context.get({ projectId })).toMatchObject({ notes: [{ id: name, body: name }] });
      await store.notes.update({ projectId, noteId: name, body: `new ${name}` });
      await store.todos.replace({ projectId, todos: [{ id: name, text: 'x' }] });
      await store.todos.update({ projectId, todoId: name, completed: true });
    }
    for (const name of names) {
      expect(await store.context.get({ projectId: name })).toMatchObject({
        notes: [{ id: name, body: `new ${name}` }],
        todos: [{ id: name, completed: true }],
      });
    }
    expect((await store.projectIds()).sort()).toEqual(names.toSorted());
  });

  test('as keys change nothing but themselves, and survive a write', async () => {
    const { store, put, text } = await setUp();
    await put(
      '{"version":2,"__proto__":{"polluted":1},"constructor":{"x":1},"notes":[{"id":"n","body":"b","__proto__":{"polluted":2}}]}',
    );
    await store.notes.update({ ...p1, noteId: 'n', body: 'new' });
    await store.notes.create({ ...p1, body: 'other' });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    const written = await text('projects', 'p1', 'context.json');
    expect(written.match(/"__proto__": \{\s+"polluted": [12]\s+\}/g)).toHaveLength(2);
    expect(written).toContain('"constructor"');
    await put('{"__proto__":{"notes":[{"id":"n","body":"inherited"}],"version":9}}');
    expect(await store.context.get(p1)).toMatchObject({ version: 2, notes: [] });
  });
});
