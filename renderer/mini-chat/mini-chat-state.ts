import { createContext, use } from 'react';
import type { ComposerMode } from '../../src/contract/index.ts';
import type { Outbox } from './outbox.ts';
import type { Target } from './targets.ts';

/** What the parts of the Mini Chat share. */
export interface MiniChatState {
  readonly target: Target;
  readonly outbox: Outbox;
  readonly mode: ComposerMode;
  chooseMode(mode: ComposerMode): void;
  /** Shows the sidebar at a place, without the draft. */
  showInSidebar(place?: { section: 'notes' | 'todos' | 'plans'; entryId: string }): void;
  /** Shows the sidebar at the target and hands over what was typed. */
  handOver(): void;
}

export const MiniChatContext = createContext<MiniChatState | null>(null);

export function useMiniChat(): MiniChatState {
  const state = use(MiniChatContext);
  if (!state) throw new Error('useMiniChat outside of the Mini Chat');
  return state;
}
