import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Failure } from '../../src/contract/index.ts';
import { caller, inGlobal, line, rows, texts, wholeCore } from './whole-core.ts';

const IDS = ['alpha', 'beta', 'gamma', 'delta'];
const WRITERS = 4;

/** What another program may do to a session: append in pieces, replace, cut, remove, garble the details. */
async function disturb(store: string, id: string, turn: number): Promise<void> {
  const path = join(store, `${id}.jsonl`);
  const lines = Array.from({ length: (turn % 5) + 1 }, (_, index) => line(`${turn}-${index}`, `text ${turn} ${index}`));
  const whole = lines.join('');
  switch (turn % 9) {
    case 0:
    case 1: {
      await writeFile(path, whole.slice(0, 20), { flag: 'a' });
      await writeFile(path, whole.slice(20), { flag: 'a' });
      return;
    }
    case 2:
    case 3: {
      await writeFile(`${path}.x`, whole);
      return rename(`${path}.x`, path);
    }
    case 4:
      return writeFile(path, whole);
    case 5:
      return writeFile(path, '');
    case 6:
      return rm(path, { force: true });
    case 7:
      return writeFile(`${path}.meta`, Buffer.alloc(200));
    default:
      return writeFile(
        `${path}.meta`,
        JSON.stringify({ id, custom_title: `title ${turn}`, turns: turn }).slice(0, turn % 7 === 0 ? 12 : undefined),
      );
  }
}

test('while another program rewrites transcripts and details, every answer is whole, and the last state is seen', async () => {
  const { store, open, published } = await wholeCore();
  for (const id of IDS) await writeFile(join(store, `${id}.jsonl`), line('a', 'start'));
  const core = await open();
  const { sessions } = core.calls;
  await rows(core);
  const odd: string[] = [];
  let running = true;
  const read = async (reader: number): Promise<number> => {
    let count = 0;
    while (running) {
      const session = inGlobal(IDS[(count + reader) % IDS.length] ?? '');
      const calls = [
        () => sessions.list({ ownerId: null }, caller),
        () => sessions.page({ session, limit: 2 }, caller),
        () => sessions.page({ session, from: 0, limit: 2 }, caller),
        () => sessions.get({ session }, caller),
        () => sessions.find({ session, query: 'text' }, caller),
        () => sessions.text({ session, index: 0, part: 'content', offset: 0, length: 10 }, caller),
      ];
      try {
        const answer = await calls[count % calls.length]?.();
        if (answer && 'messages' in answer) {
          answer.messages.forEach((message, at) => {
            if (message.index !== (answer.messages[0]?.index ?? 0) + at) odd.push(`indexes ${JSON.stringify(answer)}`);
            if (message.kind === 'message' && !/^(start|text \d+ \d+)$/.test(message.content))
              odd.push(message.content);
          });
          if (answer.messages.some(({ index }) => index >= answer.total)) odd.push(`total ${JSON.stringify(answer)}`);
        }
      } catch (error) {
        const known = error instanceof Failure && ['not-found', 'malformed', 'io'].includes(error.code);
        if (!known) odd.push(String(error));
        else if (error.code === 'io') odd.push(`io: ${error.message} ${error.cause}`);
      }
      count++;
      if (count % 20 === 0) await delay(1);
    }
    return count;
  };
  const readers = [0, 1, 2, 3, 4, 5].map(read);
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    const id = IDS[writer] ?? '';
    for (let turn = writer; turn < 300; turn++) {
      await disturb(store, id, turn);
      if (turn % 3 === 0) await delay(1 + (turn % 4));
    }
  });
  await Promise.all(writers);
  running = false;
  const counts = await Promise.all(readers);
  expect(Math.min(...counts)).toBeGreaterThan(5);
  expect(odd.slice(0, 5)).toEqual([]);
  for (const id of IDS) await writeFile(join(store, `${id}.jsonl`), line('z', `end of ${id}`));
  for (const id of IDS)
    await expect.poll(() => texts(core, inGlobal(id)), { timeout: 10_000 }).toEqual([`end of ${id}`]);
  await expect.poll(async () => (await rows(core)).length, { timeout: 10_000 }).toBe(IDS.length);
  expect(published.length).toBeLessThan(20_000);
}, 120_000);

