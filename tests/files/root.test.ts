import { mkdir, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { childPath, isInside, nodeFileSystem, Root, resolveExisting } from '../../src/files/index.ts';
import { temporaryFolder } from './support.ts';

describe('a root', () => {
  test('may be reached through a link, which is resolved once', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'real'));
    await mkdir(join(folder, 'other'));
    await symlink('real', join(folder, 'root'));
    const root = new Root(nodeFileSystem, join(folder, 'root'));
    expect(await root.locate('a', 'b')).toBe(join(folder, 'real', 'a', 'b'));
    await rename(join(folder, 'root'), join(folder, 'old'));
    await symlink('other', join(folder, 'root'));
    expect(await root.path()).toBe(join(folder, 'real'));
  });

  test('need not exist, and is resolved when it does', async () => {
    const folder = await temporaryFolder();
    await symlink(folder, join(folder, 'here'));
    const root = new Root(nodeFileSystem, join(folder, 'here', 'later', 'root'));
    expect(await root.path()).toBe(join(folder, 'later', 'root'));
    expect(await root.has()).toBe(false);
    await mkdir(join(folder, 'later', 'root', 'projects'), { recursive: true });
    expect(await root.has('projects')).toBe(true);
  });

  test('lets nothing below it be reached through a link', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'root', 'projects'), { recursive: true });
    await mkdir(join(folder, 'outside'));
    await symlink(join(folder, 'outside'), join(folder, 'root', 'projects', 'linked'));
    await symlink('nowhere', join(folder, 'root', 'projects', 'dangling'));
    const root = new Root(nodeFileSystem, join(folder, 'root'));
    for (const name of ['linked', 'dangling']) {
      await expect(root.locate('projects', name, 'context.json')).rejects.toMatchObject({
        code: 'io',
        detail: { reason: 'link' },
      });
    }
    expect(await root.locate('projects', 'plain', 'context.json')).toContain('plain');
  });
});

test('a name is one name: nothing leaves its folder', () => {
  for (const name of ['', '.', '..', '...', 'a/b', 'a\\b', '../a', '/etc', 'a\0b']) {
    expect(() => childPath('/root', name), JSON.stringify(name)).toThrow('not a name');
  }
  expect(childPath('/root', 'a', '..b', 'c:d')).toBe(join('/root', 'a', '..b', 'c:d'));
});

test('inside is decided by whole names', () => {
  expect(isInside('/a/chats', '/a/chats')).toBe(true);
  expect(isInside('/a/chats', '/a/chats/..x/y')).toBe(true);
  expect(isInside('/a/chats', '/a/chats-old')).toBe(false);
  expect(isInside('/', '/a')).toBe(true);
});

test('a path is resolved as far as it exists', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'real'));
  await symlink('real', join(folder, 'link'));
  expect(await resolveExisting(nodeFileSystem, join(folder, 'link', 'x', 'y'))).toBe(join(folder, 'real', 'x', 'y'));
  await writeFile(join(folder, 'file'), '');
  await expect(resolveExisting(nodeFileSystem, join(folder, 'file', 'x'))).rejects.toMatchObject({ code: 'io' });
  expect(await realpath(folder)).toBe(folder);
});
