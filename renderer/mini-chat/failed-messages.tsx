import { type ErrorCode, sessionKey } from '../../src/contract/index.ts';
import { useProjects, useSidekeep } from '../state/hooks.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { Banner } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { UserText } from '../ui/user-text.tsx';
import { conversationKey } from './conversation.ts';
import { copyText } from './copy-text.ts';
import type { OutgoingMessage } from './message-outbox.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';
import { isListed } from './targets.ts';

/** Failures that the same message has again; all others may be gone, such as a deleted session that is back. */
const NEVER: readonly ErrorCode[] = ['invalid', 'forbidden', 'too-large'];

/** The messages of this target that were not recorded, and those of places that are gone, which would else never be seen. */
export function useFailedMessages(): readonly OutgoingMessage[] {
  const { target, messages } = useMiniChat();
  const { value: list } = useProjects();
  return useStore(messages).filter(
    ({ ownerId, error }) => error !== null && (ownerId === target.id || (list !== null && !isListed(list, ownerId))),
  );
}

/** Each with why it was not recorded and what can be done. */
export function FailedMessages({ failed }: { failed: readonly OutgoingMessage[] }) {
  return failed.map((message) => <FailedMessage key={message.messageId} message={message} />);
}

function FailedMessage({ message }: { message: OutgoingMessage }) {
  const sidekeep = useSidekeep();
  const { target, messages, openSession, mode } = useMiniChat();
  const { error, conversation, text, messageId } = message;
  if (error === null) return null;
  const isElsewhere = conversationKey(conversation) !== conversationKey(openSession.conversation);
  const title = conversation.kind === 'session' ? sidekeep.sessions.row(conversation.session)?.title : undefined;
  const place =
    title ?? (conversation.kind === 'session' ? sessionKey(conversation.session) : texts.session.bar.fresh(target));
  return (
    <Banner
      kind="danger"
      actions={
        <>
          {NEVER.includes(error.code) ? null : (
            <Button small onPress={() => void messages.retry(messageId)}>
              {strings.common.retry}
            </Button>
          )}
          <Button small onPress={() => messages.putBack(messageId, mode)}>
            {texts.unsaved.putBack}
          </Button>
          <Button small onPress={() => void copyText(sidekeep, text)}>
            {strings.common.copyText}
          </Button>
        </>
      }
    >
      <strong>{texts.session.message.notRecorded[error.code]}</strong> {error.message}
      {isElsewhere ? <span className="unsaved-text">{texts.session.message.elsewhere(place)}</span> : null}
      <span className="unsaved-text">
        <UserText as="one-line" text={text} />
      </span>
    </Banner>
  );
}
