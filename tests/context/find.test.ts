import { chmod, mkdir, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ContextSearch, type ContextSearchOptions, type FindOutput } from '../../src/context/find.ts';
import type { FoundEntry } from '../../src/contract/entities.ts';
import { contract } from '../../src/contract/index.ts';
import { nodeFileSystem, Root } from '../../src/files/index.ts';
import { type FaultyFileSystem, faultyFileSystem, temporaryFolder } from '../files/support.ts';
import { failure } from './support.ts';

interface Stored {
  notes?: unknown;
  todos?: unknown;
  /** Text of each plan by its file name. */
  plans?: Record<string, string | Buffer>;
  [key: string]: unknown;
}

interface SearchSetup {
  root: string;
  fileSystem: FaultyFileSystem;
  search: ContextSearch;
  find(query: string, options?: { ids?: string[]; limit?: number; signal?: AbortSignal }): Promise<FindOutput>;
  path(...names: string[]): string;
  put(stored: Stored, id?: string): Promise<void>;
}

/** A search over a folder of its own. Every answer is checked against the contract, and nothing is ever written. */
async function setUp(options: Partial<ContextSearchOptions> = {}): Promise<SearchSetup> {
  const root = join(await temporaryFolder(), 'context');
  const fileSystem = faultyFileSystem();
  const search = new ContextSearch({
    fileSystem,
    root: new Root(fileSystem, root),
    sleep: () => Promise.resolve(),
    ...options,
  });
  const path = (...names: string[]): string => join(root, ...names);
  return {
    root,
    fileSystem,
    search,
    path,
    find: async (query, { ids = ['p1'], limit, signal } = {}) => {
      const input = { query, ...(limit === undefined ? {} : { limit }) };
      const output = await search.find(input, { ids, ...(signal ? { signal } : {}) });
      expect(contract.context.find.output.parse(output)).toEqual(output);
      expect(
        fileSystem.calls.filter((call) => /write|wx|mkdir|rename|unlink|sync|rmdir|chmod|replace/.test(call)),
      ).toEqual([]);
      return output;
    },
    put: async ({ plans = {}, ...stored }, id = 'p1') => {
      await mkdir(path('projects', id, 'plans'), { recursive: true });
      const links = Object.keys(plans).map((file, index) => ({ id: file, file, title: 'Manifest', createdAt: index }));
      const content = JSON.stringify({ version: 2, plans: links, ...stored });
      await writeFile(path('projects', id, 'context.json'), content);
      for (const [file, text] of Object.entries(plans)) await writeFile(path('projects', id, 'plans', file), text);
    },
  };
}

const note = (id: string, body: string, createdAt = 0) => ({ id, body, createdAt, updatedAt: createdAt });
const todo = (id: string, text: string, createdAt = 0, completed = false) => ({ id, text, createdAt, completed });
const idsOf = ({ found }: FindOutput): string[] => found.map((entry) => entry.id);
const markedIn = ({ excerpt, highlights }: Pick<FoundEntry, 'excerpt' | 'highlights'>): string[] =>
  highlights.map(([start, end]) => excerpt.slice(start, end));

test('notes, todos, plan titles and plan texts are found, counted, and their words marked', async () => {
  const { find, put } = await setUp();
  await put({
    notes: [note('n1', '\nCafé au lait\nand more', 5), note('n2', 'tea')],
    todos: [todo('t1', 'buy CAFE', 6, true)],
    plans: { 'a.md': '# Opening\n\nA cafe\u0301 for\nall.', 'b.md': '# Cafés\n', 'c.md': '# Tea\n' },
  });
  const output = await find('cafe');
  expect(output.counts).toEqual({ notes: 1, todos: 1, plans: 2 });
  expect(output.unread).toBe(0);
  expect(output.found).toEqual([
    {
      projectId: 'p1',
      section: 'todos',
      id: 't1',
      title: 'buy CAFE',
      excerpt: 'buy CAFE',
      highlights: [[4, 8]],
      createdAt: 6,
      completed: true,
    },
    {
      projectId: 'p1',
      section: 'notes',
      id: 'n1',
      title: 'Café au lait',
      excerpt: 'Café au lait and more',
      highlights: [[0, 4]],
      createdAt: 5,
    },
    {
      projectId: 'p1',
      section: 'plans',
      id: 'b.md',
      title: 'Cafés',
      excerpt: '# Cafés',
      highlights: [[2, 6]],
      createdAt: 1,
    },
    {
      projectId: 'p1',
      section: 'plans',
      id: 'a.md',
      title: 'Opening',
      excerpt: '# Opening A cafe\u0301 for all.',
      highlights: [[12, 17]],
      createdAt: 0,
    },
  ]);
});

