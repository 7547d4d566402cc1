import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/context/change.ts';
import { mutate } from '../../src/context/commit.ts';
import { type ContextDocument, readDocument, writtenDocument } from '../../src/context/document.ts';
import { createNote, deleteNote } from '../../src/context/note-changes.ts';
import { removePlanLink } from '../../src/context/plan-links.ts';
import { deletePlan } from '../../src/context/plan-operations.ts';
import { always } from '../../src/context/project-context.ts';
import { restoreNote, restorePlanLink, restoreTodos } from '../../src/context/restore-changes.ts';
import { restorePlan } from '../../src/context/restore-plan.ts';
import { clearCompleted, deleteTodo, moveTodo, updateTodo } from '../../src/context/todo-changes.ts';
import { type RemovedItem, removedFrom } from '../../src/context/trash-item.ts';
import { limits } from '../../src/contract/entities.ts';
import { type JsonObject, own, parseStored, serialiseStored } from '../../src/files/json.ts';
import { writableList } from '../../src/files/stored-list.ts';
import { faultyFileSystem } from '../files/support.ts';
import { type Owner, setUpOwner } from './owner.ts';
import { failure, NOW, small } from './support.ts';

const todo = (id: string, completed = false, more: JsonObject = {}): JsonObject => ({
  id,
  text: `text of ${id}`,
  completed,
  createdAt: 1,
  ...more,
});
const todosOf = (...todos: unknown[]): ContextDocument => readDocument({ version: 2, todos }, 0);

/** The state after a change, and what the change deleted. */
function applied(change: Change<unknown>): { document: ContextDocument; removed: RemovedItem } {
  const raw = change.raw ?? expect.unreachable('nothing changed');
  return { document: readDocument(raw, 0), removed: change.removed ?? { kind: 'note', entries: [] } };
}

const next = (document: ContextDocument, change: Change<unknown>): ContextDocument =>
  change.raw === null ? document : readDocument(change.raw, 0);

const ids = (document: ContextDocument, list: 'notes' | 'todos' | 'plans' = 'todos'): string =>
  document[list].raw
    .map((entry) => (typeof entry === 'object' && entry ? own(entry as JsonObject, 'id') : 'odd'))
    .join(' ');

describe('a deleted todo', () => {
  test('comes back whole, to its place', () => {
    const text = '{"todos":[{"id":"a","text":"a"},{"id":"b","text":"b","n":1e999,"x":{"y":[]}},{"id":"c","text":"c"}]}';
    const before = readDocument(parseStored(Buffer.from(text), ''), 0);
    const { document, removed } = applied(deleteTodo(before, { todoId: 'b' }));
    const restored = restoreTodos(document, removed);
    expect(restored.result.todos).toMatchObject([{ id: 'b', text: 'b' }]);
    expect(serialiseStored({ todos: own(restored.raw ?? {}, 'todos') })).toEqual(
      serialiseStored(parseStored(Buffer.from(text), '')),
    );
  });

  test('comes back behind the one that it stood behind, wherever that is now', () => {
    const before = todosOf(todo('a'), todo('b'), todo('c'), todo('d'));
    const { document, removed } = applied(deleteTodo(before, { todoId: 'b' }));
    const moved = next(document, moveTodo(document, { todoId: 'a', before: null }));
    expect(ids(next(moved, restoreTodos(moved, removed)))).toBe('c d a b');
  });

  test('comes back before the one that stood behind it when the one before it is gone, else near its old place', () => {
    const before = todosOf(todo('a'), todo('b'), todo('c'), todo('d'), todo('e'));
    const { removed } = applied(deleteTodo(before, { todoId: 'b' }));
    const without = (...gone: string[]) =>
      todosOf(...before.todos.raw.filter((one) => !gone.includes(String(own(one as JsonObject, 'id')))));
    const restore = (document: ContextDocument) => ids(next(document, restoreTodos(document, removed)));
    expect(restore(without('b', 'a'))).toBe('b c d e');
    expect(restore(without('b', 'a', 'c'))).toBe('d b e');
    expect(restore(todosOf())).toBe('b');
  });

  test('that is there as it was is left alone, also with keys that another program added', () => {
    const before = todosOf(todo('a'), todo('b'));
    const { removed } = applied(deleteTodo(before, { todoId: 'b' }));
    for (const document of [before, todosOf(todo('a'), { pinned: false, ...todo('b') })]) {
      expect(restoreTodos(document, removed)).toMatchObject({ raw: null, result: { todos: [{ id: 'b' }] } });
    }
  });

  test('whose id another one has by now comes back beside it under an id of its own, once', () => {
    const before = todosOf(todo('a'), todo('b'), todo('c'));
    const { removed } = applied(deleteTodo(before, { todoId: 'b' }));
    const changed = next(before, updateTodo(before, { todoId: 'b', text: 'other' }));
    const first = restoreTodos(changed, removed);
    const id = first.result.todos[0]?.id ?? '';
    expect(id).toMatch(/^todo_[0-9a-f]{16}$/);
    const restored = next(changed, first);
    expect(ids(restored)).toBe(`a ${id} b c`);
    expect(restored.todos.entries.map(({ view }) => view.text)).toEqual([
      'text of a',
      'text of b',
      'other',
      'text of c',
    ]);
    expect(restoreTodos(restored, removed)).toEqual({ raw: null, result: first.result });
  });

  test('does not fit into a full list, and nothing is changed', () => {
    const before = todosOf(todo('x'), ...Array.from({ length: limits.todos - 1 }, (_, index) => todo(`t${index}`)));
    const { document, removed } = applied(deleteTodo(before, { todoId: 'x' }));
    const full = todosOf(...document.todos.raw, todo('y'));
    expect(() => restoreTodos(full, removed)).toThrow(
      expect.objectContaining({ code: 'limit', detail: { limit: 500 } }),
    );
    expect(restoreTodos(document, removed).raw).not.toBeNull();
  });
});

