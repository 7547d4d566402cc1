import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { callBridge } from './bridge.ts';
import { makeDataFolder } from './launch-app.ts';
import { composer } from './mini-chat-parts.ts';
import {
  answered,
  fileOf,
  filesBelow,
  globalRef,
  idsIn,
  lines,
  listed,
  messageMode,
  openInBoth,
  pageOf,
  patient,
  prepareSession,
  railSession,
  recorded,
  say,
  sayRecorded,
  storeIn,
  talk,
  texts,
} from './session-parts.ts';
import { expect, test } from './test.ts';

// Each starts the program and waits for the disk and the watcher.
test.slow();

/** Makes a small file system of a folder where that is allowed; null where it is not. */
function mountSmall(folder: string): { unmount(): void } | null {
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]);
  return mounted.status === 0 ? { unmount: () => void spawnSync('umount', ['-l', folder]) } : null;
}

test('both windows write to one session at once: one order, nothing lost, nothing twice', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  const app = await launch({ dataFolder });
  await messageMode(app);
  await sayRecorded(app, 'begun');
  const [id = ''] = idsIn(dataFolder);
  const session = globalRef(id);
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  const sends = numbers.flatMap((index) =>
    // Each is tried twice at once, as a window does that did not get its answer.
    [0, 1].map(() =>
      answered<{ total: number }>(app.miniChat, 'sessions.append', {
        session,
        text: `number ${index}`,
        messageId: `m${index}`,
      }),
    ),
  );
  const titles = numbers.map((index) =>
    answered(app.sidebar, 'sessions.rename', { session, title: `Title ${index % 7}` }),
  );
  const copies = [0, 1, 2].map(() =>
    answered<{ row: { session: { id: string } } }>(app.sidebar, 'sessions.fork', { session }),
  );
  expect(await callBridge(app.sidebar, 'sessions.append', { session, text: 'no', messageId: 'no' })).toMatchObject({
    ok: false,
    error: { code: 'absent' },
  });
  await Promise.all([...sends, ...titles, ...copies]);
  const all = recorded(dataFolder, id);
  expect(all.filter((text) => text.startsWith('number')).sort()).toEqual(
    numbers.map((index) => `number ${index}`).sort(),
  );
  expect(all).toHaveLength(41);
  for (const copy of copies) {
    const { row } = await copy;
    const copied = recorded(dataFolder, row.session.id);
    expect(copied, 'a copy is a beginning of it').toEqual(all.slice(0, copied.length));
  }
  await expect.poll(() => readFileSync(fileOf(dataFolder, id), 'utf8').trimEnd().split('\n').length, patient).toBe(41);
  expect((await pageOf(app.sidebar, session)).messages.map(({ content }) => content)).toEqual(all);
});

test('a full disk: what was not recorded says so and stays, nothing is torn, and it is recorded once when there is room', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  const small = mountSmall(path.join(dataFolder, 'sessions'));

  try {
    const app = await launch({ dataFolder });
    await messageMode(app);
    await sayRecorded(app, 'while there is room');
    const [id = ''] = idsIn(dataFolder);
    await expect.poll(() => readFileSync(fileOf(dataFolder, id), 'utf8'), patient).toContain('while there is room');
    const logFile = fileOf(dataFolder, id, '.events.jsonl');
    const filler = path.join(dataFolder, 'sessions', 'filler');
    // Whoever may not make a small disk sees what a disk does that takes nothing.
    if (small === null) chmodSync(logFile, 0o400);
    else spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4096', 'count=1000']);
    const log = readFileSync(logFile);
    const long = `does not fit ${'x'.repeat(20_000)}`;
    await say(app, long);
    await expect(app.miniChat.getByText(/^Not recorded: the disk could not be used/)).toBeVisible(patient);
    expect(readFileSync(logFile).subarray(0, log.length).equals(log)).toBe(true);
    if (small === null) chmodSync(logFile, 0o600);
    else rmSync(filler);
    await app.miniChat.getByRole('button', { name: 'Try again' }).first().click();
    await expect(app.miniChat.getByText(/^Recorded \d\d:\d\d\./)).toBeVisible(patient);
    expect((await pageOf(app.sidebar, globalRef(id))).messages.filter(({ kind }) => kind === 'message')).toHaveLength(
      2,
    );
    expect(recorded(dataFolder, id)).toEqual(['while there is room', long]);
    await app.quit();
  } finally {
    small?.unmount();
  }
});

test('the folder of the store moves away and back: nothing is made in its place, nothing is lost', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  prepareSession(dataFolder, 'theirs', talk('Theirs', 2));
  const app = await launch({ dataFolder });
  await messageMode(app);
  await sayRecorded(app, 'before');
  const [id = ''] = idsIn(dataFolder).filter((one) => one.endsWith('-sidekeep'));
  await expect.poll(() => existsSync(fileOf(dataFolder, id, '.event-index.json')), patient).toBe(true);
  const away = `${storeIn(dataFolder)}.away`;
  renameSync(storeIn(dataFolder), away);
  await expect(railSession(app.sidebar, 'before')).toBeHidden(patient);
  const before = filesBelow(away);
  await composer(app.miniChat).fill('meanwhile');
  await app.miniChat.keyboard.press('Enter');
  const refused = await callBridge(app.miniChat, 'sessions.append', {
    session: globalRef(id),
    text: 'meanwhile',
    messageId: 'x',
  });
  expect(refused).toMatchObject({ ok: false });
  expect(idsIn(dataFolder), 'no session is made again in its place').toEqual([]);
  expect(filesBelow(away)).toEqual(before);
  rmSync(storeIn(dataFolder), { recursive: true, force: true });
  renameSync(away, storeIn(dataFolder));
  await expect(railSession(app.sidebar, 'before')).toBeVisible(patient);
  await expect(railSession(app.sidebar, 'Theirs 0')).toBeVisible();
  const shown = async () => `${await composer(app.miniChat).inputValue()} ${(await texts(app.miniChat)).join(' ')}`;
  await expect.poll(shown, patient).toContain('meanwhile');
  expect(recorded(dataFolder, id)[0]).toBe('before');
});

