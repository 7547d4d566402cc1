import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OwnerResolver } from '../../src/chats/owner.ts';
import { projectIdOf } from '../../src/context/project-id.ts';
import { temporaryFolder } from '../files/support.ts';

const chats = 'path_chats';

const resolverOf = (chatsRoot: string): OwnerResolver =>
  new OwnerResolver({ chatsRoot, chatsId: async () => chats, projects: async () => [] });

// openchamber/openchamber@26ee335ff
test('only what lies in the folder of chats is a chat, whatever else has that word in its path', async () => {
  const root = await realpath(await temporaryFolder());
  const chatsRoot = join(root, 'config', 'chats');
  const chat = join(chatsRoot, '2026-08-01', 'session-1');
  const backup = join(root, 'backup', 'config', 'chats', '2026-08-01', 'session-1');
  for (const folder of [chat, backup, join(root, 'p'), join(`${chatsRoot}-old`, '2026-08-01', 'session-1')]) {
    await mkdir(folder, { recursive: true });
  }
  const resolver = resolverOf(chatsRoot);
  for (const path of [chatsRoot, chat, `${chat}/`, `${chat}/sub/../sub`, `${chatsRoot}//2026-08-01/session-1`]) {
    expect(await resolver.ownerOf(path), path).toBe(chats);
  }
  const others = {
    [join(`${chatsRoot}-old`, '2026-08-01', 'session-1')]: join(`${chatsRoot}-old`, '2026-08-01', 'session-1'),
    [backup]: backup,
    [`${chatsRoot}/../x`]: join(root, 'config', 'x'),
    [`${chat}/../../../../p`]: join(root, 'p'),
    [join(root, 'config')]: join(root, 'config'),
  };
  for (const [path, real] of Object.entries(others)) {
    expect(await resolver.ownerOf(path), path).toBe(projectIdOf(real));
  }
  for (const path of ['chats/2026-08-01/session-1', './chats', ''])
    expect(await resolver.ownerOf(path), path).toBeNull();
});

// openchamber/openchamber#1316
test('chats behind a link are chats by either path, also for a session that was recorded with the real one', async () => {
  const root = await realpath(await temporaryFolder());
  const real = join(root, 'elsewhere', 'real');
  await mkdir(join(real, '2026-08-01', 'session-1'), { recursive: true });
  await symlink(real, join(root, 'chats'));
  const resolver = resolverOf(join(root, 'chats'));
  for (const path of [
    join(root, 'chats'),
    real,
    join(root, 'chats', '2026-08-01', 'session-1'),
    join(real, '2026-08-01', 'session-1'),
    join(real, '2026-08-01', 'session-gone'),
  ]) {
    expect(await resolver.ownerOf(path), path).toBe(chats);
  }
  expect(await resolver.ownerOf(join(root, 'elsewhere', 'real-old'))).toBe(
    projectIdOf(join(root, 'elsewhere', 'real-old')),
  );
});