describe('todos that went together', () => {
  test('come back together and in their old order', () => {
    const before = todosOf(
      todo('a', true),
      todo('b', true),
      todo('c'),
      todo('d', true),
      todo('e', true),
      todo('f', true),
    );
    const { document, removed } = applied(clearCompleted(before));
    expect(ids(document)).toBe('c');
    expect(ids(next(document, restoreTodos(document, removed)))).toBe('a b c d e f');
    const emptied = next(document, deleteTodo(document, { todoId: 'c' }));
    expect(ids(next(emptied, restoreTodos(emptied, removed)))).toBe('a b d e f');
    const grown = todosOf(todo('x'), todo('c'), todo('y'));
    expect(ids(next(grown, restoreTodos(grown, removed)))).toBe('x a b c d e f y');
  });

  test('come back without those that are there already, all or none', () => {
    const before = todosOf(todo('a', true), todo('b', true), todo('c', true));
    const { removed } = applied(clearCompleted(before));
    const some = todosOf(todo('b', true));
    const restored = restoreTodos(some, removed);
    expect(ids(next(some, restored))).toBe('a b c');
    expect(restored.result.todos.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    const full = todosOf(todo('b', true), ...Array.from({ length: limits.todos - 2 }, (_, index) => todo(`t${index}`)));
    expect(() => restoreTodos(full, removed)).toThrow(expect.objectContaining({ code: 'limit' }));
  });
});

const entry = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', ' e ', ''),
      text: fc.string({ minLength: 1, maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(17, null, { id: 'a' }, { id: 'odd', text: ' ' }, []) },
);

test('whatever was deleted from whatever list comes back to exactly its place', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), fc.infiniteStream(fc.boolean()), (todos, chosen) => {
      const stored = readDocument({ version: 2, todos }, 0);
      const before = readDocument(writtenDocument(stored, { todos: writableList(stored.todos).raw }), 0);
      const list = writableList(before.todos);
      const gone = [...list.positions.keys()].filter(() => chosen.next().value);
      const removed = removedFrom('todos', list, gone);
      const places = new Set(gone.map((id) => list.positions.get(id)));
      const left = readDocument({ version: 2, todos: list.raw.filter((_one, place) => !places.has(place)) }, 0);
      const { raw, result } = restoreTodos(left, removed);
      expect(raw === null).toBe(gone.length === 0);
      if (raw !== null) expect(own(raw, 'todos')).toEqual(before.todos.raw);
      expect(result.todos).toHaveLength(gone.length);
      expect(restoreTodos(before, removed).raw).toBeNull();
    }),
    { numRuns: 500 },
  );
});

