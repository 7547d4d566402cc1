import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { callBridge } from './bridge.ts';
import { makeDataFolder, type RunningApp } from './launch-app.ts';
import { chatsId, composer, rows, show, targetButton } from './mini-chat-parts.ts';
import { articles, fileOf, patient, prepareSession, railSession, storeIn } from './session-parts.ts';
import {
  changeOutside,
  contextFile,
  note,
  noteRow,
  openSection,
  planFile,
  prepareContext,
  readContext,
  todo,
  todoRow,
} from './sidebar-parts.ts';
import { expect, test } from './test.ts';

// What people met in programs of this kind and no other spec holds; docs/cases.md has all of them.

test.slow();

/** Runs in main, on one of the windows. */
const onWindow = (app: RunningApp, page: 'sidebar' | 'mini-chat', act: string): Promise<unknown> =>
  app.electronApplication.evaluate(
    ({ BrowserWindow }, [name, method]) => {
      const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes(name as string));
      return window?.[method as 'isVisible']();
    },
    [page, act],
  );

// openchamber/openchamber#2638
test('a program that was stopped shows what changed meanwhile, and every change after it, once', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'before')] });
  const app = await launch({ dataFolder });
  await openSection(app.sidebar, 'Notes');
  await expect(noteRow(app.sidebar, 'before')).toBeVisible();
  const main = await app.electronApplication.evaluate(() => process.pid);
  process.kill(main, 'SIGSTOP');
  try {
    changeOutside(app, (context) => context.notes.push(note('n2', 'while it was stopped')));
    await app.sidebar.waitForTimeout(5000);
    await expect(noteRow(app.sidebar, 'while it was stopped')).toHaveCount(0);
  } finally {
    process.kill(main, 'SIGCONT');
  }
  await expect(noteRow(app.sidebar, 'while it was stopped')).toHaveCount(1, patient);
  for (const turn of [1, 2, 3]) {
    changeOutside(app, (context) => context.notes.push(note(`after-${turn}`, `after it ${turn}`)));
    await expect(noteRow(app.sidebar, `after it ${turn}`)).toHaveCount(1, patient);
  }
  await expect(app.sidebar.getByRole('article')).toHaveCount(5);
});

// openchamber/openchamber#999
test('an outside change of a tick alone, or of a text of the same length, is seen in both windows', async ({
  launch,
}) => {
  const app = await launch();
  const id = await chatsId(app);
  const file = contextFile(app, id);
  const plan = planFile(app, '1700000000-alpha.md', id);
  mkdirSync(path.dirname(plan), { recursive: true });
  writeFileSync(plan, '# Alpha\n\nbody\n');
  const stored = {
    version: 2,
    notes: [note('n1', 'alpha')],
    todos: [todo('t1', 'the todo')],
    plans: [{ id: 'p1', file: '1700000000-alpha.md', title: 'Alpha', createdAt: 1_772_000_000_000 }],
  };
  const write = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify(stored));
    renameSync(`${file}.new`, file);
  };
  write();
  const { sidebar, miniChat } = app;
  await show(app);
  for (const text of ['alpha', 'the todo', 'Alpha']) {
    await expect(rows(miniChat).filter({ hasText: text }).first()).toBeVisible(patient);
  }
  await openSection(sidebar, 'Notes', 'Chats');
  await expect(noteRow(sidebar, 'alpha')).toBeVisible();
  const [first] = stored.notes;
  if (first) first.body = 'gamma';
  write();
  await expect(noteRow(sidebar, 'gamma')).toBeVisible(patient);
  await expect(rows(miniChat).filter({ hasText: 'gamma' })).toHaveCount(1);
  await openSection(sidebar, 'Plans', 'Chats');
  writeFileSync(plan, '# Omega\n\nbody\n');
  await expect(sidebar.getByRole('button', { name: /^Omega/ })).toBeVisible(patient);
  await expect(rows(miniChat).filter({ hasText: 'Omega' })).toHaveCount(1);
  await openSection(sidebar, 'Todo', 'Chats');
  await expect(todoRow(sidebar, 'the todo').getByRole('checkbox')).not.toBeChecked();
  const [ticked] = stored.todos;
  if (ticked) ticked.completed = true;
  write();
  await expect(todoRow(sidebar, 'the todo').getByRole('checkbox')).toBeChecked(patient);
});

// electron/electron#7259, electron/electron#4460
test('what is typed in the Mini Chat stays there while fifty changes are pushed, and the keyboard does too', async ({
  launch,
}) => {
  const app = await launch();
  const { miniChat, sidebar } = app;
  await show(app);
  const id = await chatsId(app);
  const text = 'the quick brown fox jumps over the lazy dog again';
  for (const [index, letter] of [...text].entries()) {
    await miniChat.keyboard.type(letter);
    await callBridge(sidebar, 'todos.add', { projectId: id, text: `pushed ${index}` });
  }
  await expect(composer(miniChat)).toHaveValue(text);
  await expect(composer(miniChat)).toBeFocused();
  expect(await onWindow(app, 'mini-chat', 'isFocused')).toBe(true);
  await expect(targetButton(miniChat)).toContainText('Chats');
  await expect(rows(miniChat).filter({ hasText: `pushed ${text.length - 1}` })).toHaveCount(1);
});

