import { afterEach, beforeEach, expect, test } from 'vitest';
import { ChatDrafts } from '../../../renderer/mini-chat/chat-drafts.ts';
import { Conversations } from '../../../renderer/mini-chat/conversation.ts';
import { draftKey } from '../../../renderer/mini-chat/draft-keys.ts';
import { MessageOutbox, stateOf } from '../../../renderer/mini-chat/message-outbox.ts';
import { createSidekeep, type Sidekeep } from '../../../renderer/state/sidekeep.ts';
import { Failure, type SessionRef, sessionKey } from '../../../src/contract/index.ts';
import { CHATS } from '../memory/context.ts';
import { MAIN, messagesOf } from '../memory/session-store.ts';
import { MemoryStore } from '../memory/store.ts';
import { MemoryStorage } from '../window.ts';

const KEY = draftKey(CHATS);
const STORED = 'sidekeep.messages/mini-chat';

/** One life of the Mini Chat's page over what lasts. */
interface Page {
  sidekeep: Sidekeep;
  conversations: Conversations;
  chatDrafts: ChatDrafts;
  outbox: MessageOutbox;
}

let store: MemoryStore;
let storage: MemoryStorage;
let page: Page;
let recorded: string[];
const pages: Page[] = [];

async function openPage(): Promise<Page> {
  const sidekeep = createSidekeep(store.pair.connect('mini-chat'), 'mini-chat', storage);
  await sidekeep.shared.load('projects');
  const chatDrafts = new ChatDrafts(sidekeep.client);
  const conversations = new Conversations(storage);
  const outbox = new MessageOutbox(sidekeep, conversations, chatDrafts, storage, ({ text }) => recorded.push(text));
  const opened = { sidekeep, conversations, chatDrafts, outbox };
  pages.push(opened);
  return opened;
}

beforeEach(async () => {
  store = new MemoryStore();
  storage = new MemoryStorage();
  recorded = [];
  page = await openPage();
});

afterEach(() => {
  for (const { sidekeep } of pages.splice(0)) sidekeep[Symbol.dispose]();
  // The bridge reports each `io`, which is what these tests make it answer.
  expect(store.reports.filter((report) => !report.includes('The disk is full'))).toEqual([]);
});

const type = (text: string) => page.sidekeep.drafts.write(KEY, text);
const typed = () => page.sidekeep.drafts.read(KEY).text;
const send = (text: string) => page.outbox.send(CHATS, text);
const states = () => page.outbox.get().map((message, _, all) => `${message.text}: ${stateOf(message, all)}`);
const failed = () => page.outbox.get().find(({ error }) => error !== null);
const diskFull = () => new Failure('io', 'The disk is full. Free some space and try again.');
/** The texts of each session, in the order in which the sessions were made. */
const sessions = () =>
  [...store.sessions.all.values()].map((stored) => messagesOf(stored, MAIN).map(({ content }) => content));

function openOurs(id: string): SessionRef {
  const { session } = store.sessions.add(id, { ours: true }).row;
  page.conversations.show(CHATS, session);
  return session;
}

/** Fails one try of a call after it was carried out, as when its answer is lost. */
function loseAnswerOf(call: 'sessions.append' | 'sessions.create' | 'chats.start'): void {
  const [group = '', name = ''] = call.split('.');
  type Calls = Record<string, (input: unknown) => Promise<unknown>>;
  const calls = (page.sidekeep.client as unknown as Record<string, Calls>)[group];
  const real = calls?.[name];
  if (!calls || !real) throw new Error(`no call ${call}`);
  calls[name] = async (input) => {
    await real(input);
    calls[name] = real;
    return { ok: false, error: diskFull().toCallError() };
  };
}

test('the first message starts a session, the next ones continue it', async () => {
  type('first');
  await send('first');
  expect(typed()).toBe('');
  await send('second');
  expect(sessions()).toEqual([['first', 'second']]);
  expect(recorded).toEqual(['first', 'second']);
  expect(page.conversations.of(CHATS)).toMatchObject({ kind: 'session' });
  expect(storage.getItem(STORED)).toBe(null);
});

test('what is typed while a session is being started goes into that one', async () => {
  await Promise.all([send('first'), send('second'), send('third')]);
  expect(sessions()).toEqual([['first', 'second', 'third']]);
});

test('a new session begun meanwhile is another one', async () => {
  const first = send('first');
  page.conversations.begin(CHATS);
  await Promise.all([first, send('other')]);
  expect(sessions()).toEqual([['first'], ['other']]);
  expect(page.conversations.of(CHATS)).toMatchObject({ session: [...store.sessions.all.values()][1]?.row.session });
});

