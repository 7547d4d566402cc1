import { z } from 'zod';
import { ProjectId, type ProjectList, SessionRef, sessionKey } from '../../src/contract/index.ts';
import type { DraftStorage } from '../state/drafts.ts';
import { Store } from '../state/store.ts';

/** What Message mode is about: a session, or one that its first message will start. */
export const Conversation = z.union([
  z.strictObject({ kind: z.literal('session'), session: SessionRef }),
  z.strictObject({ kind: z.literal('new'), id: z.string().min(1).max(100) }),
]);
export type Conversation = z.infer<typeof Conversation>;

/** One text for a conversation; that of a session differs from that of the new one which became it. */
export const conversationKey = (conversation: Conversation): string =>
  conversation.kind === 'new' ? conversation.id : sessionKey(conversation.session);

/** The session of a conversation; null for one that is not started. */
export const sessionOf = (conversation: Conversation): SessionRef | null =>
  conversation.kind === 'session' ? conversation.session : null;

const KEY = 'sidekeep.conversations/mini-chat';
const Stored = z.array(z.tuple([ProjectId, Conversation]));

/**
 * The conversation of each target, by the target's id: a target never gets that of another one. Kept over restarts; a
 * storage that refuses only means that a new conversation is begun then.
 */
export class Conversations extends Store<ReadonlyMap<string, Conversation>> {
  readonly #storage: DraftStorage;
  /** What targets have that were not talked in yet. */
  readonly #fresh = new Map<string, Conversation>();

  constructor(storage: DraftStorage) {
    super(new Map(read(storage)));
    this.#storage = storage;
  }

  of(ownerId: string): Conversation {
    const known = this.get().get(ownerId) ?? this.#fresh.get(ownerId);
    if (known) return known;
    const fresh = begun();
    this.#fresh.set(ownerId, fresh);
    return fresh;
  }

  /** The conversation that a message of this target goes to; from now on it outlives the window. */
  talk(ownerId: string): Conversation {
    const conversation = this.of(ownerId);
    if (!this.get().has(ownerId)) this.#put(new Map(this.get()).set(ownerId, conversation));
    return conversation;
  }

  show(ownerId: string, session: SessionRef): void {
    this.#put(new Map(this.get()).set(ownerId, { kind: 'session', session }));
  }

  /** The next message starts a session, also while the first message of another new one is on its way. */
  begin(ownerId: string): void {
    this.#put(new Map(this.get()).set(ownerId, begun()));
  }

  /** A new conversation has become a session: whoever has it open has that open now. */
  became(id: string, session: SessionRef): void {
    const all = new Map(this.get());
    for (const [ownerId, known] of all) {
      if (known.kind === 'new' && known.id === id) all.set(ownerId, { kind: 'session', session });
    }
    this.#put(all);
  }

  /** What a place had is where the place is now, unless something is open there. */
  follow(moved: ProjectList['moved']): void {
    const all = new Map(this.get());
    for (const { from, to } of moved) {
      const before = all.get(from);
      if (before === undefined) continue;
      all.delete(from);
      if (!all.has(to)) all.set(to, before);
    }
    if (all.size !== this.get().size || moved.some(({ from }) => this.get().has(from))) this.#put(all);
  }

  #put(all: ReadonlyMap<string, Conversation>): void {
    this.set(all);
    try {
      this.#storage.setItem(KEY, JSON.stringify([...all]));
    } catch {
      // The storage is full: drafts say so, and for this the loss is a choice that is made again.
    }
  }
}

const begun = (): Conversation => ({ kind: 'new', id: crypto.randomUUID() });

function read(storage: DraftStorage): [string, Conversation][] {
  try {
    const stored = Stored.safeParse(JSON.parse(storage.getItem(KEY) ?? '[]'));
    return stored.success ? stored.data : [];
  } catch {
    // Not our JSON: another program wrote under our name, and it is put right with the next choice.
    return [];
  }
}
