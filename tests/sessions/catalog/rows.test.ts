import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionRow } from '../../../src/contract/entities.ts';
import { GENERIC_TITLE } from '../../../src/sessions/catalog/title.ts';
import { assistant, certified, countingOpens, lines, ref, testCatalog, until, user } from './support.ts';

const row = (rows: readonly SessionRow[], id: string): SessionRow => {
  const found = rows.find(({ session }) => session.id === id);
  return found ?? expect.unreachable(`${id} is not listed`);
};

test('what a meta file certifies is listed without opening transcript or log', async () => {
  const { fileSystem, opened } = countingOpens();
  const { rows } = await testCatalog({
    fileSystem,
    files: {
      's1.jsonl': 'not even JSON',
      's1.events.jsonl': 'neither',
      's1.jsonl.meta': certified({
        custom_title: 'Mine',
        workspace_root: '/home/dev/demo',
        created_at: '2026-02-01T00:00:00.5Z',
      }),
    },
  });
  expect(row(await rows(), 's1')).toEqual({
    session: ref('s1'),
    ownerId: `path_${Buffer.from('/home/dev/demo').toString('base64url')}`,
    title: 'Mine',
    titleSource: 'custom',
    preview: 'From the details',
    turns: 2,
    lastActivity: Date.parse('2026-03-01T10:00:00Z'),
    createdAt: Date.parse('2026-02-01T00:00:00.500Z'),
    bytes: 'neither'.length,
    health: 'good',
    reason: null,
    ours: false,
    pinned: false,
    parentId: null,
    recoveryOf: null,
  });
  expect([...opened.keys()]).toEqual(['s1.jsonl.meta']);
});

test('titles: custom, topic, title map, preview, a generic one', async () => {
  const { rows } = await testCatalog({
    files: {
      '.titles.json': JSON.stringify({ 'a.jsonl': 'map a', 'b.jsonl': 'map b', 'c.jsonl': 'map c', 'x.jsonl': 7 }),
      'a.jsonl': lines(user('hello')),
      'a.jsonl.meta': JSON.stringify({ custom_title: 'custom a', topic_title: 'topic a' }),
      'b.jsonl': lines(user('hello')),
      'b.jsonl.meta': JSON.stringify({ topic_title: 'topic b' }),
      'c.jsonl': lines(user('hello')),
      'd.jsonl': lines(user('@README.md @"a b.txt" what does this do?')),
      'e.jsonl': lines({ role: 'system', content: 'You are careful.' }),
    },
  });
  const listed = await rows();
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => [row(listed, id).title, row(listed, id).titleSource])).toEqual([
    ['custom a', 'custom'],
    ['topic b', 'topic'],
    ['map c', 'map'],
    ['what does this do?', 'preview'],
    [GENERIC_TITLE, 'generic'],
  ]);
});

test('titles and previews carry no control characters, marks of direction or half characters', async () => {
  const nasty = 'one\u001b[31m\ntwo\u202ethree\u2066\u200b\ud800four\u{e0041}\u0000';
  const { rows } = await testCatalog({
    files: {
      'a.jsonl': lines(user(nasty)),
      'b.jsonl': lines(user('x')),
      'b.jsonl.meta': JSON.stringify({ custom_title: nasty }),
      'c.jsonl': lines(user('x')),
      'c.jsonl.meta': JSON.stringify({ custom_title: '\u202e\u200b' }),
    },
  });
  const listed = await rows();
  expect(row(listed, 'a').preview).toBe('one [31m twothree\ufffdfour');
  expect(row(listed, 'b').title).toBe('one [31m twothree\ufffdfour');
  expect(row(listed, 'c')).toMatchObject({ title: 'x', titleSource: 'preview' });
});

test('a giant title or preview is cut, at a character', async () => {
  const { rows } = await testCatalog({
    files: {
      'a.jsonl': lines(user('😀'.repeat(10_000))),
      'a.jsonl.meta': JSON.stringify({ custom_title: '😀'.repeat(500_000) }),
    },
  });
  const { title, preview } = row(await rows(), 'a');
  expect([title, preview]).toEqual(['😀'.repeat(100), `${'😀'.repeat(77)}…`]);
});

test('turns count what a person wrote, and nothing else', async () => {
  const { rows } = await testCatalog({
    files: {
      'a.jsonl': lines(
        { role: 'system', content: 's' },
        user('<system-reminder>be nice</system-reminder>'),
        user('from the program', { origin: 'host' }),
        user('first'),
        assistant('answer'),
        user('   '),
        { role: 'tool', tool_call_id: 'c', content: 'result' },
        user('<system-reminder>x</system-reminder>second'),
      ),
    },
  });
  expect(row(await rows(), 'a')).toMatchObject({ turns: 2, preview: 'first', health: 'good' });
});

test('a zero of an older version is not certain; a certain zero hides the row and deletes nothing', async () => {
  const files = {
    'old.jsonl': lines(user('there is something')),
    'old.jsonl.meta': certified({ turns: 0, schema_version: 1, preview: '' }),
    'empty.jsonl': lines({ role: 'system', content: 's' }),
    'empty.jsonl.meta': certified({ turns: 0, preview: '' }),
    'named.jsonl': lines({ role: 'system', content: 's' }),
    'named.jsonl.meta': certified({ turns: 0, preview: '', custom_title: 'Kept' }),
  };
  const { catalog, ids, store } = await testCatalog({ files });
  expect((await ids()).sort()).toEqual(['named', 'old']);
  expect(catalog.row(ref('old'))?.turns).toBe(1);
  expect(catalog.row(ref('empty'))?.turns).toBeNull();
  expect(await store.read()).toEqual(files);
});

