import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type SessionRef, sessionKey } from '../../src/contract/index.ts';
import { useChats, useProjects, useSidekeep } from './hooks.ts';
import { emptyList, type SessionList, type ShownSessions, shownChats } from './session-list.ts';
import { type DetailEntry, detailKey, emptyDetail, sessionsKey } from './session-sync.ts';
import { SessionTranscript } from './session-transcript.ts';

/** The sessions of one owner, or of all with null. Nothing is asked for while it is not wanted. */
export function useSessionList(ownerId: string | null, isWanted = true): SessionList {
  const { sessions } = useSidekeep();
  const query = useQuery<SessionList>({ queryKey: sessionsKey(ownerId), queryFn: skipToken });
  useEffect(() => {
    if (isWanted) sessions.ensure(ownerId);
  }, [sessions, ownerId, isWanted]);
  return query.data ?? emptyList;
}

/**
 * The sessions of one owner, or of all with null, as they are shown: the chats of the run before at once, until the list was
 * known in this run. What goes from a known list is gone.
 */
export function useShownSessions(ownerId: string | null): ShownSessions {
  const list = useSessionList(ownerId);
  const isChats = useProjects().value?.chatsId === ownerId;
  const chats = useChats().value;
  const known = useRef<string | null>(null);
  if (list.isRead && list.catalog.state === 'ready') known.current = ownerId;
  const isKnown = known.current === ownerId;
  return useMemo(
    () => (isChats && !isKnown ? shownChats(list, chats) : { list, isOld: false }),
    [isChats, isKnown, list, chats],
  );
}

/** Pause between two looks at who has a shown session open, in ms: a lock that is taken or let go changes no file. */
const LOOK_EVERY_MS = 3000;

/**
 * A session with who has it open and its heads; asked for anew whenever another one is shown, and again and again while it
 * is in sight. Null: none is shown.
 */
export function useSessionDetail(session: SessionRef | null): DetailEntry {
  const { sessions } = useSidekeep();
  const query = useQuery<DetailEntry>({
    queryKey: session === null ? ['session'] : detailKey(session),
    queryFn: skipToken,
  });
  const key = session === null ? null : sessionKey(session);
  const isGone = query.data?.isGone ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the session
  useEffect(() => {
    if (session !== null) void sessions.loadDetail(session);
  }, [sessions, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the session
  useEffect(() => {
    if (session === null || isGone) return;
    const timer = setInterval(() => {
      if (!document.hidden) void sessions.loadDetail(session);
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [sessions, key, isGone]);
  return query.data ?? emptyDetail;
}

/** A transcript that follows its session while the component is there; another one for another head. */
export function useTranscript(session: SessionRef, head: string | null = null): SessionTranscript {
  const { sessions, client } = useSidekeep();
  const [transcript, setTranscript] = useState(() => new SessionTranscript(client, session, head));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the session
  useEffect(() => {
    const opened = sessions.transcript(session, head);
    setTranscript(opened);
    opened.open();
    return () => opened[Symbol.dispose]();
  }, [sessions, sessionKey(session), head]);
  return transcript;
}
