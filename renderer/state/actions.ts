import type { CallError, CallOutput, Note, NoteOrigin, NoteSource, Result, Todo } from '../../src/contract/index.ts';
import { makeChange } from './changes.ts';
import { withNote, without, withTodo, withTodoMoved } from './edits.ts';
import type { Sidekeep } from './sidekeep.ts';

/** Everything that a window can do to a context. Each resolves with the call's result and never rejects. */
export function actions(sidekeep: Sidekeep) {
  const { client } = sidekeep;
  return {
    /** @param options `retry` stands for the same call again, where the text has gone back into its field */
    createNote: (
      projectId: string,
      body: string,
      { retry, ...from }: { source?: NoteSource; origin?: NoteOrigin; retry?: () => void } = {},
    ): Promise<Result<CallOutput<'notes.create'>>> =>
      makeChange(sidekeep, {
        projectId,
        subject: 'new-note',
        text: body,
        call: () => client.notes.create({ projectId, body, ...from }),
        ...(retry ? { retry } : {}),
      }),

    /** @param handled failures that the caller shows itself, such as `conflict` */
    updateNote: (projectId: string, note: Note, body: string, handled?: (error: CallError) => boolean) =>
      makeChange(sidekeep, {
        projectId,
        subject: `note:${note.id}`,
        text: body,
        optimistic: withNote(note.id, { body }),
        call: () => client.notes.update({ projectId, noteId: note.id, body, revision: note.revision }),
        ...(handled ? { handled } : {}),
      }),

    deleteNote: (projectId: string, noteId: string) =>
      makeChange(sidekeep, {
        projectId,
        subject: `note:${noteId}`,
        optimistic: without('notes', [noteId]),
        call: () => client.notes.delete({ projectId, noteId }),
      }),

    addTodo: (projectId: string, text: string, retry?: () => void): Promise<Result<CallOutput<'todos.add'>>> =>
      makeChange(sidekeep, {
        projectId,
        subject: 'new-todo',
        text,
        call: () => client.todos.add({ projectId, text }),
        ...(retry ? { retry } : {}),
      }),

    /** Ticks name no revision: the last tick wins, whatever else changed in the todo. */
    tickTodo: (projectId: string, todoId: string, completed: boolean) =>
      makeChange(sidekeep, {
        projectId,
        subject: `todo:${todoId}`,
        byItself: true,
        optimistic: withTodo(todoId, { completed }),
        call: () => client.todos.update({ projectId, todoId, completed }),
      }),

    /** @param handled failures that the caller shows itself, such as `conflict` */
    renameTodo: (projectId: string, todo: Todo, text: string, handled?: (error: CallError) => boolean) =>
      makeChange(sidekeep, {
        projectId,
        subject: `todo:${todo.id}`,
        text,
        optimistic: withTodo(todo.id, { text }),
        call: () => client.todos.update({ projectId, todoId: todo.id, text, revision: todo.revision }),
        ...(handled ? { handled } : {}),
      }),

    deleteTodo: (projectId: string, todoId: string) =>
      makeChange(sidekeep, {
        projectId,
        subject: `todo:${todoId}`,
        optimistic: without('todos', [todoId]),
        call: () => client.todos.delete({ projectId, todoId }),
      }),

    /** Moves a todo in front of another one, or to the end with `before` null. */
    moveTodo: (projectId: string, todoId: string, before: string | null) =>
      makeChange(sidekeep, {
        projectId,
        subject: `todo:${todoId}`,
        byItself: true,
        optimistic: withTodoMoved(todoId, before),
        call: () => client.todos.move({ projectId, todoId, before }),
      }),

    clearCompleted: (projectId: string) =>
      makeChange(sidekeep, {
        projectId,
        subject: 'clear-completed',
        optimistic: (snapshot) => ({ ...snapshot, todos: snapshot.todos.filter((todo) => !todo.completed) }),
        call: () => client.todos.clearCompleted({ projectId }),
      }),

    createPlan: (
      projectId: string,
      title: string,
      body: string,
      retry?: () => void,
    ): Promise<Result<CallOutput<'plans.create'>>> =>
      makeChange(sidekeep, {
        projectId,
        subject: 'new-plan',
        text: title === '' ? body : `# ${title}\n\n${body}`,
        call: () => client.plans.create({ projectId, body, ...(title.trim() === '' ? {} : { title }) }),
        ...(retry ? { retry } : {}),
      }),

    deletePlan: (projectId: string, planId: string) =>
      makeChange(sidekeep, {
        projectId,
        subject: `plan:${planId}`,
        optimistic: without('plans', [planId]),
        call: () => client.plans.delete({ projectId, planId }),
      }),
  };
}
