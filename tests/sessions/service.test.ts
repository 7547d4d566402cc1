import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ProjectEntry } from '../../src/context/projects.ts';
import { type EventName, type SessionRef, sessionKey } from '../../src/contract/index.ts';
import { openSidekeep, type Sidekeep } from '../../src/sidekeep.ts';
import { temporaryFolder } from '../files/support.ts';

const caller = { role: 'sidebar', signal: new AbortController().signal } as const;

/** The whole core over roots of its own, with one project; `again` is the program after a restart. */
async function setUp() {
  const folder = await temporaryFolder();
  const store = join(folder, 'sessions', 'sessions');
  const project = join(folder, 'project');
  await mkdir(store, { recursive: true });
  await mkdir(project);
  const published: { name: EventName; payload: unknown }[] = [];
  const revealed: string[] = [];
  let entries: readonly ProjectEntry[] = [];
  let pins: SessionRef[] = [];
  const open = async (): Promise<Sidekeep> => {
    const core = await openSidekeep({
      contextRoot: join(folder, 'context'),
      sessionsRoot: join(folder, 'sessions'),
      cacheFolder: join(folder, 'cache'),
      pinnedSessions: {
        list: () => pins,
        set: (session, pinned) => {
          pins = [...pins.filter((pin) => sessionKey(pin) !== sessionKey(session)), ...(pinned ? [session] : [])];
        },
      },
      reveal: (file) => void revealed.push(file),
      memoryEnabled: () => false,
      projectEntries: {
        load: () => entries,
        save: (next) => {
          entries = next;
        },
      },
      publish: (name, payload) => void published.push({ name, payload }),
      report: (where, error) => expect.unreachable(`${where}: ${error}`),
    });
    onTestFinished(() => core.dispose());
    return core;
  };
  const core = await open();
  const { calls } = core;
  const added = await calls.projects.add({ path: project }, caller);
  return {
    folder,
    store,
    project,
    projectId: added.project.id,
    chatsId: added.list.chatsId,
    published,
    revealed,
    core,
    calls,
    open,
  };
}

const list = async ({ calls }: Sidekeep, ownerId: string | null = null) =>
  (await calls.sessions.list({ ownerId }, caller)).rows;

test('a session of a project: made, written to, listed under it, read back, also after a restart', async () => {
  const { core, calls, projectId, chatsId, open } = await setUp();
  const { row } = await calls.sessions.create({ ownerId: projectId, text: 'How does it work?' }, caller);
  expect(row).toMatchObject({ ownerId: projectId, title: 'How does it work?', turns: 1, ours: true, health: 'good' });
  const { session } = row;
  const appended = await calls.sessions.append({ session, text: 'And why?', messageId: 'm2' }, caller);
  expect(appended).toMatchObject({ message: { index: 1, id: 'm2', content: 'And why?', role: 'user' }, total: 2 });
  const again = await calls.sessions.append({ session, text: 'And why?', messageId: 'm2' }, caller);
  expect(again).toMatchObject({ message: { index: 1, id: 'm2' }, total: 2 });
  expect(await list(core, projectId)).toMatchObject([{ session }]);
  expect(await list(core, chatsId)).toEqual([]);
  await core.dispose();
  const restarted = await open();
  const page = await restarted.calls.sessions.page({ session }, caller);
  expect(page.messages.map(({ content }) => content)).toEqual(['How does it work?', 'And why?']);
  expect(await restarted.calls.sessions.get({ session }, caller)).toMatchObject({ readOnly: null, format: 'log-1' });
  const third = await restarted.calls.sessions.append({ session, text: 'Three', messageId: 'm3' }, caller);
  expect(third).toMatchObject({ message: { index: 2 }, total: 3 });
});

test('what another program appends is told to whoever reads', async () => {
  const { calls, store, published } = await setUp();
  const file = join(store, 'foreign.jsonl');
  await writeFile(file, '{"role":"user","id":"a","content":"One"}\n');
  const session = { store: 'global', id: 'foreign' };
  await expect.poll(async () => (await calls.sessions.list({ ownerId: null }, caller)).rows.length).toBe(1);
  expect(await calls.sessions.page({ session }, caller)).toMatchObject({ total: 1, complete: true });
  await writeFile(file, '{"role":"assistant","id":"b","content":"Two"}\n', { flag: 'a' });
  const told = () => published.filter(({ name }) => name === 'sessions.appended').map(({ payload }) => payload);
  await expect.poll(() => told().at(-1), { timeout: 10_000 }).toMatchObject({ session, total: 2 });
  expect(await calls.sessions.get({ session }, caller)).toMatchObject({ readOnly: 'foreign', format: 'transcript' });
  await expect(calls.sessions.append({ session, text: 'x', messageId: 'x' }, caller)).rejects.toMatchObject({
    code: 'conflict',
  });
  expect((await readdir(store)).sort()).toEqual(['foreign.jsonl']);
});

