import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProjectId, SessionRow } from '../../../src/contract/entities.ts';
import type { Mark } from '../../../src/sessions/catalog/disk.ts';
import { Entries } from '../../../src/sessions/catalog/entries.ts';
import type { Facts } from '../../../src/sessions/catalog/facts.ts';
import { Pages } from '../../../src/sessions/catalog/pages.ts';
import { failure } from '../../context/support.ts';
import { allRows, certified, lines, ref, testCatalog, user } from './support.ts';

const at = (minute: number): string => new Date(Date.parse('2026-03-01T00:00:00Z') + minute * 60_000).toISOString();
const idOf = ({ session }: SessionRow): string => session.id;

test('the last activity comes first, pinned ones before all, equals by name', async () => {
  let pinned: ReadonlySet<string> = new Set();
  const { catalog, ids } = await testCatalog({
    pinned: () => pinned,
    files: Object.fromEntries(
      [
        ['a', 1],
        ['b', 3],
        ['c', 2],
        ['e', 2],
        ['d', 2],
      ].flatMap(([id, minute]) => [
        [`${id}.jsonl`, lines(user('x'))],
        [`${id}.jsonl.meta`, certified({ updated_at: at(Number(minute)) })],
      ]),
    ),
  });
  expect(await ids()).toEqual(['b', 'c', 'd', 'e', 'a']);
  pinned = new Set(['global/a', 'global/e']);
  catalog.pinsChanged();
  expect(await ids()).toEqual(['e', 'a', 'b', 'c', 'd']);
  expect(catalog.row(ref('a'))?.pinned).toBe(true);
});

test('a search takes all words, in title or preview, whatever their case and accents; owners filter', async () => {
  const { catalog, rows } = await testCatalog({
    files: {
      'a.jsonl': lines(user('x')),
      'a.jsonl.meta': certified({ custom_title: 'Émile plans', preview: 'A trip to Rome', workspace_root: '/one' }),
      'b.jsonl': lines(user('x')),
      'b.jsonl.meta': certified({ custom_title: 'Plans', preview: 'nothing', workspace_root: '/two' }),
      'c.jsonl': lines(user('no owner')),
    },
  });
  await rows();
  const find = async (query: string, ownerId: ProjectId | null = null) => {
    const page = await catalog.list({ ownerId, query });
    expect(page.total).toBe(page.rows.length);
    return page.rows.map(idOf).sort();
  };
  const one = catalog.row(ref('a'))?.ownerId ?? null;
  expect(await find('plans')).toEqual(['a', 'b']);
  expect(await find('ROME emile')).toEqual(['a']);
  expect(await find('rome nothing')).toEqual([]);
  expect(await find('  ')).toEqual(['a', 'b', 'c']);
  expect(await find('plans', one)).toEqual(['a']);
  expect(await find('', one)).toEqual(['a']);
});

test('the cursor of another list, and a text that is none, are refused', async () => {
  const { catalog, rows } = await testCatalog({
    files: Object.fromEntries(['a', 'b', 'c'].map((id) => [`${id}.jsonl`, lines(user('word'))])),
  });
  await rows();
  const { cursor } = await catalog.list({ ownerId: null, limit: 1 });
  expect(cursor).not.toBeNull();
  await failure(catalog.list({ ownerId: null, query: 'word', cursor }), 'conflict');
  await failure(catalog.list({ ownerId: 'p', cursor }), 'conflict');
  for (const text of ['', 'x', '{}', `${cursor?.slice(0, 16)}`]) {
    await failure(catalog.list({ ownerId: null, cursor: text }), 'conflict');
  }
  expect((await catalog.list({ ownerId: null, cursor })).rows).toHaveLength(2);
});

test('a cursor fits the contract whatever the names', async () => {
  const id = '"'.repeat(249);
  const { catalog, rows } = await testCatalog({
    files: { [`${id}.jsonl`]: lines(user('x')), 'zz.jsonl': lines(user('y')) },
  }).catch(() => expect.unreachable('the name is allowed'));
  await rows();
  const page = await catalog.list({ ownerId: null, limit: 1 });
  expect(page.cursor?.length).toBeLessThanOrEqual(1000);
});

