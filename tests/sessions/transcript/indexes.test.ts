import { readdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { nodeFileSystem } from '../../../src/files/index.ts';
import { IndexBuilds } from '../../../src/sessions/transcript/index-builds.ts';
import { indexName, type ReaderOptions, type TranscriptReader } from '../../../src/sessions/transcript/reader.ts';
import { faultyFileSystem } from '../../files/support.ts';
import { allRows, contents, lines, logOne, message, node, TestSession, untilComplete } from './support.ts';

const texts = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `text ${from + index}`);
const transcript = (list: readonly string[]): string => lines(...list.map((text) => message(text, text)));

/** A reader that goes through everything in the worker and keeps an index file. */
const cached = (session: TestSession, more: Partial<ReaderOptions> = {}): TranscriptReader =>
  session.reader({ worker: true, inlineBytes: 0, cacheFolder: session.cache, ...more });

const indexPath = (session: TestSession): string => join(session.cache, indexName(session.files.ref));

test('a transcript without an index shows its end at once, then all of it; nothing is written beside it', async () => {
  const all = texts(3000);
  const session = await TestSession.with({ transcript: transcript(all) });
  const before = await session.state();
  const reader = cached(session);
  const first = await reader.page({ limit: 3 });
  expect(first).toMatchObject({ complete: false });
  expect(first.messages.map(({ content }) => content)).toEqual(all.slice(-3));
  expect(first.messages.map(({ index }) => index)).toEqual([first.total - 3, first.total - 2, first.total - 1]);
  expect((await reader.page({ from: 0, limit: 1 })).messages[0]?.content).toBe(all.at(-first.total));
  await untilComplete(reader);
  const whole = await reader.page({ limit: 3 });
  expect(whole).toMatchObject({ complete: true, total: 3000 });
  expect(whole.generation).not.toBe(first.generation);
  expect(await contents(reader, undefined)).toEqual(all);
  expect(session.changes.at(-1)).toMatchObject({
    complete: true,
    heads: [{ head: 'main', total: 3000, generation: whole.generation }],
  });
  expect(await session.state()).toEqual(before);
});

test('with its index a transcript is opened without being gone through', async () => {
  const all = texts(5000);
  const session = await TestSession.with({ transcript: transcript(all) });
  const first = cached(session);
  await untilComplete(first);
  const { generation } = await first.page({});
  expect((await stat(indexPath(session))).mode & 0o777).toBe(0o600);
  const fileSystem = faultyFileSystem();
  const second = cached(session, { fileSystem });
  const page = await second.page({ limit: 20 });
  expect(page).toMatchObject({ complete: true, total: 5000, generation });
  expect(fileSystem.calls.filter((call) => call === 'handle.read').length).toBeLessThan(30);
  expect(await contents(second)).toEqual(all);
});

test('an index is gone on with when the transcript grew, also by another process start', async () => {
  const session = await TestSession.with({ transcript: transcript(texts(2000)) });
  const first = cached(session);
  await untilComplete(first);
  const { generation } = await first.page({});
  await session.append('transcript', `${transcript(texts(500, 2000))}{"role":"us`);
  const second = cached(session, {
    builds: new IndexBuilds({ fileSystem: nodeFileSystem, workerUrl: new URL('file:///nothing') }),
  });
  expect(await second.page({})).toMatchObject({ complete: true, total: 2500, generation, torn: true });
  await session.append('transcript', `er","id":"text 7","content":"last"}\n`);
  const rows = await allRows(second);
  expect(rows.slice(0, -1).map(({ content }) => content)).toEqual(texts(2500));
  expect(rows.at(-1)).toMatchObject({ content: 'last', oddity: 'repeated-id' });
});

test('an index of other bytes is made anew; its generation stays when they only got more', async () => {
  const session = await TestSession.with({ transcript: transcript(texts(2000)) });
  const first = cached(session);
  await untilComplete(first);
  const { generation } = await first.page({});
  const replace = async (bytes: string): Promise<TranscriptReader> => {
    await writeFile(`${session.path('transcript')}.new`, bytes);
    await rename(`${session.path('transcript')}.new`, session.path('transcript'));
    const reader = cached(session);
    await untilComplete(reader);
    return reader;
  };
  const longer = await replace(transcript(texts(2500)));
  expect(await longer.page({})).toMatchObject({ total: 2500, generation });
  const other = await replace(transcript(texts(2500)).replace('text 1200"', 'TEXT 1200"'));
  expect((await other.page({})).generation).not.toBe(generation);
  expect((await contents(other)).at(1200)).toMatch(/1200/);
});