test('a foreign session is continued as a copy; the other one stays as it is', async () => {
  const { calls, store, projectId } = await setUp();
  const bytes =
    '{"role":"user","id":"a","content":"One","extra":{"x":1}}\nnot json\n{"role":"assistant","id":"b","content":"Two"}\n';
  await writeFile(join(store, 'foreign.jsonl'), bytes);
  const source = { store: 'global', id: 'foreign' };
  const { row } = await calls.sessions.fork({ session: source, ownerId: projectId }, caller);
  expect(row).toMatchObject({ ownerId: projectId, ours: true, parentId: 'foreign' });
  const page = await calls.sessions.page({ session: row.session }, caller);
  expect(page.messages.map(({ content }) => content)).toEqual(['One', 'Two']);
  const upTo = await calls.sessions.fork({ session: source, ownerId: projectId, index: 2 }, caller);
  expect((await calls.sessions.page({ session: upTo.row.session }, caller)).total).toBe(2);
  await expect(calls.sessions.fork({ session: source, ownerId: projectId, index: 9 }, caller)).rejects.toMatchObject({
    code: 'not-found',
  });
  expect(await readFile(join(store, 'foreign.jsonl'), 'utf8')).toBe(bytes);
  await calls.sessions.append({ session: row.session, text: 'Three', messageId: 'c' }, caller);
  expect((await calls.sessions.page({ session: row.session }, caller)).total).toBe(3);
});

test('deleted it is gone from the list and says where it is; restored it is as it was; purged it is nowhere', async () => {
  const { core, calls, chatsId, folder } = await setUp();
  const { row } = await calls.sessions.create({ ownerId: chatsId, text: 'a secret text' }, caller);
  const { session } = row;
  expect(row.ownerId).toBe(chatsId);
  const { trashed } = await calls.sessions.delete({ session }, caller);
  if (trashed === null) return expect.unreachable();
  expect(await list(core)).toEqual([]);
  await expect(calls.sessions.page({ session }, caller)).rejects.toMatchObject({
    code: 'not-found',
    detail: { trashed: trashed.name },
  });
  await expect(calls.sessions.append({ session, text: 'late', messageId: 'late' }, caller)).rejects.toMatchObject({
    code: 'not-found',
  });
  const restored = await calls.sessions.restore(trashed, caller);
  expect(restored.row).toMatchObject({ session, title: 'a secret text' });
  expect((await calls.sessions.page({ session }, caller)).messages).toMatchObject([{ content: 'a secret text' }]);
  await calls.sessions.append({ session, text: 'after', messageId: 'after' }, caller);
  const second = await calls.sessions.delete({ session }, caller);
  const { items } = await calls.sessions.trash({}, caller);
  expect(items).toMatchObject([{ session, title: 'a secret text', problem: null }]);
  expect(await calls.sessions.purge({ items: second.trashed ? [second.trashed] : [] }, caller)).toMatchObject({
    purged: 1,
  });
  await core.dispose();
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of names.filter((one) => one.isFile())) {
    expect(await readFile(join(entry.parentPath, entry.name), 'utf8')).not.toContain('a secret text');
  }
});

test('a title of its own, a pin and showing the file', async () => {
  const { core, calls, chatsId, revealed, store } = await setUp();
  const first = await calls.sessions.create({ ownerId: chatsId, text: 'first' }, caller);
  await calls.sessions.create({ ownerId: chatsId, text: 'second' }, caller);
  const { session } = first.row;
  const renamed = await calls.sessions.rename({ session, title: 'Mine', seen: '' }, caller);
  expect(renamed.row).toMatchObject({ title: 'Mine', titleSource: 'custom' });
  await expect(calls.sessions.rename({ session, title: 'Other', seen: '' }, caller)).rejects.toMatchObject({
    code: 'conflict',
  });
  expect((await list(core)).map(({ title }) => title)).toEqual(['second', 'Mine']);
  expect((await calls.sessions.pin({ session, pinned: true }, caller)).row.pinned).toBe(true);
  expect((await list(core)).map(({ title }) => title)).toEqual(['Mine', 'second']);
  await calls.sessions.reveal({ session }, caller);
  expect(revealed).toEqual([join(store, `${session.id}.jsonl`)]);
});

test('one try of a creation makes one session, whatever answer was lost', async () => {
  const { core, calls, chatsId } = await setUp();
  const input = { ownerId: chatsId, text: 'once', requestId: 'r1' };
  const both = await Promise.all([calls.sessions.create(input, caller), calls.sessions.create(input, caller)]);
  expect(both[0].row.session).toEqual(both[1].row.session);
  expect(await list(core)).toHaveLength(1);
});

