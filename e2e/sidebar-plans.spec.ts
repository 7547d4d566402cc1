import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { makeDataFolder, type RunningApp } from './launch-app.ts';
import { changeOutside, openSection, planFile, prepareContext, readContext } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

let dataFolder = '';

const ALPHA = '1700000000000-alpha.md';
const BETA = '1700000000001-beta.md';

test.beforeEach(() => {
  dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, {
    plans: [
      { id: 'p1', file: ALPHA, title: 'Alpha', createdAt: 1_700_000_000_000 },
      { id: 'p2', file: BETA, title: 'Beta', createdAt: 1_700_000_000_001 },
    ],
  });
  writePlan(ALPHA, '# Alpha\n\nbody\n');
  writePlan(BETA, '# Beta\n\nbody\n');
});

const place = (file: string): string => planFile({ contextRoot: path.join(dataFolder, 'context') }, file);

function writePlan(file: string, raw: string): void {
  mkdirSync(path.dirname(place(file)), { recursive: true });
  writeFileSync(place(file), raw);
}

/** Replaces a plan file as an editor does that writes beside it and renames. */
function replacePlan(file: string, raw: string): void {
  writeFileSync(`${place(file)}.new`, raw);
  renameSync(`${place(file)}.new`, place(file));
}

const readPlan = (file: string): string => readFileSync(place(file), 'utf8');

const editor = (page: Page, title: string) => page.getByRole('textbox', { name: `Text of plan ${title}` });

async function openPlan(app: RunningApp, title: string): Promise<Page> {
  const page = app.sidebar;
  await openSection(page, 'Plans');
  await page.getByRole('button', { name: new RegExp(`^${title}`) }).click();
  await expect(editor(page, title)).toContainText(title);
  return page;
}

const textOf = async (page: Page, title: string): Promise<string> =>
  (await editor(page, title).locator('.cm-line').allInnerTexts()).map((line) => line.replace(/\n$/, '')).join('\n');

test('a plan is created, written, saved by itself and deleted, and comes back byte for byte', async ({ launch }) => {
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Plans');
  await page.keyboard.press('Control+n');
  await page.getByRole('textbox', { name: 'Title' }).fill('Third <b>plan</b>');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('first line');
  await page.getByRole('button', { name: /Create plan/ }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Third <b>plan</b>' })).toBeVisible();
  const text = editor(page, 'Third <b>plan</b>');
  await text.press('Control+End');
  await page.keyboard.type('\nsecond line');
  await expect(page.getByText('Unsaved changes').first()).toBeVisible();
  const { file } = readContext(app).plans[0] ?? { file: '' };
  await expect.poll(() => readPlan(file)).toBe('# Third <b>plan</b>\n\nfirst line\nsecond line');
  await page.keyboard.type('!');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readPlan(file)).toMatch(/line!$/);
  const raw = readPlan(file);
  await page.getByRole('button', { name: /^Delete plan/ }).click();
  await expect.poll(() => readContext(app).plans.length).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => readContext(app).plans.length).toBe(3);
  expect(readPlan(readContext(app).plans[0]?.file ?? '')).toBe(raw);
});

test('opening writes nothing, and one letter changes one letter, whatever the line ends', async ({ launch }) => {
  const mixed = '# Alpha\r\n\r\na  \r\nb\tc\n\n\n';
  const windows = '# Beta\r\n\r\nbody\r\n';
  writePlan(ALPHA, mixed);
  writePlan(BETA, windows);
  const app = await launch({ dataFolder });
  const page = await openPlan(app, 'Alpha');
  await editor(page, 'Alpha').press('Control+Home');
  await page.waitForTimeout(1500);
  expect(readPlan(ALPHA)).toBe(mixed);
  await page.keyboard.type('#');
  await expect.poll(() => readPlan(ALPHA)).toBe(`#${mixed}`);
  await page.getByRole('button', { name: /^Beta/ }).click();
  await editor(page, 'Beta').press('Control+End');
  await page.keyboard.type('x');
  await expect.poll(() => readPlan(BETA)).toBe(`${windows}x`);
});

