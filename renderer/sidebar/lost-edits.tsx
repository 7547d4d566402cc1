import { limits } from '../../src/contract/index.ts';
import { actions } from '../state/actions.ts';
import { type EditableKind, partsOf } from '../state/editing.ts';
import { useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { strings } from '../ui/strings.ts';
import { TextArea } from '../ui/text-area.tsx';
import { EntryConflict } from './entry-conflict.tsx';
import { focusAfter, sectionTab } from './focus-after.ts';

/** Edits of entries that were deleted elsewhere: their rows are gone, their texts stay here until the person decides. */
export function LostEdits({ ownerId, kind }: { ownerId: string; kind: EditableKind }) {
  const { editing } = useSidekeep();
  const lost = [...useStore(editing)].filter(([key, edit]) => {
    const parts = partsOf(key);
    return parts?.projectId === ownerId && parts.kind === kind && edit.theirs === 'deleted';
  });
  if (lost.length === 0) return null;
  return (
    <div className="column lost-edits">
      {lost.map(([key, edit]) => (
        <LostEdit key={key} ownerId={ownerId} kind={kind} editKey={key} edit={edit} />
      ))}
    </div>
  );
}

function LostEdit(
  props: Parameters<typeof LostEdits>[0] & Pick<Parameters<typeof EntryConflict>[0], 'editKey' | 'edit'>,
) {
  const { ownerId, kind, editKey, edit } = props;
  const sidekeep = useSidekeep();
  const texts = kind === 'note' ? strings.notes : strings.todos;
  const saveAsNew = async () => {
    const act = actions(sidekeep);
    const made = kind === 'note' ? await act.createNote(ownerId, edit.mine) : await act.addTodo(ownerId, edit.mine);
    return made.ok;
  };
  return (
    <div className="lost-edit">
      <EntryConflict
        edit={edit}
        editKey={editKey}
        saveAsNewLabel={texts.saveAsNew}
        saveAsNew={saveAsNew}
        bothKept={texts.bothKept}
        onEnd={() => void focusAfter(Promise.resolve(), sectionTab)}
      />
      <TextArea
        label={texts.editField}
        value={edit.mine}
        limit={kind === 'note' ? limits.noteBody : limits.todoText}
        onChange={(text) => sidekeep.editing.type(editKey, text)}
      />
    </div>
  );
}
