import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { Failure, type SessionRef, type SessionRow, sessionKey } from '../../src/contract/index.ts';
import { project } from '../../tests/renderer/memory/application.ts';
import { CHATS, emptyContext } from '../../tests/renderer/memory/context.ts';
import { message } from '../../tests/renderer/memory/session-store.ts';
import { MemoryStore } from '../../tests/renderer/memory/store.ts';
import { type PageHost, startPageHost } from '../../tests/renderer/page-host.ts';
import { requireChromium } from '../host/find-chromium.ts';

/**
 * Chats in both windows over a store in memory: what is shown before the disk was looked at, and what folders hold, is
 * set here in one line. `PAGES` names another folder of built pages.
 */
const pages = process.env.PAGES ?? path.resolve(import.meta.dirname, '../../.vite/renderer/windows');
const DEMO = 'path_demo';
const OTHER = 'path_other';

let store: MemoryStore;
let host: PageHost;
let page: Page;
let problems: string[][];

test.beforeEach(async () => {
  store = new MemoryStore();
  for (const id of [DEMO, OTHER]) store.contexts.set(id, emptyContext());
  store.application.setProjects([project(DEMO, 'demo-app'), project(OTHER, 'other-app')]);
  problems = [];
  host = await startPageHost(store, pages, requireChromium());
});

test.afterEach(async () => {
  await host.close();
  expect(problems.flat()).toEqual([]);
  expect(store.reports).toEqual([]);
});

const ref = (id: string): SessionRef => ({ store: 'global', id });
const addChat = (id: string, title: string): SessionRow =>
  store.sessions.add(id, { ours: true, title }, [message('user', `${title}, first words`)]).row;

/** A chat whose folder holds so many files. */
function addChatWithFiles(id: string, title: string, files: number): SessionRow {
  const row = addChat(id, title);
  const folder = store.chats.newFolder();
  store.chats.folders.set(folder, files);
  store.chats.ofSession.set(sessionKey(row.session), folder);
  return row;
}

async function openSidebar(options: Parameters<PageHost['open']>[1] = {}): Promise<void> {
  const opened = await host.open('sidebar', { viewport: { width: 1100, height: 700 }, ...options });
  ({ page } = opened);
  problems.push(opened.problems);
  await expect(page.getByRole('navigation')).toBeVisible();
}

async function openMiniChat(): Promise<void> {
  const opened = await host.open('mini-chat', { viewport: { width: 400, height: 600 } });
  ({ page } = opened);
  problems.push(opened.problems);
  showMiniChat(true);
  await expect(composer()).toBeFocused();
  await page.keyboard.press('Control+4');
  await expect(page.getByRole('region', { name: 'Session', exact: true })).toBeVisible();
}

const showMiniChat = (visible: boolean) =>
  store.application.setWindows({
    miniChat: { visible, alwaysOnTop: true, shortcutProblem: null, opening: null },
  });
const composer = () => page.locator('#composer');
const rail = (name: string): Locator => page.locator('.rail-row-button').filter({ hasText: name }).first();
const titles = (): Promise<string[]> => page.locator('.session-row .rail-row-label').allInnerTexts();
const openTitle = () => page.getByRole('button', { name: /^Session: / });
const folders = () => [...store.chats.folders.keys()];
const toast = () => page.locator('.toast-message');

async function expectAccessible(): Promise<void> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

