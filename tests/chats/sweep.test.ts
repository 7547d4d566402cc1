import { symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepChatFolders } from '../../src/chats/sweep.ts';
import { faultyFileSystem } from '../files/support.ts';
import { chatFolders, read, write } from './support.ts';

const HOUR = 3_600_000;

/** The folders, and a start of the program so many hours after everything in them was made. */
async function setUp(options: Parameters<typeof chatFolders>[0] = {}) {
  const kit = await chatFolders(options);
  const reported: string[] = [];
  const start = (hours = 25): Promise<number> =>
    sweepChatFolders({
      folders: kit.folders,
      users: kit.users,
      now: () => Date.now() + hours * HOUR,
      report: (where, error) => void reported.push(`${where}: ${error}`),
    });
  return { ...kit, reported, start };
}

test('what is empty, of our shape, older than a day and named by nobody goes, with its day; nothing else does', async () => {
  const { root, name, start } = await setUp();
  const stay = {
    '2026-01-01/session-full/report.md': 'mine',
    '2026-01-01/notes.txt': 'mine',
    '2026-01-01/readme/': '',
    '2026-01-01/Session-x/': '',
    '2026-01-02/session-named/': '',
    '2026-01-03/session-sub/': '',
    '2026-01-04/session-inner/empty/': '',
    'context.json': '{}',
    'plans/a.md': 'plan',
    'plans/session-x/': '',
    'session-x/': '',
  };
  await write(
    root,
    Object.fromEntries(Object.entries(stay).map(([path, text]) => [path, path.endsWith('/') ? null : text])),
  );
  await write(root, {
    '2026-01-01/session-x': null,
    '2026-01-05/session-y': null,
    '2026-01-05/session-z': null,
    '2026-01-06': null,
  });
  name('a', join(root, '2026-01-02/session-named'));
  name('b', join(root, '2026-01-03/session-sub/deep/er'));
  expect(await start()).toBe(3);
  const left = await read(root);
  expect(left).toMatchObject(stay);
  expect(
    Object.keys(left)
      .sort()
      .filter((path) => /session-[xyz]\/$|2026-01-0[56]/.test(path)),
  ).toEqual(['plans/session-x/', 'session-x/']);
});

test('what is younger than a day, or of the future, stays', async () => {
  const { root, start } = await setUp();
  await write(root, { '2026-01-01/session-x': null, '2026-01-01/session-y': null });
  const later = new Date(Date.now() + 100 * HOUR);
  await utimes(join(root, '2026-01-01/session-y'), later, later);
  expect(await start(23)).toBe(0);
  expect(await start(25)).toBe(1);
  expect(Object.keys(await read(root))).toEqual(['2026-01-01/', '2026-01-01/session-y/']);
});

test('nothing goes while the sessions cannot all be read', async () => {
  const { root, state, start } = await setUp();
  await write(root, { '2026-01-01/session-x': null });
  state.unsure = 'One folder of sessions could not be looked at.';
  expect(await start()).toBe(0);
  state.unsure = null;
  expect(await start()).toBe(1);
});

test('without anything to remove nobody has to look at the sessions', async () => {
  const { root, state, start } = await setUp();
  expect(await start()).toBe(0);
  await write(root, { '2026-01-01/session-x/report.md': 'mine', '2026-01-02/notes': 'x' });
  expect(await start()).toBe(0);
  expect(state.asked).toBe(0);
});

test('a link goes as a link; behind one nothing is looked for', async () => {
  const { base, root, start } = await setUp();
  await write(base, { 'outside/keep': 'KEEP', 'outside/session-x': null, 'chats/2026-01-01': null });
  await symlink(join(base, 'outside'), join(root, '2026-01-01/session-link'));
  await symlink(join(base, 'outside'), join(root, '2026-01-02'));
  expect(await start()).toBe(1);
  expect(await read(base)).toEqual({
    'chats/': '',
    'chats/2026-01-02': `-> ${join(base, 'outside')}`,
    'outside/': '',
    'outside/keep': 'KEEP',
    'outside/session-x/': '',
  });
});

test('one that cannot be removed is told, and keeps no other', async () => {
  const fileSystem = faultyFileSystem();
  const { root, reported, start } = await setUp({ fileSystem });
  await write(root, { '2026-01-01/session-a': null, '2026-01-01/session-b': null });
  fileSystem.fault = (call, _index, path) =>
    call === 'rmdir' && path.endsWith('session-a') ? { code: 'EBUSY' } : null;
  expect(await start()).toBe(1);
  expect(reported).toHaveLength(1);
  expect(Object.keys(await read(root))).toEqual(['2026-01-01/', '2026-01-01/session-a/']);
});
