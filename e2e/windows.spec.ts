import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectIdOf } from '../src/context/project-id.ts';
import { callBridge } from './bridge.ts';
import type { RunningApp } from './launch-app.ts';
import { expect, test } from './test.ts';

const demo = projectIdOf('/home/dev/demo-app');

/** Runs in main, on the Mini Chat's window. */
const onMiniChat = (app: RunningApp, act: 'destroy' | 'close' | 'isVisible' | 'isFocused'): Promise<unknown> =>
  app.electronApplication.evaluate(({ BrowserWindow }, method) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes('mini-chat'));
    return window?.[method as 'isVisible']();
  }, act);

test('a Mini Chat that is destroyed during a change harms nothing, and opens again', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  for (let round = 0; round < 8; round++) {
    await callBridge(app.sidebar, 'windows.showMiniChat', {});
    const change = callBridge(app.sidebar, 'todos.add', { projectId: demo, text: `round ${round}` });
    await app.sidebar.waitForTimeout(round);
    await onMiniChat(app, 'destroy');
    expect((await change).ok).toBe(true);
  }
  const context = await callBridge(app.sidebar, 'context.get', { projectId: demo });
  expect(context.value?.todos).toHaveLength(14);
  await callBridge(app.sidebar, 'windows.showMiniChat', {});
  await expect.poll(() => onMiniChat(app, 'isVisible')).toBe(true);
  expect(app.errors()).not.toMatch(/Object has been destroyed|Uncaught/);
});

test('closing the Mini Chat hides it, closing the sidebar ends the program', async ({ launch }) => {
  const app = await launch();
  await callBridge(app.sidebar, 'windows.showMiniChat', {});
  await expect.poll(() => onMiniChat(app, 'isVisible')).toBe(true);
  await onMiniChat(app, 'close');
  await expect.poll(() => onMiniChat(app, 'isVisible')).toBe(false);
  const ended = new Promise((resolve) => app.electronApplication.process().once('exit', resolve));
  await app.sidebar.close();
  await ended;
});

test('what is typed in the sidebar stays there while changes are pushed and the Mini Chat is shown behind', async ({
  launch,
}) => {
  const app = await launch();
  const composer = app.sidebar.getByRole('textbox', { name: 'New note' });
  await composer.click();
  const chats = (await callBridge(app.sidebar, 'projects.list', {})).value?.chatsId as string;
  const text = 'the quick brown fox jumps over the lazy dog';
  for (const [index, letter] of [...text].entries()) {
    await app.sidebar.keyboard.type(letter);
    if (index % 4 === 0) await callBridge(app.miniChat, 'todos.add', { projectId: chats, text: `pushed ${index}` });
  }
  await expect(composer).toHaveValue(text);
  await expect(composer).toBeFocused();
});

test('a folder is added as a project by its path or by the dialog, and a wrong one says why', async ({ launch }) => {
  const app = await launch();
  const folder = path.join(app.dataFolder, 'projects of mine', 'alpha');
  const other = path.join(app.dataFolder, 'projects of mine', 'beta');
  for (const made of [folder, other]) mkdirSync(made, { recursive: true });
  writeFileSync(path.join(app.dataFolder, 'file'), '');

  const add = async (text: string): Promise<void> => {
    await app.sidebar.getByRole('button', { name: 'Add a project' }).click();
    await app.sidebar.getByRole('textbox', { name: 'Folder of the project' }).fill(text);
    await app.sidebar.getByRole('button', { name: 'Add project' }).click();
  };
  await add(path.join(app.dataFolder, 'not there'));
  await expect(app.sidebar.getByRole('dialog')).toContainText(/not/i);
  await app.sidebar.getByRole('textbox', { name: 'Folder of the project' }).fill(folder);
  await app.sidebar.getByRole('button', { name: 'Add project' }).click();
  await expect(app.sidebar.getByRole('heading', { level: 1, name: 'alpha' })).toBeVisible();

  await app.electronApplication.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, other);
  await app.sidebar.getByRole('button', { name: 'Add a project' }).click();
  await app.sidebar.getByRole('button', { name: 'Choose folder…' }).click();
  await expect(app.sidebar.getByRole('heading', { level: 1, name: 'beta' })).toBeVisible();
});

test('the watcher tells both windows how it is', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  await expect(app.sidebar.getByRole('button', { name: /Watching for changes/ })).toBeVisible();
  expect((await callBridge(app.miniChat, 'watcher.status', {})).value).toMatchObject({
    state: 'watching',
    reason: null,
  });
});

test('a session that the sidebar opens in the Mini Chat shows that, and is kept for it until it has taken it', async ({
  launch,
}) => {
  const app = await launch();
  await callBridge(app.sidebar, 'windows.hideMiniChat', {});
  await expect.poll(() => onMiniChat(app, 'isVisible')).toBe(false);
  const open = async (id: string): Promise<{ id: number; session: unknown }> => {
    const session = { store: 'project:work', id };
    const answer = await callBridge(app.sidebar, 'windows.openInMiniChat', { session });
    const { opening } = (answer.value?.miniChat ?? {}) as { opening?: { id: number; session: unknown } };
    expect(opening?.session).toEqual(session);
    return opening ?? { id: 0, session };
  };
  const first = await open('one');
  await expect.poll(() => onMiniChat(app, 'isVisible')).toBe(true);
  const second = await open('two');
  expect(second.id).not.toBe(first.id);
  await callBridge(app.miniChat, 'windows.takeOpening', { id: second.id });
  const state = await callBridge(app.miniChat, 'windows.takeOpening', { id: second.id });
  expect(state.value?.miniChat).toMatchObject({ visible: true, opening: null });
  // The sidebar may not take what is meant for the Mini Chat, nor the Mini Chat open something in itself.
  expect((await callBridge(app.sidebar, 'windows.takeOpening', { id: 1 })).ok).toBe(false);
  expect((await callBridge(app.miniChat, 'windows.openInMiniChat', { session: first.session })).ok).toBe(false);
});
