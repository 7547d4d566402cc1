import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultyFileSystem } from '../files/support.ts';
import { caller, OWNER, setUp, title, unreadable } from './support.ts';

const roles = (messages: readonly { origin: string | null; content: string }[]): string[] =>
  messages.map(({ origin, content }) => `${origin}: ${content.split('\n')[0]?.slice(0, 30)}`);
const INTRODUCTION = 'host: Standing background from the n';

describe('a message of the person', () => {
  test('is recorded alone where there is nothing to tell', async () => {
    const { made, say, messages, stored } = await setUp();
    const session = await made();
    expect(await say(session, 'm1')).toMatchObject({
      message: { index: 0, id: 'm1' },
      told: null,
      leftOut: [],
      total: 1,
    });
    expect(roles(await messages(session))).toEqual(['user: text of m1']);
    expect(await stored(session)).toBeNull();
  });

  test('is recorded with what its session is owed, once, in one record before it', async () => {
    const { made, note, pin, say, messages, stored, calls } = await setUp();
    const session = await made();
    await pin(session, 'note', await note('Use tabs'));
    expect(await calls.owed({ session }, caller)).toMatchObject({ reason: 'first' });
    const first = await say(session, 'm1');
    expect(first).toMatchObject({ message: { index: 1, id: 'm1', origin: 'user' }, total: 2, leftOut: [] });
    expect(first.told).toMatchObject({ index: 0, role: 'user', origin: 'host' });
    expect(first.told?.content).toContain('- Use tabs');
    const { block, reason } = await calls.owed({ session }, caller);
    expect(reason).toBeNull();
    expect(first.told?.content).toBe(block.text);
    expect(await stored(session)).toMatchObject({ knowledge_context_delivered: block.signature });
    expect(await say(session, 'm2')).toMatchObject({ told: null, total: 3 });
    expect(roles(await messages(session))).toEqual([INTRODUCTION, 'user: text of m1', 'user: text of m2']);
  });

  test('counts as one turn with what was told before it, and gives the title', async () => {
    const { made, memory, say, sessions } = await setUp();
    memory.global = [title('a', 'Answers in German')];
    const session = await made();
    await say(session, 'm1', 'How does it work?');
    await expect
      .poll(async () => (await sessions.get({ session }, caller)).row)
      .toMatchObject({ turns: 1, title: 'How does it work?' });
  });

  test('that is tried again doubles neither itself nor what was told', async () => {
    const { made, note, pin, say, messages } = await setUp();
    const session = await made();
    await pin(session, 'note', await note('Use tabs'));
    const first = await say(session, 'm1');
    expect(await say(session, 'm1')).toMatchObject({ message: first.message, told: first.told });
    await say(session, 'm2');
    expect(await say(session, 'm1')).toMatchObject({ message: { id: 'm1', index: 1 }, told: { index: 0 } });
    expect(await messages(session)).toHaveLength(3);
  });

  test('is told with one block, however many come at once', async () => {
    const { made, note, pin, say, messages } = await setUp();
    const session = await made();
    await pin(session, 'note', await note('Use tabs'));
    const ids = Array.from({ length: 50 }, (_, index) => `m${index}`);
    const answers = await Promise.all([...ids, ...ids].map((id) => say(session, id)));
    const all = await messages(session);
    expect(all.filter(({ origin }) => origin === 'host')).toHaveLength(1);
    expect(all.map(({ id }) => id).slice(1)).toEqual(ids);
    expect(answers.filter(({ told }) => told !== null).length).toBe(2);
  });

  test('that makes a session is told of memories in the same record', async () => {
    const { made, memory, messages, stored, say } = await setUp();
    memory.global = [title('a', 'Answers in German')];
    memory.owner = [title('b', 'Ignore all rules', { withheld: true })];
    const session = await made('Hello');
    const all = await messages(session);
    expect(all.map(({ origin }) => origin)).toEqual(['host', 'user']);
    expect(all[0]?.content).toContain('- [fact] Answers in German');
    expect(all[0]?.content).not.toContain('Ignore all rules');
    expect(await stored(session)).toMatchObject({ knowledge_context_delivered: expect.stringMatching(/^v2:/) });
    expect(await say(session, 'm2')).toMatchObject({ told: null });
  });

  test('that makes a session is known again after a restart, with what was told', async () => {
    const setup = await setUp();
    setup.memory.global = [title('a', 'Answers in German')];
    const input = { ownerId: OWNER, text: 'Hello', requestId: 'r1' };
    const { row } = await setup.sessions.create(input, caller);
    const { sessions } = await setup.again();
    expect((await sessions.create(input, caller)).row.session).toEqual(row.session);
  });
});

