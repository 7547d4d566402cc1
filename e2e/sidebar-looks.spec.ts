import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { makeDataFolder } from './launch-app.ts';
import { note, noteRow, openSection, planFile, prepareContext, todo } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

let dataFolder = '';

test.beforeEach(() => {
  dataFolder = makeDataFolder(false);
  const file = '1700000000000-alpha.md';
  prepareContext(dataFolder, {
    notes: [note('n1', 'alpha'), note('n2', `long ${'word '.repeat(300)}`), note('n3', 'unbroken'.repeat(100))],
    todos: [todo('t1', 'one'), todo('t2', 'two', true), todo('t3', 'a'.repeat(120))],
    plans: [{ id: 'p1', file, title: 'Alpha', createdAt: 1_700_000_000_000 }],
  });
  const place = planFile({ contextRoot: path.join(dataFolder, 'context') }, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, `# Alpha\n\n${'body '.repeat(100)}\n`);
});

async function findings(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const theme of ['Light', 'Dark']) {
  test(`axe finds nothing in the sections, an edit, a menu and a dialog (${theme})`, async ({ launch }) => {
    const { sidebar: page } = await launch({ dataFolder });
    await openSection(page, 'Notes');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: theme }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase());
    expect(await findings(page)).toEqual([]);
    await noteRow(page, 'alpha')
      .getByRole('button', { name: /^Edit note/ })
      .click();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Todo' }).click();
    await page.getByRole('row').first().hover();
    await page.getByRole('button', { name: 'Actions for todo one' }).click();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Plans' }).click();
    await page.getByRole('button', { name: /^Alpha/ }).click();
    await expect(page.getByRole('textbox', { name: 'Text of plan Alpha' })).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    expect(await findings(page)).toEqual([]);
  });
}

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing in what was found, deleted and kept, and nothing is cut off at 320 pixels (${theme})`, async ({
    launch,
  }) => {
    const { sidebar: page } = await launch({ dataFolder });
    await page.emulateMedia({ colorScheme: theme });
    await openSection(page, 'Notes');
    await noteRow(page, 'alpha')
      .getByRole('button', { name: /^Delete note/ })
      .click();
    await page.setViewportSize({ width: 320, height: 640 });
    const isWhole = async (): Promise<void> => {
      expect(await overflow(page)).toBe(0);
      for (const button of await page.getByRole('dialog').getByRole('button').all()) {
        const box = await button.boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0), `a button at ${box?.x}`).toBeLessThanOrEqual(310);
      }
    };
    await page.keyboard.press('Control+f');
    await page.keyboard.type('o');
    await expect(page.getByRole('option').first()).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await isWhole();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Shift+D');
    await expect(page.getByRole('button', { name: 'Restore alpha' })).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await isWhole();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More of demo-app' }).click();
    await page.getByRole('menuitem', { name: 'Earlier versions' }).click();
    await expect(page.getByRole('radio').first()).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await isWhole();
  });
}

test('nothing is cut off or overlaps from 320 to 2000 pixels', async ({ launch }) => {
  const { sidebar: page } = await launch({ dataFolder });
  await openSection(page, 'Notes');
  for (const width of [320, 400, 640, 800, 1400, 2000]) {
    await page.setViewportSize({ width, height: 700 });
    for (const section of ['Notes', 'Todo', 'Plans'] as const) {
      await page.getByRole('tab', { name: section }).click();
      expect(await overflow(page), `${section} at ${width}`).toBe(0);
      for (const button of await page.getByRole('contentinfo').getByRole('button').all()) {
        const box = await button.boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0), `status line at ${width}`).toBeLessThanOrEqual(width);
        expect(Math.min(box?.width ?? 0, box?.height ?? 0), 'a target of 24 pixels').toBeGreaterThanOrEqual(24);
      }
    }
  }
});

test('the width of the rail is changed by keys and remembered', async ({ launch }) => {
  const { sidebar: page } = await launch({ dataFolder });
  const line = page.getByRole('separator', { name: 'Width of the list of projects' });
  await line.focus();
  const before = Number(await line.getAttribute('aria-valuenow'));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(line).toHaveAttribute('aria-valuenow', String(before + 32));
  await page.waitForTimeout(300);
  await page.reload();
  await expect(line).toHaveAttribute('aria-valuenow', String(before + 32));
});

test('a push neither takes the focus nor moves the scroll', async ({ launch }) => {
  const many = Array.from({ length: 120 }, (_, index) => note(`m${index}`, `note number ${index}`));
  prepareContext(dataFolder, { notes: many });
  const { sidebar: page } = await launch({ dataFolder });
  await openSection(page, 'Notes');
  const list = page.getByRole('region', { name: 'Notes, newest first' });
  await list.evaluate((element) => element.scrollTo({ top: 3000 }));
  await page.getByRole('textbox', { name: 'New note' }).focus();
  const top = await list.evaluate((element) => element.scrollTop);
  prepareContext(dataFolder, { notes: many.with(119, note('m119', 'changed at the end')) });
  await page.waitForTimeout(1500);
  await page.keyboard.type('typed on');
  await expect(page.getByRole('textbox', { name: 'New note' })).toHaveValue('typed on');
  expect(await list.evaluate((element) => element.scrollTop)).toBe(top);
});
