import { StickyNote } from 'lucide-react';
import { limits, type Note } from '../../../src/contract/index.ts';
import { State } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { LostEdits } from '../lost-edits.tsx';
import { VirtualList } from '../virtual-list.tsx';
import { NoteComposer } from './note-composer.tsx';
import { NoteRow } from './note-row.tsx';

/** The notes of one owner, newest first, with the field for a new one above. */
export function NotesSection({
  ownerId,
  notes,
  readOnly,
}: {
  ownerId: string;
  notes: readonly Note[];
  readOnly: boolean;
}) {
  return (
    <div className="section">
      {readOnly ? null : <NoteComposer ownerId={ownerId} isFull={notes.length >= limits.notes} />}
      <LostEdits ownerId={ownerId} kind="note" />
      {notes.length === 0 ? (
        <div className="pane-state">
          <State icon={StickyNote} title={strings.notes.emptyTitle}>
            {strings.notes.empty}
          </State>
        </div>
      ) : (
        <VirtualList label={strings.notes.list} entries={notes} estimate={104} kind="note" ownerId={ownerId}>
          {(note) => <NoteRow ownerId={ownerId} note={note} readOnly={readOnly} />}
        </VirtualList>
      )}
    </div>
  );
}
