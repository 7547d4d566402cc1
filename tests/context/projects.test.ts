import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectIdOf } from '../../src/context/index.ts';
import { createProjects, type ProjectEntry } from '../../src/context/projects.ts';
import { ProjectList } from '../../src/contract/entities.ts';
import { faultyFileSystem, temporaryFolder } from '../files/support.ts';
import { failure } from './support.ts';

/** A project list over an array of entries and an array of found ids, with folders `demo` and `chats` beside it. */
async function setUp(found: string[] = []) {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'demo'));
  let entries: readonly ProjectEntry[] = [];
  const lists: ProjectList[] = [];
  const fileSystem = faultyFileSystem();
  const projects = createProjects({
    chatsRoot: join(folder, 'chats'),
    entries: {
      load: () => entries,
      save: async (next) => {
        entries = next;
      },
    },
    foundIds: async () => [...found],
    merge: async () => null,
    fileSystem,
    onChange: (list) => void lists.push(ProjectList.parse(list)),
  });
  return {
    projects,
    folder,
    found,
    lists,
    fileSystem,
    saved: () => entries,
    path: (...names: string[]) => join(folder, ...names),
  };
}

describe('the list', () => {
  test('holds Chats, what was added in its order, and what was found by its label', async () => {
    const ids = ['path_L3ov', projectIdOf('/srv/проект'), `path_h_${'a'.repeat(64)}`, projectIdOf('/a/beta'), 'plain'];
    const { projects, path } = await setUp(ids);
    await projects.list({});
    const { project } = await projects.add({ path: path('demo') });
    const list = await projects.list({});
    expect(ProjectList.parse(list)).toEqual(list);
    expect(list.chatsId).toBe(projectIdOf(path('chats')));
    expect(list.projects.map(({ label, added, path }) => [label, added, path])).toEqual([
      ['demo', true, project.path],
      ['beta', false, '/a/beta'],
      ['path_L3ov', false, null],
      [`path_h_${'a'.repeat(13)}…`, false, null],
      ['plain', false, null],
      ['проект', false, '/srv/проект'],
    ]);
  });

  test('tells of a change once, with a sequence that grows', async () => {
    const { projects, found, lists, path } = await setUp();
    expect((await projects.list({})).sequence).toBe(0);
    await projects.refresh();
    expect(lists).toEqual([]);
    found.push('new');
    await projects.refresh();
    await projects.refresh();
    await projects.add({ path: path('demo') });
    await projects.add({ path: path('demo') });
    expect(lists.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect((await projects.list({})).sequence).toBe(2);
  });

  test('an unknown owner is not known; Chats, the added and the found are', async () => {
    const { projects, path } = await setUp(['found']);
    const { project } = await projects.add({ path: path('demo') });
    for (const id of [project.id, 'found', await projects.chatsId()]) expect(await projects.isKnown(id)).toBe(true);
    expect(await projects.isKnown('other')).toBe(false);
  });
});

describe('adding a folder', () => {
  test('gives the id of its path and the name of the folder', async () => {
    const { projects, path, saved } = await setUp();
    const { project, list } = await projects.add({ path: `${path('demo')}//` });
    expect(project).toEqual({
      id: projectIdOf(path('demo')),
      label: 'demo',
      path: path('demo'),
      hidden: false,
      added: true,
    });
    expect(list.projects).toEqual([project]);
    expect(saved()).toEqual([{ id: project.id, path: path('demo'), label: null, hidden: false }]);
  });

  test('through a link is the same project, whichever came first', async () => {
    const { projects, path, saved } = await setUp();
    await symlink('demo', path('link'));
    const { project } = await projects.add({ path: path('link') });
    expect(project.id).toBe(projectIdOf(path('demo')));
    await projects.add({ path: path('demo') });
    await projects.add({ path: path('demo', '..', 'demo') });
    expect(saved()).toHaveLength(1);
  });

  test('that has data under the id of its text keeps it, and its real path is then an alias', async () => {
    const { projects, path, found, saved } = await setUp();
    await symlink('demo', path('link'));
    found.push(projectIdOf(path('link')));
    const { project } = await projects.add({ path: path('link') });
    expect(project).toMatchObject({ id: projectIdOf(path('link')), path: path('link') });
    expect((await projects.add({ path: path('demo') })).project.id).toBe(project.id);
    expect(saved()).toHaveLength(1);
  });

  test('of a long path gets a hashed id, and shows its path', async () => {
    const { projects, path } = await setUp();
    const long = path('漢'.repeat(70));
    await mkdir(long);
    const { project } = await projects.add({ path: long });
    expect(project).toMatchObject({ id: projectIdOf(long), path: long, label: '漢'.repeat(70) });
    expect(project.id).toMatch(/^path_h_/);
  });

  test('is refused when it is not absolute, not there, not a folder, or part of the chats', async () => {
    const { projects, path, saved, fileSystem } = await setUp();
    await writeFile(path('file'), '');
    await mkdir(path('chats', '2026-03-01'), { recursive: true });
    await symlink(path('chats', '2026-03-01'), path('into-chats'));
    for (const bad of [
      'demo',
      './demo',
      '~/demo',
      path('file'),
      path('chats'),
      path('chats', '2026-03-01'),
      path('into-chats'),
      '/a\0b',
    ]) {
      await failure(projects.add({ path: bad }), 'invalid');
    }
    await failure(projects.add({ path: path('nowhere') }), 'not-found');
    fileSystem.fault = (call) => (call === 'realpath' ? { code: 'EACCES' } : null);
    expect((await failure(projects.add({ path: path('demo') }), 'io')).message).not.toContain('/');
    expect(saved()).toEqual([]);
  });

  test('whose path gives the id of another folder is refused, until that one is gone', async () => {
    const { projects, path, saved } = await setUp();
    for (const name of [path('demo '), path('a\\b')]) await mkdir(name);
    await mkdir(path('a', 'b'), { recursive: true });
    expect(projectIdOf(path('demo '))).toBe(projectIdOf(path('demo')));
    expect((await failure(projects.add({ path: path('demo ') }), 'invalid')).detail).toMatchObject({
      reason: 'same-id',
    });
    const { project } = await projects.add({ path: path('a', 'b') });
    await failure(projects.add({ path: path('a\\b') }), 'invalid');
    expect(saved()).toMatchObject([{ id: project.id, path: path('a', 'b') }]);
    await rename(path('demo'), path('moved'));
    expect((await projects.add({ path: path('demo ') })).project).toMatchObject({ path: path('demo ') });
    await rename(path('moved'), path('demo'));
    await failure(projects.add({ path: path('demo') }), 'invalid');
    expect(saved()).toHaveLength(2);
  });

  test('shows a hidden project again, with its label', async () => {
    const { projects, path } = await setUp();
    const { project } = await projects.add({ path: path('demo') });
    await projects.rename({ projectId: project.id, label: ' My\ndemo ' });
    expect((await projects.hide({ projectId: project.id, hidden: true })).project).toMatchObject({ hidden: true });
    expect((await projects.add({ path: path('demo') })).project).toMatchObject({ hidden: false, label: 'My demo' });
  });
});

test('a found project can be renamed and hidden; Chats and the unknown cannot', async () => {
  const { projects, saved } = await setUp(['path_L2E']);
  const { project } = await projects.hide({ projectId: 'path_L2E', hidden: true });
  expect(project).toEqual({ id: 'path_L2E', label: 'a', path: '/a', hidden: true, added: true });
  expect(saved()).toEqual([{ id: 'path_L2E', path: '/a', label: null, hidden: true }]);
  await failure(projects.rename({ projectId: 'other', label: 'x' }), 'not-found');
  await failure(projects.rename({ projectId: await projects.chatsId(), label: 'x' }), 'not-found');
});

test('a label in which nothing can be seen gives the name of the folder back', async () => {
  const { projects } = await setUp(['path_L2E']);
  await projects.rename({ projectId: 'path_L2E', label: 'mine' });
  expect((await projects.rename({ projectId: 'path_L2E', label: '\u0001\u0085' })).project.label).toBe('a');
});

test('the chats of a root behind a link keep the id under which they have data', async () => {
  const { path, found, folder } = await setUp();
  await mkdir(path('real', 'chats'), { recursive: true });
  await symlink('real', path('linked'));
  const make = () =>
    createProjects({
      chatsRoot: path('linked', 'chats'),
      entries: { load: () => [], save: () => undefined },
      foundIds: async () => found,
      merge: async () => null,
      onChange: () => undefined,
    });
  expect((await make().list({})).chatsId).toBe(projectIdOf(path('linked', 'chats')));
  found.push(projectIdOf(path('real', 'chats')));
  expect(await make().chatsId()).toBe(projectIdOf(path('real', 'chats')));
  expect((await make().list({})).projects).toEqual([]);
  await rename(path('real'), join(folder, 'moved'));
});

test('many additions at once are all kept', async () => {
  const { projects, path, saved } = await setUp();
  const names = Array.from({ length: 20 }, (_value, index) => path(`p${index}`));
  await Promise.all(names.map((name) => mkdir(name)));
  await Promise.all(names.map((name) => projects.add({ path: name })));
  expect(saved().map((entry) => entry.path)).toEqual(names);
});
