import { appendFile, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SessionRow, sessionKey } from '../../../src/contract/entities.ts';
import { type TestStore, testStore } from '../support.ts';
import { allRows, certified, lines, ref, replay, testCatalog, until, user } from './support.ts';

test('a hint leads to a look at just that session, and one push of what is different', async () => {
  const { store, catalog, pushes, rows } = await testCatalog({
    isWatching: () => true,
    files: { 'a.jsonl': lines(user('one')), 'b.jsonl': lines(user('b')) },
  });
  await rows();
  await until(() => pushes.length > 0 && pushes.at(-1)?.catalog.state === 'ready');
  // What was new at the first look is looked at twice.
  await wait(500);
  const told = pushes.length;
  const { sequence } = await catalog.list({ ownerId: null });
  await store.write({ 'a.jsonl': lines(user('one'), user('two')), 'b.jsonl': lines(user('changed unseen')) });
  catalog.hint('global', ['a.jsonl', 'a.jsonl.lock', 'a.ckpt', '.x.tmp']);
  await until(() => pushes.length > told);
  await wait(400);
  expect(pushes.slice(told)).toEqual([
    {
      sequence: sequence + 1,
      changed: [expect.objectContaining({ session: ref('a'), turns: 2 })],
      removed: [],
      all: false,
      catalog: { state: 'ready', reason: null, progress: null },
    },
  ]);
  await rm(join(store.folder, 'a.jsonl'));
  catalog.hint('global', ['a.jsonl']);
  await until(() => pushes.length > told + 1);
  expect(pushes.at(-1)).toMatchObject({ sequence: sequence + 2, changed: [], removed: [ref('a')] });
});

test('many changes are told as one: read the list again', async () => {
  const { store, catalog, pushes, rows } = await testCatalog({ files: { 'a.jsonl': lines(user('one')) } });
  await rows();
  await until(() => pushes.length > 0);
  const told = pushes.length;
  await store.write(
    Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`n${index}.jsonl`, lines(user('x'))])),
  );
  catalog.hint('global', []);
  await until(() => pushes.length > told);
  expect(pushes[told]).toMatchObject({ changed: [], removed: [], all: true });
  expect(await allRows(catalog)).toHaveLength(151);
});

test('what changed within a step of the clock after the look is found without a hint', async () => {
  const store = await testStore({ 'a.jsonl': lines(user('one')) });
  const path = join(store.folder, 'a.jsonl');
  // The clock stands still, as it does for a moment after each change.
  const now = (await lstat(path)).ctimeMs + 1;
  const { catalog } = await testCatalog({ store, isWatching: () => true, now: () => now });
  await catalog.start();
  expect(catalog.row(ref('a'))?.preview).toBe('one');
  // The same size in the same file, at once: nothing but the time can tell, and that may be the same.
  await writeFile(path, lines(user('two')), { flag: 'r+' });
  await until(() => catalog.row(ref('a'))?.preview === 'two', 5000);
});

test('titles change with the title map, owners with the projects', async () => {
  let owner: string | null = 'path_old';
  let asked = 0;
  const { store, catalog, rows } = await testCatalog({
    ownerOf: async () => {
      asked++;
      return owner;
    },
    files: Object.fromEntries(
      ['a', 'b', 'c'].flatMap((id) => [
        [`${id}.jsonl`, lines(user('x'))],
        [`${id}.jsonl.meta`, certified({ workspace_root: '/one' })],
      ]),
    ),
  });
  expect((await rows()).map(({ ownerId }) => ownerId)).toEqual(['path_old', 'path_old', 'path_old']);
  await rows();
  expect(asked).toBe(1);
  owner = null;
  await catalog.ownersChanged();
  expect(catalog.row(ref('a'))?.ownerId).toBeNull();
  expect(asked).toBe(2);
  await store.write({ '.titles.json': JSON.stringify({ 'b.jsonl': 'From the map' }) });
  catalog.hint('global', ['.titles.json']);
  await until(() => catalog.row(ref('b'))?.title === 'From the map');
  await writeFile(join(store.folder, '.titles.json'), '{"b.jso');
  await rows();
  expect(catalog.row(ref('b'))?.title).toBe('From the map');
  await rm(join(store.folder, '.titles.json'));
  await rows();
  expect(catalog.row(ref('b'))?.titleSource).toBe('preview');
});

test('an owner that takes long, or cannot be told, holds up no list', async () => {
  let answer: (owner: string) => void = () => {};
  const { catalog, rows, reports } = await testCatalog({
    ownerOf: (directory) =>
      directory === '/slow'
        ? new Promise((resolve) => {
            answer = resolve;
          })
        : Promise.reject(new Error('broken')),
    files: {
      'a.jsonl': lines(user('x')),
      'a.jsonl.meta': certified({ workspace_root: '/slow' }),
      'b.jsonl': lines(user('x')),
      'b.jsonl.meta': certified({ workspace_root: '/broken' }),
    },
  });
  expect((await rows()).map(({ ownerId }) => ownerId)).toEqual([null, null]);
  answer('path_late');
  await until(() => catalog.row(ref('a'))?.ownerId === 'path_late');
  expect(reports.splice(0)).toEqual([expect.stringMatching(/broken/)]);
});

