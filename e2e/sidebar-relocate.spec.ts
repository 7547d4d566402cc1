import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectIdOf } from '../src/context/project-id.ts';
import { makeDataFolder } from './launch-app.ts';
import { contextFile, demo, note, noteRow, openSection, prepareContext, readContext, todo } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

let folder = '';
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sidekeep-moved-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a project follows its folder with everything it has, and what was typed', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  const moved = path.join(folder, 'elsewhere');
  mkdirSync(moved);
  const id = projectIdOf(moved);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha'), note('n2', 'beta')], todos: [todo('t1', 'one')] });
  prepareContext(dataFolder, { notes: [note('m1', 'there already')] }, id);
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  await page.getByRole('textbox', { name: 'New note' }).fill('not saved yet');
  await page.getByRole('navigation').getByRole('button', { name: 'Actions for demo-app' }).click();
  await page.getByRole('menuitem', { name: 'Folder moved' }).click();
  const dialog = page.getByRole('dialog', { name: 'The folder of demo-app has moved' });
  await expect(dialog).toContainText('/home/dev/demo-app');
  const field = dialog.getByRole('textbox');
  await field.fill(path.join(folder, 'nowhere'));
  await field.press('Enter');
  await expect(dialog.getByText(/no such folder|not a folder|does not exist|no folder/i)).toBeVisible();
  await field.fill(moved);
  await field.press('Enter');
  await expect(dialog.getByText('elsewhere is already in the list: both become one.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Merge into elsewhere' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('2 notes and 1 todo came along.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('.rail-row-current .rail-row-button')).toBeFocused();
  await expect(noteRow(page, 'alpha')).toBeVisible();
  await expect(noteRow(page, 'there already')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'New note' })).toHaveValue('not saved yet');
  expect(new Set(readContext(app, id).notes.map(({ id }) => id))).toEqual(new Set(['n1', 'n2', 'm1']));
  await page.getByRole('textbox', { name: 'New note' }).press('Control+Enter');
  await expect.poll(() => readFileSync(contextFile(app, id), 'utf8')).toContain('not saved yet');
  expect(existsSync(contextFile(app, demo))).toBe(false);
});
