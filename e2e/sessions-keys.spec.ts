import { readFileSync } from 'node:fs';
import { makeDataFolder } from './launch-app.ts';
import { composer } from './mini-chat-parts.ts';
import {
  articles,
  fileOf,
  heading,
  messageMode,
  patient,
  prepareSession,
  railSession,
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
