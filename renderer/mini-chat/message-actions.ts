import { Copy, CopyPlus, StickyNote } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { limits, type NoteOrigin, type SessionMessage, type SessionRef } from '../../src/contract/index.ts';
import { actions } from '../state/actions.ts';
import { useSidekeep } from '../state/hooks.ts';
import type { Sidekeep } from '../state/sidekeep.ts';
import type { MenuEntry } from '../ui/menu.tsx';
import { strings } from '../ui/strings.ts';
import { copyText } from './copy-text.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';

/** Most of a text that one call reads, in UTF-16 code units. */
const STEP = 262_144;

/** Makes notes of the target out of messages; what is not recorded is said beside the composer, with a way to try again. */
export function useMessageNote(session: SessionRef): (text: string, messageId: string | null) => Promise<boolean> {
  const sidekeep = useSidekeep();
  const { target } = useMiniChat();
  return async (text, messageId) => {
    const origin: NoteOrigin = { sessionId: session.id, ...(messageId === null ? {} : { messageId }) };
    const result = await actions(sidekeep).createNote(target.id, text, { source: 'selection', origin });
    if (result.ok) {
      const said = result.value.clamped ? strings.common.clamped : texts.session.transcript.noted;
      sidekeep.toasts.show(said, { kind: 'recorded' });
    }
    return result.ok;
  };
}

/** What can be done with a message; the same function as long as the session is the same. */
export function useMessageActions(session: SessionRef): (message: SessionMessage) => MenuEntry[] {
  const sidekeep = useSidekeep();
  const { openSession } = useMiniChat();
  const makeNote = useMessageNote(session);
  const entriesOf = (message: SessionMessage): MenuEntry[] => [
    {
      id: 'copy-text',
      label: strings.common.copyText,
      icon: Copy,
      run: () => void copyWhole(sidekeep, session, message),
    },
    {
      id: 'note',
      label: texts.session.transcript.noteWhole,
      icon: StickyNote,
      disabled: message.content.trim() === '' || message.cut || message.content.length > limits.noteBody,
      run: () => void makeNote(message.content, message.id),
    },
    {
      id: 'copy-from',
      label: texts.session.bar.copyFrom,
      icon: CopyPlus,
      run: () => void openSession.copy(message.index),
    },
  ];
  // What the entries do is looked up when they are opened; the function stays, so that no message is drawn anew.
  const latest = useRef(entriesOf);
  useEffect(() => {
    latest.current = entriesOf;
  });
  return useState(() => (message: SessionMessage) => latest.current(message))[0];
}

/** Copies a message whole, also one that came cut. */
async function copyWhole(sidekeep: Sidekeep, session: SessionRef, message: SessionMessage): Promise<void> {
  let text = message.content;
  for (let isWhole = !message.cut; !isWhole; ) {
    const { index } = message;
    const part = { session, index, part: 'content' as const, offset: text.length, length: STEP };
    const answer = await sidekeep.client.sessions.text(part);
    if (!answer.ok) return void sidekeep.toasts.show(answer.error.message);
    text += answer.value.text;
    isWhole = answer.value.text === '' || text.length >= answer.value.total;
  }
  await copyText(sidekeep, text);
}