test('restoring into any list loses nothing of it, keeps its order and shows all that came back', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), fc.array(entry, { maxLength: 8 }), (todos, others) => {
      const list = writableList(readDocument({ todos }, 0).todos);
      const removed = removedFrom('todos', list, list.positions.keys());
      const document = readDocument({ version: 2, todos: others }, 0);
      const { raw, result } = restoreTodos(document, removed);
      const restored = raw === null ? document : readDocument(raw, 0);
      const shown = restored.todos.entries.map(({ view }) => view.id);
      expect(shown.filter((id) => document.todos.entries.some(({ view }) => view.id === id))).toEqual(
        document.todos.entries.map(({ view }) => view.id),
      );
      expect(result.todos.map(({ text }) => text)).toEqual(removed.entries.map(({ raw }) => raw.text));
      for (const { id, text } of result.todos) {
        expect(restored.todos.entries.find(({ view }) => view.id === id)?.view.text).toBe(text);
      }
      expect(restoreTodos(restored, removed)).toEqual({ raw: null, result });
    }),
    { numRuns: 500 },
  );
});

describe('a deleted note', () => {
  test('comes back with its dates, its pin and its unknown keys, to its place below a newer one', () => {
    const notes = [
      { id: 'a', body: 'a', createdAt: 5, updatedAt: 9, pinned: true, colour: 'red', origin: { sessionId: 's', x: 1 } },
      { id: 'b', body: 'b', createdAt: 4 },
    ];
    const before = readDocument({ version: 2, notes }, 0);
    const { document, removed } = applied(deleteNote(before, { noteId: 'a' }));
    const grown = next(document, createNote(document, { body: 'new' }, 'c', NOW));
    const { raw, result } = restoreNote(grown, removed);
    expect(own(raw ?? {}, 'notes')).toEqual([expect.objectContaining({ id: 'c' }), ...notes]);
    expect(result.note).toEqual(before.notes.entries[0]?.view);
  });

  test('does not fit into a full list', () => {
    const note = (id: string) => ({ id, body: id, createdAt: 1 });
    const notes = Array.from({ length: limits.notes }, (_, index) => note(`n${index}`));
    const before = readDocument({ version: 2, notes }, 0);
    const { document, removed } = applied(deleteNote(before, { noteId: 'n3' }));
    const full = next(document, createNote(document, { body: 'new' }, 'c', NOW));
    expect(() => restoreNote(full, removed)).toThrow(expect.objectContaining({ code: 'limit' }));
  });
});

test('the link of a plan comes back whole, under another file name if it has to', () => {
  const plans = [
    { id: 'a', file: 'a.md', title: 'A', createdAt: 2, pinned: true, x: [1] },
    { id: 'b', file: 'b.md', title: 'B', createdAt: 1 },
  ];
  const before = readDocument({ version: 2, plans }, 0);
  const { document, removed } = applied(removePlanLink(before, 'a'));
  expect(own(restorePlanLink(document, removed, 'a.md').raw ?? {}, 'plans')).toEqual(plans);
  expect(own(restorePlanLink(document, removed, 'a-1.md').raw ?? {}, 'plans')).toEqual([
    { ...plans[0], file: 'a-1.md' },
    plans[1],
  ]);
  expect(restorePlanLink(before, removed, 'a.md')).toEqual({ raw: null, result: { id: 'a', file: 'a.md' } });
});

