import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasOurForm, isNewId } from '../../../src/sessions/session-id.ts';
import { storedForCopy } from '../../../src/sessions/stored-for-copy.ts';
import type { StoredMessages } from '../../../src/sessions/writing/fork.ts';
import {
  filesIn,
  linesOf,
  made,
  place,
  put,
  type Rig,
  recordsIn,
  said,
  setUp,
  slowDigest,
  textsIn,
} from './support.ts';

/** The rows of a plain transcript up to the one that is wanted, read as the program reads them. */
const stored = (rig: () => Rig): StoredMessages =>
  storedForCopy({
    async *stored({ id }, { to = Number.POSITIVE_INFINITY } = {}) {
      let index = 0;
      for await (const bytes of linesOf(await readFile(join(rig().folder, `${id}.jsonl`)))) {
        if (index < to) yield { index: index++, kind: 'message', id: null, bytes };
      }
    },
  });

async function setUpForks(): Promise<Rig> {
  const rig: Rig = await setUp({ storedMessages: stored(() => rig) });
  return rig;
}

test('a new session is whole: its log, transcript, details and index agree', async () => {
  const rig = await setUp();
  const { session, meta, total } = await rig.writers.create({
    ...place,
    title: 'Mine',
    messages: [said('a'), said('b')],
  });
  expect(total).toBe(2);
  expect(hasOurForm(session.id) && isNewId(session.id)).toBe(true);
  expect(Object.keys(await filesIn(rig.folder))).toEqual(
    ['.event-index.json', '.events.jsonl', '.jsonl', '.jsonl.meta'].map((suffix) => `${session.id}${suffix}`),
  );
  const transcript = (await readFile(rig.path(session, '.jsonl'), 'utf8')).split('\n').slice(0, -1);
  const digest = slowDigest(transcript);
  const records = await recordsIn(rig.path(session, '.events.jsonl'));
  expect(records).toMatchObject([
    {
      schema_version: 1,
      type: 'replace',
      revision: 1,
      reason: 'create',
      content_digest: digest,
      writer_id: rig.writers.writerId,
    },
  ]);
  expect(records[0]?.messages?.map((message) => JSON.stringify(message))).toEqual(transcript);
  expect(rig.writers.writerId).toMatch(/^sidekeep\.[A-Za-z0-9\-_.]+-\d+-[0-9a-f]{16}$/);
  expect(JSON.parse(await readFile(rig.path(session, '.jsonl.meta'), 'utf8'))).toEqual(meta);
  expect(meta).toMatchObject({ id: session.id, custom_title: 'Mine', revision: 1, turns: 2, scope: 'project' });
  const empty = await rig.writers.create({ ...place, workspaceRoot: null, scope: 'global' });
  expect(await readFile(rig.path(empty.session, '.jsonl'), 'utf8')).toBe('');
  expect(empty.meta).not.toHaveProperty('workspace_root');
  expect((await rig.writers.append(empty.session, [said('x')])).index).toBe(0);
});

test('a second try of a creation answers the session of the first', async () => {
  const rig = await setUp();
  const tries = await Promise.all(
    [1, 2, 3].map(() => rig.writers.create({ ...place, requestId: 'r', messages: [said('a')] })),
  );
  expect(new Set(tries.map(({ session }) => session.id)).size).toBe(1);
  expect(Object.keys(await filesIn(rig.folder))).toHaveLength(4);
});

test('a hundred creations at once make a hundred sessions, each in its store', async () => {
  const rig = await setUp();
  const sessions = await Promise.all(Array.from({ length: 100 }, () => made(rig, 'x')));
  expect(new Set(sessions.map(({ id }) => id)).size).toBe(100);
  const other = await rig.writers.create({ ...place, store: 'project:demo', messages: [said('y')] });
  expect(await filesIn(join(rig.root, 'projects', 'demo', 'sessions'))).toHaveProperty(`${other.session.id}.jsonl`);
});

test('an id that has any file already is not taken, whatever that file is', async () => {
  const ids: string[] = [];
  const rig = await setUp({ newId: () => ids.shift() ?? 'none-left' });
  await put(rig, 'a', { '.goal-state.json': 'KEEP' });
  await put(rig, 'b', { '.jsonl': '' });
  await put(rig, 'c', {});
  await symlink('/nowhere', join(rig.folder, 'c.ckpt'));
  ids.push('a', 'b', 'c', 'd');
  const before = await filesIn(rig.folder);
  expect((await made(rig, 'x')).id).toBe('d');
  expect(await filesIn(rig.folder)).toMatchObject(before);
  ids.push('a', 'a', 'a', 'a', 'a');
  await expect(made(rig, 'x')).rejects.toMatchObject({ code: 'io' });
});

