import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeletedItems } from '../../../renderer/mini-chat/deleted-items.ts';
import { texts } from '../../../renderer/mini-chat/strings.ts';
import { undoableDeletes } from '../../../renderer/state/undo.ts';
import { strings } from '../../../renderer/ui/strings.ts';
import { Failure } from '../../../src/contract/index.ts';
import { CHATS } from '../memory/context.ts';
import { note, openWindow, settle, type TestWindow, todo } from '../window.ts';

let window: TestWindow;
let deleted: DeletedItems;

beforeEach(async () => {
  window = await openWindow((store) => {
    store.of(CHATS).notes = [note('n1', 'first'), note('n2', 'second\nline')];
    store.of(CHATS).todos = [todo('t1', 'one'), todo('t2', 'two', true), todo('t3', 'three', true)];
  });
  const miniChat = window.connect('mini-chat');
  await miniChat.contexts.load(CHATS);
  deleted = new DeletedItems(miniChat);
});

afterEach(() => {
  expect(window.store.reports).toEqual([]);
  window[Symbol.dispose]();
});

const noteIds = () => window.store.of(CHATS).notes.map(({ id }) => id);
const todoIds = () => window.store.of(CHATS).todos.map(({ id }) => id);

test('what the sidebar deleted comes back here, the newest first, and each time it is said what', async () => {
  const sidebar = undoableDeletes(window.sidekeep, strings.undo);
  const [, second] = window.sidekeep.contexts.entry(CHATS).view?.notes ?? [];
  if (!second) throw new Error('no second note');
  await sidebar.note(CHATS, second);
  await sidebar.clearCompleted(CHATS);
  expect([noteIds(), todoIds()]).toEqual([['n1'], ['t1']]);

  // Twice at once: two different things come back.
  const said = await Promise.all([deleted.bringBackNewest(CHATS), deleted.bringBackNewest(CHATS)]);
  expect(said).toEqual(['2 todos are back.', 'The note “second” is back.']);
  expect([noteIds(), todoIds()]).toEqual([
    ['n1', 'n2'],
    ['t1', 't2', 't3'],
  ]);
  expect(await deleted.bringBackNewest(CHATS)).toBe(texts.deleted.nothing);
});

test('the list follows both windows', async () => {
  const stop = deleted.watch(CHATS);
  await settle();
  expect(deleted.get().items).toEqual([]);
  const [first] = window.sidekeep.contexts.entry(CHATS).view?.todos ?? [];
  if (!first) throw new Error('no todo');
  await undoableDeletes(window.sidekeep, strings.undo).todo(CHATS, first);
  await settle();
  const [item] = deleted.get().items ?? [];
  expect(item).toMatchObject({ kind: 'todos', title: 'one', count: 1 });
  if (!item) throw new Error('nothing is listed');
  expect(await deleted.bringBack(CHATS, item)).toBe('The todo “one” is back.');
  await settle();
  expect(deleted.get().items).toEqual([]);
  expect(todoIds()).toEqual(['t1', 't2', 't3']);
  stop();
});

test('a failure says why and loses nothing', async () => {
  window.store.failing.set('context.deleted', new Failure('malformed', 'The file is damaged.'));
  expect(await deleted.bringBackNewest(CHATS)).toContain('The file is damaged.');
  const stop = deleted.watch(CHATS);
  await settle();
  expect(deleted.get().problem?.code).toBe('malformed');
  stop();
});
