import { userInfo } from 'node:os';
import { memoryLimits } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import type { Implementation, MemoryEntry, MemoryTitle } from '../contract/index.ts';
import {
  type FileSystem,
  idProblem,
  KeyedQueue,
  nodeFileSystem,
  noticeFolders,
  OwnerFolder,
  Root,
  replacerOf,
  type SeenFolders,
  sweepOrphans,
} from '../files/index.ts';
import { allowMemory, createMemory, deleteMemory, type MemoryChange, restoreMemory, updateMemory } from './changes.ts';
import { ChangeQueue, type Committed } from './commit.ts';
import { OwnerMemory } from './owner-memory.ts';
import { listRemoved, readRemoved } from './trash.ts';
import { entryOf, listOf, type MemoryState } from './views.ts';

/** Whose memory: the id of an owner, or null for what is remembered for all. */
export type MemoryOwner = string | null;

export interface MemoryStoreOptions {
  /** The data folder; it need not exist, and reading does not make it. */
  root: string;
  /** Whether agent memory is switched on now; where it is not, nothing is read. */
  isEnabled: () => boolean;
  /** Only known owners are written; others read as empty. */
  isKnownOwner: (ownerId: string) => boolean | Promise<boolean>;
  /** Finishes what has to be finished before an owner may be written: an open merge. */
  settled?: (ownerId: string) => Promise<void>;
  /** Told of what went wrong without harming an answer. */
  report: (where: string, error: unknown) => void;
  /** Makes sure, before a write, that this process owns the root. Throws `in-use`. */
  claimRoot?: () => Promise<void>;
  fileSystem?: FileSystem;
  /** Time in ms since 1970. */
  now?: () => number;
  /** Who sits at this machine, for what they allow; its login name when left out. */
  person?: () => string;
  platform?: NodeJS.Platform;
  sleep?: (ms: number) => Promise<unknown>;
}

/** The titles that the sessions of an owner may be told of. */
export interface MemoryTitles {
  /** Of what is remembered for all, newest change first; the withheld ones with their flag. */
  readonly global: readonly MemoryTitle[];
  /** Of what is remembered for the owner. */
  readonly owner: readonly MemoryTitle[];
  /** What could not be read, each in a sentence for the person. */
  readonly failed: readonly string[];
}

type Calls = Implementation['memory'];

