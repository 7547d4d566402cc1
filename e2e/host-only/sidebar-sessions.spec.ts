import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import type { SessionRef } from '../../src/contract/index.ts';
import { project } from '../../tests/renderer/memory/application.ts';
import { CHATS, emptyContext } from '../../tests/renderer/memory/context.ts';
import { message } from '../../tests/renderer/memory/session-store.ts';
import { MemoryStore } from '../../tests/renderer/memory/store.ts';
import { type PageHost, startPageHost } from '../../tests/renderer/page-host.ts';
import { requireChromium } from '../host/find-chromium.ts';

/**
 * The sidebar over sessions in memory: states that a disk brings about only by chance are set here. `PAGES` names another
 * folder of built pages.
 */
const pages = process.env.PAGES ?? path.resolve(import.meta.dirname, '../../.vite/renderer/windows');
const DEMO = 'path_demo';
const long: SessionRef = { store: 'global', id: 'long' };

let store: MemoryStore;
let host: PageHost;
let page: Page;
let problems: string[];

test.beforeEach(async () => {
  store = new MemoryStore();
  store.contexts.set(DEMO, emptyContext());
  store.application.setProjects([project(DEMO, 'demo-app')]);
  store.sessions.add('old', { title: 'Oldest chat' }, [message('user', 'first words')]);
  store.sessions.add(
    'long',
    { title: 'Long talk', ours: true },
    Array.from({ length: 400 }, (_, index) =>
      message(index % 2 === 0 ? 'user' : 'assistant', `Text **number** ${index} ${'word '.repeat(index % 60)}`, {
        id: `m${index}`,
      }),
    ),
  );
  host = await startPageHost(store, pages, requireChromium());
});

test.afterEach(async () => {
  await host.close();
  expect(problems).toEqual([]);
  expect(store.reports).toEqual([]);
});

async function open(options: Parameters<PageHost['open']>[1] = {}): Promise<void> {
  ({ page, problems } = await host.open('sidebar', { viewport: { width: 1100, height: 700 }, ...options }));
  await expect(rail('Chats')).toBeVisible();
}

const rail = (name: string | RegExp): Locator => page.locator('.rail-row-button').filter({ hasText: name }).first();
const scroller = (): Locator => page.locator('.transcript-scroller');
const titles = (): Promise<string[]> => page.locator('.session-row .rail-row-label').allInnerTexts();
const article = (index: number): Locator => page.locator(`article[data-index="${index}"]`);

async function findings(): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

test('the rail shows titles as they change, pinned ones first, and why a session cannot be read', async () => {
  store.sessions.add('bad', { title: 'Broken', health: 'unreadable', reason: 'Permission was denied.' });
  await open();
  await expect.poll(titles).toEqual(['Broken', 'Long talk', 'Oldest chat']);
  store.sessions.change({ store: 'global', id: 'old' }, { title: 'Renamed elsewhere', pinned: true });
  await expect.poll(titles).toEqual(['Renamed elsewhere', 'Broken', 'Long talk']);
  await expect(rail('Broken')).toContainText('Cannot be read: Permission was denied.');
  await rail('Broken').click();
  await expect(page.getByText('It was left exactly as it is. Permission was denied.')).toBeVisible();
});

test('loading, empty and failed are three answers', async () => {
  store.sessions.all.clear();
  store.sessions.catalog = { state: 'loading', reason: null, progress: { done: 3, total: 10 } };
  await open();
  await expect(page.locator('.rail-sessions')).toHaveText('Looking for sessions…');
  await expect(page.getByText('Looking into sessions: 3 of 10')).toBeVisible();
  store.sessions.setCatalog({ state: 'ready', reason: null, progress: null });
  await expect(page.locator('.rail-sessions')).toHaveText('No sessions yet.');
  store.sessions.setCatalog({ state: 'failed', reason: 'The folder is locked.', progress: null });
  await expect(page.locator('.rail-sessions')).toContainText('The folder is locked.');
});

test('ten thousand sessions are gone through with few rows in the page', async () => {
  for (let index = 0; index < 10_000; index++) store.sessions.add(`n${index}`, { title: `Chat ${index}` });
  await open();
  await page.getByRole('button', { name: 'Show all 10,002 sessions' }).click();
  const rows = page.locator('.rail-rows');
  await rows.evaluate((element) => element.scrollTo(0, 40 * 32));
  await expect.poll(() => page.locator('.session-row').count()).toBeGreaterThan(10);
  expect(await page.locator('.session-row').count()).toBeLessThan(80);
  await rows.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(rail('Oldest chat')).toBeVisible({ timeout: 30_000 });
  expect(await page.locator('.session-row').count()).toBeLessThan(80);
});

