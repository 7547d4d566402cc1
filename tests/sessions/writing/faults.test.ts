import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Failure } from '../../../src/contract/errors.ts';
import type { Fault } from '../../files/support.ts';
import { filesIn, made, place, said, setUp, textsIn } from './support.ts';

const faults: Fault[] = [
  { code: 'ENOSPC' },
  { code: 'EIO' },
  { code: 'EACCES' },
  { code: 'EMFILE' },
  'short',
  'nothing',
];

/** Every number of a call at which something can fail, until it goes through. */
async function eachFailure(fault: Fault, run: (failAt: number) => Promise<boolean>): Promise<number> {
  for (let failAt = 0; failAt < 400; failAt++) if (!(await run(failAt))) return failAt;
  throw new Error(`it never goes through with ${JSON.stringify(fault)}`);
}

test.each(faults)(
  'whichever call of a message fails (%j): it is refused or there, and there once after another try',
  async (fault) => {
    const rig = await setUp({ checkpointDelay: 60_000 });
    const session = await made(rig, 'first');
    const log = rig.path(session, '.events.jsonl');
    const expected = ['first'];
    const isWrite = typeof fault === 'string';
    const count = await eachFailure(fault, async (failAt) => {
      await rig.restart();
      let calls = 0;
      let failed = false;
      rig.fileSystem.fault = (call) => {
        if (isWrite && call !== 'handle.write') return null;
        if (calls++ !== failAt) return null;
        failed = true;
        return fault;
      };
      const message = said(`message ${failAt}`);
      const answer = await rig.writers.append(session, [message]).catch((error: unknown) => error);
      rig.fileSystem.fault = null;
      if (answer instanceof Error) {
        expect(answer).toBeInstanceOf(Failure);
        expect(answer.message).not.toContain(rig.root);
        const again = await rig.writers.append(session, [message]);
        expect(again.total).toBe(expected.length + 1);
      } else expect(await textsIn(log)).toContain(message.content);
      expected.push(message.content);
      expect((await readTexts(log)).filter((text) => text.startsWith('message') || text === 'first')).toEqual(expected);
      return failed;
    });
    expect(count).toBeGreaterThan(isWrite ? 0 : 8);
    await rig.writers.flush();
    expect(rig.reports).toEqual([]);
  },
);

test.each(faults)(
  'whichever call of several messages at once fails (%j), none is there twice and none that was answered is missing',
  async (fault) => {
    const rig = await setUp({ checkpointDelay: 60_000 });
    const session = await made(rig);
    const log = rig.path(session, '.events.jsonl');
    await eachFailure(fault, async (failAt) => {
      let calls = 0;
      let failed = false;
      rig.fileSystem.fault = (call) => {
        if (typeof fault === 'string' && call !== 'handle.write') return null;
        if (calls++ !== failAt) return null;
        failed = true;
        return fault;
      };
      const messages = ['a', 'b', 'c'].map((name) => said(`${name} ${failAt}`));
      const answers = await Promise.allSettled(messages.map((message) => rig.writers.append(session, [message])));
      rig.fileSystem.fault = null;
      const texts = await readTexts(log);
      for (const [index, { status }] of answers.entries()) {
        if (status === 'fulfilled') expect(texts.filter((text) => text === messages[index]?.content)).toHaveLength(1);
      }
      await Promise.all(messages.map((message) => rig.writers.append(session, [message])));
      const after = await readTexts(log);
      for (const { content } of messages) expect(after.filter((text) => text === content)).toHaveLength(1);
      return failed;
    });
  },
);

