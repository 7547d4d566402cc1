import { useEffect, useRef } from 'react';
import type { ProjectList, SessionRow, WindowsState } from '../../src/contract/index.ts';
import { useSidekeep, useWindows } from '../state/hooks.ts';
import type { Sidekeep } from '../state/sidekeep.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';
import { type Target, targetsOf } from './targets.ts';

type Opening = NonNullable<WindowsState['miniChat']['opening']>;

/** Where a session is shown: in the place that it belongs to, or in Chats where that is not in the list. */
export function placeOfSession(list: ProjectList, row: SessionRow): { target: Target; isItsOwn: boolean } {
  const targets = targetsOf(list);
  const own = targets.find(({ id }) => id === row.ownerId);
  return own
    ? { target: own, isItsOwn: true }
    : { target: { id: list.chatsId, label: null, path: null }, isItsOwn: false };
}

/**
 * Shows the session that the sidebar asks for, once, in its place; what is typed stays where it was typed. Waits for the end
 * of a composition, whose word would be broken.
 */
export function useOpening(list: ProjectList, isComposing: boolean, choose: (target: Target) => void): void {
  const sidekeep = useSidekeep();
  const opening = useWindows().value?.miniChat.opening ?? null;
  const { conversations, mode, chooseMode, search } = useMiniChat();
  const taken = useRef(new Set<number>());
  useEffect(() => {
    if (opening === null || isComposing || taken.current.has(opening.id)) return;
    taken.current.add(opening.id);
    void take(sidekeep, opening).then((row) => {
      if (row === null) return;
      const { target, isItsOwn } = placeOfSession(list, row);
      if (search.isOn) search.leave();
      conversations.show(target.id, row.session);
      choose(target);
      if (mode !== 'message') chooseMode('message');
      if (!isItsOwn) sidekeep.toasts.show(texts.session.opening.noPlace);
    });
  });
}

/** Answers what is to be shown, and null after saying why that cannot be. */
async function take(
  { client, shared, sessions, toasts }: Sidekeep,
  { id, session }: Opening,
): Promise<SessionRow | null> {
  const [detail, taking] = await Promise.all([client.sessions.get({ session }), client.windows.takeOpening({ id })]);
  if (taking.ok) shared.accept('windows', taking.value);
  if (!detail.ok) {
    const { code, message } = detail.error;
    toasts.show(code === 'not-found' ? texts.session.opening.gone : texts.session.opening.failed(message));
    return null;
  }
  sessions.accept(detail.value.row);
  return detail.value.row;
}
