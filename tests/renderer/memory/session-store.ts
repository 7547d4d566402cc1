import {
  type CatalogState,
  Failure,
  type Publish,
  type SessionDetail,
  type SessionHead,
  type SessionHolder,
  type SessionMessage,
  type SessionRef,
  type SessionReport,
  type SessionRow,
  sessionKey,
  type TrashedSession,
} from '../../../src/contract/index.ts';
import { CHATS } from './context.ts';

const DAYS_30 = 30 * 24 * 60 * 60 * 1000;

/** Id of the head that a session has when it has no other. */
export const MAIN = 'main';

/** A session in memory; each head has its own list of messages. */
export interface StoredSession {
  row: SessionRow;
  heads: SessionHead[];
  messages: Map<string, SessionMessage[]>;
  holder: SessionHolder | null;
  generation: number;
  format: SessionDetail['format'];
  /** How many messages were counted so far; null when all were. */
  counted: number | null;
  holes: number;
  torn: boolean;
  /** Ids of messages that were recorded from here, with their index. */
  recorded: Map<string, number>;
  /** Waits to be moved to the trash until nobody has it open. */
  leaving: boolean;
}

/** Sessions in memory, with the pushes and the numbering of the real ones. Tests change them from outside. */
export class MemorySessions {
  readonly all = new Map<string, StoredSession>();
  readonly trash: { item: TrashedSession; stored: StoredSession }[] = [];
  /** Answers of `create`, by the id of the request. */
  readonly requests = new Map<string, SessionRef>();
  catalog: CatalogState = { state: 'ready', reason: null, progress: null };
  report: SessionReport | null = null;
  sequence = 1;
  /** Grows when every cursor that was given out is void. */
  epoch = 1;
  /** While true, pushes are dropped but counted, as if a window had been asleep. */
  silent = false;
  /** What a session is told with its next message; null when nothing is owed. */
  tell: (session: SessionRef) => { text: string; digest: string; leftOut: string[] } | null = () => null;
  readonly #publish: Publish;
  readonly #now: () => number;
  #next = 1;

