import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allRows, contents, fixtures, lines, logOne, logTwo, message, node, TestSession } from './support.ts';

const old = lines(message('old', 'from the transcript'));

test('the sample log of schema 2 gives the transcript that lies beside it', async () => {
  const name = '20260929-043954.562568000-sample-model';
  const folder = join(fixtures, 'session-schema2');
  const transcript = await readFile(join(folder, `${name}.jsonl`), 'utf8');
  const events = await readFile(join(folder, `${name}.events.jsonl`));
  const plain = await allRows((await TestSession.with({ transcript })).reader());
  for (const beside of [transcript, '']) {
    const session = await TestSession.with({ transcript: beside, events });
    const reader = session.reader();
    const rows = await allRows(reader);
    expect(rows).toEqual(plain);
    expect(rows[2]).toMatchObject({ toolState: 'completed' });
    expect(rows[3]?.content).toContain('café.\nUse `npm start` & press <Ctrl+C>');
    expect(await reader.detail()).toEqual({
      format: 'log-2',
      head: 'main',
      heads: [{ id: 'main', name: null, kind: 'main', retired: false, openTurn: false }],
      problem: null,
    });
  }
});

test('an empty, foreign or wholly torn log leaves the transcript in force; a native one takes it over', async () => {
  for (const events of ['', '{"type":"progress"}\n', ']]]', '{"schema_version":1,"type":"replace","mess', '\0\0\0\0']) {
    const session = await TestSession.with({ transcript: old, events });
    const reader = session.reader();
    expect(await contents(reader), events).toEqual(['from the transcript']);
    expect(await reader.detail()).toMatchObject({ format: 'transcript' });
  }
  const session = await TestSession.with({ transcript: old, events: '{"schema_version":1,"type":"replace","mess' });
  const reader = session.reader();
  expect(await contents(reader)).toEqual(['from the transcript']);
  await writeFile(session.path('events'), lines(logOne('replace', 0, message('1', 'from the log'))));
  expect(await contents(reader)).toEqual(['from the log']);
  const broken = await TestSession.with({
    transcript: old,
    events: `{"schema_ver\n${logOne('append', 0, message('1', 'x'))}\n`,
  });
  const rows = await allRows(broken.reader());
  expect(rows.map(({ kind }) => kind)).toEqual(['hole', 'message']);
});

test('a log of a newer version, or with a record type that is not known, is said to be so and not passed over', async () => {
  for (const events of [
    '{"schema_version":3,"type":"message"}\n',
    '{"schema_version":2,"type":"dream"}\n',
    lines(logOne('replace', 0, message('1', 'a')), '{"schema_version":7,"type":"append"}'),
    lines(node('1', null, 'a'), '{"schema_version":2,"type":"dream","head":"main"}'),
  ]) {
    const session = await TestSession.with({ transcript: old, events });
    const before = await session.state();
    const reader = session.reader();
    await expect(reader.page({})).rejects.toMatchObject({ code: 'newer-version' });
    await expect(reader.detail()).rejects.toMatchObject({ code: 'newer-version' });
    expect(await session.state()).toEqual(before);
  }
});

test('schema 1: appends go on with the list, a replace begins it anew under another generation', async () => {
  const session = await TestSession.with({
    transcript: '',
    events: lines(logOne('replace', 0, message('1', 'a'), message('2', 'b')), logOne('append', 2, message('3', 'c'))),
  });
  const reader = session.reader();
  expect(await contents(reader)).toEqual(['a', 'b', 'c']);
  const first = await reader.page({});
  await session.append('events', lines(logOne('append', 3, message('4', 'd'))));
  expect(await reader.page({})).toMatchObject({ total: 4, generation: first.generation });
  await session.append('events', lines(logOne('replace', 0, message('1', 'a'), message('9', 'z'))));
  expect(await contents(reader)).toEqual(['a', 'z']);
  expect((await reader.page({})).generation).not.toBe(first.generation);
  await session.append('events', lines(logOne('replace', 0)));
  expect(await contents(reader)).toEqual([]);
});

