import type { SessionMessage } from '../../src/contract/index.ts';
import { endOf, type TranscriptState } from '../state/session-transcript.ts';
import { type Conversation, conversationKey } from './conversation.ts';
import type { OutgoingMessage } from './message-outbox.ts';

/** What stands below the messages that the transcript holds: those on their way into it, oldest first. */
export const outgoingOf = (
  all: readonly OutgoingMessage[],
  conversation: Conversation,
  total: number,
): OutgoingMessage[] => all.filter((message) => isIn(message, conversation) && !hasArrived(message, total));

/** Ids of the messages that were on their way and stand in the transcript by now. */
export const arrivedOf = (all: readonly OutgoingMessage[], conversation: Conversation, total: number): string[] =>
  all.filter((message) => isIn(message, conversation) && hasArrived(message, total)).map(({ messageId }) => messageId);

/** The last message when it is the person's own and nothing has answered it; else null. */
export function unansweredOf(state: TranscriptState): SessionMessage | null {
  const last = state.messages.at(-1);
  if (last === undefined || endOf(state) < state.total) return null;
  return last.kind === 'message' && last.role === 'user' && last.origin !== 'host' ? last : null;
}

const isIn = (message: OutgoingMessage, conversation: Conversation): boolean =>
  conversationKey(message.conversation) === conversationKey(conversation);

const hasArrived = ({ recorded }: OutgoingMessage, total: number): boolean =>
  recorded !== null && recorded.index < total;
