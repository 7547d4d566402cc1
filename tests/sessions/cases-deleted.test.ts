import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { caller, inGlobal, line, listed, rows, texts, wholeCore } from './whole-core.ts';

const sidecars = [
  '.jsonl.meta',
  '.goal-state.json',
  '.events.jsonl.damaged',
  '.turns.jsonl',
  '.turns.jsonl.damaged',
  '.event-index.json',
  '.display-index.json',
  '.transcript-projection.json',
  '.conflicts.jsonl',
  '.recovery.json',
  '.context.json',
  '.pinned-context.json',
  '.guardian.jsonl',
  '.wire.jsonl',
  '.adjudication.jsonl',
  '.execution.jsonl',
  '.jsonl.telemetry.json',
];

/** A session with everything that may lie beside one, each with a text of its own. */
async function fullSession(store: string, id: string): Promise<void> {
  const mark = `MARK-${id}`;
  await writeFile(join(store, `${id}.jsonl`), line('a', mark));
  for (const suffix of sidecars) await writeFile(join(store, id + suffix), `{"text":"${mark}"}\n`);
  for (const folder of ['.ckpt', '.jobs', '.inbox']) {
    await mkdir(join(store, id + folder, 'deep', 'deeper'), { recursive: true });
    await writeFile(join(store, id + folder, 'deep', 'deeper', 'x.json'), mark);
  }
}

/** Files below a folder that hold a text. */
async function holding(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const found = await Promise.all(files.map(async (file) => ((await readFile(file)).includes(text) ? [file] : [])));
  return found.flat();
}

const live = async (store: string) => (await readdir(store)).filter((name) => name !== '.trash').sort();

// anthropics/claude-code#96058, zszz3/AgentRecall#306
test('what was deleted is in the trash alone, and what was removed for good nowhere, cache included', async () => {
  const { folder, store, open } = await wholeCore();
  await fullSession(store, 's1');
  await fullSession(store, 's2');
  const core = await open();
  expect((await listed(core)).sort()).toEqual(['s1', 's2']);
  await texts(core, inGlobal('s1'));
  const { trashed } = await core.calls.sessions.delete({ session: inGlobal('s1') }, caller);
  if (trashed === null) return expect.unreachable();
  expect((await live(store)).filter((name) => name.startsWith('s1.'))).toEqual([]);
  expect((await holding(store, 'MARK-s1')).filter((file) => !file.startsWith(join(store, '.trash')))).toEqual([]);
  await core.calls.sessions.purge({ items: [trashed] }, caller);
  await core.dispose();
  expect(await holding(folder, 'MARK-s1')).toEqual([]);
  const again = await open();
  expect(await listed(again)).toEqual(['s2']);
  expect(await texts(again, inGlobal('s2'))).toEqual(['MARK-s2']);
});

// esengine/DeepSeek-Reasonix#10582
test('the last session can be deleted: no other one takes its place, also after a restart', async () => {
  const { store, open } = await wholeCore();
  const core = await open();
  const { chatsId } = await core.calls.projects.list({}, caller);
  const { row } = await core.calls.sessions.create({ ownerId: chatsId, text: 'the only one' }, caller);
  await core.calls.sessions.append({ session: row.session, text: 'two', messageId: 'm2' }, caller);
  await core.calls.sessions.delete({ session: row.session }, caller);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await listed(core)).toEqual([]);
  expect(await live(store)).toEqual([]);
  await core.dispose();
  const again = await open();
  expect(await listed(again)).toEqual([]);
  expect(await live(store)).toEqual([]);
});

// can1357/oh-my-pi#11500, anthropics/claude-code#74798
test('a session that is not there is not found by any call, and none makes one', async () => {
  const { store, open } = await wholeCore();
  for (const name of ['gone.jsonl.meta', 'gone.display-index.json']) await writeFile(join(store, name), '{}\n');
  await mkdir(join(store, 'gone.ckpt'));
  const core = await open();
  const { chatsId } = await core.calls.projects.list({}, caller);
  const before = await readdir(store);
  for (const id of ['ghost', 'gone']) {
    const session = inGlobal(id);
    const { sessions } = core.calls;
    const attempts = [
      () => sessions.get({ session }, caller),
      () => sessions.page({ session }, caller),
      () => sessions.text({ session, index: 0, part: 'content', offset: 0, length: 10 }, caller),
      () => sessions.find({ session, query: 'x' }, caller),
      () => sessions.append({ session, text: 'x', messageId: 'x' }, caller),
      () => sessions.rename({ session, title: 'x' }, caller),
      () => sessions.fork({ session, ownerId: chatsId }, caller),
      () => sessions.pin({ session, pinned: true }, caller),
      () => sessions.delete({ session }, caller),
      () => sessions.reveal({ session }, caller),
    ];
    for (const attempt of attempts) {
      await expect(attempt(), `${attempt}`).rejects.toMatchObject({ code: 'not-found' });
    }
  }
  expect(await listed(core)).toEqual([]);
  expect(await readdir(store)).toEqual(before);
  const { findings } = await core.calls.sessions.report({}, caller);
  expect(findings).toMatchObject([{ kind: 'orphan', session: inGlobal('gone') }]);
});

