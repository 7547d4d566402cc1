import { join, resolve } from 'node:path';
import type { Implementation, Publish } from '../contract/contract.ts';
import type { ProjectId, SessionRef, SessionRow } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { type FileSystem, nodeFileSystem, resolveExisting } from '../files/index.ts';
import type { CatalogPage } from '../sessions/catalog/catalog.ts';
import type { NewSessionPlace } from '../sessions/making.ts';
import type { NamedFolders, OwnFolders } from '../sessions/own-folder.ts';
import { Drafts } from './drafts.ts';
import { FolderUsers } from './folder-users.ts';
import { ChatFolders } from './folders.ts';
import { NewestChats } from './newest.ts';
import { NEWEST_FILE, NewestFile } from './newest-file.ts';
import { ChatOwnFolders } from './own-folders.ts';
import { sweepChatFolders } from './sweep.ts';

export type ChatCalls = Implementation['chats'];

/** What chats need of the sessions. */
export interface ChatSessions {
  /** The folders that all sessions name. */
  namedFolders(): Promise<NamedFolders>;
  /** The folder that a session names. @throws Failure `not-found`. */
  directoryOf(session: SessionRef): Promise<string | null>;
  create(input: { ownerId: ProjectId; text: string; requestId: string }): Promise<{ row: SessionRow }>;
  list(input: { ownerId: ProjectId; limit: number }): Promise<CatalogPage>;
}

export interface ChatServiceOptions {
  /** Folder of all chats; it need not exist. */
  chatsRoot: string;
  /** Folder of all stores of sessions. */
  sessionsRoot: string;
  cacheFolder: string | null;
  chatsId: () => Promise<ProjectId>;
  sessions: () => ChatSessions;
  /** Makes sure, before a write, that this process owns the root that the chats lie in. @throws Failure `in-use`. */
  claimRoot: () => Promise<void>;
  publish: Publish;
  report: (where: string, error: unknown) => void;
  fileSystem?: FileSystem;
  /** In ms since 1970. */
  now?: () => number;
  timeZone?: string;
}

/** Chats without a project: their folders, drafts and the newest of them; one method for each call. */
export class ChatService {
  readonly calls: ChatCalls;
  /** What sessions need of the folders. */
  readonly ownFolders: OwnFolders;
  readonly #options: ChatServiceOptions;
  readonly #folders: ChatFolders;
  readonly #users: FolderUsers;
  readonly #own: ChatOwnFolders;
  readonly #drafts: Drafts;
  readonly #newest: NewestChats;
  readonly #closing = new AbortController();
  #sweeping: Promise<void> = Promise.resolve();

  constructor(options: ChatServiceOptions) {
    const { chatsRoot, sessionsRoot, cacheFolder, chatsId, sessions, publish, report } = options;
    const { fileSystem = nodeFileSystem, now = Date.now, timeZone } = options;
    this.#options = options;
    this.#folders = new ChatFolders({
      root: chatsRoot,
      fileSystem,
      now,
      ...(timeZone === undefined ? {} : { timeZone }),
    });
    this.#users = new FolderUsers({ folders: this.#folders, named: () => sessions().namedFolders(), chatsId });
    this.#own = new ChatOwnFolders(this.#folders, this.#users, options.claimRoot);
    this.ownFolders = this.#own;
    this.#drafts = new Drafts(this.#folders, this.#users);
    const roots = async (): Promise<[string, string]> => [
      await resolveExisting(fileSystem, resolve(chatsRoot)),
      await resolveExisting(fileSystem, resolve(sessionsRoot)),
    ];
    this.#newest = new NewestChats({
      file: cacheFolder === null ? null : new NewestFile(fileSystem, join(cacheFolder, NEWEST_FILE), roots),
      list: async (limit) => sessions().list({ ownerId: await chatsId(), limit }),
      publish: (list) => publish('chats.changed', list),
      report,
    });
    this.calls = this.#makeCalls();
  }

  /** Where a session of the chats is to be made: in a folder of its own. @param draftId See {@link Drafts.placeFor}. */
  async placeFor(draftId?: string): Promise<NewSessionPlace> {
    await this.#options.claimRoot();
    const { folder, settle } = await this.#drafts.placeFor(draftId);
    return { workspaceRoot: this.#folders.pathOf(folder), scope: 'global', settle };
  }

  /** The list of sessions changed. */
  sessionsChanged(): void {
    this.#newest.changed();
  }

  /** A session was deleted: it is remembered no more when this resolves. */
  sessionDeleted(session: SessionRef): Promise<void> {
    return this.#newest.removed(session);
  }

  /** Removes what earlier runs left, see {@link sweepChatFolders}. To be called once this process owns the root. */
  sweep(): Promise<void> {
    this.#sweeping = this.#sweep();
    return this.#sweeping;
  }

  /** Ends what was begun. It may wait for the sessions, which end side by side with it. */
  async dispose(): Promise<void> {
    this.#closing.abort();
    await this.#newest.dispose();
    await this.#sweeping.catch(() => undefined);
  }

  async #sweep(): Promise<void> {
    const { now = Date.now, report } = this.#options;
    const { signal } = this.#closing;
    try {
      await sweepChatFolders({ folders: this.#folders, users: this.#users, now, report, signal });
    } catch (error) {
      // Closing ends it; the next start goes on.
      if (!signal.aborted) throw error;
    }
  }

  #makeCalls(): ChatCalls {
    const { claimRoot, chatsId, sessions } = this.#options;
    return {
      list: () => this.#newest.list(),
      prepare: async ({ draftId }) => {
        await claimRoot();
        return { folder: await this.#drafts.prepare(draftId) };
      },
      start: async ({ draftId, text }) => {
        const { row } = await sessions().create({ ownerId: await chatsId(), text, requestId: draftId });
        const folder = await this.#folders.placeOf((await sessions().directoryOf(row.session)) ?? '');
        if (folder === null) throw new Failure('not-found', 'The chat was made, but not in a folder of its own.');
        return { row, folder };
      },
      discard: ({ draftId }) => this.#drafts.discard(draftId),
      folder: async ({ session }, { signal }) =>
        this.#own.stateOf(await sessions().directoryOf(session), session, signal),
    };
  }
}
