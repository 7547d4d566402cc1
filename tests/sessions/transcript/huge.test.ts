import { execFile } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { allRows, contents, lines, logOne, logTwo, message, node, TestSession, untilComplete } from './support.ts';

const mega = 1024 * 1024;

/** What it takes another process to open a session whose index is there, in bytes over idle. */
async function memoryToRead(session: TestSession): Promise<{ total: number; peak: number; held: number }> {
  const script = join(import.meta.dirname, 'memory-child.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    script,
    session.folder,
    session.cache,
  ]);
  return JSON.parse(stdout);
}

// claude-code#24118: one giant result, nineteen lines.
test('a record of 12 MB is shown cut, and its text can be read on', async () => {
  const giant = `${'0123456789'.repeat(1_280_000)}end`;
  const rows = Array.from({ length: 19 }, (_, index) => message(`m${index}`, index === 17 ? giant : `text ${index}`));
  const session = await TestSession.with({ transcript: lines(...rows) });
  const reader = session.reader({ worker: true, cacheFolder: session.cache });
  const page = await reader.page({ limit: 20 });
  expect(page.messages.at(-1)?.content).toBe('text 18');
  expect(page.messages.at(-2)).toMatchObject({ cut: true, bytes: Buffer.byteLength(rows[17] ?? '') });
  expect(JSON.stringify(page).length).toBeLessThan(2 * mega);
  await untilComplete(reader);
  expect(await reader.page({ limit: 20 })).toMatchObject({ total: 19 });
  const end = await reader.text({ index: 17, part: 'content', offset: 12_799_995, length: 100 });
  expect(end).toEqual({ text: '56789end', total: 12_800_003 });
  expect((await reader.text({ index: 17, part: 'content', offset: 10, length: 12 })).text).toBe('012345678901');
});

// open-design#6531: the tail began inside of one oversized record.
test('pages hold whole records only, wherever the giant one stands', async () => {
  const giant = message('giant', 'x'.repeat(3 * mega));
  const small = Array.from({ length: 5 }, (_, index) => message(`m${index}`, 'y'.repeat(60)));
  for (const records of [
    [...small, giant],
    [giant, ...small],
  ]) {
    const session = await TestSession.with({ transcript: lines(...records) });
    const reader = session.reader();
    const rows = await allRows(reader, undefined, 2);
    expect(rows.map(({ id }) => id)).toEqual(records.map((record) => JSON.parse(record).id));
    expect(rows.every(({ kind }) => kind === 'message')).toBe(true);
  }
});

test('a line that is longer than any record may be is a row that shows its beginning, and can be read on', async () => {
  const session = await TestSession.with({
    transcript: lines(message('a', 'a'), message('b', 'é'.repeat(9 * mega)), message('c', 'c')),
  });
  for (const reader of [session.reader({ inlineBytes: 100 * mega }), session.reader({ inlineBytes: 0 })]) {
    await reader.page({});
    await untilComplete(reader);
    const rows = await allRows(reader);
    expect(rows.map(({ kind }) => kind)).toEqual(['message', 'raw', 'message']);
    expect(rows[1]).toMatchObject({ cut: true });
    const { text, total } = await reader.text({ index: 1, part: 'content', offset: 9 * mega + 30, length: 10 });
    expect(text.startsWith('éé')).toBe(true);
    expect(total).toBe((rows[1]?.content.indexOf('é') ?? 0) + 9 * mega + 2);
  }
});

test('a log of schema 1 that was folded into one record of any size is paged', async () => {
  const count = 24;
  const text = 'z'.repeat(mega);
  const events = lines(
    logOne('replace', 0, ...Array.from({ length: count }, (_, index) => message(`m${index}`, `${index} ${text}`))),
    logOne('append', count, message('last', 'last')),
  );
  const session = await TestSession.with({ transcript: '', events });
  const reader = session.reader({ worker: true, cacheFolder: session.cache });
  expect((await reader.page({ limit: 1 })).messages[0]?.content).toBe('last');
  await untilComplete(reader);
  const rows = await allRows(reader);
  expect(rows.map(({ id }) => id)).toEqual([...Array.from({ length: count }, (_, index) => `m${index}`), 'last']);
  expect(rows[7]?.content.startsWith('7 zzz')).toBe(true);
});

