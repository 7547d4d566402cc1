import { appendFile, lstat, mkdir, readFile, rename, rm, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Failure } from '../../../src/contract/errors.ts';
import { filesIn, made, place, put, recordsIn, said, setUp, slowDigest, textsIn } from './support.ts';

const refused = (code: string, reason?: string) =>
  expect.objectContaining({ code, ...(reason === undefined ? {} : { detail: expect.objectContaining({ reason }) }) });

test('a message is in the log when it is acknowledged, and within a second in the files beside it', async () => {
  const rig = await setUp({ checkpointDelay: 300 });
  const session = await made(rig, 'first');
  const appended = await rig.writers.append(session, [said('second <&> \u2028')]);
  expect(appended).toMatchObject({ index: 1, total: 2, revision: 2, repeated: false });
  const log = await recordsIn(rig.path(session, '.events.jsonl'));
  expect(
    log.map(({ type, revision, base_revision, message_index }) => [type, revision, base_revision, message_index]),
  ).toEqual([
    ['replace', 1, undefined, undefined],
    ['append', 2, 1, 1],
  ]);
  const line = (await readFile(rig.path(session, '.events.jsonl'), 'utf8')).split('\n')[1] ?? '';
  expect(line).toContain('second \\u003c\\u0026\\u003e \\u2028');
  expect(line.indexOf('"createdAt"')).toBeGreaterThan(line.indexOf('"origin"'));
  expect(await textsIn(rig.path(session, '.events.jsonl'))).toEqual(['first', 'second <&> \u2028']);
  await expect
    .poll(async () => (await readFile(rig.path(session, '.jsonl'), 'utf8')).split('\n').length, { timeout: 1000 })
    .toBe(3);
  await rig.writers.flush();
  const transcript = (await readFile(rig.path(session, '.jsonl'), 'utf8')).split('\n').slice(0, -1);
  const digest = slowDigest(transcript);
  expect(log[1]?.content_digest).toBe(digest);
  const meta = JSON.parse(await readFile(rig.path(session, '.jsonl.meta'), 'utf8'));
  expect(meta).toMatchObject({
    id: session.id,
    workspace_root: place.workspaceRoot,
    scope: 'project',
    revision: 2,
    content_digest: digest,
    listing_revision: 2,
    listing_content_digest: digest,
    schema_version: 2,
    turns: 2,
    preview: 'first',
    writer_id: rig.writers.writerId,
  });
  const index = JSON.parse(await readFile(rig.path(session, '.event-index.json'), 'utf8'));
  const { size } = await stat(rig.path(session, '.events.jsonl'));
  expect(index).toMatchObject({ log_size: size, message_count: 2, revision: 2, content_digest: digest });
  expect(rig.reports).toEqual([]);
});

test('two hundred large messages from two windows at once: each is one whole line, each window in its own order', async () => {
  const rig = await setUp();
  const session = await made(rig);
  const text = 'x'.repeat(300_000);
  const window = (name: string) =>
    Array.from({ length: 100 }, (_value, index) => rig.writers.append(session, [said(`${name} ${index} ${text}`)]));
  const answers = await Promise.all([...window('one'), ...window('two')]);
  const texts = (await textsIn(rig.path(session, '.events.jsonl'))).map((content) => content.slice(0, 8).trim());
  expect(texts).toHaveLength(200);
  for (const name of ['one', 'two']) {
    const own = texts.filter((content) => content.startsWith(name)).map((content) => Number(content.split(' ')[1]));
    expect(own).toEqual([...own].sort((left, right) => left - right));
    expect(new Set(own).size).toBe(100);
  }
  expect(new Set(answers.map(({ index }) => index)).size).toBe(200);
  await rig.writers.flush();
  expect((await readFile(rig.path(session, '.jsonl'), 'utf8')).split('\n')).toHaveLength(201);
}, 60_000);

test('whatever waits when a write begins goes out in it, with one sync', async () => {
  const rig = await setUp({ checkpointDelay: 60_000 });
  const session = await made(rig);
  await rig.writers.append(session, [said('alone')]);
  const before = rig.fileSystem.calls.length;
  await Promise.all(Array.from({ length: 500 }, (_value, index) => rig.writers.append(session, [said(`${index}`)])));
  const calls = rig.fileSystem.calls.slice(before);
  expect(calls.filter((call) => call === 'handle.sync').length).toBeLessThanOrEqual(2);
  expect(calls.filter((call) => call === 'handle.write').length).toBeLessThanOrEqual(2);
});