test('every word must be there, in the title and the text together', async () => {
  const { find, put } = await setUp();
  await put({
    notes: [note('n1', 'alpha beta'), note('n2', 'alpha'), note('n3', 'beta')],
    plans: { 'a.md': `# ${'Alpha '.repeat(20)}\n\nbeta`, 'b.md': '# Alpha' },
  });
  expect(idsOf(await find('BETA al')).sort()).toEqual(['a.md', 'n1']);
  expect(idsOf(await find('"beta alpha"'))).toEqual([]);
  expect(idsOf(await find('"alpha beta"')).sort()).toEqual(['a.md', 'n1']);
});

test.each(['', '   ', '"', '" "', '\u0301'])('the query %j finds nothing and reads nothing', async (query) => {
  const { find, put, fileSystem } = await setUp();
  await put({ notes: [note('n1', 'a " b')] });
  expect(await find(query)).toEqual({ counts: { notes: 0, todos: 0, plans: 0 }, found: [], unread: 0 });
  expect(fileSystem.calls).toEqual([]);
});

describe('the order', () => {
  test('is: beginning a word of the title, in the title, beginning a word, anywhere; then newest first', async () => {
    const { find, put } = await setUp();
    await put({
      notes: [
        note('anywhere', 'x\nsmart', 9),
        note('text', 'x\nan art', 8),
        note('title', 'smart', 7),
        note('begins', 'an art', 6),
        note('newest', 'x\nthe art of', 10),
      ],
    });
    expect(idsOf(await find('art'))).toEqual(['begins', 'title', 'newest', 'text', 'anywhere']);
  });

  test('of what is equal is that of the sections, the owners and the lists; at every search', async () => {
    const { find, put } = await setUp();
    const stored = {
      notes: [note('n1', 'word'), note('n2', 'word')],
      todos: [todo('t1', 'word')],
      plans: { 'a.md': 'word' },
    };
    await put(stored);
    await put(stored, 'p2');
    const inOrder = ({ found }: FindOutput): string[] => found.map(({ projectId, id }) => `${projectId} ${id}`);
    const expected = ['p2 n1', 'p2 n2', 'p1 n1', 'p1 n2', 'p2 t1', 'p1 t1', 'p2 a.md', 'p1 a.md'];
    for (const query of ['word', 'word', 'wor', 'w']) {
      expect(inOrder(await find(query, { ids: ['p2', 'p1', 'p2'] }))).toEqual(expected);
    }
  });

  test('with a limit the best are answered and all are counted', async () => {
    const { find, put } = await setUp();
    const notes = Array.from({ length: 1500 }, (_, index) => note(`n${index}`, `word ${index}`, (index * 7919) % 1500));
    await put({ notes, todos: [todo('t', 'a sword', 9999)] });
    const newest = [...notes].sort((left, right) => right.createdAt - left.createdAt).map(({ id }) => id);
    const output = await find('word', { limit: 3 });
    expect(output.counts).toEqual({ notes: 1500, todos: 1, plans: 0 });
    expect(idsOf(output)).toEqual(newest.slice(0, 3));
    expect(idsOf(await find('word'))).toEqual(newest.slice(0, 100));
  });
});

