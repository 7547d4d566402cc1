import { copyFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../files/support.ts';
import { type TestStore, testStore } from '../support.ts';
import { allRows, cacheFileIn, certified, countingOpens, lines, ref, testCatalog, user } from './support.ts';

const sessions = (from: number, to: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, index) => [
      [`s${from + index}.jsonl`, lines(user(`message ${from + index}`))],
      ...(index % 2 === 0 ? [[`s${from + index}.jsonl.meta`, certified({ custom_title: `t${from + index}` })]] : []),
    ]).flat(),
  );

/** One run of the program: what it lists in the end, and which files of sessions it opened for that. */
async function runOnce(store: TestStore, cacheFolder: string) {
  const { fileSystem, opened } = countingOpens();
  const { catalog, rows } = await testCatalog({ store, cacheFolder, fileSystem });
  const early = await catalog.list({ ownerId: null, limit: 200 });
  const listed = await rows();
  await catalog.dispose();
  return { early, listed, opened: [...opened.keys()].filter((name) => /^s\d/.test(name)) };
}

test('what is remembered is shown at once, compared with the disk, and nothing that is the same is opened', async () => {
  const store = await testStore(sessions(0, 40));
  const cache = await temporaryFolder();
  const first = await runOnce(store, cache);
  expect(first.listed).toHaveLength(40);
  expect(first.opened).toHaveLength(60 - 20);
  await store.write({ 's3.jsonl': lines(user('another')) });
  await rm(join(store.folder, 's4.jsonl'));
  const second = await runOnce(store, cache);
  expect(second.early.catalog.state).toBe('loading');
  expect(second.early.rows).toHaveLength(40);
  expect(second.listed).toHaveLength(39);
  expect(second.opened).toEqual(['s3.jsonl']);
  expect(second.listed.find(({ session }) => session.id === 's3')?.title).toBe('another');
});

test('an older copy of the memory, a damaged, empty, cut or missing one, or that of another folder: the list is that of the disk', async () => {
  const store = await testStore(sessions(0, 9));
  const cache = await temporaryFolder();
  const file = cacheFileIn(cache);
  await runOnce(store, cache);
  const older = join(cache, 'older');
  await copyFile(file, older);
  await store.write(sessions(9, 40));
  const expected = (await runOnce(store, cache)).listed;
  expect(expected).toHaveLength(40);
  const newest = await readFile(file);
  const flipped = Buffer.from(newest);
  flipped[newest.length - 40] = (flipped[newest.length - 40] ?? 0) ^ 1;
  const damages: Record<string, () => Promise<unknown>> = {
    older: () => copyFile(older, file),
    empty: () => writeFile(file, ''),
    cut: () => truncate(file, newest.length - 100),
    flipped: () => writeFile(file, flipped),
    zeros: () => writeFile(file, Buffer.alloc(newest.length)),
    'another shape': () => writeFile(file, newest.toString().replace('"shape":1', '"shape":0')),
    'another root': () => writeFile(file, newest.toString().replace(store.root, '/elsewhere')),
    missing: () => rm(file),
  };
  for (const [name, damage] of Object.entries(damages)) {
    await damage();
    const run = await runOnce(store, cache);
    expect(run.listed, name).toEqual(expected);
    if (name !== 'older') expect(run.early.catalog.state, name).toBe('ready');
  }
});

test('nothing is written where nothing changed, and a cache folder that cannot be written costs only speed', async () => {
  const store = await testStore(sessions(0, 4));
  const cache = await temporaryFolder();
  await runOnce(store, cache);
  const before = await readFile(cacheFileIn(cache));
  await rm(cacheFileIn(cache));
  await writeFile(cacheFileIn(cache), before);
  await runOnce(store, cache);
  expect(await readFile(cacheFileIn(cache))).toEqual(before);
  const blocked = await testCatalog({ store, cacheFolder: join(cacheFileIn(cache), 'below-a-file') });
  expect(await blocked.rows()).toHaveLength(4);
  await blocked.catalog.dispose();
  expect(blocked.reports.splice(0).length).toBeGreaterThan(0);
});

test('hidden sessions are remembered, unreadable ones are not', async () => {
  const store = await testStore({
    's1.jsonl': lines(user('x')),
    's1.jsonl.meta': certified({ turns: 0, preview: '' }),
    's2.jsonl': lines(user('y')),
  });
  const cache = await temporaryFolder();
  await runOnce(store, cache);
  const { fileSystem, opened } = countingOpens();
  const { catalog } = await testCatalog({ store, cacheFolder: cache, fileSystem });
  await catalog.start();
  expect(catalog.row(ref('s1'))).not.toBeNull();
  expect((await allRows(catalog)).map(({ session }) => session.id)).toEqual(['s2']);
  expect([...opened.keys()].filter((name) => name.startsWith('s1') || name.startsWith('s2'))).toEqual([]);
});
