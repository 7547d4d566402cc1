import { chmod, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TrashedRef } from '../../src/contract/entities.ts';
import type { FileSystem } from '../../src/files/index.ts';
import { nodeFileSystem } from '../../src/files/index.ts';
import { faultyFileSystem, systemError } from '../files/support.ts';
import { chatsWithTrash, read, write } from './support.ts';

const PLACE = '2026-03-01/session-x';
const DAY_MS = 24 * 60 * 60 * 1000;
const none: TrashedRef = { store: 'global', name: 'none' };

/** The file system of this machine, with the chats on another disk than the sessions. */
function twoDisks(): FileSystem {
  const isChats = (path: string): boolean => path.includes('/chats');
  const refuse = (from: string, to: string): void => {
    if (isChats(from) !== isChats(to)) throw systemError('EXDEV');
  };
  return {
    ...nodeFileSystem,
    lstat: async (path) => {
      const status = await nodeFileSystem.lstat(path);
      return isChats(path) ? Object.assign(status, { dev: status.dev + 1n }) : status;
    },
    rename: async (from, to) => {
      refuse(from, to);
      await nodeFileSystem.rename(from, to);
    },
    link: async (from, to) => {
      refuse(from, to);
      await nodeFileSystem.link(from, to);
    },
  };
}

