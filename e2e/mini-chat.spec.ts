import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectIdOf } from '../src/context/project-id.ts';
import { callBridge } from './bridge.ts';
import {
  chatsId,
  composer,
  contextFile,
  contextOf,
  expectAccessible,
  isVisible,
  pick,
  rows,
  show,
  targetButton,
} from './mini-chat-parts.ts';
import { expect, test } from './test.ts';

test('notes, todos and plans are recorded by mode and by command, on disk and in the sidebar at once', async ({
  launch,
}) => {
  const app = await launch();
  const { miniChat, sidebar } = app;
  await show(app);
  await composer(miniChat).pressSequentially('A note <b>as typed</b>');
  await miniChat.keyboard.press('Shift+Enter');
  await miniChat.keyboard.type('with a second line');
  await miniChat.keyboard.press('Enter');
  await expect(composer(miniChat)).toHaveValue('');
  await expect(rows(miniChat).filter({ hasText: 'A note <b>as typed</b>' })).toHaveCount(1);
  await expect(sidebar.getByText('A note <b>as typed</b>').first()).toBeVisible();

  await composer(miniChat).fill('/TODO milk\n\nbread');
  await miniChat.keyboard.press('Enter');
  await expect(rows(miniChat).filter({ hasText: 'bread' })).toHaveCount(1);
  await miniChat.keyboard.press('Control+3');
  await composer(miniChat).fill('Release\n\n- one\n- two');
  await miniChat.keyboard.press('Control+Enter');
  await expect(rows(miniChat).filter({ hasText: 'Release' })).toHaveCount(1);
  await expect(composer(miniChat)).toHaveValue('');
  await expect(miniChat.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();

  const id = await chatsId(app);
  const { notes, todos, plans } = await contextOf(app, id);
  expect(notes.map(({ body }) => body)).toEqual(['A note <b>as typed</b>\nwith a second line']);
  expect(todos.map(({ text }) => text)).toEqual(['milk', 'bread']);
  expect(plans.map(({ title }) => title)).toEqual(['Release']);
  const folder = path.join(app.contextRoot, 'projects', id, 'plans');
  const [plan = ''] = readdirSync(folder).filter((name) => name.endsWith('.md'));
  expect(readFileSync(path.join(folder, plan), 'utf8')).toBe('# Release\n\n- one\n- two');
  expect(
    await miniChat.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sidekeep.draft/'))),
  ).toEqual([]);
});

test('a command alone changes the mode, an unknown one is text, a doubled slash is a slash', async ({ launch }) => {
  const app = await launch();
  const { miniChat } = app;
  await show(app);
  const mode = miniChat.getByRole('button', { name: /Record as/ });
  await miniChat.keyboard.type('/');
  await expect(miniChat.getByRole('option')).toHaveCount(7);
  await miniChat.keyboard.press('ArrowDown');
  await miniChat.keyboard.press('Enter');
  await expect(composer(miniChat)).toHaveValue('/todo ');
  await miniChat.keyboard.press('Enter');
  await expect(composer(miniChat)).toHaveValue('');
  await expect(mode).toContainText('Todo');

  for (const typed of ['/unknown word', '//plan is a word']) {
    await composer(miniChat).fill(typed);
    await miniChat.keyboard.press('Enter');
    await expect(composer(miniChat)).toHaveValue('');
  }
  const { todos } = await contextOf(app, await chatsId(app));
  expect(todos.map(({ text }) => text)).toEqual(['/unknown word', '/plan is a word']);

  // The list of commands takes the first Escape, the window the second.
  await miniChat.keyboard.type('/n');
  await expect(miniChat.getByRole('option')).toHaveCount(1);
  await miniChat.keyboard.press('Escape');
  await expect(miniChat.getByRole('option')).toHaveCount(0);
  expect(await isVisible(app)).toBe(true);
  await miniChat.keyboard.press('Escape');
  await expect.poll(() => isVisible(app)).toBe(false);
  await miniChat.reload();
  await expect(composer(miniChat)).toHaveValue('/n');
  await expect(mode).toContainText('Todo');
});

test('a draft belongs to its target and outlives Escape, hide, reload and a crash', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const { miniChat } = app;
  await show(app);
  await miniChat.keyboard.type('for chats');
  await pick(miniChat, 'demo');
  await expect(composer(miniChat)).toHaveValue('');
  await miniChat.keyboard.type('for the demo');
  await miniChat.keyboard.press('Escape');
  await expect.poll(() => isVisible(app)).toBe(false);
  await show(app);
  await expect(composer(miniChat)).toHaveValue('for the demo');

  await miniChat.keyboard.type('!');
  await miniChat.reload();
  await expect(targetButton(miniChat)).toContainText('demo-app');
  await expect(composer(miniChat)).toHaveValue('for the demo!');
  await pick(miniChat, 'chats');
  await expect(composer(miniChat)).toHaveValue('for chats');

  await miniChat.keyboard.type(' and more');
  await expect(composer(miniChat)).toHaveValue('for chats and more');
  await app.electronApplication.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((each) => each.webContents.getURL().includes('mini-chat'));
    window?.webContents.forcefullyCrashRenderer();
  });
  // The page comes back by itself; until then the main process cannot run anything in it.
  const value = () =>
    app.electronApplication
      .evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find((each) => each.webContents.getURL().includes('mini-chat'))
          ?.webContents.executeJavaScript('document.querySelector("textarea")?.value'),
      )
      .catch((error: Error) => error.message);
  await expect.poll(value, { timeout: 20_000 }).toBe('for chats and more');
});

