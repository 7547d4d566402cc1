import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { faultyFileSystem } from '../../files/support.ts';
import { allRows, contents, lines, message, TestSession } from './support.ts';

test('pages are the messages of the file, in order, from the end or from anywhere', async () => {
  const all = Array.from({ length: 200 }, (_, index) => `text ${index}`);
  const session = await TestSession.with({
    transcript: lines(...all.map((text, index) => message(`m${index}`, text))),
  });
  const reader = session.reader();
  expect(await contents(reader)).toEqual(all);
  const last = await reader.page({ limit: 3 });
  expect(last).toMatchObject({ total: 200, complete: true, holes: 0, torn: false, head: 'main' });
  expect(last.messages.map(({ index }) => index)).toEqual([197, 198, 199]);
  expect((await reader.page({ from: 10, limit: 2 })).messages.map(({ content }) => content)).toEqual([
    'text 10',
    'text 11',
  ]);
  expect((await reader.page({ from: 500 })).messages).toEqual([]);
  expect((await reader.page({ before: 2, from: 1 })).messages.map(({ index }) => index)).toEqual([1]);
  await expect(reader.page({ head: 'other' })).rejects.toMatchObject({ code: 'not-found' });
});

test('a page that would be too large for one answer has fewer messages, and the next go on there', async () => {
  const session = await TestSession.with({
    transcript: lines(
      ...Array.from({ length: 40 }, (_, index) => message(`m${index}`, `${index} ${'x'.repeat(60_000)}`)),
    ),
  });
  const page = await session.reader().page({ limit: 40 });
  expect(page.messages.length).toBe(8);
  expect(page.messages.at(-1)?.index).toBe(39);
  expect((await allRows(session.reader(), undefined, 40)).length).toBe(40);
});

// Cases as people met them: codex#24425, cohub#161, vscode#308730, app#945.
test('a broken first line hides only itself', async () => {
  const session = await TestSession.with({
    transcript: `{"role":"system","id":"m0","conte\n${lines(...['1', '2', '3', '4', '5'].map((text) => message(text, text)))}`,
  });
  const before = await session.state();
  const reader = session.reader();
  expect((await allRows(reader)).map(({ kind, content }) => (kind === 'hole' ? kind : content))).toEqual([
    'hole',
    '1',
    '2',
    '3',
    '4',
    '5',
  ]);
  expect(await reader.page({})).toMatchObject({ holes: 1 });
  expect((await reader.detail()).problem).toMatchObject({ health: 'damaged' });
  expect(await session.state()).toEqual(before);
});

test('CR LF, blank lines and a byte order mark are no part of messages, and paging by one holds', async () => {
  const crlf = '{"id":"m1","role":"user","content":"x"}\r\n\r\n  \n{"id":"m2","role":"assistant","content":"y"}\r\n';
  for (const mark of ['', '\ufeff']) {
    const session = await TestSession.with({ transcript: `${mark}${crlf}` });
    const reader = session.reader();
    expect((await allRows(reader, undefined, 1)).map(({ content }) => content)).toEqual(['x', 'y']);
    expect(await reader.page({})).toMatchObject({ holes: 0, torn: false });
    await session.append('transcript', lines(message('m3', 'z')));
    expect(await contents(reader)).toEqual(['x', 'y', 'z']);
  }
  const lone = await TestSession.with({ transcript: '\ufeff' });
  const reader = lone.reader();
  expect(await contents(reader)).toEqual([]);
  await lone.append('transcript', lines(message('m1', 'first')));
  expect(await contents(reader)).toEqual(['first']);
  expect(await reader.page({})).toMatchObject({ holes: 0 });
});

