import { contextChange } from '../contract/context-change.ts';
import type { ContextChange, ContextNotice, ContextSnapshot, Note, Todo } from '../contract/entities.ts';
import type { StoredList } from '../files/stored-list.ts';
import type { ContextDocument } from './document.ts';
import type { PlanFiles } from './plan-files.ts';
import { todosRevision } from './todo-changes.ts';

/** What a snapshot is made of. */
export interface SnapshotParts {
  projectId: string;
  document: ContextDocument;
  /** Revision of the file's bytes; null while there is no file. */
  revision: string | null;
  plans: Pick<PlanFiles, 'views'>;
  notices: readonly ContextNotice[];
}

/** A context as windows see it. Notes and plans newest first, those of one moment in stored order; todos as stored. */
export function snapshotOf(
  { projectId, document, revision, plans, notices }: SnapshotParts,
  sequence: number,
): ContextSnapshot {
  return {
    projectId,
    sequence,
    revision,
    state: document.state,
    version: document.version,
    readOnly: document.readOnly,
    todosRevision: once(revisions, document.todos, todosRevision),
    health: [...document.health],
    notices: [...notices],
    notes: once(shownNotes, document.notes, (list) => newestFirst(list.entries.map((entry) => entry.view))),
    todos: once(shownTodos, document.todos, (list) => list.entries.map((entry) => entry.view)),
    plans: plans.views(document.plans, newestFirst),
  };
}

/** What turns one context into another; null when nothing does, because they are the same. */
export function realChange(before: ContextSnapshot, after: ContextSnapshot): ContextChange | null {
  const change = contextChange(before, after);
  const listsChanged = [change.notes, change.todos, change.plans].some(
    (list) => list.order !== undefined || list.changed.length > 0,
  );
  const headChanged = headOf(before) !== headOf(after);
  return listsChanged || headChanged ? change : null;
}

function headOf({ revision, state, version, readOnly, todosRevision, health, notices }: ContextSnapshot): string {
  return JSON.stringify([revision, state, version, readOnly, todosRevision, health, notices]);
}

function newestFirst<View extends { createdAt: number }>(views: readonly View[]): View[] {
  return [...views].sort((left, right) => right.createdAt - left.createdAt);
}

// A list that did not change gives the very same views, which then cost nothing to compare and to send.
const revisions = new WeakMap<StoredList<Todo>, string>();
const shownNotes = new WeakMap<StoredList<Note>, Note[]>();
const shownTodos = new WeakMap<StoredList<Todo>, Todo[]>();

function once<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const value = known.get(key) ?? make(key);
  known.set(key, value);
  return value;
}
