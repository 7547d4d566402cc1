import { z } from 'zod';
import {
  type CallError,
  type ComposerMode,
  EntryId,
  ProjectId,
  type ProjectList,
  type SessionRef,
} from '../../src/contract/index.ts';
import type { DraftStorage } from '../state/drafts.ts';
import type { Sidekeep } from '../state/sidekeep.ts';
import { Store } from '../state/store.ts';
import type { ChatDrafts } from './chat-drafts.ts';
import { typedFor, typedWithCommand } from './commands.ts';
import { Conversation, type Conversations, conversationKey } from './conversation.ts';
import { draftKey } from './draft-keys.ts';

/** A message that left the composer, until the transcript shows it. */
export interface OutgoingMessage {
  /** Its id, the same for every try, so that it is recorded once however often it is tried. */
  readonly messageId: string;
  /** The target that it was written in. */
  readonly ownerId: string;
  readonly conversation: Conversation;
  readonly text: string;
  /** Why it was not recorded; null while it is on its way or behind another one, and once it is recorded. */
  readonly error: CallError | null;
  /** Place in its transcript and time of the acknowledgement, in ms since 1970; null until it is on the disk. */
  readonly recorded: { readonly index: number; readonly at: number } | null;
}

/** `waiting`: an earlier message of the conversation was not recorded, and this one would get in front of it. */
export type MessageState = 'sending' | 'waiting' | 'failed' | 'recorded';

const KEY = 'sidekeep.messages/mini-chat';
const Stored = z.array(
  z.strictObject({ messageId: EntryId, ownerId: ProjectId, conversation: Conversation, text: z.string() }),
);

/** Most recorded messages that are remembered for a transcript which does not show them yet. */
const MOST_RECORDED = 20;

/**
 * Takes messages from the composer to their session, one after the other in the order in which they were typed. What is not
 * acknowledged is kept in the window's storage with its id: a window that died tries again, and nothing is recorded twice.
 */
export class MessageOutbox extends Store<readonly OutgoingMessage[]> {
  readonly #sidekeep: Sidekeep;
  readonly #conversations: Conversations;
  readonly #chatDrafts: ChatDrafts;
  readonly #storage: DraftStorage;
  readonly #onRecorded: (message: OutgoingMessage, leftOut: readonly string[]) => void;
  /** Keys of the conversations that have a message on its way. */
  readonly #running = new Set<string>();
  /** Ids of texts that went back into the field, where a try may have been recorded unseen. */
  readonly #triedBefore = new Map<string, string>();

  /** @param onRecorded called once a message is on the disk, with what the session was not told since it cannot be read */
  constructor(
    sidekeep: Sidekeep,
    conversations: Conversations,
    chatDrafts: ChatDrafts,
    storage: DraftStorage,
    onRecorded: (message: OutgoingMessage, leftOut: readonly string[]) => void = () => {},
  ) {
    super(read(storage));
    this.#sidekeep = sidekeep;
    this.#conversations = conversations;
    this.#chatDrafts = chatDrafts;
    this.#storage = storage;
    this.#onRecorded = onRecorded;
  }

  /** Tries what an earlier window left behind. */
  resume(): void {
    for (const { conversation } of this.get()) void this.#run(conversationKey(conversation));
  }

  /** Records a text in the target's conversation and empties the target's field. Resolves when there is nothing left to try. */
  send(ownerId: string, text: string): Promise<void> {
    const conversation = this.#conversations.talk(ownerId);
    const messageId = this.#idFor(ownerId, conversation, text);
    this.#put([...this.get(), { messageId, ownerId, conversation, text, error: null, recorded: null }]);
    // Only now that it is kept elsewhere.
    this.#sidekeep.drafts.write(draftKey(ownerId), '');
    this.#sidekeep.drafts.flush();
    return this.#run(conversationKey(conversation));
  }

  /** Tries a message that was not recorded once more, and then those behind it. */
  retry(messageId: string): Promise<void> {
    const message = this.#find(messageId);
    if (!message || message.error === null) return Promise.resolve();
    this.#change(messageId, { error: null });
    return this.#run(conversationKey(message.conversation));
  }

  /** Gives a message that was not recorded back to the field, above what stands there. */
  putBack(messageId: string, mode: ComposerMode): void {
    const message = this.#find(messageId);
    if (!message || message.error === null) return;
    const { drafts } = this.#sidekeep;
    const { conversation, ownerId, text } = message;
    const typed = mode === 'message' ? typedFor(text) : typedWithCommand('message', text);
    const there = drafts.read(draftKey(ownerId)).text;
    drafts.write(draftKey(ownerId), there.trim() === '' ? typed : `${typed}\n${there}`);
    drafts.flush();
    this.#triedBefore.set(triedKey(conversation, text), messageId);
    this.#put(this.get().filter((other) => other !== message));
    void this.#run(conversationKey(conversation));
  }

  /** Says that transcripts show these now. */
  seen(messageIds: readonly string[]): void {
    const left = this.get().filter(({ messageId, recorded }) => recorded === null || !messageIds.includes(messageId));
    if (left.length < this.get().length) this.set(left);
  }

  /** What is not recorded yet goes where its place is now. */
  follow(moved: ProjectList['moved']): void {
    const idNow = (id: string): string => moved.find(({ from }) => from === id)?.to ?? id;
    if (!this.get().some(({ ownerId }) => idNow(ownerId) !== ownerId)) return;
    this.#put(this.get().map((message) => ({ ...message, ownerId: idNow(message.ownerId) })));
  }

