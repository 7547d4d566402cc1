import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { callBridge } from './bridge.ts';
import { makeDataFolder, type RunningApp } from './launch-app.ts';
import { composer, pick } from './mini-chat-parts.ts';
import {
  fileOf,
  heading,
  idsIn,
  listed,
  messageMode,
  patient,
  railSession,
  railTitles,
  sayRecorded,
  texts,
} from './session-parts.ts';
import { demo } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

/** Chats with their folders on a disk, from both windows. */

// Each starts the program, some twice, and waits for the disk and the watcher.
test.slow();

const chatsIn = (dataFolder: string): string => path.join(dataFolder, 'context', 'chats');

/** The folders of chats, `<day>/<name>`. */
function foldersIn(dataFolder: string): string[] {
  const root = chatsIn(dataFolder);
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((day) => /^\d{4}-\d{2}-\d{2}$/.test(day))
    .flatMap((day) => readdirSync(path.join(root, day)).map((name) => `${day}/${name}`));
}

/** The folder that a session names as its own. */
function folderOf(dataFolder: string, id: string): string {
  const meta = JSON.parse(readFileSync(fileOf(dataFolder, id, '.jsonl.meta'), 'utf8')) as { workspace_root: string };
  return path.relative(chatsIn(dataFolder), meta.workspace_root);
}

const localDay = (): string => {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
};

const idOf = async ({ sidebar }: RunningApp, title: string): Promise<string> =>
  (await listed(sidebar)).find((row) => row.title === title)?.session.id ?? '';

test('a new chat has a folder from its first character on; it goes with the text, and stays with the chat', async ({
  launch,
}) => {
  const app = await launch();
  const { miniChat, dataFolder } = app;
  await messageMode(app);
  await miniChat.keyboard.type('   ');
  expect(foldersIn(dataFolder)).toEqual([]);
  const before = localDay();
  await miniChat.keyboard.type('x');
  await expect.poll(() => foldersIn(dataFolder), patient).toHaveLength(1);
  expect([before, localDay()]).toContain(foldersIn(dataFolder)[0]?.split('/')[0]);
  await miniChat.keyboard.press('Control+a');
  await miniChat.keyboard.press('Delete');
  await expect.poll(() => foldersIn(dataFolder), patient).toEqual([]);

  await sayRecorded(app, 'the first chat');
  const [first] = foldersIn(dataFolder);
  expect(folderOf(dataFolder, await idOf(app, 'the first chat'))).toBe(first);
  await sayRecorded(app, 'it goes on');
  expect(foldersIn(dataFolder)).toEqual([first]);

  await miniChat.keyboard.press('Control+Shift+J');
  await sayRecorded(app, 'the second chat');
  const second = folderOf(dataFolder, await idOf(app, 'the second chat'));
  expect(second).not.toBe(first);
  expect(foldersIn(dataFolder).sort()).toEqual([first, second].sort());

  await app.quit();
  const again = await launch({ dataFolder });
  await expect.poll(() => railTitles(again.sidebar), patient).toEqual(['the second chat', 'the first chat']);
  expect(foldersIn(dataFolder).sort()).toEqual([first, second].sort());
});

test('a draft that is left behind leaves no folder, and the same text goes on where it was', async ({ launch }) => {
  const dataFolder = makeDataFolder(true);
  const sample = foldersIn(dataFolder);
  const app = await launch({ dataFolder });
  const { miniChat } = app;
  const made = () => foldersIn(dataFolder).filter((folder) => !sample.includes(folder));
  await messageMode(app);
  await miniChat.keyboard.type('a draft');
  await expect.poll(made, patient).toHaveLength(1);
  await pick(miniChat, 'demo');
  await expect.poll(made, patient).toEqual([]);
  await pick(miniChat, 'Chats');
  await expect(composer(miniChat)).toHaveValue('a draft');
  await expect.poll(made, patient).toHaveLength(1);
  await miniChat.keyboard.press('Escape');
  await expect.poll(made, patient).toEqual([]);
  expect(idsIn(dataFolder), 'nothing was made of it').toEqual([]);
});

test('a session of a project that comes from a chat is the project’s, and has no folder among the chats', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(true);
  const app = await launch({ dataFolder });
  const { sidebar } = app;
  await messageMode(app);
  await sayRecorded(app, 'it began as a chat');
  const chat = await idOf(app, 'it began as a chat');
  const folder = folderOf(dataFolder, chat);
  const before = foldersIn(dataFolder);
  await railSession(sidebar, 'it began as a chat').click({ ...patient, button: 'right' });
  await sidebar.getByRole('menuitem', { name: 'New session in a project…' }).click();
  await sidebar.keyboard.type('demo');
  await sidebar.keyboard.press('Enter');
  await expect(sidebar.locator('.session-facts').first()).toContainText('demo-app', patient);
  await expect.poll(() => texts(sidebar), patient).toEqual(['it began as a chat']);
  const rows = await listed(sidebar);
  expect(rows.filter(({ ownerId }) => ownerId === demo)).toMatchObject([{ parentId: chat, ours: true }]);
  expect(folderOf(dataFolder, chat)).toBe(folder);
  expect(foldersIn(dataFolder)).toEqual(before);
});

