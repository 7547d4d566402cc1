import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { SessionRow } from '../../../src/contract/entities.ts';
import { temporaryFolder } from '../../files/support.ts';
import { testStore } from '../support.ts';
import { allRows, certified, lines, testCatalog, user } from './support.ts';

const run = promisify(execFile);
const at = (minute: number): string => new Date(Date.parse('2026-03-01T00:00:00Z') + minute * 60_000).toISOString();
const byId = (rows: readonly SessionRow[]): Record<string, SessionRow> =>
  Object.fromEntries(rows.map((row) => [row.session.id, row]));

const vouchedFor = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      [`s${index}.jsonl`, lines(user('x'.repeat(index + 1)))],
      [`s${index}.jsonl.meta`, certified({ updated_at: at(index), custom_title: `t${index}`, workspace_root: '/w' })],
      ...(index % 3 === 0 ? [[`s${index}.events.jsonl`, 'x'.repeat(5000 + index)]] : []),
    ]).flat(),
  );

test('the first pages, made from meta files alone, are those of a list that looked at everything', async () => {
  const { catalog } = await testCatalog({ files: vouchedFor(300) });
  const early = await catalog.list({ ownerId: null });
  const rest = await catalog.list({ ownerId: null, limit: 200, cursor: early.cursor });
  expect(early.total).toBe(300);
  expect(early.catalog.state).toBe('loading');
  await catalog.refreshAll();
  const late = await allRows(catalog);
  expect(early.rows).toEqual(late.slice(0, 50));
  expect(rest.rows).toEqual(late.slice(50, 250));
});

test('what its meta file cannot vouch for is on the first page as it is', async () => {
  const store = await testStore({
    ...vouchedFor(4),
    'hidden.jsonl': lines(user('h')),
    'hidden.jsonl.meta': certified({ turns: 0, preview: '' }),
    'pending.jsonl': lines(user('p')),
    'pending.jsonl.meta': certified(),
    'pending.cleanup-pending.json': '',
    'folder.jsonl': null,
    'folder.jsonl.meta': certified(),
    'link.jsonl.meta': certified(),
    'pipe.jsonl.meta': certified(),
    'plain.jsonl': lines(user('plain')),
    'timeless.jsonl': lines(user('timeless')),
    'timeless.jsonl.meta': certified({ updated_at: null }),
    'uncertain.jsonl': lines(user('uncertain')),
    'uncertain.jsonl.meta': certified({ listing_revision: 2 }),
    'nothing.jsonl': lines(user('nothing')),
    'nothing.jsonl.meta': '',
    'long.jsonl': lines(user('long')),
    'long.jsonl.meta': certified({ notes: 'x'.repeat(100_000) }),
    'metafolder.jsonl': lines(user('m')),
    'metafolder.jsonl.meta': null,
    'metapipe.jsonl': lines(user('m')),
    '.titles.json': JSON.stringify({ 'plain.jsonl': { title: 'From the map' } }),
  });
  await run('mkfifo', [join(store.folder, 'pipe.jsonl'), join(store.folder, 'metapipe.jsonl.meta')]);
  await symlink('s1.jsonl', join(store.folder, 'link.jsonl'));
  const { catalog } = await testCatalog({ store });
  const early = await catalog.list({ ownerId: null, limit: 200 });
  await catalog.refreshAll();
  const late = await allRows(catalog);
  expect(byId(early.rows)).toEqual(byId(late));
  expect(early.total).toBe(late.length);
  expect(Object.keys(byId(late)).sort()).toEqual(
    ['long', 'metafolder', 'metapipe', 'nothing', 'plain', 's0', 's1', 's2', 's3', 'timeless', 'uncertain'].sort(),
  );
});

test('what changes between the glance and the page is on the page as it is then', async () => {
  const store = await testStore(vouchedFor(4));
  const { catalog, pushes, rows } = await testCatalog({
    store,
    ownerOf: async (directory) => {
      if (directory !== '/w') return 'other';
      rmSync(join(store.folder, 's3.jsonl'));
      writeFileSync(join(store.folder, 's2.jsonl'), lines(user('another size')));
      writeFileSync(
        join(store.folder, 's1.jsonl.meta'),
        certified({ updated_at: at(1), custom_title: 'changed', workspace_root: '/elsewhere' }),
      );
      return 'first';
    },
  });
  const { rows: early } = await catalog.list({ ownerId: null });
  expect(early.map(({ session, title, ownerId, bytes }) => [session.id, title, ownerId, bytes])).toEqual([
    ['s2', 't2', 'first', lines(user('another size')).length],
    ['s1', 'changed', 'other', lines(user('xx')).length],
    ['s0', 't0', 'first', 5000],
  ]);
  expect(await rows()).toEqual(early);
  for (const { changed } of pushes) for (const row of changed) expect(early).toContainEqual(row);
});

test('what was only glanced at is not remembered', async () => {
  const store = await testStore(vouchedFor(60));
  const cache = await temporaryFolder();
  const first = await testCatalog({ store, cacheFolder: cache });
  await first.catalog.list({ ownerId: null, limit: 1 });
  await first.catalog.dispose();
  const second = await testCatalog({ store, cacheFolder: cache });
  const early = await second.catalog.list({ ownerId: null });
  for (const row of early.rows) expect(row.bytes).toBeGreaterThan(0);
  expect((await second.rows()).map(({ session }) => session.id)).toHaveLength(60);
});
