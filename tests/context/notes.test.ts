import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { failure, NOW, p1, setUp, setUpSample, setUpSmall, small, window } from './support.ts';

describe('reading', () => {
  test('shows notes and plans newest first, todos as stored, the same at every read', async () => {
    const { store, events } = await setUpSample();
    const projectId = 'path_L2hvbWUvZGV2L2RlbW8tYXBw';
    const first = await store.context.get({ projectId });
    expect(first.notes.map((note) => note.createdAt)).toEqual(
      first.notes.map((note) => note.createdAt).toSorted((left, right) => right - left),
    );
    expect(first.notes[0]).toMatchObject({ source: 'agent', origin: { sessionId: 'ses_sample0003' }, pinned: false });
    expect(first.todos.map((todo) => todo.completed)).toEqual([false, false, false, false, true, true]);
    expect(first.plans.map((plan) => plan.title)).toEqual(['План переноса данных', 'Release checklist']);
    expect(first).toMatchObject({ state: 'present', version: 2, readOnly: false, health: [], sequence: 0 });
    expect(await store.context.get({ projectId })).toEqual(first);
    expect(events).toEqual([]);
  });

  test('an owner without a file is empty, and reading makes nothing', async () => {
    const { store, root } = await setUp();
    expect(await store.context.get(p1)).toMatchObject({
      state: 'missing',
      revision: null,
      notes: [],
      todos: [],
      plans: [],
    });
    await expect(readdir(root)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a new note', () => {
  test('stands above all others, is written in the known form, and is told as one change', async () => {
    const setup = await setUpSmall();
    const { store, events } = setup;
    const shown = window(setup, await store.context.get(p1));
    const made = await store.notes.create({
      ...p1,
      body: '  new \n',
      source: 'selection',
      origin: { sessionId: ' s ' },
    });
    expect(made.note).toMatchObject({ body: 'new', createdAt: NOW, updatedAt: NOW, source: 'selection' });
    expect(made.note.origin).toEqual({ sessionId: 's' });
    expect(made.clamped).toBe(false);
    expect(events).toEqual([{ kind: 'change', change: made.context }]);
    expect(made.context).toMatchObject({ base: 0, sequence: 1, notes: { changed: [made.note] } });
    const { revision: _revision, ...stored } = made.note;
    expect(await setup.text('projects', 'p1', 'context.json')).toBe(
      JSON.stringify({ ...small, notes: [stored, ...small.notes] }, null, 2),
    );
    expect(shown()).toEqual(await store.context.get(p1));
  });

  test('makes the folders of a new owner, for their person alone', async () => {
    const { store, stored } = await setUp();
    await store.notes.create({ ...p1, body: 'first' });
    expect(await stored()).toMatchObject({ version: 2, notes: [{ body: 'first' }], todos: [], plans: [] });
  });

  test('is newer than every older one, also when the clock jumped back; a mad date does not count', async () => {
    const { store, put } = await setUp({ now: () => 1000 });
    await put({
      version: 2,
      notes: [
        { id: 'a', body: 'a', createdAt: 5000 },
        { id: 'b', body: 'b', createdAt: 8e15 },
      ],
    });
    const { note } = await store.notes.create({ ...p1, body: 'new' });
    expect(note.createdAt).toBe(5001);
    const second = await store.notes.create({ ...p1, body: 'newer' });
    expect(second.note.createdAt).toBe(5002);
    expect((await store.context.get(p1)).notes.map((entry) => entry.body)).toEqual(['b', 'newer', 'new', 'a']);
  });

  test('a text over the limit is cut at a character, and the answer says so', async () => {
    const { store } = await setUp();
    const long = await store.notes.create({ ...p1, body: `${'a'.repeat(2999)}😀😀` });
    expect(long).toMatchObject({ clamped: true, note: { body: 'a'.repeat(2999) } });
    const fits = await store.notes.create({ ...p1, body: `${'a'.repeat(2998)}😀` });
    expect(fits).toMatchObject({ clamped: false, note: { body: `${'a'.repeat(2998)}😀` } });
  });

  test('the 201st is refused, and those over the limit on disk stay and can be edited', async () => {
    const { store, put, stored } = await setUp();
    const notes = Array.from({ length: 205 }, (_value, index) => ({
      id: `n${index}`,
      body: `${index}`,
      createdAt: index,
    }));
    await put({ version: 2, notes });
    const context = await store.context.get(p1);
    expect(context.notes).toHaveLength(205);
    expect(context.health).toEqual([{ list: 'notes', position: null, problem: 'over-limit' }]);
    await failure(store.notes.create({ ...p1, body: 'more' }), 'limit');
    await store.notes.update({ ...p1, noteId: 'n0', body: 'edited' });
    expect((await stored()).notes).toHaveLength(205);
  });

  test('an owner that is not known is not written', async () => {
    const { store, root } = await setUp({ isKnownProject: (id) => Promise.resolve(id === 'known') });
    await failure(store.notes.create({ ...p1, body: 'x' }), 'not-found');
    expect(await store.context.get(p1)).toMatchObject({ state: 'missing' });
    await expect(readdir(root)).rejects.toMatchObject({ code: 'ENOENT' });
    await store.notes.create({ projectId: 'known', body: 'x' });
  });

  // Jenyay/outwiker#481
  test.each(['🧸', '👩‍👩‍👧‍👦', '🇺🇦', 'e\u0301', '\u{1D11E}', 'a\uFFFFb', 'a\u0000b', 'a\u2028b', 'half \ud83d here'])(
    'keeps %j byte for byte',
    async (text) => {
      const setup = await setUp();
      const { note } = await setup.store.notes.create({ ...p1, body: text });
      expect(note.body).toBe(text);
      await setup.store.todos.add({ ...p1, text });
      const other = await setUp({ root: setup.root });
      expect(await other.store.context.get(p1)).toMatchObject({ notes: [{ body: text }], todos: [{ text }] });
      expect(await setup.stored()).toMatchObject({ notes: [{ body: text }], todos: [{ text }] });
    },
  );
});

describe('changing a note', () => {
  test('a new body is a change of the note; a pin is not', async () => {
    const { store, stored } = await setUpSmall();
    const edited = await store.notes.update({ ...p1, noteId: 'n1', body: 'beta' });
    expect(edited.note).toMatchObject({ body: 'beta', createdAt: 1_700_000_000_000, updatedAt: NOW });
    const pinned = await store.notes.update({ ...p1, noteId: 'n1', pinned: true });
    expect(pinned.note).toMatchObject({ body: 'beta', pinned: true, updatedAt: NOW });
    const again = await store.notes.update({ ...p1, noteId: 'n1', body: 'gamma' });
    expect(again.note).toMatchObject({ body: 'gamma', pinned: true, updatedAt: NOW + 1 });
    expect((await stored()).notes).toEqual([
      { id: 'n1', body: 'gamma', createdAt: 1_700_000_000_000, updatedAt: NOW + 1, source: 'manual', pinned: true },
    ]);
  });

  test('what changes nothing writes nothing and tells nobody', async () => {
    const { store, events, text } = await setUpSmall();
    const before = await text('projects', 'p1', 'context.json');
    const same = await store.notes.update({ ...p1, noteId: 'n1', body: ' alpha ', pinned: false });
    expect(same.note.updatedAt).toBe(1_700_000_000_000);
    expect(same.context).toMatchObject({ base: 0, sequence: 0, notes: { changed: [] } });
    expect(events).toEqual([]);
    expect(await text('projects', 'p1', 'context.json')).toBe(before);
  });

  test('a change based on another state is refused with the current one; without a revision the last one wins', async () => {
    const { store } = await setUpSmall();
    const [note] = (await store.context.get(p1)).notes;
    const revision = note?.revision ?? '';
    const mine = await store.notes.update({ ...p1, noteId: 'n1', body: 'mine', revision });
    const conflict = await failure(store.notes.update({ ...p1, noteId: 'n1', body: 'theirs', revision }), 'conflict');
    expect(conflict.detail).toEqual({ current: mine.note });
    await failure(store.notes.delete({ ...p1, noteId: 'n1', revision }), 'conflict');
    await store.notes.update({ ...p1, noteId: 'n1', body: 'theirs' });
    await store.notes.delete({ ...p1, noteId: 'n1', revision: (await store.context.get(p1)).notes[0]?.revision });
    expect((await store.context.get(p1)).notes).toEqual([]);
  });

  test('a stored text over the limit is never shortened, also not by an edit of its length', async () => {
    const { store, put, stored } = await setUp();
    const body = 'x'.repeat(5000);
    await put({ version: 2, notes: [{ id: 'n1', body, createdAt: 1 }] });
    const context = await store.context.get(p1);
    expect(context.notes[0]?.body).toBe(body);
    expect(context.health).toEqual([{ list: 'notes', position: 0, problem: 'over-limit' }]);
    const edited = await store.notes.update({ ...p1, noteId: 'n1', body: `y${body.slice(1)}` });
    expect(edited).toMatchObject({ clamped: false, note: { body: `y${body.slice(1)}` } });
    const longer = await store.notes.update({ ...p1, noteId: 'n1', body: `${body}zzz` });
    expect(longer.clamped).toBe(true);
    expect(await stored()).toMatchObject({ notes: [{ body }] });
  });

  test('a note that is not there is not found, and nothing is written', async () => {
    const { store, text } = await setUpSmall();
    const before = await text('projects', 'p1', 'context.json');
    await failure(store.notes.update({ ...p1, noteId: 'gone', body: 'x' }), 'not-found');
    await failure(store.notes.delete({ ...p1, noteId: 'gone' }), 'not-found');
    expect(await text('projects', 'p1', 'context.json')).toBe(before);
  });
});

test('deleting takes that note alone', async () => {
  const { store, stored, events } = await setUpSmall();
  const { note } = await store.notes.create({ ...p1, body: 'second' });
  const { context } = await store.notes.delete({ ...p1, noteId: 'n1' });
  expect(context.notes).toEqual({ order: [note.id], changed: [] });
  expect(events).toHaveLength(2);
  expect((await stored()).notes).toMatchObject([{ id: note.id }]);
});