test('stores that come and go', async () => {
  const { store, catalog } = await testCatalog({ files: { 'a.jsonl': lines(user('x')) } });
  await catalog.refreshAll();
  const folder = join(store.root, 'projects', 'demo', 'sessions');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'p.jsonl'), lines(user('p')));
  catalog.hint('project:demo', ['p.jsonl']);
  await until(() => catalog.row({ store: 'project:demo', id: 'p' }) !== null);
  await rm(join(store.root, 'projects'), { recursive: true });
  await catalog.refreshAll();
  expect((await allRows(catalog)).map(({ session }) => sessionKey(session))).toEqual(['global/a']);
});

test('a session that was made during a look at everything stays', async () => {
  const files = Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`s${index}.jsonl`, lines(user('x'))]));
  const { store, catalog } = await testCatalog({ files, isWatching: () => true });
  const looking = catalog.refreshAll();
  await wait(1);
  for (let index = 0; index < 20; index++) {
    await store.write({ [`new${index}.jsonl`]: lines(user('new')) });
    expect(await catalog.look(ref(`new${index}`))).not.toBeNull();
  }
  await looking;
  expect(await allRows(catalog)).toHaveLength(820);
});

type Change = { id: number; kind: (typeof kinds)[number]; hints: boolean; pause: boolean };
const kinds = [
  'create',
  'append',
  'rewrite',
  'replace',
  'meta',
  'bad meta',
  'no meta',
  'log',
  'pending',
  'remove',
  'titles',
] as const;

async function apply(store: TestStore, { id, kind }: Change, step: number): Promise<string> {
  const name = (suffix: string): string => join(store.folder, `s${id}${suffix}`);
  const write = async (suffix: string, text: string): Promise<string> => {
    await writeFile(name(suffix), text);
    return `s${id}${suffix}`;
  };
  switch (kind) {
    case 'create':
      return write('.jsonl', lines(user(`created ${step}`)));
    case 'append':
      await appendFile(name('.jsonl'), lines(user(`more ${step}`)));
      return `s${id}.jsonl`;
    case 'rewrite':
      return write('.jsonl', lines(user(`rewritten ${step}`)));
    case 'replace':
      await writeFile(name('.tmp'), lines(user(`replaced ${step}`)));
      await rename(name('.tmp'), name('.jsonl'));
      return `s${id}.jsonl`;
    case 'meta':
      return write('.jsonl.meta', certified({ custom_title: `title ${step}`, turns: step % 3 }));
    case 'bad meta':
      return write('.jsonl.meta', '\0\0');
    case 'no meta':
      await rm(name('.jsonl.meta'), { force: true });
      return `s${id}.jsonl.meta`;
    case 'log':
      return write(
        '.events.jsonl',
        lines({
          schema_version: 1,
          type: 'replace',
          messages: [user(`logged ${step}`)],
          created_at: `2026-03-01T00:${String(step % 60).padStart(2, '0')}:00Z`,
        }),
      );
    case 'pending':
      if (step % 2 === 0) return write('.cleanup-pending.json', '');
      await rm(name('.cleanup-pending.json'), { force: true });
      return `s${id}.cleanup-pending.json`;
    case 'remove':
      await rm(name('.jsonl'), { force: true });
      return `s${id}.jsonl`;
    case 'titles':
      await writeFile(join(store.folder, '.titles.json'), JSON.stringify({ [`s${id}.jsonl`]: `map ${step}` }));
      return '.titles.json';
  }
}

test('whatever changes in whatever order, hints and pushes end in the list that a fresh look gives', {
  timeout: 120_000,
}, async () => {
  const change = fc.record({
    id: fc.nat(4),
    kind: fc.constantFrom(...kinds),
    hints: fc.boolean(),
    pause: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
      const store = await testStore();
      const followed = await testCatalog({ store, isWatching: () => true });
      await followed.catalog.start();
      const unhinted: string[] = [];
      for (const [step, one] of changes.entries()) {
        const name = await apply(store, one, step);
        // A watcher tells of every change, some later than others.
        if (one.hints) followed.catalog.hint('global', [name]);
        else unhinted.push(name);
        if (one.pause) await wait(3);
      }
      if (unhinted.length > 0) followed.catalog.hint('global', unhinted);
      const fresh = await testCatalog({ store });
      const expected = await fresh.rows();
      const same = (rows: readonly SessionRow[]): boolean => JSON.stringify(rows) === JSON.stringify(expected);
      await until(async () => same(await allRows(followed.catalog)), 3000);
      // A window that followed the pushes from the empty list on holds the same.
      await until(() => {
        const window = replay(followed.pushes, new Map());
        return (
          window.size === expected.length &&
          expected.every((row) => JSON.stringify(window.get(sessionKey(row.session))) === JSON.stringify(row))
        );
      }, 3000);
      expect(followed.pushes.map(({ sequence }) => sequence)).toEqual(followed.pushes.map((_, index) => index + 1));
      await followed.catalog.dispose();
      await fresh.catalog.dispose();
    }),
    { numRuns: 25 },
  );
});
