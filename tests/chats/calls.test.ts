import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChatList } from '../../src/contract/index.ts';
import type { Sidekeep } from '../../src/sidekeep.ts';
import { caller, inGlobal, rows, wholeCore } from '../sessions/whole-core.ts';
import { read } from './support.ts';

async function setUp() {
  const core = await wholeCore();
  const chats = join(core.folder, 'context', 'chats');
  const sidekeep = await core.open();
  const { chatsId } = await sidekeep.calls.projects.list({}, caller);
  /** Places of the folders that chats have. */
  const folders = async (): Promise<string[]> =>
    Object.keys(await read(chats).catch(() => ({}))).flatMap((name) =>
      /^[^/]+\/session-[^/]+\/$/.test(name) ? [name.slice(0, -1)] : [],
    );
  const told = (): ChatList[] =>
    core.published.flatMap(({ name, payload }) => (name === 'chats.changed' ? [payload as ChatList] : []));
  return { ...core, chats, sidekeep, calls: sidekeep.calls, chatsId, folders, told };
}

const meta = async (store: string, id: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(store, `${id}.jsonl.meta`), 'utf8'));

test('a chat that is written gets a folder, its session in it, and another try gets the same, also after a restart', async () => {
  const { calls, chats, store, chatsId, folders, sidekeep, open } = await setUp();
  const { folder } = await calls.chats.prepare({ draftId: 'd' }, caller);
  expect(await calls.chats.prepare({ draftId: 'd' }, caller)).toEqual({ folder });
  const started = await calls.chats.start({ draftId: 'd', text: 'Hello' }, caller);
  expect(started).toMatchObject({ folder, row: { ownerId: chatsId, turns: 1, title: 'Hello' } });
  const { session } = started.row;
  expect(await meta(store, session.id)).toMatchObject({ workspace_root: join(chats, folder), scope: 'global' });
  expect(await calls.chats.start({ draftId: 'd', text: 'Hello' }, caller)).toEqual(started);
  expect(await calls.chats.discard({ draftId: 'd' }, caller)).toMatchObject({
    removed: false,
    kept: expect.any(String),
  });
  await sidekeep.dispose();
  const again = await open();
  expect(await again.calls.chats.start({ draftId: 'd', text: 'Hello' }, caller)).toMatchObject({
    folder,
    row: { session },
  });
  expect(await folders()).toEqual([folder]);
});

test('a hundred tries at once make one chat in one folder', async () => {
  const { calls, folders, sidekeep } = await setUp();
  const started = await Promise.all(
    Array.from({ length: 100 }, () => calls.chats.start({ draftId: 'd', text: 'Hello' }, caller)),
  );
  expect(new Set(started.map(({ row }) => row.session.id)).size).toBe(1);
  expect(await folders()).toEqual([started[0]?.folder]);
  expect(await rows(sidekeep)).toHaveLength(1);
});

test('a draft that is given up leaves nothing behind', async () => {
  const { calls, chats, folders } = await setUp();
  await calls.chats.prepare({ draftId: 'd' }, caller);
  expect(await calls.chats.discard({ draftId: 'd' }, caller)).toEqual({ removed: true, kept: null });
  expect(await folders()).toEqual([]);
  expect(await readdir(chats)).toEqual([]);
});

test('every session of the chats has a folder of its own, a copy never that of the other one', async () => {
  const { calls, chatsId, project, store, folders } = await setUp();
  const made = await calls.sessions.create({ ownerId: chatsId, text: 'One', requestId: 'r' }, caller);
  const again = await calls.sessions.create({ ownerId: chatsId, text: 'One', requestId: 'r' }, caller);
  expect(again.row.session).toEqual(made.row.session);
  const { row: fork } = await calls.sessions.fork({ session: made.row.session }, caller);
  const { row: empty } = await calls.sessions.create({ ownerId: chatsId, title: 'Two' }, caller);
  expect(fork.ownerId).toBe(chatsId);
  const named = await Promise.all(
    [made.row, fork, empty].map(async ({ session }) => (await meta(store, session.id)).workspace_root),
  );
  expect(new Set(named).size).toBe(3);
  expect((await folders()).length).toBe(3);
  const { project: known } = await calls.projects.add({ path: project }, caller);
  const { row: moved } = await calls.sessions.fork({ session: made.row.session, ownerId: known.id }, caller);
  expect(moved.ownerId).toBe(known.id);
  expect(await meta(store, moved.session.id)).toMatchObject({ workspace_root: project, scope: 'project' });
  expect((await folders()).length).toBe(3);
});

