import { PencilLine, Trash2 } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import type { Note } from '../../../src/contract/index.ts';
import { editKey } from '../../state/editing.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { useStorePart } from '../../state/store.ts';
import { undoableDeletes } from '../../state/undo.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { PinToggle } from '../../ui/knowledge/pin-toggle.tsx';
import { strings } from '../../ui/strings.ts';
import { fullTime, shortTime } from '../../ui/time.ts';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { focusAfter, sectionTab } from '../focus-after.ts';
import { NoteEdit } from './note-edit.tsx';

/** A note longer than this is folded. */
const FOLD_LINES = 8;
const FOLD_LENGTH = 700;

/** One note: its text, where it came from and when, or the field in which it is edited. */
export const NoteRow = memo(function NoteRow(props: { ownerId: string; note: Note; readOnly: boolean }) {
  const { ownerId, note, readOnly } = props;
  const sidekeep = useSidekeep();
  const key = editKey(ownerId, 'note', note.id);
  const edit = useStorePart(sidekeep.editing, (edits) => edits.get(key));
  const row = useRef<HTMLElement>(null);
  const title = plainTitle(note.body).slice(0, 80);
  const start = () => sidekeep.editing.start(key, { text: note.body, revision: note.revision });
  const focusRow = () =>
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('.note-actions button')?.focus());
  const remove = () => {
    const place = row.current?.closest('li');
    const next = place?.nextElementSibling ?? place?.previousElementSibling;
    const removal = undoableDeletes(sidekeep, strings.undo).note(ownerId, note);
    void focusAfter(removal, () => next?.querySelector('.note-actions button:last-of-type'), sectionTab);
  };
  return (
    <article className="note column" ref={row} tabIndex={-1} aria-label={title}>
      {edit && !edit.saving ? (
        <NoteEdit ownerId={ownerId} note={note} editKey={key} edit={edit} onEnd={focusRow} />
      ) : (
        <>
          <NoteText text={note.body} />
          <footer className="note-foot">
            <NoteFacts note={note} />
            {readOnly ? null : (
              <div className="note-actions">
                <PinToggle kind="note" id={note.id} />
                <IconButton label={strings.notes.edit(title)} hint={strings.common.edit} onPress={start}>
                  <PencilLine size={15} aria-hidden="true" />
                </IconButton>
                <IconButton label={strings.notes.delete(title)} hint={strings.common.delete} onPress={remove}>
                  <Trash2 size={15} aria-hidden="true" />
                </IconButton>
              </div>
            )}
          </footer>
        </>
      )}
    </article>
  );
});

function NoteText({ text }: { text: string }) {
  const [unfolded, setUnfolded] = useState(false);
  const long = text.length > FOLD_LENGTH || text.split('\n', FOLD_LINES + 1).length > FOLD_LINES;
  return (
    <div className="note-text">
      <div className={long && !unfolded ? 'note-folded' : undefined}>
        <UserText text={text} as="block" />
      </div>
      {long ? (
        <Button kind="quiet" small aria-expanded={unfolded} onPress={() => setUnfolded(!unfolded)}>
          {unfolded ? strings.notes.showLess : strings.notes.showAll}
        </Button>
      ) : null}
    </div>
  );
}

function NoteFacts({ note }: { note: Note }) {
  const now = Date.now();
  const created = shortTime(note.createdAt, now);
  const edited = note.updatedAt > note.createdAt ? shortTime(note.updatedAt, now) : null;
  const shown = edited === null ? (created ?? strings.notes.noTime) : strings.notes.edited(edited);
  return (
    <p className="note-facts">
      <span>{strings.common.source[note.source]}</span>
      <time title={note.createdAt === 0 ? undefined : fullTime(note.createdAt)}>{shown}</time>
    </p>
  );
}
