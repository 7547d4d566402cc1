import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownerIds } from '../../src/context/data-folder.ts';
import { projectIdOf } from '../../src/context/index.ts';
import type { Move } from '../../src/context/merge.ts';
import { type MovedId, movedEntries, withMoved } from '../../src/context/project-entries.ts';
import { createProjects, type ProjectEntry } from '../../src/context/projects.ts';
import { projects as contract } from '../../src/contract/application.ts';
import type { ProjectList } from '../../src/contract/entities.ts';
import { Failure } from '../../src/contract/errors.ts';
import { nodeFileSystem, Root } from '../../src/files/index.ts';
import { openMerges, setUpMerge } from './merge-support.ts';
import { failure } from './support.ts';

const note = (body: string) => ({ version: 2, notes: [{ id: body, body }], todos: [], plans: [] });

/** A project list over real data and real merges, with the folder `demo` beside the root. */
async function setUp() {
  const data = await setUpMerge();
  const path = (...names: string[]): string => join(data.root, '..', ...names);
  await mkdir(path('demo'));
  const settings: { entries: readonly ProjectEntry[]; failing: boolean } = { entries: [], failing: false };
  const lists: ProjectList[] = [];
  const open = () => {
    const opened = openMerges(data.root, { finish: (move) => projects.moved(move) });
    const projects = createProjects({
      chatsRoot: join(data.root, 'chats'),
      entries: {
        load: () => settings.entries,
        save: async (entries) => {
          if (settings.failing) throw new Failure('io', 'The settings could not be saved.');
          settings.entries = entries;
        },
      },
      foundIds: () => ownerIds(nodeFileSystem, new Root(nodeFileSystem, data.root)),
      merge: (move, finish) => opened.merges.merge(move, finish),
      onChange: (list) => void lists.push(list),
    });
    return { projects, merges: opened.merges };
  };
  const { projects, merges } = open();
  return {
    ...data,
    projects,
    merges,
    open,
    lists,
    settings,
    path,
    /** Puts a context with one note. */
    putNote: (id: string, body: string) => data.put(`${id}/context.json`, note(body)),
    bodies: async (id: string) =>
      ((await data.json(`${id}/context.json`)).notes as { body: string }[]).map(({ body }) => body),
  };
}

test('a moved folder keeps its data, label and place under the id of its new path', async () => {
  const { projects, putNote, bodies, path, settings, lists } = await setUp();
  const { project: other } = await projects.add({ path: path('demo') });
  await mkdir(path('old'));
  const { project } = await projects.add({ path: path('old') });
  await projects.rename({ projectId: project.id, label: 'Mine' });
  await projects.hide({ projectId: project.id, hidden: true });
  await putNote(project.id, 'n');
  await rename(path('old'), path('new'));
  const relocated = await projects.relocate({ projectId: project.id, path: path('new') });
  expect(contract.relocate.output.parse(relocated)).toEqual(relocated);
  const id = projectIdOf(path('new'));
  expect(relocated).toMatchObject({
    project: { id, label: 'Mine', path: path('new'), hidden: true, added: true },
    merged: { notes: 1, todos: 0, plans: 0 },
  });
  expect(settings.entries.map((entry) => entry.id)).toEqual([other.id, id]);
  expect(lists.at(-1)?.projects.map((one) => one.id)).toEqual([other.id, id]);
  expect(lists.at(-1)?.moved).toEqual([{ from: project.id, to: id }]);
  expect(await bodies(id)).toEqual(['n']);
  expect(await projects.isKnown(project.id)).toBe(false);
  await failure(projects.relocate({ projectId: project.id, path: path('new') }), 'not-found');
});

test('a folder that is another project makes the two one; the label of that one stays, and it is seen', async () => {
  const { projects, putNote, bodies, path, settings } = await setUp();
  await mkdir(path('old'));
  const { project: old } = await projects.add({ path: path('old') });
  const { project: demo } = await projects.add({ path: path('demo') });
  await symlink('demo', path('link'));
  await projects.rename({ projectId: old.id, label: 'Old' });
  await projects.rename({ projectId: demo.id, label: 'Demo' });
  await projects.hide({ projectId: demo.id, hidden: true });
  await putNote(old.id, 'old');
  await putNote(demo.id, 'demo');
  const { project, merged } = await projects.relocate({ projectId: old.id, path: path('link') });
  expect(project).toMatchObject({ id: demo.id, label: 'Demo', hidden: false, path: path('demo') });
  expect(merged).toEqual({ notes: 1, todos: 0, plans: 0 });
  expect(await bodies(demo.id)).toEqual(['demo', 'old']);
  expect(settings.entries).toHaveLength(1);
});

