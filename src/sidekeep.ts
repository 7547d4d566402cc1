import path from 'node:path';
import { createProjects, type ProjectEntries } from './context/projects.ts';
import { openContextStore } from './context/store.ts';
import { Failure, type Implementation, type ProjectList, type Publish, type Report } from './contract/index.ts';
import { createRootOwner } from './files/owner.ts';
import { WriteThreads } from './files/write-threads.ts';
import { MemoryStore } from './memory/index.ts';
import { type OpenSessions, openSessions } from './open-sessions.ts';
import type { Pins } from './sessions/service.ts';
import { startContextFeed } from './watch/context-feed.ts';
import { WatcherStatuses } from './watch/watcher-statuses.ts';

/** What the core needs of the program around it. */
export interface SidekeepOptions {
  /** Folder of the project context; it need not exist, and starting does not make it. */
  contextRoot: string;
  /** Folder of all stores of sessions; the same holds. */
  sessionsRoot: string;
  /** Folder for what only makes sessions fast; null keeps that in memory. */
  cacheFolder: string | null;
  /** Whether agent memory is switched on now. */
  memoryEnabled: () => boolean;
  /** Where the pinned sessions are kept. */
  pinnedSessions: Pins;
  /** Shows a file in the desktop's file manager. */
  reveal: (file: string) => void;
  /** Where the added, renamed and hidden projects are kept. */
  projectEntries: ProjectEntries;
  /** The watcher's worker as it was bundled; the source beside the watcher when left out. */
  workerUrl?: URL;
  /** The same for the threads that write. */
  writeWorkerUrl?: URL;
  /** And for the workers that go through transcripts. */
  indexWorkerUrl?: URL;
  catalogWorkerUrl?: URL;
  publish: Publish;
  report: Report;
}

/** The calls that the core answers; `chooseFolder` needs a desktop. */
export type CoreCalls = Pick<
  Implementation,
  'context' | 'notes' | 'todos' | 'plans' | 'sessions' | 'chats' | 'knowledge' | 'memory' | 'watcher'
> & {
  projects: Omit<Implementation['projects'], 'chooseFolder'>;
};

/** The running core: one method for each call, and the end. */
export interface Sidekeep {
  readonly calls: CoreCalls;
  readonly contextRoot: string;
  /** Memory was switched on or off: sessions are told other things now. */
  memorySwitched(): void;
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

  let latest: ProjectList | null = null;
  let sessions: OpenSessions | null = null;
  const threads = new WriteThreads({
    report,
    ...(options.writeWorkerUrl ? { workerUrl: options.writeWorkerUrl } : {}),
  });
  const memory = new MemoryStore({
    root: contextRoot,
    isEnabled: options.memoryEnabled,
    isKnownOwner: (id) => projects.isKnown(id),
    settled: (id) => store.mergesFinished(id),
    claimRoot: () => owner.ensure(),
    report,
  });
  memory.onChange((ownerId) => {
    publish('memory.changed', { ownerId });
    sessions?.knowledge.memoryChanged(ownerId);
  });
  const store = openContextStore({
    root: contextRoot,
    memories: memory,
    isKnownProject: (id) => projects.isKnown(id),
    onEvent(event) {
      publish('context.changed', event);
      sessions?.knowledge.contextChanged(event);
    },
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
    onChange(list) {
      latest = list;
      publish('projects.changed', list);
      sessions?.projectsChanged();
    },
  });
  const closeContext = async (): Promise<void> => {
    await watcher.dispose();
    await store.dispose();
    await memory.dispose();
    await threads.dispose();
    await owner.dispose();
  };
  const statuses = new WatcherStatuses((status) => publish('watcher.changed', status));
  const watcher = startContextFeed({
    root: contextRoot,
    store,
    memory,
    ...(options.workerUrl ? { workerUrl: options.workerUrl } : {}),
    onProjects: async () => {
      // A root that appeared while the program runs is taken now; a foreign owner is met at the first write.
      // Showing what is there needs no ownership.
      await owner.acquire().finally(() => projects.refresh());
    },
    onStatus: statuses.part(),
    report: (problem) => report('the watcher', problem),
  });
  try {
    sessions = await openSessions({
      root: options.sessionsRoot,
      chatsRoot: path.join(contextRoot, 'chats'),
      cacheFolder: options.cacheFolder,
      projects: async () => latest ?? projects.list({}),
      claimChats: () => owner.ensure(),
      pins: options.pinnedSessions,
      knowledge: {
        context: (projectId) => store.context.get({ projectId }),
        plan: (projectId, planId) => store.plans.read({ projectId, planId }),
        memory: (ownerId) => memory.titlesFor(ownerId),
      },
      reveal: options.reveal,
      ...(options.workerUrl ? { workerUrl: options.workerUrl } : {}),
      ...(options.indexWorkerUrl ? { indexWorkerUrl: options.indexWorkerUrl } : {}),
      ...(options.catalogWorkerUrl ? { catalogWorkerUrl: options.catalogWorkerUrl } : {}),
      onStatus: statuses.part(),
      publish,
      report,
    });
  } catch (error) {
    await closeContext();
    throw error;
  }
  const { calls: sessionCalls } = sessions;
  store
    .resumeMerges()
    .then(() => projects.refresh())
    .catch((error: unknown) => report('finishing the merge of two projects', error));
  store.sweep().catch((error: unknown) => report('sweeping orphaned temporary files', error));
  memory.sweep().catch((error: unknown) => report('sweeping what was forgotten long ago', error));

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
      sessions: sessionCalls,
      chats: sessions.chats,
      knowledge: sessions.knowledge.calls,
      memory: memory.calls,
      watcher: { status: async () => statuses.status },
    },
    memorySwitched: () => sessions?.knowledge.memoryChanged(null),
    rescan() {
      watcher.rescan();
      sessions?.rescan();
    },
    async dispose() {
      await sessions?.dispose();
      await closeContext();
    },
  };
}
