import type { QueryClient } from '@tanstack/react-query';
import {
  type CallError,
  type Client,
  type Result,
  type SessionDetail,
  type SessionRef,
  type SessionRow,
  sessionKey,
} from '../../src/contract/index.ts';
import {
  emptyList,
  type ListAnswer,
  listOf,
  type SessionList,
  type SessionPush,
  withNextPage,
  withPush,
  withRows,
} from './session-list.ts';
import { SessionTranscript } from './session-transcript.ts';

/** Rows of one page of a list. */
const PAGE = 100;
/** Most rows that a page may have: what was loaded before is read again in as few calls as possible. */
const MOST = 200;

/** Key of one owner's sessions in the query cache; null for those of all owners. */
export const sessionsKey = (ownerId: string | null) => ['sessions', ownerId] as const;
/** Key of what is known of one session beyond its row. */
export const detailKey = (session: SessionRef) => ['session', sessionKey(session)] as const;

/** What is known of a session: null and null while it loads. */
export interface DetailEntry {
  readonly detail: SessionDetail | null;
  readonly problem: CallError | null;
  /** It was deleted, here or elsewhere, after it was shown. */
  readonly isGone: boolean;
}

export const emptyDetail: DetailEntry = { detail: null, problem: null, isGone: false };

/** A list that is being asked for, with what was pushed meanwhile. */
interface Asking {
  readonly held: SessionPush[];
  readonly done: Promise<void>;
}

/**
 * Keeps lists of sessions, and the sessions that are shown, true: a snapshot, then changes by sequence number. A gap
 * leads to one reading of each list that is known, as far as it was loaded before; what is pushed meanwhile is applied after.
 */
export class SessionSync {
  readonly #client: Client;
  readonly #cache: QueryClient;
  readonly #asking = new Map<string | null, Asking>();
  readonly #owners = new Set<string | null>();
  readonly #transcripts = new Map<string, Set<SessionTranscript>>();
  /** Sessions whose details are on their way; true when they changed since they were asked for. */
  readonly #details = new Map<string, boolean>();
  readonly #stops: (() => void)[];

