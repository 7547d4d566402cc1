import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, GripVertical, PencilLine, Trash2 } from 'lucide-react';
import { memo } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { Todo } from '../../../src/contract/index.ts';
import { actions } from '../../state/actions.ts';
import { editKey } from '../../state/editing.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { useStorePart } from '../../state/store.ts';
import { undoableDeletes } from '../../state/undo.ts';
import { IconButton } from '../../ui/button.tsx';
import { shortcutLabel } from '../../ui/keys.ts';
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx';
import { strings } from '../../ui/strings.ts';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { TodoEdit } from './todo-edit.tsx';
import { type Direction, moveTodo } from './todo-moves.ts';

interface TodoRowProps {
  ownerId: string;
  todo: Todo;
  readOnly: boolean;
}

/** One todo: handle, tick, text, and what can be done with it; or the field in which it is edited. */
export const TodoRow = memo(function TodoRow({ ownerId, todo, readOnly }: TodoRowProps) {
  const sidekeep = useSidekeep();
  const key = editKey(ownerId, 'todo', todo.id);
  const edit = useStorePart(sidekeep.editing, (edits) => edits.get(key));
  const title = plainTitle(todo.text);
  const start = () => {
    if (!readOnly) sidekeep.editing.start(key, { text: todo.text, revision: todo.revision });
  };
  if (edit && !edit.saving) return <TodoEdit ownerId={ownerId} todo={todo} editKey={key} edit={edit} />;
  return (
    <div className="todo column">
      {readOnly ? null : (
        <AriaButton slot="drag" className="icon-button todo-handle" aria-label={strings.todos.drag(title)}>
          <GripVertical size={15} aria-hidden="true" />
        </AriaButton>
      )}
      <input
        type="checkbox"
        className="todo-tick"
        aria-label={strings.todos.tick(title)}
        checked={todo.completed}
        disabled={readOnly}
        onChange={(event) => void actions(sidekeep).tickTodo(ownerId, todo.id, event.target.checked)}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a short cut; the button beside it and Enter do the same */}
      <div className={todo.completed ? 'todo-text todo-done' : 'todo-text'} onDoubleClick={start} role="presentation">
        <UserText text={todo.text} as="block" />
      </div>
      {readOnly ? null : <TodoActions ownerId={ownerId} todo={todo} title={title} onEdit={start} />}
    </div>
  );
});

function TodoActions(props: { ownerId: string; todo: Todo; title: string; onEdit: () => void }) {
  const { ownerId, todo, title, onEdit } = props;
  const sidekeep = useSidekeep();
  const move = (direction: Direction) => () => void moveTodo(sidekeep, ownerId, todo.id, direction);
  const remove = () => void undoableDeletes(sidekeep, strings.undo).todo(ownerId, todo);
  const key = shortcutLabel;
  const entries: MenuEntry[] = [
    { id: 'edit', label: strings.common.edit, icon: PencilLine, shortcut: 'F2', run: onEdit },
    { id: 'top', label: strings.todos.moveTop, icon: ArrowUpToLine, shortcut: key('alt+shift+up'), run: move('top') },
    { id: 'up', label: strings.todos.moveUp, icon: ArrowUp, shortcut: key('alt+up'), run: move('up') },
    { id: 'down', label: strings.todos.moveDown, icon: ArrowDown, shortcut: key('alt+down'), run: move('down') },
    {
      id: 'bottom',
      label: strings.todos.moveBottom,
      icon: ArrowDownToLine,
      shortcut: key('alt+shift+down'),
      run: move('bottom'),
    },
    { id: 'delete', label: strings.common.delete, icon: Trash2, shortcut: 'Delete', danger: true, run: remove },
  ];
  return (
    <div className="todo-actions">
      <span className="todo-move">
        <IconButton label={strings.todos.moveUpOf(title)} hint={strings.todos.moveUp} onPress={move('up')}>
          <ArrowUp size={15} aria-hidden="true" />
        </IconButton>
        <IconButton label={strings.todos.moveDownOf(title)} hint={strings.todos.moveDown} onPress={move('down')}>
          <ArrowDown size={15} aria-hidden="true" />
        </IconButton>
      </span>
      <IconButton label={strings.todos.edit(title)} hint={strings.common.edit} onPress={onEdit}>
        <PencilLine size={15} aria-hidden="true" />
      </IconButton>
      <MenuButton label={strings.todos.actions(title)} entries={entries} />
    </div>
  );
}
