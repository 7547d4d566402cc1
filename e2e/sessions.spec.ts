import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { callBridge } from './bridge.ts';
import { makeDataFolder } from './launch-app.ts';
import { composer } from './mini-chat-parts.ts';
import {
  answered,
  articles,
  detailOf,
  fileOf,
  filesBelow,
  globalRef,
  heading,
  holdSession,
  idsIn,
  lines,
  listed,
  messageMode,
  openInBoth,
  pageOf,
  patient,
  prepareSession,
  railSession,
  railTitles,
  recorded,
  say,
  sayRecorded,
  storeIn,
  talk,
  texts,
} from './session-parts.ts';
import { expect, test } from './test.ts';

// Each starts the program, some twice, and waits for the disk, the watcher and workers.
test.slow();

const sample = '20260929-043954.562568000-sample-model';

test('what is typed is recorded on the disk and in both windows, and goes on after a restart', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  const app = await launch({ dataFolder });
  await messageMode(app);
  await expect(app.miniChat.getByText('No agent answers here yet.')).toBeVisible();
  await sayRecorded(app, 'first words');
  const [id = ''] = idsIn(dataFolder);
  expect(id).toMatch(/^\d{8}-\d{6}\.\d{9}-sidekeep$/);
  expect(recorded(dataFolder, id)).toEqual(['first words']);
  await expect(railSession(app.sidebar, 'first words')).toBeVisible(patient);
  await sayRecorded(app, 'second words');
  expect(recorded(dataFolder, id)).toEqual(['first words', 'second words']);
  await expect.poll(() => readFileSync(fileOf(dataFolder, id), 'utf8'), patient).toContain('second words');
  const meta = () => JSON.parse(readFileSync(fileOf(dataFolder, id, '.jsonl.meta'), 'utf8')) as object;
  await expect.poll(meta, patient).toMatchObject({ id, turns: 2, preview: 'first words' });
  await railSession(app.sidebar, 'first words').click();
  await expect.poll(() => texts(app.sidebar), patient).toEqual(['first words', 'second words']);
  await app.quit();

  const again = await launch({ dataFolder });
  await messageMode(again);
  await expect.poll(() => texts(again.miniChat), patient).toEqual(['first words', 'second words']);
  await sayRecorded(again, 'third words');
  expect(recorded(dataFolder, id)).toEqual(['first words', 'second words', 'third words']);
  await railSession(again.sidebar, 'first words').click(patient);
  await expect.poll(() => texts(again.sidebar), patient).toEqual(['first words', 'second words', 'third words']);
  expect(idsIn(dataFolder)).toEqual([id]);
});

test('a session opens from the sidebar in the Mini Chat, and what another program adds is followed in both', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  prepareSession(dataFolder, 'theirs', talk('Theirs', 4));
  const app = await launch({ dataFolder });
  await openInBoth(app, 'Theirs 0');
  for (const page of [app.sidebar, app.miniChat]) await expect(articles(page).last()).toHaveText(/Theirs 3/, patient);
  for (let index = 0; index < 3; index++) {
    appendFileSync(fileOf(dataFolder, 'theirs'), lines({ role: 'assistant', content: `Grown ${index}` }));
    for (const page of [app.sidebar, app.miniChat]) {
      await expect(articles(page).last()).toHaveText(new RegExp(`Grown ${index}`), patient);
      await expect(articles(page).last()).toBeInViewport();
    }
  }
  // Half a record: it is no message before its end is there.
  const half = lines({ role: 'assistant', content: 'In two parts' });
  appendFileSync(fileOf(dataFolder, 'theirs'), half.slice(0, 20));
  await expect
    .poll(async () => pageOf(app.sidebar, globalRef('theirs')), patient)
    .toMatchObject({ total: 7, torn: true });
  appendFileSync(fileOf(dataFolder, 'theirs'), half.slice(20));
  for (const page of [app.sidebar, app.miniChat]) {
    await expect(articles(page).last()).toHaveText(/In two parts/, patient);
    expect(await texts(page)).toHaveLength(8);
  }
});