  constructor(client: Client, cache: QueryClient) {
    this.#client = client;
    this.#cache = cache;
    this.#stops = [
      client.on('sessions.changed', (push) => this.#receive(push)),
      client.on('sessions.appended', (push) => {
        for (const transcript of this.#transcripts.get(sessionKey(push.session)) ?? []) transcript.receive(push);
      }),
    ];
  }

  /** The sessions of one owner as they are known now. */
  list(ownerId: string | null): SessionList {
    return this.#cache.getQueryData<SessionList>(sessionsKey(ownerId)) ?? emptyList;
  }

  /** Reads the beginning of a list unless it is known or on its way. */
  ensure(ownerId: string | null): void {
    if (!this.#owners.has(ownerId)) void this.load(ownerId);
  }

  /** Reads a list anew, as far as it was loaded. Calls made while one is on its way share its answer. Never rejects. */
  load(ownerId: string | null): Promise<void> {
    this.#owners.add(ownerId);
    return this.#during(ownerId, (held) => this.#read(ownerId, held));
  }

  /** Reads the next page of a list, if there is one. Never rejects. */
  more(ownerId: string | null): Promise<void> {
    const { cursor, problem } = this.list(ownerId);
    if (cursor === null || problem !== null || this.#asking.has(ownerId)) return Promise.resolve();
    return this.#during(ownerId, async (held) => {
      const answer = await this.#client.sessions.list({ ownerId, cursor, limit: PAGE });
      // The cursor is of a list that is no more.
      if (!answer.ok && answer.error.code === 'conflict') return this.#read(ownerId, held);
      this.#take(ownerId, answer, held, (page) => withNextPage(this.list(ownerId), page));
    });
  }

  /** Takes a row that a call of this window answered. */
  accept(row: SessionRow): void {
    for (const ownerId of this.#owners) {
      const list = this.list(ownerId);
      if (list.isRead) this.#set(ownerId, withRows(list, ownerId, [row]));
    }
    this.#changeDetail(row.session, (entry) => ({
      ...entry,
      ...(entry.detail && { detail: { ...entry.detail, row } }),
    }));
  }

  /** Takes away a row that a call of this window has deleted. */
  remove(session: SessionRef): void {
    for (const ownerId of this.#owners) {
      const list = this.list(ownerId);
      if (list.isRead) this.#set(ownerId, withRows(list, ownerId, [], [session]));
    }
    this.#changeDetail(session, (entry) => ({ ...entry, isGone: true }));
  }

  /** The row of a session, from wherever it is known; null when it is not. */
  row(session: SessionRef): SessionRow | null {
    const key = sessionKey(session);
    const detail = this.#cache.getQueryData<DetailEntry>(detailKey(session))?.detail;
    if (detail) return detail.row;
    for (const ownerId of this.#owners) {
      const found = this.list(ownerId).rows.find((row) => sessionKey(row.session) === key);
      if (found) return found;
    }
    return null;
  }

  /** Asks for what is known of a session; while an answer is on its way, once more after it. */
  async loadDetail(session: SessionRef): Promise<void> {
    const key = sessionKey(session);
    if (this.#details.has(key)) {
      this.#details.set(key, true);
      return;
    }
    do {
      this.#details.set(key, false);
      const answer = await this.#client.sessions.get({ session });
      const before = this.#cache.getQueryData<DetailEntry>(detailKey(session)) ?? emptyDetail;
      this.#cache.setQueryData<DetailEntry>(
        detailKey(session),
        answer.ok
          ? { detail: answer.value, problem: null, isGone: false }
          : { ...before, problem: answer.error, isGone: answer.error.code === 'not-found' && before.detail !== null },
      );
    } while (this.#details.get(key) === true);
    this.#details.delete(key);
  }

  ensureDetail(session: SessionRef): void {
    if (this.#cache.getQueryData(detailKey(session)) === undefined) void this.loadDetail(session);
  }

  /** A transcript that follows its session until it is disposed. */
  transcript(session: SessionRef, head: string | null = null): SessionTranscript & Disposable {
    const key = sessionKey(session);
    const transcript = new SessionTranscript(this.#client, session, head);
    const open = this.#transcripts.get(key) ?? new Set();
    this.#transcripts.set(key, open.add(transcript));
    return Object.assign(transcript, {
      [Symbol.dispose]: () => {
        open.delete(transcript);
        if (open.size === 0) this.#transcripts.delete(key);
      },
    });
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop();
  }

  #during(ownerId: string | null, job: (held: SessionPush[]) => Promise<void>): Promise<void> {
    const running = this.#asking.get(ownerId);
    if (running) return running.done;
    const held: SessionPush[] = [];
    const done = job(held);
    this.#asking.set(ownerId, { held, done });
    return done;
  }

  async #read(ownerId: string | null, held: SessionPush[]): Promise<void> {
    const wanted = Math.max(PAGE, this.list(ownerId).rows.length);
    const limit = Math.min(MOST, wanted);
    let answer = await this.#client.sessions.list({ ownerId, limit });
    let list = answer.ok ? listOf(answer.value) : null;
    while (answer.ok && list !== null && list.cursor !== null && list.rows.length < wanted) {
      answer = await this.#client.sessions.list({ ownerId, cursor: list.cursor, limit });
      if (answer.ok) list = withNextPage(list, answer.value);
    }
    // A list that ends early goes on from its cursor when its rows are looked at.
    this.#take(ownerId, answer, held, () => list ?? this.list(ownerId));
  }

  #take(
    ownerId: string | null,
    answer: Result<ListAnswer>,
    held: readonly SessionPush[],
    change: (page: ListAnswer) => SessionList,
  ): void {
    this.#asking.delete(ownerId);
    if (!answer.ok) {
      this.#set(ownerId, { ...this.list(ownerId), problem: answer.error });
      // What was pushed has been applied as it came, where a list was there to apply it to.
      return;
    }
    this.#set(ownerId, change(answer.value));
    for (const push of held) this.#apply(ownerId, push);
    void this.#recount(ownerId);
  }

  #receive(push: SessionPush): void {
    for (const ownerId of this.#owners) {
      const asking = this.#asking.get(ownerId);
      if (asking) asking.held.push(push);
      else this.#apply(ownerId, push);
    }
    for (const row of push.changed) {
      if (this.#cache.getQueryData(detailKey(row.session)) === undefined) continue;
      this.#changeDetail(row.session, (entry) => ({
        ...entry,
        isGone: false,
        ...(entry.detail && { detail: { ...entry.detail, row } }),
      }));
      // Who has it open, and its heads, may be others as well; asked again only where somebody looks at it.
      const query = this.#cache.getQueryCache().find({ queryKey: detailKey(row.session), exact: true });
      if (query && query.getObserversCount() > 0) void this.loadDetail(row.session);
    }
    for (const session of push.removed) this.#changeDetail(session, (entry) => ({ ...entry, isGone: true }));
  }

  #apply(ownerId: string | null, push: SessionPush): void {
    const list = this.list(ownerId);
    const after = list.isRead ? withPush(list, push, ownerId) : null;
    if (after === null) void this.load(ownerId);
    else {
      this.#set(ownerId, after);
      void this.#recount(ownerId);
    }
  }

  /** Asks how many there are, after a session came or went beyond the rows that are loaded. */
  async #recount(ownerId: string | null): Promise<void> {
    if (!this.list(ownerId).isTotalOld || this.#asking.has(ownerId)) return;
    this.#set(ownerId, { ...this.list(ownerId), isTotalOld: false });
    const answer = await this.#client.sessions.list({ ownerId, limit: 1 });
    // A failure leaves a number that may be a little off; the next page or the next reading sets it right.
    if (answer.ok && this.list(ownerId).cursor !== null) {
      this.#set(ownerId, { ...this.list(ownerId), total: answer.value.total });
    }
  }

  #changeDetail(session: SessionRef, change: (entry: DetailEntry) => DetailEntry): void {
    const entry = this.#cache.getQueryData<DetailEntry>(detailKey(session));
    if (entry) this.#cache.setQueryData<DetailEntry>(detailKey(session), change(entry));
  }

  #set(ownerId: string | null, list: SessionList): void {
    this.#cache.setQueryData<SessionList>(sessionsKey(ownerId), list);
  }
}
