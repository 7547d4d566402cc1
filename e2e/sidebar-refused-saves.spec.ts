import { mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { makeDataFolder, type RunningApp } from './launch-app.ts';
import { contextFile, note, noteRow, openSection, planFile, prepareContext, readContext } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

const ALPHA = '1700000000000-alpha.md';

/** A data folder with a note and a plan. */
function prepared(): string {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, {
    notes: [note('n1', 'alpha')],
    plans: [{ id: 'p1', file: ALPHA, title: 'Alpha', createdAt: 1_700_000_000_000 }],
  });
  const file = planFile({ contextRoot: path.join(dataFolder, 'context') }, ALPHA);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '# Alpha\n\nbody\n');
  return dataFolder;
}

/** Moves a file or folder behind a link, through which nothing is written; whoever runs the tests, that cannot be saved to. */
function hold(place: string): () => void {
  renameSync(place, `${place}.held`);
  symlinkSync(`${place}.held`, place);
  return () => {
    unlinkSync(place);
    renameSync(`${place}.held`, place);
  };
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Text of plan Alpha' });

async function openPlan(app: RunningApp): Promise<Page> {
  await openSection(app.sidebar, 'Plans');
  await app.sidebar.getByRole('button', { name: /^Alpha/ }).click();
  await expect(editor(app.sidebar)).toContainText('Alpha');
  return app.sidebar;
}

// Zettlr/Zettlr#4628
test('a plan that cannot be saved says so, stays unsaved, and keeps its text when the program ends', async ({
  launch,
}) => {
  test.slow();
  const dataFolder = prepared();
  const app = await launch({ dataFolder });
  const page = await openPlan(app);
  const file = planFile(app, ALPHA);
  const release = hold(path.dirname(file));
  await editor(page).press('Control+End');
  await page.keyboard.type('typed while the disk refuses');
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Not saved/).first()).toBeVisible();
  await expect(page.getByText('Unsaved changes').first()).toBeVisible();
  await page.waitForTimeout(1500);
  await expect(page.getByText('Unsaved changes').first()).toBeVisible();
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toHaveCount(0);
  await expect(editor(page)).toContainText('typed while the disk refuses');
  await app.quit();

  release();
  expect(readFileSync(file, 'utf8')).toBe('# Alpha\n\nbody\n');
  const again = await launch({ dataFolder });
  // The plan that was open is open again.
  await openSection(again.sidebar, 'Plans');
  await expect(editor(again.sidebar)).toContainText('typed while the disk refuses');
  await expect.poll(() => readFileSync(file, 'utf8')).toBe('# Alpha\n\nbody\ntyped while the disk refuses');
});

// Zettlr/Zettlr#4628, microsoft/vscode#303134
test('an edit of a note that cannot be saved says so, stays open, and is there after a restart', async ({ launch }) => {
  test.slow();
  const dataFolder = prepared();
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  await noteRow(page, 'alpha')
    .getByRole('button', { name: /^Edit note/ })
    .click();
  const field = page.getByRole('textbox', { name: 'Text of the note' });
  const release = hold(contextFile(app));
  await field.fill('typed while the disk refuses');
  await field.press('Control+Enter');
  await expect(page.getByText(/^Not saved/).first()).toBeVisible();
  await expect(field).toHaveValue('typed while the disk refuses');
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toHaveCount(0);
  await app.quit();

  release();
  expect(readContext(app).notes.map(({ body }) => body)).toEqual(['alpha']);
  const again = await launch({ dataFolder });
  await openSection(again.sidebar, 'Notes');
  const kept = again.sidebar.getByRole('textbox', { name: 'Text of the note' });
  await expect(kept).toHaveValue('typed while the disk refuses');
  await kept.press('Control+Enter');
  await expect.poll(() => readContext(again).notes.map(({ body }) => body)).toEqual(['typed while the disk refuses']);
});
