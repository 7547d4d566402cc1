import { useState } from 'react';
import type { CallError } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { strings } from '../../ui/strings.ts';
import { closeDialog, type Owner } from '../open-dialog.ts';
import { texts } from '../strings.ts';
import { recover } from './recover.ts';

/** Where no version can be gone back to: puts the damaged file aside, after a confirmation. */
export function StartEmpty({ owner, onFailure }: { owner: Owner; onFailure: (error: CallError | null) => void }) {
  const sidekeep = useSidekeep();
  const [isAsking, setAsking] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    onFailure(null);
    const error = await recover(sidekeep, owner.id, null, 'replace');
    setRunning(false);
    if (error === null) closeDialog();
    else onFailure(error);
  };
  if (!isAsking) {
    return (
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{strings.common.cancel}</Button>
        <Button onPress={() => setAsking(true)}>{texts.versions.startEmpty}</Button>
      </div>
    );
  }
  return (
    <section className="version-confirm" aria-labelledby="start-empty-title">
      <h3 id="start-empty-title">{texts.versions.startEmptyTitle}</h3>
      <p>{texts.versions.willStartEmpty}</p>
      <div className="dialog-actions">
        <Button autoFocus onPress={() => setAsking(false)}>
          {strings.common.cancel}
        </Button>
        <Button kind="danger" isDisabled={isRunning} onPress={() => void run()}>
          {texts.versions.startEmptyConfirm}
        </Button>
      </div>
    </section>
  );
}
