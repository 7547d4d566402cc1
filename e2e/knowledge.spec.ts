import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { SessionRow } from '../src/contract/index.ts';
import { makeDataFolder, type RunningApp } from './launch-app.ts';
import {
  answered,
  heading,
  openInBoth,
  pageOf,
  patient,
  prepareSession,
  railSession,
  say,
  sayRecorded,
  talk,
} from './session-parts.ts';
import { changeOutside, demo, note, planFile, prepareContext } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

/** What a session is told: pinned in a window, recorded with the person's next message, shown as what it is. */

const planName = '1700000000000-alpha.md';
let dataFolder = '';

test.beforeEach(() => {
  dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, {
    notes: [note('n1', 'The staging server is rebuilt every night.'), note('n2', 'Ask Ada first.')],
    plans: [{ id: 'p1', file: planName, title: 'Alpha', createdAt: 1_700_000_000_000 }],
  });
  const file = planFile({ contextRoot: path.join(dataFolder, 'context') }, planName);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '# Alpha\n\n1. Begin\n');
});

/** Makes a session of the project and opens it in both windows. */
async function openSession(app: RunningApp): Promise<SessionRow> {
  const title = 'Told session';
  const { row } = await answered<{ row: SessionRow }>(app.sidebar, 'sessions.create', { ownerId: demo, title });
  await app.sidebar.getByRole('navigation').getByRole('button', { name: 'demo-app', exact: true }).click();
  await openInBoth(app, title);
  return row;
}

const tell = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'What this session will be told' }).click();
const toldMessages = (page: Page) => page.locator('.message-host');

test('what is pinned in the sidebar goes with the next message, once, and again when it changes', async ({
  launch,
}) => {
  const app = await launch({ dataFolder });
  const { session } = await openSession(app);
  const { sidebar, miniChat } = app;
  await tell(sidebar);
  await expect(sidebar.getByText('There is nothing to tell it yet.')).toBeVisible(patient);
  await sidebar.getByRole('option', { name: /staging server/ }).click();
  await sidebar.getByRole('option', { name: 'Alpha' }).click();
  await expect(sidebar.getByRole('button', { name: 'Stop telling it Alpha' })).toBeVisible(patient);
  // Escape closes, and takes nothing out.
  await sidebar.keyboard.press('Escape');
  await expect(sidebar.getByRole('dialog')).toHaveCount(0);
  await tell(sidebar);
  await expect(sidebar.getByRole('listitem').filter({ hasText: 'Alpha' })).toBeVisible(patient);
  await expect(sidebar.getByText('It was not told any of this yet')).toBeVisible(patient);
  await sidebar.getByText('The words themselves').click();
  await expect(sidebar.getByRole('region', { name: 'The words themselves' })).toContainText('1. Begin');
  await sidebar.keyboard.press('Escape');
  await expect(miniChat.getByText('Your next message also tells the session 1 note and 1 plan.')).toBeVisible(patient);

  await sayRecorded(app, 'first');
  for (const page of [sidebar, miniChat]) {
    await expect(toldMessages(page)).toHaveCount(1, patient);
    await expect(toldMessages(page)).toContainText('Told by Sidekeep');
    await expect(toldMessages(page).locator('.folded-body')).toHaveCount(0);
  }
  await toldMessages(sidebar).locator('summary').click();
  await expect(toldMessages(sidebar)).toContainText('rebuilt every night');
  await expect(miniChat.getByText(/^Your next message also tells/)).toHaveCount(0, patient);
  await sayRecorded(app, 'second');

  changeOutside(app, ({ notes }) => {
    for (const each of notes) if (each.id === 'n1') each.body = 'The staging server is gone.';
  });
  await expect(miniChat.getByText(/^Your next message also tells/)).toBeVisible(patient);
  await tell(sidebar);
  await expect(sidebar.getByText('says something else by now')).toBeVisible(patient);
  await sidebar.keyboard.press('Escape');
  await sayRecorded(app, 'third');
  const { messages } = await pageOf(sidebar, session);
  const shape = messages.map(({ origin, content }) => (origin === 'host' ? 'told' : content));
  expect(shape).toEqual(['told', 'first', 'second', 'told', 'third']);
  expect(messages[3]?.content).toContain('The staging server is gone.');
  expect((await answered<{ row: SessionRow }>(sidebar, 'sessions.get', { session })).row.preview).toBe('first');
});

