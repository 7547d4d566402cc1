import { rmSync, writeFileSync } from 'node:fs';
import { contextFile, demo, noteRow, openSection, planFile, readContext } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

test('what a filter finds is one key away, and asking for the filter again replaces it', async ({ launch }) => {
  const { sidebar: page } = await launch({ sampleData: true });
  const rail = page.getByRole('navigation');
  await expect(rail.getByRole('button', { name: 'demo-app', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('notes');
  await page.keyboard.press('ArrowDown');
  await expect(rail.getByRole('button', { name: 'notes-site', exact: true })).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('demo');
  await expect(page.getByRole('textbox', { name: 'Filter projects' })).toHaveValue('demo');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('demo-app');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('cha');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chats');
});

test('undo with nothing left to undo says so, and leads to what was deleted', async ({ launch }) => {
  const { sidebar: page } = await launch({ sampleData: true });
  await openSection(page, 'Notes');
  await page.getByRole('tab', { name: /^Notes/ }).focus();
  await page.keyboard.press('Control+z');
  await expect(
    page.getByText(/^Nothing to undo here\. Recently deleted \(.*\) keeps what was deleted\.$/),
  ).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Recently deleted' }).click();
  await expect(page.getByRole('dialog', { name: 'Recently deleted from demo-app' })).toBeVisible();
});

test('the menu of a place stays in a row with its sections', async ({ launch }) => {
  const { sidebar: page } = await launch({ sampleData: true });
  await openSection(page, 'Notes');
  for (const width of [800, 560, 320]) {
    await page.setViewportSize({ width, height: 600 });
    const tab = await page.getByRole('tab', { name: /^Plans/ }).boundingBox();
    const menu = await page.getByRole('button', { name: 'More of demo-app' }).boundingBox();
    expect(menu?.x).toBeGreaterThan((tab?.x ?? 0) + (tab?.width ?? 0) - 1);
    expect(menu?.y).toBeLessThan((tab?.y ?? 0) + (tab?.height ?? 0));
    expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(width);
  }
});

test('in a narrow window the key of the filter opens the list of places', async ({ launch }) => {
  const { sidebar: page } = await launch({ sampleData: true });
  await page.setViewportSize({ width: 320, height: 700 });
  await expect(page.getByRole('button', { name: /Place/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: 'demo-app' })).toBeVisible();
  await page.keyboard.type('demo');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('demo-app');
});

test('what is typed right after the key for a new plan goes into its title', async ({ launch }) => {
  const { sidebar: page } = await launch({ sampleData: true });
  await openSection(page, 'Notes');
  await page.keyboard.press('Control+3');
  // Without a pause between the key and the look: there is no moment in which a fast typist's letters are lost.
  const focused = await page.evaluate(() => {
    dispatchEvent(new KeyboardEvent('keydown', { key: 'n', code: 'KeyN', ctrlKey: true, cancelable: true }));
    return document.activeElement?.tagName;
  });
  expect(focused).toBe('INPUT');
  await page.keyboard.type('Typed at once');
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Typed at once');
});

test('the keyboard keeps its place when what it was on is deleted or made', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const { sidebar: page } = app;
  await openSection(page, 'Notes');
  const remove = (text: string) => noteRow(page, text).getByRole('button', { name: /^Delete note/ });
  await remove('The import command').press('Enter');
  await expect(remove('Dates in reports')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(noteRow(page, 'The import command')).toBeVisible();
  await page.keyboard.press('Control+2');
  await page.getByRole('button', { name: 'Clear completed' }).press('Enter');
  await expect(page.getByRole('tab', { name: /^Todo/ })).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect.poll(() => readContext(app).todos.length).toBe(6);
  await page.keyboard.press('Control+3');
  await page.keyboard.press('Control+n');
  await page.keyboard.type('Made by keys');
  await page.keyboard.press('Enter');
  const editor = page.getByRole('textbox', { name: 'Text of plan Made by keys' });
  await expect(editor).toBeFocused();
  await page.keyboard.type('below the heading');
  await expect(editor).toHaveText(/^# Made by keys\s*below the heading$/);
  await page.keyboard.press('Control+1');
  await expect(page.getByRole('tab', { name: /^Notes/ })).toBeFocused();
  await page.keyboard.press('Control+3');
  await expect(editor).toBeVisible();
  await page.evaluate(() => {
    const global = globalThis as unknown as { saidGone: boolean };
    global.saidGone = false;
    new MutationObserver(() => {
      global.saidGone ||= document.body.textContent.includes('deleted elsewhere');
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('button', { name: 'Delete plan Made by keys' }).press('Enter');
  await expect(page.getByRole('button', { name: 'New plan', exact: true })).toBeFocused();
  // One's own delete is not told as somebody else's, not even for the moment before its answer.
  expect(await page.evaluate(() => (globalThis as unknown as { saidGone: boolean }).saidGone)).toBe(false);
});

test('a draft is gone on with at its end', async ({ launch }) => {
  const { sidebar: page } = await launch({ sampleData: true });
  await openSection(page, 'Notes');
  await page.keyboard.press('Control+n');
  await page.keyboard.type('first');
  await page.reload();
  const composer = page.getByRole('textbox', { name: 'New note' });
  await expect(composer).toHaveValue('first');
  await page.keyboard.press('Control+n');
  await page.keyboard.type(' second');
  await expect(composer).toHaveValue('first second');
});

test('the status line does not call a plan saved whose text waits for a choice', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const { sidebar: page } = app;
  await openSection(page, 'Plans');
  await page.getByRole('button', { name: /^Release checklist/ }).click();
  await page.getByRole('textbox', { name: /^Text of plan/ }).click();
  await page.keyboard.type('mine');
  writeFileSync(planFile(app, '1772359200000-release-checklist.md'), '# theirs\n');
  await expect(page.getByText('Changed on disk while you were editing.', { exact: false })).toBeVisible();
  const status = page.getByRole('contentinfo').getByRole('status');
  await expect(status).toHaveText('A plan has unsaved changes');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect(status).toHaveText(/^Saved /);
});

test('a damaged file is explained once', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  await openSection(app.sidebar, 'Notes');
  writeFileSync(contextFile(app, demo), '{"version":2');
  const notice = app.sidebar.getByText('This file cannot be read at the moment.', { exact: false }).locator('..');
  await expect(notice).toContainText('It was left exactly as it is.');
  expect((await notice.textContent())?.match(/damaged/g)).toHaveLength(1);
  rmSync(contextFile(app, demo));
});