  async #run(key: string): Promise<void> {
    if (this.#running.has(key)) return;
    this.#running.add(key);
    const next = this.get().find((message) => isOpen(message) && conversationKey(message.conversation) === key);
    const session = next && next.error === null ? await this.#deliver(next) : null;
    this.#running.delete(key);
    // The first message of a new session makes it one.
    if (session) await this.#run(conversationKey({ kind: 'session', session }));
  }

  /** Answers the session that it is recorded in; null when it is not. */
  async #deliver(message: OutgoingMessage): Promise<SessionRef | null> {
    const { saves } = this.#sidekeep;
    saves.started();
    const result = await this.#record(message);
    if (!result.ok) {
      saves.ended('message');
      this.#change(message.messageId, { error: result.error });
      this.#giveUpFolder(message);
      // It may be somebody else's by now, or gone.
      if (message.conversation.kind === 'session')
        void this.#sidekeep.sessions.loadDetail(message.conversation.session);
      return null;
    }
    const { session, index, leftOut } = result.value;
    const recorded = { index, at: Date.now() };
    saves.succeeded('message');
    const { conversation } = message;
    this.#triedBefore.delete(triedKey(conversation, message.text));
    if (conversation.kind === 'new') this.#becomes(conversation.id, session);
    this.#change(message.messageId, { recorded });
    this.#onRecorded({ ...message, recorded }, leftOut);
    return session;
  }

  async #record({ messageId, ownerId, conversation, text }: OutgoingMessage) {
    const { sessions, chats } = this.#sidekeep.client;
    if (conversation.kind === 'session') {
      const { session } = conversation;
      const result = await sessions.append({ session, text, messageId });
      if (!result.ok) return result;
      const { message, leftOut } = result.value;
      return { ok: true as const, value: { session, index: message.index, leftOut } };
    }
    // The creation of another text is another creation, so that a try which arrived unseen is not taken for it.
    const result = this.#isChats(ownerId)
      ? await chats.start({ draftId: messageId, text })
      : await sessions.create({ ownerId, text, requestId: messageId });
    return result.ok
      ? { ok: true as const, value: { session: result.value.row.session, index: 0, leftOut: [] } }
      : result;
  }

  /** A chat that was not started needs no folder: another try makes one again. It stays where the chat was started unseen. */
  #giveUpFolder({ messageId, ownerId, conversation }: OutgoingMessage): void {
    if (conversation.kind !== 'new' || !this.#isChats(ownerId)) return;
    // What cannot be removed now is swept at a later start.
    void this.#sidekeep.client.chats.discard({ draftId: messageId });
  }

  #becomes(id: string, session: SessionRef): void {
    const belongs = ({ conversation }: OutgoingMessage) => conversation.kind === 'new' && conversation.id === id;
    this.#put(
      this.get().map((message) =>
        belongs(message) ? { ...message, conversation: { kind: 'session', session } } : message,
      ),
    );
    this.#conversations.became(id, session);
  }

  #idFor(ownerId: string, conversation: Conversation, text: string): string {
    const tried = this.#triedBefore.get(triedKey(conversation, text));
    if (tried !== undefined) return tried;
    const isFirst = conversation.kind === 'new' && !this.get().some((other) => isIn(other, conversation));
    return isFirst && this.#isChats(ownerId) ? this.#chatDrafts.take(conversation.id) : crypto.randomUUID();
  }

  #isChats(ownerId: string): boolean {
    return this.#sidekeep.shared.value('projects')?.chatsId === ownerId;
  }

  #find(messageId: string): OutgoingMessage | undefined {
    return this.get().find((message) => message.messageId === messageId);
  }

  #change(messageId: string, change: Partial<OutgoingMessage>): void {
    const all = this.get().map((message) => (message.messageId === messageId ? { ...message, ...change } : message));
    const tooMany = all.filter(({ recorded }) => recorded !== null).slice(0, -MOST_RECORDED);
    this.#put(all.filter((message) => !tooMany.includes(message)));
  }

  #put(messages: readonly OutgoingMessage[]): void {
    this.set(messages);
    const kept = messages
      .filter(isOpen)
      .map(({ messageId, ownerId, conversation, text }) => ({ messageId, ownerId, conversation, text }));
    try {
      if (kept.length === 0) this.#storage.removeItem(KEY);
      else this.#storage.setItem(KEY, JSON.stringify(kept));
    } catch (error) {
      this.#sidekeep.drafts.onStorageFailure(error);
    }
  }
}

/** What becomes of a message at the moment, among all those that are on their way. */
export function stateOf(message: OutgoingMessage, all: readonly OutgoingMessage[]): MessageState {
  if (message.recorded !== null) return 'recorded';
  if (message.error !== null) return 'failed';
  const key = conversationKey(message.conversation);
  const first = all.find((other) => other.error !== null && conversationKey(other.conversation) === key);
  return first === undefined ? 'sending' : 'waiting';
}

const isIn = (message: OutgoingMessage, conversation: Conversation): boolean =>
  conversationKey(message.conversation) === conversationKey(conversation);

const isOpen = ({ recorded }: OutgoingMessage): boolean => recorded === null;

const triedKey = (conversation: Conversation, text: string): string => `${conversationKey(conversation)}\n${text}`;

function read(storage: DraftStorage): OutgoingMessage[] {
  try {
    const stored = Stored.safeParse(JSON.parse(storage.getItem(KEY) ?? '[]'));
    return stored.success ? stored.data.map((message) => ({ ...message, error: null, recorded: null })) : [];
  } catch {
    // Not our JSON: another program wrote under our name, and there is nothing in it to send.
    return [];
  }
}
