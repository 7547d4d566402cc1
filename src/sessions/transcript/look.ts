import { closeQuietly, type FileIdentity, type FileSystem, identityOf, modifiedAt } from '../../files/index.ts';
import { type BuiltIndex, buildIndex, type PreviousIndex } from './index-builder.ts';
import type { IndexBuilds } from './index-builds.ts';
import { readIndex, removeIndex, writeIndex } from './index-file.ts';
import { hasGrown, hashEdges, isSameState } from './index-head.ts';
import { cancelled } from './lines.ts';
import { LOG_TWO_BYTES, LogTwoIndexer } from './log-two.ts';
import { persistable, revived } from './persist.ts';
import { findProblem, isEmptyLog, type TranscriptProblem } from './problem.ts';
import { findSource, type TranscriptFiles, type TranscriptSource, tooNew } from './source.ts';
import { readTail } from './tail.ts';
import { GraphView, ListView, TailView, type View } from './views.ts';
import { GrowingPause, unless } from './waiting.ts';

export interface LookerOptions {
  readonly fileSystem: FileSystem;
  readonly files: TranscriptFiles;
  /** Where the index is kept; null keeps it in memory. */
  readonly indexPath: string | null;
  readonly builds: IndexBuilds;
  readonly inlineBytes?: number;
  /** Gets each new view. */
  readonly onView: (view: View) => void;
  readonly onProgress: (view: View, progress: { done: number; total: number }) => void;
}

/** A transcript up to this size is gone through at once: some ten milliseconds. */
const INLINE_BYTES = 4 * 1024 * 1024;
/** So much growth is gone through in pieces between other work; more goes to the worker. */
const GROWTH_BYTES = 32 * 1024 * 1024;
/** After this much growth the index file is brought up to date. */
const KEEP_BYTES = 4 * 1024 * 1024;

interface Build {
  readonly source: TranscriptSource;
  readonly controller: AbortController;
  readonly result: Promise<BuiltIndex>;
}

const stateKey = ({ ino, size, mtimeNs }: FileIdentity): string => `${ino} ${size} ${mtimeNs}`;

/**
 * Keeps up with what one transcript is: finds the file that counts, has its index made, goes on with it when the file grows
 * and begins anew when it was replaced.
 */
export class Looker {
  readonly #options: LookerOptions;
  readonly #inlineBytes: number;
  #view: View | null = null;
  #source: TranscriptSource | null = null;
  #index: BuiltIndex | null = null;
  /** Up to where the index file goes. */
  #kept = 0;
  #build: Build | null = null;
  readonly #pause = new GrowingPause();
  /** Logs that hold no whole record, so that the transcript counts. */
  readonly #emptyLogs = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  readonly #lifetime = new AbortController();

  constructor(options: LookerOptions) {
    this.#options = options;
    this.#inlineBytes = options.inlineBytes ?? INLINE_BYTES;
  }

  /** The transcript as it is now, as far as it is known. */
  now(): Promise<View> {
    return this.#inTurn(() => this.#now());
  }

