import { useRef } from 'react';
import { limits, type Note } from '../../../src/contract/index.ts';
import { actions } from '../../state/actions.ts';
import { type EntryEdit, isChanged } from '../../state/entry-edit.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { shortcutLabel } from '../../ui/keys.ts';
import { strings } from '../../ui/strings.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { EntryConflict, leadToChoices } from '../entry-conflict.tsx';
import { saveEdit } from '../save-edit.ts';

/** The field in which a note is edited, in the place of its text. */
export function NoteEdit(props: { ownerId: string; note: Note; editKey: string; edit: EntryEdit; onEnd: () => void }) {
  const { ownerId, note, editKey, edit, onEnd } = props;
  const sidekeep = useSidekeep();
  const { editing } = sidekeep;
  const place = useRef<HTMLDivElement>(null);
  const blank = edit.mine.trim() === '';
  const end = () => {
    editing.end(editKey);
    onEnd();
  };
  const save = () => {
    if (edit.theirs !== null) return leadToChoices(place.current);
    if (blank) return;
    if (!isChanged(edit)) return end();
    void saveEdit(sidekeep, ownerId, editKey, (handled) =>
      actions(sidekeep).updateNote(ownerId, { ...note, revision: edit.base.revision }, edit.mine, handled),
    );
    onEnd();
  };
  const saveAsNew = async () => (await actions(sidekeep).createNote(ownerId, edit.mine)).ok;
  return (
    <div className="note-edit" ref={place}>
      <EntryConflict
        edit={edit}
        editKey={editKey}
        saveAsNewLabel={strings.notes.saveAsNew}
        saveAsNew={saveAsNew}
        bothKept={strings.notes.bothKept}
        onEnd={onEnd}
      />
      <TextArea
        label={strings.notes.editField}
        hint={strings.notes.editHint(shortcutLabel('mod+Enter'))}
        limit={limits.noteBody}
        autoFocus={!isChanged(edit)}
        value={edit.mine}
        onChange={(text) => editing.type(editKey, text)}
        onComposition={(composing) => editing.composition(editKey, composing)}
        onSubmit={save}
        onCancel={end}
      />
      <div className="dialog-actions">
        <Button small onPress={end}>
          {strings.common.cancel}
        </Button>
        <Button small kind="primary" isDisabled={blank || edit.theirs !== null} onPress={save}>
          {strings.common.save}
        </Button>
      </div>
    </div>
  );
}