test('a message is recorded for certain only once it is acknowledged', async () => {
  openOurs('a');
  let release = () => {};
  store.before = () => new Promise((resolve) => (release = resolve));
  const sent = send('hello');
  expect(states()).toEqual(['hello: sending']);
  expect(storage.getItem(STORED)).toContain('hello');
  await Promise.resolve();
  release();
  await sent;
  expect(states()).toEqual(['hello: recorded']);
  expect(page.outbox.get()[0]?.recorded?.index).toBe(0);
});

test('one that was not recorded keeps its text, says why and is tried again on request', async () => {
  openOurs('a');
  store.failing.set('sessions.append', diskFull());
  await send('keep me');
  expect(failed()).toMatchObject({ text: 'keep me', error: { code: 'io' } });
  expect(sessions()).toEqual([[]]);
  store.failing.clear();
  await page.outbox.retry(failed()?.messageId ?? '');
  expect(sessions()).toEqual([['keep me']]);
  expect(states()).toEqual(['keep me: recorded']);
});

test.each([
  ['sessions.append', CHATS],
  ['chats.start', CHATS],
  ['sessions.create', 'path_other'],
] as const)('a retry after a lost answer of %s records nothing twice', async (name, ownerId) => {
  if (name === 'sessions.append') openOurs('a');
  loseAnswerOf(name);
  await page.outbox.send(ownerId, 'once');
  expect(states()).toEqual(['once: failed']);
  await page.outbox.retry(failed()?.messageId ?? '');
  expect(sessions()).toEqual([['once']]);
  await page.outbox.send(ownerId, 'next');
  expect(sessions()).toEqual([['once', 'next']]);
});

test('nor does sending it again from the field', async () => {
  loseAnswerOf('chats.start');
  await send('once');
  page.outbox.putBack(failed()?.messageId ?? '', 'message');
  expect(typed()).toBe('once');
  await send('once');
  expect(sessions()).toEqual([['once']]);
});

test('another text that is sent in its place is recorded, and not taken for it', async () => {
  loseAnswerOf('chats.start');
  await send('one');
  page.outbox.putBack(failed()?.messageId ?? '', 'message');
  await send('one, changed');
  expect(sessions().flat()).toEqual(['one', 'one, changed']);
});

test('nothing gets in front of a message that was not recorded', async () => {
  openOurs('a');
  store.failing.set('sessions.append', diskFull());
  await send('first');
  await send('second');
  store.failing.clear();
  await send('third');
  expect(states()).toEqual(['first: failed', 'second: waiting', 'third: waiting']);
  expect(sessions()).toEqual([[]]);
  await page.outbox.retry(failed()?.messageId ?? '');
  expect(sessions()).toEqual([['first', 'second', 'third']]);
});

test('what waits goes on once the one before it is back in the field', async () => {
  openOurs('a');
  store.failing.set('sessions.append', diskFull());
  await send('first');
  const { messageId } = failed() ?? { messageId: '' };
  type('typed since');
  store.failing.clear();
  void send('second');
  type('typed since');
  page.outbox.putBack(messageId, 'note');
  await expect.poll(() => sessions()).toEqual([['second']]);
  expect(typed()).toBe('/message first\ntyped since');
});

test('another conversation does not wait', async () => {
  openOurs('a');
  store.failing.set('sessions.append', diskFull());
  await send('first');
  store.failing.clear();
  openOurs('b');
  await send('other');
  expect(sessions()).toEqual([[], ['other']]);
});

test.each([true, false])(
  'a page that dies leaves its messages to the next, once each; arrived: %s',
  async (arrived) => {
    openOurs('a');
    if (arrived) store.sessions.pushAppended = () => {};
    store.before = () => (arrived ? Promise.resolve() : new Promise(() => {}));
    loseAnswerOf('sessions.append');
    void send('first');
    void send('second');
    await new Promise((resolve) => setTimeout(resolve, 5));
    store.before = async () => {};
    page = await openPage();
    expect(states()).toEqual(['first: sending', 'second: sending']);
    page.outbox.resume();
    await expect.poll(() => sessions()).toEqual([['first', 'second']]);
    expect(storage.getItem(STORED)).toBe(null);
  },
);

test('a session that the first message of a dead page started is the one that is open', async () => {
  loseAnswerOf('chats.start');
  await send('first');
  page = await openPage();
  page.outbox.resume();
  await expect.poll(() => page.outbox.get()[0]?.recorded).toMatchObject({ index: 0 });
  await send('second');
  expect(sessions()).toEqual([['first', 'second']]);
});

