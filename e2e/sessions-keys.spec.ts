import { readFileSync } from 'node:fs';
import { makeDataFolder } from './launch-app.ts';
import { composer, expectAccessible, show } from './mini-chat-parts.ts';
import {
  answered,
  articles,
  fileOf,
  globalRef,
  heading,
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

// Each starts the program and waits for the disk.
test.slow();

test('by keyboard alone: through the list, into the conversation, a new title, delete and undo', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareSession(dataFolder, 'older', talk('Older', 2), { updated_at: '2026-01-01T00:00:00Z' });
  prepareSession(dataFolder, 'newer', talk('Newer', 30));
  const app = await launch({ dataFolder });
  const { keyboard } = app.sidebar;
  await expect(railSession(app.sidebar, 'Older 0')).toBeVisible(patient);
  await keyboard.press('Control+k');
  await keyboard.press('ArrowDown');
  await expect(app.sidebar.getByRole('navigation').getByRole('button', { name: 'Chats', exact: true })).toBeFocused();
  await keyboard.press('ArrowDown');
  await expect(railSession(app.sidebar, 'Newer 0')).toBeFocused();
  await keyboard.press('ArrowDown');
  await expect(railSession(app.sidebar, 'Older 0')).toBeFocused();
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await expect(heading(app.sidebar, 'Newer 0')).toBeVisible(patient);
  await expect(articles(app.sidebar).last()).toHaveText(/Newer 29/, patient);
  const scroller = app.sidebar.locator('.transcript-scroller');
  for (let step = 0; step < 30; step++) {
    if (await scroller.evaluate((element) => element === document.activeElement)) break;
    await keyboard.press('Tab');
  }
  await expect(scroller).toBeFocused();
  await keyboard.press('Home');
  await expect(articles(app.sidebar).first()).toBeInViewport(patient);

  await keyboard.press('F2');
  await expect(app.sidebar.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await keyboard.press('Control+a');
  await keyboard.type('By keys');
  await keyboard.press('Enter');
  await expect(heading(app.sidebar, 'By keys')).toBeVisible(patient);
  const meta = () => JSON.parse(readFileSync(fileOf(dataFolder, 'newer', '.jsonl.meta'), 'utf8')) as object;
  await expect.poll(meta, patient).toMatchObject({ custom_title: 'By keys' });

  await keyboard.press('Control+k');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await expect(railSession(app.sidebar, 'By keys')).toBeFocused();
  await keyboard.press('Delete');
  await expect(railSession(app.sidebar, 'By keys')).toBeHidden(patient);
  await expect(railSession(app.sidebar, 'Older 0')).toBeFocused();
  await keyboard.press('Control+z');
  await expect(railSession(app.sidebar, 'By keys')).toBeVisible(patient);
  await expect(heading(app.sidebar, 'By keys')).toBeVisible(patient);
});

test('by keyboard alone in the Mini Chat: choose a session, read it, write to a copy', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareSession(dataFolder, 'theirs', talk('Theirs', 2));
  const app = await launch({ dataFolder });
  await messageMode(app);
  const { keyboard } = app.miniChat;
  await keyboard.press('Control+j');
  await expect(app.miniChat.getByRole('searchbox', { name: 'Find a session' })).toBeFocused();
  await expect(app.miniChat.getByRole('option', { name: /Theirs 0/ })).toBeVisible(patient);
  await keyboard.type('theirs');
  await keyboard.press('Enter');
  await expect(composer(app.miniChat)).toBeFocused();
  await expect.poll(() => texts(app.miniChat), patient).toEqual(['Theirs 0', 'Theirs 1']);
  await expect(app.miniChat.getByText('Another program made this session.')).toBeVisible(patient);
  await keyboard.type('by keys');
  await keyboard.press('Enter');
  await expect.poll(() => texts(app.miniChat), patient).toEqual(['Theirs 0', 'Theirs 1', 'by keys']);
});

test('axe finds nothing in either window with sessions in them', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareSession(dataFolder, 'theirs', [
    ...talk('Theirs', 4),
    { role: 'assistant', content: '# A title\n\n- one\n- [ ] two\n\n```\ncode\n```' },
  ]);
  prepareSession(dataFolder, 'torn', talk('Torn', 2), { custom_title: 'Torn' });
  const app = await launch({ dataFolder });
  await openInBoth(app, 'Theirs 0');
  await messageMode(app);
  for (const page of [app.sidebar, app.miniChat]) await expect(articles(page).last()).toContainText('code', patient);
  await expectAccessible(app.sidebar, 'a foreign session');
  await expectAccessible(app.miniChat, 'a foreign session');
  await sayRecorded(app, 'into a copy');
  await expectAccessible(app.miniChat, 'a session of ours');
  await answered(app.miniChat, 'sessions.delete', { session: globalRef('theirs') });
  await expect(app.sidebar.getByText('This session is no longer there.')).toBeVisible(patient);
  await expectAccessible(app.sidebar, 'a session that is gone');
  await app.sidebar.getByRole('button', { name: 'Open the trash' }).click();
  await expect(app.sidebar.getByRole('button', { name: 'Restore Theirs 0' })).toBeVisible(patient);
  await expectAccessible(app.sidebar, 'the trash');
  await app.sidebar.keyboard.press('Escape');
  await app.sidebar.getByRole('button', { name: 'Storage' }).click();
  await expect(app.sidebar.getByText('Largest sessions')).toBeVisible(patient);
  await expectAccessible(app.sidebar, 'the report');
  await show(app);
});
