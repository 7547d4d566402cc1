import { describe, expect, test } from 'vitest';
import { p1, setUp, window } from './support.ts';

// insanum/sncli#71, ogham/exa#742
describe('dates that nothing can have been made at', () => {
  const dates = ['8640000000000001', '-1', '"2026"', 'null', '1e999', '1700000000'];
  const known = [0, 0, 0, 0, 0, 1_700_000_000];
  const list = (key: string): string =>
    dates
      .map((date, index) => {
        const file = `"file":"${index}.md","title":"${key} ${index}"`;
        return `{"id":"${key}${index}","body":"${key} ${index}","text":"${key} ${index}",${file},"createdAt":${date},"updatedAt":${date}}`;
      })
      .join(',');
  const text = `{"version":2,"notes":[${list('n')}],"todos":[${list('t')}],"plans":[${list('p')}]}`;

  test('lose no entry, stand for "not known", and are not rewritten by reading or by other changes', async () => {
    const { store, put, text: read } = await setUp();
    await put(text);
    const context = await store.context.get(p1);
    // Newest first; what is not known stays in the order of the file.
    for (const shown of [context.notes, context.plans]) {
      expect(shown.map(({ id }) => id.slice(1))).toEqual(['5', '0', '1', '2', '3', '4']);
      expect(shown.map(({ createdAt }) => createdAt)).toEqual([1_700_000_000, 0, 0, 0, 0, 0]);
    }
    expect(context.notes.map(({ updatedAt }) => updatedAt)).toEqual([1_700_000_000, 0, 0, 0, 0, 0]);
    expect(context.todos.map(({ createdAt }) => createdAt)).toEqual(known);
    expect(context.health.filter(({ problem }) => problem === 'bad-date')).toHaveLength(15);
    for (const { createdAt } of [...context.notes, ...context.todos, ...context.plans]) {
      expect(() => new Date(createdAt).toISOString()).not.toThrow();
    }
    expect(await store.context.get(p1)).toEqual(context);
    expect(await read('projects', 'p1', 'context.json')).toBe(text);
    await store.todos.update({ ...p1, todoId: 't0', completed: true });
    const written = await read('projects', 'p1', 'context.json');
    for (const date of dates) expect(written.split(`"createdAt": ${date},`), date).toHaveLength(4);
    await store.notes.update({ ...p1, noteId: 'n2', body: 'edited' });
    expect((await store.context.get(p1)).notes.map(({ id }) => id)).toEqual(context.notes.map(({ id }) => id));
  });
});

// moxystudio/node-proper-lockfile#109
test('after the clock was set back an hour new entries are still the newest, and no note is edited before it was made', async () => {
  const hour = 3_600_000;
  const start = 1_750_000_000_000;
  const clock = { now: start };
  const setup = await setUp({ now: () => clock.now });
  const { store } = setup;
  const shown = window(setup, await store.context.get(p1));
  const n1 = (await store.notes.create({ ...p1, body: 'n1' })).note;
  const first = (await store.plans.create({ ...p1, title: 'Plan', body: '1' })).plan;
  clock.now = start - hour;
  const n2 = (await store.notes.create({ ...p1, body: 'n2' })).note;
  const edited = (await store.notes.update({ ...p1, noteId: n1.id, body: 'n1, edited' })).note;
  const second = (await store.plans.create({ ...p1, title: 'Plan', body: '2' })).plan;
  const { todo } = await store.todos.add({ ...p1, text: 'todo' });
  expect(shown().notes.map(({ id }) => id)).toEqual([n2.id, n1.id]);
  expect(edited.updatedAt).toBeGreaterThanOrEqual(edited.createdAt);
  expect(edited.updatedAt).toBeGreaterThan(n1.updatedAt);
  expect(shown().plans.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect(new Set([n1.id, n2.id, first.id, second.id, todo.id]).size).toBe(5);
  expect(second.file).not.toBe(first.file);
  // Also in a run that begins after the clock was set back.
  const later = await setUp({ root: setup.root, now: () => clock.now });
  const n3 = (await later.store.notes.create({ ...p1, body: 'n3' })).note;
  expect((await later.store.context.get(p1)).notes.map(({ id }) => id)).toEqual([n3.id, n2.id, n1.id]);
});
