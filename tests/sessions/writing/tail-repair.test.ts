import { appendFile, mkdir, readFile, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, made, type Rig, recordsIn, said, setUp, textsIn } from './support.ts';

/** Leaves a log with these bytes behind its records, as after a crash. */
async function tear(rig: Rig, session: { store: string; id: string }, bytes: string | Buffer): Promise<string> {
  await rig.writers.dispose();
  const log = rig.path(session, '.events.jsonl');
  await appendFile(log, bytes);
  await rig.restart();
  return log;
}

test('a torn record is set aside, and the next one has the next number on a line of its own', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  await rig.writers.append(session, [said('second')]);
  const whole = await readFile(rig.path(session, '.events.jsonl'));
  const log = await tear(rig, session, '{"schema_version":1,"ty');
  const offset = whole.length;
  expect((await rig.writers.append(session, [said('third')])).revision).toBe(3);
  const after = await readFile(log);
  expect(after.subarray(0, offset).equals(whole)).toBe(true);
  expect(after.at(-1)).toBe(0x0a);
  expect(await textsIn(log)).toEqual(['first', 'second', 'third']);
  const damaged = (await readFile(`${log}.damaged`, 'utf8')).split('\n');
  expect(JSON.parse(damaged[0] ?? '')).toEqual({
    damaged_tail: true,
    preserved_at: expect.any(String),
    log_offset: offset,
    bytes: 23,
  });
  expect(damaged.slice(1)).toEqual(['{"schema_version":1,"ty', '']);
  expect(rig.tails).toEqual([{ setAside: true, bytes: 23 }]);
});

test('what is set aside is added to what was set aside before', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  for (const piece of ['{"one', Buffer.from([0xff, 0x00, 0xfe]), '{"three']) {
    await tear(rig, session, piece);
    await rig.writers.append(session, [said('next')]);
  }
  const bytes = await readFile(rig.path(session, '.events.jsonl.damaged'));
  expect(
    bytes
      .toString('latin1')
      .split('\n')
      .filter((_line, index) => index % 2 === 1),
  ).toEqual(['{"one', '\u00ff\u0000\u00fe', '{"three']);
});

test('a last record that only lacks its line end is kept, and the next begins on a new line', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first', 'second');
  await rig.writers.append(session, [said('third')]);
  const log = rig.path(session, '.events.jsonl');
  await truncate(log, (await readFile(log)).length - 1);
  await rig.restart();
  await rig.writers.append(session, [said('fourth')]);
  expect(await textsIn(log)).toEqual(['first', 'second', 'third', 'fourth']);
  expect(rig.tails).toEqual([]);
});

test('records that share a line, or stand behind a fragment, are kept; only the fragment at the end is cut', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  const record = (index: number, text: string) =>
    JSON.stringify({
      schema_version: 1,
      type: 'append',
      revision: index + 1,
      base_revision: index,
      message_index: index,
      messages: [{ role: 'user', id: text, content: text }],
      writer_id: rig.writers.writerId,
    });
  const log = rig.path(session, '.events.jsonl');
  await tear(rig, session, `${record(1, 'a')}${record(2, 'b')}`);
  await rig.writers.append(session, [said('c', 'c')]);
  await tear(rig, session, `{"schema_version":1,"type":"app${record(4, 'd')}\n${record(5, 'e')}{"schema_ver`);
  const answer = await rig.writers.append(session, [said('f', 'f')]);
  // A hole is a row, too.
  expect(answer).toMatchObject({ index: 7, total: 8, revision: 7 });
  const text = await readFile(log, 'utf8');
  expect([...text.matchAll(/"content":"(\w+)"/g)].map((match) => match[1])).toEqual([
    'first',
    'a',
    'b',
    'c',
    'd',
    'e',
    'f',
  ]);
  expect(text).toContain('{"schema_version":1,"type":"app{"schema_version"');
  expect(text).not.toMatch(/\{"schema_ver(?!sion)/);
  expect(rig.tails).toEqual([{ setAside: true, bytes: 12 }]);
});

test('a run of NUL bytes before whole records loses none of them; one at the end is set aside', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  const log = rig.path(session, '.events.jsonl');
  const record = JSON.stringify({
    schema_version: 1,
    type: 'append',
    revision: 2,
    base_revision: 1,
    message_index: 1,
    messages: [{ role: 'user', id: 'n', content: 'n' }],
    writer_id: rig.writers.writerId,
  });
  await tear(rig, session, Buffer.concat([Buffer.alloc(512), Buffer.from(`${record}\n`), Buffer.alloc(300)]));
  await rig.writers.append(session, [said('next')]);
  const lines = (await readFile(log, 'utf8')).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toBe(`${'\0'.repeat(512)}${record}`);
  expect(JSON.parse(lines[2] ?? '')).toMatchObject({ revision: 3, message_index: 2 });
  expect(rig.tails).toEqual([{ setAside: true, bytes: 300 }]);
});

