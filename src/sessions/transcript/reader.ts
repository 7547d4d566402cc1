import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { CallOutput } from '../../contract/contract.ts';
import {
  type SessionHead,
  type SessionHealth,
  type SessionPage,
  type SessionRef,
  sessionKey,
} from '../../contract/entities.ts';
import { Failure } from '../../contract/errors.ts';
import { closeQuietly, type FileHandle, type FileSystem, identityOf, ioFailure, isMissing } from '../../files/index.ts';
import { type FindOutput, findInView } from './find.ts';
import type { IndexBuilds } from './index-builds.ts';
import { DamagedIndex } from './index-file.ts';
import type { TranscriptFormat } from './index-head.ts';
import { Looker } from './look.ts';
import { headOf, type PageRequest, readPage } from './pages.ts';
import { readPart, readPlace, StaleView } from './row-reader.ts';
import type { TranscriptFiles } from './source.ts';
import type { View } from './views.ts';

export interface ReaderOptions {
  readonly fileSystem: FileSystem;
  readonly files: TranscriptFiles;
  /** Folder of the index files, which exists; null keeps them in memory. */
  readonly cacheFolder: string | null;
  readonly builds: IndexBuilds;
  /** Gets what changed, whoever noticed it first. */
  readonly onChange?: (change: TranscriptChange) => void;
  /** Transcripts up to this many bytes are gone through at once, without a worker and without an index file. */
  readonly inlineBytes?: number;
}

/** What is new in a transcript: one for each head that was asked for. */
export interface TranscriptChange {
  readonly session: SessionRef;
  readonly heads: readonly { head: string; total: number; generation: string }[];
  readonly complete: boolean;
  /** Bytes gone through and bytes in all, while it is being gone through. */
  readonly progress: { done: number; total: number } | null;
}

/** What is known of a transcript besides its messages. */
export interface TranscriptDetail {
  readonly format: TranscriptFormat;
  readonly heads: readonly SessionHead[];
  readonly head: string;
  /** Null when nothing is wrong with it. */
  readonly problem: { health: Exclude<SessionHealth, 'good'>; reason: string } | null;
}

/** A stored message as its bytes are, for a copy of it. */
export interface StoredBytes {
  readonly index: number;
  readonly kind: 'message' | 'hole' | 'raw' | 'giant';
  /** Id that counts instead of the one in the bytes. */
  readonly id: string | null;
  readonly bytes: Buffer;
}

/** How often a call looks again when the file is replaced under it. */
const TRIES = 4;

/**
 * Reads one session's transcript in pages, by byte ranges, without ever writing beside it. Each call looks at the file's
 * status first, so what it answers is of now. No file stays open between calls.
 */
