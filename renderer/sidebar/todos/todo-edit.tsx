import { useRef } from 'react';
import { limits, type Todo } from '../../../src/contract/index.ts';
import { actions } from '../../state/actions.ts';
import { type EntryEdit, isChanged } from '../../state/entry-edit.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { strings } from '../../ui/strings.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { EntryConflict, leadToChoices } from '../entry-conflict.tsx';
import { saveEdit } from '../save-edit.ts';

/** The field in which a todo is edited, in the place of its text: Enter saves, Escape gives up the change. */
export function TodoEdit(props: { ownerId: string; todo: Todo; editKey: string; edit: EntryEdit }) {
  const { ownerId, todo, editKey, edit } = props;
  const sidekeep = useSidekeep();
  const { editing } = sidekeep;
  const place = useRef<HTMLDivElement>(null);
  const end = () => {
    focusRow();
    editing.end(editKey);
  };
  const save = () => {
    if (edit.theirs !== null) return leadToChoices(place.current);
    if (edit.mine.trim() === '') return;
    if (!isChanged(edit)) return end();
    focusRow();
    const based = { ...todo, revision: edit.base.revision };
    // A todo is one line: what was pasted with line breaks is joined.
    const text = edit.mine.replace(/\s*[\r\n]+\s*/g, ' ');
    void saveEdit(sidekeep, ownerId, editKey, (handled) => actions(sidekeep).renameTodo(ownerId, based, text, handled));
  };
  const saveAsNew = async () => (await actions(sidekeep).addTodo(ownerId, edit.mine)).ok;
  return (
    <div className="todo-edit column" ref={place}>
      <EntryConflict
        edit={edit}
        editKey={editKey}
        saveAsNewLabel={strings.todos.saveAsNew}
        saveAsNew={saveAsNew}
        bothKept={strings.todos.bothKept}
        onEnd={() => place.current?.closest<HTMLElement>('[role="row"]')?.focus()}
      />
      <TextArea
        label={strings.todos.editField}
        hint={strings.todos.editHint}
        limit={limits.todoText}
        rows={1}
        autoFocus={!isChanged(edit)}
        submitOn="enter"
        value={edit.mine}
        onChange={(text) => editing.type(editKey, text)}
        onComposition={(composing) => editing.composition(editKey, composing)}
        onSubmit={save}
        onCancel={end}
      />
    </div>
  );
}

/** The keyboard goes back to the row, from where arrow keys and shortcuts go on. */
const focusRow = (): void => document.activeElement?.closest<HTMLElement>('[role="row"]')?.focus();
