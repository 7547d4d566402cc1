import type { ContextSnapshot, Note, Todo } from '../../src/contract/index.ts';

/** Pure changes of a snapshot, for showing a change before it is acknowledged. */

export const withTodo =
  (id: string, fields: Partial<Pick<Todo, 'text' | 'completed'>>) =>
  (snapshot: ContextSnapshot): ContextSnapshot => ({
    ...snapshot,
    todos: snapshot.todos.map((todo) => (todo.id === id ? { ...todo, ...fields } : todo)),
  });

export const withNote =
  (id: string, fields: Partial<Pick<Note, 'body'>>) =>
  (snapshot: ContextSnapshot): ContextSnapshot => ({
    ...snapshot,
    notes: snapshot.notes.map((note) => (note.id === id ? { ...note, ...fields } : note)),
  });

export const without =
  (list: 'notes' | 'todos' | 'plans', ids: readonly string[]) =>
  (snapshot: ContextSnapshot): ContextSnapshot => ({
    ...snapshot,
    [list]: snapshot[list].filter((entry) => !ids.includes(entry.id)),
  });

/** Puts a todo in front of another one, or at the end; unknown ids change nothing. */
export const withTodoMoved =
  (id: string, before: string | null) =>
  (snapshot: ContextSnapshot): ContextSnapshot => {
    const moved = snapshot.todos.find((todo) => todo.id === id);
    if (!moved || id === before) return snapshot;
    const rest = snapshot.todos.filter((todo) => todo.id !== id);
    const index = before === null ? rest.length : rest.findIndex((todo) => todo.id === before);
    return index < 0 ? snapshot : { ...snapshot, todos: rest.toSpliced(index, 0, moved) };
  };

/** The id in front of which a todo comes when it moves one up, one down, to the top or to the end; undefined: it stays. */
export function moveTarget(
  todos: readonly { id: string }[],
  id: string,
  direction: 'up' | 'down' | 'top' | 'bottom',
): string | null | undefined {
  const index = todos.findIndex((todo) => todo.id === id);
  const last = todos.length - 1;
  if (index < 0) return undefined;
  if (direction === 'up' || direction === 'top') {
    return index === 0 ? undefined : todos[direction === 'up' ? index - 1 : 0]?.id;
  }
  if (index === last) return undefined;
  return direction === 'bottom' ? null : (todos[index + 2]?.id ?? null);
}