/** Memories of every owner and of all, under one root. Touches nothing until the first call. */
export class MemoryStore {
  readonly #options: MemoryStoreOptions;
  readonly #fileSystem: FileSystem;
  readonly #root: Root;
  readonly #queue = new KeyedQueue();
  readonly #changes: ChangeQueue;
  readonly #owners = new Map<MemoryOwner, OwnerMemory>();
  readonly #listeners = new Set<(ownerId: MemoryOwner) => void>();
  readonly #seen: SeenFolders = { root: false, projects: false };
  /** Writes that were let in and have not ended. */
  readonly #admitted = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
    this.#fileSystem = options.fileSystem ?? nodeFileSystem;
    this.#root = new Root(this.#fileSystem, options.root);
    this.#changes = new ChangeQueue((ownerId, job) =>
      this.#run(ownerId, async (memory) => {
        await this.#refuseUnknown(ownerId);
        await job(memory);
      }),
    );
  }

  /** One method for each call of the group `memory`. */
  readonly calls: Calls = {
    list: ({ ownerId }) => this.#read(ownerId, async (memory) => listOf(await memory.load())),
    read: ({ ownerId, memoryId }) => this.#read(ownerId, async (memory) => foundIn(await memory.load(), memoryId)),
    create: ({ ownerId, session, ...input }) =>
      this.#change(ownerId, (state) =>
        createMemory(state, { ...input, sessionId: session?.id }, { limit: limitOf(ownerId), now: this.#now() }),
      ).then(({ result }) => result),
    update: ({ ownerId, memoryId, revision, ...fields }) =>
      this.#change(ownerId, (state) => updateMemory(state, memoryId, fields, { revision, now: this.#now() })).then(
        ({ result }) => result,
      ),
    delete: async ({ ownerId, memoryId, revision }) => {
      const { trashId } = await this.#change(ownerId, (state) => deleteMemory(state, memoryId, revision));
      if (trashId === null) throw new Error('what is deleted is in the trash');
      return { trashId };
    },
    restore: async ({ ownerId, trashId }) => {
      const removed = await this.#read(ownerId, (memory) => readRemoved(memory.deleted, trashId));
      const { result } = await this.#change(ownerId, (state) => restoreMemory(state, removed, limitOf(ownerId)));
      return result;
    },
    deleted: ({ ownerId }) =>
      this.#read(ownerId, async (memory) => {
        const { entries } = (await memory.load()).memory;
        const isThere = (id: string): boolean => entries.entries.some(({ view }) => view.id === id);
        return { items: await listRemoved(memory.deleted, this.#folder(ownerId), isThere, this.#options.report) };
      }),
    allow: ({ ownerId, memoryId, allowed, revision }) =>
      this.#change(ownerId, (state) =>
        allowMemory(state, memoryId, { allowed, by: this.#person(), at: this.#now(), revision }),
      ).then(({ result }) => result),
  };

  /**
   * The titles for the sessions of an owner, or of nobody (null). Never fails: a memory that cannot be read is left out and
   * named. Nothing at all while memory is switched off.
   */
  async titlesFor(ownerId: MemoryOwner): Promise<MemoryTitles> {
    if (!this.#options.isEnabled()) return { global: [], owner: [], failed: [] };
    const failed: string[] = [];
    const titles = async (whose: MemoryOwner, what: string): Promise<readonly MemoryTitle[]> => {
      try {
        return (await this.#read(whose, async (memory) => listOf(await memory.load()))).entries;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failed.push(`${what} could not be read: ${error.message}`);
        return [];
      }
    };
    const global = await titles(null, 'What is remembered for all');
    const owner = ownerId === null ? [] : await titles(ownerId, 'What is remembered here');
    return { global, owner, failed };
  }

  /**
   * Tells of each memory that is not any more what was last read of it, whoever changed it; null is that of all.
   *
   * @returns Ends it.
   */
  onChange(listener: (ownerId: MemoryOwner) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks at a memory again because its file may have changed; tells of a real change, once. */
  async refresh(ownerId: MemoryOwner): Promise<void> {
    if (this.#isClosed || !this.#options.isEnabled() || !this.#owners.get(ownerId)?.isInUse) return;
    try {
      await this.#run(ownerId, async (memory) => {
        await memory.load();
      });
    } catch (error) {
      // That it cannot be read was told; whoever reads it next is told why.
      if (!(error instanceof Failure)) throw error;
    }
  }

  /** The same for every memory that was asked for in this run. */
  async refreshAll(): Promise<void> {
    for (const ownerId of this.#owners.keys()) await this.refresh(ownerId);
  }

  /** Runs a job while nothing else is read or written of these owners; what it changed is told. */
  async exclusive<Value>(ownerIds: readonly string[], job: () => Promise<Value>): Promise<Value> {
    // Always in one order, so that two of these never wait for each other.
    const inOrder = [...new Set(ownerIds)].sort();
    const locked = inOrder.reduceRight((inner, ownerId) => () => this.#queue.run(keyOf(ownerId), inner), job);
    try {
      return await locked();
    } finally {
      for (const ownerId of inOrder) void this.refresh(ownerId).catch((error: unknown) => this.#report(error));
    }
  }

  /** Removes what lies about of the memory of all: orphaned temp files, and what was forgotten long ago. */
  async sweep(): Promise<void> {
    if (!this.#options.isEnabled() || !(await this.#root.has('.sidekeep'))) return;
    await this.#options.claimRoot?.();
    const { report } = this.#options;
    for (const names of [['.sidekeep'], ['.sidekeep', 'trash']]) {
      // Below a link nothing is ours to sweep.
      await this.#root.locate(...names, 'x');
      await sweepOrphans(this.#fileSystem, await this.#root.locate(...names), { report });
    }
    await this.#run(null, async (memory) => {
      await memory.deleted.purge();
    });
  }

  /** Resolves when all that was begun has ended; later calls fail. */
  async dispose(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#admitted);
    await this.#queue.idle();
    this.#listeners.clear();
  }

  async #read<Value>(ownerId: MemoryOwner, job: (memory: OwnerMemory) => Promise<Value>): Promise<Value> {
    this.#refuseDisabled();
    this.#refuseUnusable(ownerId);
    return this.#run(ownerId, job);
  }

  /** Lets a change in; one that was asked for before the store closes is waited for then. */
  async #change<Result>(
    ownerId: MemoryOwner,
    change: (state: MemoryState) => MemoryChange<Result>,
  ): Promise<Committed<Result>> {
    this.#refuseDisabled();
    this.#refuseUnusable(ownerId);
    const settled = ownerId === null ? undefined : this.#options.settled?.(ownerId);
    const admitted = Promise.resolve(settled).then(async () => {
      await this.#refuseUnknown(ownerId);
      return this.#changes.add(ownerId, change);
    });
    this.#admitted.add(admitted);
    return admitted.finally(() => this.#admitted.delete(admitted));
  }

  #run<Value>(ownerId: MemoryOwner, job: (memory: OwnerMemory) => Promise<Value>): Promise<Value> {
    return this.#queue.run(keyOf(ownerId), async () => {
      if (!this.#seen.root) await noticeFolders(this.#root, this.#seen);
      return job(this.#memory(ownerId));
    });
  }

  #memory(ownerId: MemoryOwner): OwnerMemory {
    const known = this.#owners.get(ownerId);
    if (known) return known;
    const { report, sleep } = this.#options;
    const memory = new OwnerMemory({
      folder: this.#folder(ownerId),
      onChange: () => this.#emit(ownerId),
      now: () => this.#now(),
      report,
      ...(sleep ? { sleep } : {}),
    });
    this.#owners.set(ownerId, memory);
    return memory;
  }

  #folder(ownerId: MemoryOwner): OwnerFolder {
    return new OwnerFolder(this.#fileSystem, this.#root, ownerId, this.#seen, {
      claim: async () => this.#options.claimRoot?.(),
      proofs: () => null,
      replacer: replacerOf(this.#fileSystem),
    });
  }

  #emit(ownerId: MemoryOwner): void {
    for (const listener of this.#listeners) {
      try {
        listener(ownerId);
      } catch (error) {
        // A listener's fault must not make a change that is on the disk look failed.
        this.#report(error);
      }
    }
  }

  #report(error: unknown): void {
    this.#options.report('telling of a changed memory', error);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #person(): string {
    return (this.#options.person ?? loginName)();
  }

  #refuseDisabled(): void {
    if (this.#options.isEnabled()) return;
    throw new Failure(
      'not-found',
      'Memory is switched off. Nothing was read or changed. Switch it on in the settings.',
      {
        detail: { disabled: true },
      },
    );
  }

  async #refuseUnknown(ownerId: MemoryOwner): Promise<void> {
    if (ownerId === null || (await this.#options.isKnownOwner(ownerId))) return;
    throw new Failure('not-found', 'This project is not in the list. Nothing was changed. Add its folder first.');
  }

  #refuseUnusable(ownerId: MemoryOwner): void {
    const problem = ownerId === null ? null : idProblem(ownerId, this.#options.platform ?? process.platform);
    if (problem !== null) {
      throw new Failure('invalid', `This project id cannot be used: ${problem}. Nothing was changed.`, {
        detail: { field: 'ownerId' },
      });
    }
    if (this.#isClosed) throw new Failure('io', 'Sidekeep is closing. Nothing was changed.');
  }
}

/** No id of an owner is empty, so that of all has a key of its own. */
const keyOf = (ownerId: MemoryOwner): string => ownerId ?? '';

const limitOf = (ownerId: MemoryOwner): number =>
  ownerId === null ? memoryLimits.globalEntries : memoryLimits.ownerEntries;

function foundIn(state: MemoryState, id: string): MemoryEntry {
  const entry = state.memory.entries.entries.find(({ view }) => view.id === id);
  if (entry !== undefined) return entryOf(state, entry.view);
  throw new Failure('not-found', 'This memory is not there any more; it may have been forgotten elsewhere.');
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the system's list has no name there.
    return 'the person at this computer';
  }
}
