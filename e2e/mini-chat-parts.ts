import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { ContextSnapshot, ProjectList, WindowsState } from '../src/contract/index.ts';
import { callBridge } from './bridge.ts';
import type { RunningApp } from './launch-app.ts';
import { expect } from './test.ts';

/** What the specs of the Mini Chat share. */

export const composer = (page: Page) => page.locator('textarea').first();
/** The entries of the stream; the headings of its days are rows of the grid too. */
export const rows = (page: Page) => page.getByRole('row', { name: /^(Note|Todo|Plan): / });
export const targetButton = (page: Page) => page.getByRole('button', { name: /Record in/ });

export async function show(app: RunningApp): Promise<void> {
  await callBridge(app.sidebar, 'windows.showMiniChat', {});
  await expect.poll(() => isVisible(app)).toBe(true);
  await expect(composer(app.miniChat)).toBeFocused();
}

export const windowsState = async (app: RunningApp): Promise<WindowsState> =>
  (await callBridge(app.sidebar, 'windows.state', {})).value as unknown as WindowsState;
export const isVisible = async (app: RunningApp): Promise<boolean> => (await windowsState(app)).miniChat.visible;

export async function chatsId(app: RunningApp): Promise<string> {
  return ((await callBridge(app.sidebar, 'projects.list', {})).value as unknown as ProjectList).chatsId;
}

/** What the sidebar's own bridge knows of an owner. */
export async function contextOf(app: RunningApp, projectId: string): Promise<ContextSnapshot> {
  return (await callBridge(app.sidebar, 'context.get', { projectId })).value as unknown as ContextSnapshot;
}

export const contextFile = (app: RunningApp, id: string): string =>
  path.join(app.contextRoot, 'projects', id, 'context.json');

/** Chooses a target with the keyboard alone. */
export async function pick(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('searchbox', { name: 'Find a project' })).toBeFocused();
  await page.keyboard.type(words);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(composer(page)).toBeFocused();
}

export async function expectAccessible(page: Page, state: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${state}: ${id}: ${nodes[0]?.html}`)).toEqual([]);
}
