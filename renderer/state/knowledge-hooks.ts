import { type CallOutput, type Pins, type SessionRef, sessionKey } from '../../src/contract/index.ts';
import { type Answer, useAnswer } from './answers.ts';
import { useSidekeep } from './hooks.ts';
import { usePushes } from './pushes.ts';

/** What is asked about: a session, whose it is, and what grows with each message that is recorded in it. */
export interface KnowledgeOf {
  readonly session: SessionRef;
  /** Null when it belongs to nobody that is known here. */
  readonly ownerId: string | null;
  readonly lastActivity: number;
}

/** How often what a session is told may have changed. */
function useChanges({ session, ownerId, lastActivity }: KnowledgeOf): readonly unknown[] {
  const key = sessionKey(session);
  const pushes = usePushes('knowledge.changed', (payload) => {
    if (payload.session !== null) return sessionKey(payload.session) === key;
    return payload.ownerId === null || payload.ownerId === ownerId;
  });
  return [key, lastActivity, pushes];
}

/** Whether the next message is recorded with what the session is told, why, and what that is. */
export function useOwed(of: KnowledgeOf): Answer<CallOutput<'knowledge.owed'>> {
  const { client } = useSidekeep();
  return useAnswer(['knowledge-owed', ...useChanges(of)], () => client.knowledge.owed({ session: of.session }));
}

/** The notes and plans that a session is told of. */
export function usePins(of: KnowledgeOf): Answer<Pins> {
  const { client } = useSidekeep();
  return useAnswer(['knowledge-pins', ...useChanges(of)], () => client.knowledge.pins({ session: of.session }));
}
