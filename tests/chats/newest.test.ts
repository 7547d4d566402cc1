import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NewestChats } from '../../src/chats/newest.ts';
import { NEWEST_FILE, NewestFile } from '../../src/chats/newest-file.ts';
import type { CatalogState, ChatList, SessionRow } from '../../src/contract/entities.ts';
import { nodeFileSystem } from '../../src/files/index.ts';
import { faultyFileSystem, temporaryFolder } from '../files/support.ts';

const row = (id: string, title = `Chat ${id}`): SessionRow => ({
  session: { store: 'global', id },
  ownerId: 'path_chats',
  title,
  titleSource: 'custom',
  preview: null,
  turns: 1,
  lastActivity: 1,
  createdAt: 1,
  bytes: 1,
  health: 'good',
  reason: null,
  ours: true,
  pinned: false,
  parentId: null,
  recoveryOf: null,
});

/** The newest chats of one cache folder, over a catalog that is as far as it is told to be. */
async function setUp() {
  const cache = join(await temporaryFolder(), 'cache');
  const path = join(cache, NEWEST_FILE);
  const catalog: { rows: SessionRow[]; state: CatalogState['state'] } = { rows: [], state: 'loading' };
  const published: ChatList[] = [];
  const reported: string[] = [];
  const open = (roots: [string, string] = ['/chats', '/sessions'], fileSystem = nodeFileSystem): NewestChats => {
    const newest = new NewestChats({
      file: new NewestFile(fileSystem, path, async () => roots),
      list: async (limit) => ({
        rows: catalog.rows.slice(0, limit),
        total: catalog.rows.length,
        catalog: { state: catalog.state, reason: null, progress: null },
      }),
      publish: (list) => void published.push(list),
      report: (where, error) => void reported.push(`${where}: ${error}`),
    });
    onTestFinished(() => newest.dispose());
    return newest;
  };
  /** A run that saw everything. */
  const run = async (rows: SessionRow[]): Promise<void> => {
    Object.assign(catalog, { rows, state: 'ready' });
    const newest = open();
    await newest.list();
    await newest.dispose();
    Object.assign(catalog, { rows: [], state: 'loading' });
    published.length = 0;
  };
  const stored = async (): Promise<string> => readFile(path, 'utf8').catch(() => '');
  return { cache, path, catalog, published, reported, open, run, stored };
}

const ids = ({ rows }: Pick<ChatList, 'rows'>): string[] => rows.map(({ session }) => session.id);

test('what the run before had is there at once, and replaced when everything was looked at', async () => {
  const { run, open, catalog, published } = await setUp();
  await run([row('a'), row('b')]);
  const newest = open();
  expect(await newest.list()).toMatchObject({ confirmed: false, total: null, rows: [row('a'), row('b')] });
  // What the catalog found so far is less than that.
  catalog.rows = [row('c')];
  newest.changed();
  await expect.poll(() => newest.list()).toMatchObject({ confirmed: false });
  expect(ids(await newest.list())).toEqual(['a', 'b']);
  expect(published).toEqual([]);
  catalog.state = 'ready';
  newest.changed();
  await expect.poll(() => published.length).toBe(1);
  expect(published[0]).toMatchObject({ confirmed: true, total: 1, sequence: 1 });
  expect(ids(await newest.list())).toEqual(['c']);
});

test('without anything remembered the list is what the catalog has', async () => {
  const { open, catalog, published } = await setUp();
  const newest = open();
  expect(await newest.list()).toEqual({ sequence: 0, rows: [], total: null, confirmed: false });
  Object.assign(catalog, { rows: [row('a')], state: 'ready' });
  newest.changed();
  await expect.poll(() => published.at(-1)).toMatchObject({ confirmed: true, total: 1 });
});

test('the same again is not told; what differs is, with a growing number', async () => {
  const { open, catalog, published } = await setUp();
  Object.assign(catalog, { rows: [row('a')], state: 'ready' });
  const newest = open();
  await newest.list();
  newest.changed();
  newest.changed();
  catalog.rows = [row('a', 'Another')];
  newest.changed();
  await expect.poll(() => published.map(({ sequence }) => sequence)).toEqual([1]);
  expect((await newest.list()).rows[0]?.title).toBe('Another');
});

test('at most fifty, with the number of all', async () => {
  const { open, catalog } = await setUp();
  Object.assign(catalog, { rows: Array.from({ length: 70 }, (_, index) => row(`${index}`)), state: 'ready' });
  const list = await open().list();
  expect(list.rows).toHaveLength(50);
  expect(list.total).toBe(70);
});

test('a catalog that fails takes nothing away', async () => {
  const { open, catalog, published } = await setUp();
  Object.assign(catalog, { rows: [row('a')], state: 'ready' });
  const newest = open();
  await newest.list();
  Object.assign(catalog, { rows: [], state: 'failed' });
  newest.changed();
  await expect.poll(() => published.at(-1)).toMatchObject({ confirmed: false, total: null });
  expect(ids(await newest.list())).toEqual(['a']);
});

test('a deleted chat is remembered no more when that is answered, whether the list was asked for or not', async () => {
  const { run, open, stored, published } = await setUp();
  await run([row('a', 'SECRET'), row('b')]);
  expect(await stored()).toContain('SECRET');
  const newest = open();
  await newest.removed(row('a').session);
  expect(await stored()).not.toContain('SECRET');
  expect(ids(await newest.list())).toEqual(['b']);
  await newest.removed(row('b').session);
  expect(await stored()).not.toContain('Chat b');
  expect(published.at(-1)).toMatchObject({ rows: [], confirmed: false });
});

test.each<[string, (text: string) => string]>([
  ['damaged', (text) => text.slice(0, -10)],
  ['empty', () => ''],
  ['of another shape', (text) => text.replace('"shape":1', '"shape":2')],
  ['with a row of another shape', (text) => text.replace('"titleSource":"custom"', '"titleSource":"guessed"')],
])('what is %s is ignored', async (_name, damage) => {
  const { run, open, path } = await setUp();
  await run([row('a')]);
  await writeFile(path, damage(await readFile(path, 'utf8')));
  expect(await open().list()).toMatchObject({ rows: [], confirmed: false });
});

test('what is of other folders is ignored', async () => {
  const { run, open } = await setUp();
  await run([row('a')]);
  expect(ids(await open(['/chats', '/other']).list())).toEqual([]);
  expect(ids(await open(['/other', '/sessions']).list())).toEqual([]);
});

test('a cache that cannot be read or written is told, and the list is there all the same', async () => {
  const { open, cache, catalog, reported } = await setUp();
  await mkdir(cache);
  const fileSystem = faultyFileSystem();
  fileSystem.fault = (call) => (call === 'open r' || call === 'open wx' ? { code: 'EACCES' } : null);
  Object.assign(catalog, { rows: [row('a')], state: 'ready' });
  const newest = open(['/chats', '/sessions'], fileSystem);
  expect(ids(await newest.list())).toEqual(['a']);
  await newest.dispose();
  expect(reported.some((line) => line.startsWith('remembering'))).toBe(true);
});