test('a project without data only gets another id; one with the same id only another path', async () => {
  const { projects, path, settings, tree } = await setUp();
  await mkdir(path('old'));
  const { project } = await projects.add({ path: path('old') });
  expect(await projects.relocate({ projectId: project.id, path: path('demo') })).toMatchObject({ merged: null });
  expect(settings.entries).toMatchObject([{ id: projectIdOf(path('demo')), path: path('demo') }]);
  await rename(path('demo'), path('demo '));
  const { id } = settings.entries[0] ?? { id: '' };
  expect(await projects.relocate({ projectId: id, path: path('demo ') })).toMatchObject({
    project: { id, path: path('demo ') },
    merged: null,
  });
  expect(await tree()).toEqual({});
});

describe('a project that was only found, by an id that does not tell its folder,', () => {
  test('gets the folder whose hash it is, and keeps its id', async () => {
    const { projects, putNote, path, settings } = await setUp();
    const long = path('漢'.repeat(70));
    await mkdir(long);
    const id = projectIdOf(long);
    await putNote(id, 'n');
    expect(await projects.relocate({ projectId: id, path: long })).toMatchObject({
      project: { id, path: long, added: true },
      merged: null,
    });
    expect(settings.entries).toEqual([{ id, path: long, label: null, hidden: false }]);
  });

  test('becomes part of any other folder', async () => {
    const { projects, putNote, bodies, path, settings } = await setUp();
    const id = `path_h_${'a'.repeat(64)}`;
    await putNote(id, 'n');
    const { project, merged } = await projects.relocate({ projectId: id, path: path('demo') });
    expect([project.id, project.path, merged?.notes]).toEqual([projectIdOf(path('demo')), path('demo'), 1]);
    expect(await bodies(project.id)).toEqual(['n']);
    expect(settings.entries).toHaveLength(1);
    expect(await projects.isKnown(id)).toBe(false);
  });
});

test('what cannot be a project is refused, and so are Chats and what is not in the list', async () => {
  const { projects, putNote, path, root, settings } = await setUp();
  await mkdir(path('old'));
  await mkdir(join(root, 'chats', '2026-03-01'), { recursive: true });
  await writeFile(path('file'), '');
  const { project } = await projects.add({ path: path('old') });
  const before = settings.entries;
  for (const bad of ['demo', '~/demo', path('file'), join(root, 'chats'), join(root, 'chats', '2026-03-01'), '/a\0b']) {
    await failure(projects.relocate({ projectId: project.id, path: bad }), 'invalid');
  }
  await failure(projects.relocate({ projectId: project.id, path: path('nowhere') }), 'not-found');
  await failure(projects.relocate({ projectId: 'other', path: path('demo') }), 'not-found');
  const chats = await projects.chatsId();
  await putNote(chats, 'chat');
  await failure(projects.relocate({ projectId: chats, path: path('demo') }), 'not-found');
  for (const name of ['a\\b', 'a']) await mkdir(path(name));
  await mkdir(path('a', 'b'));
  await projects.add({ path: path('a', 'b') });
  expect((await failure(projects.relocate({ projectId: project.id, path: path('a\\b') }), 'invalid')).detail).toEqual({
    field: 'path',
    reason: 'same-id',
  });
  expect(settings.entries.slice(0, 1)).toEqual(before);
});

test('data that cannot be merged leaves the list as it was', async () => {
  const { projects, put, putNote, path, settings, tree } = await setUp();
  await mkdir(path('old'));
  const { project } = await projects.add({ path: path('old') });
  await putNote(project.id, 'n');
  await put(`${projectIdOf(path('demo'))}/context.json`, '');
  const [entries, files] = [settings.entries, await tree()];
  await failure(projects.relocate({ projectId: project.id, path: path('demo') }), 'malformed');
  expect(settings.entries).toEqual(entries);
  expect(await tree()).toEqual(files);
  expect(await projects.isKnown(project.id)).toBe(true);
});

