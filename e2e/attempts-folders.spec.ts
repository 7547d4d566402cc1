import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keptFolder, preparePlan } from './attempts-parts.ts';
import { makeDataFolder } from './launch-app.ts';
import { composer, pick, show } from './mini-chat-parts.ts';
import { contextFile, note, noteRow, openSection, planFile, prepareContext, readContext } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

// Each starts the program and waits for the disk.
test.slow();

test('where nothing can be kept nothing is deleted, and what is saved over is held until it can be', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha')] });
  const kept = keptFolder({ contextRoot: path.join(dataFolder, 'context') });
  writeFileSync(kept, 'not a folder');
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  await noteRow(page, 'alpha')
    .getByRole('button', { name: /^Delete note/ })
    .click();
  await page.getByRole('button', { name: 'Why' }).click();
  await expect(page.getByText(/A file stands where Sidekeep keeps what is deleted/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(noteRow(page, 'alpha')).toBeVisible();
  const before = readFileSync(contextFile(app), 'utf8');
  expect(JSON.parse(before).notes).toHaveLength(1);

  const field = page.getByRole('textbox', { name: 'New note' });
  await field.fill('beta');
  await field.press('Control+Enter');
  await expect(noteRow(page, 'beta')).toBeVisible();
  writeFileSync(contextFile(app), before);
  const band = page.getByRole('status', { name: 'What happened to this place' });
  await expect(band).toContainText('The disk did not take what was here yet');
  rmSync(kept);
  await field.fill('gamma');
  await field.press('Control+Enter');
  await expect(band).toContainText('Nothing is lost');
  await band.getByRole('button', { name: 'Bring it back' }).click();
  await expect(noteRow(page, 'beta')).toBeVisible();
  expect(new Set(readContext(app).notes.map(({ body }) => body))).toEqual(new Set(['alpha', 'beta', 'gamma']));
});

test('a link in the place of the kept things is not followed: nothing is deleted, nothing is written behind it', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  const file = '1700000000000-cafe.md';
  prepareContext(dataFolder, {
    notes: [note('n1', 'alpha')],
    plans: [{ id: 'p1', file, title: 'Café', createdAt: 1_700_000_000_000 }],
  });
  preparePlan(dataFolder, file, '# Café\r\n\r\nNFC é, NFD e\u0301\r\n');
  const kept = keptFolder({ contextRoot: path.join(dataFolder, 'context') });
  symlinkSync(path.join(dataFolder, 'app'), kept);
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Plans');
  await page.getByRole('button', { name: /^Café/ }).click();
  const editor = page.getByRole('textbox', { name: /^Text of plan/ });
  await editor.press('Control+End');
  await page.keyboard.type('more');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFileSync(planFile(app, file), 'utf8')).toBe('# Café\r\n\r\nNFC é, NFD e\u0301\r\nmore');
  await page.getByRole('button', { name: /^Delete plan/ }).click();
  await page.getByRole('button', { name: 'Why' }).click();
  await expect(page.getByText(/A link stands where Sidekeep keeps what is deleted/)).toBeVisible();
  await page.keyboard.press('Escape');
  expect(readContext(app).plans).toHaveLength(1);
  expect(readFileSync(planFile(app, file), 'utf8')).toContain('more');
});

test('the folder of a project moves away and back while one types: nothing is made in its place, all is there', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha')] });
  const app = await launch({ dataFolder });
  await show(app);
  await pick(app.miniChat, 'demo');
  await composer(app.miniChat).fill('first');
  await app.miniChat.keyboard.press('Enter');
  await openSection(app.sidebar, 'Notes');
  await expect(noteRow(app.sidebar, 'first')).toBeVisible();
  const projects = path.join(app.contextRoot, 'projects');
  renameSync(projects, `${projects}.away`);
  await composer(app.miniChat).fill('second');
  await app.miniChat.keyboard.press('Enter');
  await expect(app.miniChat.getByText(/^Not saved/)).toBeVisible();
  await expect(composer(app.miniChat)).toHaveValue('second');
  renameSync(`${projects}.away`, projects);
  await app.miniChat.getByRole('region', { name: 'New note' }).getByRole('button', { name: 'Try again' }).click();
  await expect(noteRow(app.sidebar, 'second')).toBeVisible();
  expect(readContext(app).notes.map(({ body }) => body)).toEqual(['second', 'first', 'alpha']);
});
