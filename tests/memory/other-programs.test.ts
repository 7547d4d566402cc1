import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { nodeFileSystem } from '../../src/files/index.ts';
import { faultyFileSystem } from '../files/support.ts';
import { failure, setUp } from './support.ts';

const entry = (id: string, body: string) => ({ id, title: `T ${id}`, body, type: 'fact', createdAt: 1, updatedAt: 1 });
const text = { title: 'New', body: 'one', type: 'fact' } as const;

test('a change is made on top of what another program wrote meanwhile, and both are told', async () => {
  const { ask, put, remember, changed, store, stored } = await setUp();
  await remember('Ours', 'ours');
  changed.length = 0;
  const raw = await stored();
  await put({ ...raw, entries: [entry('theirs', 'b'), ...(raw.entries as unknown[])] });
  await store.refresh('p1');
  await store.refresh('p1');
  expect(changed).toEqual(['p1']);
  await put({ ...raw, entries: [entry('again', 'c'), ...(raw.entries as unknown[])] });
  await ask('create', text);
  expect((await ask('list', {})).entries.map(({ title }) => title).sort()).toEqual(['New', 'Ours', 'T again']);
});

test('one that saves in the middle of a write loses nothing', async () => {
  const fileSystem = faultyFileSystem(nodeFileSystem);
  const { ask, put, path, remember } = await setUp({ fileSystem });
  await remember('Ours', 'ours');
  let saved = false;
  fileSystem.fault = (call) => {
    if (!saved && call.startsWith('handle.sync')) {
      saved = true;
      void put({ version: 1, entries: [entry('theirs', 'b')] });
    }
    return null;
  };
  await ask('create', text);
  fileSystem.fault = null;
  expect(saved).toBe(true);
  const { entries } = JSON.parse(await readFile(path('projects', 'p1', 'memory.json'), 'utf8'));
  expect(entries.map(({ title }: { title: string }) => title).sort()).toEqual(['New', 'T theirs']);
});

test.each([
  ['empty', ''],
  ['cut off', '{"version":1,"entries":[{"id":"a"'],
  ['no object', '[]'],
  ['no text', Buffer.from([0xff, 0xfe, 0x00]).toString('latin1')],
])('a file that is %s is never written, whatever is asked; other owners are there', async (_what, content) => {
  const { ask, put, path, remember, changed, store } = await setUp();
  await remember('Other', 'o', 'p2');
  await put(content);
  await failure('malformed', ask('list', {}));
  await failure('malformed', ask('create', text));
  await failure('malformed', ask('delete', { memoryId: 'a' }));
  expect(await readFile(path('projects', 'p1', 'memory.json'), 'utf8')).toBe(content);
  expect(await readdir(path('projects', 'p1'))).toEqual(['memory.json']);
  expect((await ask('list', { ownerId: 'p2' })).entries).toHaveLength(1);
  changed.length = 0;
  await put({ version: 1, entries: [entry('a', 'good again')] });
  await store.refreshAll();
  expect(changed).toEqual(['p1']);
  expect((await ask('list', {})).entries).toHaveLength(1);
});

test('a file that is being written is waited for', async () => {
  const { ask, put, path } = await setUp({
    sleep: async () =>
      writeFile(path('projects', 'p1', 'memory.json'), JSON.stringify({ version: 1, entries: [entry('a', 'b')] })),
  });
  await put('{"version":1,"entr');
  expect((await ask('list', {})).entries).toMatchObject([{ id: 'a' }]);
});

test('a file of a newer version is shown and never written', async () => {
  const { ask, put, stored } = await setUp();
  const newer = { version: 2, entries: [entry('a', 'b')], more: true };
  await put(newer);
  expect(await ask('list', {})).toMatchObject({ readOnly: true, entries: [{ id: 'a' }] });
  await failure('newer-version', ask('create', text));
  await failure('newer-version', ask('update', { memoryId: 'a', body: 'c' }));
  expect(await stored()).toEqual(newer);
});