test('an outside change of an untouched plan is one undo step, and undo stays in its plan', async ({ launch }) => {
  const app = await launch({ dataFolder });
  const page = await openPlan(app, 'Alpha');
  await editor(page, 'Alpha').press('Control+z');
  expect(await textOf(page, 'Alpha')).toBe('# Alpha\n\nbody\n');
  replacePlan(ALPHA, '# Alpha\n\nfrom outside\n');
  await expect.poll(() => textOf(page, 'Alpha')).toBe('# Alpha\n\nfrom outside\n');
  await page.keyboard.press('Control+z');
  expect(await textOf(page, 'Alpha')).toBe('# Alpha\n\nbody\n');
  await expect(page.getByText('Unsaved changes').first()).toBeVisible();
  await page.keyboard.press('Control+y');
  expect(await textOf(page, 'Alpha')).toBe('# Alpha\n\nfrom outside\n');
  await page.waitForTimeout(1300);
  expect(readPlan(ALPHA)).toBe('# Alpha\n\nfrom outside\n');
  await page.getByRole('button', { name: /^Beta/ }).click();
  await editor(page, 'Beta').press('Control+z');
  await page.keyboard.press('Control+z');
  expect(await textOf(page, 'Beta')).toBe('# Beta\n\nbody\n');
});

test('unsaved text and an outside change are both kept until the person chose', async ({ launch }) => {
  const app = await launch({ dataFolder });
  const page = await openPlan(app, 'Alpha');
  await editor(page, 'Alpha').press('Control+End');
  await page.keyboard.type('mine');
  replacePlan(ALPHA, '# Alpha\n\ntheirs\n');
  await expect(page.getByText(/^Changed on disk while you were editing/)).toBeVisible();
  await page.waitForTimeout(1300);
  expect(readPlan(ALPHA)).toBe('# Alpha\n\ntheirs\n');
  expect(await textOf(page, 'Alpha')).toBe('# Alpha\n\nbody\nmine');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('dialog')).toContainText('theirs');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep both' }).click();
  await expect.poll(() => textOf(page, 'Alpha')).toBe('# Alpha\n\ntheirs\n');
  await expect(page.getByRole('button', { name: /^Alpha \(my version\)/ })).toBeVisible();
  const copy = readContext(app).plans.find((plan) => plan.title === 'Alpha (my version)');
  expect(readPlan(copy?.file ?? '')).toBe('# Alpha (my version)\n\nbody\nmine');
  expect(readPlan(ALPHA)).toBe('# Alpha\n\ntheirs\n');
});

test('a plan that is deleted while it is open keeps its text, and no save brings the file back', async ({ launch }) => {
  const app = await launch({ dataFolder });
  const page = await openPlan(app, 'Alpha');
  await editor(page, 'Alpha').press('Control+End');
  changeOutside(app, (context) => {
    context.plans = context.plans.filter((plan) => plan.id !== 'p1');
  });
  rmSync(place(ALPHA));
  await expect(page.getByText(/^This plan was deleted elsewhere/)).toBeVisible();
  await page.keyboard.press('Control+s');
  expect(await textOf(page, 'Alpha')).toBe('# Alpha\n\nbody\n');
  await page.getByRole('button', { name: 'Save as a new plan' }).click();
  await expect.poll(() => readContext(app).plans.length).toBe(2);
  expect(() => readPlan(ALPHA)).toThrow(/ENOENT/);
});

test('saving by itself moves neither cursor nor scroll in a long plan', async ({ launch }) => {
  test.slow();
  const lines = Array.from({ length: 5000 }, (_, index) => `Line number ${index}`);
  writePlan(ALPHA, ['# Alpha', '', ...lines].join('\n'));
  const app = await launch({ dataFolder });
  const page = await openPlan(app, 'Alpha');
  const scroller = editor(page, 'Alpha').locator('xpath=..');
  await scroller.evaluate((element) => element.scrollTo({ top: 40_000 }));
  await editor(page, 'Alpha').locator('.cm-line').nth(20).click();
  await page.keyboard.press('End');
  const typed: string[] = [];
  const tops = new Set<number>();
  for (let turn = 0; turn < 40; turn++) {
    const letter = String.fromCharCode(97 + (turn % 26));
    typed.push(letter);
    await page.keyboard.type(letter);
    if (turn % 13 === 12) await page.waitForTimeout(1400);
    tops.add(await scroller.evaluate((element) => Math.round(element.scrollTop)));
  }
  expect([...tops]).toHaveLength(1);
  await expect.poll(() => readPlan(ALPHA)).toContain(typed.join(''));
});
