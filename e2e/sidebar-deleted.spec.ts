import { makeDataFolder } from './launch-app.ts';
import { demo, note, noteRow, openSection, prepareContext, readContext, todo, todoTexts } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

const dialog = { name: /^Recently deleted from/ };

test('what was deleted comes back whole and in its place, also after a restart', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  const notes = ['alpha', 'beta', 'gamma'].map((body, index) => ({
    ...note(`n${index}`, body),
    mine: { kept: index },
  }));
  const todos = [todo('t1', 'one', true), todo('t2', 'two'), todo('t3', 'three', true)];
  prepareContext(dataFolder, { notes, todos });
  const first = await launch({ dataFolder });
  await openSection(first.sidebar, 'Notes');
  await noteRow(first.sidebar, 'beta')
    .getByRole('button', { name: /^Delete note/ })
    .click();
  await first.sidebar.getByRole('tab', { name: 'Todo' }).click();
  await first.sidebar.getByRole('button', { name: 'Clear completed' }).click();
  await expect.poll(() => readContext(first).todos.length).toBe(1);
  await first.quit();

  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Todo');
  await page.keyboard.press('Control+Shift+D');
  const list = page.getByRole('dialog', dialog);
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText('2 todos, cleared together');
  await expect(list.getByText(/^Deleted (just now|\d+ minutes? ago)$/).first()).toHaveAttribute('title', /\d{4}/);
  await list.getByRole('button', { name: 'Restore one' }).press('Enter');
  await expect(list.getByRole('button', { name: 'Restore beta' })).toBeFocused();
  await expect.poll(() => readContext(app).todos).toEqual(todos);
  await page.keyboard.press('Enter');
  await expect(list.getByText('Nothing to bring back.')).toBeVisible();
  await expect(list.getByRole('button', { name: 'Close' })).toBeFocused();
  expect(readContext(app).notes).toEqual(notes);
  await page.keyboard.press('Escape');
  expect(await todoTexts(page)).toEqual(['one', 'two', 'three']);
});

test('the list follows what the other window does, and a restore there settles the offer here', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha'), note('n2', 'beta')] });
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  await noteRow(page, 'alpha')
    .getByRole('button', { name: /^Delete note/ })
    .click();
  await expect(page.getByText(/^The note was deleted at \d\d:\d\d\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'More of demo-app' }).click();
  await page.getByRole('menuitem', { name: 'Recently deleted' }).click();
  const list = page.getByRole('dialog', dialog);
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await app.miniChat.evaluate(async (projectId) => {
    const { sidekeep } = globalThis as unknown as { sidekeep: { notes: { delete(input: unknown): Promise<unknown> } } };
    await sidekeep.notes.delete({ projectId, noteId: 'n2' });
  }, demo);
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText('beta');
  await list.getByRole('button', { name: 'Restore alpha' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(noteRow(page, 'alpha')).toBeVisible();
  await expect(page.getByText(/^The note was deleted/)).toHaveCount(0);
});

test('a plan comes back byte for byte with what was typed last, and Ctrl+Z takes the newest delete first', async ({
  launch,
}) => {
  const app = await launch({ sampleData: true });
  const page = app.sidebar;
  await openSection(page, 'Plans');
  const before = readContext(app);
  await page.getByRole('button', { name: /^Release checklist/ }).click();
  await page.getByRole('textbox', { name: /^Text of plan/ }).press('Control+End');
  await page.keyboard.type('typed and not saved');
  await page.getByRole('button', { name: /^Delete plan Release checklist/ }).click();
  await expect.poll(() => readContext(app).plans.length).toBe(before.plans.length - 1);
  await page.getByRole('tab', { name: 'Notes' }).click();
  await page
    .getByRole('article')
    .first()
    .getByRole('button', { name: /^Delete note/ })
    .click();
  await expect.poll(() => readContext(app).notes.length).toBe(before.notes.length - 1);
  await page.keyboard.press('Control+z');
  await expect.poll(() => readContext(app).notes).toEqual(before.notes);
  await page.keyboard.press('Control+z');
  await expect.poll(() => readContext(app).plans).toEqual(before.plans);
  await expect(page.getByText('Restored.', { exact: true })).toHaveCount(1);
  await page.getByRole('tab', { name: 'Plans' }).click();
  await page.getByRole('button', { name: /^Release checklist/ }).click();
  await expect(page.getByRole('textbox', { name: /^Text of plan/ })).toContainText('typed and not saved');
});

test('a restore that fails says why, and what was deleted stays in the list', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  const full = Array.from({ length: 200 }, (_, index) => note(`n${index}`, `note ${index}`));
  prepareContext(dataFolder, { notes: full });
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  await noteRow(page, 'note 0')
    .first()
    .getByRole('button', { name: /^Delete note/ })
    .click();
  await expect.poll(() => readContext(app).notes.length).toBe(199);
  await page.getByRole('textbox', { name: 'New note' }).fill('another');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => readContext(app).notes.length).toBe(200);
  await page.keyboard.press('Control+Shift+D');
  const list = page.getByRole('dialog', dialog);
  await list.getByRole('button', { name: 'Restore note 0' }).click();
  await expect(list.getByRole('status').filter({ hasText: '200' })).toBeVisible();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  expect(readContext(app).notes.length).toBe(200);
});