describe('the folder of a chat that is deleted', () => {
  test('goes along when it is empty, and comes back with it', async () => {
    const { root, open, session } = await chatsWithTrash();
    await write(root, { [PLACE]: null, 'context.json': '{}' });
    const ref = await session('s', join(root, PLACE));
    const trash = open();
    const deleted = await trash.deleteWith(ref);
    expect(deleted).toEqual({ trashed: expect.anything(), folderKept: null });
    expect(await read(root)).toEqual({ 'context.json': '{}' });
    expect(await trash.list()).toMatchObject([{ folderFiles: 0, purgeAt: expect.any(Number), problem: null }]);
    await trash.restore(deleted.trashed ?? none);
    expect(await read(root)).toEqual({ 'context.json': '{}', '2026-03-01/': '', [`${PLACE}/`]: '' });
  });

  test.each([undefined, 'keep'] as const)('stays when it holds files and its person says %s', async (folder) => {
    const { root, open, session } = await chatsWithTrash();
    await write(root, { [`${PLACE}/a`]: 'mine', [`${PLACE}/b/c`]: 'mine' });
    const before = await read(root);
    const { trashed, folderKept } = await open().deleteWith(await session('s', join(root, PLACE)), { folder });
    expect(trashed).not.toBeNull();
    expect(folderKept).toContain('2 files');
    expect(await read(root)).toEqual(before);
    expect(await open().list()).toMatchObject([{ folderFiles: null, purgeAt: expect.any(Number) }]);
  });

  test.each([
    ['on the same disk', () => nodeFileSystem],
    ['on another disk', twoDisks],
  ])('with files goes along when it is said, and comes back as it was: %s', async (_name, system) => {
    const { base, root, store, open, session } = await chatsWithTrash(system());
    await write(base, { 'outside/keep': 'KEEP' });
    await write(root, { [`${PLACE}/run.sh`]: '#!/bin/sh', [`${PLACE}/a/b/c`]: 'mine', [`${PLACE}/empty`]: null });
    await symlink(join(base, 'outside'), join(root, PLACE, 'way-out'));
    await chmod(join(root, PLACE, 'run.sh'), 0o755);
    const before = await read(root);
    const ref = await session('s', join(root, PLACE));
    const trash = open();
    const { trashed } = await trash.deleteWith(ref, { folder: 'trash' });
    expect(await read(root)).toEqual({});
    expect(await read(join(store, '.trash', trashed?.name ?? '', '.sidekeep-folder'))).toEqual({
      'run.sh': '#!/bin/sh',
      'a/': '',
      'a/b/': '',
      'a/b/c': 'mine',
      'empty/': '',
      'way-out': `-> ${join(base, 'outside')}`,
    });
    expect(await trash.list()).toMatchObject([{ folderFiles: 3, purgeAt: null, problem: null }]);
    await open().restore(trashed ?? none);
    expect(await read(root)).toEqual(before);
    expect((await stat(join(root, PLACE, 'run.sh'))).mode & 0o777).toBe(0o755);
    expect(await readdir(join(store, '.trash'))).toEqual([]);
    expect(await readFile(join(base, 'outside/keep'), 'utf8')).toBe('KEEP');
  });

  test('is named in the journal by its place, never by a path', async () => {
    const { base, root, store, open, session } = await chatsWithTrash();
    await write(root, { [`${PLACE}/a`]: 'mine' });
    const { trashed } = await open().deleteWith(await session('s', join(root, PLACE)), { folder: 'trash' });
    const journal = await readFile(join(store, '.trash', trashed?.name ?? '', '.sidekeep-journal.json'), 'utf8');
    expect(JSON.parse(journal).artifacts).toContainEqual({ name: PLACE, kind: 'own-folder', bytes: null });
    expect(journal).not.toContain(base);
  });

  test('with files is never purged but on request, however old; without files it is', async () => {
    const { root, store, open, session, advance } = await chatsWithTrash();
    await write(root, { [`${PLACE}/a`]: 'mine', '2026-03-01/session-y': null });
    await open().deleteWith(await session('s', join(root, PLACE)), { folder: 'trash' });
    await open().deleteWith(await session('t', join(root, '2026-03-01/session-y')));
    advance(400 * DAY_MS);
    const trash = open();
    expect(await trash.reconcile()).toMatchObject({ purged: 1 });
    const [item, ...others] = await trash.list();
    expect(others).toEqual([]);
    expect(item).toMatchObject({ session: { id: 's' }, folderFiles: 1, purgeAt: null });
    expect(await trash.purge(item ? [item] : [])).toEqual({ purged: 1, failed: [] });
    expect(
      Object.keys(await read(store)).filter((name) => name.includes('session-') || name.includes('.sidekeep-folder')),
    ).toEqual([]);
  });

  test('is removed for good without following a link in it, read-only folders included', async () => {
    const { base, root, open, session } = await chatsWithTrash();
    await write(base, { 'outside/keep': 'KEEP', [`chats/${PLACE}/locked/a`]: 'x' });
    await symlink(join(base, 'outside'), join(root, PLACE, 'way-out'));
    await chmod(join(root, PLACE, 'locked'), 0o555);
    const trash = open();
    const { trashed } = await trash.deleteWith(await session('s', join(root, PLACE)), { folder: 'trash' });
    expect(await trash.purge([trashed ?? none])).toEqual({ purged: 1, failed: [] });
    expect(await readFile(join(base, 'outside/keep'), 'utf8')).toBe('KEEP');
  });

  test('that is a link goes as a link', async () => {
    const { base, root, open, session } = await chatsWithTrash();
    await write(base, { 'outside/keep': 'KEEP', 'chats/2026-03-01': null });
    await symlink(join(base, 'outside'), join(root, PLACE));
    const trash = open();
    const { trashed, folderKept } = await trash.deleteWith(await session('s', join(root, PLACE)));
    expect(folderKept).toBeNull();
    expect(await read(root)).toEqual({});
    await trash.purge([trashed ?? none]);
    expect(await readFile(join(base, 'outside/keep'), 'utf8')).toBe('KEEP');
  });

  test.each<[string, (root: string) => string]>([
    ['itself', (root) => join(root, PLACE)],
    ['something in it', (root) => join(root, PLACE, 'src')],
    ['it by another way', (root) => `${root}/2026-03-01/../${PLACE}`],
  ])('stays when another session names %s', async (_name, directory) => {
    const { root, open, session, own } = await chatsWithTrash();
    await write(root, { [PLACE]: null });
    const ref = await session('s', join(root, PLACE));
    await session('fork', directory(root));
    expect(await own.stateOf(join(root, PLACE), ref)).toMatchObject({
      folder: PLACE,
      exists: true,
      stays: expect.stringContaining('Another session'),
    });
    const { trashed, folderKept } = await open().deleteWith(ref, { folder: 'trash' });
    expect(trashed).not.toBeNull();
    expect(folderKept).toContain('Another session');
    expect(await read(root)).toHaveProperty([`${PLACE}/`]);
  });

  test('stays when it cannot be told who uses it', async () => {
    const { root, open, session, state } = await chatsWithTrash();
    await write(root, { [PLACE]: null });
    state.unsure = 'One folder of sessions could not be looked at.';
    const { folderKept } = await open().deleteWith(await session('s', join(root, PLACE)), { folder: 'trash' });
    expect(folderKept).toContain('cannot be told');
    expect(await read(root)).toHaveProperty([`${PLACE}/`]);
  });

  test.each<[string, (root: string) => string]>([
    ['the root of the chats', (root) => root],
    ['a day', (root) => join(root, '2026-03-01')],
    ['something deeper', (root) => join(root, PLACE, 'deep')],
    ['a path with dots', (root) => `${root}/2026-03-01/session-y/../session-x`],
    ['a folder of another shape', (root) => join(root, '2026-03-01', 'mine')],
    ['a neighbour of the root', (root) => join(`${root}-old`, PLACE)],
    ['a folder with the same names elsewhere', (root) => join(root, '..', 'elsewhere', 'chats', PLACE)],
  ])('is none where the session names %s', async (_name, directory) => {
    const { base, root, open, session } = await chatsWithTrash();
    await write(base, {
      [`chats/${PLACE}/deep/a`]: 'mine',
      'chats/2026-03-01/mine/a': 'mine',
      [`chats-old/${PLACE}/a`]: 'mine',
      [`elsewhere/chats/${PLACE}/a`]: 'mine',
    });
    const ref = await session('s', directory(root));
    const before = await read(base);
    const { trashed, folderKept } = await open().deleteWith(ref, { folder: 'trash' });
    expect(trashed).not.toBeNull();
    expect(folderKept).toBeNull();
    const after = await read(base);
    for (const [name, content] of Object.entries(before))
      if (!name.startsWith('sessions/')) expect(after[name], name).toBe(content);
  });

  test('behind a link instead of its day stays', async () => {
    const { base, root, open, session } = await chatsWithTrash();
    await write(base, { 'outside/session-x/a': 'mine', chats: null });
    await symlink(join(base, 'outside'), join(root, '2026-03-01'));
    const { trashed, folderKept } = await open().deleteWith(await session('s', join(root, PLACE)), { folder: 'trash' });
    expect(trashed).not.toBeNull();
    expect(folderKept).toContain('link');
    expect(await readFile(join(base, 'outside/session-x/a'), 'utf8')).toBe('mine');
  });

  test('that is gone already keeps nobody from deleting the chat', async () => {
    const { root, open, session } = await chatsWithTrash();
    expect(await open().deleteWith(await session('s', join(root, PLACE)), { folder: 'trash' })).toEqual({
      trashed: expect.anything(),
      folderKept: null,
    });
  });
});

