import { expect, it } from 'vitest';
import { ChatDrafts } from '../../../renderer/mini-chat/chat-drafts.ts';
import { Conversations } from '../../../renderer/mini-chat/conversation.ts';
import { MessageOutbox } from '../../../renderer/mini-chat/message-outbox.ts';
import type { SessionRef } from '../../../src/contract/index.ts';
import { CHATS } from '../memory/context.ts';
import { note, openWindow } from '../window.ts';

const session: SessionRef = { store: 'global', id: 's' };

it('is told by the outbox once, with what was left out and the place of the message behind it', async () => {
  using window = await openWindow((store) => {
    store.of(CHATS).notes = [note('n1', 'alpha')];
    store.sessions.add('s', { ownerId: CHATS, ours: true });
    store.knowledge.pin(session, 'note', 'n1', true);
    store.knowledge.leftOut = ['A plan could not be read.'];
  });
  const sidekeep = window.connect('mini-chat');
  const conversations = new Conversations(window.storage);
  conversations.show(CHATS, session);
  const said: (readonly string[])[] = [];
  const outbox = new MessageOutbox(
    sidekeep,
    conversations,
    new ChatDrafts(sidekeep.client),
    window.storage,
    (_message, leftOut) => said.push(leftOut),
  );
  await outbox.send(CHATS, 'first');
  await outbox.send(CHATS, 'second');
  expect(said).toEqual([['A plan could not be read.'], []]);
  expect(outbox.get().map(({ text, recorded }) => [text, recorded?.index])).toEqual([
    ['first', 1],
    ['second', 2],
  ]);
});
