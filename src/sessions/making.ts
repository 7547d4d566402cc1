import { randomUUID } from 'node:crypto';
import type { CallInput } from '../contract/contract.ts';
import type { ProjectId, SessionRef, SessionRow, StoreKey } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import type { FileSystem } from '../files/index.ts';
import type { SessionStores } from './session-stores.ts';
import type { Telling } from './telling.ts';
import type { TranscriptReaders } from './transcript/readers.ts';
import type { CreatedSession, SessionPlace } from './writing/create.ts';
import { EarlierRequests } from './writing/earlier-requests.ts';
import type { NewMessage } from './writing/message-text.ts';
import type { SessionWriters } from './writing/writers.ts';

/** Where a session is to be made. */
export interface NewSessionPlace extends Omit<SessionPlace, 'store' | 'title'> {
  /** Told once whether the session was made, with the folder that it names, or could not be. */
  settle?: (made: { session: SessionRef; directory: string | null } | null) => Promise<void>;
}

/**
 * Where a new session of an owner belongs.
 *
 * @param draftId The same for every try of one session.
 * @throws Failure `not-found` for an owner that is not known.
 */
export type PlaceOf = (ownerId: ProjectId, draftId?: string) => Promise<NewSessionPlace>;

export interface SessionMakingOptions {
  fileSystem: FileSystem;
  stores: SessionStores;
  readers: TranscriptReaders;
  writers: SessionWriters;
  telling: Telling;
  placeOf: PlaceOf;
  /** Makes sure, before a write, that this process owns the root; may make it. @throws Failure `in-use`. */
  claimRoot: () => Promise<void>;
  /** In ms since 1970. */
  now: () => number;
}

/** The store for sessions that are made here: a workspace's own store belongs to the program that named it. */
const OUR_STORE: StoreKey = 'global';

/** A message of the person. @param createdAt In ms since 1970. */
export const personMessage = (id: string, content: string, createdAt: number) =>
  ({ role: 'user', id, content, origin: 'user', createdAt }) as const satisfies NewMessage;

/** Makes sessions, anew or from others, each where its owner has them made. */
export class SessionMaking {
  readonly #options: SessionMakingOptions;
  readonly #earlier: EarlierRequests;

  constructor(options: SessionMakingOptions) {
    this.#options = options;
    this.#earlier = new EarlierRequests(options.fileSystem, options.stores, options.now());
  }

  /** See `sessions.create`. */
  async create({ ownerId, title, text, requestId }: CallInput<'sessions.create'>): Promise<SessionRef> {
    const { claimRoot, placeOf, telling, writers, now } = this.#options;
    await claimRoot();
    const earlier = requestId === undefined ? null : await this.#earlier.find(OUR_STORE, requestId);
    if (earlier !== null) return earlier;
    const first = text?.trim() ? personMessage(requestId ?? randomUUID(), text, now()) : null;
    return this.#makeIn(await placeOf(ownerId, requestId), async (place) => {
      const begun = first === null ? null : await telling.first(ownerId, first);
      const messages = begun?.messages ?? [];
      const made = await writers.create({ ...place, store: OUR_STORE, title, requestId, messages });
      await begun?.remember(made.session);
      return made;
    });
  }

  /** See `sessions.fork`. @param row That of the session that is copied. */
  async fork(
    { session, head, index, ownerId: wanted }: CallInput<'sessions.fork'>,
    row: SessionRow,
  ): Promise<SessionRef> {
    const { claimRoot, placeOf, telling, writers } = this.#options;
    const ownerId = wanted ?? row.ownerId;
    if (ownerId === null) {
      throw new Failure(
        'not-found',
        'Nobody is known to own this session. No copy was made. Choose whose the copy is.',
      );
    }
    if (index !== undefined) await this.#refuseUnknownMessage(session, head, index);
    await claimRoot();
    const title = row.titleSource === 'preview' || row.titleSource === 'generic' ? undefined : row.title;
    const fork = { store: session.store, title, source: session, head, index };
    return this.#makeIn(await placeOf(ownerId), (place) =>
      writers.fork({
        ...place,
        ...fork,
        // Notes and plans are of an owner: a copy that becomes another one's takes none along.
        ...(ownerId === row.ownerId && { addMore: (target, onMade) => telling.copy(session, target, onMade) }),
      }),
    );
  }

  /** Makes a session in a place, and tells the place what became of it. */
  async #makeIn(
    { settle, ...place }: NewSessionPlace,
    make: (place: Omit<NewSessionPlace, 'settle'>) => Promise<CreatedSession>,
  ): Promise<SessionRef> {
    let made: CreatedSession;
    try {
      made = await make(place);
    } catch (error) {
      await settle?.(null);
      throw error;
    }
    const { workspace_root: directory } = made.meta;
    await settle?.({ session: made.session, directory: typeof directory === 'string' ? directory : null });
    return made.session;
  }

  async #refuseUnknownMessage(session: SessionRef, head: string | undefined, index: number): Promise<void> {
    const { readers } = this.#options;
    const page = await readers.page({ session, ...(head === undefined ? {} : { head }), limit: 1 });
    if (!page.complete) {
      throw new Failure(
        'conflict',
        'The session is still being gone through, so its messages have no numbers yet. No copy was made. Try again in a moment.',
      );
    }
    if (index < page.total) return;
    throw new Failure('not-found', 'The session has no such message any more. No copy was made. Look at it again.');
  }
}
