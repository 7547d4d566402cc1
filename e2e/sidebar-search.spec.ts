import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { makeDataFolder } from './launch-app.ts';
import { changeOutside, contextFile, demo, note, openSection, prepareContext, todo } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

const field = (page: Page) => page.getByRole('combobox', { name: 'Search' });
const option = (page: Page, text: string) => page.getByRole('option').filter({ hasText: text });
const active = (page: Page) => page.getByRole('option', { selected: true });

test('what is found is marked, reached by keys and opened in its place', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  const notes = Array.from({ length: 120 }, (_, index) => note(`n${index}`, `note number ${index}`));
  notes[100] = note('n100', 'the <b>Überschrift</b> is here');
  prepareContext(dataFolder, { notes, todos: [todo('t1', 'other'), todo('t2', 'write the überschrift', true)] });
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Plans');
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('uberschrift');
  await expect(page.getByRole('option')).toHaveCount(2);
  await expect(page.getByRole('listbox').getByRole('group', { name: 'Notes, 1' })).toBeVisible();
  await expect(option(page, '<b>').locator('mark')).toHaveText('Überschrift');
  expect(await page.getByRole('listbox').locator('b').count()).toBe(0);
  await expect(active(page)).toContainText('is here');
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toContainText('write the');
  await expect(field(page)).toHaveAttribute('aria-activedescendant', (await active(page).getAttribute('id')) ?? '');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article').filter({ hasText: 'is here' })).toBeFocused();
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('write');
  await option(page, 'write the').click();
  await expect(page.getByRole('row').filter({ hasText: 'write the' })).toBeFocused();
});

test('Escape clears and then leaves, and the results follow what changes', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha one'), note('n2', 'beta')] });
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  const remove = page.getByRole('button', { name: 'Delete note beta' });
  await remove.focus();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('alpha');
  await expect(page.getByRole('option')).toHaveCount(1);
  changeOutside(app, (context) => context.notes.push(note('n3', 'alpha two')));
  await expect(page.getByRole('option')).toHaveCount(2);
  await page.keyboard.type(' nothing');
  await expect(page.getByText('Nothing found for “alpha nothing”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field(page)).toHaveValue('');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(remove).toBeFocused();
});

test('all projects are searched where that is asked for, and a plan that is found opens', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const page = app.sidebar;
  await expect(page.getByRole('navigation').getByRole('button', { name: 'demo-app', exact: true })).toBeVisible();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('release checklist');
  await expect(page.getByText('Nothing found', { exact: false }).first()).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('checkbox', { name: 'All projects' })).toBeChecked();
  await expect(option(page, 'Release checklist')).toContainText('demo-app');
  await field(page).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('demo-app');
  await expect(page.getByRole('textbox', { name: /^Text of plan Release checklist/ })).toBeFocused();
});

test('what cannot be read is said', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const page = app.sidebar;
  writeFileSync(contextFile(app, demo), '{"version":2');
  await expect(field(page)).toBeVisible();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('a');
  await page.getByText('All projects').click();
  await expect(page.getByText('1 project or plan could not be read and was not searched.')).toBeVisible();
});
