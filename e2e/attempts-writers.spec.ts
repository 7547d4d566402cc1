import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keptFolder, preparePlan } from './attempts-parts.ts';
import { callBridge } from './bridge.ts';
import { makeDataFolder, type RunningApp } from './launch-app.ts';
import {
  contextFile,
  demo,
  note,
  noteRow,
  openSection,
  planFile,
  prepareContext,
  readContext,
  type StoredContext,
  todo,
} from './sidebar-parts.ts';
import { expect, test } from './test.ts';

const PLAN = '1700000000000-alpha.md';

/** Replaces a file as a careful program does: whole, by a rename. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.other`, text);
  renameSync(`${file}.other`, file);
}

/** A second program that reads, changes and replaces the file every 50 ms, and minds what it reads. */
function startWriter(app: RunningApp, change: (context: StoredContext, turn: number) => void): () => number {
  let turn = 0;
  const timer = setInterval(() => {
    const context = readContext(app);
    change(context, turn++);
    replaceFile(contextFile(app), JSON.stringify(context));
  }, 50);
  return () => {
    clearInterval(timer);
    return turn;
  };
}

async function backupIds(app: RunningApp): Promise<string[]> {
  const { value } = await callBridge(app.sidebar, 'context.backups', { projectId: demo });
  return (value as { backups: { id: string }[] }).backups.map(({ id }) => id);
}

/** Texts of all notes, of the context and of its earlier versions. */
async function everyBody(app: RunningApp): Promise<Set<string>> {
  const texts = (await backupIds(app)).map((id) =>
    readFileSync(path.join(keptFolder(app), 'backups', `${id}.json`), 'utf8'),
  );
  const all = [readContext(app), ...texts.map((text) => JSON.parse(text) as StoredContext)];
  return new Set(all.flatMap(({ notes }) => notes.map(({ body }) => body)));
}

// Each starts the program, some twice, and waits for the disk.
test.slow();

test('while another program saves every 50 ms, both windows and it lose nothing, and a conflict keeps both texts', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha'), note('n2', 'beta')], todos: [todo('t1', 'one')] });
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  await noteRow(page, 'alpha').getByRole('button', { name: /^Edit/ }).click();
  const field = page.getByRole('textbox', { name: 'Text of the note' });
  await field.fill('alpha, mine');
  const theirs: string[] = [];
  const stop = startWriter(app, (context, turn) => {
    const entry = { ...note(`other${turn}`, `other ${turn}`), createdAt: Date.now() + turn, updatedAt: Date.now() };
    if (turn < 40) {
      context.notes.unshift(entry);
      theirs.push(entry.body);
    }
    const first = context.notes.find(({ id }) => id === 'n1');
    if (turn === 2 && first) first.body = 'alpha, theirs';
  });
  const mine: string[] = [];
  for (let round = 0; round < 10; round++) {
    for (const [window, who] of [
      [app.sidebar, 'sidebar'],
      [app.miniChat, 'mini chat'],
    ] as const) {
      const body = `${who} ${round}`;
      const answer = await callBridge(window, 'notes.create', { projectId: demo, body });
      if (answer.ok) mine.push(body);
      else expect(answer.error?.code).toBe('io');
    }
  }
  await expect.poll(() => theirs.length).toBe(40);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(/changed elsewhere|Changed on disk|Keep both/i).first()).toBeVisible();
  await page.getByRole('button', { name: 'Keep both' }).click();
  await expect.poll(() => readContext(app).notes.map(({ body }) => body)).toContain('alpha, mine');
  stop();
  const bodies = await everyBody(app);
  expect([...mine, ...theirs, 'alpha, mine', 'alpha, theirs', 'beta'].filter((text) => !bodies.has(text))).toEqual([]);
  expect(mine.length).toBeGreaterThan(10);
});

test('a program that saves again and again what it read long ago takes nothing away for good', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha')], todos: [todo('t1', 'one'), todo('t2', 'two')] });
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  const long = readFileSync(contextFile(app), 'utf8');
  for (const body of ['first', 'second', 'third']) {
    const answer = await callBridge(app.miniChat, 'notes.create', { projectId: demo, body });
    expect(answer.ok).toBe(true);
    await expect(noteRow(page, body)).toBeVisible();
    writeFileSync(contextFile(app), long);
    await expect(noteRow(page, body)).toHaveCount(0);
  }
  const band = page.getByRole('status', { name: 'What happened to this place' });
  await expect(band).toContainText('“third”');
  await band.getByRole('button', { name: 'and 2 more' }).click();
  for (const left of [2, 1, 0]) {
    await band.getByRole('button', { name: 'Bring it back' }).first().click();
    await expect(band.getByRole('button', { name: 'Bring it back' })).toHaveCount(left);
  }
  expect(new Set(readContext(app).notes.map(({ body }) => body))).toEqual(
    new Set(['first', 'second', 'third', 'alpha']),
  );
  await expect(band).toHaveCount(0);
});

test('a plan that saves itself while another program renames over it keeps every text of both', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { plans: [{ id: 'p1', file: PLAN, title: 'Alpha', createdAt: 1_700_000_000_000 }] });
  preparePlan(dataFolder, PLAN, '# Alpha\n\nbody\n');
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Plans');
  await page.getByRole('button', { name: /^Alpha/ }).click();
  const editor = page.getByRole('textbox', { name: 'Text of plan Alpha' });
  await editor.press('Control+End');
  const place = planFile(app, PLAN);
  let turn = 0;
  const timer = setInterval(() => {
    replaceFile(place, `# Alpha\n\ntheirs ${turn++}\n`);
  }, 50);
  await page.keyboard.type('typed by me', { delay: 80 });
  await page.keyboard.press('Control+s');
  await page.waitForTimeout(1500);
  clearInterval(timer);
  const last = readFileSync(place, 'utf8');
  await expect(page.getByText(/^Changed on disk while you were editing/)).toBeVisible();
  // A text that comes after the question is asked about once more, rather than replaced unseen.
  await expect(async () => {
    await page.getByRole('button', { name: 'Keep mine' }).click({ timeout: 1000 });
    await expect.poll(() => readFileSync(place, 'utf8'), { timeout: 2000 }).toContain('typed by me');
  }).toPass({ timeout: 20_000 });
  const { versions } = (await callBridge(page, 'plans.versions', { projectId: demo, planId: 'p1' })).value as {
    versions: { id: string }[];
  };
  const texts = await Promise.all(
    versions.map(
      async ({ id }) =>
        (await callBridge(page, 'plans.readVersion', { projectId: demo, planId: 'p1', versionId: id })).value?.raw,
    ),
  );
  expect(texts).toContain(last);
});

test('going back to an earlier version while another program saves loses neither', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha')] });
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Notes');
  expect((await callBridge(page, 'notes.create', { projectId: demo, body: 'beta' })).ok).toBe(true);
  const theirs: string[] = [];
  const stop = startWriter(app, (context, turn) => {
    context.notes.unshift(note(`other${turn}`, `other ${turn}`));
    theirs.push(`other ${turn}`);
  });
  const [oldest = ''] = (await backupIds(app)).toReversed();
  await expect.poll(() => theirs.length).toBeGreaterThan(5);
  await callBridge(page, 'context.recover', { projectId: demo, backupId: oldest, mode: 'replace' });
  stop();
  const bodies = await everyBody(app);
  expect([...theirs, 'alpha', 'beta'].filter((text) => !bodies.has(text))).toEqual([]);
});
