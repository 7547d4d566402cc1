import { expect, test } from 'vitest';
import { accessTo } from '../../../renderer/mini-chat/open-session.ts';
import { placeOfSession } from '../../../renderer/mini-chat/opening.ts';
import { arrivedOf, outgoingOf, unansweredOf } from '../../../renderer/mini-chat/transcript-end.ts';
import { emptyDetail } from '../../../renderer/state/session-sync.ts';
import { SessionTranscript } from '../../../renderer/state/session-transcript.ts';
import { Failure, type SessionDetail } from '../../../src/contract/index.ts';
import { project } from '../memory/application.ts';
import { CHATS } from '../memory/context.ts';
import { message } from '../memory/session-store.ts';
import { MemoryStore } from '../memory/store.ts';

const session = { store: 'global', id: 'one' };
const open = { kind: 'session', session } as const;
const fresh = { kind: 'new', id: 'n1' } as const;

async function detailOf(readOnly: SessionDetail['readOnly']) {
  const store = new MemoryStore();
  store.sessions.add('one', { ours: true });
  const answer = await store.pair.connect('mini-chat').sessions.get({ session });
  if (!answer.ok) throw new Error(answer.error.message);
  return { ...emptyDetail, detail: { ...answer.value, readOnly } };
}

test.each([
  [null, 'open'],
  ['foreign', 'copy'],
  ['in-use', 'copy'],
  ['too-new', 'blocked'],
  ['unreadable', 'blocked'],
] as const)('a session that is read-only because of %s is %s', async (readOnly, access) => {
  expect(accessTo(open, await detailOf(readOnly))).toBe(access);
});

test('one that went is gone, whatever was known of it, and one that is not known yet takes no message', async () => {
  const known = await detailOf(null);
  const notFound = new Failure('not-found', 'gone').toCallError();
  const io = new Failure('io', 'the disk').toCallError();
  expect(accessTo(open, { ...known, isGone: true })).toBe('gone');
  expect(accessTo(open, { ...emptyDetail, problem: notFound })).toBe('gone');
  expect(accessTo(open, { ...emptyDetail, problem: io })).toBe('blocked');
  expect(accessTo(open, { ...known, problem: io })).toBe('open');
  expect(accessTo(open, emptyDetail)).toBe('loading');
  expect(accessTo(fresh, emptyDetail)).toBe('open');
});

test('a session is shown in its place, and in Chats when that is hidden or nobody', () => {
  const store = new MemoryStore();
  const { row } = store.sessions.add('one');
  const hidden = { ...project('path_b', 'b'), hidden: true };
  const list = { sequence: 1, chatsId: CHATS, projects: [project('path_a', 'a'), hidden], moved: [] };
  const placeOf = (ownerId: string | null) => {
    const { target, isItsOwn } = placeOfSession(list, { ...row, ownerId });
    return [target.id, isItsOwn];
  };
  expect([placeOf('path_a'), placeOf(CHATS)]).toEqual([
    ['path_a', true],
    [CHATS, true],
  ]);
  expect([placeOf('path_b'), placeOf(null)]).toEqual([
    [CHATS, false],
    [CHATS, false],
  ]);
});

test('a message is on its way until the transcript has as many messages as it takes', () => {
  const base = { ownerId: CHATS, conversation: open, text: 'x', error: null };
  const sending = { ...base, messageId: 'a', recorded: null };
  const recorded = { ...base, messageId: 'b', recorded: { index: 4, at: 1 } };
  const elsewhere = { ...base, messageId: 'c', conversation: fresh, recorded: null };
  const all = [recorded, sending, elsewhere];
  const ids = (total: number) => outgoingOf(all, open, total).map(({ messageId }) => messageId);
  expect([ids(4), ids(5)]).toEqual([['b', 'a'], ['a']]);
  expect([arrivedOf(all, open, 4), arrivedOf(all, open, 5)]).toEqual([[], ['b']]);
});

test('only the last message of the person is unanswered, and only where the end is loaded', async () => {
  const store = new MemoryStore();
  const { row } = store.sessions.add('one', { ours: true }, [message('assistant', 'hi'), message('user', 'hello')]);
  const transcript = new SessionTranscript(store.pair.connect('mini-chat'), row.session);
  await transcript.goTo('end');
  const state = transcript.get();
  expect(unansweredOf(state)?.content).toBe('hello');
  expect(unansweredOf({ ...state, total: 3 })).toBe(null);
  expect(unansweredOf({ ...state, messages: [message('assistant', 'hi')], total: 1 })).toBe(null);
  expect(unansweredOf({ ...state, messages: [message('user', 'block', { origin: 'host' })], total: 1 })).toBe(null);
});
