import { rmSync, writeFileSync } from 'node:fs';
import { callBridge } from './bridge.ts';
import { makeDataFolder } from './launch-app.ts';
import {
  changeOutside,
  contextFile,
  demo,
  note,
  noteRow,
  openSection,
  prepareContext,
  readContext,
} from './sidebar-parts.ts';
import { expect, test } from './test.ts';

function prepared(entries: Parameters<typeof prepareContext>[1]): string {
  const folder = makeDataFolder(false);
  prepareContext(folder, entries);
  return folder;
}

test('a note is written, edited, deleted and brought back, and the status line tells the truth', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  const composer = page.getByRole('textbox', { name: 'New note' });
  await composer.fill('first line');
  await composer.press('Enter');
  await composer.pressSequentially('second line');
  await composer.press('Control+Enter');
  await expect(noteRow(page, 'first line')).toContainText('second line');
  await expect(composer).toHaveValue('');
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
  expect(readContext(app).notes[0]?.body).toBe('first line\nsecond line');

  await noteRow(page, 'first line')
    .getByRole('button', { name: /^Edit note/ })
    .click();
  const field = page.getByRole('textbox', { name: 'Text of the note' });
  await expect(field).toBeFocused();
  await field.fill('given up');
  await field.press('Escape');
  await expect(noteRow(page, 'first line')).toBeVisible();
  await noteRow(page, 'first line')
    .getByRole('button', { name: /^Edit note/ })
    .click();
  await field.fill('other words');
  await field.press('Control+Enter');
  await expect(noteRow(page, 'other words')).toBeVisible();
  await expect.poll(() => readContext(app).notes[0]?.body).toBe('other words');

  await noteRow(page, 'other words')
    .getByRole('button', { name: /^Delete note/ })
    .click();
  await expect(noteRow(page, 'other words')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(noteRow(page, 'other words')).toBeVisible();
  await expect(page.getByText('Restored.')).toBeVisible();
});

test('typing stops at the limit, and a draft stays with its place over a reload', async ({ launch }) => {
  const { sidebar: page } = await launch({ sampleData: true });
  await openSection(page, 'Notes');
  const composer = page.getByRole('textbox', { name: 'New note' });
  await composer.fill('x'.repeat(2999));
  await composer.press('End');
  await composer.pressSequentially('yz');
  await expect(composer).toHaveValue(`${'x'.repeat(2999)}y`);
  await expect(page.getByText('The limit of 3,000 characters is reached.')).toBeVisible();
  await composer.fill('not yet saved');
  await page.getByRole('button', { name: 'Chats', exact: true }).click();
  await expect(composer).toHaveValue('');
  await openSection(page, 'Notes');
  await expect(composer).toHaveValue('not yet saved');
  await page.reload();
  await expect(composer).toHaveValue('not yet saved');
});

test('markup and odd characters stay text, and every row can be seen and used', async ({ launch }) => {
  const evil = '# My _plan_ [x](javascript:alert(1)) <img src=x onerror=alert(1)>';
  const bodies = [
    evil,
    '\u202egnp.exe',
    '\u200b\u200b\u200b',
    '\u2066 open',
    '\u3164',
    `Z${'\u0301'.repeat(1000)}`,
    'مرحبا abc 123',
  ];
  const dataFolder = prepared({ notes: bodies.map((body, index) => note(`n${index}`, body)) });
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await openSection(page, 'Notes');
  await expect(page.getByRole('article')).toHaveCount(bodies.length);
  await expect(noteRow(page, evil)).toBeVisible();
  await expect(page.getByText('(no visible text)')).toHaveCount(2);
  for (const row of await page.getByRole('article').all()) {
    const box = await row.boundingBox();
    expect(box?.height).toBeGreaterThan(30);
    expect(box?.height).toBeLessThan(200);
  }
  expect(requests).toEqual([]);
  expect(await page.locator('article img, article a').count()).toBe(0);
  expect(readContext(app).notes.map((entry) => entry.body)).toEqual(bodies);
});