describe('a chat that comes back', () => {
  test('gets its folder although an empty one was made in its place', async () => {
    const { root, open, session } = await chatsWithTrash();
    await write(root, { [`${PLACE}/a`]: 'mine' });
    const trash = open();
    const { trashed } = await trash.deleteWith(await session('s', join(root, PLACE)), { folder: 'trash' });
    await write(root, { [PLACE]: null });
    await trash.restore(trashed ?? none);
    expect(await read(root)).toMatchObject({ [`${PLACE}/a`]: 'mine' });
  });

  test('stays in the trash, whole, while something else has the place of its folder', async () => {
    const { root, store, open, session } = await chatsWithTrash();
    await write(root, { [`${PLACE}/a`]: 'mine' });
    const trash = open();
    const { trashed } = await trash.deleteWith(await session('s', join(root, PLACE)), { folder: 'trash' });
    await write(root, { [`${PLACE}/b`]: 'later' });
    const before = await read(store);
    await expect(trash.restore(trashed ?? none)).rejects.toMatchObject({
      code: 'conflict',
      detail: { reason: 'taken', name: PLACE },
    });
    expect(await read(store)).toEqual(before);
    expect((await read(root))[`${PLACE}/b`]).toBe('later');
    await rm(join(root, PLACE), { recursive: true });
    await trash.restore(trashed ?? none);
    expect((await read(root))[`${PLACE}/a`]).toBe('mine');
  });
});

test('a folder whose session another program brought back can come back alone', async () => {
  const { root, store, open, session } = await chatsWithTrash();
  await write(root, { [`${PLACE}/a`]: 'mine' });
  const ref = await session('s', join(root, PLACE));
  const { trashed } = await open().deleteWith(ref, { folder: 'trash' });
  const entry = join(store, '.trash', trashed?.name ?? '');
  for (const name of await readdir(entry)) {
    if (name.startsWith('s.')) await rename(join(entry, name), join(store, name));
  }
  const { findings } = await open().report();
  expect(findings.filter(({ repair }) => repair === 'remove')).toEqual([]);
  await open().restore(trashed ?? none);
  expect(await read(root)).toMatchObject({ [`${PLACE}/a`]: 'mine' });
  expect((await readdir(store)).sort()).toEqual(['.trash', 's.jsonl', 's.jsonl.meta']);
  expect(await readdir(join(store, '.trash'))).toEqual([]);
});

