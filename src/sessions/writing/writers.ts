import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { Failure } from '../../contract/errors.ts';
import { type SessionRef, sessionKey } from '../../contract/identifiers.ts';
import { type FileSystem, KeyedQueue } from '../../files/index.ts';
import { SessionFiles } from '../session-files.ts';
import type { SessionStores } from '../session-stores.ts';
import type { FindHolder } from './access.ts';
import {
  type CreatedSession,
  type CreateInput,
  createdSession,
  createSession,
  type Made,
  type Maker,
} from './create.ts';
import { type ForkInput, forkSession, type StoredMessages } from './fork.ts';
import type { TailNotice } from './held-log.ts';
import type { Appended } from './log-writer.ts';
import type { NewMessage } from './message-text.ts';
import { MetaWriter, type StoredMeta } from './meta-writer.ts';
import { OpenSession } from './open-session.ts';
import { type RenameInput, renameSession } from './title.ts';

/** Most sessions of which a writer keeps what it knows, and of those most with an open file. */
const MOST_KNOWN = 32;
const MOST_OPEN = 8;
/** How long a session that nobody writes to stays known, in ms. */
const IDLE_MS = 30_000;
/** Most creations whose answers are kept for another try. */
const MOST_REQUESTS = 1000;

export interface SessionWritersOptions {
  readonly fileSystem: FileSystem;
  readonly stores: SessionStores;
  readonly findHolder: FindHolder;
  readonly storedMessages: StoredMessages;
  /** In ms since 1970. */
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** Told of what went wrong behind a call that was answered. */
  readonly report: (where: string, error: unknown) => void;
  /** Told when the files of a session have changed by a write of ours. */
  readonly onWritten?: (session: SessionRef) => void;
  /** Told when a torn end was found before a write, once for each. */
  readonly onTail?: (session: SessionRef, notice: TailNotice) => void;
  /** How long after a message the files beside the log follow, in ms. */
  readonly checkpointDelay?: number;
  /** How long a session that nobody writes to stays known, in ms. */
  readonly idle?: number;
  /** A new id; for tests. */
  readonly newId?: (now: number) => string;
  /** Whether an id that no file has is not to be used all the same: of a session that was deleted. */
  readonly isUsed?: (session: SessionRef) => Promise<boolean>;
}

/**
 * Everything that writes sessions of ours. Calls for one session are worked off in the order in which they came, whichever
 * window they came from.
 */
export class SessionWriters {
  /** What our records are known by (docs/formats/session-format.md, section 13). */
  readonly writerId =
    `sidekeep.${hostname().replace(/[^A-Za-z0-9\-_.]/g, '-')}-${process.pid}-${randomBytes(8).toString('hex')}`;
  readonly #options: SessionWritersOptions;
  readonly #now: () => number;
  readonly #metas: MetaWriter;
  readonly #queue = new KeyedQueue();
  /** The sessions that were written to lately, the latest last. */
  readonly #open = new Map<string, OpenSession>();
  readonly #requests = new Map<string, Promise<CreatedSession>>();
  readonly #making = new Set<Promise<unknown>>();
  #idleTimer: NodeJS.Timeout | null = null;
  #isDisposed = false;

  constructor(options: SessionWritersOptions) {
    this.#options = options;
    const { fileSystem, sleep, now = Date.now } = options;
    this.#now = now;
    this.#metas = new MetaWriter(fileSystem, sleep === undefined ? {} : { sleep });
  }

  /**
   * Makes a session. A second try with the same `requestId` answers the session of the first.
   *
   * @throws Failure `io` when it could not be made; nothing of it is left then.
   */
  create(input: CreateInput): Promise<CreatedSession> {
    const { requestId } = input;
    const known = requestId === undefined ? undefined : this.#requests.get(requestId);
    if (known !== undefined) return known;
    const made = this.#make(() => createSession(this.#maker, input));
    if (requestId !== undefined) this.#remember(requestId, made);
    return made;
  }

  /** Makes a session from the beginning of another one. @throws Failure as {@link forkSession}. */
  fork(input: ForkInput): Promise<CreatedSession> {
    return this.#make(() => forkSession(this.#maker, this.#options.storedMessages, input));
  }

