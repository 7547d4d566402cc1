import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../src/files/index.ts';
import { failure, p1, setUp } from './support.ts';

/** A disk that takes upper and lower case of a project's folder for the same, as those of macOS and Windows do. */
function foldingFileSystem(): FileSystem {
  const fold = (path: string): string =>
    path.replace(/(?<=[/\\]projects)[/\\]([^/\\]+)/, (whole, name: string, at: number) => {
      const names = readdirSync(path.slice(0, at));
      return `/${names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? whole.slice(1)}`;
    });
  const { open, lstat, stat, mkdir, unlink, rename, link } = nodeFileSystem;
  return {
    ...nodeFileSystem,
    open: (path, ...rest) => open(fold(path), ...rest),
    lstat: (path) => lstat(fold(path)),
    stat: (path) => stat(fold(path)),
    mkdir: (path, mode) => mkdir(fold(path), mode),
    unlink: (path) => unlink(fold(path)),
    rename: (from, to) => rename(fold(from), fold(to)),
    link: (existing, name) => link(fold(existing), fold(name)),
  };
}

test('two owners whose ids differ only in case do not share a folder: the second is refused', async () => {
  const { store, put, path, text } = await setUp({ fileSystem: foldingFileSystem() });
  await put({ version: 2, notes: [{ id: 'n', body: 'theirs' }] }, 'P1');
  const before = await text('projects', 'P1', 'context.json');
  await failure(store.context.get(p1), 'invalid');
  await failure(store.notes.create({ ...p1, body: 'x' }), 'invalid');
  await failure(store.plans.create({ ...p1, body: 'x' }), 'invalid');
  expect(await readdir(path('projects'))).toEqual(['P1']);
  expect(await text('projects', 'P1', 'context.json')).toBe(before);
  expect((await store.context.get({ projectId: 'P1' })).notes).toHaveLength(1);
  await store.notes.create({ projectId: 'P1', body: 'ours' });
  await store.notes.create({ projectId: 'p2', body: 'ours' });
  expect(await readdir(path('projects'))).toEqual(['P1', 'p2']);
});
