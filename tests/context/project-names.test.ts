import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectIdOf } from '../../src/context/index.ts';
import { createProjects, type ProjectEntry } from '../../src/context/projects.ts';
import { ProjectId } from '../../src/contract/entities.ts';
import { idProblem } from '../../src/files/owner-folder.ts';
import { temporaryFolder } from '../files/support.ts';
import { failure, setUp } from './support.ts';

// anthropics/claude-code#70076, anthropics/claude-code#7009
test('folders whose names differ only in special characters are projects of their own', async () => {
  const folder = await temporaryFolder();
  const names = ['my_app', 'my-app', 'my.app', 'my/app', '日本', '日木', 'A b'];
  const paths = names.map((name) => join(folder, 'w', name));
  let entries: readonly ProjectEntry[] = [];
  const { store, path } = await setUp();
  const projects = createProjects({
    chatsRoot: join(folder, 'chats'),
    entries: {
      load: () => entries,
      save: (next) => {
        entries = next;
      },
    },
    foundIds: () => store.projectIds(),
    merge: async () => null,
    onChange: () => undefined,
  });
  const ids: string[] = [];
  for (const place of paths) {
    await mkdir(place, { recursive: true });
    const { project } = await projects.add({ path: place });
    expect(ProjectId.safeParse(project.id).success).toBe(true);
    expect(project.path).toBe(place);
    ids.push(project.id);
    await store.notes.create({ projectId: project.id, body: place });
  }
  expect(ids).toEqual(paths.map(projectIdOf));
  expect(new Set(ids).size).toBe(7);
  expect((await readdir(path('projects'))).sort()).toEqual(ids.toSorted());
  for (const [index, projectId] of ids.entries()) {
    expect((await store.context.get({ projectId })).notes.map(({ body }) => body)).toEqual([paths[index]]);
  }
});

// forum.obsidian.md t/44984
describe('ids that are no folder everywhere', () => {
  const ids = ['app:chats', 'a:b', 'C:x', 'nul', 'p.'];

  test('name one where they can, each its own, and can be merged', async () => {
    const { store, stored } = await setUp({ platform: 'linux' });
    for (const projectId of [...ids, 'a_b']) await store.notes.create({ projectId, body: projectId });
    expect(await store.projectIds()).toEqual([...ids, 'a_b'].toSorted());
    for (const projectId of [...ids, 'a_b']) {
      expect((await store.context.get({ projectId })).notes).toMatchObject([{ body: projectId }]);
    }
    await store.merge({ from: 'a:b', to: 'a_b', path: null }, () => undefined);
    expect(await stored('a_b')).toMatchObject({ notes: [{ body: 'a_b' }, { body: 'a:b' }] });
    expect(await store.projectIds()).toEqual([...ids, 'a_b'].filter((id) => id !== 'a:b').toSorted());
  });

  test('are refused on Windows, which would take them for devices, streams or other folders', async () => {
    const { store, root } = await setUp({ platform: 'win32' });
    for (const projectId of ids) {
      expect(idProblem(projectId, 'win32')).not.toBeNull();
      await failure(store.context.get({ projectId }), 'invalid');
      await failure(store.notes.create({ projectId, body: 'x' }), 'invalid');
      await failure(store.plans.create({ projectId, body: 'x' }), 'invalid');
    }
    await expect(readdir(root)).rejects.toMatchObject({ code: 'ENOENT' });
    await store.notes.create({ projectId: 'a_b', body: 'x' });
  });
});

// anthropics/claude-code#41311
test('projects whose ids every object has merge with all they hold', async () => {
  const { store, put, stored } = await setUp();
  const names = ['constructor', 'toString', '__proto__'];
  for (const name of names) {
    await put({ version: 2, notes: [{ id: name, body: name }], todos: [{ id: 'hasOwnProperty', text: name }] }, name);
  }
  await store.merge({ from: '__proto__', to: 'toString', path: null }, () => undefined);
  await store.merge({ from: 'toString', to: 'constructor', path: null }, () => undefined);
  const merged = await stored('constructor');
  expect((merged.notes as { id: string }[]).map(({ id }) => id)).toEqual(names);
  expect((merged.todos as { text: string }[]).map(({ text }) => text)).toEqual(names);
  expect(Reflect.get({}, 'body')).toBeUndefined();
  expect(await store.projectIds()).toEqual(['constructor']);
});
