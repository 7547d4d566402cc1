import { join } from 'node:path';
import type { CallInput, CallOutput } from '../../contract/contract.ts';
import { type SessionPage, type SessionRef, sessionKey } from '../../contract/entities.ts';
import { type FileSystem, makeFolderDurably } from '../../files/index.ts';
import type { FindOutput } from './find.ts';
import { IndexBuilds } from './index-builds.ts';
import { removeIndex } from './index-file.ts';
import { cancelled } from './lines.ts';
import {
  indexName,
  type StoredBytes,
  type TranscriptChange,
  type TranscriptDetail,
  TranscriptReader,
} from './reader.ts';
import type { TranscriptFiles } from './source.ts';

export interface ReadersOptions {
  readonly fileSystem: FileSystem;
  /** The files of a session. @throws Failure `invalid` or `not-found`. */
  readonly filesOf: (session: SessionRef) => TranscriptFiles;
  /** Folder for the index files, made when one is written; null keeps them in memory. */
  readonly cacheFolder: string | null;
  /** File of the index worker: the bundle in the packaged program; the source when left out. Null: without a worker. */
  readonly workerUrl?: URL | null;
  readonly onChange: (change: TranscriptChange) => void;
  /** Gets what belongs in a log. */
  readonly report?: (problem: Error) => void;
  /** As for {@link TranscriptReader}. */
  readonly inlineBytes?: number;
  /** How many transcripts are kept ready; the one that was not used for longest goes. */
  readonly limit?: number;
  /** Pause between two looks at a transcript that a window has open, in ms; 0 for none. */
  readonly lookEvery?: number;
}

interface Open {
  readonly session: SessionRef;
  readonly reader: TranscriptReader;
  /** Calls that are under way. */
  busy: number;
  usedAt: number;
  /** When it is looked at next, and after what pause, in ms. */
  lookAt: number;
  pause: number;
}

const LIMIT = 8;
const LOOK_EVERY_MS = 1000;
/** A transcript that nobody asked for as long as this is looked at only when the watcher says so. */
const OPEN_FOR_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * The transcripts that are being read, at most some of them ready. A change is told whoever noticed it: the watcher or the
 * writer through {@link refresh}, a call, or the look once a second that those get which a window asked for lately.
 */
export class TranscriptReaders {
  readonly #options: ReadersOptions;
  readonly #builds: IndexBuilds;
  readonly #open = new Map<string, Open>();
  readonly #closing = new Set<Promise<void>>();
  #cacheFolder: Promise<string | null> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isDisposed = false;

  constructor(options: ReadersOptions) {
    this.#options = options;
    this.#builds = new IndexBuilds(options);
  }

  page({ session, ...request }: CallInput<'sessions.page'>): Promise<SessionPage> {
    return this.#use(session, (reader) => reader.page(request));
  }

  text({ session, ...request }: CallInput<'sessions.text'>): Promise<CallOutput<'sessions.text'>> {
    return this.#use(session, (reader) => reader.text(request));
  }

  find({ session, ...request }: CallInput<'sessions.find'>, signal?: AbortSignal): Promise<FindOutput> {
    return this.#use(session, (reader) => reader.find(request, signal));
  }

  detail(session: SessionRef): Promise<TranscriptDetail> {
    return this.#use(session, (reader) => reader.detail());
  }

  /** The stored bytes of a head, see {@link TranscriptReader.stored}. */
  async *stored(
    session: SessionRef,
    request: { head?: string; from?: number; to?: number } = {},
  ): AsyncGenerator<StoredBytes> {
    const open = await this.#opened(session);
    open.busy++;
    try {
      yield* open.reader.stored(request);
    } finally {
      open.busy--;
      this.#evict();
    }
  }

  /** Looks again at a session whose files changed, if it is being read. Never fails: what is wrong is told to who asks. */
  async refresh(session: SessionRef): Promise<void> {
    const open = this.#open.get(sessionKey(session));
    if (open !== undefined) await this.#lookAt(open);
  }