test('one after the other costs one write, one sync and three looks each', async () => {
  const rig = await setUp({ checkpointDelay: 60_000 });
  const session = await made(rig);
  await rig.writers.append(session, [said('first')]);
  // The folder has to be left alone for a moment before its status says enough.
  await new Promise((resolve) => setTimeout(resolve, 80));
  await rig.writers.append(session, [said('second')]);
  const before = rig.fileSystem.calls.length;
  await rig.writers.append(session, [said('third')]);
  expect(rig.fileSystem.calls.slice(before).sort()).toEqual(['handle.sync', 'handle.write', 'lstat', 'lstat', 'lstat']);
});

test('a second try of a message records it once, also after a restart', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  const message = said('once', 'same-id');
  const [one, two] = await Promise.all([
    rig.writers.append(session, [message]),
    rig.writers.append(session, [message]),
  ]);
  expect([one.repeated, two.repeated, two.index]).toEqual([false, true, one.index]);
  expect(JSON.parse(String(two.stored))).toMatchObject({ id: 'same-id', content: 'once' });
  await rig.restart();
  const before = rig.fileSystem.calls.length;
  const three = await rig.writers.append(session, [message]);
  expect(three).toMatchObject({ repeated: true, index: 1, total: 2 });
  // What was read may only have been in memory.
  expect(rig.fileSystem.calls.slice(before)).toContain('handle.sync');
  expect(await textsIn(rig.path(session, '.events.jsonl'))).toEqual(['first', 'once']);
});

test('what belongs before a message is recorded with it, in one record', async () => {
  const rig = await setUp();
  const session = await made(rig);
  const block = { ...said('told', 'block'), origin: 'host' as const };
  const answer = await rig.writers.append(session, [block, said('asked', 'q')]);
  expect(answer).toMatchObject({ index: 1, total: 2 });
  const records = await recordsIn(rig.path(session, '.events.jsonl'));
  expect(records[1]?.messages?.map(({ id }) => id)).toEqual(['block', 'q']);
  await rig.writers.flush();
  const meta = JSON.parse(await readFile(rig.path(session, '.jsonl.meta'), 'utf8'));
  expect(meta).toMatchObject({ turns: 1, preview: 'asked' });
});

test('a session that was deleted meanwhile is never made again', async () => {
  const rig = await setUp();
  for (const how of ['all files', 'transcript', 'marker', 'log renamed']) {
    const session = await made(rig, 'first');
    await rig.writers.append(session, [said('second')]);
    if (how === 'all files')
      for (const name of Object.keys(await filesIn(rig.folder))) await unlink(join(rig.folder, name));
    if (how === 'transcript') await unlink(rig.path(session, '.jsonl'));
    if (how === 'marker') await writeFile(rig.path(session, '.cleanup-pending.json'), '{"operation":"delete"}');
    if (how === 'log renamed') {
      await rename(rig.path(session, '.events.jsonl'), rig.path(session, '.elsewhere'));
      await unlink(rig.path(session, '.jsonl'));
    }
    const before = await filesIn(rig.folder);
    await expect(rig.writers.append(session, [said('late')]), how).rejects.toEqual(refused('not-found', 'deleted'));
    await rig.writers.flush();
    expect(Object.keys(await filesIn(rig.folder)), how).toEqual(Object.keys(before));
    expect(Object.values(await filesIn(rig.folder)).join(), how).not.toContain('late');
    await rm(rig.folder, { recursive: true });
  }
  // And the next session can be made.
  await made(rig, 'new');
  expect(rig.reports).toEqual([]);
});

test('a checkpoint that comes after a delete brings nothing back', async () => {
  const rig = await setUp({ checkpointDelay: 60_000 });
  const session = await made(rig, 'first');
  await rig.writers.append(session, [said('second')]);
  for (const name of Object.keys(await filesIn(rig.folder))) await unlink(join(rig.folder, name));
  await rig.writers.flush();
  expect(await filesIn(rig.folder)).toEqual({});
});

test('a session that is not there is not made by appending to it', async () => {
  const rig = await setUp();
  const session = { store: 'global', id: 'ghost' } as const;
  await expect(rig.writers.append(session, [said('late')])).rejects.toEqual(refused('not-found'));
  await expect(rig.writers.rename(session, { title: 'Title' })).rejects.toEqual(refused('not-found'));
  await mkdir(rig.folder, { recursive: true });
  expect(await filesIn(rig.folder)).toEqual({});
});

