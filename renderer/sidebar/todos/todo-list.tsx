import { useEffect, useMemo, useRef } from 'react';
import { GridList, GridListItem, type Key, ListLayout, useDragAndDrop, Virtualizer } from 'react-aria-components';
import type { Todo } from '../../../src/contract/index.ts';
import { editKey } from '../../state/editing.ts';
import type { EntryEdit } from '../../state/entry-edit.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { useStore } from '../../state/store.ts';
import { strings } from '../../ui/strings.ts';
import { plainTitle } from '../../ui/user-text.tsx';
import { navigation } from '../navigation.ts';
import { todoKeyDown } from './todo-keys.ts';
import { moveTodoTo } from './todo-moves.ts';
import { TodoRow } from './todo-row.tsx';

const layoutOptions = { estimatedRowSize: 38 };

/**
 * The todos as a grid: React Aria's own virtualizer mounts what is seen, since its drag and drop, by pointer and by
 * keyboard, has to know the layout of the rows that are not mounted.
 */
export function TodoList({ ownerId, todos, readOnly }: { ownerId: string; todos: readonly Todo[]; readOnly: boolean }) {
  const sidekeep = useSidekeep();
  const grid = useRef<HTMLDivElement>(null);
  useMarkedTodo(todos, grid);
  const items = useItems(ownerId, todos);
  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: readOnly,
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': todos.find((todo) => todo.id === key)?.text ?? '' })),
    onReorder: ({ keys, target }) => {
      const [dragged] = keys;
      if (dragged === undefined) return;
      void moveTodoTo(sidekeep, ownerId, String(dragged), idBehind(todos, target.key, target.dropPosition));
    },
    renderDragPreview: (items) => <div className="todo-drag-preview">{items[0]?.['text/plain']}</div>,
  });
  return (
    <div className="todo-scroller" onKeyDownCapture={(event) => todoKeyDown(event, sidekeep, ownerId, readOnly)}>
      <Virtualizer layout={ListLayout} layoutOptions={layoutOptions}>
        <GridList
          ref={grid}
          className="todo-grid"
          aria-label={strings.todos.list}
          items={items}
          dragAndDropHooks={dragAndDropHooks}
          disallowTypeAhead
          keyboardNavigationBehavior="tab"
          dependencies={[readOnly]}
        >
          {({ todo }) => (
            <GridListItem id={todo.id} textValue={plainTitle(todo.text)} className="todo-item" data-entry={todo.id}>
              <TodoRow ownerId={ownerId} todo={todo} readOnly={readOnly} />
            </GridListItem>
          )}
        </GridList>
      </Virtualizer>
    </div>
  );
}

interface Item {
  readonly id: string;
  readonly todo: Todo;
  readonly edit: EntryEdit | undefined;
}

/** An item for each todo, the same one as long as nothing of it changed. */
const known = new WeakMap<Todo, Item>();

/** The rows. One that is edited becomes a new item with each change, so that the virtualizer measures it again. */
function useItems(ownerId: string, todos: readonly Todo[]): Item[] {
  const edits = useStore(useSidekeep().editing);
  return useMemo(
    () =>
      todos.map((todo) => {
        const edit = edits.get(editKey(ownerId, 'todo', todo.id));
        const before = known.get(todo);
        if (before && before.edit === edit) return before;
        const item = { id: todo.id, todo, edit };
        known.set(todo, item);
        return item;
      }),
    [ownerId, todos, edits],
  );
}

/** The id in front of which a drop puts a todo; null for the end. */
function idBehind(todos: readonly Todo[], target: Key, position: 'before' | 'after' | 'on'): string | null {
  if (position !== 'after') return String(target);
  const index = todos.findIndex((todo) => todo.id === target);
  return todos[index + 1]?.id ?? null;
}

/** Scrolls to the todo that was asked for and marks it for a moment. */
function useMarkedTodo(todos: readonly Todo[], grid: React.RefObject<HTMLDivElement | null>): void {
  const { marked } = useStore(navigation);
  const index = marked ? todos.findIndex((todo) => todo.id === marked.id) : -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request, whatever the list does later
  useEffect(() => {
    if (marked === null || index < 0 || !grid.current) return;
    grid.current.scrollTop = Math.max(0, (index - 3) * layoutOptions.estimatedRowSize);
    const timer = setTimeout(() => {
      const row = grid.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(marked.id)}"]`);
      row?.scrollIntoView({ block: 'nearest' });
      row?.classList.add('marked');
      if (marked.focus) row?.focus();
    }, 100);
    return () => clearTimeout(timer);
  }, [marked?.turn, index >= 0]);
}