test('keys: go through, open, rename with a conflict told, delete with a way back', async () => {
  await open();
  await rail('Chats').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(rail('Oldest chat')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Oldest chat' })).toBeVisible();

  await page.keyboard.press('F2');
  const field = page.getByRole('textbox', { name: 'Title' });
  await field.fill('Mine');
  store.sessions.change({ store: 'global', id: 'old' }, { title: 'Theirs' });
  await page.keyboard.press('Enter');
  await expect(page.getByText('is now called “Theirs”')).toBeVisible();
  await expect(field).toHaveValue('Mine');
  expect(store.sessions.of({ store: 'global', id: 'old' }).row.title).toBe('Theirs');
  await page.getByRole('button', { name: 'Use my title' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mine' })).toBeVisible();

  await rail('Mine').focus();
  await page.keyboard.press('Delete');
  await expect(rail('Mine')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Chats' })).toBeVisible();
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('heading', { level: 1, name: 'Mine' })).toBeVisible();
  await rail('Mine').focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Pin to the top' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Open in the Mini Chat' }).click();
  await expect.poll(() => store.calls).toContain('windows.openInMiniChat');
});

test('a session that is open elsewhere is deleted when it is closed', async () => {
  store.sessions.of(long).holder = { pid: 4242, host: null, since: null };
  await open();
  await rail('Long talk').focus();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('dialog', { name: 'This session is open elsewhere' })).toBeVisible();
  expect(store.sessions.trash).toEqual([]);
  await page.getByRole('button', { name: 'Delete when it is closed' }).click();
  await expect(rail('Long talk')).toBeHidden();
  store.sessions.release(long);
  await page.getByRole('button', { name: 'Trash', exact: true }).click();
  await page.getByRole('button', { name: 'Restore Long talk' }).click();
  await expect(page.getByText('The trash is empty.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rail('Long talk')).toBeVisible();
});

test('a transcript opens at its end, reads on to both sides and keeps the place', async () => {
  test.setTimeout(180_000);
  await open();
  await rail('Long talk').click();
  await expect(article(399)).toBeInViewport();
  await scroller().hover();
  // Upwards with the wheel, page by page: what is read stays where it is when earlier messages come.
  for (let turn = 0; turn < 12; turn++) {
    await page.mouse.wheel(0, -1500);
    await page.waitForTimeout(120);
  }
  const seen = await firstInSight();
  expect(seen).toBeLessThan(360);
  const before = await topOf(seen);
  await page.waitForTimeout(400);
  expect(Math.abs((await topOf(seen)) - before)).toBeLessThan(2);
  expect(await page.locator('article[data-index]').count()).toBeLessThanOrEqual(160);

  store.sessions.grow(long, [message('assistant', 'came meanwhile')]);
  await expect(page.getByRole('button', { name: '1 new message' })).toBeVisible();
  expect(Math.abs((await topOf(seen)) - before)).toBeLessThan(2);
  await page.getByRole('button', { name: '1 new message' }).click();
  await expect(page.getByText('came meanwhile')).toBeInViewport();
  store.sessions.grow(long, [message('user', 'and one more')]);
  await expect(page.getByText('and one more')).toBeInViewport();

  await page.getByRole('button', { name: 'Go to the beginning' }).click();
  await expect(page.getByText('Beginning of the conversation')).toBeAttached();
  await expect(article(0)).toBeInViewport();
  await scroller().hover();
  for (let turn = 0; turn < 80 && (await firstInSight()) < 300; turn++) {
    await page.mouse.wheel(0, 3000);
    await page.waitForTimeout(60);
  }
  expect(await firstInSight()).toBeGreaterThanOrEqual(300);
});

test('finds in a session: counts, goes on from message to message, opens what is folded', async () => {
  store.sessions.add('tools', { title: 'With tools' }, [
    message('user', 'no such thing'),
    message('assistant', 'first needle, and a second **nee**dle', {
      toolCalls: [{ id: 'c', name: 'grep', arguments: '{}' }],
    }),
    message('tool', 'a needle in a result', { toolCallId: 'c' }),
  ]);
  await open();
  await rail('With tools').click();
  await expect(page.getByText('first needle')).toBeVisible();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('needle');
  await expect(page.getByText('Message 1 of 2')).toBeVisible();
  const current = () =>
    page.evaluate(() => [...(CSS.highlights.get('session-current') ?? [])].map((range) => String(range)));
  await expect.poll(current).toEqual(['needle']);
  await expect(page.getByText('a needle in a result')).toBeVisible();
  // The second place of the first message crosses a border of its Markdown; the third is the folded result.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Message 2 of 2')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: 'Find in this session' })).toBeHidden();
});

test('selected text becomes a note that names its message, and a plan', async () => {
  await open();
  await rail('Long talk').click();
  await expect(article(399).locator('.markdown p')).toBeVisible();
  await page.evaluate(() => {
    const text = document.querySelector('article[data-index="399"] .markdown p');
    if (text) getSelection()?.selectAllChildren(text);
  });
  await page.getByRole('toolbar').getByRole('button', { name: 'Note' }).click();
  await expect(page.getByText('Note added to Chats.')).toBeVisible();
  expect(store.of(CHATS).notes[0]).toMatchObject({
    source: 'selection',
    origin: { sessionId: 'long', messageId: 'm399' },
  });
  await page.getByRole('button', { name: 'Actions for message 400, Assistant' }).click();
  await page.getByRole('menuitem', { name: 'Make a plan of it' }).click();
  await expect(page.getByText('Plan added to Chats.')).toBeVisible();
});

test('markup, links and images of a message reach nothing', async () => {
  store.sessions.add('hostile', { title: 'Hostile' }, [
    message(
      'assistant',
      '<img src=x onerror="document.title=1"> <script>1</script> &copy; [go](javascript:alert(1)) [bank](https://evil.test/) ![p](https://evil.test/p.png)\n\n```\ncode\n```',
    ),
  ]);
  await open();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await rail('Hostile').click();
  const body = page.locator('article .markdown');
  await expect(body).toContainText('©');
  await expect(body).toContainText('<script>1</script>');
  await expect(body).toContainText('bank (https://evil.test/)');
  expect(await body.locator('a, img, script, iframe').count()).toBe(0);
  expect(asked.filter((url) => url.includes('evil'))).toEqual([]);
  await expect(body.getByRole('button', { name: 'Copy the code' })).toBeAttached();
});

test('a long text that was cut is read on, as plain text', async () => {
  store.sessions.add('cut', { title: 'Cut' }, [message('user', `${'a '.repeat(40_000)}the very end`)]);
  await open();
  await rail('Cut').click();
  await expect(page.getByText('the very end')).toHaveCount(0);
  await page.getByRole('button', { name: /^Show more/ }).click();
  await expect(page.getByText('the very end')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Show more/ })).toHaveCount(0);
});