test.describe('the newest chats', () => {
  const loading = { state: 'loading', reason: null, progress: null } as const;

  test('those of the run before are there at once, said to be being checked, and give way without a gap', async () => {
    store.chats.before = [addChat('b', 'Second chat'), addChat('a', 'First chat')];
    store.sessions.all.clear();
    store.sessions.catalog = loading;
    await openSidebar();
    await expect.poll(titles).toEqual(['Second chat', 'First chat']);
    await expect(page.getByRole('list', { name: 'Sessions of Chats, as they were last time' })).toBeVisible();
    await expect(page.locator('.rail-row-note')).toHaveText('Checking…');
    await expectAccessible();
    await page.evaluate(() => {
      const counts: number[] = [];
      (window as unknown as { counts: number[] }).counts = counts;
      const count = () => counts.push(document.querySelectorAll('.session-row').length);
      new MutationObserver(count).observe(document.body, { subtree: true, childList: true });
    });
    addChat('a', 'First chat');
    addChat('b', 'Second chat');
    addChat('c', 'Third chat');
    store.sessions.catalog = { ...loading, state: 'ready' };
    store.chats.before = null;
    store.sessions.push([], [], true);
    await expect.poll(titles).toEqual(['Third chat', 'Second chat', 'First chat']);
    await expect(page.locator('.rail-row-note')).toHaveCount(0);
    await expect(page.getByRole('list', { name: 'Sessions of Chats', exact: true })).toBeVisible();
    const counts = await page.evaluate(() => (window as unknown as { counts: number[] }).counts);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
  });

  test('one that is no longer there goes once that is certain; opened before, it says so', async () => {
    store.chats.before = [addChat('b', 'Gone by now'), addChat('a', 'Still there')];
    store.sessions.all.delete(sessionKey(ref('b')));
    store.sessions.catalog = loading;
    await openSidebar();
    await rail('Gone by now').click();
    await expect(page.getByText('This session is no longer there. Nothing was changed.')).toBeVisible();
    store.sessions.catalog = { ...loading, state: 'ready' };
    store.chats.before = null;
    store.sessions.push([], [], true);
    await expect.poll(titles).toEqual(['Still there']);
  });

  test('the Mini Chat offers them as well', async () => {
    store.chats.before = [addChat('a', 'First chat')];
    store.sessions.all.clear();
    store.sessions.catalog = loading;
    await openMiniChat();
    await expect(page.getByRole('button', { name: /^First chat/ })).toBeVisible();
    await page.keyboard.press('Control+j');
    await expect(page.getByRole('option')).toHaveText([/First chat/]);
  });
});

test.describe('Chats left out of the list', () => {
  test('it goes from its row, the window goes to a project, and undo brings it back', async () => {
    addChat('a', 'A chat');
    await openSidebar();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chats');
    await page.getByRole('button', { name: 'Actions for Chats' }).click();
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('demo-app');
    await expect(rail('Chats')).toHaveCount(0);
    await expect.poll(titles).toEqual([]);
    await expect(page.getByText('No sessions yet.')).toBeVisible();
    await expect(rail('demo-app')).toBeFocused();
    await page.keyboard.press('Control+z');
    await expect(rail('Chats')).toBeVisible();
    await expect.poll(titles).toEqual(['A chat']);
  });

  test('it stays out over a reload, and is shown again from the hidden places', async () => {
    const client = store.pair.connect('sidebar');
    await client.settings.update({ chatsVisible: false });
    await openSidebar();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('demo-app');
    await expect(rail('Chats')).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('demo-app');
    await expectAccessible();
    await page.getByRole('button', { name: 'Show hidden projects' }).click();
    await expect(rail('Chats')).toContainText('Hidden');
    await rail('Chats').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show again' }).click();
    await page.getByRole('button', { name: 'Show hidden projects' }).click();
    await expect(rail('Chats')).not.toContainText('Hidden');
  });

  test('hiding the project that is shown goes on to another one, and not to Chats', async () => {
    await store.pair.connect('sidebar').settings.update({ chatsVisible: false });
    await openSidebar();
    await page.getByRole('button', { name: 'Actions for demo-app' }).click();
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('other-app');
  });

  test('what leads to it still does, and it is in the list for as long as it is shown', async () => {
    await store.pair.connect('sidebar').settings.update({ chatsVisible: false });
    await openSidebar();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('demo-app');
    await store.pair.connect('mini-chat').windows.openInSidebar({ projectId: CHATS });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chats');
    await expect(rail('Chats')).toContainText('Hidden');
    await rail('other-app').click();
    await expect(rail('Chats')).toHaveCount(0);
  });

  test('where there is no project it stays, since there would be nothing', async () => {
    store.application.setProjects([]);
    await store.pair.connect('sidebar').settings.update({ chatsVisible: false });
    await openSidebar();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chats');
    await expect(rail('Chats')).toBeVisible();
  });

  test('in a narrow window as well', async () => {
    await openSidebar({ viewport: { width: 320, height: 640 } });
    await page.getByRole('button', { name: 'Actions for Chats' }).click();
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('demo-app');
    await page.locator('.narrow-picker-button').click();
    await expect(page.getByRole('option')).toHaveText(['demo-app', 'other-app']);
  });
});

