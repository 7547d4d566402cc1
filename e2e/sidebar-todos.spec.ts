import type { Page } from '@playwright/test';
import { makeDataFolder } from './launch-app.ts';
import { changeOutside, openSection, prepareContext, readContext, todo, todoRow, todoTexts } from './sidebar-parts.ts';
import { expect, test } from './test.ts';

let dataFolder = '';

test.beforeEach(() => {
  dataFolder = makeDataFolder(false);
});

const prepare = (...texts: string[]) =>
  prepareContext(dataFolder, { todos: texts.map((text, index) => todo(`t${index}`, text, text.startsWith('done'))) });

const focusRow = async (page: Page, text: string): Promise<void> => {
  await todoRow(page, text).focus();
  await expect(todoRow(page, text)).toBeFocused();
};

test('todos are added, ticked, edited, cleared and brought back', async ({ launch }) => {
  prepare('one', 'done two');
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Todo');
  const composer = page.getByRole('textbox', { name: 'New todo' });
  await composer.fill('three\n\nfour');
  await expect(page.getByText('2 todos')).toBeVisible();
  await composer.press('Enter');
  await expect.poll(() => todoTexts(page)).toEqual(['one', 'done two', 'three', 'four']);
  await todoRow(page, 'three').getByRole('checkbox').click();
  await expect(page.getByText('2 of 4 open')).toBeVisible();
  await expect.poll(() => readContext(app).todos.map((entry) => entry.completed)).toEqual([false, true, true, false]);

  await focusRow(page, 'four');
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: 'Text of the todo' });
  await expect(field).toBeFocused();
  await field.fill('given up');
  await field.press('Escape');
  await expect(todoRow(page, 'four')).toBeFocused();
  await page.keyboard.press('F2');
  await field.fill('the fourth');
  await field.press('Enter');
  await expect(todoRow(page, 'the fourth')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(todoRow(page, 'the fourth').getByRole('checkbox')).toBeChecked();

  await page.getByRole('button', { name: 'Clear completed' }).click();
  await expect.poll(() => todoTexts(page)).toEqual(['one']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => todoTexts(page)).toEqual(['one', 'done two', 'three', 'the fourth']);
  await focusRow(page, 'three');
  await page.keyboard.press('Delete');
  await expect.poll(() => todoTexts(page)).toEqual(['one', 'done two', 'the fourth']);
  await page.keyboard.press('Control+z');
  await expect.poll(() => todoTexts(page)).toEqual(['one', 'done two', 'three', 'the fourth']);
});

test('todos are moved by buttons, by keys, by menu, by drag and by keyboard drag, and the move is announced', async ({
  launch,
}) => {
  prepare('a', 'b', 'c', 'd');
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Todo');
  const order = () => todoTexts(page).then((texts) => texts.join(''));
  const stored = () =>
    readContext(app)
      .todos.map((entry) => entry.text)
      .join('');
  await page.getByRole('button', { name: 'Move todo d up' }).click();
  await expect.poll(order).toBe('abdc');
  // On a slow machine the tooltip of the button that came under the pointer would stand in front of the next one.
  await page.mouse.move(0, 0);
  await page.getByRole('button', { name: 'Move todo d down' }).click();
  await expect.poll(order).toBe('abcd');
  await expect.poll(stored).toBe('abcd');
  await focusRow(page, 'c');
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(order).toBe('acbd');
  await expect(page.getByText('c is now 2 of 4.')).toBeAttached();
  await expect(todoRow(page, 'c')).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect.poll(order).toBe('abdc');
  await todoRow(page, 'd').getByRole('button', { name: 'Actions for todo d' }).click();
  await page.getByRole('menuitem', { name: 'Move to top' }).click();
  await expect.poll(order).toBe('dabc');
  await expect.poll(stored).toBe('dabc');

  await todoRow(page, 'c').dragTo(todoRow(page, 'a'), { targetPosition: { x: 200, y: 3 } });
  await expect.poll(order).toBe('dcab');
  await expect.poll(stored).toBe('dcab');

  await page.getByRole('button', { name: 'Drag todo b' }).focus();
  await page.keyboard.press('Enter');
  const target = page.locator('[aria-label^="Insert"]:focus');
  await expect(target).toBeVisible();
  for (let step = 0; step < 8 && (await target.getAttribute('aria-label')) !== 'Insert between d and c'; step++) {
    await page.keyboard.press('ArrowUp');
    await page.waitForTimeout(100);
  }
  await expect(target).toHaveAttribute('aria-label', 'Insert between d and c');
  await page.keyboard.press('Enter');
  await expect.poll(order).toBe('dbca');
  await expect.poll(stored).toBe('dbca');
});

