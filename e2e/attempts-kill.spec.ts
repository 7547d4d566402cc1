import { readFileSync } from 'node:fs';
import { contextOf, kill, preparePlan } from './attempts-parts.ts';
import { makeDataFolder } from './launch-app.ts';
import { composer, pick, show } from './mini-chat-parts.ts';
import { contextFile, demo, note, openSection, planFile, prepareContext, readContext, todo } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

const PLAN = '1700000000000-alpha.md';

// Each starts the program, some twice, and waits for the disk.
test.slow();

test('killed in the middle of a hundred changes from two windows, nothing that was answered is missing', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { notes: [note('n1', 'alpha')], todos: [todo('t1', 'one')] });
  const app = await launch({ dataFolder });
  const answered: string[] = [];
  let enough = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    enough = resolve;
  });
  for (const page of [app.sidebar, app.miniChat]) {
    await page.exposeFunction('answered', (text: string) => {
      answered.push(text);
      if (answered.length === 40) enough();
    });
  }
  const run = (page: typeof app.sidebar, name: string): Promise<unknown> =>
    page
      .evaluate(
        async ([projectId = '', who = '']) => {
          const it = globalThis as unknown as {
            sidekeep: Record<string, Record<string, (input: object) => Promise<{ ok: boolean }>>>;
            answered(text: string): void;
          };
          const change = async (text: string, index: number): Promise<void> => {
            const [group, call, input] =
              index % 2 === 0 ? (['notes', 'create', { body: text }] as const) : (['todos', 'add', { text }] as const);
            const answer = await it.sidekeep[group]?.[call]?.({ projectId, ...input });
            if (answer?.ok) it.answered(text);
          };
          for (let round = 0; round < 50; round++) {
            await Promise.all(Array.from({ length: 2 }, (_, index) => change(`${who} ${round} ${index}`, index)));
          }
        },
        [demo, name],
      )
      .catch(() => 'the window went with the program');
  const running = [run(app.sidebar, 'sidebar'), run(app.miniChat, 'mini chat')];
  await reached;
  await kill(app);
  await Promise.all(running);
  const stored = readFileSync(contextFile(app), 'utf8');
  const { notes, todos } = readContext(app);
  const kept = new Set([...notes.map(({ body }) => body), ...todos.map(({ text }) => text)]);
  expect(answered.filter((text) => !kept.has(text))).toEqual([]);
  expect(kept).toContain('alpha');
  const again = await launch({ dataFolder });
  expect((await contextOf(again.sidebar)).notes.length).toBe(notes.length);
  expect(readFileSync(contextFile(again), 'utf8')).toBe(stored);
});

test('killed while a plan has text that is not saved, the text is there at the next start', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, { plans: [{ id: 'p1', file: PLAN, title: 'Alpha', createdAt: 1_700_000_000_000 }] });
  preparePlan(dataFolder, PLAN, '# Alpha\r\n\r\nbody\r\n');
  const app = await launch({ dataFolder });
  await openSection(app.sidebar, 'Plans');
  await app.sidebar.getByRole('button', { name: /^Alpha/ }).click();
  const editor = app.sidebar.getByRole('textbox', { name: 'Text of plan Alpha' });
  await editor.press('Control+End');
  await app.sidebar.keyboard.type('typed before the kill');
  await show(app);
  await pick(app.miniChat, 'demo');
  await composer(app.miniChat).pressSequentially('half a thought');
  await app.sidebar.waitForTimeout(400);
  await kill(app);
  const again = await launch({ dataFolder });
  await openSection(again.sidebar, 'Plans');
  await again.sidebar.getByRole('button', { name: /^Alpha/ }).click();
  await expect(again.sidebar.getByRole('textbox', { name: 'Text of plan Alpha' })).toContainText(
    'typed before the kill',
  );
  await expect
    .poll(() => readFileSync(planFile(again, PLAN), 'utf8'))
    .toBe('# Alpha\r\n\r\nbody\r\ntyped before the kill');
  await show(again);
  await pick(again.miniChat, 'demo');
  await expect(composer(again.miniChat)).toHaveValue('half a thought');
});

test('a window that is loaded anew in the middle of a save has saved, or still has the text', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareContext(dataFolder, {});
  const app = await launch({ dataFolder });
  const { miniChat, sidebar } = app;
  await show(app);
  await pick(miniChat, 'demo');
  await openSection(sidebar, 'Notes');
  for (let round = 0; round < 2; round++) {
    const text = `chat ${round}`;
    await composer(miniChat).fill(text);
    await miniChat.keyboard.press('Enter');
    await miniChat.reload();
    await expect(composer(miniChat)).toBeVisible();
    await expect
      .poll(
        async () =>
          readContext(app).notes.filter(({ body }) => body === text).length +
          ((await composer(miniChat).inputValue()) === text ? 1 : 0),
      )
      .toBeGreaterThanOrEqual(1);
    await composer(miniChat).fill('');
    const field = sidebar.getByRole('textbox', { name: 'New note' });
    await field.fill(`side ${round}`);
    await field.press('Control+Enter');
    await sidebar.reload();
    await expect(field).toBeVisible();
    await expect
      .poll(
        async () =>
          readContext(app).notes.filter(({ body }) => body === `side ${round}`).length +
          ((await field.inputValue()) === `side ${round}` ? 1 : 0),
      )
      .toBeGreaterThanOrEqual(1);
    await field.fill('');
  }
});
