import type { ProjectId, SessionRef } from '../contract/entities.ts';
import { sessionKey } from '../contract/identifiers.ts';
import { KeyedQueue } from '../files/index.ts';
import type { SessionFiles } from './session-files.ts';
import { isObject } from './transcript/message.ts';
import type { Appended } from './writing/log-writer.ts';
import type { NewMessage } from './writing/message-text.ts';
import { type ToldText, toldMessage, toldWith } from './writing/told-message.ts';

/** What a session is to be told, and what is remembered of it then: the rest is of no meaning here. */
export interface Told extends ToldText {
  /** What names the pins of that time. */
  readonly pins: string;
  /** What names the last summary of the conversation at that time; null where there is none. */
  readonly compaction: string | null;
}

/** What a session is owed. */
export interface Owing {
  /** Null when it was told all of it already, or there is nothing to tell. */
  readonly told: Told | null;
  /** What could not be read and is therefore not told, each in a sentence for the person. */
  readonly leftOut: readonly string[];
}

/** Says what sessions are to be told, and remembers what they were told. None of it keeps a message from being recorded. */
export interface SessionKnowledge {
  /** What a session is to be told with its next message. Never fails. */
  owed(session: SessionRef): Promise<Owing>;
  /** What a new session of an owner is to be told with its first message. Never fails. */
  owedAtFirst(ownerId: ProjectId): Promise<Owing>;
  /** It was recorded. What then cannot be remembered may be told again. Never fails. */
  recorded(session: SessionRef, told: Told): Promise<void>;
  /**
   * Makes what a copy of a session takes along, before the copy is there.
   *
   * @param onMade Told of each file before it is made.
   */
  copy(source: SessionRef, target: SessionFiles, onMade: (path: string) => void): Promise<void>;
}

/** A message of the person that is on the disk. */
export interface Recorded {
  readonly appended: Appended;
  /** Whether what stands before it in its record was told with it. */
  readonly isTold: boolean;
  readonly leftOut: readonly string[];
}

/**
 * Records messages with what their sessions are owed. While something is being told to a session its other messages wait, so
 * that it is told once.
 */
export class Telling {
  readonly #knowledge: SessionKnowledge | null;
  readonly #queue = new KeyedQueue();

  /** @param knowledge Null: sessions are told nothing. */
  constructor(knowledge: SessionKnowledge | null) {
    this.#knowledge = knowledge;
  }

  /**
   * Records a message, in one record with what its session is owed.
   *
   * @param write Records messages together; of another try of the last one it answers what is there.
   */
  async record(
    session: SessionRef,
    message: NewMessage,
    write: (messages: readonly NewMessage[]) => Promise<Appended>,
  ): Promise<Recorded> {
    const knowledge = this.#knowledge;
    if (knowledge === null) return recorded(await write([message]), message, []);
    const begun = await this.#queue.run(sessionKey(session), async () => {
      const { told, leftOut } = await knowledge.owed(session);
      const messages = told === null ? [message] : [toldMessage(told, message), message];
      const writing = write(messages);
      // Whoever asked for it is told below why it failed.
      writing.catch(() => undefined);
      // With nothing to tell, the next message need not wait for the disk.
      if (told !== null) await this.#remember(session, told, message, writing);
      return { writing, leftOut };
    });
    return recorded(await begun.writing, message, begun.leftOut);
  }

  /** What a new session is made with: its first message, and before it what is told with that. */
  async first(
    ownerId: ProjectId,
    message: NewMessage,
  ): Promise<{ messages: NewMessage[]; remember: (session: SessionRef) => Promise<void> }> {
    const told = (await this.#knowledge?.owedAtFirst(ownerId))?.told ?? null;
    if (told === null) return { messages: [message], remember: async () => undefined };
    return {
      messages: [toldMessage(told, message), message],
      remember: async (session) => this.#knowledge?.recorded(session, told),
    };
  }

  /** What a copy takes along, see {@link SessionKnowledge.copy}. */
  async copy(source: SessionRef, target: SessionFiles, onMade: (path: string) => void): Promise<void> {
    await this.#knowledge?.copy(source, target, onMade);
  }

  async #remember(session: SessionRef, told: Told, message: NewMessage, writing: Promise<Appended>): Promise<void> {
    const appended = await writing.catch(() => null);
    if (appended === null) return;
    // An earlier try may have told something else, or nothing.
    if (toldBefore(appended, message)?.signature === told.signature) await this.#knowledge?.recorded(session, told);
  }
}

function recorded(appended: Appended, message: NewMessage, leftOut: readonly string[]): Recorded {
  return { appended, isTold: toldBefore(appended, message) !== null, leftOut };
}

/** What the record of a message told before it. */
function toldBefore({ before }: Appended, { id }: NewMessage): { readonly signature: string } | null {
  if (before === null) return null;
  const value: unknown = JSON.parse(before.toString('utf8'));
  const told = isObject(value) && typeof value.id === 'string' ? toldWith(value.id) : null;
  return told?.messageId === id ? told : null;
}