test('a note is pinned from its row in either window, and a deleted one is shown as gone', async ({ launch }) => {
  const app = await launch({ dataFolder });
  await openSession(app);
  const { sidebar, miniChat } = app;
  await sidebar.keyboard.press('Control+1');
  const toggle = sidebar
    .getByRole('article', { name: 'Ask Ada first.' })
    .getByRole('button', { name: 'Pin to session Told session' });
  await toggle.click(patient);
  await expect(toggle).toHaveAttribute('aria-pressed', 'true', patient);
  await expect(miniChat.getByText('Your next message also tells the session 1 note.')).toBeVisible(patient);
  await miniChat.keyboard.press('Control+1');
  const other = miniChat.getByRole('row', { name: /staging server/ });
  await other.click({ button: 'right', ...patient });
  await miniChat.getByRole('menuitem', { name: 'Tell the open session' }).click();
  await miniChat.keyboard.press('Control+4');
  await expect(miniChat.getByText('Your next message also tells the session 2 notes.')).toBeVisible(patient);
  changeOutside(app, (context) => {
    context.notes = context.notes.filter(({ id }) => id !== 'n2');
  });
  await expect(miniChat.getByText('Your next message also tells the session 1 note.')).toBeVisible(patient);
  await railSession(sidebar, 'Told session').click();
  await expect(heading(sidebar, 'Told session')).toBeVisible(patient);
  await tell(sidebar);
  await expect(sidebar.getByText('No longer there; goes with the next change')).toBeVisible(patient);
});

test('titles of memories are told and their texts are not, while memory is on', async ({ launch }) => {
  const app = await launch({ dataFolder });
  const { sidebar } = app;
  await answered(sidebar, 'settings.update', { memoryEnabled: true });
  const memory = { title: 'Deploys on Tuesdays', body: 'A secret text.', type: 'fact' };
  await answered(sidebar, 'memory.create', { ownerId: demo, ...memory });
  await answered(sidebar, 'memory.create', { ownerId: null, ...memory, title: 'Answers in English' });
  const { session } = await openSession(app);
  await tell(sidebar);
  await expect(sidebar.getByText('Titles of 2 memories')).toBeVisible(patient);
  await sidebar.keyboard.press('Escape');
  await sayRecorded(app, 'first');
  const [told] = (await pageOf(sidebar, session)).messages;
  expect(told?.content).toContain('Deploys on Tuesdays');
  expect(told?.content).toContain('Answers in English');
  expect(told?.content).not.toContain('A secret text.');
  await answered(sidebar, 'settings.update', { memoryEnabled: false });
  await tell(sidebar);
  await expect(sidebar.getByText(/^Titles? of/)).toHaveCount(0, patient);
});

test('a session of another program says that it is told nothing, and can be pinned to', async ({ launch }) => {
  prepareSession(dataFolder, 'foreign', talk('foreign', 2), { custom_title: 'Foreign' });
  const app = await launch({ dataFolder });
  await openInBoth(app, 'Foreign');
  await tell(app.sidebar);
  await expect(app.sidebar.getByText('This session was made by another program')).toBeVisible(patient);
  await expect(app.miniChat.getByText(/^Your next message also tells/)).toHaveCount(0);
});

test('what cannot be read is left out, named, and never keeps a message from being recorded', async ({ launch }) => {
  const app = await launch({ dataFolder });
  await openSession(app);
  const { sidebar, miniChat } = app;
  await tell(sidebar);
  await sidebar.getByRole('option', { name: /staging server/ }).click(patient);
  await expect(sidebar.getByRole('button', { name: /^Stop telling it/ })).toBeVisible(patient);
  await sidebar.keyboard.press('Escape');
  writeFileSync(path.join(app.contextRoot, 'projects', demo, 'context.json'), '{"version": 2, "notes": [');
  await expect(miniChat.getByText('1 thing that it should know cannot be read.')).toBeVisible(patient);
  await say(app, 'still recorded');
  await expect(miniChat.locator('article .message-content').filter({ hasText: 'still recorded' })).toBeVisible(patient);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in what a session is told, and nothing is cut off (${colorScheme})`, async ({ launch }) => {
    const app = await launch({ dataFolder });
    await openSession(app);
    const { sidebar, miniChat } = app;
    const look = async (page: Page): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(over).toBe(0);
    };
    for (const page of [sidebar, miniChat]) await page.emulateMedia({ colorScheme });
    await tell(sidebar);
    await sidebar.getByRole('option', { name: /staging server/ }).click(patient);
    await expect(sidebar.getByRole('button', { name: /^Stop telling it/ })).toBeVisible(patient);
    for (const width of [1100, 320]) {
      await sidebar.setViewportSize({ width, height: 640 });
      await look(sidebar);
    }
    await sidebar.keyboard.press('Escape');
    await miniChat.setViewportSize({ width: 320, height: 480 });
    await miniChat.getByRole('button', { name: 'Show: What this session will be told' }).click(patient);
    await look(miniChat);
    await miniChat.keyboard.press('Escape');
    await sayRecorded(app, 'first');
    await toldMessages(miniChat).locator('summary').click();
    await look(miniChat);
  });
}
