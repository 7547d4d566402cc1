import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
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
} from './mini-chat-parts.ts';
import { expect, test } from './test.ts';

const demo = projectIdOf('/home/dev/demo-app');

const results = (page: Page) => page.getByRole('listbox', { name: 'What was found' });
const found = (page: Page) => results(page).getByRole('option');

/** Text of the result that Enter acts on, as the field names it to a screen reader. */
const active = (page: Page): Promise<string | undefined> =>
  composer(page).evaluate(
    (field) => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent ?? undefined,
  );

test('a search shows what is found as one types, Enter shows it in the stream, and nothing is recorded', async ({
  launch,
}) => {
  const app = await launch();
  const { miniChat, sidebar } = app;
  await show(app);
  const projectId = await chatsId(app);
  for (const body of ['Cedilla: garçon means waiter', 'About the parser\nand its grammar', 'Nothing of the kind']) {
    await callBridge(sidebar, 'notes.create', { projectId, body });
  }
  await callBridge(sidebar, 'todos.add', { projectId, text: 'rewrite the parser' });
  await callBridge(sidebar, 'todos.add', { projectId, text: 'parser is done' });
  const done = (await contextOf(app, projectId)).todos.at(-1)?.id;
  await callBridge(sidebar, 'todos.update', { projectId, todoId: done, completed: true });
  await callBridge(sidebar, 'plans.create', { projectId, title: 'Grammar', body: 'The PARSER reads it.' });
  const before = await contextOf(app, projectId);

  await miniChat.keyboard.type('half a thought');
  await miniChat.keyboard.press('Control+f');
  await expect(composer(miniChat)).toHaveValue('/find ');
  await miniChat.keyboard.type('parser');
  await expect(found(miniChat)).toHaveCount(4);
  await expect(miniChat.getByRole('group', { name: 'Notes: 1 found' })).toBeVisible();
  await expect(miniChat.getByRole('group', { name: 'Todo: 2 found' })).toBeVisible();
  await expect(miniChat.getByRole('group', { name: 'Plans: 1 found' })).toBeVisible();
  await expect(found(miniChat).first().locator('mark')).toHaveText('parser');
  await expect(found(miniChat).last().locator('mark')).toHaveText('PARSER');
  await expect(composer(miniChat)).toBeFocused();
  expect(await active(miniChat)).toContain('About the parser');
  await miniChat.keyboard.press('ArrowDown');
  expect(await active(miniChat)).toContain('parser is done');
  await miniChat.keyboard.press('ArrowDown');
  expect(await active(miniChat)).toContain('rewrite the parser');
  await miniChat.keyboard.type(' done');
  await expect(found(miniChat)).toHaveCount(1);
  await miniChat.keyboard.press('Enter');

  // A ticked todo is not in the stream by itself: it is there because it was looked for.
  const marked = rows(miniChat).filter({ hasText: 'parser is done' });
  await expect(marked).toBeInViewport();
  await expect(marked).toHaveClass(/row-marked/);
  await expect(results(miniChat)).toHaveCount(0);
  await expect(composer(miniChat)).toBeFocused();
  await expect(composer(miniChat)).toHaveValue('half a thought');
  await miniChat.keyboard.press('Shift+Tab');
  await expect(marked).toBeFocused();
  expect(await contextOf(app, projectId)).toEqual(before);
});

test('a search follows changes, says that nothing is found, and Escape gives the text back, also after a reload', async ({
  launch,
}) => {
  const app = await launch();
  const { miniChat, sidebar } = app;
  await show(app);
  const projectId = await chatsId(app);
  await miniChat.keyboard.type('half a thought');
  await composer(miniChat).fill('/find walrus');
  await expect(miniChat.getByText('Nothing found')).toBeVisible();
  await miniChat.keyboard.press('Enter');
  await expect(composer(miniChat)).toHaveValue('/find walrus');
  await callBridge(sidebar, 'notes.create', { projectId, body: 'A walrus' });
  await expect(found(miniChat)).toHaveCount(1);
  await miniChat.reload();
  await expect(composer(miniChat)).toHaveValue('/find walrus');
  await expect(found(miniChat)).toHaveCount(1);
  await composer(miniChat).press('Escape');
  await expect(composer(miniChat)).toHaveValue('half a thought');
  await expect(results(miniChat)).toHaveCount(0);
  expect(await isVisible(app)).toBe(true);
  await miniChat.keyboard.press('Escape');
  await expect.poll(() => isVisible(app)).toBe(false);
  expect((await contextOf(app, projectId)).notes).toHaveLength(1);
});