// can1357/oh-my-pi#11499
test('left-overs of a deleted session that come back by hand bring no session back', async () => {
  const { store, open } = await wholeCore();
  await fullSession(store, 's1');
  const core = await open();
  await core.calls.sessions.delete({ session: inGlobal('s1') }, caller);
  const three = [1, 2, 3].map((number) => line(`m${number}`, 'again')).join('');
  for (const name of ['s1.jsonl.bak', 's1.jsonl.tmp-99', 's1.events.jsonl.damaged']) {
    await writeFile(join(store, name), three);
  }
  core.rescan();
  expect(await listed(core)).toEqual([]);
  await core.dispose();
  const again = await open();
  expect(await listed(again)).toEqual([]);
  expect((await live(store)).filter((name) => name === 's1.jsonl' || name === 's1.events.jsonl')).toEqual([]);
});

// earendil-works/pi#9038, zed-industries/zed#39061
test('messages that are on their way while a session is deleted are answered, and none brings it back', async () => {
  const { store, open } = await wholeCore();
  const core = await open();
  const { chatsId } = await core.calls.projects.list({}, caller);
  const { row } = await core.calls.sessions.create({ ownerId: chatsId, text: 'one' }, caller);
  const { session } = row;
  const append = (number: number) =>
    core.calls.sessions.append({ session, text: `text ${number}`, messageId: `m${number}` }, caller);
  const early = Array.from({ length: 20 }, (_, number) => append(number));
  const deleted = core.calls.sessions.delete({ session }, caller);
  const late = Array.from({ length: 20 }, (_, number) => append(100 + number));
  const answers = await Promise.allSettled([...early, ...late]);
  const { trashed } = await deleted;
  const refused = answers.filter((answer) => answer.status === 'rejected');
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'not-found' });
  // Longer than the files beside the log take to follow.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect((await live(store)).filter((name) => name.startsWith(session.id))).toEqual([]);
  expect(await listed(core)).toEqual([]);
  if (trashed === null) return expect.unreachable();
  await core.calls.sessions.restore(trashed, caller);
  expect(await texts(core, session)).toHaveLength(1 + 40 - refused.length);
});

// atomantic/PortOS#4878, supermemoryai/memorybench#61
test('an id that leads elsewhere is refused by every call, and nothing outside is touched', async () => {
  const { folder, store, open } = await wholeCore();
  const victim = join(folder, 'sessions', 'victim');
  await mkdir(victim);
  await writeFile(join(victim, 'keep'), 'KEEP');
  await writeFile(join(store, '.jsonl'), line('a', 'none'));
  await writeFile(join(store, '.context.json'), 'KEEP');
  const core = await open();
  const { chatsId } = await core.calls.projects.list({}, caller);
  const before = await readdir(join(folder, 'sessions'), { recursive: true });
  const hostile = ['../victim', '..', '.', 'a/../../victim', '/etc/hostname', '..%2fvictim', 's1/../../victim'];
  const more = ['C:\\x', 's1\u0000.jsonl', '', 'a'.repeat(300), 's1\n', '.jsonl', '   '];
  const { sessions } = core.calls;
  for (const id of [...hostile, ...more]) {
    const session = inGlobal(id);
    const attempts = [
      () => sessions.get({ session }, caller),
      () => sessions.page({ session }, caller),
      () => sessions.find({ session, query: 'x' }, caller),
      () => sessions.append({ session, text: 'x', messageId: 'x' }, caller),
      () => sessions.rename({ session, title: 'x' }, caller),
      () => sessions.fork({ session, ownerId: chatsId }, caller),
      () => sessions.pin({ session, pinned: true }, caller),
      () => sessions.delete({ session }, caller),
      () => sessions.delete({ session, whenFree: true }, caller),
      () => sessions.reveal({ session }, caller),
    ];
    for (const attempt of attempts) {
      await expect(attempt(), `${JSON.stringify(id)} ${attempt}`).rejects.toMatchObject({ code: 'invalid' });
    }
  }
  for (const name of ['../victim', '..', '.', '', 'a/b']) {
    await expect(sessions.restore({ store: 'global', name }, caller)).rejects.toMatchObject({
      code: /invalid|not-found/,
    });
  }
  expect(await readdir(join(folder, 'sessions'), { recursive: true })).toEqual(before);
  expect(await readFile(join(store, '.context.json'), 'utf8')).toBe('KEEP');
  expect(await listed(core)).toEqual([]);
});

