import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type KnownProject, OwnerResolver, type OwnerResolverOptions } from '../../src/chats/owner.ts';
import { projectIdOf } from '../../src/context/project-id.ts';
import { faultyFileSystem, temporaryFolder } from '../files/support.ts';

const chats = 'path_chats';

/** A resolver over a folder of its own, with `chats`, `work/app` and `work/app/src` in it. */
async function setUp(options: Partial<OwnerResolverOptions> = {}) {
  const root = await realpath(await temporaryFolder());
  const at = (...names: string[]): string => join(root, ...names);
  await mkdir(at('chats', '2026-03-01', 'session-1'), { recursive: true });
  await mkdir(at('work', 'app', 'src'), { recursive: true });
  const projects: KnownProject[] = [];
  const resolver = new OwnerResolver({
    chatsRoot: at('chats'),
    chatsId: async () => chats,
    projects: async () => projects,
    ...options,
  });
  return { at, projects, resolver, idOf: (...names: string[]) => projectIdOf(at(...names)) };
}

/** As much of a repository as git would know one by. */
async function makeRepository(folder: string): Promise<void> {
  await mkdir(join(folder, '.git', 'objects'), { recursive: true });
  await writeFile(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
}

test('the chats root, and everything in it, is one owner; what only looks like it is not', async () => {
  const { at, resolver, idOf } = await setUp();
  for (const path of [
    at('chats'),
    at('chats', '2026-03-01', 'session-1'),
    at('chats', 'not', 'there', 'yet'),
    `${at('chats')}/`,
  ]) {
    expect(await resolver.ownerOf(path), path).toBe(chats);
  }
  expect(await resolver.ownerOf(at('chats-old'))).toBe(idOf('chats-old'));
  expect(await resolver.ownerOf(`${at('chats')}/../work/app`)).toBe(idOf('work', 'app'));
  expect(await resolver.ownerOf(at('chats', '..x'))).toBe(chats);
});

test('a chat in a repository is a chat', async () => {
  const { at, resolver } = await setUp();
  await makeRepository(at());
  expect(await resolver.ownerOf(at('chats', '2026-03-01', 'session-1'))).toBe(chats);
});

test('a blank path, a relative one and one with a zero byte have no owner', async () => {
  const { resolver } = await setUp();
  for (const path of ['', '  ', 'work/app', './x', '..', '~', 'C:\\x', '/a\0b']) {
    expect(await resolver.ownerOf(path), path).toBeNull();
  }
});

test('a known project is found by its text, through a link on either side, and by an id that has no path', async () => {
  const { at, projects, resolver, idOf } = await setUp();
  await symlink(at('work', 'app'), at('link'));
  projects.push({ id: 'named', path: at('work', 'app') });
  expect(await resolver.ownerOf(at('work', 'app'))).toBe('named');
  expect(await resolver.ownerOf(at('link'))).toBe('named');
  expect(await resolver.ownerOf(`${at('link')}///`)).toBe('named');
  projects[0] = { id: 'through', path: at('link') };
  resolver.projectsChanged();
  expect(await resolver.ownerOf(at('work', 'app'))).toBe('through');
  projects[0] = { id: idOf('link'), path: null };
  resolver.projectsChanged();
  expect(await resolver.ownerOf(at('work', 'app'))).toBe(idOf('link'));
});

test('a folder below a known project is not the project, unless git says so', async () => {
  const { at, projects, resolver, idOf } = await setUp();
  projects.push({ id: 'app', path: at('work', 'app') });
  expect(await resolver.ownerOf(at('work', 'app', 'src'))).toBe(idOf('work', 'app', 'src'));
  await makeRepository(at('work', 'app'));
  expect(await resolver.ownerOf(at('work', 'app', 'src'))).toBe('app');
  expect(await resolver.ownerOf(at('work', 'app', 'src', 'not', 'there'))).toBe('app');
});

test('a known project in a repository stands for itself', async () => {
  const { at, projects, resolver } = await setUp();
  await makeRepository(at('work'));
  projects.push({ id: 'app', path: at('work', 'app') });
  expect(await resolver.ownerOf(at('work', 'app'))).toBe('app');
});

test('a repository that is no project gives the id of its root', async () => {
  const { at, resolver, idOf } = await setUp();
  await makeRepository(at('work'));
  expect(await resolver.ownerOf(at('work', 'app', 'src'))).toBe(idOf('work'));
  expect(await resolver.ownerOf(at('work'))).toBe(idOf('work'));
});

test('a folder that is gone is resolved by its deepest part that is there', async () => {
  const { at, resolver, idOf } = await setUp();
  await symlink(at('work'), at('link'));
  expect(await resolver.ownerOf(at('link', 'gone', 'deep'))).toBe(idOf('work', 'gone', 'deep'));
  expect(await resolver.ownerOf(at('link', 'app'))).toBe(idOf('work', 'app'));
  await rm(at('work', 'app'), { recursive: true });
  expect(await resolver.ownerOf(at('link', 'app'))).toBe(idOf('work', 'app'));
  await writeFile(at('file'), '');
  expect(await resolver.ownerOf(at('file', 'below'))).toBe(idOf('file', 'below'));
  await symlink('loop', at('loop'));
  expect(await resolver.ownerOf(at('loop', 'x'))).toBe(idOf('loop', 'x'));
});

test('upper and lower case are one where disks mostly do not tell them apart', async () => {
  const folder = '/Code/App';
  const projects = async () => [{ id: 'app', path: folder }];
  const options = { chatsRoot: '/Chats', chatsId: async () => chats, projects };
  const mac = new OwnerResolver({ ...options, platform: 'darwin' });
  expect(await mac.ownerOf('/code/APP')).toBe('app');
  expect(await mac.ownerOf('/chats/x')).toBe(chats);
  const linux = new OwnerResolver({ ...options, platform: 'linux' });
  expect(await linux.ownerOf('/code/APP')).toBe(projectIdOf('/code/APP'));
});

test('a disk that fails or does not answer makes the directory its own owner', async () => {
  const system = faultyFileSystem();
  const { at, resolver, idOf } = await setUp({ fileSystem: system, worktreeLimit: 50 });
  await makeRepository(at('work'));
  system.fault = (call, _index, path) => (call === 'lstat' && path.includes('.git') ? { code: 'EACCES' } : null);
  expect(await resolver.ownerOf(at('work', 'app'))).toBe(idOf('work', 'app'));
  system.fault = null;
  const stuck = await setUp({ fileSystem: { ...system, lstat: () => new Promise(() => {}) }, worktreeLimit: 50 });
  expect(await stuck.resolver.ownerOf(stuck.at('work', 'app'))).toBe(stuck.idOf('work', 'app'));
});
