import { ProjectId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  type FileSystem,
  idProblem,
  KeyedQueue,
  mapBounded,
  nodeFileSystem,
  noticeFolders,
  Root,
  replacerOf,
  type SeenFolders,
  type WriteAccess,
} from '../files/index.ts';
import { type ContextCalls, contextCalls, type Target } from './calls.ts';
import { ChangeQueue } from './change-queue.ts';
import type { Committed, Mutation } from './commit.ts';
import { ownerIds, sweepFolders } from './data-folder.ts';
import { ContextSearch, type FindInput, type FindOptions, type FindOutput } from './find.ts';
import type { Move } from './merge.ts';
import type { MergeCounts } from './merge-lists.ts';
import { type ContextEvent, never, ProjectContext } from './project-context.ts';
import { ProjectFiles } from './project-files.ts';
import { ProjectMerges } from './project-merges.ts';
import type { ContextStore, ContextStoreOptions } from './store-options.ts';
import { Trash } from './trash.ts';

/** Opens the store; touches nothing until the first call. */
export function openContextStore(options: ContextStoreOptions): ContextStore {
  return new Store(options);
}

/** How many owners are looked at again side by side, and how many are tidied. */
const REFRESHES = 8;
const SWEEPS = 4;

function writeAccess({ claimRoot, rootProof, replacer }: ContextStoreOptions, fileSystem: FileSystem): WriteAccess {
  return {
    claim: async () => claimRoot?.(),
    proofs() {
      // Without a claim there is no other owner to look out for.
      if (claimRoot === undefined) return [];
      const proof = rootProof?.() ?? null;
      return proof && [proof];
    },
    replacer: replacer ?? replacerOf(fileSystem),
  };
}

