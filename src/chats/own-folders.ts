import type { ChatFolder, SessionRef } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import type { FolderChoice, LeavingFolder, OwnFolders } from '../sessions/own-folder.ts';
import type { FolderUsers } from './folder-users.ts';
import type { ChatFolders } from './folders.ts';

/** A chat's own folder, as its person has to know it before the chat is deleted. */
export interface OwnFolderState {
  readonly folder: ChatFolder | null;
  readonly exists: boolean;
  readonly files: number;
  /** Why it cannot go along with the session; null when it can. */
  readonly stays: string | null;
}

/** What sessions need of the folders of chats, see {@link OwnFolders}. */
export class ChatOwnFolders implements OwnFolders {
  readonly #folders: ChatFolders;
  readonly #users: FolderUsers;
  readonly #claimRoot: () => Promise<void>;

  /** @param claimRoot Makes sure, before a write, that this process owns the root that the chats lie in. */
  constructor(folders: ChatFolders, users: FolderUsers, claimRoot: () => Promise<void>) {
    this.#folders = folders;
    this.#users = users;
    this.#claimRoot = claimRoot;
  }

  /** The folder that a session has for its own, by what it names. It is looked at, never changed. */
  async stateOf(directory: string | null, session: SessionRef, signal?: AbortSignal): Promise<OwnFolderState> {
    const folder = directory === null ? null : await this.#folders.placeOf(directory);
    if (folder === null) return { folder, exists: false, files: 0, stays: null };
    try {
      const { state, files } = await this.#folders.look(folder, signal);
      if (state === 'missing') return { folder, exists: false, files: 0, stays: null };
      const stays = state === 'other' ? NOT_A_FOLDER : await this.#users.reasonToStay(folder, session);
      return { folder, exists: true, files, stays };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { folder, exists: true, files: 0, stays: error.message };
    }
  }

  async leave(directory: string, session: SessionRef, choice: FolderChoice): Promise<LeavingFolder> {
    const { folder, exists, files, stays } = await this.stateOf(directory, session);
    if (folder === null || !exists) return { place: null, kept: null };
    if (stays !== null) return { place: null, kept: stays };
    if (files > 0 && choice !== 'trash') {
      const many = files === 1 ? 'a file' : `${files} files`;
      return { place: null, kept: `Its folder holds ${many} and stays where it is.` };
    }
    try {
      await this.#claimRoot();
      return { place: folder, kept: null };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { place: null, kept: `It stays where it is. ${error.message}` };
    }
  }

  locate(place: string): Promise<string> {
    return this.#folders.locate(place);
  }

  async makeRoom(place: string): Promise<void> {
    await this.#claimRoot();
    return this.#folders.makeRoom(place);
  }

  tidy(place: string): Promise<void> {
    return this.#folders.tidy(place);
  }

  async renew(directory: string): Promise<void> {
    const place = await this.#folders.placeOf(directory);
    if (place === null || !(await this.#folders.isMissing(place))) return;
    await this.#claimRoot();
    await this.#folders.renew(place);
  }
}

const NOT_A_FOLDER = 'What stands in its place is not a folder.';