test('a target never has the session of another', async () => {
  openOurs('a');
  expect(page.conversations.of('path_other')).toMatchObject({ kind: 'new' });
  await page.outbox.send('path_other', 'hello');
  const row = [...store.sessions.all.values()].at(-1)?.row;
  expect(row).toMatchObject({ ownerId: 'path_other' });
  expect(page.conversations.of(CHATS)).toMatchObject({ session: { id: 'a' } });
});

test('what a place had is where the place is now, also in the next page', async () => {
  openOurs('a');
  store.failing.set('sessions.append', diskFull());
  await send('unsent');
  page.conversations.follow([{ from: CHATS, to: 'path_new' }]);
  page.outbox.follow([{ from: CHATS, to: 'path_new' }]);
  page = await openPage();
  expect(page.conversations.of('path_new')).toMatchObject({ session: { id: 'a' } });
  expect(page.conversations.of(CHATS)).toMatchObject({ kind: 'new' });
  expect(page.outbox.get()).toMatchObject([{ ownerId: 'path_new', text: 'unsent' }]);
});

const folderOf = ({ store: key, id }: SessionRef) => store.chats.ofSession.get(sessionKey({ store: key, id }));
const sessionRefs = () => [...store.sessions.all.values()].map(({ row }) => row.session);

test('a chat is started in the folder that was made while it was written', async () => {
  const { id } = page.conversations.of(CHATS) as { id: string };
  await page.chatDrafts.write(id);
  const [folder] = store.chats.folders.keys();
  await send('first');
  await page.chatDrafts.write(null);
  const [session] = sessionRefs();
  expect(folder).toBeDefined();
  expect(session && folderOf(session)).toBe(folder);
  expect([...store.chats.folders.keys()], 'and it stays').toEqual([folder]);
  expect(store.calls).not.toContain('chats.discard');
});

test('a new chat never has the folder of the one that was open', async () => {
  await send('first');
  page.conversations.begin(CHATS);
  await send('other');
  const folders = sessionRefs().map(folderOf);
  expect(folders).toHaveLength(2);
  expect(new Set(folders).size).toBe(2);
});

test('a chat that was not started leaves no folder behind, and another try has one again', async () => {
  const { id } = page.conversations.of(CHATS) as { id: string };
  await page.chatDrafts.write(id);
  store.failing.set('chats.start', diskFull());
  await send('first');
  await expect.poll(() => [...store.chats.folders.keys()]).toEqual([]);
  store.failing.clear();
  await page.outbox.retry(failed()?.messageId ?? '');
  expect(sessions()).toEqual([['first']]);
  expect(store.chats.folders.size).toBe(1);
});

test('one that was started unseen keeps its folder', async () => {
  loseAnswerOf('chats.start');
  await send('first');
  await expect.poll(() => store.calls).toContain('chats.discard');
  expect(store.chats.folders.size).toBe(1);
  await page.outbox.retry(failed()?.messageId ?? '');
  expect(sessions()).toEqual([['first']]);
  expect(store.chats.folders.size).toBe(1);
});

test('a session of a project is made without a folder among the chats', async () => {
  await page.outbox.send('path_other', 'hello');
  expect(store.calls.filter((name) => name.startsWith('chats.'))).toEqual([]);
  expect(store.chats.folders.size).toBe(0);
});

test('a storage that refuses is said, and nothing is lost while the window lives', async () => {
  const said: unknown[] = [];
  page.sidekeep.drafts.onStorageFailure = (error) => said.push(error);
  openOurs('a');
  store.failing.set('sessions.append', diskFull());
  storage.full = true;
  await send('keep me');
  expect(said.length).toBeGreaterThan(0);
  store.failing.clear();
  await page.outbox.retry(failed()?.messageId ?? '');
  expect(sessions()).toEqual([['keep me']]);
});

test('what the transcript shows is forgotten, what it does not show yet is not', async () => {
  openOurs('a');
  await send('one');
  await send('two');
  page.outbox.seen([page.outbox.get()[0]?.messageId ?? '']);
  expect(states()).toEqual(['two: recorded']);
});

test.each(['no json', '{"a":1}', '[["", 1]]'])(
  'what another program left under our names (%s) is no harm',
  async (stored) => {
    storage.setItem(STORED, stored);
    storage.setItem('sidekeep.conversations/mini-chat', stored);
    page = await openPage();
    expect(page.outbox.get()).toEqual([]);
    expect(page.conversations.of(CHATS)).toMatchObject({ kind: 'new' });
  },
);
