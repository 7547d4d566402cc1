import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useSaveState, useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { Banner } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { clockTime } from '../ui/time.ts';
import { FailureReason } from './failure-reason.tsx';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';

/** Bottom of the window: the truth about saving, and that nobody answers here. */
export function StatusLine() {
  return (
    <footer className="status">
      <SaveState />
      <span className="status-records">{texts.status.records}</span>
    </footer>
  );
}

function SaveState() {
  const { running, savedAt, failures } = useSaveState();
  const { outbox, messages } = useMiniChat();
  const waiting = useStore(outbox);
  const notRecorded = useStore(messages).filter(({ error }) => error !== null).length;
  const unsaved =
    failures.length +
    (waiting.returned ? 1 : 0) +
    waiting.outgoing.filter((entry) => entry.error !== null).length +
    notRecorded;
  if (running > 0) {
    return (
      <span className="save-state">
        <LoaderCircle size={14} aria-hidden="true" />
        {strings.saving.running}
      </span>
    );
  }
  if (unsaved > 0) {
    return (
      <span className="save-state save-failed">
        <CircleAlert size={14} aria-hidden="true" />
        {texts.status.notSaved(unsaved)}
      </span>
    );
  }
  return (
    <span className="save-state">
      <CircleCheck size={14} aria-hidden="true" />
      {savedAt === null ? texts.status.allSaved : strings.saving.savedAt(clockTime(savedAt))}
    </span>
  );
}

/** Ticks and deletes that failed: what was shown was taken back, and this says why. */
export function FailedChanges() {
  const { saves } = useSidekeep();
  const { failures } = useSaveState();
  return failures.map(({ subject, error, retry }) => (
    <Banner
      key={subject}
      kind="danger"
      actions={
        <>
          {retry ? (
            <Button small onPress={retry}>
              {strings.common.retry}
            </Button>
          ) : null}
          <Button small kind="quiet" onPress={() => saves.dismiss(subject)}>
            {strings.common.dismiss}
          </Button>
        </>
      }
    >
      <FailureReason error={error} />
    </Banner>
  ));
}
