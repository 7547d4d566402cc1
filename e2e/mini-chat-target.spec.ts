import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectIdOf } from '../src/context/project-id.ts';
import { callBridge } from './bridge.ts';
import { composer, contextOf, pick, show, targetButton, windowsState } from './mini-chat-parts.ts';
import { expect, test } from './test.ts';

const demo = projectIdOf('/home/dev/demo-app');

test('open in sidebar hands over the target and the draft', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const { miniChat, sidebar } = app;
  await show(app);
  await pick(miniChat, 'demo');
  await miniChat.keyboard.type('/note think this over');
  await miniChat.keyboard.press('Control+o');
  await expect(composer(miniChat)).toHaveValue('');
  await expect(sidebar.locator('textarea').first()).toHaveValue('think this over');
  await expect(sidebar).toHaveTitle(/demo-app/);
  await expect.poll(async () => (await windowsState(app)).handover).toBe(null);
  expect((await contextOf(app, demo)).notes.filter(({ body }) => body.includes('think this over'))).toEqual([]);
});

test('a target that is hidden gives way to Chats with a notice, and what was typed comes along', async ({ launch }) => {
  const app = await launch({ sampleData: true });
  const { miniChat } = app;
  await show(app);
  await pick(miniChat, 'demo');
  await miniChat.keyboard.type('half a thou');
  await callBridge(app.sidebar, 'projects.hide', { projectId: demo, hidden: true });
  await expect(targetButton(miniChat)).toContainText('Chats');
  await expect(miniChat.getByText(/is no longer in the list.*Your text came along/)).toBeVisible();
  await expect(composer(miniChat)).toBeFocused();
  await miniChat.keyboard.type('ght');
  await expect(composer(miniChat)).toHaveValue('half a thought');
  await miniChat.keyboard.press('Control+k');
  await expect(miniChat.getByRole('option', { name: /demo-app/ })).toHaveCount(0);
  await expect(miniChat.getByRole('option', { name: /notes-site/ })).toHaveCount(1);
});

test('a target whose folder moved is followed, with what was typed, and remembered', async ({ launch }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sidekeep-moved-'));
  try {
    const app = await launch({ sampleData: true });
    const { miniChat } = app;
    await show(app);
    await pick(miniChat, 'demo');
    await miniChat.keyboard.type('half a thought');
    expect((await callBridge(app.sidebar, 'projects.relocate', { projectId: demo, path: folder })).error).toBe(
      undefined,
    );
    await expect(targetButton(miniChat)).toContainText(path.basename(folder));
    await expect(composer(miniChat)).toHaveValue('half a thought');
    await expect(miniChat.getByText(/“demo-app” is now/)).toBeVisible();
    await expect(miniChat.getByText(/Chats now|no longer in the list/)).toHaveCount(0);
    await composer(miniChat).press('Enter');
    const id = projectIdOf(folder);
    await expect
      .poll(async () => (await contextOf(app, id)).notes.some(({ body }) => body === 'half a thought'))
      .toBe(true);
    const settings = await callBridge(app.sidebar, 'settings.get', {});
    expect(settings.value).toMatchObject({ lastTarget: id });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