describe('what changed on the disk', () => {
  test.each([
    ['at once', false],
    ['and is old', true],
  ])('a plan is found with its new text at the next search (%s)', async (_what, isOld) => {
    const { find, put, path } = await setUp();
    await put({ plans: { 'a.md': '# One\n\nfirst text' } });
    const file = path('projects/p1/plans/a.md');
    const age = async (): Promise<void> => {
      if (isOld) await new Promise((resolve) => setTimeout(resolve, 150));
    };
    await age();
    expect(idsOf(await find('first'))).toEqual(['a.md']);
    await writeFile(file, '# Two\n\nother text');
    await age();
    expect(idsOf(await find('first'))).toEqual([]);
    expect((await find('other')).found).toMatchObject([{ title: 'Two', excerpt: '# Two other text' }]);
    await rm(file);
    expect(idsOf(await find('other'))).toEqual([]);
    expect(await find('manifest')).toMatchObject({ found: [{ id: 'a.md', title: 'Manifest' }], unread: 0 });
    await put({ plans: {} });
    expect(idsOf(await find('manifest'))).toEqual([]);
  });

  test('notes and todos are those of the file at the next search', async () => {
    const { find, put, path } = await setUp();
    await put({ notes: [note('n1', 'word')], todos: [todo('t1', 'word')] });
    expect(idsOf(await find('word'))).toEqual(['n1', 't1']);
    await put({ notes: [], todos: [todo('t2', 'words')] });
    expect(idsOf(await find('word'))).toEqual(['t2']);
    await rm(path('projects/p1/context.json'));
    expect(idsOf(await find('word'))).toEqual([]);
    expect(idsOf(await find('word', { ids: ['never-was'] }))).toEqual([]);
  });

  test('the text of a plan may be that of the key before, for a while and until a change is told', async () => {
    let now = 0;
    const { find, put, search } = await setUp({ now: () => now });
    const put1 = (text: string): Promise<void> => put({ notes: [note('n', text)], plans: { 'a.md': `${text} plan` } });
    await put1('red');
    await find('r');
    await put1('blue');
    expect(idsOf(await find('re'))).toEqual(['a.md']);
    expect(idsOf(await find('r'))).toEqual(['a.md']);
    search.changed('p1');
    expect(idsOf(await find('re'))).toEqual([]);
    await put1('red');
    expect(idsOf(await find('red'))).toEqual(['n']);
    now += 1000;
    expect(idsOf(await find('re'))).toEqual(['n', 'a.md']);
    await put1('blue');
    for (let key = 1; key <= 11; key++) {
      now += 900;
      expect(idsOf(await find(key % 2 === 0 ? 're' : 'red')), `key ${key}`).toEqual(['a.md']);
    }
    now += 900;
    expect(idsOf(await find('re'))).toEqual([]);
  });

  test('a plan that was added or taken away is noticed at every key', async () => {
    const { find, put } = await setUp();
    await put({ plans: { 'a.md': 'word' } });
    expect(idsOf(await find('w'))).toEqual(['a.md']);
    await put({ plans: { 'b.md': 'word' } });
    expect(idsOf(await find('wo'))).toEqual(['b.md']);
  });

  test('a change that is told during a search is looked at by the next', async () => {
    const { find, put, search, fileSystem } = await setUp();
    await put({ plans: { 'a.md': 'one' } });
    let told = false;
    fileSystem.fault = (call, _index, path) => {
      if (call === 'open r' && path.endsWith('a.md') && !told) {
        told = true;
        search.changed('p1');
      }
      return null;
    };
    await find('o');
    await put({ plans: { 'a.md': 'order' } });
    expect(idsOf(await find('one'))).toEqual([]);
  });
});