test('a search of all projects names their places, opens in the sidebar, and says what could not be read', async ({
  launch,
}) => {
  const app = await launch({ sampleData: true });
  const { miniChat, sidebar } = app;
  await show(app);
  await callBridge(sidebar, 'notes.create', { projectId: demo, body: 'Look for the zebra' });
  await callBridge(sidebar, 'plans.create', { projectId: demo, title: 'Zebra crossing', body: 'white and black' });
  const damaged = contextFile(app, projectIdOf('/home/dev/notes-site'));
  mkdirSync(path.dirname(damaged), { recursive: true });
  writeFileSync(damaged, '{"version": 2, "no');

  await miniChat.keyboard.type('/find zebra');
  await expect(miniChat.getByText('Nothing found')).toBeVisible();
  await miniChat.keyboard.press('Control+Shift+F');
  await expect(found(miniChat)).toHaveCount(2);
  await expect(found(miniChat).first()).toContainText('demo-app');
  await expect(miniChat.getByText('1 place or plan could not be read and was not searched.')).toBeVisible();
  await miniChat.keyboard.press('End');
  await miniChat.keyboard.type(' crossing');
  await expect(found(miniChat)).toHaveCount(1);
  await miniChat.keyboard.press('Enter');
  await expect(sidebar).toHaveTitle(/demo-app/);
  await expect(sidebar.getByText('Zebra crossing').first()).toBeVisible();
  // What was found stays, for the next look.
  await expect(found(miniChat)).toHaveCount(1);
});

test('what the sidebar deleted comes back by a command, and what was deleted here by Ctrl+Z', async ({ launch }) => {
  const app = await launch();
  const { miniChat, sidebar } = app;
  await show(app);
  const projectId = await chatsId(app);
  for (const text of ['one', 'two', 'three']) await callBridge(sidebar, 'todos.add', { projectId, text });
  await callBridge(sidebar, 'notes.create', { projectId, body: 'A note to keep' });
  await expect(rows(miniChat)).toHaveCount(4);
  const before = await contextOf(app, projectId);
  await callBridge(sidebar, 'todos.delete', { projectId, todoId: before.todos[1]?.id });
  await callBridge(sidebar, 'notes.delete', { projectId, noteId: before.notes[0]?.id });
  await expect(rows(miniChat)).toHaveCount(2);

  await miniChat.keyboard.type('/undo');
  await miniChat.keyboard.press('Enter');
  await expect(miniChat.getByText('The note “A note to keep” is back.')).toBeVisible();
  await expect(composer(miniChat)).toHaveValue('');
  await miniChat.keyboard.type('/un');
  await miniChat.keyboard.press('Tab');
  await expect(miniChat.getByText('The todo “two” is back.')).toBeVisible();
  const after = await contextOf(app, projectId);
  expect([after.notes, after.todos]).toEqual([before.notes, before.todos]);
  await composer(miniChat).fill('/undo');
  await miniChat.keyboard.press('Enter');
  await expect(miniChat.getByText('Nothing to bring back here.')).toBeVisible();

  await rows(miniChat).filter({ hasText: 'three' }).focus();
  await miniChat.keyboard.press('Delete');
  await expect(rows(miniChat)).toHaveCount(3);
  await miniChat.keyboard.press('Control+z');
  await expect.poll(async () => (await contextOf(app, projectId)).todos).toEqual(before.todos);
});