test('separators of Unicode end no record, and characters on the edge of a read stay whole', async () => {
  const odd = 'a\u2028b\u2029c\u0085d';
  for (const lead of [65_480, 65_481, 65_482, 65_483, 262_100, 262_101, 262_102, 262_103]) {
    const session = await TestSession.with({
      transcript: lines(
        message('m1', `${'x'.repeat(lead - 40)}😀`.slice(-60_000)),
        message('m2', odd),
        message('m3', 'y'),
      ),
    });
    const [first, second] = await allRows(session.reader());
    expect(first?.content.endsWith('x😀')).toBe(true);
    expect(second?.content).toBe(odd);
  }
});

test('half a surrogate pair shows as a replacement and stays on the disk as it is', async () => {
  const transcript = `${message('m1', 'a')}\n{"role":"tool","id":"m2","content":"cut \\ud83d"}\n${message('m3', 'c')}\n`;
  const session = await TestSession.with({ transcript });
  expect(await contents(session.reader())).toEqual(['a', 'cut \ufffd', 'c']);
  expect(await readFile(session.path('transcript'), 'utf8')).toBe(transcript);
});

test('a record of wrong types is a row in raw form, all others are normal', async () => {
  const odd = '{"role":"tool","id":"m3","tool_call_id":null,"workDurationMs":"270","content":{"odd":1}}';
  const session = await TestSession.with({
    transcript: lines(message('1', 'a'), message('2', 'b'), odd, '{"type":"progress"}', message('5', 'e')),
  });
  expect((await allRows(session.reader())).map(({ kind, content }) => [kind, content])).toEqual([
    ['message', 'a'],
    ['message', 'b'],
    ['raw', odd],
    ['raw', '{"type":"progress"}'],
    ['message', 'e'],
  ]);
});

test('a result without its call, and an id that was there before, are rows of their own and marked', async () => {
  const call = { role: 'assistant', tool_calls: [{ id: 'call_1', name: 'read', arguments: '{}' }] };
  const session = await TestSession.with({
    transcript: lines(
      message('m1', 'hi'),
      message('m2', 'r', { role: 'tool', tool_call_id: 'call_missing' }),
      message('m3', '', call),
      message('m4', 'r', { role: 'tool', tool_call_id: 'call_1' }),
      message('m1', 'again'),
    ),
  });
  expect((await allRows(session.reader())).map(({ oddity }) => oddity)).toEqual([
    null,
    'no-call',
    null,
    null,
    'repeated-id',
  ]);
});

test('NUL bytes before a record, and a record behind the fragment of another, lose nothing', async () => {
  const nuls = '\0'.repeat(512);
  const session = await TestSession.with({
    transcript: `${message('1', 'a')}\n${nuls}${message('2', 'b')}\n{"role":"user","id":"3","content":"hel${message('3', 'hello')}\n${message('4', 'd')}${message('5', 'e')}\n`,
  });
  const reader = session.reader();
  const rows = await allRows(reader);
  expect(rows.filter(({ kind }) => kind === 'message').map(({ content }) => content)).toEqual([
    'a',
    'b',
    'hello',
    'd',
    'e',
  ]);
  expect(rows.filter(({ kind }) => kind === 'hole').map(({ bytes }) => bytes)).toEqual([512, 38]);
  expect(JSON.stringify(rows)).not.toContain('\\u0000');
  expect(await reader.page({})).toMatchObject({ holes: 2 });
});

test('what is nested in a broken record is not taken for a record', async () => {
  const broken = '{"role":"assistant","id":"x","content":"abc, "tool_calls":[{"id":"c","name":"n","arguments":"{}"}]}';
  const session = await TestSession.with({ transcript: lines(broken, message('2', 'b')) });
  expect((await allRows(session.reader())).map(({ kind }) => kind)).toEqual(['hole', 'message']);
});

