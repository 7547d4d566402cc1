import { appendFile, cp, open, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFileSystem } from '../../../src/files/index.ts';
import { FIRST_LOOK_BYTES } from '../../../src/sessions/catalog/first-look.ts';
import { assistant, certified, lines, ref, testCatalog, until, user } from './support.ts';

const filler = (count: number, size = 5000): string =>
  Array.from({ length: count }, (_, index) =>
    lines({ role: 'tool', id: `t${index}`, tool_call_id: 'c', content: 'x'.repeat(size) }),
  ).join('');

/** A file system that counts the bytes that are read of each file. */
const countingBytes = () => {
  const read = new Map<string, number>();
  return {
    read,
    fileSystem: {
      ...nodeFileSystem,
      async open(path: string, flags: 'r' | 'wx' | 'r+' | 'a', mode?: number) {
        const handle = await nodeFileSystem.open(path, flags, mode);
        const name = path.slice(path.lastIndexOf('/') + 1);
        return {
          ...handle,
          async read(buffer: Uint8Array, offset: number, length: number, position: number) {
            const answer = await handle.read(buffer, offset, length, position);
            read.set(name, (read.get(name) ?? 0) + answer.bytesRead);
            return answer;
          },
        };
      },
    },
  };
};

test('a first message far into the file is found behind the scenes; until then the row is there', async () => {
  const { catalog, rows, pushes } = await testCatalog({
    files: { 's1.jsonl': filler(424) + lines(user('find me', { createdAt: Date.parse('2026-03-01') })) },
  });
  expect(await rows()).toMatchObject([{ turns: null, lastActivity: Date.parse('2026-03-01') }]);
  expect(catalog.state().progress).toEqual({ done: 0, total: 1 });
  await until(() => catalog.row(ref('s1'))?.turns === 1);
  expect(catalog.row(ref('s1'))).toMatchObject({ title: 'find me', titleSource: 'preview', health: 'good' });
  await until(() => catalog.state().progress === null && pushes.at(-1)?.catalog.progress === null);
});

test('the first look reads at most 64 KiB of a session, and the end of it tells the activity', async () => {
  const { read, fileSystem } = countingBytes();
  const { catalog, store } = await testCatalog({ fileSystem });
  const record = (index: number) =>
    lines({
      schema_version: 1,
      type: index === 0 ? 'replace' : 'append',
      message_index: index,
      messages: [user('x'.repeat(9000))],
      created_at: `2026-03-01T00:00:${String(index).padStart(2, '0')}Z`,
    });
  const log = Array.from({ length: 40 }, (_, index) => record(index)).join('');
  await store.write({
    'a.jsonl': lines(user('first words')) + filler(100),
    'b.jsonl': lines(user('first words')) + filler(100),
    'b.events.jsonl': log,
    'c.jsonl': '',
    'c.events.jsonl': record(0),
  });
  const first = new Map<string, number>();
  for (const id of ['a', 'b', 'c']) {
    await catalog.look(ref(id));
    const total = (read.get(`${id}.jsonl`) ?? 0) + (read.get(`${id}.events.jsonl`) ?? 0);
    first.set(id, total);
    expect(total).toBeGreaterThan(0);
  }
  expect(Math.max(...first.values())).toBeLessThanOrEqual(FIRST_LOOK_BYTES);
  expect(catalog.row(ref('a'))?.preview).toBe('first words');
  expect(catalog.row(ref('b'))).toMatchObject({ lastActivity: Date.parse('2026-03-01T00:00:39Z'), bytes: log.length });
  expect(catalog.row(ref('c'))).toMatchObject({ turns: 1 });
  await until(() => catalog.row(ref('b'))?.turns === 40);
});

