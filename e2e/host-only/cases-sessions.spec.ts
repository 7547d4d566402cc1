import path from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import type { SessionRef } from '../../src/contract/index.ts';
import { message } from '../../tests/renderer/memory/session-store.ts';
import { MemoryStore } from '../../tests/renderer/memory/store.ts';
import { type PageHost, startPageHost } from '../../tests/renderer/page-host.ts';
import { requireChromium } from '../host/find-chromium.ts';

/** What people met in programs of this kind, over sessions in memory; docs/cases.md has all of them. */

const pages = process.env.PAGES ?? path.resolve(import.meta.dirname, '../../.vite/renderer/windows');
const ref = (id: string): SessionRef => ({ store: 'global', id });

let store: MemoryStore;
let host: PageHost;
let page: Page;
let problems: string[];

test.beforeEach(async () => {
  store = new MemoryStore();
  store.sessions.add('a', { title: 'The one', ours: true }, [message('user', 'first words')]);
  host = await startPageHost(store, pages, requireChromium());
  ({ page, problems } = await host.open('sidebar', { viewport: { width: 1100, height: 700 } }));
  await expect(rail('The one')).toBeVisible();
});

test.afterEach(async () => {
  await host.close();
  expect(problems).toEqual([]);
  expect(store.reports).toEqual([]);
});

const rail = (name: string): Locator => page.locator('.session-row .rail-row-button').filter({ hasText: name }).first();

// openchamber/openchamber#1429
test('a session is renamed while the list changes, Escape gives the old title back, and a delete is told', async () => {
  const field = page.getByRole('textbox', { name: 'Title' });
  await rail('The one').focus();
  await page.keyboard.press('F2');
  await expect(field).toBeFocused();
  await page.keyboard.press('End');
  for (let turn = 0; turn < 10; turn++) {
    await page.keyboard.type(String(turn));
    if (turn % 3 === 2) store.sessions.throwAway(ref(`new-${turn - 1}`));
    else store.sessions.push([store.sessions.add(`new-${turn}`, { title: `New ${turn}` }).row]);
    if (turn === 5) store.sessions.change(ref('a'), { lastActivity: store.sessions.now() });
    await expect(field).toBeFocused();
  }
  await expect(field).toHaveValue('The one0123456789');
  await page.keyboard.press('Enter');
  await expect(rail('The one0123456789')).toBeVisible();

  await rail('The one0123456789').focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('given up');
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
  expect(store.sessions.of(ref('a')).row.title).toBe('The one0123456789');

  await rail('The one0123456789').focus();
  await page.keyboard.press('F2');
  await field.fill('too late');
  store.sessions.throwAway(ref('a'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('This session is no longer there.');
  await expect(field).toHaveValue('too late');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(rail('The one')).toHaveCount(0);
});
