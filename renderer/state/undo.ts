import type { ContextSnapshot, Note, Result, Todo } from '../../src/contract/index.ts';
import { actions } from './actions.ts';
import type { Sidekeep } from './sidekeep.ts';

/** The sentences of the toasts; the catalog's, so that this file holds no text. */
export interface UndoTexts {
  undo: string;
  noteDeleted: string;
  todoDeleted: string;
  planDeleted: string;
  cleared(count: number): string;
  restored: string;
  notRestored: string;
}

/**
 * Deletes that can be undone for as long as their toast stays: the delete happens at once, and undoing it makes the entry
 * again through the ordinary calls, with a new id.
 */
export function undoableDeletes(sidekeep: Sidekeep, texts: UndoTexts) {
  const { client, toasts, contexts } = sidekeep;
  const act = actions(sidekeep);

  const offer = (message: string, restore: () => Promise<boolean>) => {
    toasts.show(message, {
      label: texts.undo,
      run: () => void restore().then((done) => toasts.show(done ? texts.restored : texts.notRestored)),
    });
  };

  /** Adds a todo again, ticked as it was, in front of the first of `followers` that is still there. */
  const restoreTodo = async (projectId: string, todo: Todo, followers: readonly string[]): Promise<string | null> => {
    const added = await act.addTodo(projectId, todo.text);
    if (!added.ok) return null;
    const { id } = added.value.todo;
    if (todo.completed) await act.tickTodo(projectId, id, true);
    const present = new Set(contexts.entry(projectId).view?.todos.map((entry) => entry.id));
    const before = followers.find((follower) => present.has(follower));
    if (before !== undefined) await act.moveTodo(projectId, id, before);
    return id;
  };

  const deletes = {
    async note(projectId: string, note: Note): Promise<void> {
      const result = await act.deleteNote(projectId, note.id);
      if (!result.ok) return;
      const { source, origin } = note;
      offer(texts.noteDeleted, async () => {
        const made = await act.createNote(projectId, note.body, { source, ...(origin ? { origin } : {}) });
        return made.ok;
      });
    },

    async todo(projectId: string, todo: Todo): Promise<void> {
      const followers = idsAfter(contexts.entry(projectId).view, todo.id);
      const result = await act.deleteTodo(projectId, todo.id);
      if (!result.ok) return;
      offer(texts.todoDeleted, async () => (await restoreTodo(projectId, todo, followers)) !== null);
    },

    async clearCompleted(projectId: string): Promise<void> {
      const before = contexts.entry(projectId).view;
      const removed = (before?.todos ?? []).filter((todo) => todo.completed);
      const result = await act.clearCompleted(projectId);
      if (!result.ok) return;
      offer(texts.cleared(result.value.removed), async () => {
        // From the last to the first, so that what stood behind each is there again when it comes back.
        const renewed = new Map<string, string>();
        for (const todo of removed.toReversed()) {
          const followers = idsAfter(before, todo.id).map((id) => renewed.get(id) ?? id);
          const id = await restoreTodo(projectId, todo, followers);
          if (id === null) return false;
          renewed.set(todo.id, id);
        }
        return true;
      });
    },

    /** @param unsaved the text in the open editor, when it is newer than the file */
    async plan(projectId: string, planId: string, unsaved: string | null): Promise<Result<unknown>> {
      const document = await client.plans.read({ projectId, planId });
      const result = await act.deletePlan(projectId, planId);
      if (!result.ok) return result;
      const raw = unsaved ?? (document.ok ? document.value.raw : null);
      const title = document.ok ? document.value.title : '';
      // A plan whose file could not be read has no text to bring back.
      if (raw === null) toasts.show(texts.planDeleted);
      else offer(texts.planDeleted, () => restorePlan(sidekeep, projectId, title, raw));
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

function idsAfter(snapshot: ContextSnapshot | null, id: string): string[] {
  const ids = snapshot?.todos.map((todo) => todo.id) ?? [];
  return ids.slice(ids.indexOf(id) + 1);
}

/**
 * Makes a plan of a document.
 * @param keep what must be as given: the whole document, byte for byte, or the title, put in the place of its heading
 */
export async function restorePlan(
  sidekeep: Sidekeep,
  projectId: string,
  title: string,
  raw: string,
  keep: 'document' | 'title' = 'document',
): Promise<boolean> {
  const { client, contexts } = sidekeep;
  const made = await actions(sidekeep).createPlan(projectId, title, withoutHeading(raw));
  if (!made.ok) return false;
  const planId = made.value.plan.id;
  const written = await client.plans.read({ projectId, planId });
  if (keep === 'title' || !written.ok || written.value.raw === raw) return true;
  // The heading of the old file may have been written another way.
  const exact = await client.plans.update({ projectId, planId, raw, revision: written.value.revision });
  if (exact.ok) contexts.accept(exact.value.context);
  return true;
}

/** A document without the heading that `plans.create` writes itself. */
export const withoutHeading = (raw: string): string => raw.replace(/^#[ \t][^\r\n]*(\r?\n){0,2}/, '');
