import type { CallError } from '../../src/contract/index.ts';
import { useProjects, useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { Banner } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { UserText } from '../ui/user-text.tsx';
import { copyText } from './copy-text.ts';
import { FailedMessages, useFailedMessages } from './failed-messages.tsx';
import { FailureReason } from './failure-reason.tsx';
import { useMiniChat } from './mini-chat-state.ts';
import type { Outgoing } from './outbox.ts';
import { texts } from './strings.ts';
import { isListed } from './targets.ts';

/** What was not saved, why, and what to do: for the text that is in the box again, and for those that wait beside it. */
export function Unsaved({ typed, onRetry }: { typed: string; onRetry: () => void }) {
  const sidekeep = useSidekeep();
  const { target, outbox } = useMiniChat();
  const { outgoing, returned } = useStore(outbox);
  const { value: list } = useProjects();
  // What was meant for a place that is gone would otherwise never be seen again.
  const isHere = (id: string) => id === target.id || (list !== null && !isListed(list, id));
  const waiting = outgoing.filter((entry) => isHere(entry.projectId) && entry.error !== null);
  const failed = useFailedMessages();
  const isBack = returned !== null && returned.projectId === target.id && typed.trim() !== '';
  if (waiting.length === 0 && failed.length === 0 && !isBack) return null;
  return (
    <div className="unsaved">
      {waiting.map((entry) => (
        <Waiting key={entry.id} entry={entry} />
      ))}
      <FailedMessages failed={failed} />
      {isBack ? (
        <Banner
          kind={returned.mended ? 'info' : 'danger'}
          actions={
            <>
              <Button small onPress={onRetry}>
                {strings.common.retry}
              </Button>
              <Button small onPress={() => void copyText(sidekeep, typed)}>
                {strings.common.copyText}
              </Button>
              <Button small kind="quiet" onPress={() => outbox.dismissReturned()}>
                {strings.common.dismiss}
              </Button>
            </>
          }
        >
          <Reason error={returned.error} mended={returned.mended} /> {texts.unsaved.textKept}
        </Banner>
      ) : null}
    </div>
  );
}

function Reason({ error, mended }: { error: CallError; mended: boolean }) {
  if (!mended) return <FailureReason error={error} />;
  return (
    <>
      <strong>{texts.unsaved.mended}</strong> {texts.unsaved.mendedHint}
    </>
  );
}

function Waiting({ entry }: { entry: Outgoing }) {
  const sidekeep = useSidekeep();
  const { outbox } = useMiniChat();
  if (entry.error === null) return null;
  return (
    <Banner
      kind={entry.mended ? 'info' : 'danger'}
      actions={
        <>
          <Button small onPress={() => void outbox.retry(entry.id)}>
            {strings.common.retry}
          </Button>
          <Button small onPress={() => outbox.putBack(entry.id)}>
            {texts.unsaved.putBack}
          </Button>
          <Button small onPress={() => void copyText(sidekeep, entry.text)}>
            {strings.common.copyText}
          </Button>
        </>
      }
    >
      <Reason error={entry.error} mended={entry.mended} />
      <span className="unsaved-text">
        <UserText as="one-line" text={entry.text} />
      </span>
    </Banner>
  );
}
