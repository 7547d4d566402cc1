import { open as openFile, readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { caller, inGlobal, line, listed, rows, texts, wholeCore } from './whole-core.ts';

const MEBIBYTE = 1024 * 1024;
/** Written for whoever looks into how far the limits are from what is seen. */
const seen = (what: string, values: Record<string, number>): void => {
  if (process.env.SHOW_NUMBERS) console.log(what, JSON.stringify(values));
};

/** Writes lines until a size is reached. */
async function writeLines(path: string, bytes: number, make: (number: number) => string): Promise<number> {
  const handle = await openFile(path, 'w');
  let written = 0;
  let number = 0;
  try {
    while (written < bytes) {
      const block: string[] = [];
      for (let size = 0; size < MEBIBYTE && written + size < bytes; number++) {
        const text = make(number);
        block.push(text);
        size += text.length;
      }
      const buffer = Buffer.from(block.join(''));
      await handle.writeFile(buffer);
      written += buffer.length;
    }
  } finally {
    await handle.close();
  }
  return number;
}

/** Runs a job and tells how long other work had to wait and how much memory it took on top. */
async function measured<Value>(
  job: () => Promise<Value>,
): Promise<{ value: Value; ms: number; wait: number; memory: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const delays = monitorEventLoopDelay({ resolution: 5 });
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  delays.enable();
  const begin = performance.now();
  try {
    const value = await job();
    const ms = performance.now() - begin;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return {
      value,
      ms,
      wait: delays.max / 1e6,
      memory: (Math.max(peak, process.memoryUsage.rss()) - before) / MEBIBYTE,
    };
  } finally {
    delays.disable();
    clearInterval(watch);
  }
}

// anthropics/claude-code#23373, ccusage/ccusage#1151
test('200 MB are listed, opened at the end, gone through and searched in little memory', async () => {
  const { store, open } = await wholeCore();
  const filler = 'x'.repeat(3000);
  let messages = 0;
  await writeLines(join(store, 's1.jsonl'), 200 * MEBIBYTE, (number) => {
    if (number % 5000 !== 2500) return `{"type":"progress","n":${number},"data":"${filler}"}\n`;
    return line(`m${messages}`, `message ${messages++}`);
  });
  await writeFile(join(store, 's1.jsonl.meta'), `${JSON.stringify({ id: 's1', custom_title: 'By hand' })}\n`);
  const core = await open();
  const session = inGlobal('s1');
  const list = await measured(() => rows(core));
  seen('list', { ms: list.ms, wait: list.wait, memory: list.memory });
  expect(list.value).toMatchObject([{ title: 'By hand' }]);
  const first = await measured(() => core.calls.sessions.page({ session, limit: 20 }, caller));
  seen('last page', { ms: first.ms, wait: first.wait, memory: first.memory });
  expect(first.value.messages).toHaveLength(20);
  expect(JSON.stringify(first.value).length).toBeLessThan(2 * MEBIBYTE);
  const found = await measured(() => core.calls.sessions.find({ session, query: 'message 3' }, caller));
  seen('find', { ms: found.ms, wait: found.wait, memory: found.memory, matches: found.value.matches.length });
  expect(found.value.matches).toHaveLength(1);
  const detail = await measured(() => core.calls.sessions.get({ session }, caller));
  seen('get', { ms: detail.ms, wait: detail.wait, memory: detail.memory });
  for (const { memory } of [list, first, found, detail]) expect(memory).toBeLessThan(250);
  const { trashed } = await core.calls.sessions.delete({ session }, caller);
  expect(trashed).not.toBeNull();
  expect(await listed(core)).toEqual([]);
}, 120_000);

// acoyfellow/my-ax#17, attevon-llc/OpenTranscribe#356
test('a hundred thousand messages are paged both ways, each once, while more are added', async () => {
  const { store, open } = await wholeCore();
  const path = join(store, 's1.jsonl');
  const COUNT = 100_000;
  const block = Array.from({ length: COUNT }, (_, number) => line(`m${number}`, `text ${number}`)).join('');
  await writeFile(path, block);
  const core = await open();
  const session = inGlobal('s1');
  await expect
    .poll(async () => (await core.calls.sessions.page({ session, limit: 1 }, caller)).complete, { timeout: 20_000 })
    .toBe(true);
  let added = 0;
  let running = true;
  const adding = (async () => {
    while (running) {
      await writeFile(path, line(`n${added}`, `text ${COUNT + added}`), { flag: 'a' });
      added++;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  const backwards: string[] = [];
  let before: number | undefined;
  do {
    const page = await core.calls.sessions.page(
      { session, limit: 200, ...(before === undefined ? {} : { before }) },
      caller,
    );
    backwards.unshift(...page.messages.map(({ content }) => content));
    before = page.messages[0]?.index ?? 0;
  } while (before > 0);
  expect(backwards).toEqual(backwards.map((_, number) => `text ${number}`));
  expect(backwards.length).toBeGreaterThanOrEqual(COUNT);
  let from = 0;
  let last = '';
  for (;;) {
    const page = await core.calls.sessions.page({ session, limit: 200, from }, caller);
    const numbers = page.messages.map(({ content }) => content);
    expect(numbers).toEqual(numbers.map((_, number) => `text ${from + number}`));
    last = numbers.at(-1) ?? last;
    from += numbers.length;
    if (numbers.length === 0 || from >= page.total) break;
  }
  running = false;
  await adding;
  expect(from).toBeGreaterThanOrEqual(backwards.length);
  expect(last).toBe(`text ${from - 1}`);
  await expect
    .poll(async () => (await core.calls.sessions.page({ session, limit: 1 }, caller)).total, { timeout: 10_000 })
    .toBe(COUNT + added);
}, 120_000);

/** How many files are open, and of what. */
async function openNow(folder: string): Promise<{ all: number; own: string[] }> {
  const names = await readdir('/proc/self/fd');
  const links = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return { all: names.length, own: links.filter((target) => target.startsWith(folder)) };
}

test.runIf(process.platform === 'linux')(
  'many sessions that are read, written, copied and deleted leave no file open',
  async () => {
    const { store, folder, open } = await wholeCore();
    const core = await open();
    const { chatsId } = await core.calls.projects.list({}, caller);
    const round = async (name: string): Promise<void> => {
      for (let number = 0; number < 20; number++) {
        const { row } = await core.calls.sessions.create({ ownerId: chatsId, text: `${name} ${number}` }, caller);
        const { session } = row;
        await core.calls.sessions.append({ session, text: 'two', messageId: `m${number}` }, caller);
        await core.calls.sessions.get({ session }, caller);
        await core.calls.sessions.find({ session, query: 'two' }, caller);
        expect(await texts(core, session)).toHaveLength(2);
        await core.calls.sessions.rename({ session, title: name }, caller);
        await core.calls.sessions.fork({ session }, caller);
        await core.calls.sessions.delete({ session }, caller);
        await core.calls.sessions.page({ session }, caller).catch(() => undefined);
        await writeFile(join(store, `bad-${number}.jsonl`), '{"role":');
        await core.calls.sessions.page({ session: inGlobal(`bad-${number}`) }, caller);
        await core.calls.sessions
          .append({ session: inGlobal(`bad-${number}`), text: 'x', messageId: 'x' }, caller)
          .catch(() => undefined);
      }
      await core.calls.sessions.report({}, caller);
    };
    await round('first');
    const { all } = await openNow(folder);
    for (let more = 0; more < 3; more++) await round(`again ${more}`);
    const after = await openNow(folder);
    seen('open files', { before: all, after: after.all, own: after.own.length });
    expect(after.all).toBeLessThanOrEqual(all + 4);
    expect(after.own.length).toBeLessThanOrEqual(16);
    await core.dispose();
    expect((await openNow(folder)).own).toEqual([]);
  },
  120_000,
);
