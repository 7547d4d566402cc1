import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDataFolder, type RunningApp } from './launch-app.ts';
import {
  contextFile,
  note,
  noteRow,
  openSection,
  planFile,
  prepareContext,
  readContext,
  todo,
} from './sidebar-parts.ts';
import { expect, test } from './test.ts';

const DAMAGED = '{"version":2,"notes":[{"id":"n1","bo';

/** Adds a note, so that the version before is kept. */
async function addNote(app: RunningApp, text: string): Promise<void> {
  await app.sidebar.getByRole('textbox', { name: 'New note' }).fill(text);
  await app.sidebar.keyboard.press('Control+Enter');
  await expect(noteRow(app.sidebar, text)).toBeVisible();
}

const damagedFiles = (app: RunningApp): string[] =>
  readdirSync(path.dirname(contextFile(app))).filter((name) => name.startsWith('context.json.damaged'));

test('a damaged file is told, shown as it was, and left for an earlier version', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha')], todos: [todo('t1', 'one')] });
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  await addNote(app, 'beta');
  writeFileSync(contextFile(app), DAMAGED);
  await expect(page.getByText('What you see is the last good version.', { exact: false })).toBeVisible();
  await expect(page.getByText(/^The file context\.json of demo-app is damaged/)).toBeVisible();
  await expect(noteRow(page, 'beta')).toBeVisible();
  await page.getByRole('button', { name: 'Recover…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Recover demo-app' });
  await expect(dialog.getByRole('radio').first()).toBeChecked();
  await expect(dialog).toContainText('2 notes, 1 todo, 0 plans');
  await expect(dialog).toContainText('context.json.damaged');
  await expect(dialog).toContainText('kept at most every five minutes');
  await dialog.getByRole('button', { name: 'Go back to this version' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('tab', { name: /^Notes/ })).toBeFocused();
  await expect(page.getByText('What you see is the last good version.', { exact: false })).toHaveCount(0);
  await expect(noteRow(page, 'alpha')).toBeVisible();
  expect(readContext(app).notes.map(({ body }) => body)).toEqual(['beta', 'alpha']);
  const [kept = ''] = damagedFiles(app);
  expect(readFileSync(path.join(path.dirname(contextFile(app)), kept), 'utf8')).toBe(DAMAGED);
  await expect(page.getByText(`The damaged file is kept as ${kept}.`, { exact: false })).toBeVisible();
  await addNote(app, 'written on');
});

test('where there is no earlier version, one can start empty, after a second question', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, {});
  writeFileSync(contextFile({ contextRoot: path.join(dataFolder, 'context') }), DAMAGED);
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await page.getByRole('navigation').getByRole('button', { name: 'demo-app', exact: true }).click();
  await expect(page.getByText('This context could not be loaded.')).toBeVisible();
  await page.getByRole('button', { name: 'Recover…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recover demo-app' });
  await dialog.getByRole('button', { name: 'Put the damaged file aside and start empty' }).click();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(readFileSync(contextFile(app), 'utf8')).toBe(DAMAGED);
  await dialog.getByRole('button', { name: 'Start empty' }).click();
  await expect(page.getByText('No notes yet.')).toBeVisible();
  expect(damagedFiles(app)).toHaveLength(1);
  await addNote(app, 'new');
});

test('an earlier version can be gone back to, and back again, or added', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha'), note('n2', 'beta')] });
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  await addNote(app, 'gamma');
  await noteRow(page, 'alpha')
    .getByRole('button', { name: /^Delete note/ })
    .click();
  await expect.poll(() => readContext(app).notes.length).toBe(2);
  const versions = async () => {
    await page.getByRole('button', { name: 'More of demo-app' }).click();
    await page.getByRole('menuitem', { name: 'Earlier versions' }).click();
    return page.getByRole('dialog', { name: 'Earlier versions of demo-app' });
  };
  await (await versions()).getByRole('button', { name: 'Add what is missing here' }).click();
  await expect(page.getByText('Brought back: 1 note.')).toBeVisible();
  expect(new Set(readContext(app).notes.map(({ body }) => body))).toEqual(new Set(['alpha', 'beta', 'gamma']));
  const dialog = await versions();
  await dialog
    .getByRole('radio', { name: /2 notes/ })
    .last()
    .press('Space');
  await dialog.getByRole('button', { name: 'Go back to this version' }).press('Enter');
  await expect(page.getByRole('button', { name: 'More of demo-app' })).toBeFocused();
  await expect(page.getByText(/^This is the version of .* now\. The one before is kept\.$/)).toBeVisible();
  expect(readContext(app).notes.map(({ body }) => body)).toEqual(['alpha', 'beta']);
  const again = await versions();
  await expect(again.getByRole('radio').first()).toBeChecked();
  await expect(again.getByText('Kept before an earlier version took its place').first()).toBeVisible();
  await again.getByRole('button', { name: 'Go back to this version' }).click();
  await expect.poll(() => readContext(app).notes.length).toBe(3);
});

test('what another program saved over is told without taking the keyboard, and brought back', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha')] });
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  const before = readFileSync(contextFile(app), 'utf8');
  await addNote(app, 'only here');
  const composer = page.getByRole('textbox', { name: 'New note' });
  await composer.fill('typing');
  writeFileSync(contextFile(app), before);
  const band = page.getByRole('status', { name: 'What happened to this place' });
  await expect(band).toContainText(
    /saved over this file at \d\d:\d\d and took back 1 change that was made here: “only here”/,
  );
  await expect(composer).toBeFocused();
  await band.getByRole('button', { name: 'Bring it back' }).click();
  await expect(noteRow(page, 'only here')).toBeVisible();
  await expect(band).toHaveCount(0);
  await expect(composer).toHaveValue('typing');
});

test('an earlier version of a plan is shown beside the present one and put back', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  const file = '1700000000000-alpha.md';
  prepareContext(dataFolder, { plans: [{ id: 'p1', file, title: 'Alpha', createdAt: 1_700_000_000_000 }] });
  const place = planFile({ contextRoot: path.join(dataFolder, 'context') }, file);
  mkdirSync(path.dirname(place), { recursive: true });
  const first = '# Alpha\n\nfirst\n';
  writeFileSync(place, first);
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Plans');
  await page.getByRole('button', { name: /^Alpha/ }).click();
  const editor = page.getByRole('textbox', { name: 'Text of plan Alpha' });
  await editor.press('Control+End');
  await page.keyboard.type('second');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFileSync(place, 'utf8')).toBe(`${first}second`);
  await page.getByRole('button', { name: 'Earlier versions', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Earlier versions of Alpha' });
  await expect(dialog.locator('.text-line-differs')).toContainText(['second']);
  await dialog.getByRole('button', { name: 'Put this version back' }).click();
  await expect.poll(() => readFileSync(place, 'utf8')).toBe(first);
  await expect(editor).not.toContainText('second');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => readFileSync(place, 'utf8')).toBe(`${first}second`);
});

test('a migration tells what it could not take along, until that is dismissed', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const page = app.sidebar;
  await openSection(page, 'Notes', 'old-tool');
  const band = page.getByRole('status', { name: 'What happened to this place' });
  await expect(band).toContainText('1 older plan link could not be taken along: “1759000000000-lost.md”.');
  await band.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect(band).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Notes' })).toBeFocused();
  await page.reload();
  await expect(noteRow(page, 'Legacy notes')).toBeVisible();
  await expect(band).toHaveCount(0);
});