  /**
   * Records messages in one record; resolves when they are on the disk. The id of the last one is the same for every try:
   * it is recorded once.
   *
   * @throws Failure `not-found` (deleted), `in-use`, `conflict` (not ours), `newer-version`, `io`.
   */
  append(session: SessionRef, messages: readonly NewMessage[]): Promise<Appended> {
    if (messages.length === 0) throw new Error('there is nothing to record');
    return new Promise((resolve, reject) => {
      if (this.#isDisposed) return reject(ended());
      const key = sessionKey(session);
      const open = this.#known(key, session);
      const isFirst = open.wait({ messages, resolve, reject });
      if (isFirst) void this.#queue.run(key, () => open.writeWaiting()).finally(() => this.#tidy());
    });
  }

  /** Gives a session a title of its own. @throws Failure as {@link renameSession}. */
  async rename(session: SessionRef, input: RenameInput): Promise<StoredMeta> {
    if (this.#isDisposed) throw ended();
    const { findHolder } = this.#options;
    return this.#queue.run(sessionKey(session), async () => {
      const meta = await renameSession(this.#files(session), findHolder, this.#metas, input);
      this.#options.onWritten?.(session);
      return meta;
    });
  }

  /** Runs a job on files beside a session's log when what was asked for before has ended. @throws Failure `cancelled`. */
  async beside<Value>(session: SessionRef, job: (files: SessionFiles) => Promise<Value>): Promise<Value> {
    if (this.#isDisposed) throw ended();
    return this.#queue.run(sessionKey(session), () => job(this.#files(session)));
  }

  /**
   * Runs a job on the files of a session while nothing of ours writes to them: before it everything is up to date and
   * closed, after it everything is looked at anew. For deleting and restoring.
   */
  alone<Value>(session: SessionRef, job: () => Promise<Value>): Promise<Value> {
    const key = sessionKey(session);
    return this.#queue.run(key, async () => {
      await this.#open.get(key)?.letGo();
      try {
        return await job();
      } finally {
        await this.#open.get(key)?.forget();
      }
    });
  }

  /** Resolves when the files beside the log are up to it: of one session, or of all. What fails is reported. */
  async flush(session?: SessionRef): Promise<void> {
    const keys = session === undefined ? [...this.#open.keys()] : [sessionKey(session)];
    await Promise.all(keys.map((key) => this.#queue.run(key, async () => this.#open.get(key)?.flush())));
  }

  /** Ends what was begun, brings everything up to date and lets go of all files. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    await Promise.allSettled(this.#making);
    await this.#queue.idle();
    await Promise.all([...this.#open.values()].map((open) => open.dispose()));
    this.#open.clear();
  }

  get #maker(): Maker {
    const { fileSystem, stores, newId, isUsed } = this.#options;
    return {
      fileSystem,
      stores,
      writerId: this.writerId,
      now: this.#now,
      ...(newId === undefined ? {} : { newId }),
      ...(isUsed === undefined ? {} : { isUsed }),
    };
  }

  async #make(make: () => Promise<Made>): Promise<CreatedSession> {
    if (this.#isDisposed) throw ended();
    const making = make();
    this.#making.add(making);
    try {
      const made = await making;
      const session = made.files.ref;
      if (!this.#isDisposed) this.#known(sessionKey(session), session).adopt(made.made);
      this.#options.onWritten?.(session);
      this.#tidy();
      return createdSession(made);
    } finally {
      this.#making.delete(making);
    }
  }

  #remember(requestId: string, made: Promise<CreatedSession>): void {
    this.#requests.set(requestId, made);
    // What failed made nothing, so that it may be tried again.
    made.catch(() => this.#requests.delete(requestId));
    if (this.#requests.size <= MOST_REQUESTS) return;
    const [oldest] = this.#requests.keys();
    if (oldest !== undefined) this.#requests.delete(oldest);
  }

  #files(session: SessionRef): SessionFiles {
    return new SessionFiles(this.#options.fileSystem, this.#options.stores.get(session.store), session.id);
  }

  #known(key: string, session: SessionRef): OpenSession {
    const { writerId } = this;
    const options = { writerId, now: this.#now, metas: this.#metas, options: this.#options };
    const open = this.#open.get(key) ?? new OpenSession(this.#files(session), options);
    // The latest last.
    this.#open.delete(key);
    this.#open.set(key, open);
    return open;
  }

  /** Lets go of what was not used for the longest time, and looks again later. */
  #tidy(): void {
    if (this.#isDisposed) return;
    const idle = this.#options.idle ?? IDLE_MS;
    const before = performance.now() - idle;
    const opened = [...this.#open].filter(([, open]) => open.isOpen);
    for (const [key] of opened.slice(0, Math.max(0, opened.length - MOST_OPEN))) this.#close(key, false);
    for (const [index, [key, open]] of [...this.#open].entries()) {
      const isTooMany = index < this.#open.size - MOST_KNOWN;
      if ((isTooMany || open.usedAt < before) && open.isIdle) this.#close(key, true);
    }
    if (this.#idleTimer !== null || this.#open.size === 0) return;
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = null;
      this.#tidy();
    }, idle);
    this.#idleTimer.unref();
  }

  #close(key: string, forget: boolean): void {
    void this.#queue.run(key, async () => {
      const open = this.#open.get(key);
      if (open === undefined) return;
      if (!forget) return open.close();
      // Somebody may have come back to it meanwhile.
      if (!open.isIdle) return;
      this.#open.delete(key);
      await open.dispose();
    });
  }
}

function ended(): Failure {
  return new Failure('cancelled', 'The program is ending. Nothing was written. Try again after it was started.');
}