// apache/groovy#2656, janet-lang/janet#354
test('deleting and removing for good go through no link', async () => {
  const { folder, store, open } = await wholeCore();
  const outside = join(folder, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'keep'), 'KEEP');
  await writeFile(join(store, 's1.jsonl'), line('a', 'x'));
  await symlink(outside, join(store, 's1.ckpt'));
  await mkdir(join(store, 's1.jobs'));
  await symlink(outside, join(store, 's1.jobs', 'l'));
  await link(join(outside, 'keep'), join(store, 's1.jobs', 'hard'));
  const core = await open();
  const { trashed } = await core.calls.sessions.delete({ session: inGlobal('s1') }, caller);
  if (trashed === null) return expect.unreachable();
  await core.calls.sessions.purge({ items: [trashed] }, caller);
  expect(await readFile(join(outside, 'keep'), 'utf8')).toBe('KEEP');
  expect(await live(store)).toEqual([]);
});

// SatyaanM/agent-harness#15
test('a session that a live process has open is not touched, or hidden and moved when it ends', async () => {
  const { store, open } = await wholeCore();
  await fullSession(store, 's1');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  await once(child, 'spawn');
  const owner = { pid: child.pid, hostname: hostname(), acquired_at: new Date().toISOString() };
  await writeFile(join(store, 's1.jsonl.lease.json'), JSON.stringify(owner));
  await writeFile(join(store, 's1.jsonl.lease.lock'), '');
  const before = await live(store);
  const core = await open();
  await expect(core.calls.sessions.delete({ session: inGlobal('s1') }, caller)).rejects.toMatchObject({
    code: 'in-use',
  });
  expect(await live(store)).toEqual(before);
  expect(await core.calls.sessions.get({ session: inGlobal('s1') }, caller)).toMatchObject({ readOnly: 'in-use' });
  expect(await core.calls.sessions.delete({ session: inGlobal('s1'), whenFree: true }, caller)).toEqual({
    trashed: null,
    folderKept: null,
  });
  expect(await listed(core)).toEqual([]);
  expect((await live(store)).filter((name) => !name.endsWith('.cleanup-pending.json'))).toEqual(before);
  child.kill();
  await once(child, 'exit');
  await expect.poll(() => live(store), { timeout: 15_000 }).toEqual([]);
  await expect
    .poll(async () => (await core.calls.sessions.trash({}, caller)).items)
    .toMatchObject([{ session: inGlobal('s1'), problem: null }]);
}, 30_000);

// esengine/DeepSeek-Reasonix#6000, moxystudio/node-proper-lockfile#109
test('empty locks, and one of a dead process with a time in the future, keep nobody from a session of ours', async () => {
  const { store, open } = await wholeCore();
  const core = await open();
  const { chatsId } = await core.calls.projects.list({}, caller);
  const { row } = await core.calls.sessions.create({ ownerId: chatsId, text: 'one' }, caller);
  const { session } = row;
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await once(child, 'exit');
  for (const suffix of ['.jsonl.lock', '.jsonl.lease.lock']) await writeFile(join(store, session.id + suffix), '');
  const dead = { pid: child.pid, hostname: hostname(), acquired_at: '2099-01-01T00:00:00Z' };
  await writeFile(join(store, `${session.id}.jsonl.lease.json`), JSON.stringify(dead));
  expect(await core.calls.sessions.get({ session }, caller)).toMatchObject({ holder: null, readOnly: null });
  await core.calls.sessions.append({ session, text: 'two', messageId: 'm2' }, caller);
  expect(await texts(core, session)).toEqual(['one', 'two']);
  await core.calls.sessions.delete({ session }, caller);
  expect(await live(store)).toEqual([]);
  expect(await rows(core)).toEqual([]);
});