test('an owner that is not known gets no session', async () => {
  const { core, calls } = await setUp();
  await expect(calls.sessions.create({ ownerId: 'nobody', text: 'x' }, caller)).rejects.toMatchObject({
    code: 'not-found',
  });
  expect(await list(core)).toEqual([]);
});

test('one try of a creation makes one session also after a restart, and a copy of it is not taken for it', async () => {
  const { core, calls, chatsId, open } = await setUp();
  const input = { ownerId: chatsId, text: 'once', requestId: 'r "1"\u2028' };
  const made = await calls.sessions.create(input, caller);
  const { session } = made.row;
  expect((await calls.sessions.page({ session }, caller)).messages).toMatchObject([{ id: input.requestId }]);
  await calls.sessions.fork({ session }, caller);
  await core.dispose();
  const restarted = await open();
  const again = await restarted.calls.sessions.create(input, caller);
  expect(again.row.session).toEqual(session);
  expect(await list(restarted)).toHaveLength(2);
  const other = await restarted.calls.sessions.create({ ...input, requestId: 'r2' }, caller);
  expect(other.row.session).not.toEqual(session);
  // Whoever deletes it is through with it.
  await restarted.calls.sessions.delete({ session }, caller);
  const anew = await restarted.calls.sessions.create(input, caller);
  expect(anew.row.session).not.toEqual(session);
  expect(await list(restarted)).toHaveLength(3);
});

test('what a program writes to a deleted session is listed as that, also after a restart, until it is brought back', async () => {
  const { core, calls, chatsId, store, open } = await setUp();
  const { session } = (await calls.sessions.create({ ownerId: chatsId, text: 'mine' }, caller)).row;
  const { trashed } = await calls.sessions.delete({ session }, caller);
  if (trashed === null) return expect.unreachable();
  await writeFile(join(store, `${session.id}.jsonl`), '{"role":"user","id":"l","content":"late"}\n');
  const returned = { session, health: 'damaged', reason: expect.stringContaining('was deleted here') };
  await expect.poll(() => list(core)).toMatchObject([returned]);
  await core.dispose();
  const restarted = await open();
  await expect.poll(() => list(restarted)).toMatchObject([returned]);
  await expect(restarted.calls.sessions.restore(trashed, caller)).rejects.toMatchObject({ code: 'conflict' });
  await restarted.calls.sessions.delete({ session }, caller);
  expect(await list(restarted)).toEqual([]);
  const { row } = await restarted.calls.sessions.restore(trashed, caller);
  expect(row).toMatchObject({ session, health: 'good', reason: null, title: 'mine' });
});

test('whoever shows a session is told when another program takes it and lets go of it', async () => {
  const { core, calls, chatsId, store, published } = await setUp();
  const { session } = (await calls.sessions.create({ ownerId: chatsId, text: 'mine' }, caller)).row;
  await list(core);
  const watcher = () => calls.watcher.status({}, caller);
  await expect.poll(watcher, { timeout: 20_000 }).toMatchObject({ state: 'watching' });
  const told = () =>
    published.filter(({ name, payload }) => {
      return name === 'sessions.changed' && JSON.stringify(payload).includes(session.id);
    }).length;
  await expect.poll(() => core.calls.sessions.get({ session }, caller)).toMatchObject({ readOnly: null });
  const since = async (): Promise<number> => {
    // The pushes of what was written before have come.
    let before = -1;
    while (before !== told()) {
      before = told();
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    return before;
  };
  const quiet = await since();
  const lease = join(store, `${session.id}.jsonl.lease.json`);
  const owner = { session_path: 'x', writer_id: 'w', pid: process.ppid, hostname: hostname() };
  await writeFile(lease, JSON.stringify({ ...owner, acquired_at: new Date().toISOString() }));
  await expect.poll(told, { timeout: 20_000 }).toBeGreaterThan(quiet);
  expect(await calls.sessions.get({ session }, caller)).toMatchObject({ readOnly: 'in-use' });
  const taken = await since();
  await rm(lease);
  await expect.poll(told, { timeout: 20_000 }).toBeGreaterThan(taken);
  expect(await calls.sessions.get({ session }, caller)).toMatchObject({ readOnly: null, holder: null });
}, 60_000);

test('a torn end that is set aside before a message is told with the row', async () => {
  const { core, calls, chatsId, store, open } = await setUp();
  const { session } = (await calls.sessions.create({ ownerId: chatsId, text: 'mine' }, caller)).row;
  await core.dispose();
  await writeFile(join(store, `${session.id}.events.jsonl`), '{"schema_vers', { flag: 'a' });
  const restarted = await open();
  await restarted.calls.sessions.append({ session, text: 'next', messageId: 'm2' }, caller);
  const [row] = await list(restarted);
  expect(row).toMatchObject({ health: 'damaged', reason: expect.stringMatching(/^13 bytes .* set aside/) });
  expect((await restarted.calls.sessions.page({ session }, caller)).messages).toHaveLength(2);
}, 30_000);
