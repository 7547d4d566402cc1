import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { projectIdOf } from '../src/context/project-id.ts';
import { hostDescription, makeDataFolder, type RunningApp, realElectron, removeFolder } from './launch-app.ts';
import { expect, test } from './test.ts';

const demo = projectIdOf('/home/dev/demo-app');
const tree = path.resolve(import.meta.dirname, '..');

const fileOf = (app: RunningApp, id: string): string => path.join(app.contextRoot, 'projects', id, 'context.json');
const chatsFile = (app: RunningApp): string => fileOf(app, projectIdOf(path.join(app.contextRoot, 'chats')));
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Replaces a file as an editor does: a new file beside it, renamed over it. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.editor`, text);
  renameSync(`${file}.editor`, file);
}

async function openProject(sidebar: Page, label: string): Promise<void> {
  await sidebar.getByRole('button', { name: label, exact: true }).click();
  await expect(sidebar.getByRole('heading', { level: 1, name: label })).toBeVisible();
}

async function showSection(sidebar: Page, name: 'Notes' | 'Todo' | 'Plans'): Promise<void> {
  await sidebar.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
}

async function capture(miniChat: Page, text: string): Promise<void> {
  const composer = miniChat.getByRole('textbox').last();
  await composer.fill(text);
  await composer.press('Enter');
  await expect(composer).toHaveValue('');
}

test('the first start shows empty chats, writes nothing, and the first note makes the folders', async ({ launch }) => {
  const app = await launch();
  await expect(app.sidebar.getByRole('heading', { level: 1, name: 'Chats' })).toBeVisible();
  await expect(app.sidebar.getByText('No notes yet.')).toBeVisible();
  expect(existsSync(app.contextRoot)).toBe(false);

  await app.sidebar.getByRole('textbox', { name: 'New note' }).fill('The very first note');
  await app.sidebar.getByRole('button', { name: 'Add note' }).click();
  await expect(app.miniChat.getByText('The very first note')).toBeVisible();
  const stored = readJson(chatsFile(app));
  expect(stored).toMatchObject({ version: 2, notes: [{ body: 'The very first note', source: 'manual' }] });
  expect(statSync(chatsFile(app)).mode & 0o777).toBe(0o600);
});

test('data of version 2, of version 1 and of the legacy keys is shown', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  await openProject(app.sidebar, 'demo-app');
  await expect(app.sidebar.getByRole('tab', { name: /^Notes\s*5/ })).toBeVisible();
  await expect(app.sidebar.getByRole('tab', { name: /^Todo\s*6/ })).toBeVisible();
  await showSection(app.sidebar, 'Plans');
  await expect(app.sidebar.getByText('Release checklist')).toBeVisible();

  const first = digest(fileOf(app, projectIdOf('/home/dev/notes-site')));
  await openProject(app.sidebar, 'notes-site');
  await expect(app.sidebar.getByRole('tab', { name: /^Notes\s*1/ })).toBeVisible();
  expect(digest(fileOf(app, projectIdOf('/home/dev/notes-site')))).toBe(first);

  const legacyFile = path.join(app.contextRoot, 'projects', `${projectIdOf('/home/dev/old-tool')}.json`);
  await openProject(app.sidebar, 'old-tool');
  await showSection(app.sidebar, 'Plans');
  await expect(app.sidebar.getByText('Tidy the logs')).toBeVisible();
  expect(readJson(fileOf(app, projectIdOf('/home/dev/old-tool')))).toMatchObject({ version: 2 });
  expect(Object.keys(readJson(legacyFile))).toEqual([
    'version',
    'projectPath',
    'setup-worktree',
    'projectActions',
    'projectActionsPrimaryId',
    'scheduledTasks',
  ]);
});

test('what is captured in the Mini Chat appears in the sidebar, and the other way round', async ({ launch }) => {
  const app = await launch();
  await capture(app.miniChat, 'Captured on the side');
  await expect(app.sidebar.getByText('Captured on the side')).toBeVisible({ timeout: 5000 });
  await capture(app.miniChat, '/todo Call the bank');
  await showSection(app.sidebar, 'Todo');
  await expect(app.sidebar.getByText('Call the bank')).toBeVisible();
  await app.sidebar.getByRole('checkbox', { name: /Call the bank/ }).check({ force: true });
  await expect.poll(() => readJson(chatsFile(app)).todos[0].completed).toBe(true);
  await expect(app.sidebar.getByText('Captured on the side')).toHaveCount(0);
});

test('a file edited by hand appears in both windows, once', async ({ launch }) => {
  const app = await launch();
  await capture(app.miniChat, 'Before');
  await expect(app.sidebar.getByText('Before')).toBeVisible();
  const stored = readJson(chatsFile(app));
  stored.notes.unshift({
    id: 'by-hand',
    body: 'Written by hand',
    createdAt: Date.now() + 5,
    updatedAt: Date.now() + 5,
    source: 'manual',
  });
  replaceFile(chatsFile(app), JSON.stringify(stored, null, 2));
  await expect(app.sidebar.getByText('Written by hand')).toHaveCount(1);
  await expect(app.miniChat.getByText('Written by hand')).toHaveCount(1);
});

test('a damaged file shows its error, keeps the last good view and stays as it is', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  await openProject(app.sidebar, 'demo-app');
  await expect(app.sidebar.getByRole('tab', { name: /^Notes\s*5/ })).toBeVisible();
  const file = fileOf(app, demo);
  const good = readFileSync(file, 'utf8');
  replaceFile(file, good.slice(0, 400));
  const damaged = digest(file);
  await expect(app.sidebar.getByText('This file cannot be read at the moment', { exact: false })).toBeVisible();
  await expect(app.sidebar.getByRole('tab', { name: /^Notes\s*5/ })).toBeVisible();

  await app.sidebar.getByRole('textbox', { name: 'New note' }).fill('Must not be lost');
  await app.sidebar.getByRole('textbox', { name: 'New note' }).press('ControlOrMeta+Enter');
  await expect(app.sidebar.getByText(/not saved/i).first()).toBeVisible();
  expect(digest(file)).toBe(damaged);

  replaceFile(file, good);
  await expect(app.sidebar.getByText('This file cannot be read at the moment', { exact: false })).toHaveCount(0);
  await expect(app.sidebar.getByRole('textbox', { name: 'New note' })).toHaveValue('Must not be lost');
});

test('a reload and a crash of a window lose nothing, drafts included, and changes go on to appear', async ({
  launch,
}) => {
  const app = await launch();
  await app.sidebar.getByRole('textbox', { name: 'New note' }).fill('A draft in the sidebar');
  const composer = app.miniChat.getByRole('textbox').last();
  await composer.fill('A draft in the Mini Chat');
  await app.sidebar.reload();
  await expect(app.sidebar.getByRole('textbox', { name: 'New note' })).toHaveValue('A draft in the sidebar');

  await app.electronApplication.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.forcefullyCrashRenderer();
  });
  await expect
    .poll(async () => pageValue(app, 'sidebar.html', 'textarea'), { timeout: 30_000 })
    .toBe('A draft in the sidebar');
  await expect.poll(async () => pageValue(app, 'mini-chat.html', 'textarea')).toBe('A draft in the Mini Chat');
  mkdirSync(path.dirname(chatsFile(app)), { recursive: true });
  writeFileSync(
    chatsFile(app),
    JSON.stringify({
      version: 2,
      notes: [{ id: 'n', body: 'After the crash', createdAt: 1, updatedAt: 1, source: 'agent' }],
      todos: [],
      plans: [],
    }),
  );
  await expect.poll(async () => pageText(app, 'sidebar.html')).toContain('After the crash');
  await expect.poll(async () => pageText(app, 'mini-chat.html')).toContain('After the crash');
});

test('a second start finds the places of the windows again', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  const first = await launch({ dataFolder });
  const place = { x: 60, y: 40, width: 720, height: 520 };
  await first.electronApplication.evaluate(({ BrowserWindow }, bounds) => {
    const sidebar = BrowserWindow.getAllWindows().find((window) => window.webContents.getURL().includes('sidebar'));
    sidebar?.setBounds(bounds);
  }, place);
  await first.sidebar.waitForTimeout(600);
  await first.quit();
  const second = await launch({ dataFolder });
  const found = await second.electronApplication.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.webContents.getURL().includes('sidebar'))
      ?.getBounds(),
  );
  expect(found).toMatchObject({ width: place.width, height: place.height });
});

test('both windows open at the first start, and a Mini Chat that was hidden stays hidden at the next', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  const visible = (app: RunningApp): Promise<boolean[]> =>
    app.electronApplication.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .toSorted((a, b) => b.webContents.getURL().localeCompare(a.webContents.getURL()))
        .map((window) => window.isVisible()),
    );
  const first = await launch({ dataFolder });
  await expect.poll(() => visible(first)).toEqual([true, true]);
  await first.miniChat.getByRole('textbox').last().press('Escape');
  await expect.poll(() => visible(first)).toEqual([true, false]);
  await first.quit();
  const second = await launch({ dataFolder });
  await expect.poll(() => visible(second)).toEqual([true, false]);
});

test('a second start of the program shows the window of the first, ends at once and touches no data', async ({
  launch,
}) => {
  const app = await launch({ sampleData: true });
  await app.electronApplication.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find((window) => window.webContents.getURL().includes('sidebar'))
      ?.minimize();
  });
  const before = fingerprints(app.contextRoot);
  const executable = realElectron() ?? path.join(tree, 'e2e/host/electron');
  const second = spawn(executable, [tree, '--data', app.dataFolder], { stdio: 'ignore', env: process.env });
  const code = await new Promise<number | null>((resolve) => second.once('exit', resolve));
  expect(code).toBe(0);
  await expect
    .poll(() =>
      app.electronApplication.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find((window) => window.webContents.getURL().includes('sidebar'))
          ?.isVisible(),
      ),
    )
    .toBe(true);
  expect(fingerprints(app.contextRoot)).toEqual(before);
  test.info().annotations.push({ type: 'host', description: hostDescription() });
});

test('a second program on the same data folder is refused with the owner named, and changes nothing', async ({
  launch,
}) => {
  const app = await launch({ sampleData: true });
  const other = makeDataFolder(false);
  const executable = realElectron() ?? path.join(tree, 'e2e/host/electron');
  const before = fingerprints(app.contextRoot);
  try {
    const second = spawn(executable, [tree, `--user-data-dir=${other}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        SIDEKEEP_CONTEXT_ROOT: app.contextRoot,
        SIDEKEEP_SESSIONS_ROOT: path.join(app.dataFolder, 'sessions'),
      },
    });
    let said = '';
    second.stderr.on('data', (text: Buffer) => {
      said += text.toString();
    });
    const code = await new Promise<number | null>((resolve) => second.once('exit', resolve));
    expect(code).toBe(1);
    expect(said).toMatch(/Sidekeep cannot start: .*\d+/);
    expect(fingerprints(app.contextRoot)).toEqual(before);
  } finally {
    removeFolder(other);
  }
});

