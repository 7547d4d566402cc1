import type { KeyboardEvent } from 'react';
import { actions } from '../../state/actions.ts';
import { editKey } from '../../state/editing.ts';
import type { Sidekeep } from '../../state/sidekeep.ts';
import { undoableDeletes } from '../../state/undo.ts';
import { isComposing, isTextTarget } from '../../ui/keys.ts';
import { strings } from '../../ui/strings.ts';
import { type Direction, moveTodo } from './todo-moves.ts';

/** The shortcuts of a todo row; keys of text fields and of drag and drop pass through. */
export function todoKeyDown(event: KeyboardEvent, sidekeep: Sidekeep, ownerId: string, readOnly: boolean): void {
  const row = (event.target as HTMLElement).closest<HTMLElement>('[role="row"]');
  const id = row?.dataset.key;
  if (readOnly || id === undefined || isComposing(event) || isTextTarget(event.target)) return;
  if (!runKey(event, sidekeep, ownerId, id, event.target === row)) return;
  event.preventDefault();
  event.stopPropagation();
}

function runKey(event: KeyboardEvent, sidekeep: Sidekeep, ownerId: string, id: string, onRow: boolean): boolean {
  const todo = sidekeep.contexts.entry(ownerId).view?.todos.find((candidate) => candidate.id === id);
  if (!todo) return false;
  if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    const up = event.key === 'ArrowUp';
    const direction: Direction = event.shiftKey ? (up ? 'top' : 'bottom') : up ? 'up' : 'down';
    void moveTodo(sidekeep, ownerId, id, direction);
    return true;
  }
  if (!onRow || event.altKey || event.ctrlKey || event.metaKey) return false;
  if (event.key === ' ') void actions(sidekeep).tickTodo(ownerId, id, !todo.completed);
  else if (event.key === 'Delete') void undoableDeletes(sidekeep, strings.undo).todo(ownerId, todo);
  else if (event.key === 'Enter' || event.key === 'F2') {
    sidekeep.editing.start(editKey(ownerId, 'todo', id), { text: todo.text, revision: todo.revision });
  } else return false;
  return true;
}