// electron/electron#6103, electron/electron#20858, electron/electron#44078
test('the Mini Chat is above other windows exactly when its person wants it, whatever is done to the window', async ({
  launch,
}) => {
  const app = await launch();
  await show(app);
  const steps = ['hide', 'showInactive', 'hide', 'show', 'minimize', 'restore', 'hide', 'showInactive'];
  for (const wanted of [true, false, true]) {
    await callBridge(app.miniChat, 'windows.setAlwaysOnTop', { alwaysOnTop: wanted });
    await expect.poll(() => onWindow(app, 'mini-chat', 'isAlwaysOnTop')).toBe(wanted);
    for (const step of steps) {
      await onWindow(app, 'mini-chat', step);
      expect(await onWindow(app, 'mini-chat', 'isAlwaysOnTop'), step).toBe(wanted);
    }
  }
});

const evil = '# My _plan_ [x](javascript:alert(1)) <img src=x onerror=alert(1)>';

// benbalter/jekyll-optional-front-matter#6, forem/forem#4969, microsoft/terminal#2409
test('markup and odd characters in todos, plans and sessions stay text, and every row can be seen and used', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  const odd = ['\u202egnp.exe', '\u200b\u200b\u200b', '\u2066 open', `Z${'\u0301'.repeat(1000)}`, 'مرحبا abc 123'];
  const texts = [evil, ...odd, 'plain'];
  const files = texts.map((_text, index) => `${1_772_000_000_000 + index}-p.md`);
  prepareContext(dataFolder, {
    todos: texts.map((text, index) => todo(`t${index}`, text)),
    plans: texts.map((text, index) => ({
      id: `p${index}`,
      file: files[index] ?? '',
      title: text,
      createdAt: index + 1,
    })),
  });
  const place = (file: string) => planFile({ contextRoot: path.join(dataFolder, 'context') }, file);
  const raws = texts.map((text) => (text === evil ? `${text}\n` : `# ${text}\n`));
  for (const [index, file] of files.entries()) {
    mkdirSync(path.dirname(place(file)), { recursive: true });
    writeFileSync(place(file), raws[index] ?? '');
    prepareSession(dataFolder, `s${index}`, [{ role: 'user', content: 'first words' }], { custom_title: texts[index] });
  }
  const app = await launch({ dataFolder });
  const { sidebar } = app;
  const requests: string[] = [];
  sidebar.on('request', (request) => requests.push(request.url()));
  const expectUsable = async (found: ReturnType<typeof sidebar.locator>): Promise<void> => {
    await expect(found).toHaveCount(texts.length, patient);
    for (const row of await found.all()) {
      const box = await row.boundingBox();
      expect(box?.height).toBeGreaterThan(20);
      expect(box?.height).toBeLessThan(120);
      expect(box?.width).toBeGreaterThan(60);
    }
    expect(await found.locator('img, a').count()).toBe(0);
  };
  await sidebar.getByRole('button', { name: `Show all ${texts.length} sessions` }).click(patient);
  await expectUsable(sidebar.locator('.session-row'));
  await expect(railSession(sidebar, '<img src=x onerror=alert(1)>')).toBeVisible();
  await railSession(sidebar, 'gnp.exe').click();
  await expect(sidebar).toHaveTitle(/^gnp\.exe – Sidekeep$/, patient);
  await openSection(sidebar, 'Todo');
  await expectUsable(sidebar.getByRole('row'));
  await todoRow(sidebar, 'plain').getByRole('checkbox').click();
  await expect.poll(() => readContext(app).todos.at(-1)?.completed).toBe(true);
  expect(readContext(app).todos.map((entry) => entry.text)).toEqual(texts);
  await openSection(sidebar, 'Plans');
  const plans = sidebar.locator('.plan-row');
  await expectUsable(plans);
  await plans.filter({ hasText: '<img src=x onerror=alert(1)>' }).click();
  const opened = sidebar.getByRole('heading', { level: 2 }).filter({ hasText: '<img src=x onerror=alert(1)>' });
  await expect(opened).toHaveCount(1);
  await expect(sidebar.locator('main img, main a')).toHaveCount(0);
  // Parts of the program itself may be loaded when they are needed.
  const own = new URL('assets/', sidebar.url()).href;
  expect(requests.filter((url) => !url.startsWith(own))).toEqual([]);
  expect(files.map((file) => readFileSync(place(file), 'utf8'))).toEqual(raws);
  expect(readFileSync(fileOf(dataFolder, 's0', '.jsonl.meta'), 'utf8')).toContain('onerror');
});

// esengine/DeepSeek-Reasonix#5306
test('of twenty thousand messages few are in the page, it answers at once, and reading on keeps the place', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  prepareSession(dataFolder, 'long', [{ role: 'user', content: 'x' }], { custom_title: 'Very long' });
  const said = Array.from(
    { length: 20_000 },
    (_, index) => `{"role":"${index % 2 ? 'assistant' : 'user'}","id":"m${index}","content":"Message ${index}"}\n`,
  );
  writeFileSync(path.join(storeIn(dataFolder), 'long.jsonl'), said.join(''));
  const { sidebar } = await launch({ dataFolder });
  await railSession(sidebar, 'Very long').click(patient);
  await expect(articles(sidebar).last()).toHaveText(/Message 19999/, patient);
  expect(await articles(sidebar).count()).toBeLessThanOrEqual(200);
  await sidebar.locator('.transcript-scroller').hover();
  for (let turn = 0; turn < 10; turn++) {
    await sidebar.mouse.wheel(0, -2000);
    await sidebar.waitForTimeout(100);
  }
  expect(await articles(sidebar).count()).toBeLessThanOrEqual(200);
  await expect(articles(sidebar).last()).not.toHaveText(/Message 19999/);
  await sidebar.getByRole('button', { name: 'Go to the beginning' }).click();
  await expect(articles(sidebar).first()).toHaveText(/Message 0$/, patient);
  expect(await articles(sidebar).count()).toBeLessThanOrEqual(200);
});
