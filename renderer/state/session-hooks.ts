import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type SessionRef, sessionKey } from '../../src/contract/index.ts';
import { useSidekeep } from './hooks.ts';
import { emptyList, type SessionList } from './session-list.ts';
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

/** A session with who has it open and its heads; asked for anew whenever another one is shown. */
export function useSessionDetail(session: SessionRef): DetailEntry {
  const { sessions } = useSidekeep();
  const query = useQuery<DetailEntry>({ queryKey: detailKey(session), queryFn: skipToken });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the session
  useEffect(() => void sessions.loadDetail(session), [sessions, sessionKey(session)]);
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
