import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectIdOf } from '../src/context/project-id.ts';
import { contextOf, keptFolder, kill, preparePlan } from './attempts-parts.ts';
import { callBridge } from './bridge.ts';
import { makeDataFolder } from './launch-app.ts';
import { composer, pick, show } from './mini-chat-parts.ts';
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

const PLAN = '1700000000000-alpha.md';
const TEXT = '# Alpha\r\n\r\nbody 👩‍👩‍👧 e\u0301\r\n';

// Each starts the program, some twice, and waits for the disk.
test.slow();

test('what the sidebar deleted comes back in the Mini Chat, after a kill, with the trash folder gone in between', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  const long = '👩‍👩‍👧'.repeat(375);
  expect(long.length).toBe(3000);
  const notes = [note('n1', 'alpha'), { ...note('n2', long), mine: { kept: 1 } }, note('n3', 'gamma')];
  const todos = [todo('t1', 'one', true), todo('t2', 'two'), todo('t3', 'three', true)];
  prepareContext(dataFolder, { notes, todos });
  const first = await launch({ dataFolder });
  await openSection(first.sidebar, 'Notes');
  rmSync(path.join(keptFolder(first), 'trash'), { recursive: true, force: true });
  await noteRow(first.sidebar, '👩‍👩‍👧')
    .getByRole('button', { name: /^Delete note/ })
    .click();
  await expect.poll(() => readContext(first).notes.length).toBe(2);
  await kill(first);

  const app = await launch({ dataFolder });
  await show(app);
  await pick(app.miniChat, 'demo');
  await composer(app.miniChat).fill('/undo');
  await app.miniChat.keyboard.press('Enter');
  await expect.poll(() => readContext(app).notes).toEqual(notes);

  // Two deletes, both taken back by Ctrl+Z in the sidebar, the last first.
  const page = app.sidebar;
  await openSection(page, 'Todo');
  rmSync(path.join(keptFolder(app), 'trash'), { recursive: true });
  await page.getByRole('button', { name: 'Clear completed' }).click();
  await expect.poll(() => readContext(app).todos.length).toBe(1);
  await page.getByRole('tab', { name: 'Notes' }).click();
  await noteRow(page, 'gamma')
    .getByRole('button', { name: /^Delete note/ })
    .click();
  await expect.poll(() => readContext(app).notes.length).toBe(2);
  await page.keyboard.press('Control+z');
  await expect.poll(() => readContext(app).notes).toEqual(notes);
  await page.keyboard.press('Control+z');
  await expect.poll(() => readContext(app).todos).toEqual(todos);
});

test('a plan comes back under another name when its own is taken, and the stranger stays', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { plans: [{ id: 'p1', file: PLAN, title: 'Alpha', createdAt: 1_700_000_000_000 }] });
  preparePlan(dataFolder, PLAN, TEXT);
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Plans');
  await page.getByRole('button', { name: /^Alpha/ }).click();
  await page.getByRole('button', { name: /^Delete plan Alpha/ }).click();
  await expect.poll(() => existsSync(planFile(app, PLAN))).toBe(false);
  writeFileSync(planFile(app, PLAN), 'of another program');
  await page.keyboard.press('Control+z');
  await expect.poll(() => readContext(app).plans.length).toBe(1);
  const [plan] = readContext(app).plans;
  expect(plan?.file).not.toBe(PLAN);
  expect(readFileSync(planFile(app, plan?.file ?? ''), 'utf8')).toBe(TEXT);
  expect(readFileSync(planFile(app, PLAN), 'utf8')).toBe('of another program');
});

test('a project that moves while one types takes deletes and drafts of both windows along', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  const moved = mkdtempSync(path.join(tmpdir(), 'sidekeep-moved-'));
  try {
    const id = projectIdOf(moved);
    const many = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => note(`${prefix}${index}`, `${prefix} ${index}`));
    prepareContext(dataFolder, { notes: many('here', 200), todos: [todo('t1', 'one')] });
    prepareContext(dataFolder, { notes: many('there', 200) }, id);
    const app = await launch({ dataFolder });
    const { sidebar, miniChat } = app;
    await show(app);
    await pick(miniChat, 'demo');
    await composer(miniChat).pressSequentially('half a thought');
    await pick(miniChat, 'chats');
    await openSection(sidebar, 'Notes');
    await sidebar.getByRole('button', { name: /^Delete note here 0$/ }).click();
    await expect.poll(() => readContext(app).notes.length).toBe(199);
    await sidebar.getByRole('navigation').getByRole('button', { name: 'Actions for demo-app' }).click();
    await sidebar.getByRole('menuitem', { name: 'Folder moved' }).click();
    const dialog = sidebar.getByRole('dialog', { name: 'The folder of demo-app has moved' });
    await dialog.getByRole('textbox').fill(moved);
    await dialog.getByRole('textbox').press('Enter');
    await dialog.getByRole('button', { name: /^Merge into/ }).press('Enter');
    await expect(dialog.getByText('199 notes and 1 todo came along.')).toBeVisible();
    await sidebar.keyboard.press('Escape');
    await expect(composer(miniChat)).toHaveValue('');
    await pick(miniChat, path.basename(moved));
    await expect(composer(miniChat)).toHaveValue('half a thought');
    expect(readContext(app, id).notes).toHaveLength(399);
    const answer = await callBridge(sidebar, 'context.deleted', { projectId: id });
    expect(answer.value).toMatchObject({ items: [{ kind: 'note', title: 'here 0' }] });
    const late = await callBridge(miniChat, 'notes.create', {
      projectId: projectIdOf('/home/dev/demo-app'),
      body: 'x',
    });
    expect(late.error?.code).toBe('not-found');
    expect(existsSync(contextFile(app))).toBe(false);
    // Killed in the middle of the way on to a third folder, it ends in one of both, whole.
    const third = path.join(moved, 'third');
    mkdirSync(third);
    const moving = callBridge(sidebar, 'projects.relocate', { projectId: id, path: third }).catch(() => null);
    await sidebar.waitForTimeout(40);
    await kill(app);
    await moving;
    const again = await launch({ dataFolder });
    const { value } = await callBridge(again.sidebar, 'projects.list', {});
    const ids = (value as { projects: { id: string }[] }).projects.map((project) => project.id);
    const contexts = await Promise.all(ids.map((projectId) => contextOf(again.sidebar, projectId)));
    const bodies = contexts.flatMap(({ notes }) => notes.map(({ body }) => body));
    expect(new Set(bodies).size).toBe(399);
    expect(bodies).toHaveLength(399);
    expect(readdirSync(path.join(again.contextRoot, 'projects')).length).toBeGreaterThan(0);
  } finally {
    rmSync(moved, { recursive: true });
  }
});