test('a sync that failed is not believed later: the bytes are written again before anybody is answered', async () => {
  const rig = await setUp({ checkpointDelay: 60_000 });
  const session = await made(rig, 'first');
  const message = said('second');
  let syncs = 0;
  rig.fileSystem.fault = (call) => (call === 'handle.sync' && syncs++ < 2 ? { code: 'EIO' } : null);
  const before = rig.fileSystem.calls.length;
  await expect(rig.writers.append(session, [message])).rejects.toMatchObject({
    code: 'io',
    detail: { reason: 'not-confirmed' },
  });
  rig.fileSystem.fault = null;
  const calls = rig.fileSystem.calls.slice(before);
  expect(calls.filter((call) => call === 'open r+')).toHaveLength(1);
  const retry = rig.fileSystem.calls.length;
  expect((await rig.writers.append(session, [message])).repeated).toBe(true);
  const later = rig.fileSystem.calls.slice(retry);
  expect(later.indexOf('open r+')).toBeGreaterThanOrEqual(0);
  expect(later.indexOf('handle.write')).toBeLessThan(later.indexOf('handle.sync'));
  expect(await textsIn(rig.path(session, '.events.jsonl'))).toEqual(['first', 'second']);
});

test('a full disk leaves a torn piece that the next message has set aside and cut', async () => {
  const rig = await setUp({ checkpointDelay: 60_000, sleep: () => Promise.reject(new Error('nobody has to wait')) });
  const session = await made(rig, 'first');
  let writes = 0;
  rig.fileSystem.fault = (call) => (call === 'handle.write' ? (writes++ === 0 ? 'short' : { code: 'ENOSPC' }) : null);
  await expect(rig.writers.append(session, [said('second')])).rejects.toMatchObject({
    code: 'io',
    detail: { reason: 'disk-full' },
  });
  rig.fileSystem.fault = null;
  await rig.writers.append(session, [said('third')]);
  expect(await textsIn(rig.path(session, '.events.jsonl'))).toEqual(['first', 'third']);
  expect(rig.tails).toEqual([{ setAside: true, bytes: 1 }]);
});

test.each(faults)(
  'whichever call of a creation fails (%j), nothing of it is left or all of it is there',
  async (fault) => {
    const rig = await setUp();
    const isWrite = typeof fault === 'string';
    await eachFailure(fault, async (failAt) => {
      const before = Object.keys(await filesIn(rig.folder).catch(() => ({}))).length;
      let calls = 0;
      let failed = false;
      rig.fileSystem.fault = (call) => {
        if (isWrite && call !== 'handle.write') return null;
        if (calls++ !== failAt) return null;
        failed = true;
        return fault;
      };
      const created = await rig.writers
        .create({ ...place, messages: [said('first')], requestId: `request ${failAt}` })
        .catch((error: unknown) => error);
      rig.fileSystem.fault = null;
      const after = Object.keys(await filesIn(rig.folder).catch(() => ({}))).length;
      if (created instanceof Error) {
        expect(created).toBeInstanceOf(Failure);
        expect(after, `call ${failAt}`).toBe(before);
        const again = await rig.writers.create({ ...place, messages: [said('first')], requestId: `request ${failAt}` });
        expect(await textsIn(rig.path(again.session, '.events.jsonl'))).toEqual(['first']);
      } else expect(after).toBe(before + 4);
      return failed;
    });
  },
);

test('files beside the log that could not be written are written later, with growing pauses', async () => {
  const rig = await setUp({ checkpointDelay: 5 });
  const session = await made(rig, 'first');
  rig.fileSystem.fault = (_call, _index, path) =>
    path.endsWith('.event-index.json') || path.endsWith('.tmp') ? { code: 'ENOSPC' } : null;
  await rig.writers.append(session, [said('second')]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(rig.reports).toHaveLength(1);
  rig.fileSystem.fault = null;
  await rig.writers.flush();
  expect(JSON.parse(await readFile(rig.path(session, '.event-index.json'), 'utf8'))).toMatchObject({ revision: 2 });
});

/** Texts in a log of which some lines may be torn. */
async function readTexts(log: string): Promise<string[]> {
  const text = await readFile(log, 'utf8');
  return text.split('\n').flatMap((line) => {
    try {
      const { messages = [] } = JSON.parse(line) as { messages?: { content: string }[] };
      return messages.map(({ content }) => content);
    } catch {
      return [];
    }
  });
}
