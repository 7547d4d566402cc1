import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyDocument, readChangedDocument, readDocument, writtenDocument } from '../../src/context/document.ts';
import { createNote, deleteNote, updateNote } from '../../src/context/note-changes.ts';
import {
  addTodo,
  deleteTodo,
  moveTodo,
  replaceTodos,
  todosRevision,
  updateTodo,
} from '../../src/context/todo-changes.ts';
import { Failure } from '../../src/contract/errors.ts';
import { nodeFileSystem } from '../../src/files/index.ts';
import { type JsonObject, parseStored, serialiseStored } from '../../src/files/json.ts';
import { writableList } from '../../src/files/stored-list.ts';
import { p1, setUp } from './support.ts';

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>;
const id = fc.constantFrom('a', 'b', 'c', ' a ', '', '__proto__', 'constructor');
const entry = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        id,
        body: fc.string(),
        text: fc.string(),
        file: fc.constantFrom('a.md', 'b.md', '../x'),
        createdAt: fc.oneof(fc.nat(100), json),
        extra: json,
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: json },
);
const list = fc.oneof(
  { weight: 5, arbitrary: fc.array(entry, { maxLength: 6 }) as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: json },
);
const topLevel = fc
  .record(
    {
      version: fc.constantFrom<unknown>(1, 2, undefined, 'x'),
      notes: list,
      todos: list,
      plans: list,
      extra: json,
      tail: json,
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

test('any file is read without a fault, the same after a round trip, each id once', () => {
  fc.assert(
    fc.property(topLevel, (raw) => {
      const document = readDocument(raw, 5);
      const again = readDocument(parseStored(serialiseStored(raw), 'x'), 5);
      for (const name of ['notes', 'todos', 'plans'] as const) {
        const views = document[name].entries.map((stored) => stored.view);
        expect(again[name].entries.map((stored) => stored.view)).toEqual(views);
        expect(new Set(views.map((view) => view.id)).size).toBe(views.length);
        expect(views.every((view) => view.id.trim() !== '')).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

test('a write of one list leaves the others and every unknown key as they were, and shows the same entries', () => {
  fc.assert(
    fc.property(topLevel, fc.constantFrom('notes' as const, 'todos' as const, 'plans' as const), (raw, name) => {
      const document = readDocument(raw, 5);
      const written = parseStored(
        serialiseStored(writtenDocument(document, { [name]: writableList<{ id: string }>(document[name]).raw })),
        'x',
      );
      const after = readDocument(written, 99);
      for (const [key, value] of Object.entries(raw)) {
        if (key === 'version' || key === name) continue;
        if (key === 'notes' && typeof value === 'string') continue;
        expect(written[key]).toEqual(value);
      }
      const shown = (from: typeof document, list: 'notes' | 'todos' | 'plans') =>
        from[list].entries.map(({ view }) => ({ ...view, revision: null }));
      for (const list of ['notes', 'todos', 'plans'] as const)
        expect(shown(after, list)).toEqual(shown(document, list));
      const odd = (list: unknown): unknown[] =>
        Array.isArray(list) ? list.filter((one) => typeof one !== 'object') : [];
      expect(odd(written[name])).toEqual(odd(raw[name]));
    }),
    { numRuns: 300 },
  );
});

test('reading what changed gives what reading the whole gives', () => {
  const copyOf = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
  const place = fc.nat(7);
  fc.assert(
    fc.property(topLevel, list, place, place, fc.array(entry, { maxLength: 3 }), (raw, stored, start, count, added) => {
      const before = readDocument(copyOf({ ...raw, notes: stored, todos: stored, plans: stored }), 0);
      const after = Array.isArray(stored) ? before.notes.raw.toSpliced(start, count, ...copyOf(added)) : added;
      const changed = { ...before.raw, notes: after, todos: [...after], plans: [...after] };
      expect(readChangedDocument(before, changed)).toEqual(readDocument(copyOf(changed), 0));
    }),
    { numRuns: 500 },
  );
});

test('random changes do to a list what they do to a model of it', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('create' as const), text: fc.string({ minLength: 1 }) }),
    fc.record({ kind: fc.constant('update' as const), at: fc.nat(9), text: fc.string({ minLength: 1 }) }),
    fc.record({ kind: fc.constant('delete' as const), at: fc.nat(9) }),
    fc.record({ kind: fc.constant('move' as const), at: fc.nat(9), to: fc.nat(9) }),
    fc.record({ kind: fc.constant('replace' as const), keep: fc.nat(9) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let document = emptyDocument;
      let todos: { id: string; text: string }[] = [];
      let notes: { id: string; body: string }[] = [];
      const write = (change: { raw: JsonObject | null }): void => {
        if (change.raw === null) return;
        const changed = readChangedDocument(document, change.raw);
        document = readDocument(parseStored(serialiseStored(change.raw), 'x'), 0);
        expect(changed).toEqual(document);
      };
      for (const [index, action] of steps.entries()) {
        const todo = 'at' in action ? todos[action.at % Math.max(1, todos.length)] : undefined;
        const note = 'at' in action ? notes[action.at % Math.max(1, notes.length)] : undefined;
        const text = 'text' in action ? action.text.trim().slice(0, 100) || 'x' : '';
        const name = `id${index}`;
        if (action.kind === 'create') {
          write(addTodo(document, text, name, index));
          write(createNote(document, { body: text }, name, 0));
          todos.push({ id: name, text });
          notes.unshift({ id: name, body: text });
        } else if (action.kind === 'update' && todo && note) {
          write(updateTodo(document, { todoId: todo.id, text }));
          write(updateNote(document, { noteId: note.id, body: text }, index));
          todo.text = text;
          note.body = text;
        } else if (action.kind === 'delete' && todo && note) {
          write(deleteTodo(document, { todoId: todo.id }));
          write(deleteNote(document, { noteId: note.id }));
          todos = todos.filter((one) => one !== todo);
          notes = notes.filter((one) => one !== note);
        } else if (action.kind === 'move' && todo) {
          const before = todos[action.to] ?? null;
          write(moveTodo(document, { todoId: todo.id, before: before?.id ?? null }));
          if (before !== todo) {
            todos = todos.filter((one) => one !== todo);
            todos.splice(before === null ? todos.length : todos.indexOf(before), 0, todo);
          }
        } else if (action.kind === 'replace') {
          todos = todos.slice(0, action.keep).reverse();
          write(replaceTodos(document, { todos, todosRevision: todosRevision(document.todos) }, index));
        }
        expect(document.todos.entries.map(({ view }) => ({ id: view.id, text: view.text }))).toEqual(todos);
        const shown = document.notes.entries
          .map(({ view }) => view)
          .sort((left, right) => right.createdAt - left.createdAt);
        expect(shown.map(({ id, body }) => ({ id, body }))).toEqual(notes);
      }
    }),
    { numRuns: 200 },
  );
});

test('any two texts of a plan: what was saved comes back byte for byte', async () => {
  const { store } = await setUp();
  const { plan } = await store.plans.create({ ...p1, title: 'T', body: 'b' });
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('\r', '\n', '\uFEFF', ' ', '# ', '---', '😀', 'é', '\0', '`', 'x') }),
      async (raw) => {
        const saved = await store.plans.update({ ...p1, planId: plan.id, raw });
        expect(saved.document.raw).toBe(raw);
        expect(await store.plans.read({ ...p1, planId: plan.id })).toEqual(saved.document);
      },
    ),
    { numRuns: 40 },
  );
});

test('any body of a note either is refused or comes back as it was shown', async () => {
  const { store, path } = await setUp({ fileSystem: nodeFileSystem });
  const { note } = await store.notes.create({ ...p1, body: 'start' });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (body) => {
      if (body.trim() === '') return;
      const updated = await store.notes.update({ ...p1, noteId: note.id, body });
      const stored = JSON.parse(await readFile(join(path(), 'projects', 'p1', 'context.json'), 'utf8')) as {
        notes: { body: string }[];
      };
      expect(stored.notes[0]?.body).toBe(updated.note.body);
      expect(updated.note.body).toBe(body.trim());
    }),
    { numRuns: 40 },
  );
  expect(() => parseStored(Buffer.from('x'), 'x')).toThrow(Failure);
});