// opencode#7607: a by-product that was cut to nothing must not keep the session from being opened.
test('a damaged, cut, foreign or absent index is made again without a word', async () => {
  const here = { builds: new IndexBuilds({ fileSystem: nodeFileSystem, workerUrl: null }) };
  const all = texts(700);
  const session = await TestSession.with({ transcript: transcript(all) });
  const first = cached(session, here);
  await untilComplete(first);
  const good = await readFile(indexPath(session));
  const flipped = (at: number): Buffer => {
    const bytes = Buffer.from(good);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x40, at);
    return bytes;
  };
  const damages: (() => Promise<unknown>)[] = [
    () => truncate(indexPath(session), 0),
    () => truncate(indexPath(session), good.length - 4096),
    () => writeFile(indexPath(session), 'something else'),
    () => writeFile(indexPath(session), Buffer.alloc(good.length)),
    ...[0, 5, 9, 20, 300, 4100, good.length - 4090, good.length - 3].map(
      (at) => () => writeFile(indexPath(session), flipped(at)),
    ),
  ];
  for (const damage of damages) {
    await damage();
    const reader = cached(session, here);
    await untilComplete(reader);
    // A damaged block is noticed when it is asked for; the index is made again then, and its rows have a new generation.
    await contents(reader);
    await untilComplete(reader);
    expect((await contents(reader)).join()).toBe(all.join());
    await reader.dispose();
  }
  // While it is in use: as when somebody empties the cache.
  const reader = cached(session, here);
  await untilComplete(reader);
  await truncate(indexPath(session), 100);
  await reader.page({});
  await untilComplete(reader);
  expect(await contents(reader)).toEqual(all);
});

test('a cache that cannot be written, and a worker that cannot run, cost time and nothing else', async () => {
  const all = texts(2000);
  const session = await TestSession.with({ transcript: transcript(all) });
  const withoutFolder = cached(session, { cacheFolder: join(session.cache, 'missing') });
  await untilComplete(withoutFolder);
  expect(await contents(withoutFolder)).toEqual(all);
  const broken = join(session.cache, 'broken-worker.ts');
  await writeFile(broken, 'throw new Error("no");');
  const problems: Error[] = [];
  for (const workerUrl of [pathToFileURL(broken), pathToFileURL(join(session.cache, 'absent.ts'))]) {
    const builds = new IndexBuilds({
      fileSystem: nodeFileSystem,
      workerUrl,
      report: (problem) => problems.push(problem),
    });
    const reader = cached(session, { builds });
    await untilComplete(reader);
    expect(await contents(reader)).toEqual(all);
  }
  expect(problems.length).toBeGreaterThan(0);
});

test('logs are indexed in the worker as they are here', async () => {
  const one = lines(
    logOne('replace', 0, ...texts(500).map((text) => message(text, text))),
    ...texts(500, 500).map((text, index) => logOne('append', 500 + index, message(text, text))),
  );
  const two = lines(...texts(1000).map((text, index) => node(text, index === 0 ? null : `text ${index - 1}`, text)));
  for (const events of [one, two]) {
    const session = await TestSession.with({ transcript: '', events });
    const reader = cached(session);
    await reader.page({});
    await untilComplete(reader);
    expect(await contents(reader)).toEqual(texts(1000));
    const second = cached(session, {
      builds: new IndexBuilds({ fileSystem: nodeFileSystem, workerUrl: new URL('file:///nothing') }),
    });
    expect(await second.page({})).toMatchObject({
      total: 1000,
      complete: true,
      generation: (await reader.page({})).generation,
    });
    await session.append(
      'events',
      events === one ? lines(logOne('append', 1000, message('z', 'z'))) : lines(node('z', 'text 999', 'z')),
    );
    expect(await contents(second)).toEqual([...texts(1000), 'z']);
  }
});

test('the end of a log of schema 1 is shown before its beginning is known', async () => {
  const session = await TestSession.with({
    transcript: '',
    events: lines(
      logOne('replace', 0, message('0', 'zero')),
      ...texts(2000).map((text, index) => logOne('append', index + 1, message(text, text))),
    ),
  });
  const reader = cached(session);
  const page = await reader.page({ limit: 2 });
  expect(page).toMatchObject({ complete: false });
  expect(page.messages.map(({ content }) => content)).toEqual(['text 1998', 'text 1999']);
  await untilComplete(reader);
  expect(await reader.page({ limit: 1 })).toMatchObject({ total: 2001 });
});

test('a build that is not wanted any more ends and leaves nothing behind', async () => {
  const session = await TestSession.with({ transcript: transcript(texts(60_000)) });
  const reader = cached(session);
  expect((await reader.page({})).complete).toBe(false);
  await delay(30);
  await reader.dispose();
  expect((await readdir(session.cache)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  await expect(reader.page({})).rejects.toMatchObject({ code: 'cancelled' });
});

test('what is appended while the index is made is not lost', async () => {
  const session = await TestSession.with({ transcript: transcript(texts(40_000)) });
  const reader = cached(session);
  await reader.page({});
  for (let step = 0; step < 20; step++) {
    await session.append('transcript', transcript(texts(10, 40_000 + 10 * step)));
    const page = await reader.page({ limit: 2 });
    expect(page.messages.at(-1)?.content).toBe(`text ${40_009 + 10 * step}`);
  }
  await untilComplete(reader);
  expect((await reader.page({ limit: 1 })).total).toBe(40_200);
  expect((await reader.page({ from: 20_000, limit: 1 })).messages[0]?.content).toBe('text 20000');
});

test('the entries of a session of which only the cache is gone are the same again', async () => {
  const session = await TestSession.with({ transcript: transcript(texts(1000)) });
  const first = cached(session);
  await untilComplete(first);
  const rows = await allRows(first);
  await first.dispose();
  await truncate(indexPath(session), 0);
  const second = cached(session);
  await untilComplete(second);
  expect(await allRows(second)).toEqual(rows);
  onTestFinished(() => second.dispose());
});