test('a page goes on behind its place when its order was forgotten', async () => {
  const { catalog, rows, store } = await testCatalog({
    files: Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        [`s${index}.jsonl`, lines(user('x'))],
        [`s${index}.jsonl.meta`, certified({ updated_at: at(100 - index) })],
      ]).flat(),
    ),
  });
  const all = (await rows()).map(idOf);
  const first = await catalog.list({ ownerId: null, limit: 10 });
  for (let round = 0; round < 20; round++) {
    await rm(join(store.folder, `s${round < 5 ? round : 29}.jsonl`), { force: true });
    await store.write({ 's20.jsonl.meta': certified({ updated_at: at(80), revision: 3, turns: round + 1 }) });
    await catalog.refreshAll();
    await catalog.list({ ownerId: null, limit: 1 });
  }
  const next = await catalog.list({ ownerId: null, limit: 10, cursor: first.cursor });
  expect(next.rows.map(idOf)).toEqual(all.slice(10, 20));
});

const mark: Mark = { ino: 1, size: 1, mtime: 1, ctime: 1 };
const factsAt = (updatedAt: number): Facts => ({
  transcript: mark,
  log: null,
  meta: mark,
  detailsState: 'present',
  details: {
    customTitle: null,
    topicTitle: null,
    preview: null,
    turns: 1,
    workspaceRoot: null,
    parentId: null,
    createdAt: null,
    updatedAt,
    writerId: null,
  },
  gist: null,
  unreadable: null,
});

type Move =
  | { kind: 'set'; id: number; at: number }
  | { kind: 'delete'; id: number }
  | { kind: 'pin'; id: number }
  | { kind: 'list' };

const moves = fc.array(
  fc.oneof<fc.Arbitrary<Move>[]>(
    fc.record({ kind: fc.constant('set' as const), id: fc.nat(25), at: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ kind: fc.constant('delete' as const), id: fc.nat(25) }),
    fc.record({ kind: fc.constant('pin' as const), id: fc.nat(25) }),
    fc.record({ kind: fc.constant('list' as const) }),
  ),
  { maxLength: 6 },
);

test('pages are complete and without repeats while rows come, move, are pinned and go', () => {
  const scenario = fc.record({
    start: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 }),
    limit: fc.integer({ min: 1, max: 5 }),
    between: fc.array(moves, { minLength: 25, maxLength: 25 }),
  });
  fc.assert(
    fc.property(scenario, ({ start, limit, between }) => {
      const pinned = new Set<string>();
      let version = 0;
      const entries = new Entries({
        ownerOf: () => null,
        pinned: () => pinned,
        onTouched: () => version++,
      });
      const pages = new Pages();
      for (const [index, time] of start.entries()) entries.set(ref(`s${index}`), factsAt(time));
      const throughout = new Set(entries.ids('global'));
      const seen: string[] = [];
      let cursor: string | null = null;
      for (const changes of between) {
        const page = pages.page({ ownerId: null, limit, cursor }, entries.order(), version);
        expect(page.total).toBe(entries.size);
        seen.push(...page.rows.map(idOf));
        cursor = page.cursor;
        if (cursor === null) break;
        for (const change of changes) {
          if (change.kind === 'list') pages.page({ ownerId: null, limit: 1 }, entries.order(), version);
          else if (change.kind === 'set') entries.set(ref(`s${change.id}`), factsAt(change.at));
          else if (change.kind === 'delete') {
            entries.delete(ref(`s${change.id}`));
            throughout.delete(`s${change.id}`);
          } else {
            pinned.add(`global/s${change.id}`);
            entries.remakePinned();
          }
        }
      }
      expect(cursor).toBeNull();
      expect(new Set(seen).size).toBe(seen.length);
      for (const id of throughout) expect(seen).toContain(id);
    }),
    { numRuns: 300 },
  );
});

test.each([10, 1000, 10_000])(
  '%i sessions are listed, found and paged through',
  { timeout: 120_000 },
  async (count) => {
    const files: Record<string, string> = {};
    for (let index = 0; index < count; index++) {
      files[`s${index}.jsonl`] = lines(user(`message ${index}`));
      files[`s${index}.jsonl.meta`] = certified({ updated_at: at(index), preview: `message ${index}` });
    }
    const { catalog, rows } = await testCatalog({ files });
    const listed = await rows();
    expect(listed.map(idOf)).toEqual(Array.from({ length: count }, (_, index) => `s${count - 1 - index}`));
    const found = await allRows(catalog, { query: `message ${count - 1}` });
    expect(found.map(idOf)).toEqual([`s${count - 1}`]);
    expect((await catalog.list({ ownerId: null })).rows).toHaveLength(Math.min(50, count));
  },
);