test('nothing is made through a link in place of the folder of a workspace', async () => {
  const rig = await setUp();
  const { mkdir } = await import('node:fs/promises');
  await mkdir(join(rig.root, 'outside', 'sessions'), { recursive: true });
  await mkdir(join(rig.root, 'projects'), { recursive: true });
  await symlink(join(rig.root, 'outside'), join(rig.root, 'projects', 'demo'));
  await expect(rig.writers.create({ ...place, store: 'project:demo' })).rejects.toMatchObject({ code: 'io' });
  expect(await filesIn(join(rig.root, 'outside', 'sessions'))).toEqual({});
});

test('a copy of a session has its messages up to one, and goes on by itself', async () => {
  const rig = await setUpForks();
  const session = await made(rig, 'a', 'b', 'c');
  const { session: copy, meta, total } = await rig.writers.fork({ ...place, source: session, index: 1, title: 'Copy' });
  expect(total).toBe(2);
  expect(meta).toMatchObject({ parent_id: session.id, fork_message_index: 1, custom_title: 'Copy', turns: 2 });
  expect(await recordsIn(rig.path(copy, '.events.jsonl'))).toMatchObject([
    { type: 'replace', reason: 'fork', revision: 1 },
  ]);
  expect(await filesIn(rig.folder)).not.toHaveProperty(`${copy.id}.cleanup-pending.json`);
  expect((await rig.writers.append(copy, [said('d')])).index).toBe(2);
  expect(await textsIn(rig.path(copy, '.events.jsonl'))).toEqual(['a', 'b', 'd']);
  expect(await textsIn(rig.path(session, '.events.jsonl'))).toEqual(['a', 'b', 'c']);
  await rig.writers.flush();
  const before = await filesIn(rig.folder);
  await expect(rig.writers.fork({ ...place, source: session, index: 7 })).rejects.toMatchObject({ code: 'not-found' });
  expect(await filesIn(rig.folder)).toEqual(before);
  const elsewhere = await rig.writers.fork({ ...place, store: 'project:demo', source: session });
  expect(elsewhere.meta).not.toHaveProperty('parent_id');
});

test('a session of another program is taken over as a copy: ids, unknown fields and numbers as they are', async () => {
  const rig = await setUpForks();
  const lines = [
    '{"role":"system","id":"s","content":"be brief"}',
    '{"role":"user","id":"u","content":"a<b","unknown":{"big":12345678901234567890},"createdAt":5}',
    '{"createdAt":7, "role":"assistant","content":"cut \\ud83d","tool_calls":[{"id":"c","name":"n","arguments":"{}"}]}',
  ];
  const foreign = await put(rig, 'foreign', { '.jsonl': `${lines.join('\n')}\n` });
  const before = await readFile(join(rig.folder, 'foreign.jsonl'));
  const { session, meta } = await rig.writers.fork({ ...place, source: foreign });
  expect(await readFile(rig.path(session, '.jsonl'), 'utf8')).toBe(`${lines.join('\n')}\n`);
  const log = await readFile(rig.path(session, '.events.jsonl'), 'utf8');
  for (const line of lines) expect(log).toContain(line);
  expect(meta).toMatchObject({ parent_id: 'foreign', fork_message_index: 2, turns: 1, preview: 'a<b' });
  expect((await recordsIn(rig.path(session, '.events.jsonl')))[0]).toMatchObject({ reason: 'import' });
  expect(await readFile(join(rig.folder, 'foreign.jsonl'))).toEqual(before);
  await rig.restart();
  expect((await rig.writers.append(session, [said('next')])).index).toBe(3);
});

