import type { CallError, CallOutput, Note, Result, Todo } from '../../src/contract/index.ts';
import { actions } from './actions.ts';
import { isFinal, makeChange } from './changes.ts';
import type { Draft } from './drafts.ts';
import type { Sidekeep } from './sidekeep.ts';

/** The sentences of the toasts; the catalog's, so that this file holds no text. Times are in ms since 1970. */
export interface UndoTexts {
  undo: string;
  retry: string;
  noteDeleted(at: number): string;
  todoDeleted(at: number): string;
  planDeleted(at: number): string;
  cleared(count: number, at: number): string;
  restored: string;
  notRestored(reason: string): string;
}

/** What can come back: the kind of the call that brings it back, and what the delete answered. */
export interface Deleted {
  readonly kind: 'note' | 'todos' | 'plan';
  readonly trashId: string;
}

/** How many entries came back, and the id of the first. */
export interface Restored {
  readonly ids: readonly string[];
}

/** Kind of the toast that says so: they do not pile up. */
const RESTORED = 'restored';
/** Kind of the toast that offers to bring this back: it goes once that is done. */
const offerOf = ({ trashId }: Deleted): string => `deleted ${trashId}`;

/**
 * Deletes at once, and offers to undo that for as long as the toast stays; afterwards, and from the other window, the way
 * back is the list of what was recently deleted. Undoing brings the very entry back, whole and in its place.
 */
export function undoableDeletes(sidekeep: Sidekeep, texts: UndoTexts) {
  const { toasts } = sidekeep;
  const act = actions(sidekeep);

  const offer = (
    message: string,
    projectId: string,
    deleted: Deleted,
    after: (restored: Restored) => void = () => {},
  ) => {
    const run = async () => {
      const result = await restoreDeleted(sidekeep, projectId, deleted);
      if (result.ok) {
        after(result.value);
        toasts.show(texts.restored, { kind: RESTORED });
      } else {
        const again = { label: texts.retry, run: () => void run() };
        const action = isFinal(result.error) ? null : again;
        toasts.show(texts.notRestored(result.error.message), { kind: offerOf(deleted), action });
      }
    };
    toasts.show(message, { kind: offerOf(deleted), action: { label: texts.undo, run: () => void run() } });
  };

  const deletes = {
    async note(projectId: string, note: Note): Promise<void> {
      const result = await act.deleteNote(projectId, note.id);
      if (!result.ok) return;
      offer(texts.noteDeleted(Date.now()), projectId, { kind: 'note', trashId: result.value.trashId });
    },

    async todo(projectId: string, todo: Todo): Promise<void> {
      const result = await act.deleteTodo(projectId, todo.id);
      if (!result.ok) return;
      offer(texts.todoDeleted(Date.now()), projectId, { kind: 'todos', trashId: result.value.trashId });
    },

    async clearCompleted(projectId: string): Promise<void> {
      const result = await act.clearCompleted(projectId);
      if (!result.ok || result.value.trashId === null) return;
      const { removed, trashId } = result.value;
      offer(texts.cleared(removed, Date.now()), projectId, { kind: 'todos', trashId });
    },

    /** @param unsaved text of the open editor that is not in the file, with what it is based on; it comes back as such */
    async plan(projectId: string, planId: string, unsaved: Draft | null): Promise<Result<CallOutput<'plans.delete'>>> {
      const result = await act.deletePlan(projectId, planId);
      if (!result.ok) return result;
      const { trashId, warning } = result.value;
      if (warning !== null) toasts.show(warning);
      offer(texts.planDeleted(Date.now()), projectId, { kind: 'plan', trashId }, () => {
        if (unsaved !== null) sidekeep.drafts.write(`${projectId}/plan:${planId}`, unsaved.text, unsaved.base);
      });
      return result;
    },
  };
  return {
    note: (...of: Parameters<typeof deletes.note>) => toasts.during(() => deletes.note(...of)),
    todo: (...of: Parameters<typeof deletes.todo>) => toasts.during(() => deletes.todo(...of)),
    clearCompleted: (...of: Parameters<typeof deletes.clearCompleted>) =>
      toasts.during(() => deletes.clearCompleted(...of)),
    plan: (...of: Parameters<typeof deletes.plan>) => toasts.during(() => deletes.plan(...of)),
  };
}

/**
 * Brings back what was deleted, each entry whole, with its id, to its place.
 * The caller shows a failure; nothing is lost by it.
 */
export async function restoreDeleted(
  sidekeep: Sidekeep,
  projectId: string,
  deleted: Deleted,
): Promise<Result<Restored>> {
  const result = await callRestore(sidekeep, projectId, deleted);
  if (result.ok) sidekeep.toasts.closeKind(offerOf(deleted));
  return result;
}

async function callRestore(
  sidekeep: Sidekeep,
  projectId: string,
  { kind, trashId }: Deleted,
): Promise<Result<Restored>> {
  const { client } = sidekeep;
  const common = { projectId, subject: `restore:${trashId}`, handled: () => true } as const;
  const input = { projectId, trashId };
  if (kind === 'note') {
    const result = await makeChange(sidekeep, { ...common, call: () => client.notes.restore(input) });
    return restored(result, ({ note }) => [note.id]);
  }
  if (kind === 'todos') {
    const result = await makeChange(sidekeep, { ...common, call: () => client.todos.restore(input) });
    return restored(result, ({ todos }) => todos.map(({ id }) => id));
  }
  const result = await makeChange(sidekeep, { ...common, call: () => client.plans.restore(input) });
  return restored(result, ({ plan }) => [plan.id]);
}

function restored<Value>(
  result: { ok: true; value: Value } | { ok: false; error: CallError },
  ids: (value: Value) => string[],
): Result<Restored> {
  return result.ok ? { ok: true, value: { ids: ids(result.value) } } : result;
}
