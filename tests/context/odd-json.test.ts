import { describe, expect, test } from 'vitest';
import { isPlainlyBuilt } from '../../src/files/json-shape.ts';
import { failure, p1, setUp, setUpSmall, small } from './support.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('a file that could be read but not be written back as it is', () => {
  test.each([
    ['nested too deeply', `{"version":2,"notes":[],"x":${nested(100_000)}}`],
    ['nested too deeply in an entry', `{"version":2,"notes":[{"id":"a","body":"b","x":${nested(20_000)}}]}`],
    ['with a list twice', '{"version":2,"notes":[{"id":"a","body":"first"}],"todos":[],"notes":[]}'],
    ['with a list twice, once in other letters', '{"notes":[{"id":"a","body":"first"}],"n\\u006ftes":[]}'],
  ])('%s, is malformed and stays untouched', async (_what, text) => {
    const setup = await setUp();
    await setup.put(text);
    await failure(setup.store.context.get(p1), 'malformed');
    await failure(setup.store.notes.create({ ...p1, body: 'x' }), 'malformed');
    expect(await setup.text('projects', 'p1', 'context.json')).toBe(text);
  });

  test('brackets, quotes and keys inside of texts and of entries do not count', () => {
    const deep = `{"a":"${'['.repeat(1000)}\\"{","b":{"a":[{"a":"a\\\\"}]},"c":"a","d":${nested(400)}}`;
    expect(JSON.parse(deep)).toBeTypeOf('object');
    expect(isPlainlyBuilt(Buffer.from(deep))).toBe(true);
    expect(isPlainlyBuilt(Buffer.from(`{"a" : 1, "b":2, "a"\n:3}`))).toBe(false);
  });
});

test('numbers beyond the range of a double come back as they were', async () => {
  const { store, put, text } = await setUp();
  const odd = '{"id":"a","body":"b","createdAt":1e999,"least":1e-999,"tiny":4.321e-320,"much":-2E400,"plain":1e5}';
  await put(`{"version":2,"notes":[${odd}],"todos":[],"plans":[]}`);
  expect((await store.context.get(p1)).notes).toMatchObject([{ createdAt: 0 }]);
  await store.notes.create({ ...p1, body: 'new' });
  const written = await text('projects', 'p1', 'context.json');
  for (const number of ['1e999', '1e-999', '4.321e-320', '-2E400', '100000']) expect(written).toContain(`: ${number}`);
});

// Not a time of anything: with these each read and each change took minutes.
describe('a list with very many odd entries', () => {
  test('equal ones without an id, and different ones of one id, are all shown under ids of their own', async () => {
    const { store, put } = await setUp();
    const copies = Array.from({ length: 20_000 }, () => ({ text: 'same' }));
    const rivals = Array.from({ length: 20_000 }, (_, index) => ({ id: 'one', text: `${index}` }));
    await put({ ...small, todos: [...copies, ...rivals] });
    const { todos } = await store.context.get(p1);
    expect(new Set(todos.map((todo) => todo.id)).size).toBe(40_000);
  });

  test('tells of the first of them, and leaves all where they are', async () => {
    const { store, put, stored } = await setUpSmall();
    const nulls = Array.from({ length: 150_000 }, () => null);
    await put({ ...small, todos: [...nulls, ...small.todos, null] });
    const context = await store.context.get(p1);
    expect(context.todos).toHaveLength(2);
    expect(context.health).toHaveLength(100);
    await store.todos.replace({ ...p1, todos: [{ id: 't2', text: 'two' }] });
    const { todos } = await stored();
    expect(todos).toHaveLength(150_002);
    expect((todos as unknown[]).filter((todo) => todo !== null)).toMatchObject([{ id: 't2', text: 'two' }]);
  });
});
