import { limits, type Todo } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { isRecord, type JsonObject, withKeys } from '../files/json.ts';
import { type Stored, type StoredList, writableList } from '../files/stored-list.ts';
import { revisionOf } from '../files/text.ts';
import { type Change, checkRevision, fullList, notFound } from './change.ts';
import { type ContextDocument, nextCreatedAt, writtenDocument } from './document.ts';
import { readTodo } from './entries.ts';
import { newText } from './note-changes.ts';
import { removedFrom } from './trash-item.ts';

interface TodoResult {
  todo: Todo;
  clamped: boolean;
}

/** A todo as a caller of `todos.replace` names it. */
export interface TodoInput {
  id: string;
  text: string;
  completed?: boolean | undefined;
  createdAt?: number | undefined;
}

/** Revision of the list as a whole, from those of its entries in order. */
export function todosRevision(todos: StoredList<Todo>): string {
  return revisionOf(todos.entries.map((entry) => entry.view.revision).join('\n'));
}

/**
 * Replaces the list. An entry that was there before keeps its unknown keys, and its text where that was not changed, also
 * one over the limit. Odd stored entries, which no caller can see, keep their places.
 */
export function replaceTodos(
  document: ContextDocument,
  input: { todos: readonly TodoInput[]; todosRevision?: string | undefined },
  now: number,
): Change<{ clamped: boolean }> {
  const { entries } = document.todos;
  checkRevision('list', input.todosRevision, todosRevision(document.todos), {
    current: entries.map((entry) => ({ ...entry.view })),
    todosRevision: todosRevision(document.todos),
  });
  refuseDuplicates(input.todos);
  if (input.todos.length > limits.todos && input.todos.length > entries.length) throw fullList('todos', limits.todos);
  const writable = writableList(document.todos);
  const { raw: list, positions } = writable;
  const known = new Map(
    entries.map(({ view, position }) => {
      const place = positions.get(view.id) ?? position;
      return [view.id, { view, position: place, raw: list[place] as JsonObject }];
    }),
  );
  let clamped = false;
  const replaced: unknown[] = input.todos.map((todo) => {
    const stored = known.get(todo.id);
    const made = stored ? changedTodo(stored, todo) : newTodo(todo, todo.id, todo.createdAt ?? now);
    clamped ||= made.clamped;
    return made.raw;
  });
  const todos = withOddEntries(replaced, list);
  if (sameList(todos, list)) return { raw: null, result: { clamped } };
  const kept = new Set(input.todos.map((todo) => todo.id));
  const gone = entries.map((entry) => entry.view.id).filter((id) => !kept.has(id));
  const raw = writtenDocument(document, { todos });
  const result = { clamped };
  return gone.length === 0 ? { raw, result } : { raw, result, removed: removedFrom('todos', writable, gone) };
}

/** Adds a todo at the end. */
export function addTodo(document: ContextDocument, text: string, id: string, now: number): Change<TodoResult> {
  if (document.todos.entries.length >= limits.todos) throw fullList('todos', limits.todos);
  const { raw: todo, clamped } = newTodo({ text }, id, nextCreatedAt(document.todos, now));
  const todos = [...writableList(document.todos).raw, todo];
  return { raw: writtenDocument(document, { todos }), result: { todo: shown(todo), clamped } };
}

/** Changes the text or the tick of one todo, in its place. */
export function updateTodo(
  document: ContextDocument,
  input: { todoId: string; text?: string | undefined; completed?: boolean | undefined; revision?: string | undefined },
): Change<TodoResult> {
  const stored = find(document, input.todoId);
  checkRevision('todo', input.revision, stored.view.revision, { current: stored.view });
  const { raw, clamped } = changedTodo(stored, {
    text: input.text ?? stored.view.text,
    completed: input.completed ?? stored.view.completed,
  });
  if (raw === stored.raw) return { raw: null, result: { todo: stored.view, clamped: false } };
  const { raw: todos, placeOf } = writableList(document.todos);
  const todo = withKeys(raw, { id: stored.view.id });
  todos[placeOf(input.todoId) ?? 0] = todo;
  return { raw: writtenDocument(document, { todos }), result: { todo: shown(todo), clamped } };
}