test('recently deleted lists what either window deleted, also after a restart', async ({ launch }) => {
  test.slow();
  const app = await launch();
  await show(app);
  const projectId = await chatsId(app);
  await callBridge(app.sidebar, 'notes.create', { projectId, body: 'First' });
  await callBridge(app.sidebar, 'plans.create', { projectId, title: 'A plan', body: 'with text' });
  const { notes, plans } = await contextOf(app, projectId);
  await callBridge(app.sidebar, 'notes.delete', { projectId, noteId: notes[0]?.id });
  await callBridge(app.sidebar, 'plans.delete', { projectId, planId: plans[0]?.id });
  await app.quit();

  const again = await launch({ dataFolder: app.dataFolder });
  const { miniChat } = again;
  await show(again);
  await miniChat.getByRole('button', { name: 'Menu' }).click();
  await miniChat.getByRole('menuitem', { name: 'Recently deleted' }).click();
  const list = miniChat.getByRole('dialog', { name: 'Recently deleted' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText('A plan');
  await expectAccessible(miniChat, 'recently deleted');
  await list.getByRole('button', { name: 'Bring back A plan' }).click();
  await expect(list.getByText('The plan “A plan” is back.')).toBeVisible();
  await expect(list.getByRole('button', { name: 'Bring back First' })).toBeFocused();
  await miniChat.keyboard.press('Enter');
  await expect(list.getByRole('listitem')).toHaveCount(0);
  await miniChat.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  expect(await isVisible(again)).toBe(true);
  const after = await contextOf(again, projectId);
  expect(after.notes).toEqual(notes);
  expect(after.plans.map(({ id, file, title }) => [id, file, title])).toEqual(
    plans.map(({ id, file, title }) => [id, file, title]),
  );
});

test('what another program overwrote is told, shown in the sidebar, and dismissed in both windows', async ({
  launch,
}) => {
  const app = await launch();
  const { miniChat, sidebar } = app;
  await show(app);
  const projectId = await chatsId(app);
  await callBridge(sidebar, 'notes.create', { projectId, body: 'First' });
  await expect(rows(miniChat)).toHaveCount(1);
  const old = readFileSync(contextFile(app, projectId));
  await callBridge(sidebar, 'notes.create', { projectId, body: 'Second' });
  await expect(rows(miniChat)).toHaveCount(2);
  writeFileSync(contextFile(app, projectId), old);

  const told = miniChat.getByText('Another program saved over 1 entry. It is kept.');
  await expect(told).toBeVisible({ timeout: 20_000 });
  await expectAccessible(miniChat, 'notice');
  await miniChat.getByRole('button', { name: 'Show it in the sidebar' }).click();
  await expect(sidebar).toHaveTitle(/Chats/);
  await miniChat.getByRole('button', { name: 'Dismiss' }).click();
  await expect(told).toHaveCount(0);
  expect((await contextOf(app, projectId)).notices).toEqual([]);
});

test('the help shows commands and keys, by the command and by its key', async ({ launch }) => {
  const app = await launch();
  const { miniChat } = app;
  await show(app);
  const help = miniChat.getByRole('dialog', { name: 'Commands and keys' });
  await miniChat.keyboard.type('why?');
  await expect(help).toHaveCount(0);
  await composer(miniChat).fill('/help');
  await miniChat.keyboard.press('Enter');
  await expect(help).toContainText('/find');
  await expectAccessible(miniChat, 'help');
  await miniChat.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(composer(miniChat)).toHaveValue('');
  await miniChat.getByRole('button', { name: 'Menu' }).focus();
  await miniChat.keyboard.press('?');
  await expect(help).toBeVisible();
});

for (const [theme, forcedColors] of [
  ['light', 'none'],
  ['dark', 'none'],
  ['light', 'active'],
] as const) {
  test(`in a small window only the stream scrolls, and nothing is found by axe (${theme}, ${forcedColors})`, async ({
    launch,
  }) => {
    test.slow();
    const app = await launch({ sampleData: true });
    const { miniChat, sidebar } = app;
    await callBridge(sidebar, 'settings.update', { theme });
    await miniChat.emulateMedia({ forcedColors });
    await miniChat.setViewportSize({ width: 320, height: 480 });
    await show(app);
    await pick(miniChat, 'demo');
    await expect(rows(miniChat).first()).toBeVisible();
    await miniChat.keyboard.type('/find e');
    await expect(found(miniChat).first()).toBeVisible();
    await expectAccessible(miniChat, 'found');
    await miniChat.keyboard.press('Control+Shift+F');
    await expect(found(miniChat).filter({ hasText: 'notes-site' }).first()).toBeVisible();
    await expectAccessible(miniChat, 'found everywhere');
    await miniChat.keyboard.press('Escape');

    writeFileSync(contextFile(app, demo), '{"version": 2, "no');
    await expect(miniChat.getByText('The file of this place is damaged')).toBeVisible({ timeout: 20_000 });
    await composer(miniChat).fill('A text that is not saved, and that is long enough to take three lines.');
    await miniChat.keyboard.press('Enter');
    await expect(miniChat.getByText('Not saved.', { exact: true })).toBeVisible();
    await expectAccessible(miniChat, 'damaged');
    const overflow = await miniChat.evaluate(() =>
      ['html', 'body', '#root', '.mini-chat', '.mini-main'].map((place) => {
        const element = document.querySelector(place);
        return element === null ? null : element.scrollHeight - element.clientHeight;
      }),
    );
    expect(overflow).toEqual([0, 0, 0, 0, 0]);
    await expect(composer(miniChat)).toBeInViewport({ ratio: 1 });
  });
}
