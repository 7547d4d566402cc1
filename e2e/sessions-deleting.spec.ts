import { makeDataFolder } from './launch-app.ts';
import { composer } from './mini-chat-parts.ts';
import { holding, kept, prepareWhole, trashIn } from './session-files.ts';
import {
  answered,
  globalRef,
  heading,
  idsIn,
  listed,
  messageMode,
  openInBoth,
  patient,
  prepareSession,
  railSession,
  sayRecorded,
  talk,
  texts,
} from './session-parts.ts';
import { expect, test } from './test.ts';

// Each starts the program, some twice, and waits for the disk and the watcher.
test.slow();

test('deleted in the sidebar while the Mini Chat shows it, both say so; each can bring all of it back, byte for byte', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  prepareWhole(dataFolder, 'a secret that is deleted');
  const before = kept(dataFolder);
  expect(Object.keys(before).length).toBeGreaterThan(28);
  const app = await launch({ dataFolder });
  const { sidebar, miniChat } = app;
  await openInBoth(app, 'Whole');
  await messageMode(app);
  await composer(miniChat).fill('a draft');
  await railSession(sidebar, 'Whole').focus();
  await sidebar.keyboard.press('Delete');
  await expect(railSession(sidebar, 'Whole')).toBeHidden(patient);
  await expect(miniChat.getByText('This session was deleted')).toBeVisible(patient);
  expect(kept(dataFolder)).toEqual({});
  await sidebar.getByRole('button', { name: /^Undo/ }).click();
  await expect(railSession(sidebar, 'Whole')).toBeVisible(patient);
  await expect.poll(() => texts(miniChat), patient).toEqual(['a secret that is deleted']);
  expect(kept(dataFolder)).toEqual(before);

  // And once more, brought back by the other window.
  await railSession(sidebar, 'Whole').focus();
  await sidebar.keyboard.press('Delete');
  await miniChat.getByRole('button', { name: 'Bring it back' }).click(patient);
  await expect(railSession(sidebar, 'Whole')).toBeVisible(patient);
  await expect.poll(() => texts(miniChat), patient).toEqual(['a secret that is deleted']);
  await expect(composer(miniChat)).toHaveValue('a draft');
  expect(kept(dataFolder)).toEqual(before);
  expect(trashIn(dataFolder)).toEqual([]);
});

test('it stays deleted over a restart, comes back whole after it, and nothing of its text is left once it is purged', async ({
  launch,
}) => {
  const text = 'an unmistakable zyxwv secret';
  const dataFolder = makeDataFolder(false);
  prepareWhole(dataFolder, text);
  const before = kept(dataFolder);
  const app = await launch({ dataFolder });
  await openInBoth(app, 'Whole');
  await expect.poll(() => texts(app.sidebar), patient).toEqual([text]);
  await railSession(app.sidebar, 'Whole').focus();
  await app.sidebar.keyboard.press('Delete');
  await expect(railSession(app.sidebar, 'Whole')).toBeHidden(patient);
  await app.quit();
  expect(idsIn(dataFolder), 'deleting the last one makes none').toEqual([]);

  const again = await launch({ dataFolder });
  const { sidebar } = again;
  expect(await listed(sidebar)).toEqual([]);
  await sidebar.getByRole('button', { name: 'Trash', exact: true }).click();
  await sidebar.getByRole('button', { name: 'Restore Whole' }).click(patient);
  await expect(sidebar.getByText('The trash is empty.')).toBeVisible(patient);
  await sidebar.keyboard.press('Escape');
  expect(kept(dataFolder)).toEqual(before);
  await railSession(sidebar, 'Whole').click(patient);
  await expect.poll(() => texts(sidebar), patient).toEqual([text]);
  await railSession(sidebar, 'Whole').focus();
  await sidebar.keyboard.press('Delete');
  await expect(railSession(sidebar, 'Whole')).toBeHidden(patient);
  await sidebar.getByRole('button', { name: 'Trash', exact: true }).click();
  await sidebar.getByRole('button', { name: 'Remove for good: Whole' }).click(patient);
  await sidebar.getByRole('button', { name: 'Remove for good', exact: true }).last().click();
  await expect(sidebar.getByText('The trash is empty.')).toBeVisible(patient);
  expect(holding(dataFolder, text)).toEqual([]);
  await again.quit();
  expect(holding(dataFolder, text), 'also in what is remembered for the next start').toEqual([]);

  const third = await launch({ dataFolder });
  expect(await listed(third.sidebar)).toEqual([]);
  expect(idsIn(dataFolder)).toEqual([]);
});

test('a late writer does not bring a deleted session back unnoticed', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareSession(dataFolder, 'theirs', talk('Theirs', 2));
  const app = await launch({ dataFolder });
  const { sidebar } = app;
  await railSession(sidebar, 'Theirs 0').focus(patient);
  await sidebar.keyboard.press('Delete');
  await expect(railSession(sidebar, 'Theirs 0')).toBeHidden(patient);
  prepareSession(dataFolder, 'theirs', [{ role: 'user', content: 'written too late' }]);
  // It is something that a person wrote: it is shown, and says what happened.
  await expect(railSession(sidebar, 'written too late')).toContainText('It was deleted here', patient);
  await railSession(sidebar, 'written too late').click();
  await expect(sidebar.locator('.session-notices')).toContainText('a program has written to it since', patient);
  await app.quit();
  const again = await launch({ dataFolder });
  await expect(railSession(again.sidebar, 'written too late')).toContainText('It was deleted here', patient);
  await railSession(again.sidebar, 'written too late').focus();
  await again.sidebar.keyboard.press('Delete');
  await expect(railSession(again.sidebar, 'written too late')).toBeHidden(patient);
  expect(idsIn(dataFolder)).toEqual([]);
  const { items } = await answered<{ items: { session: object }[] }>(again.sidebar, 'sessions.trash', {});
  expect(
    items.map(({ session }) => session),
    'both are kept',
  ).toEqual([globalRef('theirs'), globalRef('theirs')]);
});

test('deleted in the Mini Chat, the last one leaves none behind; undo brings it back there', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  const app = await launch({ dataFolder });
  const { miniChat, sidebar } = app;
  await messageMode(app);
  await sayRecorded(app, 'the only one');
  await railSession(sidebar, 'the only one').click(patient);
  await expect(heading(sidebar, 'the only one')).toBeVisible(patient);
  await miniChat.getByRole('button', { name: 'Session menu' }).click();
  await miniChat.getByRole('menuitem', { name: 'Delete session' }).click();
  await expect(sidebar.getByText('This session is no longer there.')).toBeVisible(patient);
  await expect(miniChat.getByRole('button', { name: 'Session: New chat' })).toBeVisible(patient);
  expect(idsIn(dataFolder)).toEqual([]);
  await miniChat.getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(() => texts(miniChat), patient).toEqual(['the only one']);
  await expect.poll(() => texts(sidebar), patient).toEqual(['the only one']);
  await sayRecorded(app, 'and it goes on');
  await expect.poll(() => texts(sidebar), patient).toEqual(['the only one', 'and it goes on']);
});
