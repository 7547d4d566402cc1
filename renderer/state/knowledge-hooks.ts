import { type CallInput, type CallOutput, type Pins, type SessionRef, sessionKey } from '../../src/contract/index.ts';
import { type Answer, useAnswer } from './answers.ts';
import { save } from './changes.ts';
import { useSidekeep } from './hooks.ts';
import { usePushes } from './pushes.ts';
import type { Sidekeep } from './sidekeep.ts';

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

/**
 * Adds a note or a plan to what a session is told, or takes it out. Answers what is pinned then; null when that failed, which
 * a toast says.
 */
export async function pinEntry(
  sidekeep: Sidekeep,
  input: Omit<CallInput<'knowledge.pin'>, 'revision'>,
  notChanged: (reason: string) => string,
): Promise<Pins | null> {
  const result = await save(sidekeep, {
    projectId: sessionKey(input.session),
    subject: `pin:${sessionKey(input.session)} ${input.kind} ${input.id}`,
    handled: () => true,
    call: () => sidekeep.client.knowledge.pin(input),
  });
  if (result.ok) return result.value;
  sidekeep.toasts.show(notChanged(result.error.message), { kind: 'pin failed' });
  return null;
}
