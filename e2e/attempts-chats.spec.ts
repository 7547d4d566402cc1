import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { SessionRow } from '../src/contract/index.ts';
import { callBridge } from './bridge.ts';
import { makeDataFolder } from './launch-app.ts';
import {
  answered,
  fileOf,
  filesBelow,
  globalRef,
  listed,
  messageMode,
  patient,
  prepareSession,
  railSession,
  recorded,
  sayRecorded,
  talk,
} from './session-parts.ts';
import { expect, test } from './test.ts';

/** Attempts to lose or leak the folder of a chat through the running program. */

test.slow();

const chatsIn = (dataFolder: string): string => path.join(dataFolder, 'context', 'chats');

/** Path of the folder that a session names as its own. */
function folderOf(dataFolder: string, id: string): string {
  const meta = JSON.parse(readFileSync(fileOf(dataFolder, id, '.jsonl.meta'), 'utf8')) as { workspace_root: string };
  return meta.workspace_root;
}

/** Makes a folder with files, and makes it look old. */
function prepareFolder(folder: string, files: Record<string, string>, age = 0): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const then = Date.now() / 1000 - age;
  utimesSync(folder, then, then);
}

const DAYS = 24 * 60 * 60;

test('the start takes empty folders that nobody came back to, and nothing else below the chats', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  const root = chatsIn(dataFolder);
  const outside = path.join(dataFolder, 'outside');
  prepareFolder(outside, { keep: 'of somebody else' }, 9 * DAYS);
  prepareFolder(path.join(root, '2026-01-01', 'session-empty'), {}, 9 * DAYS);
  prepareFolder(path.join(root, '2026-01-01', 'session-used'), {}, 9 * DAYS);
  prepareFolder(path.join(root, '2026-01-01', 'session-filled'), { 'report.md': 'mine' }, 9 * DAYS);
  prepareFolder(path.join(root, '2026-01-02', 'session-only'), {}, 9 * DAYS);
  prepareFolder(path.join(root, '2026-01-03', 'session-young'), {});
  prepareFolder(path.join(root, '2026-01-04', 'of mine'), {}, 9 * DAYS);
  writeFileSync(path.join(root, '2026-01-01', 'notes.txt'), 'stranger');
  writeFileSync(path.join(root, 'readme'), 'stranger');
  symlinkSync(outside, path.join(root, '2026-01-03', 'session-link'));
  for (const day of ['2026-01-01', '2026-01-02', '2026-01-04']) prepareFolder(path.join(root, day), {}, 9 * DAYS);
  prepareSession(dataFolder, 'used', talk('Used', 2), {
    workspace_root: path.join(root, '2026-01-01', 'session-used'),
  });
  const { sidebar } = await launch({ dataFolder });
  await expect(railSession(sidebar, 'Used 0')).toBeVisible(patient);
  await expect.poll(() => existsSync(path.join(root, '2026-01-01', 'session-empty')), patient).toBe(false);
  await expect.poll(() => existsSync(path.join(root, '2026-01-02')), patient).toBe(false);
  expect(readdirSync(path.join(root, '2026-01-01')).sort()).toEqual(['notes.txt', 'session-filled', 'session-used']);
  expect(readdirSync(path.join(root, '2026-01-03'))).toContain('session-young');
  expect(readdirSync(path.join(root, '2026-01-04'))).toEqual(['of mine']);
  expect(readFileSync(path.join(root, '2026-01-01', 'session-filled', 'report.md'), 'utf8')).toBe('mine');
  expect(readFileSync(path.join(root, 'readme'), 'utf8')).toBe('stranger');
  expect(readFileSync(path.join(outside, 'keep'), 'utf8')).toBe('of somebody else');
});

test('a folder that became a link goes as a link; what it leads to stays', async ({ launch }) => {
  const app = await launch();
  const { dataFolder, sidebar } = app;
  await messageMode(app);
  await sayRecorded(app, 'linked');
  const [row] = await listed(sidebar);
  const id = row?.session.id ?? '';
  const folder = folderOf(dataFolder, id);
  const outside = path.join(dataFolder, 'outside');
  prepareFolder(outside, { keep: 'of somebody else' });
  rmdirSync(folder);
  symlinkSync(outside, folder);
  const before = filesBelow(outside, false);
  await answered(sidebar, 'sessions.delete', { session: globalRef(id), folder: 'trash' });
  await expect(railSession(sidebar, 'linked')).toBeHidden(patient);
  expect(filesBelow(outside, false)).toEqual(before);
  const { items } = await answered<{ items: { store: string; name: string }[] }>(sidebar, 'sessions.trash', {});
  const entries = items.map(({ store, name }) => ({ store, name }));
  await answered(sidebar, 'sessions.purge', { items: entries });
  expect(filesBelow(outside, false)).toEqual(before);
});

