import { useEffect } from 'react';
import { useDraft, useProjects, useWindows } from '../state/hooks.ts';
import { useStorePart } from '../state/store.ts';
import { type ChatDrafts, chatBeingWritten } from './chat-drafts.ts';
import { conversationKey } from './conversation.ts';
import { draftKey } from './draft-keys.ts';
import { useMiniChat } from './mini-chat-state.ts';

/** Keeps the folder of the chat that is being written in step with what stands in the field. */
export function useChatDraft(drafts: ChatDrafts): void {
  const { target, mode, openSession, messages } = useMiniChat();
  const { conversation } = openSession;
  const [{ text: typed }] = useDraft(draftKey(target.id));
  const isChats = useProjects().value?.chatsId === target.id;
  const isWindowShown = useWindows().value?.miniChat.visible ?? false;
  const isOnItsWay = useStorePart(messages, (all) =>
    all.some((message) => conversationKey(message.conversation) === conversationKey(conversation)),
  );
  const written = chatBeingWritten({ conversation, typed, mode, isChats, isWindowShown, isOnItsWay });
  useEffect(() => {
    void drafts.write(written);
  }, [drafts, written]);
  useEffect(() => {
    const giveUp = () => void drafts.write(null);
    addEventListener('pagehide', giveUp);
    return () => removeEventListener('pagehide', giveUp);
  }, [drafts]);
}