test('a chat whose folder holds files: kept, moved along and brought back, also after a restart', async ({
  launch,
}) => {
  const app = await launch();
  const { sidebar, dataFolder } = app;
  await messageMode(app);
  await sayRecorded(app, 'kept');
  await app.miniChat.keyboard.press('Control+Shift+J');
  await sayRecorded(app, 'moved');
  const [kept, moved] = [folderOf(dataFolder, await idOf(app, 'kept')), folderOf(dataFolder, await idOf(app, 'moved'))];
  for (const folder of [kept, moved]) {
    mkdirSync(path.join(chatsIn(dataFolder), folder, 'deep'), { recursive: true });
    writeFileSync(path.join(chatsIn(dataFolder), folder, 'deep', 'report.md'), `of ${folder}`);
    writeFileSync(path.join(chatsIn(dataFolder), folder, 'notes.txt'), 'mine');
  }
  const reportOf = (folder: string) => path.join(chatsIn(dataFolder), folder, 'deep', 'report.md');
  const remove = async (page: RunningApp['sidebar'], title: string, answer: string) => {
    await railSession(page, title).focus(patient);
    await page.keyboard.press('Delete');
    await expect(page.getByRole('dialog', { name: 'This chat has files' })).toContainText('2 files', patient);
    await page.getByRole('button', { name: answer }).click();
    await expect(railSession(page, title)).toBeHidden(patient);
  };

  await remove(sidebar, 'kept', 'Keep the folder');
  await expect(sidebar.locator('.toast-message')).toContainText('Its folder stays.');
  expect(readFileSync(reportOf(kept), 'utf8')).toBe(`of ${kept}`);

  await remove(sidebar, 'moved', 'Move both to the trash');
  await expect(sidebar.getByText('“moved” and its folder were moved to the trash')).toBeVisible(patient);
  expect(foldersIn(dataFolder)).toEqual([kept]);
  await sidebar.getByRole('button', { name: /^Undo/ }).last().click();
  await expect(railSession(sidebar, 'moved')).toBeVisible(patient);
  expect(readFileSync(reportOf(moved), 'utf8')).toBe(`of ${moved}`);

  await remove(sidebar, 'moved', 'Move both to the trash');
  await app.quit();
  const again = await launch({ dataFolder });
  await again.sidebar.getByRole('button', { name: 'Trash', exact: true }).click();
  const restore = again.sidebar.getByRole('button', { name: 'Restore moved' });
  const entry = again.sidebar.getByRole('listitem').filter({ has: restore });
  await expect(entry).toContainText('With its folder of 2 files', patient);
  await expect(entry).toContainText('Removed only on request');
  await restore.click();
  await expect(railSession(again.sidebar, 'moved')).toBeVisible(patient);
  expect(readFileSync(reportOf(moved), 'utf8')).toBe(`of ${moved}`);
  expect(readFileSync(path.join(chatsIn(dataFolder), moved, 'notes.txt'), 'utf8')).toBe('mine');
  await again.sidebar.getByRole('button', { name: 'Restore kept' }).click();
  await expect(railSession(again.sidebar, 'kept')).toBeVisible(patient);
  expect(folderOf(dataFolder, await idOf(again, 'kept')), 'it has the folder that it always had').toBe(kept);
  expect(readFileSync(reportOf(kept), 'utf8')).toBe(`of ${kept}`);
});

test('an empty folder goes with its chat unasked; deleted in the other window, the Mini Chat writes nothing and can be left', async ({
  launch,
}) => {
  const app = await launch();
  const { sidebar, miniChat, dataFolder } = app;
  await messageMode(app);
  await sayRecorded(app, 'short lived');
  await railSession(sidebar, 'short lived').focus(patient);
  await sidebar.keyboard.press('Delete');
  await expect(railSession(sidebar, 'short lived')).toBeHidden(patient);
  await expect(miniChat.getByText('This session was deleted')).toBeVisible(patient);
  expect(foldersIn(dataFolder)).toEqual([]);
  await composer(miniChat).fill('typed too late');
  await miniChat.keyboard.press('Enter');
  await miniChat.getByRole('button', { name: 'Leave it' }).click();
  await expect(miniChat.getByRole('button', { name: 'Session: New chat' })).toBeVisible(patient);
  await expect(composer(miniChat)).toHaveValue('typed too late');
  expect(idsIn(dataFolder)).toEqual([]);
  await composer(miniChat).fill('');
  await expect.poll(() => foldersIn(dataFolder), patient).toEqual([]);
  await app.quit();
  const again = await launch({ dataFolder });
  expect(await listed(again.sidebar)).toEqual([]);
  expect(foldersIn(dataFolder)).toEqual([]);
});

test('at the next start the newest chats are there before anything was asked, and Chats can be left out of the list', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(true);
  const app = await launch({ dataFolder });
  await messageMode(app);
  await sayRecorded(app, 'remembered');
  await app.quit();
  const again = await launch({ dataFolder });
  const { sidebar } = again;
  await expect(railSession(sidebar, 'remembered')).toBeVisible(patient);
  await expect(sidebar.locator('.rail-row-note')).toHaveCount(0, patient);
  await sidebar.getByRole('button', { name: 'Actions for Chats' }).click();
  await sidebar.getByRole('menuitem', { name: 'Hide' }).click();
  await expect(railSession(sidebar, 'remembered')).toBeHidden();
  await again.quit();
  const third = await launch({ dataFolder });
  await expect(third.sidebar.getByRole('heading', { level: 1 })).not.toHaveText('Chats', patient);
  await expect(third.sidebar.getByRole('button', { name: 'Chats', exact: true })).toHaveCount(0);
  await callBridge(third.sidebar, 'settings.update', { chatsVisible: true });
  await railSession(third.sidebar, 'remembered').click(patient);
  await expect(heading(third.sidebar, 'remembered')).toBeVisible(patient);
});