test.describe('deleting a chat', () => {
  test('an empty folder is no question', async () => {
    addChatWithFiles('a', 'Without files', 0);
    await openSidebar();
    await rail('Without files').focus();
    await page.keyboard.press('Delete');
    await expect(toast()).toHaveText(/^“Without files” was moved to the trash at \d\d:\d\d\.$/);
    expect(folders()).toEqual([]);
  });

  test('one with files is: cancelled, nothing is deleted and the keyboard is where it was', async () => {
    addChatWithFiles('a', 'With files', 3);
    await openSidebar();
    await rail('With files').focus();
    await page.keyboard.press('Delete');
    const question = page.getByRole('dialog', { name: 'This chat has files' });
    await expect(question).toContainText('“With files” has a folder of its own with 3 files in it.');
    await expect(question).toContainText(folders()[0] ?? 'no folder');
    await expectAccessible();
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect(rail('With files')).toBeFocused();
    expect(store.calls).not.toContain('sessions.delete');
    // And nothing is in the way of an undo.
    await page.keyboard.press('Control+z');
    await expect(toast()).toHaveText(/Nothing to undo here/);
  });

  test('a key that is pressed twice asks once, and the answer deletes once', async () => {
    addChatWithFiles('a', 'With files', 3);
    let release = () => {};
    store.before = (name) =>
      name === 'chats.folder' ? new Promise((resolve) => (release = resolve)) : Promise.resolve();
    await openSidebar();
    await rail('With files').focus();
    await page.keyboard.press('Delete');
    await page.keyboard.press('Delete');
    await expect.poll(() => store.calls).toContain('chats.folder');
    release();
    await page.getByRole('button', { name: 'Keep the folder' }).click();
    await expect(toast()).toHaveText(/Its folder stays\.$/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(store.calls.filter((name) => name === 'chats.folder' || name === 'sessions.delete')).toEqual([
      'chats.folder',
      'sessions.delete',
    ]);
  });

  test('kept, the folder stays where it is; the keyboard goes on with the next chat', async () => {
    addChat('b', 'Another');
    addChatWithFiles('a', 'With files', 3);
    await openSidebar();
    await rail('With files').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Keep the folder' }).click();
    await expect(toast()).toHaveText(/was moved to the trash at \d\d:\d\d\. Its folder stays\.$/);
    expect([...store.chats.folders.values()]).toEqual([3]);
    await expect(rail('Another')).toBeFocused();
  });

  test('moved along, both are in the trash, which says so, and undo brings both back', async () => {
    addChatWithFiles('a', 'With files', 3);
    await openSidebar();
    await rail('With files').click();
    await page.getByRole('button', { name: 'Actions for session With files' }).last().click();
    await page.getByRole('menuitem', { name: 'Move to the trash' }).click();
    await page.getByRole('button', { name: 'Move both to the trash' }).click();
    await expect(toast()).toHaveText(/^“With files” and its folder were moved to the trash at \d\d:\d\d\.$/);
    expect(folders()).toEqual([]);
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect(rail('With files')).toBeVisible();
    expect([...store.chats.folders.values()]).toEqual([3]);

    await rail('With files').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Move both to the trash' }).click();
    await page.getByRole('button', { name: 'Trash', exact: true }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'With files' });
    await expect(row).toContainText('With its folder of 3 files');
    await expect(row).toContainText('Removed only on request');
    await page.getByRole('button', { name: 'Remove for good: With files' }).click();
    await expect(
      page.getByRole('status').filter({ hasText: '3 files in the folders of chats go as well.' }),
    ).toBeVisible();
    await expectAccessible();
  });

  test('a folder that has to stay is no question; why it stays is said', async () => {
    const row = addChatWithFiles('a', 'With files', 3);
    const folder = store.chats.ofSession.get(sessionKey(row.session));
    if (folder) store.chats.stays.set(folder, 'Another session uses it.');
    await openSidebar();
    await rail('With files').focus();
    await page.keyboard.press('Delete');
    await expect(toast()).toContainText('Its folder stays: Another session uses it.');
    expect([...store.chats.folders.values()]).toEqual([3]);
  });

  test('the answer holds when the chat has to wait for another program', async () => {
    const row = addChatWithFiles('a', 'With files', 3);
    store.sessions.of(row.session).holder = { pid: 1, host: null, since: null };
    await openSidebar();
    await rail('With files').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Move both to the trash' }).click();
    await page.getByRole('button', { name: 'Delete when it is closed' }).click();
    await expect(toast()).toContainText('goes to the trash as soon as it is closed elsewhere');
    expect(store.sessions.all.get(sessionKey(row.session))?.leaving).toBe(true);
    expect(store.chats.leaving.get(sessionKey(row.session))).toBe('trash');
  });

  test('the Mini Chat asks as well, and undoes the same', async () => {
    addChatWithFiles('a', 'With files', 1);
    await openMiniChat();
    await page.getByRole('button', { name: /^With files/ }).click();
    const remove = async () => {
      await page.getByRole('button', { name: 'Session menu' }).click();
      await page.getByRole('menuitem', { name: 'Delete session' }).click();
    };
    await remove();
    await expect(page.getByRole('dialog')).toContainText('a folder of its own with 1 file in it');
    await expectAccessible();
    await page.keyboard.press('Escape');
    await expect(openTitle()).toHaveText(/With files/);
    expect(store.calls).not.toContain('sessions.delete');
    await remove();
    await page.getByRole('button', { name: 'Move both to the trash' }).click();
    await expect(toast()).toHaveText(/^The chat and its folder were moved to the trash at \d\d:\d\d\.$/);
    await expect(openTitle()).toHaveText(/New chat/);
    expect(folders()).toEqual([]);
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect(openTitle()).toHaveText(/With files/);
    expect([...store.chats.folders.values()]).toEqual([1]);
  });
});