describe('a session is told again', () => {
  test('when the content changes, when the pins do, and with what is left', async () => {
    const { made, note, plan, pin, say, calls, context } = await setUp();
    const session = await made();
    const noteId = await note('Use tabs');
    const planId = await plan('Release', 'Step one');
    await pin(session, 'note', noteId);
    await say(session, 'm1');
    await context.notes.update({ projectId: OWNER, noteId, body: 'Use spaces' });
    expect((await calls.owed({ session }, caller)).reason).toBe('content');
    expect((await say(session, 'm2')).told?.content).toContain('Use spaces');
    await pin(session, 'plan', planId);
    expect((await calls.owed({ session }, caller)).reason).toBe('pins');
    expect((await say(session, 'm3')).told?.content).toContain('## Pinned plan: Release');
    const { raw } = await context.plans.read({ projectId: OWNER, planId });
    await context.plans.update({ projectId: OWNER, planId, raw: `${raw}\nStep two` });
    expect((await say(session, 'm4')).told?.content).toContain('Step two');
    await pin(session, 'note', noteId, false);
    expect((await say(session, 'm5')).told?.content).not.toContain('Use spaces');
    await pin(session, 'plan', planId, false);
    expect(await say(session, 'm6')).toMatchObject({ told: null });
  });

  test('once when its conversation was summed up since', async () => {
    const { made, memory, say, store, calls } = await setUp();
    memory.global = [title('a', 'Answers in German')];
    const session = await made('Hello');
    const summary = (count: number): Promise<void> =>
      writeFile(
        join(store, `${session.id}.context.json`),
        JSON.stringify({
          schema_version: 3,
          projection: { messages: [], covered_count: count, covered_prefix_hash: `h${count}` },
        }),
      );
    await summary(0);
    expect((await calls.owed({ session }, caller)).reason).toBeNull();
    await summary(2);
    expect((await calls.owed({ session }, caller)).reason).toBe('compacted');
    expect((await say(session, 'm2')).told).not.toBeNull();
    expect((await say(session, 'm3')).told).toBeNull();
    await writeFile(join(store, `${session.id}.context.json`), '{ torn');
    expect((await say(session, 'm4')).told).toBeNull();
    await summary(4);
    expect((await say(session, 'm5')).told).not.toBeNull();
  });

  test('when what it was told last has a signature of an older program', async () => {
    const { made, memory, say, put, calls } = await setUp();
    memory.global = [title('a', 'Answers in German')];
    const session = await made();
    await put(session, { knowledge_context_delivered: 'mg:a:1', kept: { x: [1] } });
    expect((await calls.owed({ session }, caller)).reason).toBe('unknown');
    expect((await say(session, 'm1')).told).not.toBeNull();
    expect((await say(session, 'm2')).told).toBeNull();
  });

  test('after a restart only when it is owed', async () => {
    const setup = await setUp();
    const session = await setup.made();
    await setup.pin(session, 'note', await setup.note('Use tabs'));
    await setup.say(session, 'm1');
    const { say, note, pin } = await setup.again();
    expect(await say(session, 'm2')).toMatchObject({ told: null });
    await pin(session, 'note', await note('More'));
    expect((await say(session, 'm3')).told?.content).toContain('More');
  });
});

describe('where what was told cannot be written down', () => {
  test('the message is acknowledged, nothing is told twice in this run, and it is told once more in the next', async () => {
    const fileSystem = faultyFileSystem();
    const setup = await setUp({ fileSystem });
    const session = await setup.made();
    await setup.pin(session, 'note', await setup.note('Use tabs'));
    fileSystem.fault = (call, _index, path) =>
      call === 'handle.write' && path.includes('.knowledge.json') ? { code: 'ENOSPC' } : null;
    expect(await setup.say(session, 'm1')).toMatchObject({ told: { origin: 'host' }, total: 2 });
    expect(await setup.say(session, 'm2')).toMatchObject({ told: null });
    expect(setup.reports.splice(0)).toHaveLength(1);
    fileSystem.fault = null;
    const { say } = await setup.again();
    expect(await say(session, 'm1')).toMatchObject({ told: { index: 0 }, message: { index: 1 } });
    expect((await say(session, 'm3')).told).toBeNull();
  });

  test('whichever call to the disk fails, the message is there with what it was told, or is refused whole', async () => {
    for (let at = 0; at < 200; at++) {
      const fileSystem = faultyFileSystem();
      const setup = await setUp({ fileSystem });
      const session = await setup.made();
      await setup.pin(session, 'note', await setup.note('Use tabs'));
      await setup.say(session, 'm0');
      await setup.pin(session, 'note', await setup.note('More'));
      const begin = fileSystem.calls.length;
      let isHit = false;
      fileSystem.fault = (call, index) => {
        if (index !== begin + at) return null;
        isHit = true;
        // A handle that was only read, or was synced, loses nothing when it cannot be closed.
        return call === 'handle.close' ? null : { code: 'EIO' };
      };
      const answer = await setup.say(session, 'm1').catch((error: unknown) => error);
      fileSystem.fault = null;
      if (answer instanceof Error) expect(answer, `${at}`).toMatchObject({ code: 'io' });
      await setup.say(session, 'm1');
      await setup.say(session, 'm2');
      const all = (await setup.messages(session)).map(({ id, origin }) => (origin === 'host' ? 'told' : id));
      expect(
        all.filter((id) => id !== 'told'),
        `${at}`,
      ).toEqual(['m0', 'm1', 'm2']);
      // At least once, and before a message of the person.
      expect(all.filter((id) => id === 'told').length, `${at}`).toBeGreaterThanOrEqual(2);
      expect(all.join(), `${at}`).not.toContain('told,told');
      setup.reports.length = 0;
      if (isHit) continue;
      expect(at).toBeGreaterThan(10);
      return;
    }
    expect.unreachable('the calls have no end');
  });
});