test('of a chat and its copy each keeps its own when the other goes, to the last byte', async ({ launch }) => {
  const app = await launch();
  const { dataFolder, sidebar } = app;
  await messageMode(app);
  await sayRecorded(app, 'parent');
  const [parent] = await listed(sidebar);
  const parentId = parent?.session.id ?? '';
  writeFileSync(path.join(folderOf(dataFolder, parentId), 'a.txt'), 'of the parent');
  const { row } = await answered<{ row: SessionRow }>(sidebar, 'sessions.fork', { session: globalRef(parentId) });
  const [first, second] = [folderOf(dataFolder, parentId), folderOf(dataFolder, row.session.id)];
  expect(second).not.toBe(first);
  writeFileSync(path.join(second, 'b.txt'), 'of the copy');
  const trashed = await answered<{ trashed: object }>(sidebar, 'sessions.delete', {
    session: row.session,
    folder: 'trash',
  });
  expect(existsSync(second)).toBe(false);
  expect(readFileSync(path.join(first, 'a.txt'), 'utf8')).toBe('of the parent');
  expect(recorded(dataFolder, parentId)).toEqual(['parent']);
  await answered(sidebar, 'sessions.delete', { session: globalRef(parentId), folder: 'trash' });
  await answered(sidebar, 'sessions.restore', trashed.trashed);
  expect(readFileSync(path.join(second, 'b.txt'), 'utf8')).toBe('of the copy');
  expect(existsSync(first)).toBe(false);
});

test('a folder that another session works in stays, and a missing one is made again before the chat goes on', async ({
  launch,
}) => {
  const app = await launch();
  const { dataFolder, sidebar } = app;
  await messageMode(app);
  await sayRecorded(app, 'shared');
  const [row] = await listed(sidebar);
  const id = row?.session.id ?? '';
  const folder = folderOf(dataFolder, id);
  rmdirSync(folder);
  await sayRecorded(app, 'and on');
  expect(existsSync(folder)).toBe(true);
  writeFileSync(path.join(folder, 'ours.txt'), 'of both');
  prepareSession(dataFolder, 'other', talk('Other', 2), { workspace_root: path.join(folder, 'deeper') });
  await expect(railSession(sidebar, 'Other 0')).toBeVisible(patient);
  const { folderKept } = await answered<{ folderKept: string | null }>(sidebar, 'sessions.delete', {
    session: globalRef(id),
    folder: 'trash',
  });
  expect(folderKept).toContain('Another session uses this folder');
  expect(readFileSync(path.join(folder, 'ours.txt'), 'utf8')).toBe('of both');
});

test('drafts of both windows, a hundred at once, leave nothing when they are given up', async ({ launch }) => {
  const { sidebar, miniChat, dataFolder } = await launch();
  const ids = Array.from({ length: 100 }, (_, index) => `draft-${index % 50}`);
  const made = await Promise.all(
    ids.map((draftId, index) => callBridge(index % 2 === 0 ? sidebar : miniChat, 'chats.prepare', { draftId })),
  );
  expect(made.every(({ ok }) => ok)).toBe(true);
  const folders = new Set(made.map(({ value }) => (value as { folder: string }).folder));
  expect(folders.size).toBe(50);
  await Promise.all(ids.map((draftId) => callBridge(miniChat, 'chats.discard', { draftId })));
  expect(existsSync(chatsIn(dataFolder)) ? readdirSync(chatsIn(dataFolder)) : []).toEqual([]);
});

test('five thousand chats: the newest are there at once at the next start, and all of them are counted', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  const root = chatsIn(dataFolder);
  for (let index = 0; index < 5000; index++) {
    prepareSession(dataFolder, `c${index}`, talk(`Chat ${index}`, 2), {
      custom_title: `Chat ${index}`,
      workspace_root: path.join(root, '2026-01-01', `session-${index}`),
      updated_at: new Date(1_770_000_000_000 + index * 60_000).toISOString(),
    });
  }
  const app = await launch({ dataFolder });
  await expect(railSession(app.sidebar, 'Chat 4999')).toBeVisible(patient);
  const count = async () => (await answered<{ total: number | null }>(app.sidebar, 'chats.list', {})).total;
  await expect.poll(count, patient).toBe(5000);
  await app.quit();
  const again = await launch({ dataFolder });
  const list = await answered<{ rows: SessionRow[] }>(again.sidebar, 'chats.list', {});
  expect(list.rows.slice(0, 3).map(({ title }) => title)).toEqual(['Chat 4999', 'Chat 4998', 'Chat 4997']);
  expect(list.rows).toHaveLength(50);
  await expect(railSession(again.sidebar, 'Chat 4999')).toBeVisible(patient);
});
