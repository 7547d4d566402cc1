import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { p1, setUp } from './support.ts';

// forem/forem#4969, NodeBB/NodeBB#4378, microsoft/terminal#2409
test('texts that cannot be seen, or turn the line round, stay as they are and are found by their plain letters', async () => {
  const { store, put, text, path } = await setUp();
  const texts = [
    '\u202Egnp.exe',
    'zero\u200B\u200B\u200Bwidth',
    '\u2066 isolated without an end',
    `Zalgo${'\u0301'.repeat(1000)} here`,
    'مرحبا abc 123',
    '\u2060\uFEFFbyte order',
  ];
  const entries = texts.map((body, index) => ({ id: `e${index}`, body, text: body, createdAt: index + 1 }));
  const plans = texts.map((title, index) => ({ id: `p${index}`, file: `${index}.md`, title, createdAt: index + 1 }));
  await put({ version: 2, notes: entries, todos: entries, plans });
  await mkdir(path('projects', 'p1', 'plans'), { recursive: true });
  for (const { file, title } of plans) await writeFile(path('projects', 'p1', 'plans', file), `# ${title}\n\nbody\n`);
  const before = await text('projects', 'p1', 'context.json');
  const context = await store.context.get(p1);
  expect(context.notes.map(({ body }) => body).reverse()).toEqual(texts);
  expect(context.todos.map((todo) => todo.text)).toEqual(texts);
  expect(context.plans).toHaveLength(texts.length);
  for (const query of ['gnp', 'width', 'isolated', 'zalgo', 'abc', 'مرحبا', 'order']) {
    const { counts } = await store.find({ query }, { ids: ['p1'] });
    expect(counts, query).toEqual({ notes: 1, todos: 1, plans: 1 });
  }
  await store.notes.create({ ...p1, body: 'another' });
  const after = await text('projects', 'p1', 'context.json');
  for (const body of texts) {
    const stored = JSON.stringify(body);
    expect(after.split(stored).length, body.slice(0, 20)).toBe(before.split(stored).length);
  }
});
