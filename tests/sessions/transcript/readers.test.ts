import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { nodeFileSystem } from '../../../src/files/index.ts';
import type { TranscriptChange } from '../../../src/sessions/transcript/reader.ts';
import { type ReadersOptions, TranscriptReaders } from '../../../src/sessions/transcript/readers.ts';
import { faultyFileSystem, systemError } from '../../files/support.ts';
import { appendElsewhere, contents, lines, logOne, message, node, TestSession } from './support.ts';

const ref = { store: 'global', id: 's1' } as const;

function opened(session: TestSession, more: Partial<ReadersOptions> = {}) {
  const changes: TranscriptChange[] = [];
  const readers = new TranscriptReaders({
    fileSystem: nodeFileSystem,
    filesOf: ({ id }) => Object.assign(new TestSession(join(session.folder, '..'), id)).files,
    cacheFolder: join(session.cache, 'made', 'when needed'),
    workerUrl: null,
    lookEvery: 20,
    onChange: (change) => changes.push(change),
    ...more,
  });
  onTestFinished(() => readers.dispose());
  return { readers, changes };
}

async function eventually(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  for (let time = 0; time < 1000; time++) {
    if (await check()) return;
    await delay(10);
  }
  throw new Error(`it never came to pass: ${what}`);
}

test('a transcript that another program appends to is followed, record by record, in pieces or whole', async () => {
  for (const kind of ['transcript', 'events'] as const) {
    const record = (index: number): string =>
      kind === 'transcript'
        ? message(`m${index}`, `text ${index} é😀`)
        : node(`m${index}`, index === 0 ? null : `m${index - 1}`, `text ${index} é😀`);
    const session = await TestSession.with({ transcript: '', [kind]: lines(record(0)) });
    const { readers, changes } = opened(session);
    const { generation } = await readers.page({ session: ref });
    const whole = Array.from({ length: 30 }, (_, index) => `${record(index + 1)}\n`);
    // Some records come in two pieces, some line ends with the next record.
    const pieces = whole.flatMap((line, index) => (index % 3 === 0 ? [line.slice(0, 40), line.slice(40)] : [line]));
    await appendElsewhere(session.path(kind), pieces, 5);
    await eventually('all records are told', () => changes.at(-1)?.heads[0]?.total === 31);
    const totals = changes.map(({ heads }) => heads[0]?.total ?? 0);
    expect(totals).toEqual(totals.toSorted((left, right) => left - right));
    expect(changes.length).toBeGreaterThan(3);
    expect(new Set(changes.map(({ heads }) => heads[0]?.generation))).toEqual(new Set([generation]));
    const page = await readers.page({ session: ref, limit: 100 });
    expect(page.messages.map(({ content }) => content)).toEqual(
      Array.from({ length: 31 }, (_, index) => `text ${index} é😀`),
    );
    expect(page).toMatchObject({ holes: 0, torn: false });
  }
});

test('following reads only what is new', async () => {
  const session = await TestSession.with({
    transcript: lines(...Array.from({ length: 20_000 }, (_, index) => message(`m${index}`, `text ${index}`))),
  });
  const fileSystem = faultyFileSystem();
  let bytes = 0;
  const open = fileSystem.open.bind(fileSystem);
  fileSystem.open = async (...parameters) => {
    const handle = await open(...parameters);
    return {
      ...handle,
      async read(...request) {
        const answer = await handle.read(...request);
        bytes += answer.bytesRead;
        return answer;
      },
    };
  };
  const { readers } = opened(session, { fileSystem, lookEvery: 0 });
  await readers.page({ session: ref, limit: 1 });
  bytes = 0;
  await session.append('transcript', lines(message('new', 'new')));
  await readers.refresh(ref);
  expect((await readers.page({ session: ref, limit: 1 })).messages[0]?.content).toBe('new');
  expect(bytes).toBeLessThan(100_000);
});

