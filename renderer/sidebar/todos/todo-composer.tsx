import { limits } from '../../../src/contract/index.ts';
import { actions } from '../../state/actions.ts';
import { useDraft, useSidekeep } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { strings } from '../../ui/strings.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { composerKey } from '../composer-keys.ts';
import { todoLines } from './todo-lines.ts';

/** The field for new todos. Its text is forgotten only when the todos are on disk. */
export function TodoComposer({ ownerId, room }: { ownerId: string; room: number }) {
  const sidekeep = useSidekeep();
  const key = composerKey(ownerId, 'todo');
  const [draft, setDraft] = useDraft(key);
  const lines = todoLines(draft.text);
  const blocked = isBlocked(lines, room);
  const add = async () => {
    const lines = todoLines(sidekeep.drafts.read(key).text);
    if (isBlocked(lines, room)) return;
    const sending = sidekeep.drafts.send(key);
    for (const [index, line] of lines.entries()) {
      const result = await actions(sidekeep).addTodo(ownerId, line, () => void add());
      // What is on disk already must not come back into the field.
      if (!result.ok) return sending.restore(lines.slice(index).join('\n'));
    }
    sending.acknowledge();
  };
  const several = lines.length > 1;
  return (
    <div className="column composer">
      <div className="composer-row">
        <TextArea
          id="composer"
          label={strings.todos.new}
          placeholder={strings.todos.placeholder}
          hint={hintOf(lines, room)}
          limit={several ? limits.todoText * lines.length : limits.todoText}
          countHidden={several}
          rows={1}
          submitOn="enter"
          value={draft.text}
          onChange={setDraft}
          onSubmit={() => void add()}
        />
        <Button kind="primary" isDisabled={blocked} onPress={() => void add()}>
          {strings.todos.add}
        </Button>
      </div>
    </div>
  );
}

const isTooLong = (line: string): boolean => line.length > limits.todoText;

const isBlocked = (lines: readonly string[], room: number): boolean =>
  lines.length === 0 || lines.some(isTooLong) || lines.length > room;

function hintOf(lines: readonly string[], room: number): string {
  if (lines.length > room) return strings.todos.limit(room);
  if (lines.length > 1 && lines.some(isTooLong)) return strings.todos.tooLong(limits.todoText);
  return lines.length > 1 ? strings.todos.several(lines.length) : strings.todos.hint;
}
