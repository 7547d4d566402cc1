import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure, type SessionRef, sessionKey, type TrashedRef } from '../../src/contract/index.ts';
import type { Sidekeep } from '../../src/sidekeep.ts';
import { caller, rows, type WholeCore, wholeCore } from './whole-core.ts';

const CALLERS = 32;

type Step =
  | { call: 'create' | 'fork' | 'append' | 'rename' | 'delete' | 'restore' | 'pin'; at: number }
  | { call: 'purge' | 'list' | 'page' | 'get' | 'find' | 'trash' | 'report'; at: number };

const weights = {
  create: 3,
  fork: 1,
  append: 12,
  rename: 3,
  delete: 4,
  restore: 5,
  pin: 1,
  purge: 1,
  list: 3,
  page: 3,
  get: 2,
  find: 1,
  trash: 1,
  report: 1,
} as const;

const steps: fc.Arbitrary<Step> = fc.record({
  call: fc.oneof(
    ...Object.entries(weights).map(([call, weight]) => ({
      weight,
      arbitrary: fc.constant(call as Step['call']),
    })),
  ),
  at: fc.nat(1000),
});

/** What was answered to the callers. */
class Answers {
  readonly sessions: SessionRef[] = [];
  /** Messages by session: in the order in which each caller sent them, with the index that was answered. */
  readonly messages = new Map<string, { caller: number; id: string; index: number }[]>();
  readonly trashed: TrashedRef[] = [];
  readonly purged = new Set<string>();
  readonly odd: string[] = [];
}

const expected = new Set(['not-found', 'conflict', 'in-use']);

async function act(core: Sidekeep, chatsId: string, answers: Answers, who: number, count: number, step: Step) {
  const { sessions } = core.calls;
  const session = answers.sessions[step.at % Math.max(1, answers.sessions.length)];
  const trashed =
    answers.trashed[answers.trashed.length - 1 - (step.at % Math.max(1, Math.min(4, answers.trashed.length)))];
  const name = `${who}-${count}`;
  const made = (ref: SessionRef) => {
    answers.sessions.push(ref);
    answers.messages.set(sessionKey(ref), answers.messages.get(sessionKey(ref)) ?? []);
  };
  if (step.call === 'create')
    return made((await sessions.create({ ownerId: chatsId, text: `first ${name}` }, caller)).row.session);
  if (step.call === 'list') return sessions.list({ ownerId: null, limit: 5 }, caller);
  if (step.call === 'trash') return sessions.trash({}, caller);
  if (step.call === 'report') return sessions.report({}, caller);
  if (step.call === 'restore' && trashed) return sessions.restore(trashed, caller);
  if (step.call === 'purge' && trashed && step.at % 3 === 0) {
    const item = (await sessions.trash({}, caller)).items.find((one) => one.name === trashed.name);
    const { purged } = await sessions.purge({ items: [trashed] }, caller);
    if (purged === 1 && item) answers.purged.add(sessionKey(item.session));
    return;
  }
  if (!session) return;
  if (step.call === 'append') {
    const { message } = await sessions.append({ session, text: `text ${name}`, messageId: name }, caller);
    answers.messages.get(sessionKey(session))?.push({ caller: who, id: name, index: message.index });
  }
  if (step.call === 'fork') return void (await sessions.fork({ session }, caller));
  if (step.call === 'rename') return sessions.rename({ session, title: `title ${name}` }, caller);
  if (step.call === 'pin') return sessions.pin({ session, pinned: step.at % 2 === 0 }, caller);
  if (step.call === 'page') return sessions.page({ session, limit: 3 }, caller);
  if (step.call === 'get') return sessions.get({ session }, caller);
  if (step.call === 'find') return sessions.find({ session, query: 'text' }, caller);
  if (step.call === 'delete') {
    const { trashed: entry } = await sessions.delete({ session }, caller);
    if (entry) answers.trashed.push(entry);
  }
}

async function storm(core: Sidekeep, chatsId: string, scripts: readonly Step[][]): Promise<Answers> {
  const answers = new Answers();
  for (let number = 0; number < 3; number++)
    await act(core, chatsId, answers, CALLERS, number, { call: 'create', at: 0 });
  await Promise.all(
    scripts.map(async (script, who) => {
      for (const [count, step] of script.entries()) {
        try {
          await act(core, chatsId, answers, who, count, step);
        } catch (error) {
          if (!(error instanceof Failure) || !expected.has(error.code)) answers.odd.push(`${step.call}: ${error}`);
        }
      }
    }),
  );
  return answers;
}

/** Everything that was acknowledged is there, once, in order; nothing is at two places; what was purged is nowhere. */
async function inspect(core: Sidekeep, answers: Answers): Promise<void> {
  expect(answers.odd).toEqual([]);
  const { sessions } = core.calls;
  const live = new Set((await rows(core)).map(({ session }) => sessionKey(session)));
  for (const { session, name } of (await sessions.trash({}, caller)).items) {
    const key = sessionKey(session);
    expect(live.has(key), `${key} is live and in the trash as ${name}`).toBe(false);
    await sessions.restore({ store: session.store, name }, caller);
    live.add(key);
  }
  expect(new Set((await rows(core)).map(({ session }) => sessionKey(session)))).toEqual(live);
  for (const session of answers.sessions) {
    const key = sessionKey(session);
    if (answers.purged.has(key)) {
      expect(live.has(key), `${key} was removed for good`).toBe(false);
      continue;
    }
    expect(live.has(key), `${key} is there`).toBe(true);
    const page = await sessions.page({ session, from: 0, limit: 200 }, caller);
    const ids = page.messages.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const recorded = answers.messages.get(key) ?? [];
    for (const { id, index } of recorded) expect(ids[index], `message of ${key} at ${index}`).toBe(id);
    for (let who = 0; who < CALLERS; who++) {
      const own = recorded.filter((one) => one.caller === who).map(({ index }) => index);
      expect(own).toEqual([...own].sort((left, right) => left - right));
    }
    expect(page.total).toBeLessThanOrEqual(200);
  }
}

/** The pushes, without a gap, lead to the list. */
function foldPushes(published: WholeCore['published']): Set<string> {
  const known = new Set<string>();
  let last: number | null = null;
  for (const { name, payload } of published) {
    if (name !== 'sessions.changed') continue;
    const { sequence, changed, removed } = payload as {
      sequence: number;
      changed: { session: SessionRef }[];
      removed: SessionRef[];
    };
    if (last !== null) expect(sequence).toBe(last + 1);
    last = sequence;
    for (const { session } of changed) known.add(sessionKey(session));
    for (const session of removed) known.delete(sessionKey(session));
  }
  return known;
}

test('a storm of calls from many callers: what was acknowledged is there once and in order, nothing comes back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(steps, { minLength: 4, maxLength: 12 }), { minLength: CALLERS, maxLength: CALLERS }),
      async (scripts) => {
        const whole = await wholeCore();
        const core = await whole.open();
        const { chatsId } = await core.calls.projects.list({}, caller);
        const answers = await storm(core, chatsId, scripts);
        await inspect(core, answers);
        const there = (await rows(core)).map(({ session }) => sessionKey(session));
        await expect.poll(() => foldPushes(whole.published), { timeout: 5000 }).toEqual(new Set(there));
        await core.dispose();
        const again = await whole.open();
        const after = (await rows(again)).map(({ session }) => sessionKey(session));
        expect(new Set(after)).toEqual(new Set(there));
        await again.dispose();
      },
    ),
    { numRuns: Number(process.env.STORMS ?? 5), endOnFailure: true },
  );
}, 300_000);
