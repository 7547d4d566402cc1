import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { certified, countingOpens, lines, testCatalog, user } from './support.ts';

const meta = (id: string, directory: string): Record<string, string> => ({
  [`${id}.jsonl`]: lines(user(id)),
  [`${id}.jsonl.meta`]: certified({ workspace_root: directory }),
});

test('the folders of all sessions are told without opening a transcript, those of hidden rows included', async () => {
  const { fileSystem, opened } = countingOpens();
  const { catalog } = await testCatalog({
    fileSystem,
    files: {
      ...meta('a', '/one'),
      ...meta('b', '/two'),
      'empty.jsonl': '',
      'empty.jsonl.meta': JSON.stringify({ workspace_root: '/three' }),
      'none.jsonl': lines(user('x')),
    },
  });
  const { named, unsure } = await catalog.namedFolders();
  expect(unsure).toBeNull();
  expect(named.map(({ session, directory }) => [session.id, directory]).sort()).toEqual([
    ['a', '/one'],
    ['b', '/two'],
    ['empty', '/three'],
  ]);
  expect([...opened.keys()].filter((name) => /^[ab]\.jsonl$/.test(name))).toEqual([]);
});

test('what was added since is told, whether somebody watches or not', async () => {
  const { catalog, store } = await testCatalog({ files: meta('a', '/one') });
  expect((await catalog.namedFolders()).named).toHaveLength(1);
  await store.write(meta('b', '/two'));
  expect((await catalog.namedFolders()).named).toHaveLength(2);
});

test('where a meta file or a folder of sessions cannot be read it is told that there may be more', async () => {
  const { catalog, store } = await testCatalog({
    files: { ...meta('a', '/one'), 'b.jsonl': lines(user('b')), 'b.jsonl.meta': '{"cut' },
  });
  const old = new Date('2026-01-01');
  await utimes(join(store.folder, 'b.jsonl.meta'), old, old);
  expect(await catalog.namedFolders()).toMatchObject({
    named: [{ directory: '/one' }],
    unsure: expect.stringContaining('One session'),
  });
  await writeFile(join(store.folder, 'b.jsonl.meta'), '{}');
  expect((await catalog.namedFolders()).unsure).toBeNull();
  await mkdir(join(store.root, 'projects'));
  await symlink(store.folder, join(store.root, 'projects', 'linked'));
  await mkdir(join(store.root, 'projects', 'p'));
  await symlink(store.folder, join(store.root, 'projects', 'p', 'sessions'));
  expect((await catalog.namedFolders()).unsure).toContain('link');
});

test('a folder of sessions that is gone names nothing for certain', async () => {
  const { catalog, store } = await testCatalog({ files: meta('a', '/one') });
  await catalog.namedFolders();
  await rm(store.folder, { recursive: true });
  expect((await catalog.namedFolders()).unsure).not.toBeNull();
});