test('an id that could lead elsewhere is refused before the disk is asked anything', async () => {
  const rig = await setUp();
  for (const id of [
    '../victim',
    '..',
    '.',
    'a/../../victim',
    '/etc/hostname',
    'C:\\x',
    's\u0000',
    '',
    's1\n',
    '.jsonl',
  ]) {
    const session = { store: 'global', id };
    const calls = rig.fileSystem.calls.length;
    await expect(Promise.resolve().then(() => rig.writers.append(session, [said('x')]))).rejects.toEqual(
      refused('invalid'),
    );
    await expect(Promise.resolve().then(() => rig.writers.rename(session, { title: 'x' }))).rejects.toEqual(
      refused('invalid'),
    );
    expect(rig.fileSystem.calls.length).toBe(calls);
  }
});

test('nothing is added to a session of another program, nor to one that it went on with', async () => {
  const rig = await setUp();
  const record = (writer: string, index: number) =>
    `${JSON.stringify({ schema_version: 1, type: index === 0 ? 'replace' : 'append', revision: index + 1, message_index: index, messages: [{ role: 'user', id: `r${index}`, content: 'x' }], writer_id: writer })}\n`;
  const foreign = await put(rig, 'foreign', { '.jsonl': '', '.events.jsonl': record('host-1-0123456789abcdef', 0) });
  const plain = await put(rig, 'plain', { '.jsonl': '{"role":"user","id":"a","content":"x"}\n' });
  const two = await put(rig, 'two', {
    '.jsonl': '',
    '.events.jsonl': '{"schema_version":2,"type":"log","generation":1,"at":"2026-01-01T00:00:00Z"}\n',
  });
  const session = await made(rig, 'first');
  await appendFile(rig.path(session, '.events.jsonl'), record('host-1-0123456789abcdef', 1));
  for (const one of [foreign, plain, two, session]) {
    const before = await filesIn(rig.folder);
    await expect(rig.writers.append(one, [said('x')]), one.id).rejects.toEqual(refused('conflict', 'foreign'));
    expect(await filesIn(rig.folder)).toEqual(before);
  }
});

test('a log of a newer version is not touched', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  await appendFile(rig.path(session, '.events.jsonl'), '{"schema_version":3,"type":"append"}\n');
  const before = await filesIn(rig.folder);
  await expect(rig.writers.append(session, [said('x')])).rejects.toEqual(refused('newer-version'));
  expect(await filesIn(rig.folder)).toEqual(before);
});

test('what another writer of ours added is taken in before the next message', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  await rig.writers.append(session, [said('second')]);
  const other = { ...(await recordsIn(rig.path(session, '.events.jsonl')))[1] };
  const theirs = {
    ...other,
    revision: 7,
    base_revision: 2,
    message_index: 2,
    messages: [{ role: 'user', id: 't', content: 'theirs' }],
  };
  await appendFile(rig.path(session, '.events.jsonl'), `${JSON.stringify(theirs)}\n`);
  const answer = await rig.writers.append(session, [said('third')]);
  expect(answer).toMatchObject({ index: 3, total: 4, revision: 8 });
  await rig.writers.flush();
  const transcript = (await readFile(rig.path(session, '.jsonl'), 'utf8')).split('\n').slice(0, -1);
  expect(transcript.map((line) => JSON.parse(line).content)).toEqual(['first', 'second', 'theirs', 'third']);
  const last = (await recordsIn(rig.path(session, '.events.jsonl'))).at(-1);
  expect(last?.content_digest).toBe(slowDigest(transcript));
});

test('a log that was replaced between two messages is read anew, and nothing is put before its first line', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  await rig.writers.append(session, [said('second')]);
  const log = rig.path(session, '.events.jsonl');
  const bytes = await readFile(log);
  await unlink(log);
  await writeFile(log, bytes.subarray(0, bytes.length - 1));
  await rig.writers.append(session, [said('third')]);
  expect(await textsIn(log)).toEqual(['first', 'second', 'third']);
  expect((await readFile(log, 'utf8')).startsWith('\n')).toBe(false);
});