  /** The transcript as it is now, once all of it is known; of one that is too large what there is. */
  async whole(signal?: AbortSignal): Promise<View> {
    for (;;) {
      if (signal?.aborted) throw cancelled();
      const view = await this.now();
      // Only of a log of schema 2 that is too large the end alone is shown.
      if (view.complete || view.format === 'log-2') return view;
      if (this.#build !== null) await unless(signal, this.#build.result);
      else if (this.#pause.reason !== null) throw this.#pause.reason;
    }
  }

  /** Takes nothing for granted any more: the next look begins anew. */
  forget(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#drop();
      if (this.#options.indexPath !== null) await removeIndex(this.#options.fileSystem, this.#options.indexPath);
    });
  }

  get isTorn(): boolean {
    return this.#view?.torn ?? false;
  }

  problem(view: View): TranscriptProblem | null {
    const age = this.#source === null ? 0 : Date.now() - modifiedAt(this.#source.identity);
    return findProblem(view, this.#index, age);
  }

  async dispose(): Promise<void> {
    this.#lifetime.abort();
    await this.#inTurn(() => this.#drop()).catch(() => undefined);
  }

  #inTurn<Value>(job: () => Promise<Value>): Promise<Value> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #drop(): Promise<void> {
    const build = this.#build;
    this.#build = null;
    this.#index = null;
    this.#view = null;
    this.#source = null;
    build?.controller.abort();
    // It was given up: how it ends says nothing any more.
    await build?.result.catch(() => undefined);
  }

  async #now(): Promise<View> {
    if (this.#lifetime.signal.aborted) throw cancelled();
    const { fileSystem, files } = this.#options;
    for (;;) {
      const source = await findSource(fileSystem, files, (identity) => this.#emptyLogs.has(stateKey(identity)));
      const view = await this.#viewOf(source);
      if (view !== null) return view;
    }
  }

  /** @returns Null for a log that turns out to hold nothing. */
  async #viewOf(source: TranscriptSource): Promise<View | null> {
    const before = this.#source;
    const isSameFile = before !== null && before.path === source.path && before.format === source.format;
    this.#source = source;
    const index = this.#index;
    if (index !== null && isSameFile) {
      if (this.#view !== null && isSameState(index.head, source.identity)) return this.#checked(index, this.#view);
      const grown = await this.#grown(source, index);
      if (grown !== null) return this.#adopt(source, grown);
    } else if (this.#build !== null && isSameFile && isGrowing(this.#build.source, source)) {
      if (this.#view !== null && before.identity.size === source.identity.size) return this.#view;
      return this.#showTail(source);
    }
    const previous = index !== null && isSameFile ? index.head : null;
    await this.#drop();
    this.#source = source;
    return this.#begin(source, previous);
  }

  /** Goes on with an index behind what it knows; null when it is not of this file, or when too much is new. */
  async #grown(source: TranscriptSource, index: BuiltIndex): Promise<BuiltIndex | null> {
    const { fileSystem } = this.#options;
    if (Number(source.identity.size) - index.head.resume > Math.max(GROWTH_BYTES, this.#inlineBytes)) return null;
    const handle = await fileSystem.open(source.path, 'r');
    try {
      if (!(await hasGrown(index.head, source.identity, handle))) return null;
    } finally {
      await closeQuietly(handle);
    }
    // Should it fail, what it went on with is half changed.
    this.#index = null;
    const signal = this.#lifetime.signal;
    const built = await buildIndex(fileSystem, source.path, source.format, index, null, { signal });
    return (await this.#isContinued(source, index, built)) ? built : null;
  }

  /** Whether what was gone on with is the file that was looked at before: it may have been replaced in between. */
  async #isContinued({ path, identity }: TranscriptSource, { head }: BuiltIndex, built: BuiltIndex): Promise<boolean> {
    const handle = await this.#options.fileSystem.open(path, 'r');
    try {
      const now = identityOf(await handle.stat());
      if (isSameState(built.head, identity) && isSameState(built.head, now)) return true;
      const isSameFile = built.head.ino === head.ino && String(now.ino) === head.ino;
      return isSameFile && (await hashEdges(handle, head.resume)) === head.edges;
    } finally {
      await closeQuietly(handle);
    }
  }

  async #begin(source: TranscriptSource, previous: PreviousIndex | null): Promise<View | null> {
    const { fileSystem, indexPath } = this.#options;
    const { path, format, identity } = source;
    const signal = this.#lifetime.signal;
    this.#kept = 0;
    if (Number(identity.size) <= this.#inlineBytes) {
      return this.#adopt(source, await buildIndex(fileSystem, path, format, null, previous, { signal }));
    }
    const kept = indexPath === null ? null : await readIndex(fileSystem, indexPath);
    if (kept !== null && kept.head.format === format) {
      const index = revived(kept);
      const usable = isSameState(index.head, identity) ? index : await this.#grown(source, index);
      this.#kept = kept.head.resume;
      if (usable !== null) return this.#adopt(source, usable);
    }
    return this.#start(source, previous ?? kept?.head ?? null);
  }

  /** Has the index made, and shows the end of the transcript meanwhile. */
  async #start(source: TranscriptSource, previous: PreviousIndex | null): Promise<View | null> {
    const { builds, indexPath } = this.#options;
    const { path, format, identity } = source;
    const isTooLarge = format === 'log-2' && Number(identity.size) > LOG_TWO_BYTES;
    if (isTooLarge || (format !== 'log-2' && this.#pause.reason !== null)) return this.#showTail(source);
    const begun = previous && {
      format: previous.format,
      resume: previous.resume,
      sum: previous.sum,
      generation: previous.generation,
    };
    const controller = new AbortController();
    const result = builds.run({ path, format, indexPath, previous: begun }, controller.signal, (done, total) => {
      if (this.#build?.controller === controller && this.#view !== null) {
        this.#options.onProgress(this.#view, { done, total });
      }
    });
    const build: Build = { source, controller, result };
    this.#build = build;
    if (format === 'log-2') return this.#hold(build);
    this.#awaitInBackground(build);
    return this.#showTail(source);
  }

  /** Of a graph nothing can be shown before it is known: which of its messages count is decided by the last records. */
  async #hold(build: Build): Promise<View | null> {
    const { signal } = this.#lifetime;
    const stop = (): void => build.controller.abort();
    signal.addEventListener('abort', stop);
    try {
      const built = await build.result;
      this.#kept = built.head.resume;
      return await this.#adopt(build.source, built);
    } finally {
      signal.removeEventListener('abort', stop);
      if (this.#build === build) this.#build = null;
    }
  }

  #awaitInBackground(build: Build): void {
    const end = (): void => {
      if (this.#build === build) this.#build = null;
    };
    build.result.then(
      (built) =>
        this.#inTurn(async () => {
          if (this.#build !== build) return;
          end();
          this.#kept = built.head.resume;
          await this.#adopt(build.source, built);
        }).catch(() => {
          // What is wrong with it is told to whoever looks at it next.
          this.#index = null;
        }),
      // Whoever waits for it is told; a later look begins anew.
      (error: unknown) => {
        if (this.#build === build) {
          this.#pause.failed(error);
          this.#source = null;
        }
        end();
      },
    );
  }

  /** Makes an index the one that is shown. */
  async #adopt(source: TranscriptSource, built: BuiltIndex): Promise<View | null> {
    this.#index = built;
    this.#pause.succeeded();
    if (isEmptyLog(built)) {
      this.#emptyLogs.add(stateKey(source.identity));
      this.#index = null;
      this.#view = null;
      return null;
    }
    await this.#keep(built);
    const { live } = built;
    if (live instanceof LogTwoIndexer && live.isTooLarge) return this.#showTail(source);
    const index = this.#index ?? built;
    this.#view =
      live instanceof LogTwoIndexer ? new GraphView(source.path, index, live) : new ListView(source.path, index);
    const view = this.#checked(index, this.#view);
    this.#options.onView(view);
    return view;
  }

  /** Brings the index file up to date when much is new. */
  async #keep(built: BuiltIndex): Promise<void> {
    const { fileSystem, indexPath } = this.#options;
    const { resume } = built.head;
    if (indexPath === null || resume <= this.#inlineBytes || resume - this.#kept < KEEP_BYTES) return;
    const written = await writeIndex(fileSystem, indexPath, persistable(built));
    this.#kept = resume;
    if (written !== null && written.head.log === null) this.#index = { ...written, live: built.live };
  }

  /** @throws Failure `newer-version` for a log in which a newer program wrote. */
  #checked(index: BuiltIndex, view: View): View {
    if (index.live instanceof LogTwoIndexer ? index.live.isTooNew : index.head.list?.tooNew) throw tooNew();
    return view;
  }

  async #showTail({ path, format, identity }: TranscriptSource): Promise<View> {
    const handle = await this.#options.fileSystem.open(path, 'r');
    try {
      const tail = await readTail(handle, format, Number(identity.size), this.#lifetime.signal);
      this.#view = new TailView(path, format, String(identity.ino), tail);
    } finally {
      await closeQuietly(handle);
    }
    this.#options.onView(this.#view);
    return this.#view;
  }
}

/** Whether a file that is being gone through is still the one that was begun with, as far as its status tells. */
function isGrowing(before: TranscriptSource, now: TranscriptSource): boolean {
  return before.identity.ino === now.identity.ino && before.identity.size <= now.identity.size;
}
