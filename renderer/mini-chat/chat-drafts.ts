import type { Client } from '../../src/contract/index.ts';
import { commands, parseEntry } from './commands.ts';
import type { Conversation } from './conversation.ts';

/** What tells whether a chat is being written. */
export interface Writing {
  readonly conversation: Conversation;
  /** What stands in the field, and the mode that it is read in. */
  readonly typed: string;
  readonly mode: Parameters<typeof parseEntry>[1];
  /** Whether the target is Chats. */
  readonly isChats: boolean;
  readonly isWindowShown: boolean;
  /** Whether its first message left the field already. */
  readonly isOnItsWay: boolean;
}

/** Id of the new conversation that is being written in Chats; null for none. */
export function chatBeingWritten(writing: Writing): string | null {
  const { conversation, typed, mode, isChats, isWindowShown, isOnItsWay } = writing;
  if (conversation.kind !== 'new' || !isChats || !isWindowShown || isOnItsWay) return null;
  const entry = parseEntry(typed, mode);
  if (entry.mode !== 'message' || entry.text.trim() === '') return null;
  // The first word may become the command that makes it something else.
  return !entry.commanded && isCommandBegun(typed) ? null : conversation.id;
}

const isCommandBegun = (typed: string): boolean =>
  typed.startsWith('/') && commands.some((command) => command.startsWith(typed.slice(1).toLowerCase()));

/**
 * The folder of the chat that is being written: made with its first character, given up once it is not written any more.
 * One call at a time and only towards the last wish, so that nothing is left of what was typed and deleted in a hurry.
 */
export class ChatDrafts {
  readonly #client: Pick<Client, 'chats'>;
  /** Ids of drafts by the conversation that they are for. Each is used once: another try of writing is another draft. */
  readonly #ids = new Map<string, string>();
  /** The conversation that is being written. */
  #wanted: string | null = null;
  /** The one whose folder was asked for. */
  #made: string | null = null;
  #isRunning = false;

  constructor(client: Pick<Client, 'chats'>) {
    this.#client = client;
  }

  /** Says which new conversation is being written; null for none. Resolves when its folder is as it has to be. */
  async write(conversationId: string | null): Promise<void> {
    this.#wanted = conversationId;
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#made !== this.#wanted) await (this.#made === null ? this.#prepare() : this.#discard(this.#made));
    this.#isRunning = false;
  }

  /** The id under which a conversation is started. Its draft is not given up any more. */
  take(conversationId: string): string {
    const id = this.#idOf(conversationId);
    this.#ids.delete(conversationId);
    if (this.#wanted === conversationId) this.#wanted = null;
    if (this.#made === conversationId) this.#made = null;
    return id;
  }

  async #prepare(): Promise<void> {
    const conversationId = this.#wanted;
    if (conversationId === null) return;
    this.#made = conversationId;
    // A failure needs no word: starting the chat makes the folder, or fails and says why.
    await this.#client.chats.prepare({ draftId: this.#idOf(conversationId) });
  }

  async #discard(conversationId: string): Promise<void> {
    const draftId = this.#idOf(conversationId);
    this.#ids.delete(conversationId);
    this.#made = null;
    // What cannot be removed now stays empty, and is swept at a later start; what holds files stays for good.
    await this.#client.chats.discard({ draftId });
  }

  #idOf(conversationId: string): string {
    const id = this.#ids.get(conversationId) ?? crypto.randomUUID();
    this.#ids.set(conversationId, id);
    return id;
  }
}