describe('what cannot be read is counted and hides nothing else', () => {
  test.each(['{', '', '[]', '\0\0\0'])('an owner whose file holds %j', async (text) => {
    const { find, put, path } = await setUp();
    await put({ notes: [note('n1', 'word')] }, 'good');
    await put({});
    await writeFile(path('projects/p1/context.json'), text);
    const ids = ['p1', 'good'];
    for (let search = 0; search < 2; search++) {
      expect(await find('word', { ids })).toMatchObject({ found: [{ projectId: 'good', id: 'n1' }], unread: 1 });
    }
    await put({ notes: [note('n2', 'word')] });
    expect(await find('word', { ids })).toMatchObject({ counts: { notes: 2 }, unread: 0 });
  });

  test.each(['EACCES', 'EIO', 'EMFILE'])('%s at a context file or a plan', async (code) => {
    const { find, put, fileSystem } = await setUp();
    await put({ notes: [note('n1', 'word')], plans: { 'a.md': 'word', 'b.md': 'word' } });
    await put({ notes: [note('n2', 'word')] }, 'p2');
    const ids = ['p1', 'p2'];
    fileSystem.fault = (_call, _index, path) => (path.endsWith('b.md') ? { code } : null);
    expect(await find('word', { ids })).toMatchObject({ counts: { notes: 2, plans: 1 }, unread: 1 });
    fileSystem.fault = (_call, _index, path) => (path.endsWith('p2/context.json') ? { code } : null);
    expect(await find('word', { ids })).toMatchObject({ counts: { notes: 1, plans: 2 }, unread: 1 });
    fileSystem.fault = null;
    expect(await find('word', { ids })).toMatchObject({ counts: { notes: 2, plans: 2 }, unread: 0 });
  });

  test('what is behind a link, and a plan that is no file or too large', async () => {
    const { find, put, path } = await setUp();
    const plans = { 'a.md': 'word', 'b.md': 'word', 'c.md': 'word', 'd.md': 'word' };
    await put({ notes: [note('n1', 'word')], plans });
    await rename(path('projects/p1/plans/a.md'), path('elsewhere.md'));
    await symlink(path('elsewhere.md'), path('projects/p1/plans/a.md'));
    await rm(path('projects/p1/plans/b.md'));
    await mkdir(path('projects/p1/plans/b.md'));
    await writeFile(path('projects/p1/plans/c.md'), Buffer.alloc(8 * 1024 * 1024 + 1, 'word '));
    expect(await find('word')).toMatchObject({ counts: { notes: 1, plans: 1 }, unread: 3 });
    expect(await find('manifest')).toMatchObject({ counts: { plans: 3 } });
    await rename(path('projects/p1/plans'), path('plans'));
    await symlink(path('plans'), path('projects/p1/plans'));
    expect(await find('word')).toMatchObject({ counts: { notes: 1, plans: 0 }, unread: 4 });
    await rename(path('projects/p1'), path('p1'));
    await symlink(path('p1'), path('projects/p1'));
    expect(await find('word')).toMatchObject({ counts: { notes: 0, plans: 0 }, unread: 1 });
  });

  test('a data folder that was there and is gone is not empty', async () => {
    const { find, put, path, root } = await setUp();
    await put({ notes: [note('n1', 'word')] });
    await find('word');
    await rename(path('projects'), `${root}-away`);
    expect(await find('word')).toMatchObject({ found: [], unread: 1 });
    await rename(`${root}-away`, path('projects'));
    expect(await find('word')).toMatchObject({ found: [{ id: 'n1' }], unread: 0 });
  });

  test('an id that can name no folder on this platform', async () => {
    const { find } = await setUp({ platform: 'win32' });
    expect(await find('word', { ids: ['con', 'a:b'] })).toMatchObject({ unread: 2 });
  });
});

