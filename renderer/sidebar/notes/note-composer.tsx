import { limits } from '../../../src/contract/index.ts';
import { actions } from '../../state/actions.ts';
import { useDraft, useSidekeep } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { shortcutLabel } from '../../ui/keys.ts';
import { strings } from '../../ui/strings.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { composerKey } from '../composer-keys.ts';

/** The field for a new note. Its text is forgotten only when the note is on disk. */
export function NoteComposer({ ownerId, isFull }: { ownerId: string; isFull: boolean }) {
  const sidekeep = useSidekeep();
  const key = composerKey(ownerId, 'note');
  const [draft, setDraft] = useDraft(key);
  const blank = draft.text.trim() === '';
  const add = async () => {
    if (isFull || sidekeep.drafts.read(key).text.trim() === '') return;
    const sending = sidekeep.drafts.send(key);
    const result = await actions(sidekeep).createNote(ownerId, sending.text, { retry: () => void add() });
    if (!result.ok) return sending.restore();
    sending.acknowledge();
    if (result.value.clamped) sidekeep.toasts.show(strings.common.clamped);
  };
  return (
    <div className="column composer">
      <div className="composer-row">
        <TextArea
          id="composer"
          label={strings.notes.new}
          placeholder={strings.notes.placeholder}
          hint={isFull ? strings.notes.limit(limits.notes) : strings.notes.hint(shortcutLabel('mod+Enter'))}
          limit={limits.noteBody}
          value={draft.text}
          onChange={setDraft}
          onSubmit={() => void add()}
        />
        <Button kind="primary" isDisabled={blank || isFull} onPress={() => void add()}>
          {strings.notes.add}
        </Button>
      </div>
    </div>
  );
}