test('an input method is not interrupted by Enter or by pushes', async ({ launch }) => {
  const app = await launch();
  const { miniChat } = app;
  await show(app);
  const id = await chatsId(app);
  const session = await miniChat.context().newCDPSession(miniChat);
  await miniChat.keyboard.type('a ');
  await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  // What an input method sends with the Enter that accepts its word.
  await miniChat.evaluate(() => {
    const field = document.querySelector('textarea');
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
      field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }));
    }
    field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true }));
  });
  for (const body of ['from outside 1', 'from outside 2']) {
    await callBridge(app.sidebar, 'notes.create', { projectId: id, body });
    await expect(rows(miniChat).filter({ hasText: body })).toHaveCount(1);
  }
  await expect(composer(miniChat)).toHaveValue('a にほ');
  expect(await isVisible(app)).toBe(true);
  await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
  await session.send('Input.insertText', { text: '日本' });
  await miniChat.keyboard.type(' b');
  await expect(composer(miniChat)).toHaveValue('a 日本 b');
  await expect(composer(miniChat)).toBeFocused();
  await miniChat.keyboard.press('Enter');
  await expect(rows(miniChat).filter({ hasText: 'a 日本 b' })).toHaveCount(1);
  expect((await contextOf(app, id)).notes).toHaveLength(3);
});

test('a failed save keeps the text and says why, and trying again works after the repair', async ({ launch }) => {
  const app = await launch();
  const { miniChat } = app;
  await show(app);
  await miniChat.keyboard.type('before');
  await miniChat.keyboard.press('Enter');
  await expect(rows(miniChat)).toHaveCount(1);
  const file = contextFile(app, await chatsId(app));
  const good = readFileSync(file);
  writeFileSync(file, '{"version": 2, "notes": [');

  await miniChat.keyboard.type('must not be lost');
  await miniChat.keyboard.press('Enter');
  await expect(miniChat.getByText('Not saved.', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(composer(miniChat)).toHaveValue('must not be lost');
  await expect(miniChat.getByText('1 entry is not saved')).toBeVisible();
  expect(readFileSync(file, 'utf8')).toBe('{"version": 2, "notes": [');
  await expect(rows(miniChat).filter({ hasText: 'before' })).toHaveCount(1);
  await expectAccessible(miniChat, 'failed save');

  writeFileSync(file, good);
  await expect(miniChat.getByText(/so it can be saved now/)).toBeVisible({ timeout: 20_000 });
  await miniChat.getByRole('region', { name: 'New note' }).getByRole('button', { name: 'Try again' }).click();
  await expect(rows(miniChat).filter({ hasText: 'must not be lost' })).toHaveCount(1);
  await expect(composer(miniChat)).toHaveValue('');
  await expect(miniChat.getByText(/not saved/i)).toHaveCount(0);
});

test('empty, damaged and missing are told apart', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const { miniChat } = app;
  await show(app);
  await expect(miniChat.getByText('Nothing recorded here yet')).toBeVisible();
  await expectAccessible(miniChat, 'empty');
  const file = contextFile(app, projectIdOf('/home/dev/notes-site'));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '{"version": 2, "no');
  await pick(miniChat, 'notes-site');
  await expect(miniChat.getByText('The file of this place is damaged').first()).toBeVisible({ timeout: 20_000 });
  await expect(miniChat.getByText('Nothing recorded here yet')).toHaveCount(0);
  await expectAccessible(miniChat, 'damaged');
  await miniChat.getByRole('button', { name: 'Try again' }).click();
  await expect(miniChat.getByText('The file of this place is damaged').first()).toBeVisible();
  rmSync(file);
  await expect(miniChat.getByText('Nothing recorded here yet')).toBeVisible({ timeout: 20_000 });
});