test('an edit is not ended by changes of the list, and not by the row being deleted', async ({ launch }) => {
  prepare('one', 'two', 'three');
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Todo');
  await todoRow(page, 'two').getByText('two').dblclick();
  const field = page.getByRole('textbox', { name: 'Text of the todo' });
  await expect(field).toBeFocused();
  await field.press('End');
  for (let turn = 0; turn < 10; turn++) {
    await page.keyboard.type(String(turn));
    changeOutside(app, (context) => {
      context.todos.reverse();
      context.todos.push(todo(`new-${turn}`, `new ${turn}`));
      if (turn > 3) context.todos = context.todos.filter((entry) => entry.id !== `new-${turn - 3}`);
    });
    await page.waitForTimeout(120);
  }
  await expect(todoRow(page, 'new 9')).toBeVisible();
  await expect(field).toBeFocused();
  await field.press('Enter');
  await expect(todoRow(page, 'two0123456789')).toBeVisible();
  await expect.poll(() => readContext(app).todos.find((entry) => entry.id === 't1')?.text).toBe('two0123456789');

  await todoRow(page, 'three').getByText('three').dblclick();
  await field.fill('three, renamed');
  changeOutside(app, (context) => {
    context.todos = context.todos.filter((entry) => entry.id !== 't2');
  });
  await expect(page.getByText(/deleted elsewhere while you were editing/)).toBeVisible();
  await expect(field).toHaveValue('three, renamed');
});

test('an input method composes a word while the list and the todo itself change', async ({ launch }) => {
  prepare('one', 'two');
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Todo');
  await todoRow(page, 'one').getByText('one').dblclick();
  const field = page.getByRole('textbox', { name: 'Text of the todo' });
  await field.press('End');
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  changeOutside(app, (context) => context.todos.push(todo('t9', 'another')));
  await expect(todoRow(page, 'another')).toBeVisible();
  changeOutside(app, (context) => {
    const [first] = context.todos;
    if (first) first.text = 'theirs';
  });
  await page.waitForTimeout(1000);
  await expect(field).toHaveValue('oneにほ');
  await session.send('Input.insertText', { text: '日本' });
  await expect(field).toHaveValue('one日本');
  await expect(page.getByText(/changed elsewhere while you were editing/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await field.press('Enter');
  await expect.poll(() => readContext(app).todos[0]?.text).toBe('one日本');
});

test('500 todos: only what is seen is mounted, and a tick touches one row', async ({ launch }) => {
  prepare(...Array.from({ length: 500 }, (_, index) => `todo number ${index}`));
  const app = await launch({ dataFolder });
  const page = app.sidebar;
  await openSection(page, 'Todo');
  await expect(todoRow(page, 'todo number 0').first()).toBeVisible();
  expect(await page.getByRole('row').count()).toBeLessThan(80);
  await page.evaluate(() => {
    const touched = new Set<string>();
    (globalThis as unknown as { touched: Set<string> }).touched = touched;
    new MutationObserver((records) => {
      for (const { target } of records) {
        const row = (target as Element).closest?.('[role="row"]');
        touched.add(row?.getAttribute('data-key') ?? 'outside');
      }
    }).observe(document.querySelector('[role="grid"]') as Element, {
      subtree: true,
      attributes: true,
      childList: true,
    });
  });
  await page.getByRole('checkbox', { name: 'Done: todo number 3', exact: true }).click();
  await expect(page.getByText('499 of 500 open')).toBeVisible();
  await page.mouse.move(0, 0);
  const touched = await page.evaluate(() => [...(globalThis as unknown as { touched: Set<string> }).touched]);
  expect(touched.filter((key) => key !== 't3' && key !== 'outside')).toEqual([]);
  expect(readContext(app).todos[3]?.completed).toBe(true);
});