  constructor(publish: Publish, now: () => number) {
    this.#publish = publish;
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  /** An id in the grammar of ours. */
  newId(): string {
    return `20260301-1200${String(this.#next % 60).padStart(2, '0')}.${String(this.#next++).padStart(9, '0')}-sidekeep`;
  }

  /** @throws not-found, which names the entry of the trash that it is in */
  of(session: SessionRef): StoredSession {
    const stored = this.all.get(sessionKey(session));
    if (!stored || stored.leaving) {
      const trashed = this.trash.find(({ item }) => sessionKey(item.session) === sessionKey(session))?.item.name;
      throw new Failure(
        'not-found',
        'This session is no longer there. Nothing was changed.',
        trashed === undefined ? {} : { detail: { trashed } },
      );
    }
    return stored;
  }

  /** Puts a session there without a push, as before the window opens. */
  add(id: string, row: Partial<SessionRow> = {}, messages: SessionMessage[] = []): StoredSession {
    const stored: StoredSession = {
      row: {
        session: { store: 'global', id },
        ownerId: CHATS,
        title: id,
        titleSource: 'custom',
        preview: null,
        turns: messages.filter(({ role }) => role === 'user').length,
        lastActivity: this.now(),
        createdAt: null,
        bytes: 1000,
        health: 'good',
        reason: null,
        ours: false,
        pinned: false,
        parentId: null,
        recoveryOf: null,
        ...row,
      },
      heads: [{ id: MAIN, name: null, kind: 'main', retired: false, openTurn: false }],
      messages: new Map([[MAIN, messages.map((message, index) => ({ ...message, index }))]]),
      holder: null,
      generation: 1,
      format: 'log-1',
      counted: null,
      holes: 0,
      torn: false,
      recorded: new Map(),
      leaving: false,
    };
    this.all.set(sessionKey(stored.row.session), stored);
    return stored;
  }

  /** Pushes what changed in the list. */
  push(changed: SessionRow[], removed: SessionRef[] = [], all = false): void {
    this.sequence += 1;
    if (this.silent) return;
    this.#publish('sessions.changed', { sequence: this.sequence, changed, removed, all, catalog: this.catalog });
  }

  /** Changes a row and pushes it. */
  change(session: SessionRef, change: Partial<SessionRow>): SessionRow {
    const stored = this.of(session);
    stored.row = { ...stored.row, ...change };
    this.push([stored.row]);
    return stored.row;
  }

  setCatalog(catalog: CatalogState): void {
    this.catalog = catalog;
    this.push([]);
  }

  /** Adds messages at the end of a head and pushes that, for whoever has the session open. */
  grow(session: SessionRef, messages: SessionMessage[], head = MAIN): void {
    const stored = this.of(session);
    const list = messagesOf(stored, head);
    for (const message of messages) list.push({ ...message, index: list.length });
    const turns = messages.filter(({ role, origin }) => role === 'user' && origin !== 'host').length;
    this.change(session, {
      lastActivity: this.now(),
      turns: stored.row.turns === null ? null : stored.row.turns + turns,
      bytes: stored.row.bytes + messages.reduce((sum, { bytes }) => sum + bytes, 0),
    });
    this.pushAppended(session, head);
  }

  /** Puts other messages in the place of those that are there: what was read of it before is void. */
  rewrite(session: SessionRef, messages: SessionMessage[], head = MAIN): void {
    const stored = this.of(session);
    stored.generation += 1;
    stored.messages.set(
      head,
      messages.map((message, index) => ({ ...message, index })),
    );
    this.pushAppended(session, head);
  }

  /** Goes through a long transcript: from now on this many messages are known, of all with null. */
  count(session: SessionRef, counted: number | null): void {
    this.of(session).counted = counted;
    this.pushAppended(session, MAIN);
  }

  pushAppended(session: SessionRef, head: string): void {
    const stored = this.of(session);
    const { total, complete } = extentOf(stored, head);
    this.#publish('sessions.appended', {
      session,
      head,
      total,
      complete,
      generation: String(stored.generation),
      progress: complete ? null : { done: total, total: messagesOf(stored, head).length },
    });
  }

  /** Moves a session to the trash, with so many files of its own folder; answers its entry there. */
  throwAway(session: SessionRef, folderFiles: number | null = null): TrashedSession {
    const key = sessionKey(session);
    const stored = this.all.get(key);
    if (!stored) throw new Failure('not-found', 'This session is no longer there. Nothing was changed.');
    this.all.delete(key);
    const deletedAt = this.now();
    const item: TrashedSession = {
      store: session.store,
      name: `${deletedAt}-${session.id}`,
      session,
      title: stored.row.title,
      deletedAt,
      purgeAt: (folderFiles ?? 0) > 0 ? null : deletedAt + DAYS_30,
      files: 4,
      bytes: stored.row.bytes,
      folderFiles,
      problem: null,
    };
    this.trash.unshift({ item, stored: { ...stored, leaving: false } });
    this.push([], [session]);
    return item;
  }

  /** Whoever had it open lets go of it; one that waited to leave goes to the trash. */
  release(session: SessionRef): void {
    const stored = this.all.get(sessionKey(session));
    if (!stored) return;
    stored.holder = null;
    if (stored.leaving) this.throwAway(session);
    else this.push([stored.row]);
  }
}

/** The messages of a head. @throws not-found */
export function messagesOf(stored: StoredSession, head: string): SessionMessage[] {
  const messages = stored.messages.get(head);
  if (!messages) throw new Failure('not-found', 'This session has no such line of development.');
  return messages;
}

/** How many messages of a head are known. */
export function extentOf(stored: StoredSession, head: string): { total: number; complete: boolean } {
  const all = messagesOf(stored, head).length;
  return stored.counted === null || stored.counted >= all
    ? { total: all, complete: true }
    : { total: stored.counted, complete: false };
}

/** A message; its index is given by where it is put. */
export function message(
  role: SessionMessage['role'],
  content: string,
  more: Partial<SessionMessage> = {},
): SessionMessage {
  return {
    index: 0,
    kind: 'message',
    role,
    id: null,
    origin: role === 'user' ? 'user' : null,
    content,
    reasoning: null,
    toolCalls: [],
    toolCallId: null,
    toolName: null,
    toolState: null,
    createdAt: 1_772_000_000_000,
    images: 0,
    bytes: content.length + 100,
    cut: false,
    oddity: null,
    ...more,
  };
}
