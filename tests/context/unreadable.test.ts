import { mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { faultyFileSystem } from '../files/support.ts';
import { failure, p1, type Setup, setUp, setUpSmall, small, window } from './support.ts';

const smallText = JSON.stringify(small);

/** Every call that reads or writes an owner's context. */
function everyCall({ store }: Setup): (() => Promise<unknown>)[] {
  return [
    () => store.context.get(p1),
    () => store.notes.create({ ...p1, body: 'x' }),
    () => store.notes.update({ ...p1, noteId: 'n1', body: 'x' }),
    () => store.notes.delete({ ...p1, noteId: 'n1' }),
    () => store.todos.replace({ ...p1, todos: [] }),
    () => store.todos.add({ ...p1, text: 'x' }),
    () => store.todos.clearCompleted(p1),
    () => store.plans.create({ ...p1, body: 'x' }),
    () => store.plans.read({ ...p1, planId: 'p1' }),
    () => store.plans.update({ ...p1, planId: 'p1', raw: 'x' }),
    () => store.plans.delete({ ...p1, planId: 'p1' }),
  ];
}

// sindresorhus/electron-store#35, sindresorhus/electron-store#86, openchamber/openchamber#2923, Foundry376/Mailspring#1993
describe.each([
  ['a comma too many', `${smallText.slice(0, -1)},}`],
  ['the first 40 bytes', smallText.slice(0, 40)],
  ['two documents', smallText + smallText],
  ['nothing at all', ''],
  ['a list', '[]'],
  ['null', 'null'],
  ['zeros', '\0'.repeat(100)],
  [
    'bytes that are not UTF-8',
    Buffer.concat([Buffer.from('{"version":2,"x":"'), Buffer.from([0xff]), Buffer.from('"}')]),
  ],
])('a file that holds %s', (_what, content) => {
  test('is malformed for every call, is never touched, and is told once', async () => {
    const setup = await setUpSmall();
    const { store, events, put, path } = setup;
    const shown = window(setup, await store.context.get(p1));
    await put(content);
    await writeFile(path('projects', 'p1.json'), '{"projectNotes":"old"}');
    for (const call of everyCall(setup)) await failure(call(), 'malformed');
    await store.refresh('p1');
    await store.refreshAll();
    expect(await readFile(path('projects', 'p1', 'context.json'))).toEqual(Buffer.from(content));
    expect(await readFile(path('projects', 'p1.json'), 'utf8')).toBe('{"projectNotes":"old"}');
    expect(await readdir(path('projects', 'p1', 'plans'))).toEqual(['1700000000-alpha.md']);
    expect(events).toMatchObject([{ kind: 'problem', projectId: 'p1', sequence: 0, error: { code: 'malformed' } }]);
    expect(shown().notes).toHaveLength(1);
  });
});

test('after a repair the windows are told, from the last good state on', async () => {
  const setup = await setUpSmall();
  const { store, events, put } = setup;
  const shown = window(setup, await store.context.get(p1));
  await store.notes.create({ ...p1, body: 'second' });
  const good = await setup.text('projects', 'p1', 'context.json');
  await put('{');
  await store.refresh('p1');
  await put(good);
  await store.refresh('p1');
  await store.refresh('p1');
  expect(events.map((event) => event.kind)).toEqual(['change', 'problem', 'change']);
  expect(events[2]).toMatchObject({ change: { base: 1, sequence: 2, notes: { changed: [] } } });
  await put({ ...small, notes: [] });
  await store.refresh('p1');
  expect(shown()).toEqual(await store.context.get(p1));
  expect(shown().notes).toEqual([]);
});

test('a file that was never good is told whole once it is', async () => {
  const setup = await setUp();
  const { store, events, put } = setup;
  await put('');
  await failure(store.context.get(p1), 'malformed');
  await put(small);
  await store.refresh('p1');
  expect(events).toMatchObject([
    { kind: 'problem', sequence: 0 },
    { kind: 'change', change: { base: null, sequence: 1, notes: { order: ['n1'], changed: [{ id: 'n1' }] } } },
  ]);
});

test('a half-written file is waited for, and the windows see only the whole', async () => {
  let waited = 0;
  const setup: Setup = await setUpSmall({
    sleep: async () => {
      if (++waited === 2) await setup.put({ ...small, notes: [] });
    },
  });
  await setup.store.context.get(p1);
  await setup.put(smallText.slice(0, 40));
  await setup.store.refresh('p1');
  expect(setup.events).toMatchObject([{ kind: 'change', change: { notes: { order: [] } } }]);
});

test('a file over 64 MiB is malformed and not read', async () => {
  const fileSystem = faultyFileSystem();
  const { store, put, path } = await setUp({ fileSystem });
  await put('');
  await truncate(path('projects', 'p1', 'context.json'), 64 * 1024 * 1024 + 1);
  expect((await failure(store.context.get(p1), 'malformed')).message).toContain('too large');
  expect(fileSystem.calls).not.toContain('handle.read');
});

test.each(['EACCES', 'EIO', 'EMFILE', 'ENOTDIR'])('%s is never taken for "no file"', async (code) => {
  const fileSystem = faultyFileSystem();
  const setup = await setUpSmall({ fileSystem });
  await setup.store.context.get(p1);
  const before = await setup.text('projects', 'p1', 'context.json');
  fileSystem.fault = (call, _index, path) => (call === 'lstat' && path.endsWith('context.json') ? { code } : null);
  for (const call of everyCall(setup)) {
    const { message } = await failure(call(), 'io');
    expect(message).not.toContain('/');
  }
  fileSystem.fault = null;
  expect(await setup.text('projects', 'p1', 'context.json')).toBe(before);
  await setup.store.refresh('p1');
  expect(setup.events.map((event) => event.kind)).toEqual(['problem', 'change']);
});

test.each(['context.json', '.', 'plans'])('nothing is read or written through a link at %s', async (name) => {
  const setup = await setUpSmall();
  const { store, path } = setup;
  const target = path('projects', 'p1', name);
  const elsewhere = path('elsewhere');
  await rename(target === path('projects', 'p1', '.') ? path('projects', 'p1') : target, elsewhere);
  await symlink(elsewhere, path('projects', 'p1', name === '.' ? '../p1' : name));
  if (name === 'plans') {
    expect((await store.context.get(p1)).plans).toMatchObject([{ title: 'Alpha', revision: null }]);
    expect((await failure(store.plans.create({ ...p1, body: 'x' }), 'io')).detail).toEqual({ reason: 'link' });
    expect((await failure(store.plans.read({ ...p1, planId: 'p1' }), 'io')).detail).toEqual({ reason: 'link' });
    expect((await store.plans.delete({ ...p1, planId: 'p1' })).warning).toContain('link');
    expect(await readdir(elsewhere)).toEqual(['1700000000-alpha.md']);
  } else {
    for (const call of everyCall(setup)) expect((await failure(call(), 'io')).detail).toEqual({ reason: 'link' });
    const file = name === '.' ? path('elsewhere', 'context.json') : elsewhere;
    expect(await readFile(file, 'utf8')).toBe(smallText);
  }
});

describe('the data folder', () => {
  test.each(['', 'projects'])(
    'gone during the run (%j): nothing is made empty in its place, and all is well when it is back',
    async (name) => {
      const setup = await setUpSmall();
      const { store, path, events, root } = setup;
      await store.context.get(p1);
      await rename(path(name), `${root}-away`);
      for (const call of everyCall(setup))
        expect((await failure(call(), 'io')).detail).toEqual({ reason: 'root-missing' });
      await failure(store.notes.create({ projectId: 'new', body: 'x' }), 'io');
      await failure(store.projectIds(), 'io');
      await expect(readdir(path('projects'))).rejects.toMatchObject({ code: 'ENOENT' });
      await rename(`${root}-away`, path(name));
      await store.notes.create({ ...p1, body: 'back' });
      expect((await store.context.get(p1)).notes.map((note) => note.body)).toEqual(['back', 'alpha']);
      expect(events.filter((event) => event.kind === 'problem' && event.projectId === 'p1')).toHaveLength(1);
    },
  );

  test('a project folder that is deleted alone is an empty context', async () => {
    const setup = await setUpSmall();
    const shown = window(setup, await setup.store.context.get(p1));
    await setup.put(small, 'other');
    await rm(setup.path('projects', 'p1'), { recursive: true });
    await setup.store.refresh('p1');
    expect(shown()).toMatchObject({ state: 'missing', revision: null, notes: [], todos: [], plans: [] });
    await setup.store.notes.create({ ...p1, body: 'new' });
    expect(await setup.stored()).toMatchObject({ notes: [{ body: 'new' }] });
  });

  test('that never was is made by the first write, and only by that', async () => {
    const claims: string[] = [];
    const setup = await setUp({ claimRoot: async () => void claims.push('claimed') });
    await setup.store.context.get(p1);
    await setup.store.projectIds();
    expect(claims).toEqual([]);
    await setup.store.notes.create({ ...p1, body: 'first' });
    expect(claims.length).toBeGreaterThan(0);
    expect(await readdir(setup.path('projects', 'p1'))).toEqual(['context.json']);
  });
});

test('owners are the folders and legacy files under projects/, and nothing else', async () => {
  const { store, path, put } = await setUpSmall();
  await put(small, 'path_L2E');
  for (const name of [
    'legacy.json',
    'context.json',
    'x.json.tmp-1-2-ab',
    'notes.txt',
    'bad name.json',
    'old.merged-17.json',
  ]) {
    await writeFile(path('projects', name), '{}');
  }
  await symlink(path('projects', 'p1'), path('projects', 'linked'));
  expect(await store.projectIds()).toEqual(['legacy', 'p1', 'path_L2E']);
});

test('orphaned temp files are swept from every folder of the data', async () => {
  const { store, path } = await setUpSmall();
  await mkdir(path('projects/p1/.sidekeep'));
  const names = ['', 'projects', 'projects/p1', 'projects/p1/plans', 'projects/p1/.sidekeep'].map((folder) =>
    path(folder, '.context.json.999999999-0123456789ab.tmp'),
  );
  const { utimes } = await import('node:fs/promises');
  for (const name of names) {
    await writeFile(name, '');
    await utimes(name, 1_700_000_000, 1_700_000_000);
  }
  expect(await store.sweep()).toBe(5);
  expect(await store.context.get(p1)).toMatchObject({ state: 'present' });
});

test('a sweep that is under way ends with the store', async () => {
  const fileSystem = faultyFileSystem();
  const { store, path, root } = await setUpSmall({ fileSystem });
  for (let index = 0; index < 400; index++) await mkdir(path('projects', `q${index}`));
  const sweeping = store.sweep();
  await store.context.get(p1);
  await store.dispose();
  const calls = fileSystem.calls.length;
  await sweeping;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(fileSystem.calls).toHaveLength(calls);
  const whole = faultyFileSystem();
  await (await setUp({ root, fileSystem: whole })).store.sweep();
  expect(calls).toBeLessThan(whole.calls.length);
});

test('a closed store finishes what it began and takes nothing new', async () => {
  const { store, stored } = await setUpSmall();
  const writes = Array.from({ length: 5 }, (_value, index) => store.notes.create({ ...p1, body: `${index}` }));
  await new Promise((resolve) => setImmediate(resolve));
  await store.dispose();
  await Promise.all(writes);
  expect((await stored()).notes).toHaveLength(6);
  await failure(store.notes.create({ ...p1, body: 'late' }), 'io');
  await store.refresh('p1');
});