/** Deletes one todo. */
export function deleteTodo(
  document: ContextDocument,
  input: { todoId: string; revision?: string | undefined },
): Change<null> {
  const stored = find(document, input.todoId);
  checkRevision('todo', input.revision, stored.view.revision, { current: stored.view });
  const list = writableList(document.todos);
  const removed = removedFrom('todos', list, [input.todoId]);
  const todos = list.raw.toSpliced(list.placeOf(input.todoId) ?? 0, 1);
  return { raw: writtenDocument(document, { todos }), result: null, removed };
}

/** Moves a todo in front of another one, or behind all others. */
export function moveTodo(document: ContextDocument, input: { todoId: string; before: string | null }): Change<null> {
  find(document, input.todoId);
  if (input.before !== null) find(document, input.before);
  const ids = document.todos.entries.map((entry) => entry.view.id);
  const index = ids.indexOf(input.todoId);
  const stays =
    input.before === null ? index === ids.length - 1 : [input.todoId, ids[index + 1]].includes(input.before);
  if (stays) return { raw: null, result: null };
  const { raw: todos, placeOf } = writableList(document.todos);
  const from = placeOf(input.todoId) ?? 0;
  const target = input.before === null ? todos.length : (placeOf(input.before) ?? todos.length);
  const [todo] = todos.splice(from, 1);
  todos.splice(target > from ? target - 1 : target, 0, todo);
  return { raw: writtenDocument(document, { todos }), result: null };
}

/** Deletes every ticked todo; answers how many. */
export function clearCompleted(document: ContextDocument): Change<{ removed: number }> {
  const ticked = document.todos.entries.filter((entry) => entry.view.completed).map((entry) => entry.view.id);
  if (ticked.length === 0) return { raw: null, result: { removed: 0 } };
  const list = writableList(document.todos);
  const places = new Set(ticked.map((id) => list.positions.get(id)));
  const todos = list.raw.filter((_entry, position) => !places.has(position));
  return {
    raw: writtenDocument(document, { todos }),
    result: { removed: ticked.length },
    removed: removedFrom('todos', list, ticked),
  };
}

function find(document: ContextDocument, id: string): Stored<Todo> {
  const stored = document.todos.entries.find((entry) => entry.view.id === id);
  if (!stored) throw notFound('todo');
  return stored;
}

function newTodo(input: Omit<TodoInput, 'id' | 'createdAt'>, id: string, createdAt: number) {
  const { text, clamped } = newText(input.text, limits.todoText);
  return { raw: { id, text, completed: input.completed ?? false, createdAt }, clamped };
}

/** A stored todo with another text, tick or time; the same object when nothing differs. */
function changedTodo({ raw, view }: Stored<Todo>, input: Omit<TodoInput, 'id'>): { raw: JsonObject; clamped: boolean } {
  const changes: Record<string, unknown> = {};
  const { text, clamped } = newText(input.text, Math.max(limits.todoText, view.text.length));
  const textChanged = input.text !== view.text && text !== view.text.trim();
  if (textChanged) changes.text = text;
  if ((input.completed ?? false) !== view.completed) changes.completed = input.completed ?? false;
  if (input.createdAt !== undefined && input.createdAt !== view.createdAt) changes.createdAt = input.createdAt;
  if (Object.keys(changes).length === 0) return { raw, clamped: false };
  return { raw: withKeys(raw, changes), clamped: clamped && textChanged };
}

/** The entries with the odd ones of `stored` among them, each at the place where it is stored, as far as there are places. */
function withOddEntries(entries: readonly unknown[], stored: readonly unknown[]): unknown[] {
  const all: unknown[] = [];
  let next = 0;
  for (const [position, entry] of stored.entries()) {
    if (isRecord(entry) && readTodo(entry).view !== null) continue;
    while (all.length < position && next < entries.length) all.push(entries[next++]);
    all.push(entry);
  }
  return [...all, ...entries.slice(next)];
}

function refuseDuplicates(todos: readonly TodoInput[]): void {
  const seen = new Set<string>();
  for (const [index, { id }] of todos.entries()) {
    if (seen.has(id)) {
      throw new Failure('invalid', `todos.${index}.id: this id is in the list twice. Nothing was changed.`, {
        detail: { field: `todos.${index}.id` },
      });
    }
    seen.add(id);
  }
}

function sameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}

function shown(raw: JsonObject): Todo {
  const { view } = readTodo(raw);
  if (view === null) throw new Error('a todo that was just made can be shown');
  return view;
}
