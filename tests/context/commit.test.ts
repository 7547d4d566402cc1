import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../src/files/index.ts';
import { faultyFileSystem } from '../files/support.ts';
import { failure, p1, setUpSmall, window } from './support.ts';

/** The file system of this machine, counting how often a context file is written. */
function counting(): { fileSystem: FileSystem; writes: () => number } {
  let writes = 0;
  const count = (path: string): void => {
    if (path.endsWith('context.json')) writes++;
  };
  return {
    writes: () => writes,
    fileSystem: {
      ...nodeFileSystem,
      rename: async (from, to) => {
        count(to);
        await nodeFileSystem.rename(from, to);
      },
      replaceKept: async (from, to, keep, isExpected) => {
        count(to);
        return nodeFileSystem.replaceKept(from, to, keep, isExpected);
      },
    },
  };
}

describe('changes that come while a write is under way', () => {
  test('go out together: a hundred notes at once are few writes, and each caller gets its own change', async () => {
    const { fileSystem, writes } = counting();
    const setup = await setUpSmall({ fileSystem });
    const { store } = setup;
    const shown = window(setup, await store.context.get(p1));
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_value, index) => store.notes.create({ ...p1, body: `note ${index}` })),
    );
    expect(writes()).toBeLessThanOrEqual(6);
    for (const [index, { note, context }] of answers.entries()) {
      expect(note.body).toBe(`note ${index}`);
      expect([context.base, context.sequence]).toEqual([index, index + 1]);
      expect(context.notes.changed).toEqual([note]);
    }
    expect(shown()).toEqual(await store.context.get(p1));
    expect((await setup.stored()).notes).toHaveLength(101);
  });

  test('one that fails fails alone', async () => {
    const { store } = await setUpSmall();
    const answers = await Promise.allSettled([
      store.notes.create({ ...p1, body: 'first' }),
      store.notes.delete({ ...p1, noteId: 'nobody' }),
      store.todos.update({ ...p1, todoId: 't1', completed: true, revision: '0000000000000000' }),
      store.notes.create({ ...p1, body: 'last' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect((await store.context.get(p1)).notes.map((note) => note.body)).toEqual(['last', 'first', 'alpha']);
  });

  test('each is resolved only when it is on the disk', async () => {
    const setup = await setUpSmall();
    await Promise.all(
      Array.from({ length: 30 }, async (_value, index) => {
        await setup.store.todos.add({ ...p1, text: `todo ${index}` });
        expect(await setup.text('projects', 'p1', 'context.json')).toContain(`"todo ${index}"`);
      }),
    );
  });

  test('what several of them delete comes back one by one', async () => {
    const setup = await setUpSmall();
    const { store } = setup;
    const before = await store.context.get(p1);
    const [note, todo] = await Promise.all([
      store.notes.delete({ ...p1, noteId: 'n1' }),
      store.todos.delete({ ...p1, todoId: 't1' }),
    ]);
    expect(await readdir(setup.path('projects', 'p1', '.sidekeep', 'trash'))).toHaveLength(1);
    expect((await store.context.deleted(p1)).items.map(({ kind }) => kind).sort()).toEqual(['note', 'todos']);
    await store.notes.restore({ ...p1, trashId: note.trashId });
    await store.todos.restore({ ...p1, trashId: todo.trashId });
    expect(await store.context.get(p1)).toMatchObject({ notes: before.notes, todos: before.todos });
    expect(await store.context.deleted(p1)).toEqual({ items: [] });
  });
});

describe('a change that names the context it was based on', () => {
  test('is made while that is the current one, and refused with nothing changed once it is not', async () => {
    const { store } = await setUpSmall();
    const { revision } = await store.context.get(p1);
    if (revision === null) return expect.unreachable('there is a file');
    const first = await store.notes.create({ ...p1, body: 'one', contextRevision: revision });
    const refused = await failure(store.notes.create({ ...p1, body: 'two', contextRevision: revision }), 'conflict');
    expect(refused.detail).toEqual({ revision: first.context.revision });
    const conflicts = [
      store.todos.clearCompleted({ ...p1, contextRevision: revision }),
      store.todos.move({ ...p1, todoId: 't1', before: null, contextRevision: revision }),
      store.plans.create({ ...p1, body: 'x', contextRevision: revision }),
      store.plans.update({ ...p1, planId: 'p1', raw: 'x', contextRevision: revision }),
      store.plans.setPinned({ ...p1, planId: 'p1', pinned: true, contextRevision: revision }),
      store.plans.delete({ ...p1, planId: 'p1', contextRevision: revision }),
    ];
    for (const conflict of conflicts) await failure(conflict, 'conflict');
    expect((await store.context.get(p1)).revision).toBe(first.context.revision);
  });

  test('of two that go out together and name the same one, the first is made and the other refused', async () => {
    const { store } = await setUpSmall();
    const contextRevision = (await store.context.get(p1)).revision ?? '';
    const both = await Promise.allSettled([
      store.notes.create({ ...p1, body: 'one', contextRevision }),
      store.notes.create({ ...p1, body: 'two', contextRevision }),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  test('a revision of a step on the way to a write is never that of a file', async () => {
    const { store } = await setUpSmall();
    await store.context.get(p1);
    const [first, last] = await Promise.all([
      store.notes.create({ ...p1, body: 'one' }),
      store.notes.create({ ...p1, body: 'two' }),
    ]);
    expect((await store.context.get(p1)).revision).toBe(last.context.revision);
    const based = store.notes.create({ ...p1, body: 'x', contextRevision: first.context.revision ?? '' });
    await failure(based, 'conflict');
  });
});

test('a delete that reached the file but was not confirmed can be undone', async () => {
  const fileSystem = faultyFileSystem();
  const setup = await setUpSmall({ fileSystem });
  await setup.store.context.get(p1);
  let renamed = false;
  fileSystem.fault = (call, _index, path) => {
    if (call === 'rename' && path.includes('/.context.json.')) renamed = true;
    return renamed && call === 'handle.sync' && path.endsWith('/p1') ? { code: 'EIO' } : null;
  };
  await failure(setup.store.notes.delete({ ...p1, noteId: 'n1' }), 'io');
  fileSystem.fault = null;
  const { items } = await setup.store.context.deleted(p1);
  await setup.store.notes.restore({ ...p1, trashId: items[0]?.id ?? '' });
  expect((await setup.store.context.get(p1)).notes).toHaveLength(1);
});