test('a torn record is no row and is said; a whole one that only lacks its line end is one', async () => {
  const session = await TestSession.with({ transcript: `${message('1', 'a')}\n${message('2', 'b')}` });
  const reader = session.reader();
  expect(await reader.page({})).toMatchObject({ total: 2, torn: false });
  await session.append('transcript', `${message('3', 'c')}{"role":"us`);
  expect(await reader.page({})).toMatchObject({ total: 3, torn: true });
  await session.append('transcript', 'er","content":"d"}');
  expect(await reader.page({})).toMatchObject({ total: 4, torn: false });
  await session.append('transcript', `\n${message('5', 'e')}\n`);
  expect(await contents(reader)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('bytes that are nothing are shown as such, read again and again, and stay', async () => {
  const session = await TestSession.with({ transcript: '[[[', events: ']]]' });
  const before = await session.state();
  for (let time = 0; time < 3; time++) {
    const reader = session.reader();
    expect(await reader.page({})).toMatchObject({ total: 0, torn: true });
  }
  expect(await session.state()).toEqual(before);
});

test('a session that is not there is not found, and nothing is made in its place', async () => {
  const session = await TestSession.with({ events: lines(logRecord()) });
  const before = await session.state();
  for (const call of [
    () => session.reader().page({}),
    () => session.reader().detail(),
    () => session.reader().refresh(),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'not-found' });
  }
  const hidden = await TestSession.with({ transcript: lines(message('1', 'a')), 'cleanup-pending': '{}' });
  await expect(hidden.reader().page({})).rejects.toMatchObject({ code: 'not-found' });
  expect(await session.state()).toEqual(before);
});

const logRecord = (): string => '{"schema_version":1,"type":"replace","messages":[]}';

test('a disk error is told as one, changes nothing, and the next try reads all', async () => {
  const session = await TestSession.with({
    transcript: lines(...Array.from({ length: 57 }, (_, index) => message(`${index}`, `turn ${index}`))),
  });
  const before = await session.state();
  const fileSystem = faultyFileSystem();
  let failed = false;
  fileSystem.fault = (call) => {
    if (call !== 'handle.read' || failed) return null;
    failed = true;
    return { code: 'EIO' };
  };
  const reader = session.reader({ fileSystem });
  await expect(reader.page({})).rejects.toMatchObject({ code: 'io' });
  expect(await session.state()).toEqual(before);
  expect((await contents(reader)).length).toBe(57);
});

test('any single failing call ends in an io failure or the right page, never in a blank or a wrong one', async () => {
  const texts = ['a', 'b', 'c'];
  const session = await TestSession.with({ transcript: lines(...texts.map((text) => message(text, text))) });
  const counting = faultyFileSystem();
  await contents(session.reader({ fileSystem: counting }));
  for (let call = 0; call < counting.calls.length; call++) {
    for (const code of ['EIO', 'EACCES', 'EMFILE']) {
      const fileSystem = faultyFileSystem();
      fileSystem.fault = (_name, index) => (index === call ? { code } : null);
      const reader = session.reader({ fileSystem });
      const first = await contents(reader).catch((error: unknown) => error);
      if (!Array.isArray(first)) expect(first).toMatchObject({ code: 'io' });
      else expect(first).toEqual(texts);
      expect(await contents(reader)).toEqual(texts);
    }
  }
});

test('a transcript that is replaced, shortened or changed in place is read anew, under another generation', async () => {
  const session = await TestSession.with({ transcript: lines(message('1', 'one'), message('2', 'two')) });
  const reader = session.reader();
  const first = await reader.page({});
  await session.append('transcript', lines(message('3', 'three')));
  const grown = await reader.page({});
  expect(grown).toMatchObject({ total: 3, generation: first.generation });
  await writeFile(session.path('transcript'), lines(message('1', 'one'), message('2', 'TWO'), message('3', 'three')));
  const changed = await reader.page({});
  expect(changed.messages.map(({ content }) => content)).toEqual(['one', 'TWO', 'three']);
  expect(changed.generation).not.toBe(grown.generation);
  await writeFile(session.path('transcript'), lines(message('1', 'one')));
  expect(await reader.page({})).toMatchObject({ total: 1 });
});