test('holes, a torn end, a long line, a newer version and foreign logs', async () => {
  const record = (type: string, index: number, more: Record<string, unknown> = {}) => ({
    schema_version: 1,
    type,
    message_index: index,
    messages: [user(`m${index}`)],
    ...more,
  });
  const { store, catalog } = await testCatalog();
  const files: Record<string, string> = {
    'hole.jsonl': `${lines(user('one'))}{"role":"user","con\n${lines(user('two'))}`,
    'torn.jsonl': `${lines(user('one'))}{"role":"user","con`,
    'nolf.jsonl': lines(user('one'), user('two')).trimEnd(),
    'crlf.jsonl': `\ufeff${lines(user('one\u2028x'), user('two')).replaceAll('\n', '\r\n')}\r\n\r\n`,
    'nul.jsonl': `${lines(user('one'))}${'\0'.repeat(400)}${lines(user('two'))}`,
    'two.jsonl': `{"role":"user","content":"cut${lines(user('whole'))}`,
    'raw.jsonl': lines(user('one'), {
      role: 'tool',
      id: 'm3',
      tool_call_id: null,
      workDurationMs: '270',
      content: { odd: 1 },
    }),
    'newer.jsonl': lines(user('old copy')),
    'newer.events.jsonl': lines({ schema_version: 3, type: 'replace', messages: [] }),
    'type.jsonl': '',
    'type.events.jsonl': lines(record('replace', 0), { schema_version: 1, type: 'invented' }),
    'foreign.jsonl': lines(user('mine')),
    'foreign.events.jsonl': lines({ event: 'start' }, { event: 'stop' }),
    'checkpoint.jsonl': '',
    'checkpoint.events.jsonl': lines(record('replace', 0), record('append', 1)),
    'unplaced.jsonl': '',
    'unplaced.events.jsonl': lines(record('replace', 0), record('append', 1), record('append', 1)),
    'bad.jsonl': '[[[',
    'bad.events.jsonl': ']]]',
  };
  await store.write(files);
  const old = new Date(Date.now() - 60_000);
  for (const name of Object.keys(files)) await utimes(join(store.folder, name), old, old);
  await catalog.refreshAll();
  const shown = Object.fromEntries(
    [
      'hole',
      'torn',
      'nolf',
      'crlf',
      'nul',
      'two',
      'raw',
      'newer',
      'type',
      'foreign',
      'checkpoint',
      'unplaced',
      'bad',
    ].map((id) => {
      const row = catalog.row(ref(id));
      return [id, [row?.health, row?.turns]];
    }),
  );
  expect(shown).toEqual({
    hole: ['damaged', 2],
    torn: ['damaged', 1],
    nolf: ['good', 2],
    crlf: ['good', 2],
    nul: ['damaged', 2],
    two: ['damaged', 1],
    raw: ['good', 1],
    newer: ['too-new', null],
    type: ['too-new', null],
    foreign: ['good', 1],
    checkpoint: ['good', 2],
    unplaced: ['damaged', 3],
    bad: ['damaged', null],
  });
  expect(Object.keys(await store.read())).toHaveLength(Object.keys(files).length);
});

test('heads, rewinds, patches and redactions of a log of version 2', async () => {
  const message = (id: string, parent: string | null, content: string, more: Record<string, unknown> = {}) => ({
    schema_version: 2,
    type: 'message',
    id,
    head: 'main',
    at: `2026-03-01T00:00:0${id.length}Z`,
    ...(parent === null ? {} : { parent }),
    msgs: [user(content)],
    ...more,
  });
  const begin = [
    { schema_version: 2, type: 'log', at: '2026-03-01T00:00:00Z', generation: 1 },
    message('a', null, 'first'),
    message('bb', 'a', 'second'),
    message('ccc', 'bb', 'third'),
  ];
  const mark = (type: string, more: Record<string, unknown>) => ({
    schema_version: 2,
    type,
    at: '2026-03-01T00:00:05Z',
    ...more,
  });
  const { catalog } = await testCatalog({
    files: Object.fromEntries(
      Object.entries({
        plain: [],
        rewound: [mark('rewind', { head: 'main', to: 'a' })],
        lost: [mark('rewind', { head: 'main', to: 'nowhere' })],
        emptied: [mark('rewind', { head: 'main', to: '' })],
        forked: [
          mark('fork', { head: 'main', new_head: 'f', from: 'a' }),
          message('dddd', 'a', 'other', { head: 'f' }),
          mark('select', { head: 'f' }),
        ],
        retired: [
          mark('fork', { head: 'main', new_head: 'f', from: 'a' }),
          mark('select', { head: 'f' }),
          mark('retire', { head: 'f' }),
        ],
        redacted: [
          mark('redact', { targets: { a: [user('')] } }),
          mark('patch', { target: 'a', msgs: [user('patched')] }),
        ],
        patched: [mark('patch', { target: 'a', msgs: [user('patched')] })],
        again: [message('bb', null, 'the same id')],
      }).flatMap(([id, more]) => [
        [`${id}.jsonl`, ''],
        [`${id}.events.jsonl`, lines(...begin, ...more)],
      ]),
    ),
  });
  await catalog.refreshAll();
  const shown = (id: string) => [catalog.row(ref(id))?.turns, catalog.row(ref(id))?.preview];
  expect(shown('plain')).toEqual([3, 'first']);
  expect(shown('rewound')).toEqual([1, 'first']);
  expect(shown('lost')).toEqual([3, 'first']);
  expect(shown('emptied')).toEqual([null, null]);
  expect(shown('forked')).toEqual([2, 'first']);
  expect(shown('retired')).toEqual([3, 'first']);
  expect(shown('redacted')).toEqual([2, 'second']);
  expect(shown('patched')).toEqual([3, 'patched']);
  expect(shown('again')).toEqual([3, 'first']);
});