test.describe('a session in a project from a chat', () => {
  test('by keys: chosen by a word, opened in the project, and the chat stays', async () => {
    addChat('a', 'A chat');
    await openSidebar();
    await rail('A chat').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'New session in a project…' }).click();
    await expect(page.getByRole('searchbox', { name: 'Find a project' })).toBeFocused();
    await expectAccessible();
    await page.keyboard.type('other');
    await expect(page.getByRole('option')).toHaveText([/other-app/]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('A chat');
    await expect(page.locator('.session-facts')).toContainText('other-app');
    await expect(toast()).toContainText('This is a session of other-app now');
    const owners = [...store.sessions.all.values()].map(({ row }) => row.ownerId);
    expect(owners).toEqual([CHATS, OTHER]);
    expect(folders(), 'a session of a project has no folder among the chats').toEqual([]);
  });

  test('Enter takes the first that was found; a failure leaves the choice open', async () => {
    addChat('a', 'A chat');
    await openSidebar();
    await rail('A chat').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'New session in a project…' }).click();
    store.failing.set('sessions.fork', new Failure('in-use', 'Another program has it open.'));
    await page.keyboard.type('demo');
    await page.keyboard.press('Enter');
    await expect(toast()).toHaveText('Another program has it open.');
    await expect(page.getByRole('dialog')).toBeVisible();
    store.failing.clear();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.locator('.session-facts')).toContainText('demo-app');
  });

  test('a session of a project does not offer it', async () => {
    store.sessions.add('p', { ownerId: DEMO, ours: true, title: 'Of the project' });
    await openSidebar();
    await rail('demo-app').click();
    await rail('Of the project').click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Continue as a copy' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'New session in a project…' })).toHaveCount(0);
  });
});

