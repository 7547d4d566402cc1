import { useState } from 'react';
import { type SessionRef, type SessionRow, sessionKey } from '../../src/contract/index.ts';
import { useSidekeep } from '../state/hooks.ts';
import { useSessionDetail } from '../state/session-hooks.ts';
import type { DetailEntry } from '../state/session-sync.ts';
import { useStore } from '../state/store.ts';
import { announce } from '../ui/announcer.tsx';
import { type Conversation, type Conversations, sessionOf } from './conversation.ts';
import { draftKey } from './draft-keys.ts';
import { focusComposer } from './focus.ts';
import type { MessageOutbox } from './message-outbox.ts';
import { texts } from './strings.ts';
import type { Target } from './targets.ts';

/**
 * What a message does here: `open`: it is recorded; `copy`: it goes into a copy of the session; `blocked`: nothing, the session
 * cannot be read; `gone`: nothing, it was deleted; `loading`: that is not known yet.
 */
export type Access = 'open' | 'copy' | 'blocked' | 'gone' | 'loading';

/** The conversation of the target, and what can be done with it. */
export interface OpenSession {
  readonly conversation: Conversation;
  /** Null before the first message of a new session. */
  readonly session: SessionRef | null;
  readonly detail: DetailEntry;
  readonly access: Access;
  /** Whether a copy is being made. */
  readonly isCopying: boolean;
  /** The next message starts a session. */
  begin(): void;
  show(row: SessionRow): void;
  /** Records a message of the target, where it can be recorded; what cannot be stays in the field. */
  record(text: string): void;
  /** Opens a copy of the session, up to and with a message; of all of it without one. Answers whether there is one. */
  copy(index?: number): Promise<boolean>;
}

export function useOpenSession(target: Target, conversations: Conversations, messages: MessageOutbox): OpenSession {
  const sidekeep = useSidekeep();
  const { client, sessions, toasts, drafts } = sidekeep;
  useStore(conversations);
  const conversation = conversations.of(target.id);
  const session = sessionOf(conversation);
  const detail = useSessionDetail(session);
  const access = accessTo(conversation, detail);
  const [copying, setCopying] = useState<string | null>(null);
  const key = session === null ? null : sessionKey(session);
  const isCopying = copying !== null && copying === key;

  const copy = async (index?: number): Promise<boolean> => {
    if (session === null || isCopying) return false;
    setCopying(key);
    announce(texts.session.readOnly.copying);
    const owner = detail.detail?.row.ownerId === target.id ? {} : { ownerId: target.id };
    const result = await client.sessions.fork({ session, ...owner, ...(index === undefined ? {} : { index }) });
    setCopying(null);
    if (!result.ok) {
      toasts.show(texts.session.readOnly.notCopied(result.error.message));
      return false;
    }
    sessions.accept(result.value.row);
    // The person may be somewhere else by now: the copy is in the list then, and nothing is taken away from them.
    const there = sessionOf(conversations.of(target.id));
    if (there === null || sessionKey(there) !== key) return false;
    conversations.show(target.id, result.value.row.session);
    announce(texts.session.readOnly.copied);
    return true;
  };

  return {
    conversation,
    session,
    detail,
    access,
    isCopying,
    begin: () => {
      conversations.begin(target.id);
      announce(texts.session.bar.fresh(target));
      focusComposer();
    },
    show: (row) => {
      conversations.show(target.id, row.session);
      announce(texts.session.opening.shown(row.title));
    },
    record: (text) => {
      if (access === 'open') return void messages.send(target.id, text);
      if (access !== 'copy') {
        announce(access === 'gone' ? texts.session.gone.title : texts.session.readOnly.blocked);
        return;
      }
      const typed = drafts.read(draftKey(target.id)).text;
      void copy().then((isOpen) => {
        // What was typed since is not what was sent: it stays.
        if (isOpen && drafts.read(draftKey(target.id)).text === typed) void messages.send(target.id, text);
      });
    },
    copy,
  };
}

export function accessTo(conversation: Conversation, { detail, problem, isGone }: DetailEntry): Access {
  if (conversation.kind === 'new') return 'open';
  if (isGone || problem?.code === 'not-found') return 'gone';
  if (detail === null) return problem === null ? 'loading' : 'blocked';
  if (detail.readOnly === null) return 'open';
  return detail.readOnly === 'foreign' || detail.readOnly === 'in-use' ? 'copy' : 'blocked';
}
