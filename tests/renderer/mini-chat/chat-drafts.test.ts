import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ChatDrafts, chatBeingWritten, type Writing } from '../../../renderer/mini-chat/chat-drafts.ts';
import { Failure } from '../../../src/contract/index.ts';
import { MemoryStore } from '../memory/store.ts';

let store: MemoryStore;
let drafts: ChatDrafts;

beforeEach(() => {
  store = new MemoryStore();
  drafts = new ChatDrafts(store.pair.connect('mini-chat'));
});

afterEach(() => expect(store.reports).toEqual([]));

const folders = () => [...store.chats.folders.keys()];
const calls = () => store.calls.filter((name) => name.startsWith('chats.'));
const written: Writing = {
  conversation: { kind: 'new', id: 'n1' },
  typed: 'h',
  mode: 'message',
  isChats: true,
  isWindowShown: true,
  isOnItsWay: false,
};
const session = { kind: 'session', session: { store: 'global', id: 'a' } } as const;

test.each<[string, Partial<Writing>, string | null]>([
  ['its first character', {}, 'n1'],
  ['blanks only', { typed: ' \n\t' }, null],
  ['nothing', { typed: '' }, null],
  ['a note', { mode: 'note' }, null],
  ['a message by a command', { mode: 'note', typed: '/message h' }, 'n1'],
  ['a note by a command', { typed: '/note h' }, null],
  ['what may become a command', { typed: '/no' }, null],
  ['a path, which does not', { typed: '/usr/bin' }, 'n1'],
  ['in a project', { isChats: false }, null],
  ['in a session', { conversation: session }, null],
  ['in a window that was closed', { isWindowShown: false }, null],
  ['more, while its first message is on its way', { isOnItsWay: true }, null],
])('a chat is being written or not: %s', (_, change, expected) => {
  expect(chatBeingWritten({ ...written, ...change })).toBe(expected);
});

test('its folder is made once, and goes when it is not written any more', async () => {
  await drafts.write('n1');
  await drafts.write('n1');
  expect(folders()).toHaveLength(1);
  await drafts.write(null);
  expect(folders()).toEqual([]);
  expect(calls()).toEqual(['chats.prepare', 'chats.discard']);
});

test('one that is written again has another folder than the one that went', async () => {
  await drafts.write('n1');
  const [first] = folders();
  await drafts.write(null);
  await drafts.write('n1');
  expect(folders()).toHaveLength(1);
  expect(folders()[0]).not.toBe(first);
});

test('another chat has another folder, and that of the first goes', async () => {
  await drafts.write('n1');
  const [first] = folders();
  await drafts.write('n2');
  expect(folders()).toHaveLength(1);
  expect(folders()[0]).not.toBe(first);
});

test('what is typed and deleted while the folder is being made leaves none behind', async () => {
  let release = () => {};
  store.before = () => new Promise((resolve) => (release = resolve));
  const made = drafts.write('n1');
  await new Promise((resolve) => setTimeout(resolve, 5));
  void drafts.write(null);
  void drafts.write('n1');
  void drafts.write(null);
  store.before = async () => {};
  release();
  await made;
  expect(folders()).toEqual([]);
  expect(calls()).toEqual(['chats.prepare', 'chats.discard']);
});

test('one that is started while its folder is being made is not given up', async () => {
  let release = () => {};
  store.before = (name) =>
    name === 'chats.prepare' ? new Promise((resolve) => (release = resolve)) : Promise.resolve();
  const made = drafts.write('n1');
  await new Promise((resolve) => setTimeout(resolve, 5));
  const draftId = drafts.take('n1');
  void drafts.write(null);
  release();
  await made;
  expect(calls()).not.toContain('chats.discard');
  expect(store.chats.drafts.has(draftId), 'it is the folder of what is started').toBe(true);
  expect(drafts.take('n1'), 'and the next try is another draft').not.toBe(draftId);
});

test('a folder that cannot be made or removed stops nothing', async () => {
  const full = new Failure('io', 'The disk is full.');
  store.failing.set('chats.prepare', full);
  await drafts.write('n1');
  await drafts.write(null);
  store.failing.clear();
  store.failing.set('chats.discard', full);
  await drafts.write('n1');
  await drafts.write(null);
  store.failing.clear();
  await drafts.write('n2');
  expect(store.chats.drafts.size).toBe(2);
  store.reports.length = 0;
});

test('whatever is typed in whatever order, what is left is the folder of what is written, and of what was started', async () => {
  const step = fc.oneof(
    fc.constantFrom('n1', 'n2').map((id) => ({ kind: 'write' as const, id })),
    fc.constant({ kind: 'write' as const, id: null }),
    fc.constantFrom('n1', 'n2').map((id) => ({ kind: 'take' as const, id })),
    fc.constant({ kind: 'wait' as const }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const fresh = new MemoryStore();
      const client = fresh.pair.connect('mini-chat');
      const tried = new ChatDrafts(client);
      const taken: string[] = [];
      let last: string | null = null;
      for (const each of steps) {
        if (each.kind === 'wait') await new Promise((resolve) => setImmediate(resolve));
        else if (each.kind === 'write') {
          last = each.id;
          void tried.write(each.id);
        } else {
          const draftId = tried.take(each.id);
          taken.push(draftId);
          if (last === each.id) last = null;
          void client.chats.start({ draftId, text: 'hello' });
        }
      }
      await tried.write(last);
      await expect.poll(() => fresh.chats.started.size).toBe(taken.length);
      await new Promise((resolve) => setTimeout(resolve, 2));
      expect(fresh.chats.folders.size).toBe(taken.length + (last === null ? 0 : 1));
      expect(fresh.reports).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