test('numbers that are there twice or missing are counted on from the highest', async () => {
  const rig = await setUp();
  const session = await made(rig);
  const log = rig.path(session, '.events.jsonl');
  const writer = rig.writers.writerId;
  const records = [2, 3, 3, 4, undefined].map((revision, index) => ({
    schema_version: 1,
    type: 'append',
    ...(revision === undefined ? {} : { revision }),
    message_index: index,
    messages: [{ role: 'user', id: `n${index}`, content: `n${index}` }],
    writer_id: writer,
  }));
  await appendFile(log, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
  const answer = await rig.writers.append(session, [said('next')]);
  expect(answer).toMatchObject({ index: 5, total: 6, revision: 5 });
  expect((await textsIn(log)).slice(0, 5)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
});

test('a revision is above that in the meta file, which is never lowered', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  await rig.writers.flush();
  const path = rig.path(session, '.jsonl.meta');
  const meta = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(
    path,
    JSON.stringify({ ...meta, revision: 40, unknown_field: { kept: 1 }, exact: 1 }).replace(
      '"exact":1',
      '"exact":12345678901234567890.5',
    ),
  );
  await rig.restart();
  expect((await rig.writers.append(session, [said('second')])).revision).toBe(41);
  await rig.writers.flush();
  const text = await readFile(path, 'utf8');
  expect(JSON.parse(text)).toMatchObject({ revision: 41, unknown_field: { kept: 1 } });
  expect(text).toContain('12345678901234567890.5');
});

test('a clock that was set back makes no session older; one that was far ahead keeps none on top', async () => {
  let now = Date.UTC(2030, 0, 2);
  const rig = await setUp({ now: () => now });
  const session = await made(rig, 'first');
  const updated = async () => JSON.parse(await readFile(rig.path(session, '.jsonl.meta'), 'utf8')).updated_at;
  now = Date.UTC(2030, 0, 1, 12);
  await rig.writers.append(session, [said('second')]);
  await rig.writers.flush();
  expect(await updated()).toBe('2030-01-02T00:00:00.000Z');
  now = Date.UTC(2026, 0, 1);
  await rig.writers.append(session, [said('third')]);
  await rig.writers.flush();
  expect(await updated()).toBe('2026-01-01T00:00:00.000Z');
  const records = await recordsIn(rig.path(session, '.events.jsonl'));
  expect(records.map(({ revision }) => revision)).toEqual([1, 2, 3]);
});

test('details that are NUL bytes or gone are written anew; damaged ones are left alone and reported', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  const meta = rig.path(session, '.jsonl.meta');
  await writeFile(meta, Buffer.alloc(413));
  await rig.writers.append(session, [said('second')]);
  await rig.writers.flush();
  expect(JSON.parse(await readFile(meta, 'utf8'))).toMatchObject({ id: session.id, revision: 2 });
  await writeFile(meta, '{"custom_title":"half');
  await rig.writers.append(session, [said('third')]);
  await rig.writers.flush();
  expect(await readFile(meta, 'utf8')).toBe('{"custom_title":"half');
  expect(rig.reports).toEqual(['bringing the files of a session up to its log']);
});

test('a transcript that a crash tore is made good at the next write; one with other content is left alone', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first', 'second');
  const path = rig.path(session, '.jsonl');
  const whole = await readFile(path);
  for (const torn of [
    whole.subarray(0, whole.length - 9),
    Buffer.concat([whole.subarray(0, 30), Buffer.alloc(whole.length - 30)]),
    Buffer.concat([whole, Buffer.alloc(500)]),
    Buffer.alloc(0),
  ]) {
    await rig.writers.dispose();
    await writeFile(path, torn);
    await rig.restart();
    await rig.writers.append(session, [said('again')]);
    await rig.writers.flush();
    const texts = (await readFile(path, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).content);
    expect(texts).toEqual(await textsIn(rig.path(session, '.events.jsonl')));
  }
  await writeFile(path, '{"role":"user","id":"x","content":"written by hand"}\n');
  await rig.writers.append(session, [said('more')]);
  await rig.writers.flush();
  expect(await readFile(path, 'utf8')).toContain('written by hand');
  expect(rig.reports).toEqual(['leaving a transcript alone that its log does not explain']);
});

