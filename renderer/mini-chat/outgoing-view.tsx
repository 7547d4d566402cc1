import { CircleAlert, Clock, LoaderCircle, UserRound } from 'lucide-react';
import { useStore } from '../state/store.ts';
import { clockTime } from '../ui/time.ts';
import { transcriptTexts } from '../ui/transcript/strings.ts';
import { UserText } from '../ui/user-text.tsx';
import { type MessageState, type OutgoingMessage, stateOf } from './message-outbox.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';

/** Most of a text that is drawn before its message is there, in UTF-16 code units. */
const MOST = 20_000;

/** A message of the person that is not in the transcript yet, with the truth about it. */
export function OutgoingView({ message }: { message: OutgoingMessage }) {
  const state = stateOf(message, useStore(useMiniChat().messages));
  const { text, recorded } = message;
  return (
    <article
      className={`message message-user message-outgoing outgoing-${state}`}
      aria-label={`${transcriptTexts.roles.user}: ${texts.session.message.state[state]}`}
    >
      <header className="message-head">
        <UserRound size={15} aria-hidden="true" />
        <span className="message-role">{transcriptTexts.roles.user}</span>
        <span className="outgoing-state">
          <StateIcon state={state} />
          {recorded === null ? texts.session.message.state[state] : clockTime(recorded.at)}
        </span>
      </header>
      <div className="message-content">
        <UserText as="block" text={text.length > MOST ? `${text.slice(0, MOST)}…` : text} />
      </div>
    </article>
  );
}

function StateIcon({ state }: { state: MessageState }) {
  if (state === 'failed') return <CircleAlert size={13} aria-hidden="true" />;
  if (state === 'waiting') return <Clock size={13} aria-hidden="true" />;
  return state === 'sending' ? <LoaderCircle size={13} aria-hidden="true" className="spinning" /> : null;
}
