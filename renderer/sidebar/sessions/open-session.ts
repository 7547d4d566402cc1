import { type ProjectList, type SessionRef, type SessionRow, sessionKey } from '../../../src/contract/index.ts';
import { navigation } from '../navigation.ts';

/** Whether this session is the one that is shown. */
export function isOpenSession(session: SessionRef): boolean {
  const open = navigation.get().session;
  return open !== null && sessionKey(open) === sessionKey(session);
}

/** Shows a session with its owner, if that is one of the list; else the owner that is shown stays. */
export function openSession({ session, ownerId }: Pick<SessionRow, 'session' | 'ownerId'>, list: ProjectList): void {
  if (ownerId === list.chatsId) navigation.openSession(session, null);
  else if (list.projects.some(({ id }) => id === ownerId)) navigation.openSession(session, ownerId);
  else navigation.openSession(session);
}