test('nothing is read or written through a link', async () => {
  const { ask, put, path } = await setUp();
  await put({ version: 1, entries: [entry('secret', 's')] }, 'elsewhere.json');
  await put({}, 'projects', 'p1', 'settings.json');
  await symlink(path('elsewhere.json'), path('projects', 'p1', 'memory.json'));
  expect((await failure('io', ask('list', {}))).detail).toMatchObject({ reason: 'link' });
  await failure('io', ask('create', text));
  expect(JSON.parse(await readFile(path('elsewhere.json'), 'utf8')).entries).toHaveLength(1);
});

test('a list that is none makes room and stays under a key of its own', async () => {
  const { ask, put, stored } = await setUp();
  await put({ version: 1, entries: 'what is this', entriesKept: 1 });
  expect((await ask('list', {})).entries).toEqual([]);
  await ask('create', text);
  expect(await stored()).toMatchObject({ entriesKept: 1, entriesKept2: 'what is this', entries: [{ title: 'New' }] });
});

test('equal ids are each shown once, under an id that stays', async () => {
  const { ask, put, stored } = await setUp();
  await put({
    version: 1,
    entries: [entry('a', 'one'), entry('a', 'two'), entry('a', 'one'), { ...entry('', 'three') }],
  });
  const before = (await ask('list', {})).entries.map(({ id }) => id);
  expect(new Set(before).size).toBe(3);
  await ask('update', { memoryId: 'a', body: 'changed' });
  expect((await ask('list', {})).entries.map(({ id }) => id).sort()).toEqual([...before].sort());
  expect((await stored()).entries).toHaveLength(3);
});

test('a damaged file of what is kept hides nothing, allows nothing, and is put aside by the next change', async () => {
  const { ask, put, path, remember, reports } = await setUp();
  const { id } = await remember('Ours', 'ours');
  await put('{ damaged', 'projects', 'p1', '.sidekeep', 'memory.json');
  expect(await ask('read', { memoryId: id })).toMatchObject({ body: 'ours', versions: [] });
  await ask('update', { memoryId: id, body: 'second' });
  expect(await ask('read', { memoryId: id })).toMatchObject({ body: 'second', versions: [{ body: 'ours' }] });
  const names = await readdir(path('projects', 'p1', '.sidekeep'));
  const aside = names.find((name) => name.startsWith('memory.json.damaged-')) ?? '';
  expect(await readFile(path('projects', 'p1', '.sidekeep', aside), 'utf8')).toBe('{ damaged');
  expect(reports.splice(0)).toEqual([expect.stringContaining('reading what is kept')]);
});

test.each(['ENOSPC', 'EIO', 'EACCES', 'EMFILE'])(
  'whichever call fails with %s, a change is done or not, and the next one works',
  async (code) => {
    for (let point = 0; ; point++) {
      const fileSystem = faultyFileSystem(nodeFileSystem);
      const { ask, remember, reports, clock } = await setUp({ fileSystem });
      const { id } = await remember('Port', 'one');
      const other = await remember('Other', 'o');
      const from = fileSystem.calls.length;
      fileSystem.fault = (_call, index) => (index === from + point ? { code } : null);
      clock.now += 1;
      const said = await Promise.allSettled([
        ask('update', { memoryId: id, body: 'two' }),
        ask('delete', { memoryId: other.id }),
      ]);
      const failed = fileSystem.calls.length > from + point;
      fileSystem.fault = null;
      reports.length = 0;
      const { body, versions } = await ask('read', { memoryId: id });
      expect(['one', 'two']).toContain(body);
      if (said[0].status === 'fulfilled') expect([body, versions[0]?.body]).toEqual(['two', 'one']);
      const titles = (await ask('list', {})).entries.map(({ title }) => title);
      const { items } = await ask('deleted', {});
      // Never in neither.
      expect(titles.includes('Other') || items.some(({ title }) => title === 'Other')).toBe(true);
      if (said[1].status === 'fulfilled') expect(titles).not.toContain('Other');
      await remember('Further', 'f');
      if (!failed) break;
    }
  },
);
