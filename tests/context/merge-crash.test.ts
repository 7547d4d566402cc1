import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { Failure } from '../../src/contract/errors.ts';
import { temporaryOwner } from '../../src/files/index.ts';
import { imageOf, pathsOf } from '../crash/disk-image.ts';
import { MemoryDisk } from '../crash/memory-disk.ts';
import { faultyFileSystem } from '../files/support.ts';
import { NOW, openMerges, setUpMerge } from './merge-support.ts';

const ROOT = '/data';
const link = (id: string, file: string) => ({ id, file, title: id, createdAt: 1 });

/** Two projects that meet in every way: ids, plan names, settings, memory, trash, earlier versions, legacy keys. */
const projects: Record<string, unknown> = {
  'a/context.json': {
    version: 2,
    notes: [
      { id: 'n1', body: 'newer', createdAt: 1, updatedAt: 9 },
      { id: 'n2', body: 'two', createdAt: 2, updatedAt: 2 },
    ],
    todos: [{ id: 't1', text: 't', completed: true }],
    plans: [link('pA', 'x.md'), link('same', 'same.md'), link('gone', 'gone.md')],
    extra: { kept: true },
  },
  'a/plans/x.md': '# A',
  'a/plans/same.md': '# Same',
  'a/plans/unlisted.md': '# U',
  'a.json': { projectNotes: 'legacy', zeta: 1, actions: ['a'] },
  'a/memory.json': { version: 1, entries: ['a', { id: 'm', title: 'm', body: 'later', createdAt: 1, updatedAt: 9 }] },
  'a/.sidekeep/memory.json': { version: 1, versions: { m: [{ title: 'm', body: 'x', replacedAt: 1 }] } },
  'a/stranger.txt': 'stranger',
  [`a/.sidekeep/trash/${NOW}-0123456789ab.json`]: { version: 1, deletedAt: NOW, items: [] },
  'a/.sidekeep/backups/1700-overwritten.json': { version: 2, plans: [link('pA', 'x.md')] },
  'a/.sidekeep/backups/plans/x.md/1700-overwritten.md': '# Early',
  'b/context.json': {
    version: 2,
    notes: [{ id: 'n1', body: 'older', createdAt: 1, updatedAt: 1 }],
    todos: [{ id: 't1', text: 't' }],
    plans: [link('pB', 'x.md'), link('same', 'same.md'), link('here', 'gone.md')],
  },
  'b/plans/x.md': '# B',
  'b/plans/same.md': '# Same',
  'b.json': { actions: ['b'] },
  'b/memory.json': { version: 1, entries: ['b', { id: 'm', title: 'm', body: 'earlier', createdAt: 1, updatedAt: 1 }] },
  'b/.sidekeep/memory.json': { version: 1, versions: { m: [{ title: 'm', body: 'y', replacedAt: 2 }] } },
};

/** The two projects on a disk in memory. */
function diskOfBoth(): MemoryDisk {
  const files = Object.entries(projects).map(([name, content]) => {
    return [`${ROOT}/projects/${name}`, typeof content === 'string' ? content : JSON.stringify(content)];
  });
  return new MemoryDisk(imageOf(Object.fromEntries(files)), NOW);
}

/** The end state: without temp files, and without what depends on how often a file was replaced. */
function stateOf(disk: MemoryDisk): Record<string, string> {
  const files = [...pathsOf(disk.image())].flatMap(([path, node]) =>
    node.kind === 'file' && temporaryOwner(basename(path)) === null ? [[path, node.content.toString()]] : [],
  );
  return Object.fromEntries(files.filter(([path]) => !/backups\/\d+-regular/.test(path ?? '')));
}

/** Calls that change something on the disk; a crash before any other call is one before the next of these. */
const changing = /^(?:open wx|rename|replaceKept|link|unlink|mkdir|rmdir|handle\.(?:write|sync|chmod))$/;

/** Where the disk can be stopped, and how it looks when it is not. */
async function undisturbed(): Promise<{ points: number[]; expected: Record<string, string> }> {
  const disk = diskOfBoth();
  const fileSystem = faultyFileSystem(disk);
  await openMerges(ROOT, { fileSystem }).merge();
  const points = fileSystem.calls.flatMap((call, index) => (changing.test(call) ? [index] : []));
  expect(points.length).toBeGreaterThan(100);
  return { points, expected: stateOf(disk) };
}

const move = { from: 'a', to: 'b', path: null };

test('a crash before any change to the disk leaves what the next start finishes, to the same end', async () => {
  const { points, expected } = await undisturbed();
  let resumed = 0;
  for (const point of points) {
    const disk = diskOfBoth();
    const fileSystem = faultyFileSystem(disk);
    fileSystem.fault = (_call, index) => (index >= point ? { code: 'EIO' } : null);
    await openMerges(ROOT, { fileSystem }).merge().catch(expectFailure);
    const again = openMerges(ROOT, { fileSystem: disk });
    await again.merges.resume();
    resumed += again.finished.length;
    // Before the journal was there nothing had been begun; after it was gone everything was done.
    await again.merge();
    expect(stateOf(disk), `after a crash at call ${point}, ${fileSystem.calls[point]}`).toEqual(expected);
    expect(again.reports).toEqual([]);
  }
  expect(resumed).toBeGreaterThan(points.length / 2);
});

test('a single failing call leaves nothing that the same merge asked for again does not finish', async () => {
  const { points, expected } = await undisturbed();
  for (const point of points) {
    const disk = diskOfBoth();
    const fileSystem = faultyFileSystem(disk);
    fileSystem.fault = (_call, index) => (index === point ? { code: 'ENOSPC' } : null);
    const { merge } = openMerges(ROOT, { fileSystem });
    await merge().catch(expectFailure);
    fileSystem.fault = null;
    await merge();
    expect(stateOf(disk), `after a failure of call ${point}, ${fileSystem.calls[point]}`).toEqual(expected);
  }
});

test('the settings are told of a merge before it counts as done, and again only while it does not', async () => {
  const setup = await setUpMerge();
  for (const [name, content] of Object.entries(projects)) await setup.put(name, content);
  const moves: unknown[] = [];
  const refuse = (move: unknown): Promise<never> => {
    moves.push(move);
    return Promise.reject(new Failure('io', 'The settings could not be saved.'));
  };
  await expect(setup.merges.merge({ ...move, path: '/new' }, refuse)).rejects.toThrow('settings');
  const again = openMerges(setup.root);
  await again.merges.resume();
  await again.merges.resume();
  await openMerges(setup.root).merges.resume();
  expect(moves).toEqual([{ ...move, path: '/new' }]);
  expect(again.finished).toEqual([{ ...move, path: '/new' }]);
  expect(await readdir(setup.path())).toEqual([`a.merged-${NOW}`, `a.merged-${NOW}.json`, 'b', 'b.json']);
  expect(await readdir(setup.path('b', '.sidekeep'))).not.toContain('merge.json');
});

function expectFailure(error: unknown): void {
  expect(error).toBeInstanceOf(Failure);
}
