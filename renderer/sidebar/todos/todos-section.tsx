import { ListChecks } from 'lucide-react';
import { limits, type Todo } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { undoableDeletes } from '../../state/undo.ts';
import { Button } from '../../ui/button.tsx';
import { State } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { focusAfter, sectionTab } from '../focus-after.ts';
import { LostEdits } from '../lost-edits.tsx';
import { TodoComposer } from './todo-composer.tsx';
import { TodoList } from './todo-list.tsx';

/** The todos of one owner in their order, with the field for new ones above. */
export function TodosSection({
  ownerId,
  todos,
  readOnly,
}: {
  ownerId: string;
  todos: readonly Todo[];
  readOnly: boolean;
}) {
  const sidekeep = useSidekeep();
  const open = todos.filter((todo) => !todo.completed).length;
  return (
    <div className="section">
      {readOnly ? null : <TodoComposer ownerId={ownerId} room={limits.todos - todos.length} />}
      <LostEdits ownerId={ownerId} kind="todo" />
      {todos.length === 0 ? (
        <div className="pane-state">
          <State icon={ListChecks} title={strings.todos.emptyTitle}>
            {strings.todos.empty}
          </State>
        </div>
      ) : (
        <>
          <div className="column todo-bar">
            <p className="soft small">{strings.todos.open(open, todos.length)}</p>
            {readOnly || open === todos.length ? null : (
              <Button
                small
                kind="quiet"
                onPress={() =>
                  void focusAfter(undoableDeletes(sidekeep, strings.undo).clearCompleted(ownerId), sectionTab)
                }
              >
                {strings.todos.clear}
              </Button>
            )}
          </div>
          <TodoList ownerId={ownerId} todos={todos} readOnly={readOnly} />
        </>
      )}
    </div>
  );
}
