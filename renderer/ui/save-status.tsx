import { Check, CircleAlert, LoaderCircle, PencilLine } from 'lucide-react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useSaveState, useSidekeep } from '../state/hooks.ts';
import type { FailedSave } from '../state/save-state.ts';
import { useStorePart } from '../state/store.ts';
import { Button } from './button.tsx';
import { useCopy } from './copy.ts';
import { strings } from './strings.ts';
import { clockTime } from './time.ts';

/** The truth about saving in this window: saving, saved at, or not saved because, with what can be done. */
export function SaveStatus() {
  const { running, savedAt, failures } = useSaveState();
  const [failure] = failures;
  const unsavedPlan = useStorePart(useSidekeep().drafts, (all) =>
    [...all.keys()].some((key) => key.includes('/plan:')),
  );
  const text =
    running > 0
      ? strings.saving.running
      : failure
        ? failures.length > 1
          ? strings.saving.failures(failures.length)
          : failure.ready
            ? strings.saving.ready
            : strings.saving.failed
        : unsavedPlan
          ? strings.saving.unsavedPlan
          : savedAt === null
            ? strings.saving.nothingYet
            : strings.saving.savedAt(clockTime(savedAt));
  const Icon = running > 0 ? LoaderCircle : failure ? CircleAlert : unsavedPlan ? PencilLine : Check;
  return (
    <div className={failure ? 'save-status save-status-failed' : 'save-status'}>
      <span role="status" className="save-status-text">
        <Icon size={15} aria-hidden="true" className={running > 0 ? 'spinning' : undefined} />
        {text}
      </span>
      {failure ? (
        <DialogTrigger defaultOpen={false}>
          <Button small kind="danger">
            {strings.saving.show}
          </Button>
          <Popover className="popover" placement="top start">
            <Dialog className="save-failures" aria-label={strings.saving.failed}>
              {failures.map((failed) => (
                <Failure key={failed.subject} failure={failed} />
              ))}
            </Dialog>
          </Popover>
        </DialogTrigger>
      ) : null}
    </div>
  );
}

function Failure({ failure }: { failure: FailedSave }) {
  const { saves } = useSidekeep();
  const copy = useCopy();
  const { text, retry } = failure;
  return (
    <div className="save-failure">
      <p>{failure.ready ? strings.saving.ready : strings.saving.failedBecause(failure.error.message)}</p>
      <div className="banner-actions">
        {retry ? (
          <Button small onPress={retry}>
            {strings.common.retry}
          </Button>
        ) : null}
        {text === null ? null : (
          <Button small onPress={() => copy(text)}>
            {strings.common.copyText}
          </Button>
        )}
        <Button small kind="quiet" onPress={() => saves.dismiss(failure.subject)}>
          {strings.common.dismiss}
        </Button>
      </div>
    </div>
  );
}
