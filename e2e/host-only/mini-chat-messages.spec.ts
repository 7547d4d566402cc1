import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { Failure, type SessionMessage, type SessionRef } from '../../src/contract/index.ts';
import { project } from '../../tests/renderer/memory/application.ts';
import { CHATS, emptyContext } from '../../tests/renderer/memory/context.ts';
import { MAIN, message, messagesOf } from '../../tests/renderer/memory/session-store.ts';
import { MemoryStore } from '../../tests/renderer/memory/store.ts';
import { type PageHost, startPageHost } from '../../tests/renderer/page-host.ts';
import { findChromium } from '../host/find-chromium.ts';

/**
 * Message mode of the Mini Chat over sessions in memory: what a disk or another program does to it is said here in one
 * line, at the moment that counts. With files on a disk it is tested by the other specs.
 */

const pages = path.resolve(import.meta.dirname, '../../.vite/renderer/windows');
const DEMO = 'path_demo';

let store: MemoryStore;
let host: PageHost;
let page: Page;
let problems: string[];

test.beforeEach(async () => {
  store = new MemoryStore();
  store.contexts.set(DEMO, emptyContext());
  store.application.setProjects([project(DEMO, 'demo-app')]);
  const chromium = findChromium();
  if (chromium === undefined) throw new Error('There is no Chromium: see scripts/prepare-e2e.ts.');
  host = await startPageHost(store, pages, chromium);
});

test.afterEach(async () => {
  await host.close();
  expect(problems).toEqual([]);
});

/** Opens the window in Message mode. */
async function open(
  options: Parameters<PageHost['open']>[1] = { viewport: { width: 400, height: 600 } },
): Promise<void> {
  ({ page, problems } = await host.open('mini-chat', options));
  store.application.setWindows({ miniChat: { ...shown, visible: true } });
  await expect(composer()).toBeFocused();
  await page.keyboard.press('Control+4');
  await expect(page.getByRole('region', { name: 'Session', exact: true })).toBeVisible();
}
const shown = { visible: true, alwaysOnTop: true, shortcutProblem: null, opening: null };

const composer = () => page.locator('#composer');
const articles = () => page.locator('article');
const transcript = () => page.getByRole('region', { name: 'Messages, oldest first' });
const title = () => page.getByRole('button', { name: /^Session: / });
const ref = (id: string): SessionRef => ({ store: 'global', id });
const textsOf = (id: string) => messagesOf(store.sessions.of(ref(id)), MAIN).map(({ content }) => content);
const appends = () => store.calls.filter((name) => name === 'sessions.append' || name === 'sessions.create').length;
const distanceFromEnd = () =>
  transcript().evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);

async function say(text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Chooses a session of the target with the keyboard alone. */
async function pick(words: string): Promise<void> {
  await page.keyboard.press('Control+j');
  await expect(page.getByRole('searchbox', { name: 'Find a session' })).toBeFocused();
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await expect(composer()).toBeFocused();
}

const long = (count: number): SessionMessage[] =>
  Array.from({ length: count }, (_, index) =>
    message(index % 2 ? 'assistant' : 'user', `Message ${index}. ${'More of it. '.repeat(index % 7)}`, {
      id: `m${index}`,
    }),
  );

test('a first message starts a session, the next continues it; nothing is said to answer', async () => {
  await open();
  await expect(page.getByText('No agent answers here yet.')).toBeVisible();
  await say('first');
  await expect(articles()).toHaveText([/first/]);
  await expect(page.getByText(/^Recorded \d\d:\d\d\. No agent answers here yet\.$/)).toBeVisible();
  await expect(composer()).toHaveValue('');
  await say('second');
  await expect(articles()).toHaveText([/first/, /second/]);
  const [started] = [...store.sessions.all.values()];
  expect(started?.row).toMatchObject({ ownerId: CHATS, ours: true });
  expect(store.sessions.all.size).toBe(1);
  await page.keyboard.press('Control+Shift+J');
  await expect(title()).toHaveText(/New chat/);
  await say('another');
  await expect.poll(() => store.sessions.all.size).toBe(2);
});

test('until it is acknowledged it is not called recorded, and a failure keeps it, in order, with a way to try again', async () => {
  store.sessions.add('a', { ours: true, title: 'Ours' });
  await open();
  await pick('Ours');
  let release = () => {};
  store.before = (name) =>
    name === 'sessions.append' ? new Promise((resolve) => (release = resolve)) : Promise.resolve();
  await say('on its way');
  await expect(page.getByText('Recording…')).toBeVisible();
  await expect(page.getByText(/Recorded/)).toHaveCount(0);
  release();
  await expect(page.getByText(/^Recorded/)).toBeVisible();
  store.before = async () => {};

  store.failing.set('sessions.append', new Failure('io', 'The disk is full.'));
  await say('not yet');
  await say('behind it');
  await expect(page.getByText('Not recorded: the disk could not be used.')).toBeVisible();
  await expect(page.getByText('Waits for the message before it')).toBeVisible();
  await page.keyboard.type('typed since');
  store.failing.clear();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => textsOf('a')).toEqual(['on its way', 'not yet', 'behind it']);
  await expect(page.getByText('Not recorded')).toHaveCount(0);
  await expect(composer()).toHaveValue('typed since');
});

