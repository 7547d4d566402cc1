import path from 'node:path';
import { createProjects, type ProjectEntries } from './context/projects.ts';
import { openContextStore } from './context/store.ts';
import { Failure, type Implementation, type Publish, type Report } from './contract/index.ts';
import { createRootOwner } from './files/owner.ts';
import { WriteThreads } from './files/write-threads.ts';
import { startContextFeed } from './watch/context-feed.ts';

/** What the core needs of the program around it. */
export interface SidekeepOptions {
  /** Folder of the project context; it need not exist, and starting does not make it. */
  contextRoot: string;
  /** Where the added, renamed and hidden projects are kept. */
  projectEntries: ProjectEntries;
  /** The watcher's worker as it was bundled; the source beside the watcher when left out. */
  workerUrl?: URL;
  /** The same for the threads that write. */
  writeWorkerUrl?: URL;
  publish: Publish;
  report: Report;
}

/** The calls that the core answers; `chooseFolder` needs a desktop. */
export type CoreCalls = Pick<Implementation, 'context' | 'notes' | 'todos' | 'plans' | 'watcher'> & {
  projects: Omit<Implementation['projects'], 'chooseFolder'>;
};

/** The running core: one method for each call, and the end. */
export interface Sidekeep {
  readonly calls: CoreCalls;
  readonly contextRoot: string;
  /** Looks at everything again, as after the machine slept. */
  rescan(): void;
  /** Finishes what is being written, stops watching and gives the root back. */
  dispose(): Promise<void>;
}

/**
 * Opens the core on a root. A root that cannot be taken because of its disk (read-only, no permission) is opened for
 * reading: every change tries again to take it, and says why it cannot.
 *
 * @throws Failure `in-use` when another process owns the root, naming it; nothing was read or changed then.
 */
export async function openSidekeep(options: SidekeepOptions): Promise<Sidekeep> {
  const { contextRoot, publish, report } = options;
  const owner = createRootOwner({ root: contextRoot });
  try {
    await owner.acquire();
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'in-use') throw error;
    report('taking the data folder; it is opened for reading', error);
  }

  const threads = new WriteThreads({
    report,
    ...(options.writeWorkerUrl ? { workerUrl: options.writeWorkerUrl } : {}),
  });
  const store = openContextStore({
    root: contextRoot,
    isKnownProject: (id) => projects.isKnown(id),
    onEvent: (event) => publish('context.changed', event),
    report,
    claimRoot: () => owner.ensure(),
    rootProof: () => owner.proof(),
    replacer: threads,
    onMoved: (move) => projects.moved(move),
    isWatching: () => watcher.status().state === 'watching',
  });
  const projects = createProjects({
    chatsRoot: path.join(contextRoot, 'chats'),
    entries: options.projectEntries,
    foundIds: () => store.projectIds(),
    merge: (move, finish) => store.merge(move, finish),
    onChange: (list) => publish('projects.changed', list),
  });
  const watcher = startContextFeed({
    root: contextRoot,
    store,
    ...(options.workerUrl ? { workerUrl: options.workerUrl } : {}),
    onProjects: async () => {
      // A root that appeared while the program runs is taken now; a foreign owner is met at the first write.
      // Showing what is there needs no ownership.
      await owner.acquire().finally(() => projects.refresh());
    },
    onStatus: (status) => publish('watcher.changed', status),
    report: (problem) => report('the watcher', problem),
  });
  store
    .resumeMerges()
    .then(() => projects.refresh())
    .catch((error: unknown) => report('finishing the merge of two projects', error));
  store.sweep().catch((error: unknown) => report('sweeping orphaned temporary files', error));

  return {
    contextRoot,
    calls: {
      context: {
        ...store.context,
        find: async ({ projectId, ...input }, { signal }) => {
          const ids = projectId === null ? await projects.shownIds() : [projectId];
          return store.find(input, { ids, signal });
        },
      },
      notes: store.notes,
      todos: store.todos,
      plans: store.plans,
      projects: {
        list: (input) => projects.list(input),
        add: (input) => projects.add(input),
        rename: (input) => projects.rename(input),
        hide: (input) => projects.hide(input),
        relocate: (input) => projects.relocate(input),
      },
      watcher: { status: async () => watcher.status() },
    },
    rescan: () => watcher.rescan(),
    async dispose() {
      await watcher.dispose();
      await store.dispose();
      await threads.dispose();
      await owner.dispose();
    },
  };
}
