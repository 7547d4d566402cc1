import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CDPSession, Page } from '@playwright/test';
import { projectIdOf } from '../src/context/project-id.ts';
import { makeDataFolder, type RunningApp } from './launch-app.ts';
import { changeOutside, note, noteRow, openSection, planFile, prepareContext, readContext } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

const ALPHA = '1700000000000-alpha.md';

function prepared(raw: string): string {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, {
    notes: [note('n1', 'alpha'), note('n2', 'beta')],
    plans: [{ id: 'p1', file: ALPHA, title: 'T', createdAt: 1_700_000_000_000 }],
  });
  const file = planFile({ contextRoot: path.join(dataFolder, 'context') }, ALPHA);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, raw);
  return dataFolder;
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Text of plan T' });

async function openPlan(app: RunningApp): Promise<Page> {
  await openSection(app.sidebar, 'Plans');
  await app.sidebar.getByRole('button', { name: /^T .*\d/ }).click();
  await expect(editor(app.sidebar)).toContainText('# T');
  return app.sidebar;
}

const composing = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page);
const compose = (session: CDPSession, text: string) =>
  session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });

// openchamber/openchamber#2527, ianstormtaylor/slate#2067
test('an input method composes a word in a note while others and the note itself change', async ({ launch }) => {
  const app = await launch({ dataFolder: prepared('# T\n') });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  await noteRow(page, 'alpha')
    .getByRole('button', { name: /^Edit note/ })
    .click();
  const field = page.getByRole('textbox', { name: 'Text of the note' });
  await field.press('End');
  const session = await composing(page);
  await compose(session, 'にほ');
  changeOutside(app, (context) => context.notes.push(note('n3', 'another')));
  await expect(noteRow(page, 'another')).toBeVisible();
  changeOutside(app, (context) => {
    const found = context.notes.find(({ id }) => id === 'n1');
    if (found) found.body = 'theirs';
  });
  await page.waitForTimeout(1000);
  await expect(field).toHaveValue('alphaにほ');
  await session.send('Input.insertText', { text: '日本' });
  await expect(field).toHaveValue('alpha日本');
  await expect(page.getByText(/changed elsewhere while you were editing/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await field.press('Control+Enter');
  await expect.poll(() => readContext(app).notes.find(({ id }) => id === 'n1')?.body).toBe('alpha日本');
});

test('an input method composes a word in a plan while other things and the plan itself change', async ({ launch }) => {
  const app = await launch({ dataFolder: prepared('# T\n\nbody ') });
  const page = await openPlan(app);
  const file = planFile(app, ALPHA);
  await editor(page).press('Control+End');
  const session = await composing(page);
  await compose(session, 'にほ');
  changeOutside(app, (context) => context.notes.push(note('n3', 'another')));
  await page.waitForTimeout(700);
  writeFileSync(file, '# T\n\ntheirs\n');
  await page.waitForTimeout(1500);
  await expect(editor(page)).toContainText('body にほ');
  expect(readFileSync(file, 'utf8')).toBe('# T\n\ntheirs\n');
  await session.send('Input.insertText', { text: '日本' });
  await expect(editor(page)).toContainText('body 日本');
  await expect(page.getByText(/^Changed on disk while you were editing/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(() => readFileSync(file, 'utf8')).toBe('# T\n\nbody 日本');
});

// openchamber/openchamber#1429
test('a project is renamed in place while the list of projects changes, and Escape gives the old name back', async ({
  launch,
}) => {
  test.slow();
  const app = await launch({ dataFolder: prepared('# T\n') });
  const page = app.sidebar;
  const rail = page.getByRole('navigation');
  const field = rail.getByRole('textbox', { name: /^New name of/ });
  const label = (name: string) => rail.getByRole('button', { name, exact: true });
  const appear = async (name: string): Promise<void> => {
    prepareContext(app.dataFolder, { notes: [note('n', name)] }, projectIdOf(`/home/dev/${name}`));
    await expect(label(name)).toBeVisible();
  };
  await label('demo-app').press('F2');
  await expect(field).toBeFocused();
  await page.keyboard.press('End');
  for (let turn = 0; turn < 10; turn++) {
    await page.keyboard.type(String(turn));
    // Some come before it, some behind it.
    await appear(`${turn % 2 === 0 ? 'a' : 'z'}-project-${turn}`);
    await expect(field).toBeFocused();
  }
  await expect(field).toHaveValue('demo-app0123456789');
  await page.keyboard.press('Enter');
  await expect(label('demo-app0123456789')).toBeVisible();

  await label('demo-app0123456789').press('F2');
  await page.keyboard.type('given up');
  await appear('m-project');
  await expect(field).toHaveValue('given up');
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(label('demo-app0123456789')).toBeVisible();
});

// benweet/stackedit#380, laurent22/joplin#10424
test('a plan with one line of nearly the longest length is typed in without delay, and saved', async ({ launch }) => {
  test.slow();
  const line = 'word '.repeat(39_000);
  const app = await launch({ dataFolder: prepared(`# T\n${line}`) });
  const page = await openPlan(app);
  await editor(page).press('Control+Home');
  await page.keyboard.press('ArrowDown');
  const delays: number[] = [];
  for (const letter of 'typed') {
    const start = Date.now();
    await page.keyboard.type(letter);
    // The next frame has been drawn.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
    delays.push(Date.now() - start);
  }
  expect(delays.toSorted((left, right) => left - right)[2]).toBeLessThan(500);
  await expect
    .poll(() => readFileSync(planFile(app, ALPHA), 'utf8').length, { timeout: 20_000 })
    .toBe(`# T\n${line}`.length + 5);
  expect(readFileSync(planFile(app, ALPHA), 'utf8')).toBe(`# T\ntyped${line}`);
});