test('a page that is loaded anew tries again what it had not recorded, and records it once', async () => {
  store.sessions.add('a', { ours: true, title: 'Ours' });
  await open();
  await pick('Ours');
  store.failing.set('sessions.append', new Failure('io', 'The disk is full.'));
  await say('kept');
  await expect(page.getByText('Not recorded: the disk could not be used.')).toBeVisible();
  store.failing.clear();
  await page.reload();
  await expect.poll(() => textsOf('a')).toEqual(['kept']);
  await expect(title()).toHaveText(/Ours/);
  await expect(articles()).toHaveText([/kept/]);
  await page.reload();
  await expect(articles()).toHaveText([/kept/]);
  expect(textsOf('a')).toEqual(['kept']);
});

test('commands still make notes, and a message can be sent from another mode', async () => {
  await open();
  await say('/note a thought');
  await expect(page.getByText('The note is saved.')).toBeVisible();
  expect(store.of(CHATS).notes.map(({ body }) => body)).toEqual(['a thought']);
  await page.keyboard.press('Control+1');
  await expect(page.getByText('a thought')).toBeVisible();
  await say('/message hello');
  await expect(page.getByText('The message is recorded. No agent answers here yet.')).toBeVisible();
  expect(store.sessions.all.size).toBe(1);
});

test('the mode is remembered', async () => {
  await open();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Record as Message' })).toBeVisible();
});

test('a foreign session is read, follows along, and is continued as a copy', async () => {
  store.sessions.add('theirs', { title: 'Theirs' }, [message('user', 'question'), message('assistant', 'answer')]);
  await open();
  await pick('Theirs');
  await expect(page.getByText('Another program made this session. Your message goes into a copy of it.')).toBeVisible();
  store.sessions.grow(ref('theirs'), [message('assistant', 'and more')]);
  await expect(articles()).toHaveText([/question/, /answer/, /and more/]);
  await say('mine');
  await expect(articles()).toHaveText([/question/, /answer/, /and more/, /mine/]);
  expect(textsOf('theirs')).toEqual(['question', 'answer', 'and more']);
  const copy = [...store.sessions.all.values()].at(-1)?.row;
  expect(copy).toMatchObject({ ours: true, parentId: 'theirs', ownerId: CHATS });
  expect(textsOf(copy?.session.id ?? '')).toEqual(['question', 'answer', 'and more', 'mine']);
  await expect(page.getByRole('button', { name: 'Record message' })).toBeVisible();
});

test('a copy that cannot be made leaves the text where it is', async () => {
  store.sessions.add('theirs', { title: 'Theirs' }, [message('user', 'question')]);
  await open();
  await pick('Theirs');
  store.failing.set('sessions.fork', new Failure('io', 'The disk is full.'));
  await say('mine');
  await expect(page.getByText('The copy was not made. Your text is still here. The disk is full.')).toBeVisible();
  await expect(composer()).toHaveValue('mine');
  expect(appends()).toBe(0);
});

test('one that another program opens is read only from then on, and ours again when it lets go', async () => {
  const stored = store.sessions.add('a', { ours: true, title: 'Ours' }, [message('user', 'hello')]);
  await open();
  await pick('Ours');
  await page.keyboard.type('a draft');
  stored.holder = { pid: 1, host: null, since: null };
  store.sessions.push([stored.row]);
  await expect(page.getByRole('button', { name: 'Continue as a copy' })).toBeVisible();
  store.sessions.grow(ref('a'), [message('assistant', 'from over there')]);
  await expect(articles().last()).toHaveText(/from over there/);
  store.sessions.release(ref('a'));
  await expect(page.getByRole('button', { name: 'Record message' })).toBeVisible();
  await expect(composer()).toHaveValue('a draft');
});