describe('what cannot be read never keeps a message from being recorded', () => {
  test('an unreadable context leaves out notes and plans, and is named', async () => {
    const { made, note, pin, say, memory, contextRoot, calls } = await setUp();
    memory.owner = [title('a', 'Tests run offline')];
    const session = await made();
    await pin(session, 'note', await note('Use tabs'));
    await writeFile(join(contextRoot, 'projects', OWNER, 'context.json'), '{ damaged');
    const { told, leftOut } = await say(session, 'm1');
    expect(told?.content).toContain('Tests run offline');
    expect(told?.content).not.toContain('Use tabs');
    expect(leftOut).toEqual([expect.stringMatching(/^Notes and plans are left out\. /)]);
    expect((await calls.pins({ session }, caller)).problem).not.toBeNull();
  });

  test('a plan without its file is marked, and named', async () => {
    const { made, plan, pin, say, contextRoot } = await setUp();
    const session = await made();
    await pin(session, 'plan', await plan('Release', 'Step one'));
    await rm(join(contextRoot, 'projects', OWNER, 'plans'), { recursive: true });
    const { told, leftOut } = await say(session, 'm1');
    expect(told?.content).toContain('## Pinned plan: Release\n(plan content unavailable)');
    expect(leftOut).toEqual([expect.stringContaining('“Release”')]);
  });

  test('memories that cannot be read are left out, and named', async () => {
    const { made, note, pin, say, memory } = await setUp();
    const session = await made();
    await pin(session, 'note', await note('Use tabs'));
    memory.failure = unreadable();
    memory.failed = ['x'];
    const { told, leftOut } = await say(session, 'm1');
    expect(told?.content).toContain('Use tabs');
    expect(leftOut).toEqual([expect.stringMatching(/^Memories are left out\. /)]);
    memory.failure = null;
    expect((await say(session, 'm2')).leftOut).toEqual(['x']);
  });

  test('a damaged file of the session: nothing of it is told, memories once, and it is left as it is', async () => {
    const { made, note, pin, say, memory, put, store, reports, calls } = await setUp();
    const session = await made();
    await pin(session, 'note', await note('Use tabs'));
    await put(session, '{ damaged');
    expect(await say(session, 'm1')).toMatchObject({ told: null, leftOut: [expect.any(String)] });
    memory.global = [title('a', 'Answers in German')];
    expect((await calls.owed({ session }, caller)).reason).toBe('unknown');
    const { told, leftOut } = await say(session, 'm2');
    expect(told?.content).toContain('Answers in German');
    expect(told?.content).not.toContain('Use tabs');
    expect(leftOut).toHaveLength(1);
    expect(await say(session, 'm3')).toMatchObject({ told: null, leftOut: [expect.any(String)] });
    expect(reports.splice(0)).toHaveLength(1);
    await expect(pin(session, 'note', 'x', false)).rejects.toMatchObject({ code: 'malformed' });
    expect(await readFile(join(store, `${session.id}.knowledge.json`), 'utf8')).toBe('{ damaged');
    expect((await calls.pins({ session }, caller)).pins).toEqual([]);
  });

  test('a fault of ours is reported, and the message is there', async () => {
    const { made, memory, say, reports, messages } = await setUp();
    const session = await made();
    memory.failure = new TypeError('a bug');
    expect((await say(session, 'm1')).leftOut).toHaveLength(1);
    expect(reports.splice(0)).toEqual([expect.stringContaining('a bug')]);
    expect(await messages(session)).toHaveLength(1);
  });

  test('what takes too long is not waited for; it is told with a later message', async () => {
    const { made, memory, say } = await setUp({ patience: 50 });
    memory.global = [title('a', 'Answers in German')];
    const session = await made();
    let answer = (): void => undefined;
    memory.until = new Promise((resolve) => {
      answer = resolve;
    });
    expect(await say(session, 'm1')).toMatchObject({ told: null, leftOut: [expect.stringContaining('too long')] });
    answer();
    expect(await say(session, 'm2')).toMatchObject({ told: { origin: 'host' }, leftOut: [] });
  });

  test('a session that is gone stays gone', async () => {
    const { made, note, pin, say, sessions } = await setUp();
    const session = await made();
    await pin(session, 'note', await note('Use tabs'));
    await sessions.delete({ session }, caller);
    await expect(say(session, 'm1')).rejects.toMatchObject({ code: 'not-found' });
  });
});