  /** The sessions that somebody read lately, at most as many as are kept ready. */
  get sessions(): readonly SessionRef[] {
    return [...this.#open.values()].map(({ session }) => session);
  }

  /** Lets go of a session and of its index: it was moved, deleted or purged. */
  async forget(session: SessionRef): Promise<void> {
    const open = this.#open.get(sessionKey(session));
    if (open !== undefined) await this.#close(open);
    const { cacheFolder, fileSystem } = this.#options;
    if (cacheFolder !== null) await removeIndex(fileSystem, join(cacheFolder, indexName(session)));
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const open of this.#open.values()) void this.#close(open);
    await Promise.all(this.#closing);
  }

  async #use<Value>(session: SessionRef, job: (reader: TranscriptReader) => Promise<Value>): Promise<Value> {
    const open = await this.#opened(session);
    open.busy++;
    open.usedAt = performance.now();
    try {
      return await job(open.reader);
    } finally {
      open.busy--;
      this.#evict();
      this.#schedule();
    }
  }

  async #opened(session: SessionRef): Promise<Open> {
    if (this.#isDisposed) throw cancelled();
    const key = sessionKey(session);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const { fileSystem, filesOf, onChange, inlineBytes } = this.#options;
    const files = filesOf(session);
    const cacheFolder = await this.#madeCacheFolder();
    const made = this.#open.get(key);
    if (made !== undefined) return made;
    const reader = new TranscriptReader({
      fileSystem,
      files,
      cacheFolder,
      builds: this.#builds,
      onChange,
      ...(inlineBytes === undefined ? {} : { inlineBytes }),
    });
    const now = performance.now();
    const pause = this.#options.lookEvery ?? LOOK_EVERY_MS;
    const open: Open = { session, reader, busy: 0, usedAt: now, lookAt: now + pause, pause };
    this.#open.set(key, open);
    return open;
  }

  #madeCacheFolder(): Promise<string | null> {
    const { cacheFolder, fileSystem, report } = this.#options;
    if (cacheFolder === null) return Promise.resolve(null);
    this.#cacheFolder ??= makeFolderDurably(fileSystem, cacheFolder).then(
      () => cacheFolder,
      (error: unknown) => {
        // Without a cache everything still works, but is gone through again at each start.
        report?.(error instanceof Error ? error : new Error(String(error)));
        return null;
      },
    );
    return this.#cacheFolder;
  }

  #evict(): void {
    const idle = [...this.#open.values()].filter(({ busy }) => busy === 0);
    idle.sort((left, right) => left.usedAt - right.usedAt);
    const tooMany = this.#open.size - (this.#options.limit ?? LIMIT);
    for (const open of idle.slice(0, Math.max(0, tooMany))) void this.#close(open);
  }

  #close(open: Open): Promise<void> {
    this.#open.delete(sessionKey(open.session));
    const closing = open.reader.dispose().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    return closing;
  }

  async #lookAt(open: Open): Promise<void> {
    const every = this.#options.lookEvery ?? LOOK_EVERY_MS;
    open.busy++;
    try {
      await open.reader.refresh();
      open.pause = every;
    } catch {
      // Whoever asks for it is told why it cannot be read; until then it is tried ever less often.
      open.pause = Math.min(LONGEST_PAUSE_MS, Math.max(every, open.pause) * 2);
    } finally {
      open.busy--;
      open.lookAt = performance.now() + open.pause;
    }
  }

  #schedule(): void {
    const every = this.#options.lookEvery ?? LOOK_EVERY_MS;
    if (this.#timer !== null || this.#isDisposed || every === 0 || this.#open.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#round();
    }, every);
    this.#timer.unref();
  }

  /** Looks at what a window asked for lately. */
  async #round(): Promise<void> {
    const now = performance.now();
    const due = [...this.#open.values()].filter(
      ({ busy, usedAt, lookAt }) => busy === 0 && now - usedAt < OPEN_FOR_MS && lookAt <= now,
    );
    await Promise.all(due.map((open) => this.#lookAt(open)));
    this.#schedule();
  }
}
