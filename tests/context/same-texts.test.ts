import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { nodeFileSystem } from '../../src/files/index.ts';
import { p1, setUp, setUpSmall } from './support.ts';

// Jenyay/outwiker#481
describe('characters that other programs lost', () => {
  test.each(['🧸', '👩‍👩‍👧‍👦', '🇺🇦', 'e\u0301', '\u{1D11E}', '\uFFFF', 'in\u0000side'])(
    '%j survives each way to write it, as other programs read it',
    async (character) => {
      const text = `a ${character} b`;
      const { store, stored, path } = await setUpSmall();
      await store.notes.create({ ...p1, body: text });
      await store.notes.update({ ...p1, noteId: 'n1', body: `edited ${text}` });
      await store.todos.replace({ ...p1, todos: [{ id: 't1', text }] });
      const { plan } = await store.plans.create({ ...p1, title: `Title ${character}`, body: text });
      expect(await stored()).toMatchObject({
        notes: [{ body: text }, { body: `edited ${text}` }],
        todos: [{ text }],
      });
      const bytes = await readFile(path('projects', 'p1', 'plans', plan.file));
      // A control character is no part of a title, and stays in the text.
      const title = `Title ${character === 'in\u0000side' ? 'in side' : character}`;
      expect(bytes).toEqual(Buffer.from(`# ${title}\n\n${text}`));
      expect(await store.plans.read({ ...p1, planId: plan.id })).toMatchObject({ title, body: text });
      const raw = `# ${title}\n\n${text} and ${text}`;
      await store.plans.update({ ...p1, planId: plan.id, raw });
      expect(await readFile(path('projects', 'p1', 'plans', plan.file))).toEqual(Buffer.from(raw));
    },
  );
});

/** A disk that keeps names in one normal form, as that of macOS did. */
const normalising: typeof nodeFileSystem = {
  ...nodeFileSystem,
  open: (path, ...rest) => nodeFileSystem.open(path.normalize('NFD'), ...rest),
  lstat: (path) => nodeFileSystem.lstat(path.normalize('NFD')),
  stat: (path) => nodeFileSystem.stat(path.normalize('NFD')),
  unlink: (path) => nodeFileSystem.unlink(path.normalize('NFD')),
  rename: (from, to) => nodeFileSystem.rename(from.normalize('NFD'), to.normalize('NFD')),
  link: (existing, name) => nodeFileSystem.link(existing.normalize('NFD'), name.normalize('NFD')),
};

// oflisback/obsidian-bridge.nvim#43, Kntnt/kntnt-wp-skills#61
test.each([
  ['any disk', nodeFileSystem],
  ['a disk that keeps one normal form of a name', normalising],
])(
  'two titles that look the same are two plans with a file each, and a search finds both (%s)',
  async (_what, disk) => {
    const { store, path } = await setUp({ fileSystem: disk });
    const titles = ['Caf\u00e9', 'Cafe\u0301'];
    const plans = [];
    for (const title of titles) {
      plans.push((await store.plans.create({ ...p1, title, body: `the body of ${title}` })).plan);
    }
    expect(new Set(plans.map(({ file }) => file)).size).toBe(2);
    expect(await readdir(path('projects', 'p1', 'plans'))).toHaveLength(2);
    for (const [index, plan] of plans.entries()) {
      const read = await store.plans.read({ ...p1, planId: plan.id });
      expect(read).toMatchObject({ title: titles[index], body: `the body of ${titles[index]}` });
    }
    for (const query of [...titles, 'cafe']) {
      const { counts, found } = await store.find({ query }, { ids: ['p1'] });
      expect(counts.plans, query).toBe(2);
      expect(found.map(({ id }) => id).sort()).toEqual(plans.map(({ id }) => id).sort());
    }
  },
);

// esengine/DeepSeek-Reasonix#10612
test('what is made in one millisecond has an id each, and two merges of that moment keep both sources', async () => {
  const { store, path } = await setUp();
  const made = await Promise.all(Array.from({ length: 100 }, () => store.notes.create({ ...p1, body: 'the same' })));
  expect(new Set(made.map(({ note }) => note.id)).size).toBe(100);
  expect((await store.context.get(p1)).notes).toHaveLength(100);
  for (const round of ['first', 'second']) {
    await store.notes.create({ projectId: 'a', body: round });
    await store.merge({ from: 'a', to: 'b', path: null }, () => undefined);
  }
  expect((await store.context.get({ projectId: 'b' })).notes.map(({ body }) => body).sort()).toEqual([
    'first',
    'second',
  ]);
  const sources = (await readdir(path('projects'))).filter((name) => name.startsWith('a.merged-'));
  expect(sources).toHaveLength(2);
  const texts = sources.map((name) => readFile(path('projects', name, 'context.json'), 'utf8'));
  expect((await Promise.all(texts)).map((text) => JSON.parse(text).notes[0].body).sort()).toEqual(['first', 'second']);
});
