import { createContext, use } from 'react';
import type { CallInput, ComposerMode } from '../../src/contract/index.ts';
import type { ChatDrafts } from './chat-drafts.ts';
import type { Action } from './commands.ts';
import type { Conversations } from './conversation.ts';
import type { DeletedItems } from './deleted-items.ts';
import type { MessageOutbox } from './message-outbox.ts';
import type { OpenSession } from './open-session.ts';
import type { Outbox } from './outbox.ts';
import type { TargetSearch } from './search.ts';
import type { Target } from './targets.ts';

/** What stands over the window. */
export type Open = 'help' | 'deleted' | 'sessions' | 'delete-session' | null;

/** What the parts of the Mini Chat share. */
export interface MiniChatState {
  readonly target: Target;
  readonly outbox: Outbox;
  readonly conversations: Conversations;
  readonly chatDrafts: ChatDrafts;
  readonly messages: MessageOutbox;
  /** What Message mode of the target is about. */
  readonly openSession: OpenSession;
  readonly deleted: DeletedItems;
  readonly mode: ComposerMode;
  readonly search: TargetSearch;
  readonly open: Open;
  setOpen(open: Open): void;
  chooseMode(mode: ComposerMode): void;
  /** Carries out a command that records nothing. */
  run(action: Action): void;
  /** Shows the sidebar at a place, by itself of the target, without the draft. */
  showInSidebar(place?: Partial<Pick<CallInput<'windows.openInSidebar'>, 'projectId' | 'section' | 'entryId'>>): void;
  /** Shows the sidebar at the target and hands over what was typed. */
  handOver(): void;
}

export const MiniChatContext = createContext<MiniChatState | null>(null);

export function useMiniChat(): MiniChatState {
  const state = use(MiniChatContext);
  if (!state) throw new Error('useMiniChat outside of the Mini Chat');
  return state;
}
