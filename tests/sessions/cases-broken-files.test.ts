import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caller, inGlobal, line, listed, rows, texts, wholeCore } from './whole-core.ts';

const five = ['one', 'two', 'three', 'four', 'five'];
const transcript = five.map((text, index) => line(`m${index}`, text)).join('');

/** Name, identity, times and bytes of every file below a folder. */
async function snapshot(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const marks = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    const { ino, mtimeMs, size } = await stat(path);
    return `${path} ${ino} ${mtimeMs} ${size} ${createHash('sha256')
      .update(await readFile(path))
      .digest('hex')}`;
  });
  return (await Promise.all(marks)).sort();
}

// anomalyco/opencode#7607
test('empty indexes that another program left beside a session keep nobody from it, and stay as they are', async () => {
  const { store, open } = await wholeCore();
  await writeFile(join(store, 's1.jsonl'), transcript);
  for (const name of ['s1.display-index.json', 's1.event-index.json', 's1.transcript-projection.json']) {
    await writeFile(join(store, name), 'x');
    await truncate(join(store, name), 0);
  }
  const core = await open();
  expect(await rows(core)).toMatchObject([{ session: inGlobal('s1'), health: 'good' }]);
  expect(await texts(core, inGlobal('s1'))).toEqual(five);
});

// cline/cline#616, RooCodeInc/Roo-Code#6592
test('opening what cannot be understood, again and again, takes nothing away', async () => {
  const { store, open } = await wholeCore();
  await writeFile(join(store, 's1.jsonl'), '[[[');
  await writeFile(join(store, 's1.events.jsonl'), ']]]');
  await writeFile(join(store, 's1.jsonl.meta'), `${JSON.stringify({ id: 's1', custom_title: 'Still mine' })}\n`);
  const before = await snapshot(store);
  for (let start = 0; start < 2; start++) {
    const core = await open();
    for (let attempt = 0; attempt < 3; attempt++) {
      await core.calls.sessions.get({ session: inGlobal('s1') }, caller);
      const page = await core.calls.sessions.page({ session: inGlobal('s1') }, caller);
      expect(page.torn || page.holes > 0).toBe(true);
    }
    expect(await rows(core)).toMatchObject([{ session: inGlobal('s1'), title: 'Still mine' }]);
    await core.dispose();
  }
  expect(await snapshot(store)).toEqual(before);
});

// getpaseo/paseo#3297, anthropics/claude-code#79572
test('listing and reading change no file, tell of no change, and touched files keep their place', async () => {
  const { store, open, published } = await wholeCore();
  for (let number = 10; number < 30; number++) {
    const at = `2026-03-${number}T10:00:00Z`;
    const id = `s${number}`;
    const stored = { role: 'user', id: 'a', content: id, createdAt: Date.parse(at) };
    await writeFile(join(store, `${id}.jsonl`), `${JSON.stringify(stored)}\n`);
    await writeFile(join(store, `${id}.jsonl.meta`), `${JSON.stringify({ id, updated_at: at, custom_title: id })}\n`);
    await writeFile(join(store, `${id}.display-index.json`), '{}');
  }
  const core = await open();
  const order = await listed(core);
  expect(order[0]).toBe('s29');
  await expect
    .poll(async () => (await core.calls.sessions.list({ ownerId: null }, caller)).catalog.progress)
    .toBe(null);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = await snapshot(store);
  const told = published.filter(({ name }) => name === 'sessions.changed').length;
  for (let time = 0; time < 3; time++) expect(await listed(core)).toEqual(order);
  for (const id of order) for (let time = 0; time < 2; time++) expect(await texts(core, inGlobal(id))).toEqual([id]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await snapshot(store)).toEqual(before);
  expect(published.filter(({ name }) => name === 'sessions.changed').slice(told)).toEqual([]);
  const old = new Date('2001-01-01');
  await utimes(join(store, 's29.jsonl'), old, old);
  await utimes(join(store, 's10.jsonl'), new Date(), new Date());
  core.rescan();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await listed(core)).toEqual(order);
});