test('a handover with a session opens it; the search finds one by its title', async () => {
  await open();
  store.application.setWindows({ handover: { id: 7, projectId: CHATS, session: long } });
  await expect(page.getByRole('heading', { level: 1, name: 'Long talk' })).toBeVisible();
  await expect.poll(() => store.calls).toContain('windows.takeHandover');
  await page.locator('#search').click();
  await page.keyboard.type('oldest');
  await expect(page.getByRole('option', { name: /Oldest chat/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Oldest chat' })).toBeVisible();
});

test('the storage report repairs what was chosen after it was confirmed', async () => {
  const finding = { store: 'global', session: null, bytes: 1200, reason: 'Left behind.' } as const;
  store.sessions.report = {
    id: 'r1',
    sessions: [],
    more: 0,
    totals: [{ kind: 'transcript', bytes: 5000, files: 2 }],
    findings: [
      { ...finding, id: 'a', kind: 'trash-leftover', name: 'left-a', repair: 'remove' },
      { ...finding, id: 'b', kind: 'orphan', name: 'left-b', repair: 'move-to-trash' },
      { ...finding, id: 'c', kind: 'damaged', name: 'left-c', repair: null },
    ],
    unread: [],
  };
  await open();
  await page.getByRole('button', { name: 'Storage' }).click();
  await page.getByText('left-a').locator('xpath=ancestor::li').locator('label').click();
  await page.getByRole('button', { name: 'Repair 1 finding…' }).click();
  await expect(page.getByText('1 item is removed for good (1.2 kB)')).toBeVisible();
  await expect(page.getByText('left-b')).toHaveCount(0);
  expect(store.calls).not.toContain('sessions.repair');
  await page.getByRole('button', { name: 'Repair', exact: true }).click();
  await expect(page.getByText('1 finding was repaired.')).toBeVisible();
  await expect(page.getByText('left-a')).toHaveCount(0);
  await expect(page.getByText('left-b')).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing, and nothing is cut off from 320 pixels on (${colorScheme})`, async () => {
    store.sessions.of(long).holder = { pid: 4242, host: null, since: null };
    await open({ colorScheme });
    await rail('Long talk').click();
    await expect(article(399)).toBeVisible();
    expect(await findings()).toEqual([]);
    for (const width of [320, 480, 800, 1600]) {
      await page.setViewportSize({ width, height: 640 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${width}`).toBe(0);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await findings()).toEqual([]);
    await page.getByRole('button', { name: 'Sessions', exact: true }).click();
    await expect(page.getByRole('dialog').getByText('Oldest chat').first()).toBeVisible();
    expect(await findings()).toEqual([]);
    await page.getByRole('dialog').getByText('Oldest chat').first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Oldest chat' })).toBeVisible();
  });
}

/** Index of the first message that is in sight. */
function firstInSight(): Promise<number> {
  return scroller().evaluate((element) => {
    const top = element.getBoundingClientRect().top;
    const rows = [...element.querySelectorAll<HTMLElement>('article[data-index]')];
    return Number(rows.find((row) => row.getBoundingClientRect().bottom > top)?.dataset.index);
  });
}

const topOf = (index: number): Promise<number> => article(index).evaluate((row) => row.getBoundingClientRect().top);
