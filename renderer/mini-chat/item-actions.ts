import type { Todo } from '../../src/contract/index.ts';
import { actions } from '../state/actions.ts';
import { useSidekeep } from '../state/hooks.ts';
import { undoableDeletes } from '../state/undo.ts';
import { strings } from '../ui/strings.ts';
import { useMiniChat } from './mini-chat-state.ts';
import type { StreamItem } from './stream.ts';

/** What can be done to an entry of the stream in place. */
export function useItemActions() {
  const sidekeep = useSidekeep();
  const { id: projectId } = useMiniChat().target;
  const deletes = undoableDeletes(sidekeep, strings.undo);
  return {
    tick: (todo: Todo, completed: boolean) => void actions(sidekeep).tickTodo(projectId, todo.id, completed),
    /** Deletes at once, with Undo in a toast. */
    remove: (item: StreamItem) => {
      if (item.kind === 'note') void deletes.note(projectId, item.note);
      else if (item.kind === 'todo') void deletes.todo(projectId, item.todo);
      else void deletes.plan(projectId, item.plan.id, null);
    },
  };
}