describe('what is stored otherwise', () => {
  test('old keys of the client are neither moved nor changed', async () => {
    const { find, put, path, root } = await setUp();
    await put({ notes: [note('n1', 'word')] });
    await writeFile(path('projects/p1.json'), '{"projectNotes":"old word"}');
    await writeFile(path('projects/old.json'), '{"projectNotes":"old word"}');
    const before = await readdir(root, { recursive: true });
    const { mtimeMs } = await stat(path('projects/p1.json'));
    expect(idsOf(await find('word', { ids: ['p1', 'old'] }))).toEqual(['n1']);
    expect(await readdir(root, { recursive: true })).toEqual(before);
    expect((await stat(path('projects/p1.json'))).mtimeMs).toBe(mtimeMs);
  });

  test('a newer version and a text of version 1 are searched, with the ids that are shown', async () => {
    const { find, put } = await setUp();
    await put({ version: 9, notes: [note('n1', 'word'), { body: 'word two' }] });
    await put({ version: 1, notes: 'an old word' }, 'p2');
    expect(idsOf(await find('word'))).toEqual(['n1', expect.stringMatching(/^note_[0-9a-f]{16}$/)]);
    expect(idsOf(await find('word', { ids: ['p2'] }))).toEqual([expect.stringMatching(/^note_legacy_/)]);
  });

  test('odd entries and plans that are not UTF-8 hide nothing', async () => {
    const { find, put } = await setUp();
    await put({
      notes: [null, 7, note('', 'word'), note('n1', 'word'), note('n1', 'other word')],
      todos: 'word',
      plans: { 'a.md': Buffer.concat([Buffer.from([0xff]), Buffer.from(' word')]) },
    });
    expect((await find('word')).counts).toEqual({ notes: 3, todos: 0, plans: 1 });
  });

  test('characters of regular expressions, also in the middle of a plan', async () => {
    const { find, put } = await setUp();
    await put({ plans: { 'a.md': `${'x '.repeat(900)}if (a[0] == $b) { \\d+? }${' y'.repeat(900)}` } });
    for (const query of ['(a[0]', '$b)', '\\d+?', '{', '"if (a[0] == $b) {"']) {
      const { found } = await find(query);
      expect(found.map(markedIn)).toEqual([[query.replaceAll('"', '')]]);
    }
    expect(idsOf(await find('.*'))).toEqual([]);
  });
});

describe('memory', () => {
  test('stays within its bound, and what there is no room for is found all the same', async () => {
    const { find, put, search, path } = await setUp({ budget: { plans: 50_000, entries: 20_000 } });
    const plans = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${index}.md`, `# ${index}\n\n${'long '.repeat(1000)} word${index}`]),
    );
    for (const id of ['p1', 'p2', 'p3']) await put({ notes: [note('n', `${'long '.repeat(700)}note`)], plans }, id);
    const ids = ['p1', 'p2', 'p3'];
    for (const query of ['long', 'word', 'word1', 'word19', 'note', 'w']) {
      const { counts, found } = await find(query, { ids });
      const expected = { long: 60, word: 60, word1: 33, word19: 3, note: 0, w: 60 }[query];
      expect([query, counts.plans]).toEqual([query, expected]);
      expect(found.flatMap(markedIn).every((text) => text === query)).toBe(true);
      expect(search.bytes).toBeLessThanOrEqual(70_000);
    }
    await writeFile(path('projects/p3/plans/7.md'), 'word99');
    expect((await find('word99', { ids })).counts.plans).toBe(1);
  });

  test('of owners that are not searched any more is used for those that are', async () => {
    const { find, put, search, fileSystem } = await setUp({ budget: { plans: 15_000, entries: 10_000 } });
    for (const id of ['p1', 'p2']) await put({ plans: { 'a.md': 'word '.repeat(1000) } }, id);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const readsOf = async (id: string): Promise<number> => {
      const before = fileSystem.calls.length;
      await find('word', { ids: [id] });
      return fileSystem.calls.slice(before).filter((call) => call === 'open r').length;
    };
    expect([await readsOf('p1'), await readsOf('p1'), await readsOf('p2'), await readsOf('p2')]).toEqual([2, 0, 2, 0]);
    expect(search.bytes).toBeLessThanOrEqual(25_000);
  });
});