test('a log of the second schema is shown with its patches and heads, and looking at it writes nothing beside it', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(true);
  const store = storeIn(dataFolder);
  mkdirSync(store, { recursive: true });
  cpSync(path.resolve(import.meta.dirname, '../tests/fixtures/session-schema2'), store, { recursive: true });
  const log = readFileSync(path.join(store, `${sample}.events.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  const leaf = log
    .map((line) => JSON.parse(line) as { type: string; id?: string })
    .filter(({ type }) => type === 'message');
  // The same conversation with a second line of development, begun at its second message.
  const base = { schema_version: 2, head: 'main', writer: 'w', at: '2026-09-29T05:00:00Z' };
  const forked = [
    { ...base, type: 'fork', new_head: 'side', from: leaf[1]?.id, kind: 'fork', name: 'Another way' },
    {
      ...base,
      type: 'message',
      id: 'z1',
      head: 'side',
      parent: leaf[1]?.id,
      at: '2026-09-29T05:00:01Z',
      msgs: [{ role: 'assistant', id: 'z1', content: 'Said on the other way' }],
    },
    { ...base, type: 'select', head: 'main' },
  ];
  writeFileSync(path.join(store, 'forked.events.jsonl'), `${log.join('\n')}\n${lines(...forked)}`);
  writeFileSync(path.join(store, 'forked.jsonl'), '');
  writeFileSync(
    path.join(store, 'forked.jsonl.meta'),
    '{"topic_title":"Two ways","workspace_root":"/home/dev/demo-app"}\n',
  );
  const before = filesBelow(store);
  const app = await launch({ dataFolder });
  const { sidebar } = app;
  await sidebar.getByRole('navigation').getByRole('button', { name: 'demo-app', exact: true }).click();
  await openInBoth(app, 'Sample clock README');
  for (const page of [sidebar, app.miniChat]) {
    await expect(articles(page).last()).toHaveText(/No\./, patient);
    await expect.poll(() => texts(page), patient).toHaveLength(7);
    const call = page.getByText(/Tool call: /).first();
    await expect(call).toBeVisible();
    // The patch says that the tool has run.
    await expect(page.locator('.message-tool-state')).toHaveText('completed');
  }
  await expect(sidebar.getByText('9 messages')).toBeVisible();
  await expect(sidebar.getByText('Recorded by another program, so that')).toBeVisible();

  await railSession(sidebar, 'Two ways').click();
  await expect(heading(sidebar, 'Two ways')).toBeVisible(patient);
  await expect(articles(sidebar).last()).toHaveText(/No\./, patient);
  await sidebar.getByRole('button', { name: /Line of development/ }).click();
  await sidebar.getByRole('option', { name: 'Another way' }).click();
  await expect(articles(sidebar).last()).toHaveText(/Said on the other way/, patient);
  await expect(sidebar.getByText('3 messages')).toBeVisible();
  await sidebar.keyboard.press('Control+f');
  await sidebar.keyboard.type('README');
  await expect(sidebar.getByText(/Message 1 of 1/)).toBeVisible(patient);
  await app.quit();
  expect(filesBelow(store)).toEqual(before);
});

test('a session of another program is continued as a copy; the other one stays as it is', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareSession(dataFolder, 'theirs', talk('Theirs', 3));
  const before = filesBelow(storeIn(dataFolder));
  const app = await launch({ dataFolder });
  await openInBoth(app, 'Theirs 0');
  await messageMode(app);
  await expect(app.miniChat.getByText('Another program made this session.')).toBeVisible(patient);
  await sayRecorded(app, 'mine');
  await expect.poll(() => texts(app.miniChat), patient).toEqual(['Theirs 0', 'Theirs 1', 'Theirs 2', 'mine']);
  const copies = (await listed(app.sidebar)).filter(({ ours }) => ours);
  expect(copies).toMatchObject([{ parentId: 'theirs' }]);
  expect(recorded(dataFolder, copies[0]?.session.id ?? '')).toEqual(['Theirs 0', 'Theirs 1', 'Theirs 2', 'mine']);
  await sayRecorded(app, 'and more');

  // From the sidebar, as far as one message.
  await app.sidebar.getByRole('button', { name: 'Actions for message 2, Assistant' }).click();
  await app.sidebar.getByRole('menuitem', { name: 'Continue from here as a copy' }).click();
  await expect.poll(() => texts(app.sidebar), patient).toEqual(['Theirs 0', 'Theirs 1']);
  await expect(app.sidebar.getByRole('button', { name: 'Continue in the Mini Chat' })).toBeVisible(patient);
  expect((await listed(app.sidebar)).filter(({ ours }) => ours)).toHaveLength(2);
  const after = filesBelow(storeIn(dataFolder));
  expect(Object.fromEntries(Object.entries(after).filter(([name]) => name.startsWith('theirs')))).toEqual(before);
});

test('a new title is seen in the other window; a pin stays; what is searched is found', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareSession(dataFolder, 'old', talk('Old talk', 2), { updated_at: '2025-01-01T00:00:00Z' });
  const app = await launch({ dataFolder });
  const { sidebar, miniChat } = app;
  await messageMode(app);
  await sayRecorded(app, 'a needle in it');
  await sayRecorded(app, 'nothing here');
  await sayRecorded(app, 'the needle again');
  await railSession(sidebar, 'a needle in it').click(patient);
  await sidebar.getByRole('button', { name: 'Rename…' }).click();
  const field = sidebar.getByRole('textbox', { name: 'Title' });
  await field.fill('Hay');
  await sidebar.keyboard.press('Enter');
  await expect(heading(sidebar, 'Hay')).toBeVisible(patient);
  await expect(miniChat.getByRole('button', { name: 'Session: Hay' })).toBeVisible(patient);
  const [id = ''] = idsIn(dataFolder).filter((one) => one.endsWith('-sidekeep'));
  const meta = () => JSON.parse(readFileSync(fileOf(dataFolder, id, '.jsonl.meta'), 'utf8')) as object;
  await expect.poll(meta, patient).toMatchObject({ custom_title: 'Hay', turns: 3 });

  await sidebar.keyboard.press('Control+f');
  await sidebar.keyboard.type('needle');
  await expect(sidebar.getByText(/^Message 1 of 2/)).toBeVisible(patient);
  await sidebar.keyboard.press('Enter');
  await expect(sidebar.getByText(/^Message 2 of 2/)).toBeVisible(patient);

  await expect.poll(() => railTitles(sidebar), patient).toEqual(['Hay', 'Old talk 0']);
  const before = filesBelow(storeIn(dataFolder));
  await railSession(sidebar, 'Old talk').click({ button: 'right' });
  await sidebar.getByRole('menuitem', { name: 'Pin to the top' }).click();
  await expect.poll(() => railTitles(sidebar), patient).toEqual(['Old talk 0', 'Hay']);
  expect(filesBelow(storeIn(dataFolder)), 'a pin is nothing that is written beside a session').toEqual(before);
  await app.quit();
  const again = await launch({ dataFolder });
  await expect.poll(() => railTitles(again.sidebar), patient).toEqual(['Old talk 0', 'Hay']);
});

test('one that another process holds is read only in both windows and follows along; it is deleted when it is closed', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  const app = await launch({ dataFolder });
  const { sidebar, miniChat } = app;
  await messageMode(app);
  await sayRecorded(app, 'ours so far');
  const [id = ''] = idsIn(dataFolder);
  await railSession(sidebar, 'ours so far').click(patient);
  await expect(sidebar.getByRole('button', { name: 'Continue in the Mini Chat' })).toBeVisible(patient);
  await composer(miniChat).fill('a draft');
  const holder = await holdSession(dataFolder, id);
  try {
    expect(await detailOf(sidebar, globalRef(id))).toMatchObject({ readOnly: 'in-use' });
    await expect(sidebar.getByText('Open in another program.')).toBeVisible(patient);
    await expect(miniChat.getByText('Another program has this session open.')).toBeVisible(patient);
    const log = fileOf(dataFolder, id, '.events.jsonl');
    const first = JSON.parse(readFileSync(log, 'utf8').split('\n')[0] ?? '') as { revision: number };
    const record = { schema_version: 1, type: 'append', revision: first.revision + 1, base_revision: first.revision };
    const message = { role: 'assistant', id: 'x', content: 'from over there' };
    appendFileSync(
      log,
      lines({ ...record, message_index: 1, messages: [message], writer_id: 'other-1-0123456789abcdef' }),
    );
    for (const page of [sidebar, miniChat]) {
      await expect(articles(page).last()).toHaveText(/from over there/, patient);
    }
    const held = filesBelow(storeIn(dataFolder));
    const refused = await callBridge(sidebar, 'sessions.rename', { session: globalRef(id), title: 'No' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'in-use', status: 423 } });
    expect(filesBelow(storeIn(dataFolder))).toEqual(held);
    await railSession(sidebar, 'ours so far').focus();
    await sidebar.keyboard.press('Delete');
    await expect(sidebar.getByRole('dialog', { name: 'This session is open elsewhere' })).toBeVisible(patient);
    expect(filesBelow(storeIn(dataFolder))).toEqual(held);
    await sidebar.getByRole('button', { name: 'Delete when it is closed' }).click();
    await expect(railSession(sidebar, 'ours so far')).toBeHidden(patient);
    await expect(miniChat.getByText('This session was deleted')).toBeVisible(patient);
    await expect(composer(miniChat)).toHaveValue('a draft');
    expect(existsSync(log)).toBe(true);
  } finally {
    await holder.release();
  }
  await expect.poll(() => idsIn(dataFolder), { timeout: 60_000 }).toEqual([]);
  await sidebar.getByRole('button', { name: 'Trash', exact: true }).click();
  await sidebar.getByRole('button', { name: 'Restore ours so far' }).click(patient);
  await expect.poll(() => idsIn(dataFolder), patient).toEqual([id]);
  await sidebar.keyboard.press('Escape');
  await expect(railSession(sidebar, 'ours so far')).toBeVisible(patient);
});

test('a log of a newer program says so in both windows, and nothing of it is touched', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareSession(dataFolder, 'newer', talk('Old words', 2), { topic_title: 'Of the future' });
  writeFileSync(
    fileOf(dataFolder, 'newer', '.events.jsonl'),
    lines({ schema_version: 9, type: 'replace', messages: [{ role: 'user', content: 'unheard of' }] }),
  );
  const before = filesBelow(storeIn(dataFolder));
  const app = await launch({ dataFolder });
  await railSession(app.sidebar, 'Of the future').click(patient);
  await expect(app.sidebar.getByText('Written by a program that is newer than this one.').first()).toBeVisible(patient);
  await messageMode(app);
  await answered(app.sidebar, 'windows.openInMiniChat', { session: globalRef('newer') });
  await expect(app.miniChat.getByRole('button', { name: 'Session: Of the future' })).toBeVisible(patient);
  await expect(app.miniChat.getByRole('region', { name: 'Session', exact: true })).toContainText('Read only', patient);
  await say(app, 'kept');
  await expect(composer(app.miniChat)).toHaveValue('kept');
  await app.quit();
  expect(filesBelow(storeIn(dataFolder))).toEqual(before);
});