test('a session that cannot be made leaves no folder', async () => {
  const { calls, chatsId, folders } = await setUp();
  await expect(calls.sessions.fork({ session: inGlobal('gone'), ownerId: chatsId }, caller)).rejects.toMatchObject({
    code: 'not-found',
  });
  const { row } = await calls.sessions.create({ ownerId: chatsId, text: 'One' }, caller);
  await expect(calls.sessions.fork({ session: row.session, head: 'none' }, caller)).rejects.toMatchObject({
    code: expect.any(String),
  });
  expect(await folders()).toHaveLength(1);
});

test('the folder of a chat is made again before the chat goes on', async () => {
  const { calls, chats, folders } = await setUp();
  const { row, folder } = await calls.chats.start({ draftId: 'd', text: 'Hello' }, caller);
  await rm(chats, { recursive: true });
  await calls.sessions.append({ session: row.session, text: 'More', messageId: 'm' }, caller);
  expect(await folders()).toEqual([folder]);
});

test('a chat is deleted with what its person said of its folder, and comes back with it', async () => {
  const { calls, chats, folders } = await setUp();
  const { row, folder } = await calls.chats.start({ draftId: 'd', text: 'Hello' }, caller);
  const { session } = row;
  expect(await calls.chats.folder({ session }, caller)).toEqual({ folder, exists: true, files: 0, stays: null });
  await mkdir(join(chats, folder, 'src'));
  await writeFile(join(chats, folder, 'src', 'a'), 'mine');
  expect(await calls.chats.folder({ session }, caller)).toEqual({ folder, exists: true, files: 1, stays: null });
  const kept = await calls.sessions.delete({ session }, caller);
  expect(kept.folderKept).toContain('a file');
  await calls.sessions.restore(kept.trashed ?? { store: 'global', name: '' }, caller);
  const { trashed, folderKept } = await calls.sessions.delete({ session, folder: 'trash' }, caller);
  expect(folderKept).toBeNull();
  expect(await folders()).toEqual([]);
  expect(await calls.sessions.trash({}, caller)).toMatchObject({ items: [{ folderFiles: 1, purgeAt: null }] });
  await calls.sessions.restore(trashed ?? { store: 'global', name: '' }, caller);
  expect(await readFile(join(chats, folder, 'src', 'a'), 'utf8')).toBe('mine');
  await expect(calls.chats.folder({ session: inGlobal('none') }, caller)).rejects.toMatchObject({ code: 'not-found' });
});

test('a folder that a session of another program names stays', async () => {
  const { calls, chats, store, sidekeep } = await setUp();
  const { row, folder } = await calls.chats.start({ draftId: 'd', text: 'Hello' }, caller);
  await writeFile(join(store, 'other.jsonl'), '{"role":"user","content":"x"}\n');
  await writeFile(join(store, 'other.jsonl.meta'), JSON.stringify({ workspace_root: join(chats, folder) }));
  await expect.poll(async () => (await rows(sidekeep)).length, { timeout: 10_000 }).toBe(2);
  expect(await calls.chats.folder({ session: row.session }, caller)).toMatchObject({
    stays: expect.stringContaining('Another session'),
  });
  expect(await calls.sessions.delete({ session: row.session, folder: 'trash' }, caller)).toMatchObject({
    folderKept: expect.stringContaining('Another session'),
  });
  expect((await stat(join(chats, folder))).isDirectory()).toBe(true);
});