test('a list, pages and rows of ids with odd characters', async () => {
  const { store, open } = await wholeCore();
  const ids = [
    'a b',
    'x~1 (copy)',
    '日本',
    "it's",
    '%2e%2e',
    'a#b?c',
    '-rf',
    '--',
    '$HOME',
    '`id`',
    'e\u0301',
    '\u00e9',
    'con',
    'x.',
    'a..b',
    '__proto__',
    'constructor',
    'notes',
    'notes.events.x',
    'A',
    'ends.jsonl',
    '\u{1F600}',
    'a\u202eb',
  ];
  for (const id of ids) await writeFile(join(store, `${id}.jsonl`), line('m', `of ${id}`));
  const core = await open();
  const all = await rows(core);
  expect(all.map(({ session }) => session.id).sort()).toEqual([...ids].sort());
  const { chatsId } = await core.calls.projects.list({}, caller);
  for (const id of ids) {
    const session = inGlobal(id);
    expect((await texts(core, session))[0]).toContain('of ');
    await core.calls.sessions.pin({ session, pinned: true }, caller);
    const { row } = await core.calls.sessions.rename({ session, title: `Title ${id.length}` }, caller);
    expect(row.title).toBe(`Title ${id.length}`);
    const copy = await core.calls.sessions.fork({ session, ownerId: chatsId }, caller);
    await core.calls.sessions.delete({ session: copy.row.session }, caller);
    const { trashed } = await core.calls.sessions.delete({ session }, caller);
    if (trashed === null) return expect.unreachable();
    await core.calls.sessions.restore(trashed, caller);
    const again = await core.calls.sessions.delete({ session }, caller);
    if (again.trashed === null) return expect.unreachable();
    expect(await core.calls.sessions.purge({ items: [again.trashed] }, caller)).toMatchObject({ purged: 1 });
  }
  expect(await rows(core)).toEqual([]);
}, 60_000);

test('titles and previews with marks of direction, control characters, deep and huge details reach no list as they are', async () => {
  const { store, open } = await wholeCore();
  const title = 'ab\u202egnp.exe\u2066\u0000\u001b[31m\u200f\ufeff\ud83d end';
  const titles: Record<string, string> = {
    bidi: JSON.stringify({ id: 'bidi', custom_title: title }),
    deep: `{"custom_title":"deep","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    huge: JSON.stringify({ id: 'huge', custom_title: 'h'.repeat(3_000_000), goal: 'g'.repeat(3_000_000) }),
    proto: '{"__proto__":{"custom_title":"polluted"},"constructor":1,"custom_title":"plain"}',
    types: '{"custom_title":17,"topic_title":["x"],"updated_at":{},"turns":-3,"workspace_root":5,"preview":null}',
    far: '{"custom_title":"far","updated_at":"+275760-09-13T00:00:00Z","turns":1e300}',
    old: '{"custom_title":"old","updated_at":"-000001-01-01T00:00:00Z"}',
  };
  for (const [id, meta] of Object.entries(titles)) {
    await writeFile(join(store, `${id}.jsonl`), line('m', `of ${id} \u202e`));
    await writeFile(join(store, `${id}.jsonl.meta`), meta);
  }
  const core = await open();
  await expect.poll(async () => (await rows(core)).length).toBe(Object.keys(titles).length);
  await expect
    .poll(async () => (await core.calls.sessions.list({ ownerId: null }, caller)).catalog.progress)
    .toBe(null);
  const all = await rows(core);
  for (const row of all) {
    expect(row.title.length, row.session.id).toBeLessThanOrEqual(1000);
    expect(row.title + (row.preview ?? '')).not.toMatch(/[\u0000-\u001f\u202a-\u202e\u2066-\u2069\u200e\u200f]/);
    expect((row.title + (row.preview ?? '')).isWellFormed()).toBe(true);
    expect(Number.isFinite(row.lastActivity)).toBe(true);
    await core.calls.sessions.get({ session: row.session }, caller);
  }
  expect(({} as { custom_title?: string }).custom_title).toBeUndefined();
  expect(JSON.stringify(all).length).toBeLessThan(20_000);
}, 60_000);