describe('stopping', () => {
  test('a search that is stopped fails as cancelled, reads no further, and the next one finds everything', async () => {
    const { find, put, fileSystem } = await setUp();
    const plans = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${index}.md`, 'word']));
    await put({ plans });
    const controller = new AbortController();
    fileSystem.fault = (call, _index, path) => {
      if (call === 'open r' && path.endsWith('.md')) controller.abort();
      return null;
    };
    await failure(find('w', { signal: controller.signal }), 'cancelled');
    expect(fileSystem.calls.filter((call) => call === 'open r').length).toBeLessThan(100);
    fileSystem.fault = null;
    expect((await find('word')).counts.plans).toBe(200);
    await failure(find('word', { signal: AbortSignal.abort() }), 'cancelled');
  });

  test('two searches at once answer each its own', async () => {
    const { find, put } = await setUp();
    await put({ notes: [note('n1', 'alpha'), note('n2', 'alps')], plans: { 'a.md': 'alpha', 'b.md': 'alps' } });
    const answers = await Promise.all(['al', 'alp', 'alpha', 'alp', 'alps', 'x', 'a'].map((query) => find(query)));
    expect(answers.map(({ counts }) => counts.notes + counts.plans)).toEqual([4, 4, 2, 4, 2, 0, 4]);
  });
});

test('a half-written context file is waited for', async () => {
  let put: ((stored: Stored) => Promise<void>) | null = null;
  const setup = await setUp({ sleep: async () => put?.({ notes: [note('n1', 'word')] }) });
  put = setup.put;
  await setup.put({});
  await writeFile(setup.path('projects/p1/context.json'), '{"version":2,');
  expect(await setup.find('word')).toMatchObject({ found: [{ id: 'n1' }], unread: 0 });
});

test('an owner without permission to its plans shows the rest', async () => {
  const { find, put, path } = await setUp({ fileSystem: nodeFileSystem });
  await put({ notes: [note('n1', 'word')], plans: { 'a.md': 'word' } });
  await chmod(path('projects/p1/plans/a.md'), 0);
  await utimes(path('projects/p1/plans/a.md'), 1, 1);
  const { counts, unread } = await find('word');
  // Whoever may read everything reads this too.
  expect([counts.notes, counts.plans + unread]).toEqual([1, 1]);
});

const letters = fc.constantFrom('a', 'A', 'á', 'b', 'ß', 's', 'É', 'e', ' ', '\n', '日', '👍', '.', '*');
const words = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''));

test('typing any queries, one after the other, finds what a plain model finds', async () => {
  const simple = (text: string): string =>
    text
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
      .replaceAll('ß', 'ss');
  const { find, put, search } = await setUp({ budget: { plans: 2000, entries: 5000 } });
  await fc.assert(
    fc.asyncProperty(
      fc.array(words, { maxLength: 8 }),
      fc.array(words, { minLength: 1, maxLength: 4 }),
      fc.array(words, { minLength: 1, maxLength: 4 }),
      async (bodies, texts, queries) => {
        const notes = bodies.map((body, index) => note(`n${index}`, body));
        const plans = Object.fromEntries(texts.map((text, index) => [`${index}.md`, text]));
        await put({ notes, plans });
        search.changed('p1');
        for (const whole of queries) {
          for (let length = 1; length <= whole.length; length++) {
            const query = whole.slice(0, length).toWellFormed();
            const wanted = simple(query)
              .split(/\s+/)
              .filter((word) => word !== '');
            const has = (text: string): boolean =>
              wanted.length > 0 && wanted.every((word) => simple(text).includes(word));
            const output = await find(query);
            expect(output.counts.notes, query).toBe(bodies.filter((body) => body.trim() !== '' && has(body)).length);
            // A text of which nothing can be a title is called `Plan`.
            const titled = texts.map((text) => (text.trim() === '' ? 'Plan' : text));
            expect(output.counts.plans, query).toBe(titled.filter(has).length);
            for (const entry of output.found) expect(entry.highlights.length).toBeGreaterThan(0);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});