test('nothing is cut that could not be set aside: the fragment stays, and the record stands on its own line', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  const log = await tear(rig, session, '{"torn');
  for (const obstacle of ['link', 'folder', 'ENOSPC']) {
    const damaged = `${log}.damaged`;
    if (obstacle === 'link') await symlink(join(rig.root, 'outside'), damaged);
    if (obstacle === 'folder') await mkdir(damaged);
    if (obstacle === 'ENOSPC') {
      rig.fileSystem.fault = (call, _index, path) =>
        call === 'handle.write' && path === damaged ? { code: 'ENOSPC' } : null;
    }
    await rig.writers.append(session, [said(obstacle)]);
    rig.fileSystem.fault = null;
    expect(await readFile(log, 'utf8')).toContain('{"torn\n{"schema_version"');
    const { rm } = await import('node:fs/promises');
    await rm(damaged, { recursive: true, force: true });
    await tear(rig, session, '{"torn');
  }
  expect(rig.tails.every(({ setAside }) => !setAside)).toBe(true);
  expect(await filesIn(rig.root)).toEqual({});
});

test('a copy that reads differently than what was set aside stops the cut', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  const log = await tear(rig, session, '{"torn');
  const { open } = rig.fileSystem;
  rig.fileSystem.open = async (path, flags, mode) => {
    const handle = await open(path, flags, mode);
    if (!path.endsWith('.damaged') || flags !== 'r') return handle;
    return {
      ...handle,
      read: async (buffer, offset, length) => ({ bytesRead: buffer.fill(0x41, offset, offset + length) && length }),
    };
  };
  await rig.writers.append(session, [said('second')]);
  expect(await readFile(log, 'utf8')).toContain('{"torn\n');
});

test('a torn end that somebody wrote a moment ago is waited for; one that grows meanwhile is looked at again', async () => {
  const waits: number[] = [];
  const rig = await setUp();
  const session = await made(rig, 'first');
  const log = await tear(
    rig,
    session,
    '{"schema_version":1,"type":"append","revision":2,"message_index":1,"writer_id":',
  );
  await rig.restart({
    sleep: async (ms) => {
      waits.push(ms);
      if (waits.length > 1) return;
      await appendFile(log, `"${rig.writers.writerId}","messages":[{"role":"user","id":"t","content":"theirs"}]}\n`);
    },
  });
  expect(await rig.writers.append(session, [said('second')])).toMatchObject({ index: 2, revision: 3 });
  expect(await textsIn(log)).toEqual(['first', 'theirs', 'second']);
  expect(waits[0]).toBeGreaterThan(1000);
  expect(rig.tails).toEqual([]);
  await tear(rig, session, '{"old');
  await utimes(log, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  await rig.restart({ sleep: () => Promise.reject(new Error('nobody has to wait')) });
  await rig.writers.append(session, [said('third')]);
  expect(rig.tails).toEqual([{ setAside: true, bytes: 5 }]);
});

test('a log of which nothing is whole is not ours to write to; a byte order mark and CRLF stay', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first', 'second');
  const log = rig.path(session, '.events.jsonl');
  const text = await readFile(log, 'utf8');
  await writeFile(log, `\ufeff${text.replaceAll('\n', '\r\n')}\r\n  \r\n`);
  await rig.restart();
  expect((await rig.writers.append(session, [said('third')])).index).toBe(2);
  const after = await readFile(log, 'utf8');
  expect(after.startsWith('\ufeff{')).toBe(true);
  expect(after.endsWith('}\n')).toBe(true);
  await writeFile(log, '{"schema_version":1,"type":"repl');
  await expect(rig.writers.append(session, [said('x')])).rejects.toMatchObject({ code: 'conflict' });
  expect(await readFile(log, 'utf8')).toBe('{"schema_version":1,"type":"repl');
});

test('opening for a write never shrinks a log, whatever fails while it is read', async () => {
  const rig = await setUp();
  const session = await made(rig, ...Array.from({ length: 57 }, (_value, index) => `turn ${index}`));
  await rig.writers.dispose();
  const before = await filesIn(rig.folder);
  for (const call of ['handle.read', 'open r', 'lstat', 'handle.stat']) {
    await rig.restart();
    rig.fileSystem.fault = (name) => (name === call ? { code: 'EIO' } : null);
    await expect(rig.writers.append(session, [said('x')]), call).rejects.toMatchObject({ code: 'io' });
    rig.fileSystem.fault = null;
    await rig.writers.flush();
    expect(await filesIn(rig.folder), call).toEqual(before);
  }
  expect((await rig.writers.append(session, [said('after')])).index).toBe(57);
  expect((await recordsIn(rig.path(session, '.events.jsonl'))).length).toBe(2);
});
