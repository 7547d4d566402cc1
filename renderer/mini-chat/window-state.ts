import { useEffect, useRef, useState } from 'react';
import type { ComposerMode } from '../../src/contract/index.ts';
import { useProjects, useSidekeep } from '../state/hooks.ts';
import type { Sidekeep } from '../state/sidekeep.ts';
import { useStore } from '../state/store.ts';
import { announce } from '../ui/announcer.tsx';
import { knowledgeTexts } from '../ui/knowledge/strings.ts';
import { strings } from '../ui/strings.ts';
import { ChatDrafts } from './chat-drafts.ts';
import { Conversations } from './conversation.ts';
import { DeletedItems } from './deleted-items.ts';
import { draftKey } from './draft-keys.ts';
import { handoverOf } from './handover.ts';
import { MessageOutbox } from './message-outbox.ts';
import type { MiniChatState, Open } from './mini-chat-state.ts';
import { useOpenSession } from './open-session.ts';
import { Outbox } from './outbox.ts';
import { useMode } from './remembered.ts';
import { useTargetSearch } from './search.ts';
import { texts } from './strings.ts';
import type { Target } from './targets.ts';

/** What the parts of the Mini Chat share, for this target. */
export function useMiniChatState(target: Target): MiniChatState {
  const sidekeep = useSidekeep();
  const { client, shared, drafts, toasts } = sidekeep;
  const [mode, setMode] = useMode();
  const [open, setOpen] = useState<Open>(null);
  const say = useSay(mode);
  const [outbox] = useState(
    () => new Outbox(sidekeep, (saved, count) => say(false, texts.composer.recorded[saved](count))),
  );
  const { conversations, chatDrafts, messages } = useMessages(sidekeep, (_message, leftOut) => {
    if (leftOut.length === 0) say(true, texts.composer.recorded.message());
    else toasts.show(knowledgeTexts.recordedWithout(leftOut), { kind: 'recorded' });
  });
  const openSession = useOpenSession(target, conversations, messages);
  const moved = useProjects().value?.moved;
  const waiting = useStore(outbox);
  useEffect(() => {
    if (moved && waiting) outbox.follow(moved);
  }, [outbox, moved, waiting]);
  useEffect(() => {
    if (!moved) return;
    conversations.follow(moved);
    messages.follow(moved);
  }, [conversations, messages, moved]);
  useEffect(() => outbox.watch(), [outbox]);
  const [deleted] = useState(() => new DeletedItems(sidekeep));
  const openSidebar = async (handover: Parameters<typeof client.windows.openInSidebar>[0]): Promise<boolean> => {
    const result = await client.windows.openInSidebar(handover);
    if (result.ok) shared.accept('windows', result.value);
    else toasts.show(texts.notices.notOpened(result.error.message));
    return result.ok;
  };
  const search = useTargetSearch(
    target,
    ({ projectId, section, id }) => void openSidebar({ projectId, section, entryId: id }),
  );
  const handOver = () => {
    const key = draftKey(target.id);
    const typed = drafts.read(key).text;
    const handover = handoverOf(target.id, typed, mode, openSession.session);
    void openSidebar(handover).then((opened) => {
      if (!opened || typed.trim() === '') return;
      if (handover.draft === undefined) {
        if (handover.session !== undefined) announce(texts.notices.handedOverSession);
        return;
      }
      // What was typed since is not what the sidebar has: it stays.
      if (drafts.read(key).text !== typed) return;
      drafts.write(key, '');
      drafts.flush();
      announce(texts.notices.handedOver);
    });
  };
  return {
    target,
    outbox,
    conversations,
    chatDrafts,
    messages,
    openSession,
    deleted,
    mode,
    search,
    open,
    setOpen,
    chooseMode: (chosen) => {
      if (chosen === mode) return;
      setMode(chosen);
      announce(texts.composer.modeChosen(strings.common.mode[chosen]));
    },
    run: (action) => {
      if (action === 'find') search.begin(false);
      else if (action === 'help') setOpen('help');
      else void deleted.bringBackNewest(target.id).then((said) => toasts.show(said));
    },
    showInSidebar: (place) => void openSidebar({ projectId: target.id, ...place }),
    // A search stands in front of the text: what it found is what is opened, and the text stays.
    handOver: () => (search.isOn ? search.finding.act((found) => search.show(found, true)) : handOver()),
  };
}

/** What Message mode keeps for all targets; what an earlier page did not get recorded is tried again. */
function useMessages(sidekeep: Sidekeep, onRecorded: ConstructorParameters<typeof MessageOutbox>[4]) {
  const [kept] = useState(() => {
    const conversations = new Conversations(localStorage);
    const chatDrafts = new ChatDrafts(sidekeep.client);
    const messages = new MessageOutbox(sidekeep, conversations, chatDrafts, localStorage, onRecorded);
    return { conversations, chatDrafts, messages };
  });
  useEffect(() => kept.messages.resume(), [kept]);
  return kept;
}

/** Says that something is on the disk: aloud, and in a toast as well where the window does not show it. */
function useSay(mode: ComposerMode): (isMessage: boolean, text: string) => void {
  const { toasts } = useSidekeep();
  const showsMessages = useRef(false);
  useEffect(() => {
    showsMessages.current = mode === 'message';
  }, [mode]);
  const [say] = useState(() => (isMessage: boolean, text: string) => {
    if (isMessage === showsMessages.current) announce(text);
    else toasts.show(text, { kind: 'recorded' });
  });
  return say;
}
