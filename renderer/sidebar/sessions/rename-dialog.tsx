import { useState } from 'react';
import { type CallError, type SessionRow, sessionLimits } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { TextField } from '../../ui/text-field.tsx';
import { plainTitle } from '../../ui/user-text.tsx';
import { closeDialog } from '../open-dialog.ts';
import { sessionActions } from './session-actions.ts';
import { sessionTexts as texts } from './strings.ts';

/** The title that a person gave it: what a change of it is based on. */
const givenTitle = (row: SessionRow): string => (row.titleSource === 'custom' ? row.title : '');

/** Gives a session a title. Where it got another one meanwhile, both are shown, and nothing is overwritten unasked. */
export function RenameSessionDialog({ row }: { row: SessionRow }) {
  const sidekeep = useSidekeep();
  const [text, setText] = useState(row.title);
  const [seen, setSeen] = useState(givenTitle(row));
  const [error, setError] = useState<CallError | null>(null);
  const [other, setOther] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const save = async (basedOn: string) => {
    if (isRunning) return;
    if (text === row.title && other === null) return closeDialog();
    setRunning(true);
    const failure = await sessionActions(sidekeep).rename(row, text, basedOn);
    if (failure?.code === 'conflict') {
      await sidekeep.sessions.loadDetail(row.session);
      const now = sidekeep.sessions.row(row.session) ?? row;
      setSeen(givenTitle(now));
      setOther(now.title);
    }
    setRunning(false);
    if (failure === null) closeDialog();
    else setError(failure);
  };
  const isConflict = error?.code === 'conflict' && other !== null;
  return (
    <Dialog title={texts.rename.title} isOpen onClose={closeDialog}>
      <TextField
        label={texts.rename.field}
        hint={texts.rename.hint}
        autoFocus
        selectAll
        value={text}
        onChange={(next) => {
          setText(next);
          if (!isConflict) setError(null);
        }}
        limit={sessionLimits.title}
        error={error === null || isConflict ? null : error.message}
        onSubmit={() => {
          // The other title is replaced only by the button that says so.
          if (!isConflict) void save(seen);
        }}
      />
      {isConflict ? <Banner kind="warning">{texts.rename.conflict(plainTitle(other))}</Banner> : null}
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{isConflict ? texts.rename.take : strings.common.cancel}</Button>
        <Button kind="primary" isDisabled={isRunning} onPress={() => void save(seen)}>
          {isConflict ? texts.rename.replace : strings.common.save}
        </Button>
      </div>
    </Dialog>
  );
}