test('a listing whose ledger went on is not believed', async () => {
  const { rows } = await testCatalog({
    files: { 'a.jsonl': lines(user('one'), user('two'), user('three')), 'a.jsonl.meta': certified({ revision: 4 }) },
  });
  expect(row(await rows(), 'a')).toMatchObject({ turns: 3, preview: 'one' });
});

test('times of files do not order the list where activity was recorded', async () => {
  const { store, ids, rows } = await testCatalog({
    files: {
      's_old.jsonl': lines(user('x', { createdAt: Date.parse('2026-01-01') })),
      's_new.jsonl': lines(user('x', { createdAt: Date.parse('2026-06-01') })),
    },
  });
  expect(await ids()).toEqual(['s_new', 's_old']);
  const now = new Date();
  await utimes(join(store.folder, 's_old.jsonl'), now, now);
  expect(await ids()).toEqual(['s_new', 's_old']);
  const past = new Date('2001-01-01');
  await utimes(join(store.folder, 's_new.jsonl'), past, past);
  expect(await ids()).toEqual(['s_new', 's_old']);
  expect(row(await rows(), 's_new').lastActivity).toBe(Date.parse('2026-06-01'));
});

test('a time that the clock has not reached, or the year 1, is no recorded time', async () => {
  const { store, rows } = await testCatalog({
    files: {
      'a.jsonl': lines(user('x')),
      'a.jsonl.meta': certified({ updated_at: '2999-01-01T00:00:00Z', created_at: '0001-01-01T00:00:00Z' }),
      'b.jsonl': lines(user('x')),
      'b.jsonl.meta': certified({ updated_at: '2026-03-01T12:00:00.123456789+02:00' }),
    },
  });
  const changed = new Date('2026-02-02T00:00:00Z');
  await utimes(join(store.folder, 'a.jsonl'), changed, changed);
  const listed = await rows();
  expect(row(listed, 'a')).toMatchObject({ lastActivity: changed.getTime(), createdAt: null });
  expect(row(listed, 'b').lastActivity).toBe(Date.parse('2026-03-01T10:00:00.123Z'));
});

test('rescued copies and copies of sync tools are listed under the session that they are of, while it is there', async () => {
  const long = 'l'.repeat(100);
  const copies = {
    's1-recovery-0123456789abcdef': 's1',
    's1-recovery-0123456789abcdef-recovery-fedcba9876543210': 's1',
    's1.sync-conflict-20260101-120000-ABCDEFG': 's1',
    's1 (conflicted copy)': 's1',
    "s1 (Bob's conflicted copy 2026-01-01)": 's1',
    [`${'l'.repeat(80)}-recovery-0123456789abcdef`]: long,
    'gone-recovery-0123456789abcdef': null,
    'recovery-notes': null,
  };
  const { store, catalog, rows } = await testCatalog({
    files: Object.fromEntries(['s1', long, ...Object.keys(copies)].map((id) => [`${id}.jsonl`, lines(user(id))])),
  });
  const listed = await rows();
  expect(listed).toHaveLength(10);
  for (const [id, root] of Object.entries(copies)) expect(row(listed, id).recoveryOf, id).toBe(root);
  const before = await store.read();
  await rm(join(store.folder, 's1.jsonl'));
  catalog.hint('global', ['s1.jsonl']);
  await until(async () => catalog.row(ref('s1 (conflicted copy)'))?.recoveryOf === null);
  const { 's1.jsonl': _gone, ...left } = before;
  expect(await store.read()).toEqual(left);
});

test('a session of ours is told by its id and its writer', async () => {
  const mine = '20260101-100000.123456789-sidekeep';
  const writer = 'sidekeep.host-1-0123456789abcdef';
  const record = (writer_id: string): string =>
    lines({
      schema_version: 1,
      type: 'replace',
      revision: 1,
      messages: [user('x')],
      writer_id,
      created_at: '2026-01-01T10:00:00Z',
    });
  const { rows } = await testCatalog({
    files: {
      [`${mine}.jsonl`]: lines(user('x')),
      [`${mine}.jsonl.meta`]: certified({ writer_id: writer }),
      '20260101-100000.123456780-sidekeep.jsonl': '',
      '20260101-100000.123456780-sidekeep.events.jsonl': record(writer),
      '20260101-100000.123456781-sidekeep.jsonl': '',
      '20260101-100000.123456781-sidekeep.events.jsonl': record('host-1-0123456789abcdef'),
      'other.jsonl': lines(user('x')),
      'other.jsonl.meta': certified({ writer_id: writer }),
    },
  });
  const listed = await rows();
  expect(Object.fromEntries(listed.map(({ session, ours }) => [session.id, ours]))).toEqual({
    [mine]: true,
    '20260101-100000.123456780-sidekeep': true,
    '20260101-100000.123456781-sidekeep': false,
    other: false,
  });
  expect(row(listed, mine).createdAt).toBe(Date.parse('2026-01-01T10:00:00Z'));
});

test('a session whose folder is gone is listed', async () => {
  const { rows } = await testCatalog({
    files: { 's1.jsonl': lines(user('x')), 's1.jsonl.meta': certified({ workspace_root: '/elsewhere/x' }) },
  });
  expect(row(await rows(), 's1').ownerId).toBe(`path_${Buffer.from('/elsewhere/x').toString('base64url')}`);
});