test.each(['the next start', 'the same call'])(
  'a program that ends between the merge and its settings: %s finishes both, once',
  async (by) => {
    const { projects, putNote, bodies, path, settings, open } = await setUp();
    await mkdir(path('old'));
    const { project } = await projects.add({ path: path('old') });
    await projects.rename({ projectId: project.id, label: 'Mine' });
    await putNote(project.id, 'n');
    settings.failing = true;
    await failure(projects.relocate({ projectId: project.id, path: path('demo') }), 'io');
    expect(settings.entries).toMatchObject([{ id: project.id }]);
    settings.failing = false;
    const id = projectIdOf(path('demo'));
    if (by === 'the same call') {
      expect(await projects.relocate({ projectId: project.id, path: path('demo') })).toMatchObject({
        project: { id, label: 'Mine' },
        merged: { notes: 1 },
      });
    } else {
      const later = open();
      await later.merges.resume();
      expect((await later.projects.list({})).projects).toMatchObject([{ id, label: 'Mine', path: path('demo') }]);
      await open().merges.resume();
    }
    expect(settings.entries).toEqual([{ id, path: path('demo'), label: 'Mine', hidden: false }]);
    expect(await bodies(id)).toEqual(['n']);
    expect(await readdir(path('context', 'projects', id, '.sidekeep'))).not.toContain('merge.json');
  },
);

test('the entries after a move are the same when it is told once more', () => {
  const entry = (id: string, rest: Partial<ProjectEntry> = {}): ProjectEntry => ({
    ...{ id, path: `/${id}`, label: null, hidden: false },
    ...rest,
  });
  const move: Move = { from: 'a', to: 'b', path: '/new' };
  for (const [entries, moved] of [
    [
      [entry('a', { label: 'A', hidden: true }), entry('c')],
      [entry('b', { path: '/new', label: 'A', hidden: true }), entry('c')],
    ],
    [[entry('b', { hidden: true }), entry('a', { label: 'A' })], [entry('b', { path: '/new', label: 'A' })]],
    [[entry('b', { hidden: true }), entry('a', { hidden: true })], [entry('b', { path: '/new', hidden: true })]],
    [[entry('b', { hidden: true })], [entry('b', { path: '/new', hidden: true })]],
    [[], [entry('b', { path: '/new' })]],
  ] as const) {
    expect(movedEntries(entries, move)).toEqual(moved);
    expect(movedEntries(moved, move)).toEqual(moved);
  }
});

test('an id that became another one names the id that it has now', () => {
  const after = (...moves: [from: string, to: string][]) =>
    moves.reduce<readonly MovedId[]>((moved, [from, to]) => withMoved(moved, { from, to }), []);
  expect(after(['a', 'b'], ['b', 'c'])).toEqual([
    { from: 'a', to: 'c' },
    { from: 'b', to: 'c' },
  ]);
  expect(after(['a', 'b'], ['b', 'a'])).toEqual([{ from: 'b', to: 'a' }]);
  expect(after(['a', 'b'], ['c', 'a'])).toEqual([{ from: 'c', to: 'a' }]);
  expect(after(['a', 'b'], ['a', 'b'])).toEqual([{ from: 'a', to: 'b' }]);
  const many = after(...Array.from({ length: 30 }, (_, index): [string, string] => [`from${index}`, `to${index}`]));
  expect([many.length, many.at(-1)?.from]).toEqual([20, 'from29']);
});

test('a project that is added again is no longer one that moved', async () => {
  const { projects, path, lists } = await setUp();
  await mkdir(path('old'));
  const { project } = await projects.add({ path: path('old') });
  const { list } = await projects.relocate({ projectId: project.id, path: path('demo') });
  expect(list.moved).toEqual([{ from: project.id, to: projectIdOf(path('demo')) }]);
  expect((await projects.add({ path: path('old') })).list.moved).toEqual([]);
  expect(lists.map(({ moved }) => moved.length)).toEqual([1, 0]);
});

test('a merge that an earlier run left open tells what moved', async () => {
  const { projects, path, settings, lists } = await setUp();
  const [from, to] = ['old', projectIdOf(path('demo'))];
  settings.entries = [{ id: from, path: null, label: null, hidden: false }];
  await projects.list({});
  await projects.moved({ from, to, path: path('demo') });
  await projects.refresh();
  expect(lists.map(({ moved }) => moved)).toEqual([[{ from, to }]]);
});
