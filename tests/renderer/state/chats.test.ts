import { afterEach, beforeEach, expect, test } from 'vitest';
import { deletionOf, dropChat, folderInput, folderOutcome } from '../../../renderer/state/chat-deletion.ts';
import { emptyList, type SessionList, shownChats } from '../../../renderer/state/session-list.ts';
import { type ChatList, Failure, type SessionRow, sessionKey } from '../../../src/contract/index.ts';
import { openWindow, settle, type TestWindow } from '../window.ts';

let window: TestWindow;

beforeEach(async () => {
  window = await openWindow();
  await window.sidekeep.shared.load('projects');
});

afterEach(() => window[Symbol.dispose]());

const rowsOf = (...ids: string[]): SessionRow[] =>
  ids.map((id) => window.store.sessions.add(id, { ours: true, title: id }).row);
const titles = ({ rows }: { rows: readonly SessionRow[] }) => rows.map(({ title }) => title);
const listOf = (rows: SessionRow[], state: SessionList['catalog']['state']): SessionList => ({
  ...emptyList,
  rows,
  total: rows.length,
  isRead: true,
  catalog: { state, reason: null, progress: null },
});
const chatsOf = (rows: SessionRow[], confirmed: boolean): ChatList => ({
  sequence: 1,
  rows,
  total: confirmed ? rows.length : null,
  confirmed,
});

test('the chats of the run before are shown before anything was read, and said to be old', () => {
  const shown = shownChats(emptyList, chatsOf(rowsOf('a', 'b'), false));
  expect(titles(shown.list)).toEqual(['a', 'b']);
  expect(shown).toMatchObject({ isOld: true, list: { total: 2 } });
});

test('while the sessions are still looked for, never fewer are shown than were known', () => {
  const rows = rowsOf('a', 'b', 'c');
  const shown = shownChats(listOf(rows.slice(0, 1), 'loading'), chatsOf(rows, false));
  expect(titles(shown.list)).toEqual(['a', 'b', 'c']);
  const failed = shownChats(listOf([], 'failed'), chatsOf(rows, false));
  expect(titles(failed.list)).toEqual(['a', 'b', 'c']);
  expect(failed.list.catalog.state).toBe('failed');
});

test('a list that is complete is what is shown, be it shorter or empty', () => {
  const rows = rowsOf('a', 'b');
  const complete = listOf(rows.slice(1), 'ready');
  expect(shownChats(complete, chatsOf(rows, false))).toEqual({ list: complete, isOld: false });
  const empty = listOf([], 'ready');
  expect(shownChats(empty, chatsOf(rows, true))).toEqual({ list: empty, isOld: false });
});

test('the newest chats follow what is pushed, and an older answer never replaces them', async () => {
  const { store, sidekeep } = window;
  const [row] = rowsOf('a');
  store.chats.before = row ? [row] : [];
  await sidekeep.shared.load('chats');
  expect(sidekeep.shared.value('chats')).toMatchObject({ confirmed: false, total: null });
  rowsOf('b');
  store.chats.confirm();
  await settle();
  const confirmed = sidekeep.shared.value('chats');
  expect(confirmed).toMatchObject({ confirmed: true, total: 2 });
  sidekeep.shared.accept('chats', { sequence: 1, rows: [], total: null, confirmed: false });
  expect(sidekeep.shared.value('chats')).toBe(confirmed);
});

test('one that was deleted here is gone from them at once', async () => {
  const { store, sidekeep } = window;
  const [row] = rowsOf('a', 'b');
  store.chats.before = [...store.sessions.all.values()].map((stored) => stored.row);
  await sidekeep.shared.load('chats');
  if (row) dropChat(sidekeep, row.session);
  expect(sidekeep.shared.value('chats')?.rows.map(({ title }) => title)).toEqual(['b']);
});

/** A chat with this many files in its folder. */
function chatWith(files: number, stays?: string): SessionRow {
  const [row] = rowsOf('a');
  if (!row) throw new Error('no row');
  const { chats } = window.store;
  const folder = chats.newFolder();
  chats.folders.set(folder, files);
  chats.ofSession.set(sessionKey(row.session), folder);
  if (stays !== undefined) chats.stays.set(folder, stays);
  return row;
}

const never = () => Promise.reject(new Error('nothing is to be asked'));

test('an empty folder goes without a question', async () => {
  const deletion = await deletionOf(window.sidekeep, chatWith(0), never);
  expect(deletion).toEqual({ choice: null, files: 0 });
});

test.each(['keep', 'trash'] as const)(
  'one that holds files is asked about, and the answer (%s) is what is done',
  async (choice) => {
    const asked: number[] = [];
    const deletion = await deletionOf(window.sidekeep, chatWith(3), async ({ files }) => {
      asked.push(files);
      return choice;
    });
    expect(asked).toEqual([3]);
    expect(deletion && folderInput(deletion)).toEqual({ folder: choice });
  },
);

test('who does not want to delete after all deletes nothing', async () => {
  expect(await deletionOf(window.sidekeep, chatWith(3), async () => null)).toBe(null);
});

test('where the folder has to stay there is no choice to ask for', async () => {
  const deletion = await deletionOf(window.sidekeep, chatWith(3, 'Another session uses it.'), never);
  expect(deletion && folderInput(deletion)).toEqual({});
});

test('a folder that cannot be looked into is not spoken of, so that it stays', async () => {
  const row = chatWith(3);
  window.store.failing.set('chats.folder', new Failure('io', 'The disk does not answer.'));
  const deletion = await deletionOf(window.sidekeep, row, never);
  expect(deletion && folderInput(deletion)).toEqual({});
  const answer = await window.sidekeep.client.sessions.delete({ session: row.session });
  expect(answer).toMatchObject({ ok: true, value: { folderKept: 'There are files in it.' } });
});

test('nobody asks for the folder of a session that is no chat', async () => {
  const { row } = window.store.sessions.add('p', { ownerId: 'path_project' });
  await deletionOf(window.sidekeep, row, never);
  await deletionOf(window.sidekeep, { ...row, ownerId: null }, never);
  expect(window.store.calls).not.toContain('chats.folder');
});

test('what became of the folder is said where somebody has to know it', () => {
  expect(folderOutcome({ choice: null, files: 0 }, 'Another session uses it.')).toEqual({ kind: 'none' });
  expect(folderOutcome({ choice: null, files: null }, null)).toEqual({ kind: 'none' });
  expect(folderOutcome({ choice: 'trash', files: 2 }, null)).toEqual({ kind: 'went' });
  expect(folderOutcome({ choice: 'keep', files: 2 }, 'You kept it.')).toEqual({ kind: 'kept', reason: null });
  expect(folderOutcome({ choice: 'trash', files: 2 }, 'It is in use.')).toEqual({
    kind: 'kept',
    reason: 'It is in use.',
  });
  expect(folderOutcome({ choice: null, files: null }, 'It is in use.')).toEqual({
    kind: 'kept',
    reason: 'It is in use.',
  });
});