test('a command line that cannot be followed ends the program with one sentence', async () => {
  const executable = realElectron() ?? path.join(tree, 'e2e/host/electron');
  const program = spawn(executable, [tree, '--data'], { stdio: ['ignore', 'ignore', 'pipe'], env: process.env });
  let said = '';
  program.stderr.on('data', (text: Buffer) => {
    said += text.toString();
  });
  expect(await new Promise((resolve) => program.once('exit', resolve))).toBe(2);
  expect(said.trim()).toBe('Sidekeep cannot start: --data needs a folder, as in: npm start -- --data /path/to/folder');
});

test('the root of the data moves away and comes back: said, nothing made in its place, then all is shown', async ({
  launch,
}) => {
  const app = await launch({ sampleData: true });
  await openProject(app.sidebar, 'demo-app');
  renameSync(app.contextRoot, `${app.contextRoot}.away`);
  await expect(
    app.sidebar.getByText('The data folder is missing or cannot be read', { exact: false }).first(),
  ).toBeVisible({ timeout: 15_000 });
  await app.sidebar.waitForTimeout(500);
  expect(existsSync(app.contextRoot)).toBe(false);
  renameSync(`${app.contextRoot}.away`, app.contextRoot);
  await expect(app.sidebar.getByText('The data folder is missing or cannot be read', { exact: false })).toHaveCount(0, {
    timeout: 15_000,
  });
  await expect(app.sidebar.getByRole('tab', { name: /^Notes\s*5/ })).toBeVisible();
});

/** Name, size and digest of every file below a folder. */
function fingerprints(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, file), `${statSync(file).mtimeMs} ${digest(file)}`];
    }),
  );
}

/** A window's page, also after its renderer was replaced. */
async function inPage(app: RunningApp, page: string, code: string): Promise<unknown> {
  return app.electronApplication
    .evaluate(
      ({ BrowserWindow }, [name, script]) =>
        BrowserWindow.getAllWindows()
          .find((window) => window.webContents.getURL().includes(name as string))
          ?.webContents.executeJavaScript(script as string),
      [page, code],
    )
    .catch(() => null);
}

const pageValue = (app: RunningApp, page: string, selector: string): Promise<unknown> =>
  inPage(app, page, `document.querySelector(${JSON.stringify(selector)})?.value`);

const pageText = (app: RunningApp, page: string): Promise<unknown> => inPage(app, page, 'document.body.innerText');