test('todos are ticked and entries deleted in place by keyboard, with undo', async ({ launch }) => {
  const app = await launch();
  const { miniChat } = app;
  await show(app);
  await composer(miniChat).fill('/todo one\ntwo');
  await miniChat.keyboard.press('Enter');
  const id = await chatsId(app);
  await expect(rows(miniChat)).toHaveCount(2);
  const ticks = async () => (await contextOf(app, id)).todos.map(({ text, completed }) => `${text} ${completed}`);

  await miniChat.keyboard.press('Shift+Tab');
  await expect(rows(miniChat).last()).toBeFocused();
  await miniChat.keyboard.press('Space');
  await expect(miniChat.getByRole('checkbox', { name: 'Done: two' })).toBeChecked();
  await expect.poll(ticks).toEqual(['one false', 'two true']);
  await miniChat.keyboard.press('ArrowUp');
  const before = await contextOf(app, id);
  await miniChat.keyboard.press('Delete');
  await expect(rows(miniChat)).toHaveCount(1);
  await expect(rows(miniChat)).toBeFocused();
  await expect.poll(ticks).toEqual(['two true']);
  await miniChat.keyboard.press('Control+z');
  await expect.poll(ticks).toEqual(['one false', 'two true']);
  // Not a copy: the very entries.
  expect((await contextOf(app, id)).todos).toEqual(before.todos);
  await expect(rows(miniChat)).toHaveCount(2);

  // A ticked todo stays until the window is hidden, then it is gone from the stream.
  await miniChat.keyboard.press('Escape');
  await expect.poll(() => isVisible(app)).toBe(false);
  await show(app);
  await expect(rows(miniChat)).toHaveCount(1);
});

test('the pin is remembered over hide and show', async ({ launch }) => {
  const app = await launch();
  const { miniChat } = app;
  await show(app);
  const pin = miniChat.getByRole('button', { name: 'Keep above other windows' });
  const isOnTop = () =>
    app.electronApplication.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((each) => each.webContents.getURL().includes('mini-chat'))
        ?.isAlwaysOnTop(),
    );
  await expect(pin).toHaveAttribute('aria-pressed', 'true');
  for (const wanted of [false, true]) {
    await pin.click();
    await expect(pin).toHaveAttribute('aria-pressed', String(wanted));
    await expect.poll(isOnTop).toBe(wanted);
    await composer(miniChat).focus();
    await miniChat.keyboard.press('Escape');
    await expect.poll(() => isVisible(app)).toBe(false);
    await show(app);
    expect(await isOnTop()).toBe(wanted);
    await expect(pin).toHaveAttribute('aria-pressed', String(wanted));
  }
});

for (const theme of ['light', 'dark'] as const) {
  test(`nothing is found by axe (${theme})`, async ({ launch }) => {
    test.slow();
    const app = await launch({ sampleData: true });
    const { miniChat } = app;
    await callBridge(app.sidebar, 'settings.update', { theme });
    await show(app);
    await pick(miniChat, 'demo');
    await expect(rows(miniChat).first()).toBeVisible();
    await expectAccessible(miniChat, 'entries');
    await miniChat.keyboard.type('/');
    await expect(miniChat.getByRole('option').first()).toBeVisible();
    await expectAccessible(miniChat, 'commands');
    await composer(miniChat).fill('x'.repeat(3001));
    await expect(miniChat.getByText('1 character too long')).toBeVisible();
    await expectAccessible(miniChat, 'too long');
    await miniChat.keyboard.press('Control+k');
    await expect(miniChat.getByRole('searchbox')).toBeFocused();
    await expectAccessible(miniChat, 'picker');
  });
}
