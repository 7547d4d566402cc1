import { randomUUID } from 'node:crypto';
import type { Caller, Implementation } from '../contract/contract.ts';
import { ProjectId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { type FileSystem, KeyedQueue, mapBounded, nodeFileSystem, Root } from '../files/index.ts';
import { ownerIds, sweepFolders } from './data-folder.ts';
import { createNote, deleteNote, updateNote } from './note-changes.ts';
import { createPlan, deletePlan, readPlan, setPlanPinned, updatePlan } from './plan-operations.ts';
import { type ContextEvent, never, ProjectContext } from './project-context.ts';
import { idProblem, noticeFolders, ProjectFiles, type SeenFolders } from './project-files.ts';
import { addTodo, clearCompleted, deleteTodo, moveTodo, replaceTodos, updateTodo } from './todo-changes.ts';

export interface ContextStoreOptions {
  /** The data folder; it need not exist, and reading does not make it. */
  root: string;
  fileSystem?: FileSystem;
  /** Time for new entries, in ms since 1970. */
  now?: () => number;
  /** Only known owners are written; others read as empty. */
  isKnownProject: (projectId: string) => boolean | Promise<boolean>;
  /** Receives each `context.changed` before the call that caused it resolves. */
  onEvent: (payload: ContextEvent) => void;
  /** Told of what went wrong without harming an answer. */
  report: (where: string, error: unknown) => void;
  /** Called before each write: makes sure that this process owns the root, and may create it for that. Throws `in-use`. */
  claimRoot?: () => Promise<void>;
  platform?: NodeJS.Platform;
  sleep?: (ms: number) => Promise<unknown>;
}

/** The calls of these groups, without the caller: nothing here depends on who asks. */
type Group<Name extends keyof Implementation> = {
  [Call in keyof Implementation[Name]]: Implementation[Name][Call] extends (
    input: infer Input,
    caller: Caller,
  ) => Promise<infer Output>
    ? (input: Input) => Promise<Output>
    : never;
};

/** Notes, todos and plans of every owner under one root. */
export interface ContextStore {
  readonly context: Group<'context'>;
  readonly notes: Group<'notes'>;
  readonly todos: Group<'todos'>;
  readonly plans: Group<'plans'>;
  /** Looks at an owner's files again because they may have changed; tells the windows of a real change, once. */
  refresh(projectId: string): Promise<void>;
  /** The same for one plan file. */
  refreshPlan(projectId: string, file: string): Promise<void>;
  /** The same for every owner that was asked for in this run. */
  refreshAll(): Promise<void>;
  /** Ids of the owners that have data: folders and legacy files under `projects/`. Nothing is read or migrated. */
  projectIds(): Promise<string[]>;
  /** Removes orphaned temp files of dead processes; answers how many. */
  sweep(): Promise<number>;
  /** Resolves when all that was begun has ended; later calls fail. */
  dispose(): Promise<void>;
}

/** Opens the store; touches nothing until the first call. */
export function openContextStore(options: ContextStoreOptions): ContextStore {
  return new Store(options);
}

/** How many owners are looked at again side by side. */
const REFRESHES = 8;

class Store implements ContextStore {
  readonly #options: ContextStoreOptions;
  readonly #fileSystem: FileSystem;
  readonly #root: Root;
  readonly #now: () => number;
  readonly #queue = new KeyedQueue();
  readonly #projects = new Map<string, ProjectContext>();
  readonly #seen: SeenFolders = { root: false, projects: false };
  #noticed: Promise<void> | null = null;
  #sweeping: Promise<number> | null = null;
  #disposed = false;

  readonly context: Group<'context'> = {
    get: async ({ projectId }) => {
      return this.#run(projectId, async (context) => {
        const migrate = () => this.#options.isKnownProject(projectId);
        await context.load({ migrate, forReading: true, plans: true });
        return context.snapshot;
      });
    },
    deleted: unavailable,
    backups: unavailable,
    recover: unavailable,
    find: unavailable,
    dismiss: unavailable,
  };

  readonly notes: Group<'notes'> = {
    create: ({ projectId, ...input }) =>
      this.#write(projectId, async (context) => {
        const id = randomUUID();
        const { result, context: change } = await context.mutate((newest) =>
          createNote(newest, input, id, this.#now()),
        );
        return { ...result, context: change };
      }),
    update: ({ projectId, ...input }) =>
      this.#write(projectId, async (context) => {
        const { result, context: change } = await context.mutate((newest) => updateNote(newest, input, this.#now()));
        return { ...result, context: change };
      }),
    delete: ({ projectId, ...input }) =>
      this.#write(projectId, async (context) => {
        const { context: change } = await context.mutate((newest) => deleteNote(newest, input));
        return { trashId: '0-000000000000.0', context: change };
      }),
    restore: unavailable,
  };

  readonly todos: Group<'todos'> = {
    replace: ({ projectId, ...input }) =>
      this.#write(projectId, async (context) => {
        const { result, context: change } = await context.mutate((newest) => replaceTodos(newest, input, this.#now()));
        return { ...result, trashId: null, context: change };
      }),
    add: ({ projectId, text }) =>
      this.#write(projectId, async (context) => {
        const id = randomUUID();
        const { result, context: change } = await context.mutate((newest) => addTodo(newest, text, id, this.#now()));
        return { ...result, context: change };
      }),
    update: ({ projectId, ...input }) =>
      this.#write(projectId, async (context) => {
        const { result, context: change } = await context.mutate((newest) => updateTodo(newest, input));
        return { ...result, context: change };
      }),
    delete: ({ projectId, ...input }) =>
      this.#write(projectId, async (context) => {
        const { context: change } = await context.mutate((newest) => deleteTodo(newest, input));
        return { trashId: '0-000000000000.0', context: change };
      }),
    move: ({ projectId, ...input }) =>
      this.#write(projectId, async (context) => {
        const { context: change } = await context.mutate((newest) => moveTodo(newest, input));
        return { context: change };
      }),
    clearCompleted: ({ projectId }) =>
      this.#write(projectId, async (context) => {
        const { result, context: change } = await context.mutate(clearCompleted);
        return { ...result, trashId: null, context: change };
      }),
    restore: unavailable,
  };

  readonly plans: Group<'plans'> = {
    create: ({ projectId, ...input }) =>
      this.#write(projectId, (context) => createPlan(context, input, randomUUID(), this.#now())),
    read: ({ projectId, planId }) => this.#run(projectId, (context) => readPlan(context, planId)),
    update: ({ projectId, ...input }) =>
      this.#write(projectId, (context) => updatePlan(context, input, this.#options.report)),
    delete: ({ projectId, ...input }) => this.#write(projectId, (context) => deletePlan(context, input)),
    setPinned: ({ projectId, ...input }) => this.#write(projectId, (context) => setPlanPinned(context, input)),
    restore: unavailable,
    versions: unavailable,
    readVersion: unavailable,
  };

  constructor(options: ContextStoreOptions) {
    this.#options = options;
    this.#fileSystem = options.fileSystem ?? nodeFileSystem;
    this.#root = new Root(this.#fileSystem, options.root);
    this.#now = options.now ?? Date.now;
  }

  refresh(projectId: string): Promise<void> {
    return this.#refresh(projectId, async (context) => {
      await context.load({ migrate: never, plans: true, hint: true });
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
    await mapBounded([...this.#projects.keys()], REFRESHES, (projectId) => this.refresh(projectId));
  }

  async projectIds(): Promise<string[]> {
    await this.#start();
    await noticeFolders(this.#root, this.#seen);
    return ownerIds(this.#fileSystem, this.#root);
  }

  sweep(): Promise<number> {
    const { report } = this.#options;
    const sweeping = sweepFolders(this.#fileSystem, this.#root, { report, isStopped: () => this.#disposed });
    this.#sweeping = sweeping;
    return sweeping;
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.#queue.idle();
    // Why it failed is told to whoever asked for it.
    await this.#sweeping?.catch(() => undefined);
  }

  async #write<Value>(projectId: string, job: (context: ProjectContext) => Promise<Value>): Promise<Value> {
    if (!(await this.#options.isKnownProject(projectId))) {
      throw new Failure('not-found', 'This project is not in the list. Nothing was changed. Add its folder first.');
    }
    return this.#run(projectId, job);
  }

  async #run<Value>(projectId: string, job: (context: ProjectContext) => Promise<Value>): Promise<Value> {
    const problem = idProblem(projectId, this.#options.platform ?? process.platform);
    if (problem !== null) {
      throw new Failure('invalid', `This project id cannot be used: ${problem}. Nothing was changed.`, {
        detail: { field: 'projectId' },
      });
    }
    if (this.#disposed) throw new Failure('io', 'Sidekeep is closing. Nothing was changed.');
    return this.#queue.run(projectId, async () => {
      await this.#start();
      return job(this.#project(projectId));
    });
  }

  /** A refresh tells the windows what went wrong; to the watcher it never fails but for a bug. */
  async #refresh(projectId: string, job: (context: ProjectContext) => Promise<void>): Promise<void> {
    if (this.#disposed || !ProjectId.safeParse(projectId).success || !this.#projects.get(projectId)?.isInUse) return;
    try {
      await this.#run(projectId, job);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  #project(projectId: string): ProjectContext {
    const known = this.#projects.get(projectId);
    if (known) return known;
    const { claimRoot, sleep } = this.#options;
    const claim = claimRoot ?? (() => Promise.resolve());
    const context = new ProjectContext({
      files: new ProjectFiles(this.#fileSystem, this.#root, projectId, this.#seen, claim),
      onEvent: (event) => this.#emit(event),
      ...(sleep ? { sleep } : {}),
    });
    this.#projects.set(projectId, context);
    return context;
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
    try {
      this.#options.onEvent(event);
    } catch (error) {
      // A listener's fault must not make a change that is on the disk look failed.
      this.#options.report('telling the windows of a changed context', error);
    }
  }
}

async function unavailable(): Promise<never> {
  throw new Failure('io', 'This is not there yet.');
}