test('a file of a session that becomes a link or a pipe is not followed and does not hold anything up', async ({
  launch,
}) => {
  const dataFolder = makeDataFolder(false);
  const app = await launch({ dataFolder });
  await messageMode(app);
  await sayRecorded(app, 'ours');
  const [id = ''] = idsIn(dataFolder);
  prepareSession(dataFolder, 'good', talk('Good', 2));
  await expect(railSession(app.sidebar, 'Good 0')).toBeVisible(patient);
  const outside = path.join(dataFolder, 'outside.jsonl');
  const log = fileOf(dataFolder, id, '.events.jsonl');
  renameSync(log, outside);
  for (const replace of [() => symlinkSync(outside, log), () => execFileSync('mkfifo', [log])]) {
    replace();
    const input = { session: globalRef(id), text: 'through a link', messageId: 'link' };
    expect(await callBridge(app.miniChat, 'sessions.append', input)).toMatchObject({ ok: false });
    await callBridge(app.sidebar, 'sessions.page', { session: globalRef(id) });
    expect(readFileSync(outside, 'utf8')).not.toContain('through a link');
    expect((await pageOf(app.sidebar, globalRef('good'))).total, 'others are read').toBe(2);
    rmSync(log);
  }
  renameSync(outside, log);
  const again = { session: globalRef(id), text: 'as before', messageId: 'before' };
  await expect.poll(async () => (await callBridge(app.miniChat, 'sessions.append', again)).ok, patient).toBe(true);
  expect(recorded(dataFolder, id)).toEqual(['ours', 'as before']);
});

const hostile = [
  '..',
  '../../../etc/passwd',
  'a/b',
  'a\\b',
  '.hidden',
  '',
  ' padded',
  'padded ',
  'nul\0',
  'line\nbreak',
  'c:evil',
  'x'.repeat(250),
  '.trash/x',
  '/etc/passwd',
];

test('ids that lead elsewhere are refused by every call, and nothing is touched', async ({ launch }) => {
  const dataFolder = makeDataFolder(false);
  prepareSession(dataFolder, 'good', talk('Good', 2));
  writeFileSync(path.join(dataFolder, 'sessions', 'outside.jsonl'), lines({ role: 'user', content: 'not a session' }));
  const app = await launch({ dataFolder });
  await expect(railSession(app.sidebar, 'Good 0')).toBeVisible(patient);
  const before = filesBelow(path.join(dataFolder, 'sessions'));
  const sessions = [
    ...hostile.map((id) => ({ store: 'global', id })),
    ...['project:..', 'project:../x', 'project:', 'project:a/b', '../sessions', ''].map((store) => ({
      store,
      id: 'good',
    })),
    { store: 'global', id: '../outside' },
    { store: 'global', id: 'good', path: '/etc/passwd' },
  ];
  for (const session of sessions) {
    const calls: [string, object][] = [
      ['get', { session }],
      ['page', { session }],
      ['find', { session, query: 'x' }],
      ['rename', { session, title: 'x' }],
      ['fork', { session }],
      ['delete', { session }],
      ['delete', { session, whenFree: true }],
      ['append', { session, text: 'x', messageId: 'x' }],
    ];
    for (const [call, input] of calls) {
      const answer = await callBridge(app.miniChat, `sessions.${call}`, input);
      expect(answer, `${call} ${JSON.stringify(session)}`).toMatchObject({ ok: false });
      expect(answer.error?.code).toMatch(/^(invalid|not-found)$/);
      expect(answer.error?.message ?? '').not.toContain(dataFolder);
    }
  }
  for (const name of ['..', 'a/b', '../sessions', '.', '']) {
    for (const [page, call, input] of [
      [app.sidebar, 'restore', { store: 'global', name }],
      [app.sidebar, 'purge', { items: [{ store: 'global', name }] }],
    ] as const) {
      const answer = await callBridge(page, `sessions.${call}`, input);
      if (answer.ok) expect(answer.value).toMatchObject({ purged: 0 });
    }
  }
  const ours = ([name]: [string, string]) => !name.startsWith('.sidekeep-owner');
  const after = Object.fromEntries(Object.entries(filesBelow(path.join(dataFolder, 'sessions'))).filter(ours));
  expect(after).toEqual(Object.fromEntries(Object.entries(before).filter(ours)));
  await openInBoth(app, 'Good 0');
  expect((await listed(app.sidebar)).map(({ session }) => session.id)).toEqual(['good']);
});
