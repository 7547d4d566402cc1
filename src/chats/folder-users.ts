import { type ChatFolder, type SessionRef, sessionKey } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import type { NamedFolders } from '../sessions/own-folder.ts';
import type { ChatFolders } from './folders.ts';

export interface FolderUsersOptions {
  folders: ChatFolders;
  /** The folders that all sessions name. */
  named: () => Promise<NamedFolders>;
  /** Owner of everything in the root of the chats. */
  chatsId: () => Promise<string>;
}

/** Says who uses the folders of chats; asked before each removal. */
export class FolderUsers {
  readonly #options: FolderUsersOptions;

  constructor(options: FolderUsersOptions) {
    this.#options = options;
  }

  /**
   * Why a folder must stay where it is, for the person: another session names it or something in it, or that cannot be told.
   *
   * @param except The session whose own folder it is.
   * @returns Null when certainly nobody else uses it.
   */
  async reasonToStay(place: ChatFolder, except: SessionRef | null = null): Promise<string | null> {
    const test = await this.all();
    return test(place, except);
  }

  /** The same for many folders, of one look at the sessions. */
  async all(): Promise<(place: ChatFolder, except?: SessionRef | null) => Promise<string | null>> {
    const { folders, named, chatsId } = this.#options;
    const { named: all, unsure } = await named();
    const owner = await chatsId();
    // Everything below the root of the chats has one owner, however it is reached.
    const chats = all.filter(({ ownerId }) => ownerId === null || ownerId === owner);
    return async (place, except = null) => {
      if (unsure !== null) return unknownUsers(unsure);
      try {
        for (const { session, directory } of chats) {
          if (except !== null && sessionKey(except) === sessionKey(session)) continue;
          if (await folders.holds(place, directory)) return 'Another session uses this folder.';
        }
        return null;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return unknownUsers(error.message);
      }
    };
  }
}

const unknownUsers = (reason: string): string =>
  `It cannot be told whether another session uses this folder. ${reason}`;
