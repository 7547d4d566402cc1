import type { SessionRef } from '../contract/entities.ts';

/** What becomes of the folder of its own that a session has when the session is deleted. */
export interface LeavingFolder {
  /** The folder that goes along, by its place; null when none does. */
  readonly place: string | null;
  /** Why it stays, for the person; null when it goes along or there is none. */
  readonly kept: string | null;
}

/** What a person decided about a folder that holds files; nothing: it stays. */
export type FolderChoice = 'keep' | 'trash' | undefined;

/**
 * The folders of their own that sessions may have besides their files: those of chats. Whoever makes them (`src/chats`) says
 * where they are and which may be moved; a folder is named by its place below their root, never by a path.
 */
export interface OwnFolders {
  /**
   * Whether the folder of a session that is about to be deleted goes along.
   *
   * @param directory What its meta file has as `workspace_root`.
   */
  leave(directory: string, session: SessionRef, choice: FolderChoice): Promise<LeavingFolder>;
  /**
   * Path of a place; the folder itself need not be there, and may be a link.
   *
   * @throws Failure `invalid` for what is no place; `io` with `detail.reason` `link` when a link leads to it.
   */
  locate(place: string): Promise<string>;
  /** Makes what a place lies in, durably. */
  makeRoom(place: string): Promise<void>;
  /** Removes what a place lies in, if nothing else does. */
  tidy(place: string): Promise<void>;
  /** Makes the folder of a session again that is about to be written to, if it certainly is not there any more. */
  renew(directory: string): Promise<void>;
}

/** A folder that goes to the trash with its session. */
export interface GoingFolder {
  readonly place: string;
  readonly folders: OwnFolders;
  /** What its person said: decided anew should the deletion be stopped before it was written down. */
  readonly choice: FolderChoice;
}

/** A folder that a session names, as far as its meta file tells. */
export interface NamedFolder {
  readonly session: SessionRef;
  readonly ownerId: string | null;
  readonly directory: string;
}

/** The folders that all sessions name. */
export interface NamedFolders {
  readonly named: readonly NamedFolder[];
  /** Why there may be more of them, for the person; null when these are all. */
  readonly unsure: string | null;
}