// github/app#945, esengine/DeepSeek-Reasonix#10605
test('a folder in the place of a transcript is refused at once, and hides no other', async () => {
  const { store, open } = await wholeCore();
  await mkdir(join(store, 's1.jsonl'));
  await writeFile(join(store, 's2.jsonl'), transcript);
  const core = await open();
  expect(await listed(core)).toEqual(['s2']);
  for (const call of ['page', 'get'] as const) {
    await expect(core.calls.sessions[call]({ session: inGlobal('s1') }, caller)).rejects.toMatchObject({
      code: expect.stringMatching(/^(not-found|malformed|io)$/),
    });
  }
  expect(await texts(core, inGlobal('s2'))).toEqual(five);
});

// anthropics/claude-code#57920
test('a session whose working folder is gone is listed, read, copied and deleted', async () => {
  const { store, open } = await wholeCore();
  await writeFile(join(store, 's1.jsonl'), transcript);
  await writeFile(
    join(store, 's1.jsonl.meta'),
    `${JSON.stringify({ id: 's1', workspace_root: '/elsewhere/x', scope: 'project' })}\n`,
  );
  const core = await open();
  expect(await rows(core)).toMatchObject([{ session: inGlobal('s1'), health: 'good' }]);
  expect(await texts(core, inGlobal('s1'))).toEqual(five);
  const { trashed } = await core.calls.sessions.delete({ session: inGlobal('s1') }, caller);
  expect(trashed).not.toBeNull();
  expect(await listed(core)).toEqual([]);
});

// microsoft/vscode#305818
test('a byte order mark before the first record changes neither title nor messages', async () => {
  const { store, open } = await wholeCore();
  await writeFile(join(store, 's1.jsonl'), `\ufeff${transcript}`);
  const core = await open();
  expect(await rows(core)).toMatchObject([{ title: 'one', health: 'good', turns: 5 }]);
  expect(await texts(core, inGlobal('s1'), 2)).toEqual(five);
  await writeFile(join(store, 's1.jsonl'), line('m9', 'six'), { flag: 'a' });
  await expect.poll(() => texts(core, inGlobal('s1'))).toEqual([...five, 'six']);
});

// openai/codex#24425
test('a broken first record hides neither the session nor the records behind it', async () => {
  const { store, open } = await wholeCore();
  await writeFile(join(store, 's1.jsonl'), `{"role":"system","id":"m0","conte\n${transcript}`);
  const core = await open();
  await expect.poll(async () => (await rows(core))[0]).toMatchObject({ session: inGlobal('s1'), health: 'damaged' });
  const page = await core.calls.sessions.page({ session: inGlobal('s1') }, caller);
  expect(page.holes).toBe(1);
  expect(page.messages.filter(({ kind }) => kind === 'message').map(({ content }) => content)).toEqual(five);
});

// mindfold-ai/Trellis#527, elizaOS/eliza#31250
test('a log that was torn is gone on with: its records stay, the torn bytes are set aside and the report names them', async () => {
  const { store, open } = await wholeCore();
  const core = await open();
  const { chatsId } = await core.calls.projects.list({}, caller);
  const { row } = await core.calls.sessions.create({ ownerId: chatsId, text: 'one' }, caller);
  const { session } = row;
  await core.calls.sessions.append({ session, text: 'two', messageId: 'm2' }, caller);
  await core.dispose();
  const log = join(store, `${session.id}.events.jsonl`);
  const whole = await readFile(log, 'utf8');
  const torn = '{"schema_version":1,"type":"append","revi';
  await writeFile(log, torn, { flag: 'a' });
  const past = new Date(Date.now() - 10_000);
  await utimes(log, past, past);
  const again = await open();
  expect(await again.calls.sessions.page({ session }, caller)).toMatchObject({ torn: true, total: 2 });
  await again.calls.sessions.append({ session, text: 'three', messageId: 'm3' }, caller);
  expect(await texts(again, session)).toEqual(['one', 'two', 'three']);
  const after = await readFile(log, 'utf8');
  expect(after.startsWith(whole)).toBe(true);
  const records = after
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(records.map(({ revision }) => revision)).toEqual(records.map((_, index) => records[0].revision + index));
  expect(await readFile(`${log}.damaged`, 'utf8')).toContain(torn);
  expect(await listed(again)).toEqual([session.id]);
  const { findings } = await again.calls.sessions.report({}, caller);
  expect(findings).toMatchObject([{ kind: 'damaged', session, repair: null }]);
});