describe('a chat that is to be deleted when it is free', () => {
  test.each([
    ['trash', {}],
    ['keep', { [`${PLACE}/a`]: 'mine' }],
  ] as const)('takes with it what was said then: %s', async (folder, left) => {
    const { root, store, open, session } = await chatsWithTrash();
    await write(root, { [`${PLACE}/a`]: 'mine' });
    const ref = await session('s', join(root, PLACE));
    const lease = join(store, 's.jsonl.lease.json');
    const seen = new Date().toISOString();
    await writeFile(lease, JSON.stringify({ pid: 7, hostname: 'elsewhere', acquired_at: seen }));
    expect(await open().deleteWith(ref, { whenFree: true, folder })).toEqual({ trashed: null, folderKept: null });
    expect(await read(root)).toMatchObject({ [`${PLACE}/a`]: 'mine' });
    await rm(lease);
    expect(await open().reconcile()).toMatchObject({ deleted: [{}] });
    expect(await read(root)).toEqual(folder === 'keep' ? { '2026-03-01/': '', [`${PLACE}/`]: '', ...left } : left);
  });
});

describe('whichever call to the disk fails', () => {
  const calls = ['mkdir', 'rename', 'open wx', 'open r', 'handle.sync', 'lstat', 'readdir', 'rmdir', 'unlink'];

  test.each(calls)('%s: chat and folder are both there, or both in the trash after the next start', async (call) => {
    for (let turn = 0; turn < 40; turn++) {
      const system = faultyFileSystem();
      const { root, open, session } = await chatsWithTrash(system);
      await write(root, { [`${PLACE}/a/b`]: 'mine' });
      const ref = await session('s', join(root, PLACE));
      const before = await read(root);
      const trash = open();
      let seen = 0;
      system.fault = (name) => (name === call && seen++ === turn ? { code: 'EIO' } : null);
      const outcome = await trash.deleteWith(ref, { folder: 'trash' }).catch((error: unknown) => error);
      system.fault = null;
      await trash.dispose();
      if (seen <= turn) break;
      const again = open();
      await again.reconcile();
      const items = await again.list();
      const left = await read(root);
      const folderStayed =
        typeof outcome === 'object' && outcome !== null && 'folderKept' in outcome && outcome.folderKept !== null;
      if (items.length === 0 || folderStayed) expect(left, `${call} ${turn}`).toEqual(before);
      else {
        expect(left, `${call} ${turn}`).not.toHaveProperty([`${PLACE}/`]);
        expect(items, `${call} ${turn}`).toMatchObject([{ folderFiles: 1 }]);
        await again.restore(items[0] ?? none);
        expect(await read(root)).toEqual(before);
      }
    }
  });

  test.each(calls)('%s: the same while they come back', async (call) => {
    for (let turn = 0; turn < 40; turn++) {
      const system = faultyFileSystem();
      const { root, store, open, session } = await chatsWithTrash(system);
      await write(root, { [`${PLACE}/a/b`]: 'mine' });
      const ref = await session('s', join(root, PLACE));
      const before = await read(root);
      const { trashed } = await open().deleteWith(ref, { folder: 'trash' });
      const trash = open();
      let seen = 0;
      system.fault = (name) => (name === call && seen++ === turn ? { code: 'EIO' } : null);
      await trash.restore(trashed ?? none).catch((error: unknown) => expect(error).toHaveProperty('code'));
      system.fault = null;
      await trash.dispose();
      if (seen <= turn) break;
      const again = open();
      await again.reconcile();
      const isLive = (await readdir(store)).includes('s.jsonl');
      const left = await read(root);
      if (isLive) expect(left, `${call} ${turn}`).toEqual(before);
      else {
        expect(left, `${call} ${turn}`).not.toHaveProperty([`${PLACE}/`]);
        expect(await again.list(), `${call} ${turn}`).toMatchObject([{ folderFiles: 1 }]);
        await again.restore(trashed ?? none);
        expect(await read(root)).toEqual(before);
      }
    }
  });
});