test.describe('a new chat in the Mini Chat', () => {
  test('its folder comes with the first character and goes when the text does', async () => {
    await openMiniChat();
    await page.keyboard.type('  ');
    expect(folders()).toEqual([]);
    await page.keyboard.type('h');
    await expect.poll(folders).toHaveLength(1);
    await page.keyboard.type('ello');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await expect.poll(folders).toEqual([]);
    expect(store.calls.filter((name) => name === 'chats.prepare')).toHaveLength(1);
  });

  test('it is started in that folder, also when it is sent at once; what follows makes no other', async () => {
    await openMiniChat();
    await page.keyboard.type('hello');
    await expect.poll(folders).toHaveLength(1);
    const [folder] = folders();
    await page.keyboard.press('Enter');
    await expect(page.locator('article')).toHaveText([/hello/]);
    const [stored] = [...store.sessions.all.values()];
    expect(stored && store.chats.ofSession.get(sessionKey(stored.row.session))).toBe(folder);
    await page.keyboard.type('and more');
    await page.keyboard.press('Enter');
    await expect(page.locator('article')).toHaveText([/hello/, /and more/]);
    expect(folders()).toEqual([folder]);
    await page.keyboard.press('Control+Shift+J');
    await page.keyboard.insertText('pasted');
    await page.keyboard.press('Enter');
    await expect(page.locator('article')).toHaveText([/pasted/]);
    await expect.poll(folders).toHaveLength(2);
    expect(store.sessions.all.size).toBe(2);
  });

  const leave: [string, () => Promise<void>][] = [
    ['another place is chosen', () => pickTarget('demo')],
    [
      'another session is chosen',
      async () => {
        await page.keyboard.press('Control+j');
        await page.keyboard.type('Earlier');
        await page.keyboard.press('Enter');
      },
    ],
    ['it becomes a note', () => page.keyboard.press('Control+1')],
    ['the window is closed', async () => void showMiniChat(false)],
  ];
  for (const [name, act] of leave) {
    test(`its folder goes when ${name}, and what was typed stays`, async () => {
      addChat('e', 'Earlier chat');
      await openMiniChat();
      await page.keyboard.type('hello');
      await expect.poll(folders).toHaveLength(1);
      await act();
      await expect.poll(folders).toEqual([]);
      expect(store.sessions.all.size).toBe(1);
      const drafts = await page.evaluate(() => JSON.stringify(localStorage));
      expect(drafts).toContain('hello');
    });
  }

  test('shown again with what was typed, it has a folder again', async () => {
    await openMiniChat();
    await page.keyboard.type('hello');
    await expect.poll(folders).toHaveLength(1);
    showMiniChat(false);
    await expect.poll(folders).toEqual([]);
    showMiniChat(true);
    await expect.poll(folders).toHaveLength(1);
  });

  test('a command that is being typed makes none, a message by command does', async () => {
    await openMiniChat();
    await page.keyboard.press('Control+1');
    await page.keyboard.type('/message ');
    expect(folders()).toEqual([]);
    await page.keyboard.type('hello');
    await expect.poll(folders).toHaveLength(1);
    expect(store.calls.filter((name) => name === 'chats.prepare')).toHaveLength(1);
  });

  test('a new session of a project makes none', async () => {
    await openMiniChat();
    await pickTarget('demo');
    await page.keyboard.type('hello');
    await page.keyboard.press('Enter');
    await expect(page.locator('article')).toHaveText([/hello/]);
    expect(store.calls.filter((name) => name.startsWith('chats.') && name !== 'chats.list')).toEqual([]);
  });

  test('deleted elsewhere, the chat says so at once, writes nothing, and offers to undo or to leave', async () => {
    const row = addChatWithFiles('a', 'Shown here', 0);
    await openMiniChat();
    await page.getByRole('button', { name: /^Shown here/ }).click();
    await expect(page.locator('article')).toHaveCount(1);
    await page.keyboard.type('a draft');
    store.calls.length = 0;
    store.sessions.throwAway(row.session, 0);
    await expect(page.getByText('This session was deleted')).toBeVisible();
    await expectAccessible();
    await page.keyboard.press('Enter');
    expect(store.calls.filter((name) => !/\.(list|get|page|state|status)$/.test(name))).toEqual([]);
    expect(folders().length).toBe(1);
    await expect(composer()).toHaveValue('a draft');
    await page.getByRole('button', { name: 'Leave it' }).click();
    await expect(openTitle()).toHaveText(/New chat/);
    await expect(composer()).toHaveValue('a draft');
    expect(store.sessions.all.size).toBe(0);
  });
});

/** Chooses a target with the keyboard alone. */
async function pickTarget(words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(words);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(composer()).toBeFocused();
}
