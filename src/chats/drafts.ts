import type { ChatFolder, SessionRef } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import type { FolderUsers } from './folder-users.ts';
import type { ChatFolders } from './folders.ts';

/** A folder for a session that is about to be made. */
export interface DraftPlace {
  readonly folder: ChatFolder;
  /** To be called once when the session was made, with what it names, or could not be made. */
  settle(made: { session: SessionRef; directory: string | null } | null): Promise<void>;
}

interface Draft {
  readonly folder: Promise<ChatFolder>;
  /** How many sessions are being made in its folder now: tries of the same one. */
  starting: number;
  hasSession: boolean;
  isGivenUp: boolean;
}

/** Most drafts of which it is kept that their session was made. */
const MOST_STARTED = 1000;
const BEING_MADE = 'A chat is being made in it.';
const HAS_CHAT = 'A chat has it.';
const HAS_FILES = 'Something is in it.';

/** Folders of chats that are being written: one for each draft, however often and by however many calls it is asked for. */
export class Drafts {
  readonly #folders: ChatFolders;
  readonly #users: FolderUsers;
  readonly #drafts = new Map<string, Draft>();

  constructor(folders: ChatFolders, users: FolderUsers) {
    this.#folders = folders;
    this.#users = users;
  }

  /** The folder of a draft, made once. @throws Failure `io`; then the next call tries again. */
  prepare(draftId: string): Promise<ChatFolder> {
    return this.#draft(draftId).folder;
  }

  /**
   * A folder for a session that is about to be made: that of its draft, made again if it is gone, else a new one.
   *
   * @param draftId The same for every try of one session; left out, there is only one try.
   */
  async placeFor(draftId?: string): Promise<DraftPlace> {
    if (draftId === undefined) {
      const folder = await this.#folders.make();
      return { folder, settle: async (made) => void (made === null && (await this.#drop(folder))) };
    }
    const draft = this.#draft(draftId);
    draft.starting++;
    try {
      const folder = await draft.folder;
      await this.#folders.renew(folder);
      return { folder, settle: (made) => this.#settle(draftId, draft, folder, made) };
    } catch (error) {
      draft.starting--;
      throw error;
    }
  }

  /**
   * Gives a draft up: its folder goes if it is empty and nobody uses it.
   *
   * @returns Why it stays; null when it is gone or never was. It is removed at a later start then.
   */
  async discard(draftId: string): Promise<{ removed: boolean; kept: string | null }> {
    const draft = this.#drafts.get(draftId);
    if (draft === undefined) return { removed: false, kept: null };
    if (draft.hasSession) return { removed: false, kept: HAS_CHAT };
    if (draft.starting > 0) {
      draft.isGivenUp = true;
      return { removed: false, kept: BEING_MADE };
    }
    this.#drafts.delete(draftId);
    const folder = await draft.folder.catch(() => null);
    if (folder === null) return { removed: false, kept: null };
    const kept = await this.#drop(folder);
    return { removed: kept === null, kept };
  }

  #draft(draftId: string): Draft {
    const known = this.#drafts.get(draftId);
    if (known !== undefined) {
      known.isGivenUp = false;
      return known;
    }
    const draft: Draft = { folder: this.#folders.make(), starting: 0, hasSession: false, isGivenUp: false };
    this.#drafts.set(draftId, draft);
    draft.folder.catch(() => {
      if (this.#drafts.get(draftId) === draft) this.#drafts.delete(draftId);
    });
    return draft;
  }

  async #settle(
    draftId: string,
    draft: Draft,
    folder: ChatFolder,
    made: { session: SessionRef; directory: string | null } | null,
  ): Promise<void> {
    draft.starting--;
    if (made !== null) {
      draft.hasSession = true;
      this.#forgetOldest();
      // An earlier try made the session in another folder.
      if (made.directory !== this.#folders.pathOf(folder)) await this.#drop(folder);
    } else if (draft.isGivenUp && draft.starting === 0 && !draft.hasSession) {
      this.#drafts.delete(draftId);
      await this.#drop(folder);
    }
  }

  /** @returns Why the folder stays; null when it is gone. */
  async #drop(folder: ChatFolder): Promise<string | null> {
    try {
      const kept = await this.#users.reasonToStay(folder);
      if (kept !== null) return kept;
      return (await this.#folders.removeEmpty(folder)) ? null : HAS_FILES;
    } catch (error) {
      // The sweep of a later start tries it again.
      if (!(error instanceof Failure)) throw error;
      return error.message;
    }
  }

  #forgetOldest(): void {
    const started = [...this.#drafts].filter(([, { hasSession, starting }]) => hasSession && starting === 0);
    for (const [draftId] of started.slice(0, -MOST_STARTED)) this.#drafts.delete(draftId);
  }
}