// deepseek-harness-acp#17: two writers, or an upgrade half way.
test('schema 1: a number that is there twice, or missing, hides no record', async () => {
  const unnumbered = `{"schema_version":1,"type":"append","messages":[${message('6', 'f')}]}`;
  const session = await TestSession.with({
    transcript: '',
    events: lines(
      logOne('replace', 0, message('1', 'a')),
      logOne('append', 1, message('2', 'b')),
      logOne('append', 2, message('3', 'c')),
      logOne('append', 2, message('4', 'd')),
      logOne('append', 3, message('5', 'e')),
      unnumbered,
    ),
  });
  const reader = session.reader();
  expect(await contents(reader)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect((await reader.detail()).problem).toMatchObject({ health: 'damaged' });
});

test('schema 1: a hole stands where it is, a torn end is said, NULs and glued records lose nothing', async () => {
  const session = await TestSession.with({
    transcript: '',
    events: `${logOne('replace', 0, message('1', 'a'))}\n${'\0'.repeat(512)}${logOne('append', 1, message('2', 'b'))}\n{"schema_version":1,"type":"app${logOne('append', 2, message('3', 'c'))}\n${logOne('append', 3, message('4', 'd'))}${logOne('append', 4, message('5', 'e'))}\n{"schema_version":1,"ty`,
  });
  const reader = session.reader();
  const rows = await allRows(reader);
  expect(rows.map(({ kind, content }) => (kind === 'hole' ? kind : content))).toEqual([
    'a',
    'hole',
    'b',
    'hole',
    'c',
    'd',
    'e',
  ]);
  expect(await reader.page({})).toMatchObject({ holes: 2, torn: true });
});

test('schema 1: one message of wrong types is raw, its neighbours in the record are not', async () => {
  const session = await TestSession.with({
    transcript: '',
    events: lines(
      logOne('replace', 0, message('1', 'a'), '{"role":"user","content":7}', '"text"', message('2', 'b')),
      '{"schema_version":1,"type":"append","message_index":4,"messages":"none"}',
    ),
  });
  expect((await allRows(session.reader())).map(({ kind }) => kind)).toEqual([
    'message',
    'raw',
    'raw',
    'message',
    'raw',
  ]);
});

test('schema 2: patches replace whole messages, the last one wins, a redaction wins over all of them', async () => {
  const patch = (target: string, content: string): string =>
    logTwo('patch', { target, msgs: [{ role: 'user', id: target, content }] });
  const session = await TestSession.with({
    transcript: '',
    events: lines(
      node('1', null, 'one'),
      node('2', '1', 'secret'),
      node('3', '2', 'three'),
      patch('1', 'one, patched'),
      patch('1', 'one, patched twice'),
      patch('unknown', 'nothing'),
      logTwo('redact', { targets: { 2: [{ role: 'user', id: '2', content: '[redacted]' }] }, reason: 'asked' }),
      patch('2', 'secret again'),
    ),
  });
  const reader = session.reader();
  expect(await contents(reader)).toEqual(['one, patched twice', '[redacted]', 'three']);
  const { generation } = await reader.page({});
  await session.append('events', lines(node('4', '3', 'four')));
  expect(await reader.page({})).toMatchObject({ total: 4, generation });
  await session.append('events', lines(patch('4', 'four, patched')));
  expect((await reader.page({})).generation).not.toBe(generation);
});

test('schema 2: order is that of the chain, whatever the times say; a record that comes twice counts once', async () => {
  const at = (time: string): object => ({ at: time });
  const session = await TestSession.with({
    transcript: '',
    events: lines(
      node('1', null, 'first', at('2026-01-05T12:00:00Z')),
      node('2', '1', 'second', at('2026-01-05T10:00:00Z')),
      logTwo('turn_begin', { turn: 't1', leaf: '1', at: '2026-01-05T09:00:00Z' }),
      node('2', '1', 'second, again'),
      node('3', '2', 'third', at('2026-01-05T11:00:00Z')),
    ),
  });
  const reader = session.reader();
  expect(await contents(reader)).toEqual(['first', 'second', 'third']);
  expect((await reader.detail()).heads[0]).toMatchObject({ openTurn: true });
  await session.append('events', lines(logTwo('turn_end', { turn: 'another' })));
  expect((await reader.detail()).heads[0]).toMatchObject({ openTurn: true });
  await session.append('events', lines(logTwo('turn_end', { turn: 't1' })));
  expect((await reader.detail()).heads[0]).toMatchObject({ openTurn: false });
});

test('schema 2: the id of the record wins, an unknown parent begins a chain, a circle ends one', async () => {
  const session = await TestSession.with({
    transcript: '',
    events: lines(
      logTwo('message', { id: 'a', parent: 'lost', msgs: [{ role: 'user', id: 'inner', content: 'one' }] }),
      logTwo('message', { id: 'b', parent: 'a', msgs: [{ role: 'user', content: 'two' }] }),
    ),
  });
  expect((await allRows(session.reader())).map(({ id }) => id)).toEqual(['a', 'b']);
  const circle = await TestSession.with({
    transcript: '',
    events: lines(node('x', 'z', 'x'), node('y', 'x', 'y'), node('z', 'y', 'z')),
  });
  expect(await contents(circle.reader())).toEqual(['x', 'y', 'z']);
});

test('schema 2: heads fork, go back, are chosen, named and retired', async () => {
  const session = await TestSession.with({
    transcript: '',
    events: lines(
      logTwo('system', { msgs: [{ role: 'system', content: 'be kind' }] }),
      node('1', null, 'one'),
      node('2', '1', 'two'),
      logTwo('fork', { new_head: 'side', from: '1', kind: 'concurrent', name: 'An aside' }),
      node('3', '1', 'three', { head: 'side', at: '2026-01-05T11:00:00Z' }),
      logTwo('fork', { new_head: 'side', from: '2', kind: 'fork' }),
      node('4', '2', 'four', { at: '2026-01-05T10:30:00Z' }),
    ),
  });
  const reader = session.reader();
  expect(await contents(reader, 'main')).toEqual(['be kind', 'one', 'two', 'four']);
  expect(await contents(reader, 'side')).toEqual(['be kind', 'one', 'three']);
  // The newest activity decides while none was chosen.
  expect(await reader.detail()).toMatchObject({
    head: 'side',
    heads: [
      { id: 'main', kind: 'main' },
      { id: 'side', kind: 'concurrent', name: 'An aside' },
    ],
  });
  const { generation } = await reader.page({ head: 'main' });
  await session.append('events', lines(logTwo('rewind', { to: '1', cause: 'undo' }), node('5', '1', 'five')));
  expect(await contents(reader, 'main')).toEqual(['be kind', 'one', 'five']);
  expect((await reader.page({ head: 'main' })).generation).not.toBe(generation);
  await session.append('events', lines(logTwo('select', {})));
  expect(await reader.detail()).toMatchObject({ head: 'main' });
  await session.append(
    'events',
    lines(logTwo('retire', { reason: 'done' }), logTwo('rename', { head: 'side', name: 'Now this' })),
  );
  expect(await reader.detail()).toMatchObject({ head: 'side', heads: [{ retired: true }, { name: 'Now this' }] });
  await session.append('events', lines(logTwo('retire', { head: 'side' })));
  expect((await reader.detail()).head).toBe('side');
  await session.append('events', lines(logTwo('rewind', { head: 'side', to: '' })));
  expect(await contents(reader, 'side')).toEqual(['be kind']);
});

test('schema 2: a system text stands first, in the place of one that was there', async () => {
  const session = await TestSession.with({
    transcript: '',
    events: lines(
      logTwo('message', { id: 's', msgs: [{ role: 'system', id: 's', content: 'old rules' }] }),
      node('1', 's', 'one'),
      logTwo('system', { msgs: [{ role: 'system', content: 'new rules' }] }),
    ),
  });
  expect(await contents(session.reader())).toEqual(['new rules', 'one']);
});

test('schema 2: what cannot be understood is counted, all else is shown; markers carry nothing', async () => {
  const session = await TestSession.with({
    transcript: '',
    events: lines(
      logTwo('log', { generation: 2 }),
      logTwo('writer', { pid: 1 }),
      node('1', null, 'one'),
      logTwo('message', { parent: '1', msgs: [{ role: 'user', content: 'no id' }] }),
      logTwo('message', { id: '9', parent: '1', msgs: [] }),
      logTwo('fork', { from: '1' }),
      '{"broken',
      logTwo('message', { id: '2', parent: '1', msgs: [{ role: 'user', content: { odd: 1 } }] }),
      logTwo('compaction', { covered_leaf: '1', covered_count: 1, prefix_hash: 'x' }),
      logTwo('checkpoint', { selected_head: 'main', heads: [], dropped: [], tombstones: [] }),
      node('3', '2', 'three'),
    ),
  });
  const reader = session.reader();
  expect((await allRows(reader)).map(({ kind }) => kind)).toEqual(['message', 'raw', 'message']);
  expect(await reader.page({})).toMatchObject({ holes: 4, torn: false });
  expect((await reader.detail()).problem).toMatchObject({ health: 'damaged' });
});

test('a left-over rotation marker keeps nobody waiting; a young one is waited for while the log is gone', async () => {
  const events = lines(logOne('replace', 0, message('1', 'from the log')));
  const session = await TestSession.with({ transcript: old, events, 'events-rotating': '' });
  expect(await contents(session.reader())).toEqual(['from the log']);
  await rename(session.path('events'), `${session.path('events')}.staged`);
  const reading = contents(session.reader());
  setTimeout(() => void rename(`${session.path('events')}.staged`, session.path('events')), 200);
  expect(await reading).toEqual(['from the log']);
  await rename(session.path('events'), `${session.path('events')}.staged`);
  const long = new Date(Date.now() - 60_000);
  await utimes(session.path('events-rotating'), long, long);
  expect(await contents(session.reader())).toEqual(['from the transcript']);
});

test('a log that another program puts in the place of the old one is read from then on', async () => {
  const session = await TestSession.with({
    transcript: old,
    events: lines(node('1', null, 'one'), node('2', '1', 'two')),
  });
  const reader = session.reader();
  const before = await reader.page({});
  const staged = `${session.path('events')}.new`;
  await writeFile(
    staged,
    lines(logTwo('log', { generation: 2 }), node('1', null, 'one'), node('2', '1', 'two'), node('3', '2', 'three')),
  );
  await rename(staged, session.path('events'));
  const after = await reader.page({});
  expect(after.messages.map(({ content }) => content)).toEqual(['one', 'two', 'three']);
  expect(after.generation).not.toBe(before.generation);
  await rm(session.path('events'));
  expect(await contents(reader)).toEqual(['from the transcript']);
});