test('a note that changes elsewhere while it is edited keeps both texts', async ({ launch }) => {
  const app = await launch({ dataFolder: prepared({ notes: [note('n1', 'alpha'), note('n2', 'other')] }) });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  await noteRow(page, 'alpha')
    .getByRole('button', { name: /^Edit note/ })
    .click();
  const field = page.getByRole('textbox', { name: 'Text of the note' });
  await field.pressSequentially(' and mine');
  changeOutside(app, (context) => {
    context.notes.reverse();
    context.notes.push(note('n3', 'new'));
  });
  await expect(noteRow(page, 'new')).toBeVisible();
  await expect(field).toBeFocused();
  await field.pressSequentially('!');
  changeOutside(app, (context) => {
    const found = context.notes.find((entry) => entry.id === 'n1');
    if (found) found.body = 'theirs';
  });
  await expect(page.getByText(/changed elsewhere while you were editing/)).toBeVisible();
  await expect(field).toHaveValue('alpha and mine!');
  await field.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Keep mine' })).toBeFocused();
  await page.getByRole('button', { name: 'Keep both' }).press('Enter');
  await expect(page.getByText('Your text was saved as a new note')).toBeVisible();
  await expect(field).toHaveCount(0);
  await expect(noteRow(page, 'alpha and mine!')).toBeVisible();
  const edit = noteRow(page, 'theirs').getByRole('button', { name: /^Edit note/ });
  await expect(edit).toBeFocused();

  await edit.press('Enter');
  await field.fill('typed before the delete');
  changeOutside(app, (context) => {
    context.notes = context.notes.filter((entry) => entry.id !== 'n1');
  });
  await expect(page.getByText(/deleted elsewhere while you were editing/)).toBeVisible();
  await expect(field).toHaveValue('typed before the delete');
  await page.getByRole('button', { name: 'Save as a new note' }).click();
  await expect(noteRow(page, 'typed before the delete')).toBeVisible();
  expect(readContext(app).notes.map((entry) => entry.body)).toContain('typed before the delete');
});

test('a damaged file keeps the last good view, says so, and recovers', async ({ launch }) => {
  const app = await launch({ dataFolder: prepared({ notes: [note('n1', 'alpha')] }) });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  await expect(noteRow(page, 'alpha')).toBeVisible();
  const good = JSON.stringify(readContext(app));
  writeFileSync(contextFile(app), '{"version":2,"notes":[');
  await expect(page.getByText(/What you see is the last good version/)).toBeVisible({ timeout: 15_000 });
  await expect(noteRow(page, 'alpha')).toBeVisible();
  const composer = page.getByRole('textbox', { name: 'New note' });
  await composer.fill('kept in spite of it');
  await composer.press('Control+Enter');
  await expect(page.getByText('Not saved.')).toBeVisible();
  await expect(composer).toHaveValue('kept in spite of it');
  writeFileSync(contextFile(app), good);
  await expect(page.getByText(/What you see is the last good version/)).toHaveCount(0, { timeout: 15_000 });
  await composer.press('Control+Enter');
  await expect(noteRow(page, 'kept in spite of it')).toBeVisible();
  rmSync(contextFile(app));
});

test('what the Mini Chat hands over is put below what is in the composer', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  const composer = page.getByRole('textbox', { name: 'New note' });
  await composer.fill('mine');
  await page.getByRole('button', { name: 'Chats', exact: true }).click();
  await callBridge(app.miniChat, 'windows.openInSidebar', {
    projectId: demo,
    draft: { mode: 'note', text: 'handed over' },
  });
  await expect(composer).toHaveValue('mine\n\nhanded over');
  await expect(composer).toBeFocused();
  await expect
    .poll(async () => (await callBridge(app.miniChat, 'windows.state', {})).value)
    .toMatchObject({ handover: null });
  await page.reload();
  await expect(composer).toHaveValue('mine\n\nhanded over');
});

test('projects are found, renamed in place, hidden and shown again by keyboard', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const page = app.sidebar;
  const rail = page.getByRole('navigation');
  await expect(rail.getByRole('button', { name: 'demo-app', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('demo');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(rail.getByRole('button', { name: 'demo-app', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('demo-app');
  await expect(page).toHaveTitle('demo-app – Sidekeep');
  await rail.getByRole('button', { name: 'demo-app', exact: true }).press('F2');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Demo');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Demo');
  await rail.getByRole('button', { name: 'Actions for Demo' }).click();
  await page.getByRole('menuitem', { name: 'Hide' }).click();
  await expect(rail.getByRole('button', { name: 'Demo', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rail.getByRole('button', { name: 'Demo', exact: true })).toBeVisible();
});

test('in a narrow window the open project is renamed and hidden from beside the list of places', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const page = app.sidebar;
  await page.getByRole('navigation').getByRole('button', { name: 'demo-app', exact: true }).click();
  await page.setViewportSize({ width: 360, height: 600 });
  await page.getByRole('button', { name: 'Actions for demo-app' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'New name of demo-app' }).fill('Demo');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Demo');
  await page.getByRole('button', { name: 'Actions for Demo' }).click();
  await page.getByRole('menuitem', { name: 'Hide' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chats');
  await expect(page.getByRole('button', { name: 'Actions for Demo' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: /Place/ }).click();
  await expect(page.getByRole('option', { name: 'Demo' })).toBeVisible();
});
