import { contextChange } from '../contract/context-change.ts';
import type { ContextChange, ContextSnapshot } from '../contract/entities.ts';
import type { ContextDocument } from './document.ts';
import type { PlanFiles } from './plan-files.ts';
import type { Stored } from './stored-list.ts';
import { todosRevision } from './todo-changes.ts';

/** A context as windows see it. Notes and plans newest first, those of one moment in stored order; todos as stored. */
export function snapshotOf(
  projectId: string,
  sequence: number,
  document: ContextDocument,
  revision: string | null,
  plans: Pick<PlanFiles, 'view'>,
): ContextSnapshot {
  return {
    projectId,
    sequence,
    revision,
    state: document.state,
    version: document.version,
    readOnly: document.readOnly,
    todosRevision: todosRevision(document.todos),
    health: [...document.health],
    notices: [],
    notes: newestFirst(document.notes.entries),
    todos: document.todos.entries.map((entry) => entry.view),
    plans: newestFirst(document.plans.entries).map((link) => plans.view(link)),
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

function newestFirst<View extends { createdAt: number }>(entries: readonly Stored<View>[]): View[] {
  return entries.map((entry) => entry.view).sort((left, right) => right.createdAt - left.createdAt);
}
