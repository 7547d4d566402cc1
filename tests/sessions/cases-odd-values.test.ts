import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caller, inGlobal, line, listed, rows, texts, wholeCore } from './whole-core.ts';

// anomalyco/opencode#10904, zulip/zulip-desktop#310
test('details that are all NUL bytes cost one session its title, no other anything, and stay as they are', async () => {
  const { store, open } = await wholeCore();
  for (const id of ['s1', 's2', 's3']) {
    await writeFile(join(store, `${id}.jsonl`), line('m', `first words of ${id}`));
    await writeFile(join(store, `${id}.jsonl.meta`), `${JSON.stringify({ id, custom_title: `Title of ${id}` })}\n`);
  }
  await writeFile(join(store, 's2.jsonl.meta'), Buffer.alloc(413));
  const core = await open();
  const found = Object.fromEntries((await rows(core)).map(({ session, title }) => [session.id, title]));
  expect(found).toEqual({ s1: 'Title of s1', s2: 'first words of s2', s3: 'Title of s3' });
  expect(await texts(core, inGlobal('s2'))).toEqual(['first words of s2']);
  await core.dispose();
  expect(await readFile(join(store, 's2.jsonl.meta'))).toEqual(Buffer.alloc(413));
});

// insanum/sncli#71, ogham/exa#742
test('dates that nothing can have been made at, in details or messages, lose no row and no message', async () => {
  const { store, open } = await wholeCore();
  const dates = ['8640000000000001', '-1', '"2026"', 'null', '1e999', '1700000000', '{}', '"2026-02-30T99:00:00Z"'];
  const files: Record<string, string> = {};
  for (const [index, date] of dates.entries()) {
    files[`d${index}.jsonl`] = dates
      .map((other, at) => `{"role":"user","id":"m${at}","content":"${at}","createdAt":${at === 0 ? date : other}}\n`)
      .join('');
    files[`d${index}.jsonl.meta`] = `{"custom_title":"t${index}","created_at":${date},"updated_at":${date}}`;
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(store, name), content);
  const core = await open();
  const all = await rows(core);
  expect(all).toHaveLength(dates.length);
  for (const { session, title, lastActivity, createdAt } of all) {
    expect(title).toBe(`t${session.id.slice(1)}`);
    for (const date of [lastActivity, createdAt ?? 0]) expect(() => new Date(date).toISOString()).not.toThrow();
    const { messages } = await core.calls.sessions.page({ session }, caller);
    expect(messages.map(({ content }) => content)).toEqual(dates.map((_date, at) => `${at}`));
    for (const message of messages) expect(() => new Date(message.createdAt ?? 0).toISOString()).not.toThrow();
  }
  const order = await listed(core);
  core.rescan();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await listed(core)).toEqual(order);
  await core.dispose();
  for (const [name, content] of Object.entries(files)) expect(await readFile(join(store, name), 'utf8')).toBe(content);
});

// 8thpark/geode#94, owncloud/client#1914. Where the disk takes both for one name there is one such session.
test.runIf(process.platform === 'linux')(
  'ids that differ only in case are two sessions, each with its own files',
  async () => {
    const { store, open } = await wholeCore();
    for (const id of ['S1', 's1']) {
      await writeFile(join(store, `${id}.jsonl`), line('m', `of ${id}`));
      await writeFile(join(store, `${id}.jsonl.meta`), `${JSON.stringify({ id, custom_title: `Title ${id}` })}\n`);
    }
    const core = await open();
    expect((await listed(core)).sort()).toEqual(['S1', 's1']);
    for (const id of ['S1', 's1']) expect(await texts(core, inGlobal(id))).toEqual([`of ${id}`]);
    await core.calls.sessions.delete({ session: inGlobal('S1') }, caller);
    expect(await listed(core)).toEqual(['s1']);
    expect((await readdir(store)).filter((name) => /^s1/i.test(name)).sort()).toEqual(['s1.jsonl', 's1.jsonl.meta']);
    expect(await texts(core, inGlobal('s1'))).toEqual(['of s1']);
  },
);

// openchamber/openchamber@dfb231521
test('temp files beside sessions are never sessions, and listing, reading and writing leave those of strangers', async () => {
  const { store, open } = await wholeCore();
  await writeFile(join(store, 's1.jsonl'), line('m', 'one'));
  const strays = ['s1.jsonl.tmp-1', 's1.jsonl.meta.tmp', '.s1.jsonl.swp', 's1.jsonl~', 'x.tmp'];
  for (const name of strays) await writeFile(join(store, name), line('m', 'half'));
  const core = await open();
  expect(await listed(core)).toEqual(['s1']);
  expect(await texts(core, inGlobal('s1'))).toEqual(['one']);
  await core.calls.sessions.rename({ session: inGlobal('s1'), title: 'Named' }, caller);
  const { chatsId } = await core.calls.projects.list({}, caller);
  const { row } = await core.calls.sessions.create({ ownerId: chatsId, text: 'ours' }, caller);
  await core.calls.sessions.append({ session: row.session, text: 'two', messageId: 'm2' }, caller);
  expect((await listed(core)).sort()).toEqual([row.session.id, 's1'].sort());
  await core.dispose();
  const left = await readdir(store);
  for (const name of strays) expect(left).toContain(name);
  expect(left.filter((name) => /\.\d+-[0-9a-f]{12}\.tmp$/.test(name))).toEqual([]);
});