describe('a deleted plan', () => {
  const FILE = '1700000000-alpha.md';
  const TEXT = '# Alpha\r\n\r\nbody \n';

  interface Deleted extends Owner {
    trashId: string;
    trashPlan(): string;
    restore(): ReturnType<typeof restorePlan>;
  }

  /** The sample with its plan deleted, and the program started again. */
  async function deleted(options: { shared?: boolean; link?: boolean } = {}): Promise<Deleted> {
    const fileSystem = faultyFileSystem();
    const owner = await setUpOwner({ fileSystem });
    const plans = [...small.plans, ...(options.shared ? [{ ...small.plans[0], id: 'p2' }] : [])];
    await owner.put({ ...small, plans }, 'context.json');
    if (options.link) {
      await owner.put('secret', 'target');
      await symlink(owner.path('target'), owner.path('plans', FILE));
    } else {
      await owner.put(TEXT, 'plans', FILE);
    }
    const { trashId } = await deletePlan(owner.context, { planId: 'p1' });
    const context = owner.restarted();
    return {
      ...owner,
      context,
      trashId,
      trashPlan: () => owner.path('.sidekeep', 'trash', `${trashId}.md`),
      restore: () => restorePlan(context, { trashId }),
    };
  }

  test('comes back byte for byte, with its link and its name, and stays in the trash', async () => {
    const owner = await deleted();
    expect(await owner.names('plans')).toEqual([]);
    const { plan, context } = await owner.restore();
    expect(plan).toMatchObject({ id: 'p1', file: FILE, title: 'Alpha', createdAt: 1_700_000_000_000, missing: false });
    expect(context.plans.changed).toEqual([plan]);
    expect(await owner.text('plans', FILE)).toBe(TEXT);
    expect(await readFile(owner.trashPlan(), 'utf8')).toBe(TEXT);
    expect((await owner.stored()).plans).toEqual(small.plans);
    // A second press of the button.
    expect(await owner.restore()).toMatchObject({ plan });
    expect(await owner.names('plans')).toEqual([FILE]);
  });

  test('comes back under another name when something has its own, whoever made that', async () => {
    const owner = await deleted();
    await owner.put('theirs', 'plans', FILE);
    await owner.put('theirs', 'plans', '1700000000-alpha-1.md');
    const { plan } = await owner.restore();
    expect(plan).toMatchObject({ id: 'p1', file: '1700000000-alpha-2.md', title: 'Alpha' });
    expect(await owner.text('plans', FILE)).toBe('theirs');
    expect(await owner.text('plans', plan.file)).toBe(TEXT);
  });

  test('comes back from where it still is when the program ended before the move', async () => {
    const owner = await deleted();
    await rename(owner.trashPlan(), owner.path('plans', FILE));
    expect((await owner.restore()).plan).toMatchObject({ file: FILE, missing: false });
    expect(await owner.text('plans', FILE)).toBe(TEXT);
  });

  test('does not take over a file that is another plan by now', async () => {
    const owner = await deleted();
    await rm(owner.trashPlan());
    await owner.put('other', 'plans', FILE);
    const stored = {
      ...small,
      plans: [{ id: 'other', file: FILE.toUpperCase().replace('.MD', '.md'), title: 'Other' }],
    };
    await owner.put(stored, 'context.json');
    const error = await failure(owner.restore(), 'not-found');
    expect(error.message).toContain('gone');
    expect(await owner.stored()).toEqual(stored);
  });

  test('whose text is gone from both places says so, and changes nothing', async () => {
    const owner = await deleted();
    await rm(owner.trashPlan());
    const before = await owner.text('context.json');
    expect(await failure(owner.restore(), 'not-found')).toMatchObject({ detail: { reason: 'file-missing' } });
    expect(await owner.text('context.json')).toBe(before);
    expect(await owner.names('plans')).toEqual([]);
  });

  test('shares its file again with the link that it shared it with', async () => {
    const owner = await deleted({ shared: true });
    expect(await owner.names('plans')).toEqual([FILE]);
    expect((await owner.restore()).plan).toMatchObject({ id: 'p1', file: FILE });
    expect(await owner.names('plans')).toEqual([FILE]);
  });

  test('comes back from the trash of the link that it shared its file with', async () => {
    const owner = await deleted({ shared: true });
    owner.clock.now += 1000;
    await deletePlan(owner.context, { planId: 'p2' });
    expect(await owner.names('plans')).toEqual([]);
    expect((await owner.restore()).plan).toMatchObject({ id: 'p1', file: FILE });
    expect(await owner.text('plans', FILE)).toBe(TEXT);
  });

  test('that was a link is refused, wherever the link is, and never read through', async () => {
    const owner = await deleted({ link: true });
    expect(await failure(owner.restore(), 'io')).toMatchObject({ detail: { reason: 'link' } });
    expect(await owner.names('plans')).toEqual([]);
    await rename(owner.trashPlan(), owner.path('plans', FILE));
    expect(await failure(owner.restore(), 'io')).toMatchObject({ detail: { reason: 'link' } });
    expect((await owner.stored()).plans).toEqual([]);
  });

  test('whose link another program brought back gets its text back under its own name', async () => {
    const owner = await deleted();
    await owner.put(small, 'context.json');
    await owner.context.load({ migrate: always, plans: true });
    expect(owner.context.snapshot.plans).toMatchObject([{ missing: true }]);
    const { plan } = await owner.restore();
    expect(plan).toMatchObject({ id: 'p1', missing: false });
    expect(await owner.text('plans', FILE)).toBe(TEXT);
  });

  test('leaves no file behind when its link cannot be written, and finds the one that a crash left', async () => {
    const owner = await deleted();
    const fileSystem = owner.files.fileSystem as ReturnType<typeof faultyFileSystem>;
    fileSystem.fault = (call, _index, path) =>
      call === 'handle.write' && path.includes('context.json') ? { code: 'ENOSPC' } : null;
    await failure(owner.restore(), 'io');
    expect(await owner.names('plans')).toEqual([]);
    fileSystem.fault = null;
    await owner.put(TEXT, 'plans', FILE);
    expect((await owner.restore()).plan).toMatchObject({ file: FILE });
    expect(await owner.names('plans')).toEqual([FILE]);
  });

  test('does not fit into a full list; a conflict or a newer version leaves no file behind', async () => {
    const owner = await deleted();
    const plans = Array.from({ length: limits.plans }, (_, index) => ({ id: `x${index}`, file: `x${index}.md` }));
    await owner.put({ ...small, plans }, 'context.json');
    await failure(owner.restore(), 'limit');
    await owner.put({ ...small, plans: [] }, 'context.json');
    await failure(
      restorePlan(owner.context, { trashId: owner.trashId, contextRevision: '0000000000000000' }),
      'conflict',
    );
    await owner.put({ ...small, plans: [], version: 3 }, 'context.json');
    await failure(owner.restore(), 'newer-version');
    expect(await owner.names('plans')).toEqual([]);
  });

  test('is whole or not there, whichever call fails, and comes back at the next try', async () => {
    let failing = 0;
    for (let failed = true; failed; failing++) {
      const owner = await deleted();
      const fileSystem = owner.files.fileSystem as ReturnType<typeof faultyFileSystem>;
      failed = false;
      let count = 0;
      fileSystem.fault = (call) => {
        if (call === 'handle.close' || count++ !== failing * 3) return null;
        failed = true;
        return { code: 'EIO' };
      };
      await owner.restore().catch((error: unknown) => expect(error).toMatchObject({ code: 'io' }));
      fileSystem.fault = null;
      owner.reports.length = 0;
      const { plan } = await restorePlan(owner.restarted(), { trashId: owner.trashId });
      expect(plan).toMatchObject({ id: 'p1', missing: false });
      expect(await owner.text('plans', plan.file)).toBe(TEXT);
      expect((await owner.stored()).plans).toHaveLength(1);
    }
    expect(failing).toBeGreaterThan(10);
  });

  test('is no note', async () => {
    const owner = await deleted();
    const { trashId } = await mutate(owner.context, (newest) => deleteNote(newest, { noteId: 'n1' }));
    await failure(restorePlan(owner.context, { trashId: trashId ?? '' }), 'not-found');
  });

  test('has a name of at most 255 characters, however long its own is', async () => {
    const owner = await setUpOwner();
    const file = `${'x'.repeat(252)}.md`;
    await owner.put({ version: 2, plans: [{ id: 'p1', file, title: 'X' }] }, 'context.json');
    await mkdir(owner.path('plans'), { recursive: true });
    await writeFile(owner.path('plans', file), TEXT);
    const { trashId } = await deletePlan(owner.context, { planId: 'p1' });
    await writeFile(owner.path('plans', file), 'theirs');
    expect((await restorePlan(owner.context, { trashId })).plan.file).toBe(`${'x'.repeat(250)}-1.md`);
  });
});
