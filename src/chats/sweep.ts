import { Failure } from '../contract/errors.ts';
import type { FolderUsers } from './folder-users.ts';
import type { ChatFolders } from './folders.ts';

/** An empty folder of a chat that is younger may still get its session, in ms. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

export interface SweepOptions {
  folders: ChatFolders;
  users: FolderUsers;
  /** In ms since 1970. */
  now: () => number;
  /** Told of folders that could not be removed. */
  report: (where: string, error: unknown) => void;
  signal?: AbortSignal;
}

/**
 * Removes the folders that chats left which never came to be: empty ones of our shape, older than a day, that no session
 * names; then their days, when they are empty (docs/formats/context-format.md, section 11). Where the sessions cannot all be
 * read nothing is removed. To be called at start.
 *
 * @returns How many were removed.
 */
export async function sweepChatFolders({ folders, users, now, report, signal }: SweepOptions): Promise<number> {
  const isOld = (modifiedAt: number): boolean => now() - modifiedAt > ABANDONED_MS;
  let removed = 0;
  for await (const { day, modifiedAt, folders: found } of folders.list()) {
    const old = found.filter((folder) => isOld(folder.modifiedAt)).map(({ place }) => place);
    for (const place of old) {
      signal?.throwIfAborted();
      try {
        // Asked for what is certainly empty only: then mostly nobody has to look at the sessions.
        if (!(await folders.look(place)).isEmpty || (await users.reasonToStay(place)) !== null) continue;
        if (await folders.removeEmpty(place)) removed++;
      } catch (error) {
        // One that cannot be removed stays, and keeps no other.
        if (!(error instanceof Failure)) throw error;
        report('removing the empty folder of a chat', error);
      }
    }
    if (found.length === 0 && isOld(modifiedAt)) await folders.removeEmptyDay(day);
  }
  return removed;
}