test('a message that comes while the files beside the log are brought up to it is in the transcript, too', async () => {
  const rig = await setUp({ checkpointDelay: 20 });
  const session = await made(rig, 'first');
  await rig.restart();
  await rig.writers.append(session, [said('second')]);
  const { lstat } = rig.fileSystem;
  const meanwhile = new Promise<void>((resolve) => {
    let isFirst = true;
    rig.fileSystem.lstat = async (path) => {
      if (isFirst && path.endsWith('.cleanup-pending.json')) {
        isFirst = false;
        await rig.writers.append(session, [said('third')]);
        resolve();
      }
      return lstat(path);
    };
  });
  await meanwhile;
  await rig.writers.flush();
  await rig.writers.append(session, [said('fourth')]);
  await rig.writers.flush();
  const lines = (await readFile(rig.path(session, '.jsonl'), 'utf8')).split('\n').slice(0, -1);
  expect(lines.map((line) => JSON.parse(line).content)).toEqual(['first', 'second', 'third', 'fourth']);
  expect(rig.reports).toEqual([]);
});

test('a 12 MB message is recorded and answered for; one that no line could hold is refused alone', async () => {
  const rig = await setUp();
  const session = await made(rig);
  const message = said('y'.repeat(12_800_000), 'long');
  expect((await rig.writers.append(session, [message])).bytes).toBeGreaterThan(12_800_000);
  await rig.restart();
  expect((await rig.writers.append(session, [message])).repeated).toBe(true);
  expect((await rig.writers.append(session, [said('after')])).index).toBe(1);
  const answers = await Promise.allSettled([
    rig.writers.append(session, [said('z'.repeat(17_000_000))]),
    rig.writers.append(session, [said('beside')]),
  ]);
  expect(answers).toMatchObject([{ reason: { code: 'too-large' } }, { value: { index: 2 } }]);
}, 60_000);

test('only a few sessions stay open, whatever number is written to', async () => {
  const rig = await setUp({ checkpointDelay: 60_000 });
  const sessions = await Promise.all(Array.from({ length: 24 }, () => made(rig)));
  await Promise.all(sessions.map((session) => rig.writers.append(session, [said('x')])));
  await rig.writers.flush();
  const open = async () => {
    const { readdir, readlink } = await import('node:fs/promises');
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    return links.filter((link) => link.startsWith(rig.folder)).length;
  };
  if (process.platform === 'linux') expect(await open()).toBeLessThanOrEqual(8);
  for (const session of sessions) expect((await rig.writers.append(session, [said('y')])).index).toBe(1);
});

test('a session that nobody writes to is let go of', async () => {
  const rig = await setUp({ idle: 20 });
  const session = await made(rig);
  await rig.writers.append(session, [said('x')]);
  await rig.writers.flush();
  await new Promise((resolve) => setTimeout(resolve, 120));
  const before = rig.fileSystem.calls.length;
  expect((await rig.writers.append(session, [said('y')])).index).toBe(1);
  expect(rig.fileSystem.calls.slice(before)).toContain('open a');
});

test('while a job has a session alone nothing is written to it, and everything is up to date before', async () => {
  const rig = await setUp({ checkpointDelay: 60_000 });
  const session = await made(rig, 'first');
  await rig.writers.append(session, [said('second')]);
  let late: Promise<unknown> | null = null;
  await rig.writers.alone(session, async () => {
    expect((await readFile(rig.path(session, '.jsonl'), 'utf8')).split('\n')).toHaveLength(3);
    late = rig.writers.append(session, [said('late')]).catch((error: unknown) => error);
    for (const name of Object.keys(await filesIn(rig.folder))) await unlink(join(rig.folder, name));
  });
  expect(await late).toEqual(refused('not-found', 'deleted'));
  expect(await filesIn(rig.folder)).toEqual({});
});

test('new files are for the person alone', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  await rig.writers.append(session, [said('second')]);
  await rig.writers.flush();
  for (const name of Object.keys(await filesIn(rig.folder))) {
    expect((await lstat(join(rig.folder, name))).mode & 0o777, name).toBe(0o600);
  }
  await truncate(rig.path(session, '.events.jsonl'), 100);
});

test('after the end nothing is accepted, and what came before is there', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  const before = rig.writers.append(session, [said('before')]);
  const ending = rig.writers.dispose();
  await expect(rig.writers.append(session, [said('after')])).rejects.toBeInstanceOf(Failure);
  await before;
  await ending;
  expect((await readFile(rig.path(session, '.jsonl'), 'utf8')).split('\n')).toHaveLength(3);
});
