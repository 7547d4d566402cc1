import {
  type ChatFolder,
  type ChatList,
  type Implementation,
  type Publish,
  type SessionRef,
  type SessionRow,
  sessionKey,
} from '../../../src/contract/index.ts';
import { CHATS } from './context.ts';
import type { MemorySessions } from './session-store.ts';
import { createSession, inOrder } from './sessions.ts';

/** Chats in memory: their folders, with the number of files in each, and the list of the newest. */
export class MemoryChats {
  /** Number of files in each folder that is there. */
  readonly folders = new Map<ChatFolder, number>();
  /** The folders of drafts, also of those that became sessions. */
  readonly drafts = new Map<string, ChatFolder>();
  /** The sessions that drafts became. */
  readonly started = new Map<string, SessionRef>();
  /** The folders of sessions, by the session's key. */
  readonly ofSession = new Map<string, ChatFolder>();
  /** Why folders cannot go along with their session. */
  readonly stays = new Map<ChatFolder, string>();
  /** What becomes of the folder of sessions that wait to be moved to the trash, by the session's key. */
  readonly leaving = new Map<string, 'keep' | 'trash'>();
  /** What the run before left; while it is there nobody has looked at the disk. */
  before: SessionRow[] | null = null;
  #sequence = 1;
  #next = 1;
  readonly #sessions: MemorySessions;
  readonly #publish: Publish;

  constructor(sessions: MemorySessions, publish: Publish) {
    this.#sessions = sessions;
    this.#publish = publish;
  }

  list(): ChatList {
    if (this.before !== null) return { sequence: this.#sequence, rows: this.before, total: null, confirmed: false };
    const rows = [...this.#sessions.all.values()]
      .filter(({ row, leaving }) => row.ownerId === CHATS && !leaving)
      .map(({ row }) => row)
      .sort(inOrder);
    return { sequence: this.#sequence, rows: rows.slice(0, 50), total: rows.length, confirmed: true };
  }

  push(): void {
    this.#sequence += 1;
    this.#publish('chats.changed', this.list());
  }

  /** The disk was looked at: what the run before left is replaced. */
  confirm(): void {
    this.before = null;
    this.push();
  }

  /** A new folder with nothing in it. */
  newFolder(): ChatFolder {
    const folder = `2026-03-01/session-${String(this.#next++).padStart(8, '0')}`;
    this.folders.set(folder, 0);
    return folder;
  }

  /** Gives a session a folder of its own, if it is a chat. */
  settle({ session, ownerId }: SessionRow, folder?: ChatFolder): void {
    if (ownerId === CHATS) this.ofSession.set(sessionKey(session), folder ?? this.newFolder());
  }
}

/** The calls of the contract over {@link MemoryChats}. */
export function createChatCalls(chats: MemoryChats, sessions: MemorySessions): Implementation['chats'] {
  const prepare = (draftId: string): ChatFolder => {
    const known = chats.drafts.get(draftId);
    if (known !== undefined && chats.folders.has(known)) return known;
    const folder = known ?? chats.newFolder();
    chats.folders.set(folder, 0);
    chats.drafts.set(draftId, folder);
    return folder;
  };
  return {
    list: async () => chats.list(),
    prepare: async ({ draftId }) => ({ folder: prepare(draftId) }),
    start: async ({ draftId, text }) => {
      const folder = prepare(draftId);
      const known = chats.started.get(draftId);
      if (known !== undefined) return { row: sessions.of(known).row, folder };
      const row = createSession(sessions, { ownerId: CHATS, text });
      chats.started.set(draftId, row.session);
      chats.settle(row, folder);
      return { row, folder };
    },
    discard: async ({ draftId }) => {
      const folder = chats.drafts.get(draftId);
      if (folder === undefined) return { removed: false, kept: null };
      if (chats.started.has(draftId)) return { removed: false, kept: 'A session uses this folder.' };
      if ((chats.folders.get(folder) ?? 0) > 0) return { removed: false, kept: 'There are files in it.' };
      chats.folders.delete(folder);
      chats.drafts.delete(draftId);
      return { removed: true, kept: null };
    },
    folder: async ({ session }) => {
      sessions.of(session);
      const folder = chats.ofSession.get(sessionKey(session)) ?? null;
      const files = folder === null ? undefined : chats.folders.get(folder);
      return {
        folder,
        exists: files !== undefined,
        files: files ?? 0,
        stays: folder === null ? null : (chats.stays.get(folder) ?? null),
      };
    },
  };
}