test('a folder stays that a session names which waits to be deleted', async () => {
  const { calls, chats, store, sidekeep } = await setUp();
  const { row, folder } = await calls.chats.start({ draftId: 'd', text: 'Hello' }, caller);
  await writeFile(join(store, 'held.jsonl'), '{"role":"user","content":"x"}\n');
  await writeFile(join(store, 'held.jsonl.meta'), JSON.stringify({ workspace_root: join(chats, folder, 'src') }));
  const seen = new Date().toISOString();
  await writeFile(
    join(store, 'held.jsonl.lease.json'),
    JSON.stringify({ pid: 7, hostname: 'elsewhere', acquired_at: seen }),
  );
  await listedIn(sidekeep, 2);
  const held = { session: inGlobal('held'), whenFree: true };
  expect(await calls.sessions.delete(held, caller)).toEqual({ trashed: null, folderKept: null });
  await listedIn(sidekeep, 1);
  expect(await calls.chats.folder({ session: row.session }, caller)).toMatchObject({
    stays: expect.stringContaining('Another session'),
  });
});

test('the newest chats are there at once after a restart, and then what is there; nothing of a deleted one is remembered', async () => {
  const { calls, sidekeep, open, told, published, folder: base } = await setUp();
  const { row: first } = await calls.chats.start({ draftId: 'a', text: 'SECRET first' }, caller);
  const { row: second } = await calls.chats.start({ draftId: 'b', text: 'Second' }, caller);
  await expect.poll(async () => (await calls.chats.list({}, caller)).rows.length, { timeout: 10_000 }).toBe(2);
  await sidekeep.dispose();
  published.length = 0;
  const again = await open();
  const atOnce = await again.calls.chats.list({}, caller);
  expect(atOnce).toMatchObject({ confirmed: false, total: null });
  expect(atOnce.rows.map(({ session }) => session)).toEqual([second.session, first.session]);
  await expect.poll(() => told().at(-1), { timeout: 10_000 }).toMatchObject({ confirmed: true, total: 2 });
  expect(told().every(({ rows: list }) => list.length > 0)).toBe(true);
  await again.calls.sessions.delete({ session: first.session }, caller);
  expect(await readFile(join(base, 'cache', 'chats.json'), 'utf8')).not.toContain('SECRET');
});

test('the start removes abandoned folders, and no file', async () => {
  const { chats, sidekeep, open, chatsId } = await setUp();
  await sidekeep.dispose();
  const old = new Date(Date.now() - 48 * 60 * 60 * 1000);
  const make = async (place: string, file?: string): Promise<void> => {
    await mkdir(join(chats, place), { recursive: true });
    if (file !== undefined) await writeFile(join(chats, place, file), 'mine');
    await utimes(join(chats, place), old, old);
  };
  await make('2026-01-01/session-empty');
  await make('2026-01-02/session-full', 'report.md');
  await mkdir(join(chats, '2026-01-03/session-new'), { recursive: true });
  await writeFile(join(chats, '2026-01-02', 'readme'), 'mine');
  const again = await open();
  await expect.poll(() => readdir(chats), { timeout: 10_000 }).toEqual(['2026-01-02', '2026-01-03']);
  expect(await read(chats)).toEqual({
    '2026-01-02/': '',
    '2026-01-02/readme': 'mine',
    '2026-01-02/session-full/': '',
    '2026-01-02/session-full/report.md': 'mine',
    '2026-01-03/': '',
    '2026-01-03/session-new/': '',
  });
  expect((await again.calls.projects.list({}, caller)).chatsId).toBe(chatsId);
});

test('a chat without a folder of its own is no reason to remove anything', async () => {
  const { calls, chats, store, sidekeep } = await setUp();
  await mkdir(join(chats, '2026-01-01'), { recursive: true });
  await writeFile(join(chats, 'context.json'), '{}');
  await writeFile(join(store, 'root.jsonl'), '{"role":"user","content":"x"}\n');
  await writeFile(join(store, 'root.jsonl.meta'), JSON.stringify({ workspace_root: chats }));
  await listedIn(sidekeep, 1);
  expect(await calls.chats.folder({ session: inGlobal('root') }, caller)).toEqual({
    folder: null,
    exists: false,
    files: 0,
    stays: null,
  });
  expect(await calls.sessions.delete({ session: inGlobal('root'), folder: 'trash' }, caller)).toMatchObject({
    folderKept: null,
  });
  expect(await read(chats)).toEqual({ '2026-01-01/': '', 'context.json': '{}' });
});

async function listedIn(sidekeep: Sidekeep, count: number): Promise<void> {
  await expect.poll(async () => (await rows(sidekeep)).length, { timeout: 10_000 }).toBe(count);
}