// my-ax#17: offsets from the end shift when lines arrive between two pages.
test('what arrives between two pages comes once, and what was there before is not missed', async () => {
  const texts = (from: number, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${from + index}`);
  const session = await TestSession.with({ transcript: lines(...texts(0, 200).map((text) => message(text, text))) });
  const { readers } = opened(session);
  const first = await readers.page({ session: ref, limit: 50 });
  await session.append('transcript', lines(...texts(200, 30).map((text) => message(text, text))));
  const seen = [...first.messages];
  while ((seen[0]?.index ?? 0) > 0) {
    const page = await readers.page({ session: ref, before: seen[0]?.index, limit: 50 });
    expect(page.generation).toBe(first.generation);
    seen.unshift(...page.messages);
  }
  const later = await readers.page({ session: ref, from: (seen.at(-1)?.index ?? 0) + 1, limit: 50 });
  seen.push(...later.messages);
  expect(seen.map(({ content }) => content)).toEqual(texts(0, 230));
});

test('only some transcripts are kept ready, and a session that is forgotten leaves no index', async () => {
  const session = await TestSession.with({ transcript: lines(message('1', 'one')) });
  for (const id of ['s2', 's3', 's4']) await writeFile(join(session.folder, `${id}.jsonl`), lines(message(id, id)));
  const { readers, changes } = opened(session, { limit: 2, inlineBytes: 0, lookEvery: 0 });
  for (const id of ['s1', 's2', 's3', 's4', 's1']) {
    const page = await readers.page({ session: { store: 'global', id } });
    expect(page.messages.length).toBe(1);
  }
  await eventually('all is known', async () => (await readers.page({ session: ref })).complete);
  await session.append('transcript', lines(message('2', 'two')));
  await readers.refresh(ref);
  expect(changes.at(-1)).toMatchObject({ session: ref, heads: [{ total: 2 }] });
  await readers.forget(ref);
  await rm(session.path('transcript'));
  await readers.refresh(ref);
  await expect(readers.page({ session: ref })).rejects.toMatchObject({ code: 'not-found' });
});

test('a transcript that cannot be read any more is tried ever less often, and followed again when it can', async () => {
  const session = await TestSession.with({ transcript: lines(message('1', 'one')) });
  const fileSystem = faultyFileSystem();
  const { readers, changes } = opened(session, { fileSystem, lookEvery: 10 });
  await readers.page({ session: ref });
  let tries = 0;
  fileSystem.fault = (call, _index, path) => {
    if (call !== 'lstat' || !path.endsWith('s1.jsonl')) return null;
    tries++;
    return { code: 'EIO' };
  };
  await delay(600);
  expect(tries).toBeLessThan(12);
  fileSystem.fault = null;
  await session.append('transcript', lines(message('2', 'two')));
  await eventually('it is followed again', () => changes.at(-1)?.heads[0]?.total === 2);
});

// app#945: a session that could not be read was tried again and again.
test('a transcript that cannot be gone through shows its end, says why, and is not tried without pause', async () => {
  const session = await TestSession.with({
    transcript: lines(
      ...Array.from({ length: 3000 }, (_, index) => message(`m${index}`, `${index} ${'x'.repeat(1000)}`)),
    ),
  });
  const fileSystem = faultyFileSystem();
  let tries = 0;
  let isBad = true;
  const open = fileSystem.open.bind(fileSystem);
  fileSystem.open = async (...parameters) => {
    const handle = await open(...parameters);
    return {
      ...handle,
      read(buffer, offset, length, position) {
        if (!isBad || position !== 0 || length < 65_536) return handle.read(buffer, offset, length, position);
        tries++;
        return Promise.reject(systemError('EIO'));
      },
    };
  };
  const { readers } = opened(session, { fileSystem, inlineBytes: 0, lookEvery: 10 });
  expect((await readers.page({ session: ref, limit: 1 })).messages[0]?.content).toMatch(/^2999 /);
  await expect(readers.find({ session: ref, query: 'x' })).rejects.toMatchObject({ code: 'io' });
  await delay(500);
  expect(tries).toBeLessThan(4);
  isBad = false;
  await eventually('all is known', async () => (await readers.page({ session: ref })).complete);
});

test('a text is found without regard to case, accents and line ends, in all that is shown of a message', async () => {
  const session = await TestSession.with({
    transcript: lines(
      message('1', 'The Café at the\ncorner; the cafe, CAFÉ'),
      message('2', 'nothing'),
      message('3', 'x', { reasoning_content: 'a café?' }),
      message('4', 'y', { tool_calls: [{ id: 'c', name: 'n', arguments: '{"place":"cafe"}' }] }),
    ),
  });
  const { readers } = opened(session);
  const found = await readers.find({ session: ref, query: 'café' });
  expect(found.matches.map(({ index, count }) => [index, count])).toEqual([
    [0, 3],
    [2, 1],
    [3, 1],
  ]);
  expect(found.matches[0]?.excerpt).toBe('The Café at the corner; the cafe, CAFÉ');
  expect((await readers.find({ session: ref, query: 'at  the corner' })).matches).toMatchObject([{ index: 0 }]);
  const first = await readers.find({ session: ref, query: 'cafe', limit: 1 });
  expect(first).toMatchObject({ matches: [{ index: 0 }], next: 1 });
  expect(await readers.find({ session: ref, query: 'cafe', from: first.next ?? 0 })).toMatchObject({
    matches: [{ index: 2 }, { index: 3 }],
    next: null,
  });
  expect(await readers.find({ session: ref, query: '(.*[' })).toEqual({ matches: [], next: null });
});

test('a search ends when it is cancelled, and lets other work run', async () => {
  const session = await TestSession.with({
    transcript: lines(...Array.from({ length: 20_000 }, (_, index) => message(`m${index}`, `é ${'word '.repeat(50)}`))),
  });
  const { readers } = opened(session, { inlineBytes: 100_000_000 });
  await readers.page({ session: ref, limit: 1 });
  const controller = new AbortController();
  const search = readers.find({ session: ref, query: 'absent' }, controller.signal);
  setTimeout(() => controller.abort(), 50);
  await expect(search).rejects.toMatchObject({ code: 'cancelled' });
});

test('every part of a message can be read on, a part that is not there is not found', async () => {
  const session = await TestSession.with({
    transcript: lines(
      message('1', `${'x'.repeat(70_000)}\u001b[31mred`, {
        reasoning_content: 'why',
        tool_calls: [{ id: 'c', name: 'n', arguments: `{"a":"${'z'.repeat(70_000)}"}` }],
      }),
      '{"broken',
    ),
  });
  const { readers } = opened(session);
  const text = (part: 'content' | 'reasoning' | number, offset: number) =>
    readers.text({ session: ref, index: 0, part, offset, length: 10 });
  expect(await text('content', 69_998)).toEqual({ text: 'xxred', total: 70_003 });
  expect(await text('reasoning', 1)).toEqual({ text: 'hy', total: 3 });
  expect(await text(0, 70_000)).toEqual({ text: 'zzzzzz"}', total: 70_008 });
  await expect(text(1, 0)).rejects.toMatchObject({ code: 'not-found' });
  await expect(readers.text({ session: ref, index: 9, part: 'content', offset: 0, length: 1 })).rejects.toMatchObject({
    code: 'not-found',
  });
});

test('the stored bytes of a head are those of the file, for a copy', async () => {
  const stored = [message('1', 'a\u2028'), message('2', 'b'), message('3', 'c')];
  const session = await TestSession.with({
    transcript: '',
    events: lines(logOne('replace', 0, ...stored.slice(0, 2)), logOne('append', 2, stored[2] ?? '')),
  });
  const { readers } = opened(session);
  const bytes: string[] = [];
  for await (const row of readers.stored(ref)) bytes.push(row.bytes.toString());
  expect(bytes).toEqual(stored);
  const some: number[] = [];
  for await (const { index } of readers.stored(ref, { from: 1, to: 2 })) some.push(index);
  expect(some).toEqual([1]);
  expect(await contents(session.reader())).toEqual(['a\u2028', 'b', 'c']);
});