test('a conversation that grows while it is counted is counted again, as it is then', async () => {
  const { store, catalog, rows } = await testCatalog({ files: { 's1.jsonl': lines(user('one')) + filler(200) } });
  await rows();
  await appendFile(join(store.folder, 's1.jsonl'), lines(user('two'), assistant('x')));
  catalog.hint('global', ['s1.jsonl']);
  await until(() => catalog.row(ref('s1'))?.turns === 2);
});

test('a session that is too large is listed at once and not counted', async () => {
  const { store, catalog } = await testCatalog();
  await writeFile(join(store.folder, 'big.jsonl'), lines(user('start of it')));
  const handle = await open(join(store.folder, 'big.jsonl'), 'r+');
  await handle.truncate(600 * 1024 * 1024);
  await handle.close();
  await store.write({ 's1.jsonl': lines(user('one')), 'certain.jsonl': '', 'certain.jsonl.meta': certified() });
  await catalog.refreshAll();
  expect(catalog.row(ref('big'))).toMatchObject({ health: 'too-large', turns: null, title: 'start of it' });
  expect(catalog.row(ref('s1'))).toMatchObject({ health: 'good', turns: 1 });
  expect(catalog.state().progress).toBeNull();
});

test('a line over the cap makes the number of turns unknown, not wrong', async () => {
  const giant = lines(user('y'.repeat(17 * 1024 * 1024)));
  const { catalog, rows } = await testCatalog({
    files: { 's1.jsonl': lines(user('one')) + giant + lines(user('two')) },
  });
  await rows();
  await until(() => catalog.state().progress === null);
  expect(catalog.row(ref('s1'))).toMatchObject({ turns: null, preview: 'one', health: 'good' });
});

test('a worker that cannot start is told once in a while, and the rows stand', async () => {
  const { catalog, rows, reports } = await testCatalog({
    workerUrl: new URL('file:///nowhere/worker.js'),
    files: { 's1.jsonl': lines(user('one')) + filler(200) },
  });
  await rows();
  await until(() => reports.length > 0);
  expect(catalog.row(ref('s1'))).toMatchObject({ turns: null, preview: 'one', health: 'good' });
  expect(reports.splice(0)).toEqual([expect.stringMatching(/counting a session/)]);
});

test('the sample of version 2 is listed from its meta file, and the same is found without it', async () => {
  const { store, catalog } = await testCatalog();
  const id = '20260929-043954.562568000-sample-model';
  await cp(join(import.meta.dirname, '../../fixtures/session-schema2'), store.folder, { recursive: true });
  const expected = {
    title: 'Sample clock README',
    titleSource: 'topic',
    preview: 'Please read README.md and tell me in two sentences what this project does.',
    turns: 3,
    lastActivity: Date.parse('2026-09-29T04:42:02.770Z'),
    health: 'good',
    ours: false,
  };
  expect(await catalog.look(ref(id))).toMatchObject(expected);
  const meta = join(store.folder, `${id}.jsonl.meta`);
  await writeFile(meta, '');
  expect(await catalog.look(ref(id))).toMatchObject({ ...expected, title: expected.preview, titleSource: 'preview' });
});