export class TranscriptReader {
  readonly #options: ReaderOptions;
  readonly #look: Looker;
  /** Heads that were asked for: what happens to them is told. */
  readonly #asked = new Set<string>();
  #told = '';
  #isDisposed = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    const { cacheFolder, files } = options;
    this.#look = new Looker({
      ...options,
      indexPath: cacheFolder === null ? null : join(cacheFolder, indexName(files.ref)),
      onView: (view) => this.#tell(view, null),
      onProgress: (view, progress) => this.#tell(view, progress),
    });
  }

  /** A page of one head. @throws Failure `not-found`, `newer-version` or `io`. */
  page(request: PageRequest): Promise<SessionPage> {
    return this.#with(
      () => this.#look.now(),
      (handle, view) => {
        this.#asked.add(headOf(view, request.head));
        return readPage(handle, view, this.#options.files.ref, request);
      },
    );
  }

  /** A part of a long text. Waits until the transcript is gone through: the index is of the whole. */
  async text(request: {
    head?: string | undefined;
    index: number;
    part: 'content' | 'reasoning' | number;
    offset: number;
    length: number;
  }): Promise<CallOutput<'sessions.text'>> {
    const { index, part, offset, length } = request;
    const text = await this.#with(
      () => this.#look.whole(),
      async (handle, view) => {
        const [place] = await view.places(headOf(view, request.head), index, index + 1);
        return place === undefined ? null : await readPart(handle, place, part, offset, length);
      },
    );
    if (text === null) throw new Failure('not-found', 'There is no such text in this session. Nothing was changed.');
    return text;
  }

  /** Where a text stands. Waits until the transcript is gone through. @throws Failure `cancelled` besides those of a page. */
  find(
    request: { head?: string | undefined; query: string; from?: number | undefined; limit?: number | undefined },
    signal?: AbortSignal,
  ): Promise<FindOutput> {
    const { query, from = 0, limit = 100 } = request;
    return this.#with(
      () => this.#look.whole(signal),
      (handle, view) => findInView(handle, view, { head: headOf(view, request.head), query, from, limit }, signal),
    );
  }

  /** What it is read from, its heads, and what is wrong with it. */
  async detail(): Promise<TranscriptDetail> {
    const view = await this.#with(
      () => this.#look.now(),
      (_handle, found) => Promise.resolve(found),
    );
    const { format, heads, head } = view;
    return { format, heads, head, problem: this.#look.problem(view) };
  }

  /**
   * The stored bytes of a head's rows, in order, for a fork or an export; waits until the transcript is gone through.
   *
   * @throws Failure `conflict` when the transcript is replaced meanwhile.
   */
  async *stored(request: { head?: string; from?: number; to?: number } = {}): AsyncGenerator<StoredBytes> {
    const { fileSystem } = this.#options;
    const view = await this.#look.whole();
    const head = headOf(view, request.head);
    const to = Math.min(request.to ?? Number.POSITIVE_INFINITY, view.count(head));
    const handle = await openView(fileSystem, view);
    try {
      const step = 256;
      for (let from = request.from ?? 0; from < to; from += step) {
        for (const [offset, place] of (await view.places(head, from, Math.min(from + step, to))).entries()) {
          const bytes = await readPlace(handle, place, place.length);
          yield { index: from + offset, kind: place.kind, id: place.id, bytes };
        }
      }
    } catch (error) {
      if (!(error instanceof StaleView)) throw readFailure(error);
      throw new Failure('conflict', 'The session was replaced while it was copied. Nothing was changed. Try again.');
    } finally {
      await closeQuietly(handle);
    }
  }

  /** Looks at the files again and tells what changed. @throws Failure as a page. */
  async refresh(): Promise<void> {
    await this.#with(
      () => this.#look.now(),
      () => Promise.resolve(),
    );
  }

  /** Whether somebody may be in the middle of writing: then it is worth to look again soon. */
  get isTorn(): boolean {
    return this.#look.isTorn;
  }

  /** Ends a build that is under way. Nothing is told afterwards. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#look.dispose();
  }

  /** Runs an operation on a view and its open file; again when the file turns out to be another one. */
  async #with<Value>(
    look: () => Promise<View>,
    use: (handle: FileHandle, view: View) => Promise<Value>,
  ): Promise<Value> {
    for (let attempt = 1; ; attempt++) {
      try {
        const view = await look();
        const handle = await openView(this.#options.fileSystem, view);
        try {
          return await use(handle, view);
        } finally {
          await closeQuietly(handle);
        }
      } catch (error) {
        const isStale = error instanceof StaleView || error instanceof DamagedIndex || isMissing(error);
        if (!isStale || attempt === TRIES) throw readFailure(error);
        await this.#look.forget();
      }
    }
  }

  #tell(view: View, progress: TranscriptChange['progress']): void {
    if (this.#isDisposed) return;
    const names = this.#asked.size === 0 ? [view.head] : [...this.#asked];
    const heads = names
      .filter((name) => view.heads.some(({ id }) => id === name))
      .map((head) => ({ head, total: view.count(head), generation: view.generation(head) }));
    const change = { session: this.#options.files.ref, heads, complete: view.complete, progress };
    const told = JSON.stringify(change);
    if (told === this.#told) return;
    this.#told = told;
    this.#options.onChange?.(change);
  }
}

/** Opens the file of a view, if it is still the one that the view is of. */
async function openView(fileSystem: FileSystem, view: View): Promise<FileHandle> {
  const handle = await fileSystem.open(view.path, 'r');
  try {
    if (String(identityOf(await handle.stat()).ino) !== view.ino) throw new StaleView('another file has the name');
    return handle;
  } catch (error) {
    await closeQuietly(handle);
    throw error;
  }
}

/** Name of a session's index file in the cache folder. */
export function indexName(session: SessionRef): string {
  return `${createHash('sha256').update(sessionKey(session)).digest('hex').slice(0, 32)}.index`;
}

function readFailure(error: unknown): unknown {
  if (error instanceof StaleView || error instanceof DamagedIndex) {
    return new Failure('io', 'The session changes while it is read. It is untouched. Try again in a moment.', {
      detail: { reason: 'busy' },
    });
  }
  return ioFailure(error, 'The session could not be read', 'It is unchanged.');
}