class Store implements ContextStore {
  readonly #options: ContextStoreOptions;
  readonly #fileSystem: FileSystem;
  readonly #root: Root;
  readonly #access: WriteAccess;
  readonly #queue = new KeyedQueue();
  readonly #changes = new ChangeQueue((projectId, job) =>
    this.#enqueue(projectId, async (context) => {
      await this.#refuseMerged(projectId);
      await job(context);
    }),
  );
  /** Writes that were let in and have not ended. */
  readonly #admitted = new Set<Promise<unknown>>();
  readonly #projects = new Map<string, ProjectContext>();
  readonly #search: ContextSearch;
  readonly #merges: ProjectMerges;
  readonly #seen: SeenFolders = { root: false, projects: false };
  #noticed: Promise<void> | null = null;
  #sweeping: Promise<void> | null = null;
  #resuming: Promise<void> | null = null;
  readonly #closing = new AbortController();

  readonly context: ContextCalls['context'];
  readonly notes: ContextCalls['notes'];
  readonly todos: ContextCalls['todos'];
  readonly plans: ContextCalls['plans'];

  constructor(options: ContextStoreOptions) {
    this.#options = options;
    this.#fileSystem = options.fileSystem ?? nodeFileSystem;
    this.#root = new Root(this.#fileSystem, options.root);
    this.#access = writeAccess(options, this.#fileSystem);
    this.#search = new ContextSearch({
      fileSystem: this.#fileSystem,
      root: this.#root,
      seen: this.#seen,
      ...(options.sleep ? { sleep: options.sleep } : {}),
      ...(options.platform ? { platform: options.platform } : {}),
    });
    this.#merges = new ProjectMerges({
      fileSystem: this.#fileSystem,
      root: this.#root,
      side: (id) => this.#project(id),
      locked: (ids, job) => this.#locked(ids, job),
      forget: (id) => {
        this.#projects.delete(id);
        this.#search.changed(id);
      },
      finish: options.onMoved ?? (() => undefined),
      now: options.now ?? Date.now,
      report: options.report,
    });
    const calls = contextCalls({
      now: options.now ?? Date.now,
      isKnown: async (projectId) => options.isKnownProject(projectId),
      isWatching: options.isWatching ?? (() => false),
      read: (projectId, job) => this.#run(projectId, job),
      write: (target, job) => this.#write(target, job),
      change: (target, change) => this.#change(target, change),
    });
    this.context = calls.context;
    this.notes = calls.notes;
    this.todos = calls.todos;
    this.plans = calls.plans;
  }

  async find(input: FindInput, { ids, signal }: FindOptions): Promise<FindOutput> {
    await this.#start();
    const ended = this.#closing.signal;
    return this.#search.find(input, { ids, signal: signal ? AbortSignal.any([signal, ended]) : ended });
  }

  async refresh(projectId: string): Promise<void> {
    // A change that waits will read the file anyway; its own write is told by the watcher like any other.
    if (this.#changes.isWaiting(projectId)) return this.#search.changed(projectId);
    await this.#refresh(projectId, async (context) => {
      // So does one that came while this look waited for its turn.
      if (!this.#changes.isWaiting(projectId)) await context.load({ migrate: never, plans: 'moved' });
    });
  }

  refreshPlan(projectId: string, file: string): Promise<void> {
    return this.#refresh(projectId, async (context) => {
      const document = await context.load({ migrate: never, plans: false });
      const linked = document.plans.entries.map((entry) => entry.view.file);
      await context.plans.look(linked.filter((name) => name === file));
      context.publish();
    });
  }

  async refreshAll(): Promise<void> {
    // Not all at once: each holds files open, and a process may have only so many.
    await mapBounded([...this.#projects.keys()], REFRESHES, (projectId) =>
      this.#refresh(projectId, async (context) => {
        await context.load({ migrate: never, plans: true });
      }),
    );
  }

  async projectIds(): Promise<string[]> {
    await this.#start();
    await noticeFolders(this.#root, this.#seen);
    return ownerIds(this.#fileSystem, this.#root);
  }

  merge(move: Move, finish: (move: Move) => void | Promise<void>): Promise<MergeCounts | null> {
    return this.#merges.merge(move, finish);
  }

  resumeMerges(): Promise<void> {
    this.#resuming = this.#merges.resume();
    return this.#resuming;
  }

  mergesFinished(projectId: string): Promise<void> {
    return this.#merges.ensureFinished(projectId);
  }

  sweep(): Promise<number> {
    const { report } = this.#options;
    const isStopped = (): boolean => this.#closing.signal.aborted;
    const sweeping = sweepFolders(this.#fileSystem, this.#root, { report, isStopped });
    this.#sweeping = sweeping.then(({ ids }) => this.#purge(ids));
    return this.#sweeping.then(async () => (await sweeping).removed);
  }

  /** Removes for good what was deleted more than 30 days ago. */
  async #purge(ids: readonly string[]): Promise<void> {
    const { claimRoot, now = Date.now, report } = this.#options;
    if (ids.length === 0 || this.#closing.signal.aborted) return;
    await claimRoot?.();
    await mapBounded(ids, SWEEPS, async (id) => {
      if (!this.#closing.signal.aborted) await new Trash(this.#files(id), now, report).purge();
    });
  }

  async dispose(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#admitted);
    await this.#queue.idle();
    // Why it failed is told to whoever asked for it.
    await this.#sweeping?.catch(() => undefined);
    await this.#resuming?.catch(() => undefined);
  }

  #write<Value>({ projectId }: Target, job: (context: ProjectContext) => Promise<Value>): Promise<Value> {
    return this.#admit(projectId, () =>
      this.#enqueue(projectId, async (context) => {
        await this.#refuseMerged(projectId);
        return job(context);
      }),
    );
  }

  #change<Result>(
    { projectId, contextRevision }: Target,
    change: Mutation<Result>['change'],
  ): Promise<Committed<Result>> {
    return this.#admit(projectId, () => this.#changes.add(projectId, { change, contextRevision }));
  }

  /** Lets a write in; one that was asked for before the store closes is waited for then. */
  async #admit<Value>(projectId: string, write: () => Promise<Value>): Promise<Value> {
    this.#refuseUnusable(projectId);
    const admitted = this.#merges
      .ensureFinished(projectId)
      .then(() => this.#refuseUnknown(projectId))
      .then(write);
    this.#admitted.add(admitted);
    return admitted.finally(() => this.#admitted.delete(admitted));
  }

  #locked<Value>([first, second]: readonly [string, string], job: () => Promise<Value>): Promise<Value> {
    const { memories } = this.#options;
    const alone = memories === undefined ? job : () => memories.exclusive([first, second], job);
    return this.#run(first, () => this.#run(second, alone));
  }

  async #run<Value>(projectId: string, job: (context: ProjectContext) => Promise<Value>): Promise<Value> {
    this.#refuseUnusable(projectId);
    return this.#enqueue(projectId, job);
  }

  #enqueue<Value>(projectId: string, job: (context: ProjectContext) => Promise<Value>): Promise<Value> {
    return this.#queue.run(projectId, async () => {
      await this.#start();
      return job(this.#project(projectId));
    });
  }

  async #refuseUnknown(projectId: string): Promise<void> {
    if (await this.#options.isKnownProject(projectId)) return;
    throw new Failure('not-found', 'This project is not in the list. Nothing was changed. Add its folder first.');
  }

  /** For whoever waited while the project became part of another one. */
  async #refuseMerged(projectId: string): Promise<void> {
    if (this.#merges.wasMerged(projectId)) await this.#refuseUnknown(projectId);
  }

  #refuseUnusable(projectId: string): void {
    const problem = idProblem(projectId, this.#options.platform ?? process.platform);
    if (problem !== null) {
      throw new Failure('invalid', `This project id cannot be used: ${problem}. Nothing was changed.`, {
        detail: { field: 'projectId' },
      });
    }
    if (this.#closing.signal.aborted) throw new Failure('io', 'Sidekeep is closing. Nothing was changed.');
  }

  /** A refresh tells the windows what went wrong; to the watcher it never fails but for a bug. */
  async #refresh(projectId: string, job: (context: ProjectContext) => Promise<void>): Promise<void> {
    this.#search.changed(projectId);
    if (
      this.#closing.signal.aborted ||
      !ProjectId.safeParse(projectId).success ||
      !this.#projects.get(projectId)?.isInUse
    )
      return;
    try {
      await this.#run(projectId, job);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  #project(projectId: string): ProjectContext {
    const known = this.#projects.get(projectId);
    if (known) return known;
    const { sleep, report, now = Date.now } = this.#options;
    const context = new ProjectContext({
      files: this.#files(projectId),
      onEvent: (event) => this.#emit(event),
      now,
      report,
      ...(sleep ? { sleep } : {}),
    });
    this.#projects.set(projectId, context);
    return context;
  }

  #files(projectId: string): ProjectFiles {
    return new ProjectFiles(this.#fileSystem, this.#root, projectId, this.#seen, this.#access);
  }

  /** Notices, once, which folders are there when the run begins. */
  async #start(): Promise<void> {
    this.#noticed ??= noticeFolders(this.#root, this.#seen).catch((error: unknown) => {
      // Tried again with the next call.
      this.#noticed = null;
      throw error;
    });
    await this.#noticed;
  }

  #emit(event: ContextEvent): void {
    this.#search.changed(event.kind === 'change' ? event.change.projectId : event.projectId);
    try {
      this.#options.onEvent(event);
    } catch (error) {
      // A listener's fault must not make a change that is on the disk look failed.
      this.#options.report('telling the windows of a changed context', error);
    }
  }
}
