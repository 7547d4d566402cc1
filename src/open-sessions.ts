import { type ChatCalls, ChatService } from './chats/chats.ts';
import { OwnerResolver } from './chats/owner.ts';
import { projectPathOf } from './context/project-id.ts';
import type { ProjectId, ProjectList, Publish, Report, WatcherStatus } from './contract/index.ts';
import { Failure } from './contract/index.ts';
import { createRootOwner } from './files/owner.ts';
import type { KnowledgeSources } from './knowledge/collect.ts';
import { KnowledgeService } from './knowledge/service.ts';
import type { NewSessionPlace } from './sessions/making.ts';
import { type Pins, type SessionCalls, SessionService } from './sessions/service.ts';
import { startSessionFeed } from './watch/session-feed.ts';

export interface OpenSessionsOptions {
  /** Folder of all stores of sessions; it need not exist. */
  root: string;
  /** Folder of the chats without a project. */
  chatsRoot: string;
  cacheFolder: string | null;
  /** The projects as they were last told. */
  projects: () => Promise<ProjectList>;
  /** Makes sure, before a write, that this process owns the root that the chats lie in. @throws Failure `in-use`. */
  claimChats: () => Promise<void>;
  pins: Pins;
  /** What sessions are told of. */
  knowledge: KnowledgeSources;
  reveal: (file: string) => void;
  /** The workers as they were bundled; the sources when left out. */
  workerUrl?: URL;
  indexWorkerUrl?: URL;
  catalogWorkerUrl?: URL;
  onStatus: (status: WatcherStatus) => void;
  publish: Publish;
  report: Report;
}

/** The running part of the core that sessions are. */
export interface OpenSessions {
  readonly calls: SessionCalls;
  readonly chats: ChatCalls;
  readonly knowledge: KnowledgeService;
  /** Projects came, went, or have other folders. */
  projectsChanged(): void;
  /** Looks at everything again. */
  rescan(): void;
  dispose(): Promise<void>;
}

/**
 * Opens the sessions under a root: takes the root if it is there, finishes what an earlier run left, and watches.
 *
 * @throws Failure `in-use` when another process owns the root; nothing was read or changed then.
 */
export async function openSessions(options: OpenSessionsOptions): Promise<OpenSessions> {
  const { root, chatsRoot, projects, publish, report } = options;
  const chatsId = async (): Promise<ProjectId> => (await projects()).chatsId;
  const owner = createRootOwner({ root });
  const isOurs = await owner.acquire().catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code === 'in-use') throw error;
    report('taking the folder of sessions; it is opened for reading', error);
    return false;
  });
  const resolver = new OwnerResolver({
    chatsRoot,
    chatsId,
    projects: async () => (await projects()).projects,
  });
  const chats = new ChatService({
    chatsRoot,
    sessionsRoot: root,
    cacheFolder: options.cacheFolder,
    chatsId,
    sessions: () => ({
      namedFolders: () => service.namedFolders(),
      directoryOf: (session) => service.directoryOf(session),
      create: (input) => service.create(input),
      list: (input) => service.list(input),
    }),
    claimRoot: options.claimChats,
    publish,
    report,
  });
  const knowledge = new KnowledgeService({
    sessions: {
      ownerOf: (session) => service.ownerOf(session),
      knownOwnerOf: (session) => service.knownOwnerOf(session),
      filesOf: (session) => service.filesOf(session),
      beside: (session, job) => service.beside(session, job),
    },
    sources: options.knowledge,
    publish,
    report,
  });
  const service: SessionService = new SessionService({
    root,
    cacheFolder: options.cacheFolder,
    ownerOf: (directory) => resolver.ownerOf(directory),
    placeOf: async (ownerId, draftId) =>
      ownerId === (await chatsId()) ? chats.placeFor(draftId) : placeOf(ownerId, await projects()),
    ownFolders: chats.ownFolders,
    pins: options.pins,
    knowledge,
    claimRoot: () => owner.ensure(),
    isWatching: () => watcher.status().state === 'watching',
    reveal: options.reveal,
    publish: (name, payload) => {
      publish(name, payload);
      if (name === 'sessions.changed') chats.sessionsChanged();
    },
    report,
    ...(options.indexWorkerUrl ? { indexWorkerUrl: options.indexWorkerUrl } : {}),
    ...(options.catalogWorkerUrl ? { catalogWorkerUrl: options.catalogWorkerUrl } : {}),
  });
  const watcher = startSessionFeed({
    root,
    ...(options.workerUrl ? { workerUrl: options.workerUrl } : {}),
    onHints({ store, names, all }) {
      service.hint(store, all ? [] : names);
      knowledge.filesChanged(store, all ? [] : names);
    },
    onStores: () => service.rescan(),
    onAll: () => service.rescan(),
    onStatus: options.onStatus,
    report: (problem) => report('the watcher of sessions', problem),
  });
  // Whoever does not own the root leaves to its owner what was left half-way.
  if (isOurs) {
    service
      .reconcile()
      .catch((error: unknown) => report('finishing what was left undone', error))
      .then(() => chats.sweep())
      .catch((error: unknown) => report('removing empty folders of chats', error));
  }
  return {
    calls: {
      ...service.calls,
      delete: async (input, caller) => {
        const deleted = await service.calls.delete(input, caller);
        await chats.sessionDeleted(input.session);
        return deleted;
      },
    },
    chats: chats.calls,
    knowledge,
    projectsChanged() {
      resolver.projectsChanged();
      service.ownersChanged().catch((error: unknown) => report('finding whose the sessions are', error));
    },
    rescan: () => watcher.rescan(),
    async dispose() {
      await watcher.dispose();
      const chatsEnd = chats.dispose();
      await service.dispose();
      await chatsEnd;
      await owner.dispose();
    },
  };
}

/** Where a new session of a project belongs. */
function placeOf(ownerId: ProjectId, { projects }: ProjectList): NewSessionPlace {
  const project = projects.find(({ id }) => id === ownerId);
  const folder = project && (project.path ?? projectPathOf(project.id));
  if (!folder) {
    throw new Failure(
      'not-found',
      'The folder of this project is not known. No session was made. Add its folder first.',
    );
  }
  return { workspaceRoot: folder, scope: 'project' };
}
