import { actions } from '../../state/actions.ts';
import { moveTarget } from '../../state/edits.ts';
import type { Sidekeep } from '../../state/sidekeep.ts';
import { announce } from '../../ui/announcer.tsx';
import { strings } from '../../ui/strings.ts';
import { plainTitle } from '../../ui/user-text.tsx';

export type Direction = 'up' | 'down' | 'top' | 'bottom';

/** Moves a todo in front of another one, or to the end, and says where it is now. */
export async function moveTodoTo(
  sidekeep: Sidekeep,
  ownerId: string,
  todoId: string,
  before: string | null,
): Promise<void> {
  if (todoId === before) return;
  const moving = actions(sidekeep).moveTodo(ownerId, todoId, before);
  const todos = sidekeep.contexts.entry(ownerId).view?.todos ?? [];
  const index = todos.findIndex((todo) => todo.id === todoId);
  announce(strings.todos.moved(plainTitle(todos[index]?.text ?? ''), index + 1, todos.length));
  await moving;
}

/** Moves a todo one step or all the way; says so when it cannot move. */
export async function moveTodo(
  sidekeep: Sidekeep,
  ownerId: string,
  todoId: string,
  direction: Direction,
): Promise<void> {
  const todos = sidekeep.contexts.entry(ownerId).view?.todos ?? [];
  const before = moveTarget(todos, todoId, direction);
  if (before === undefined) return announce(strings.todos.atEdge);
  await moveTodoTo(sidekeep, ownerId, todoId, before);
}