test('a long session is copied piece by piece: no record is large, and not all of it is in memory', async () => {
  const count = 40_000;
  const text = 'z'.repeat(2000);
  let held = 0;
  const rig = await setUp({
    storedMessages: async function* () {
      for (let index = 0; index < count; index++) {
        yield Buffer.from(`{"role":"user","id":"i${index}","content":"${text}"}`);
        if (index % 5000 === 0) held = Math.max(held, process.memoryUsage().arrayBuffers);
      }
    },
  });
  const before = process.memoryUsage().arrayBuffers;
  const { session, total } = await rig.writers.fork({ ...place, source: { store: 'global', id: 'long' } });
  expect(total).toBe(count);
  expect(held - before).toBeLessThan(60_000_000);
  const lines = (await readFile(rig.path(session, '.events.jsonl'), 'utf8')).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1.2 * 1024 * 1024);
  expect(lines.length).toBeGreaterThan(70);
  expect((await rig.writers.append(session, [said('next')])).index).toBe(count);
}, 60_000);

test('what cannot be copied leaves nothing of the copy behind', async () => {
  for (const bad of ['{"role":', '[1]', '"text"', `{"content":"${'x'.repeat(17_000_000)}"}`]) {
    const rig = await setUp({
      storedMessages: async function* () {
        yield Buffer.from('{"role":"user","content":"a"}');
        yield Buffer.from(bad);
      },
    });
    await expect(rig.writers.fork({ ...place, source: { store: 'global', id: 'x' } })).rejects.toMatchObject({
      code: 'malformed',
    });
    expect(await filesIn(rig.folder)).toEqual({});
  }
});

test('a title is the only thing that is written of a session of another program', async () => {
  const rig = await setUp();
  const meta = '{"id":"f","revision":3,"topic_title":"Old","big":12345678901234567890}';
  const session = await put(rig, 'f', { '.jsonl': '{"role":"user","content":"x"}\n', '.jsonl.meta': meta });
  await rig.writers.rename(session, { title: 'New <title>', seen: 'Old' });
  const text = await readFile(join(rig.folder, 'f.jsonl.meta'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ id: 'f', revision: 3, topic_title: 'Old', custom_title: 'New <title>' });
  expect(text).toContain('12345678901234567890');
  await expect(rig.writers.rename(session, { title: 'Third', seen: 'Old' })).rejects.toMatchObject({
    code: 'conflict',
    detail: { title: 'New <title>' },
  });
  await rig.writers.rename(session, { title: null, seen: 'New <title>' });
  expect(JSON.parse(await readFile(join(rig.folder, 'f.jsonl.meta'), 'utf8'))).not.toHaveProperty('custom_title');
  expect(Object.keys(await filesIn(rig.folder))).toEqual(['f.jsonl', 'f.jsonl.meta']);
});

test('a session without details gets them with its title; damaged ones are left alone', async () => {
  const rig = await setUp();
  const session = await put(rig, 'f', { '.jsonl': '' });
  await rig.writers.rename(session, { title: 'T' });
  expect(JSON.parse(await readFile(join(rig.folder, 'f.jsonl.meta'), 'utf8'))).toEqual({ custom_title: 'T' });
  await writeFile(join(rig.folder, 'f.jsonl.meta'), '{"custom_ti');
  await expect(rig.writers.rename(session, { title: 'U' })).rejects.toMatchObject({ code: 'malformed' });
  expect(await readFile(join(rig.folder, 'f.jsonl.meta'), 'utf8')).toBe('{"custom_ti');
});

test('a new title and a message at the same time both stay', async () => {
  const rig = await setUp({ checkpointDelay: 0 });
  const session = await made(rig, 'first');
  for (let round = 0; round < 20; round++) {
    await Promise.all([
      rig.writers.append(session, [said(`message ${round}`)]),
      rig.writers.rename(session, { title: `Title ${round}` }),
      rig.writers.flush(session),
    ]);
    await rig.writers.flush();
    const meta = JSON.parse(await readFile(rig.path(session, '.jsonl.meta'), 'utf8'));
    expect(meta).toMatchObject({ custom_title: `Title ${round}`, revision: round + 2 });
  }
});

test('an id is not taken that is spent though no file has it', async () => {
  const ids = ['a', 'b', 'c'];
  const asked: string[] = [];
  const rig = await setUp({
    newId: () => ids.shift() ?? 'none-left',
    isUsed: async ({ store, id }) => {
      asked.push(`${store} ${id}`);
      return id !== 'c';
    },
  });
  expect((await made(rig, 'x')).id).toBe('c');
  expect(asked).toEqual(['global a', 'global b', 'global c']);
  expect(Object.keys(await filesIn(rig.folder)).every((name) => name.startsWith('c.'))).toBe(true);
});