test('deleted elsewhere, it says so, keeps the draft and can be brought back', async () => {
  store.sessions.add('a', { ours: true, title: 'Ours' }, [message('user', 'hello')]);
  await open();
  await pick('Ours');
  await page.keyboard.type('a draft');
  await store.pair.connect('sidebar').sessions.delete({ session: ref('a') });
  await expect(page.getByText('This session was deleted')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(composer()).toHaveValue('a draft');
  expect(appends()).toBe(0);
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await expect(articles()).toHaveText([/hello/]);
  await expect(composer()).toHaveValue('a draft');
});

test('deleting can be undone with one key, and what is in use can wait', async () => {
  const stored = store.sessions.add('a', { ours: true, title: 'Ours' }, [message('user', 'hello')]);
  await open();
  await pick('Ours');
  const remove = async () => {
    await page.getByRole('button', { name: 'Session menu' }).click();
    await page.getByRole('menuitem', { name: 'Delete session' }).click();
  };
  await remove();
  await expect(title()).toHaveText(/New chat/);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect(articles()).toHaveText([/hello/]);

  stored.holder = { pid: 1, host: null, since: null };
  const [again] = [...store.sessions.all.values()];
  if (again) again.holder = { pid: 1, host: null, since: null };
  await remove();
  await page.getByRole('button', { name: 'Delete when it is free' }).click();
  await expect(page.getByText(/The session is hidden/)).toBeVisible();
  expect([...store.sessions.all.values()][0]?.leaving).toBe(true);
});

test('the end is followed while it is in sight, and else says what came', async () => {
  store.sessions.add('long', { ours: true, title: 'Long' }, long(400));
  await open();
  await pick('Long');
  await expect(articles().last()).toHaveText(/Message 399\./);
  await expect.poll(distanceFromEnd).toBeLessThan(4);
  store.sessions.grow(ref('long'), [message('assistant', `Grown. ${'Words. '.repeat(200)}`)]);
  await expect(articles().last()).toHaveText(/Grown/);
  await expect.poll(distanceFromEnd).toBeLessThan(4);

  await transcript().hover();
  await page.mouse.wheel(0, -1500);
  await expect.poll(distanceFromEnd).toBeGreaterThan(500);
  store.sessions.grow(ref('long'), [message('assistant', 'one'), message('assistant', 'two')]);
  const more = page.getByRole('button', { name: '2 new messages' });
  await expect(more).toBeVisible();
  const before = await distanceFromEnd();
  expect(before).toBeGreaterThan(300);
  await more.click();
  await expect(articles().last()).toHaveText(/two/);
  await expect.poll(distanceFromEnd).toBeLessThan(4);
  await page.mouse.wheel(0, -1500);
  await expect.poll(distanceFromEnd).toBeGreaterThan(500);
  await composer().focus();
  await say('mine');
  await expect(articles().last()).toHaveText(/mine/);
  await expect.poll(distanceFromEnd).toBeLessThan(4);
  await transcript().focus();
  await page.keyboard.press('Home');
  await expect(articles().first()).toHaveText(/Message 0\./);
  await page.keyboard.press('End');
  await expect(articles().last()).toHaveText(/mine/);
  expect(await articles().count()).toBeLessThan(200);
});

test('the sidebar can open a session here, in its own place, and no draft goes with it', async () => {
  store.sessions.add('a', { ours: true, title: 'Of Chats' }, [message('user', 'in chats')]);
  store.sessions.add('b', { ours: true, title: 'Of the project', ownerId: DEMO }, [message('user', 'in the project')]);
  await open();
  await page.keyboard.type('a draft of chats');
  const sidebar = store.pair.connect('sidebar');
  await sidebar.windows.openInMiniChat({ session: ref('b') });
  await expect(articles()).toHaveText([/in the project/]);
  await expect(page.getByRole('button', { name: /Record in/ })).toHaveText(/demo-app/);
  await expect(composer()).toHaveValue('');
  const state = await sidebar.windows.state({});
  expect(state.ok && state.value.miniChat.opening).toBe(null);
  await sidebar.windows.openInMiniChat({ session: ref('a') });
  await expect(articles()).toHaveText([/in chats/]);
  await expect(composer()).toHaveValue('a draft of chats');
  store.sessions.throwAway(ref('b'));
  await sidebar.windows.openInMiniChat({ session: ref('b') });
  await expect(page.getByText('The session that the sidebar asked for is no longer there.')).toBeVisible();
  await expect(articles()).toHaveText([/in chats/]);
});

test('each place has its own session', async () => {
  store.sessions.add('a', { ours: true, title: 'Of Chats' }, [message('user', 'in chats')]);
  await open();
  await pick('Of Chats');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('demo');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(title()).toHaveText(/New session/);
  await say('in the project');
  await expect(articles()).toHaveText([/in the project/]);
  expect([...store.sessions.all.values()].at(-1)?.row.ownerId).toBe(DEMO);
  expect(textsOf('a')).toEqual(['in chats']);
});

test('the sidebar is given the session, and the text stays', async () => {
  store.sessions.add('a', { ours: true, title: 'Ours' }, [message('user', 'hello')]);
  await open();
  await pick('Ours');
  await page.keyboard.type('a draft');
  await page.keyboard.press('Control+o');
  const sidebar = store.pair.connect('sidebar');
  await expect
    .poll(async () => {
      const state = await sidebar.windows.state({});
      return state.ok ? state.value.handover : null;
    })
    .toMatchObject({ projectId: CHATS, session: ref('a') });
  await expect(composer()).toHaveValue('a draft');
});

test('a selected text becomes a note that says where it comes from', async () => {
  store.sessions.add('a', { title: 'Theirs' }, [
    message('assistant', 'The **parser** loses the last line.', { id: 'm1' }),
  ]);
  await open();
  await pick('Theirs');
  const bold = page.locator('article strong');
  await bold.dblclick();
  await page.getByRole('button', { name: 'Make a note' }).click();
  await expect.poll(() => store.of(CHATS).notes.length).toBe(1);
  expect(store.of(CHATS).notes[0]).toMatchObject({
    body: 'parser',
    source: 'selection',
    origin: { sessionId: 'a', messageId: 'm1' },
  });
  await bold.dblclick();
  await page.keyboard.press('Control+e');
  await expect.poll(() => store.of(CHATS).notes.length).toBe(2);
});

test('what cannot be read says why and takes nothing', async () => {
  store.sessions.add('n', { title: 'Newer', health: 'too-new', reason: 'It is of a newer format (9).', ours: true });
  await open();
  await pick('Newer');
  await expect(page.getByText('It is of a newer format (9).')).toBeVisible();
  await say('typed');
  await expect(composer()).toHaveValue('typed');
  expect(appends()).toBe(0);
});

test('the picker finds, says when nothing is found, and shows what comes while it is open', async () => {
  for (let index = 0; index < 120; index++) store.sessions.add(`s${index}`, { title: `Session ${index}`, ours: true });
  store.sessions.add('x', { title: 'Of the project', ownerId: DEMO });
  await open();
  await page.keyboard.press('Control+j');
  await expect(page.getByRole('option')).toHaveCount(50);
  await page.getByRole('button', { name: 'Show 70 more sessions' }).click();
  await expect(page.getByRole('option')).toHaveCount(120);
  await page.getByRole('searchbox', { name: 'Find a session' }).fill('project');
  await expect(page.getByText('No session here has all these words')).toBeVisible();
  store.sessions.push([store.sessions.add('late', { title: 'A late project' }).row]);
  await expect(page.getByRole('option', { name: /A late project/ })).toBeVisible();
  // The first empties the field.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  store.failing.set('sessions.list', new Failure('io', 'The disk does not answer.'));
  await page.keyboard.press('Control+j');
  await expect(page.getByText(/The sessions could not be listed. The disk does not answer./)).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing to mend for axe, and nothing wider than a small window: ${colorScheme}`, async () => {
    store.sessions.add('a', { ours: true, title: 'Ours, with a title that is longer than the window' }, long(12));
    store.sessions.add('f', { title: 'Theirs' }, long(4));
    for (let index = 0; index < 20; index++) store.sessions.add(`s${index}`, { title: `Session ${index}` });
    await open({ viewport: { width: 320, height: 480 }, colorScheme });
    const check = async (state: string) => {
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(violations.map(({ id, nodes }) => `${state}: ${id}: ${nodes[0]?.html}`)).toEqual([]);
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(isWider, state).toBe(false);
      const box = await composer().boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0), `${state}: the field is in sight`).toBeLessThan(480);
    };
    await check('new');
    await page.keyboard.press('Control+j');
    await expect(page.getByRole('option').first()).toBeVisible();
    await check('picker');
    await page.keyboard.press('Escape');
    await pick('Theirs');
    await check('foreign');
    await pick('Ours');
    store.failing.set('sessions.append', new Failure('io', 'The disk is full. Free some space and try again.'));
    await say('not recorded');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await check('failed');
    store.sessions.throwAway(ref('a'));
    await expect(page.getByText('This session was deleted')).toBeVisible();
    await check('gone');
  });
}