test('a log of schema 2 over its budget is paged from its end and said to be too large', async () => {
  const session = await TestSession.with({ transcript: '' });
  const file = await open(session.path('events'), 'w');
  const text = 'x'.repeat(mega);
  for (let index = 0; index < 130; index++) {
    await file.write(lines(node(`m${index}`, index === 0 ? null : `m${index - 1}`, `${index} ${text}`)));
  }
  await file.write(
    lines(
      node('last', 'm129', 'last'),
      logTwo('patch', { target: 'last', msgs: [{ role: 'user', content: 'patched' }] }),
    ),
  );
  await file.close();
  const reader = session.reader({ worker: true });
  const page = await reader.page({ limit: 2 });
  expect(page).toMatchObject({ complete: false });
  expect(page.messages.map(({ content }) => content.slice(0, 7))).toEqual(['129 xxx', 'patched']);
  expect((await reader.detail()).problem).toMatchObject({ health: 'too-large' });
  expect(await reader.find({ query: 'patched' })).toMatchObject({ matches: [{ count: 1 }] });
});

test('a log of schema 2 of too many records is too large, one of a hundred thousand is held in little memory', async () => {
  const records = (count: number): string =>
    lines(
      ...Array.from({ length: count }, (_, index) => node(`id-${index}`, index === 0 ? null : `id-${index - 1}`, 'x')),
    );
  const session = await TestSession.with({ transcript: '', events: records(100_000) });
  const reader = session.reader({ worker: true, cacheFolder: session.cache });
  expect(await reader.page({ limit: 1 })).toMatchObject({ complete: true, total: 100_000 });
  expect(await memoryToRead(session)).toMatchObject({
    total: 100_000,
    held: expect.toSatisfy((held) => held < 64 * mega),
  });
  await session.append('events', lines(node('more', 'id-99999', 'one more')));
  const page = await reader.page({ limit: 1 });
  expect(page).toMatchObject({ complete: false });
  expect(page.messages[0]?.content).toBe('one more');
  expect((await reader.detail()).problem).toMatchObject({ health: 'too-large' });
});

// claude-code#23373: progress records bloat a file that holds fourteen messages.
test('a transcript of tens of megabytes is paged without its bytes being held', async () => {
  const session = await TestSession.with({ transcript: '' });
  const progress = JSON.stringify({ type: 'progress', data: 'p'.repeat(3000) });
  const file = await open(session.path('transcript'), 'w');
  for (let block = 0; block < 14; block++) {
    await file.write(lines(message(`m${block}`, `message ${block}`), ...Array.from({ length: 1000 }, () => progress)));
  }
  await file.close();
  const reader = session.reader({ worker: true, cacheFolder: session.cache });
  const first = await reader.page({ limit: 20 });
  expect(first.messages.length).toBe(20);
  await untilComplete(reader);
  expect(await reader.page({ limit: 20 })).toMatchObject({ total: 14 * 1001 });
  expect((await reader.page({ from: 13 * 1001, limit: 1 })).messages[0]?.content).toBe('message 13');
  const { peak, total } = await memoryToRead(session);
  expect(total).toBe(14 * 1001);
  expect(peak).toBeLessThan(64 * mega);
});

test('a first message of the person far into the file is reached', async () => {
  const tool = Array.from({ length: 424 }, (_, index) => message(`t${index}`, 'x'.repeat(5000), { role: 'tool' }));
  const session = await TestSession.with({ transcript: lines(...tool, message('u', 'find me')) });
  const reader = session.reader();
  expect(await reader.find({ query: 'FIND me' })).toMatchObject({ matches: [{ index: 424, count: 1 }], next: null });
  expect((await contents(reader)).at(-1)).toBe('find me');
});

test('a hostile line is a hole, and soon', async () => {
  const session = await TestSession.with({ transcript: '' });
  await writeFile(session.path('transcript'), `${'{"role":'.repeat(200_000)}\n${message('a', 'a')}\n`);
  const reader = session.reader();
  expect((await allRows(reader)).map(({ kind }) => kind)).toEqual(['hole', 'message']);
});
