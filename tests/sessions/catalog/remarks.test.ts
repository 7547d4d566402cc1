import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../src/contract/errors.ts';
import { SessionTrash } from '../../../src/sessions/trash.ts';
import { temporaryFolder } from '../../files/support.ts';
import { smallSession, type TestStore, testStore } from '../support.ts';
import { allRows, certified, lines, ref, testCatalog, until, user } from './support.ts';

const late = { 'gone.jsonl': lines(user('written after the delete')) };
const damaged = { session: ref('gone'), health: 'damaged', reason: expect.stringContaining('was deleted here') };

function trashOf({ stores }: TestStore): SessionTrash {
  const trash = new SessionTrash({ stores, report: () => undefined });
  onTestFinished(() => trash.dispose());
  return trash;
}

test('what a program wrote to a deleted session is not shown as if nothing had happened, also after a restart', async () => {
  const store = await testStore({ ...smallSession('gone'), ...smallSession('other') });
  const trash = trashOf(store);
  const cacheFolder = await temporaryFolder();
  const deletedAmong = trash.deletedAmong.bind(trash);
  const first = await testCatalog({ store, cacheFolder, deletedAmong });
  expect(await first.ids()).toEqual(expect.arrayContaining(['gone', 'other']));
  await first.catalog.dispose();
  // What is remembered does not know of it.
  const trashed = await trash.delete(ref('gone'));
  await store.write(late);
  const second = await testCatalog({ store, cacheFolder, deletedAmong });
  expect(await second.rows()).toEqual(
    expect.arrayContaining([
      expect.objectContaining(damaged),
      expect.objectContaining({ session: ref('other'), health: 'good', reason: null }),
    ]),
  );
  await second.catalog.dispose();
  const third = await testCatalog({ store, cacheFolder, deletedAmong });
  const [front] = (await third.catalog.list({ ownerId: null, limit: 1 })).rows;
  expect(front, 'it is not remembered as a good one').toMatchObject({ session: ref('other') });
  await until(() => third.catalog.row(ref('gone')) !== null);
  expect(third.catalog.row(ref('gone'))).toMatchObject(damaged);
  // Deleted again and brought back it is a session like any other.
  await trash.delete(ref('gone'));
  expect(await third.catalog.look(ref('gone'))).toBeNull();
  if (trashed === null) return expect.unreachable();
  await trash.restore(trashed);
  expect(await third.catalog.look(ref('gone'))).toMatchObject({ health: 'good', reason: null });
});

test('what comes back while it is looked at is pushed as damaged', async () => {
  const store = await testStore({ ...smallSession('gone') });
  const trash = trashOf(store);
  const { catalog, rows, pushes } = await testCatalog({ store, deletedAmong: trash.deletedAmong.bind(trash) });
  await rows();
  await trash.delete(ref('gone'));
  expect(await catalog.look(ref('gone'))).toBeNull();
  await store.write(late);
  const told = pushes.length;
  catalog.hint('global', ['gone.jsonl']);
  await until(() => pushes.length > told && pushes.at(-1)?.changed.length === 1);
  expect(pushes.at(-1)?.changed).toEqual([expect.objectContaining(damaged)]);
});

test('the trash is asked once for all at the start, and then only for sessions that were not in the list', async () => {
  const asked: string[][] = [];
  const { store, catalog, rows } = await testCatalog({
    files: { ...smallSession('a'), ...smallSession('b') },
    deletedAmong: async (_store, ids) => {
      asked.push([...ids].sort());
      return new Set();
    },
  });
  await rows();
  await rows();
  expect(asked).toEqual([['a', 'b']]);
  await store.write({ 'a.jsonl': lines(user('changed')), ...smallSession('c'), ...smallSession('d') });
  await rows();
  expect(asked).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  await catalog.look(ref('a'));
  expect(asked).toHaveLength(2);
});

test('a trash that cannot be read hides no session, and is asked again', async () => {
  let isReadable = false;
  const { store, catalog, rows, reports } = await testCatalog({
    files: { ...smallSession('gone'), ...smallSession('b') },
    deletedAmong: async (_store, ids) => {
      if (!isReadable) throw new Failure('io', 'The trash could not be read.');
      return new Set([...ids].filter((id) => id !== 'b'));
    },
  });
  expect(await rows()).toHaveLength(2);
  await store.write(smallSession('new'));
  expect(await catalog.look(ref('new'))).toMatchObject({ health: 'good' });
  expect(reports.splice(0).length).toBeGreaterThan(0);
  isReadable = true;
  expect((await rows()).map(({ session, health }) => `${session.id} ${health}`).sort()).toEqual([
    'b good',
    'gone damaged',
    'new damaged',
  ]);
});

test('who has a session open is told with its row, once for what comes together, and only of sessions that are there', async () => {
  const { store, catalog, pushes, rows } = await testCatalog({
    isWatching: () => true,
    files: {
      'a.jsonl': lines(user('one')),
      'b.jsonl': lines(user('two')),
      'empty.jsonl': '',
      'empty.jsonl.meta': certified({ turns: 0 }),
    },
  });
  await rows();
  await wait(500);
  const told = pushes.length;
  for (const name of ['a.jsonl.lock', 'a.jsonl.lease.lock', 'a.jsonl.lease.json', 'a.ckpt']) {
    await store.write({ [name]: '' });
    catalog.hint('global', [name]);
  }
  catalog.hint('global', ['gone.jsonl.lock', 'empty.jsonl.lock', '.x.meta.lock', '.jsonl.lock']);
  await wait(400);
  expect(pushes.slice(told)).toMatchObject([{ changed: [{ session: ref('a') }], removed: [], all: false }]);
  await rm(join(store.folder, 'a.jsonl.lease.lock'));
  catalog.hint('global', ['a.jsonl.lease.lock', 'b.jsonl.lock']);
  await wait(400);
  expect(pushes.slice(told + 1)).toMatchObject([{ changed: [{ session: ref('a') }, { session: ref('b') }] }]);
});

test('of many sessions that are opened at once no push names more than a hundred', async () => {
  const ids = Array.from({ length: 150 }, (_, index) => `n${index}`);
  const { catalog, pushes, rows } = await testCatalog({
    isWatching: () => true,
    files: Object.fromEntries(ids.map((id) => [`${id}.jsonl`, lines(user('x'))])),
  });
  await rows();
  await wait(800);
  const told = pushes.length;
  catalog.hint(
    'global',
    ids.map((id) => `${id}.jsonl.lease.lock`),
  );
  await until(() => pushes.length >= told + 2);
  expect(pushes.slice(told).map(({ changed, all }) => [changed.length, all])).toEqual([
    [100, false],
    [50, false],
  ]);
});

test('a notice about a session stands in its row until it goes', async () => {
  const { store, catalog, pushes, rows } = await testCatalog({ files: { 'a.jsonl': lines(user('one')) } });
  await rows();
  catalog.notice(ref('a'), 'Twelve bytes were set aside.');
  await until(() => pushes.at(-1)?.changed[0]?.reason === 'Twelve bytes were set aside.');
  expect(await allRows(catalog)).toMatchObject([{ health: 'damaged', reason: 'Twelve bytes were set aside.' }]);
  await rm(join(store.folder, 'a.jsonl'));
  expect(await catalog.look(ref('a'))).toBeNull();
  await store.write({ 'a.jsonl': lines(user('another')) });
  expect(await catalog.look(ref('a'))).toMatchObject({ health: 'good', reason: null });
});
