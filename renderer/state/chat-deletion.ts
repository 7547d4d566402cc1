import { type SessionRef, type SessionRow, sessionKey } from '../../src/contract/index.ts';
import type { Sidekeep } from './sidekeep.ts';

/** Where a chat's own folder goes when the chat is deleted. */
export type FolderChoice = 'keep' | 'trash';

/** A chat's own folder, as its person has to know it before the chat is deleted. */
export interface FolderWithFiles {
  /** Its day and its own name. */
  readonly folder: string;
  readonly files: number;
}

/** How a session is to be deleted. */
export interface Deletion {
  /** Null: nothing has to be said about a folder. */
  readonly choice: FolderChoice | null;
  /** Number of files in the session's own folder; null when there is none, or that is not known. */
  readonly files: number | null;
}

/** Of a session without a folder of its own. */
export const withoutFolder: Deletion = { choice: null, files: null };

/**
 * How a session is to be deleted, by its person where there is a choice: a chat's own folder holds files and can go along.
 * @param ask answers null when the person does not want it deleted any more
 * @returns null then
 */
export async function deletionOf(
  { client, shared }: Sidekeep,
  { session, ownerId }: Pick<SessionRow, 'session' | 'ownerId'>,
  ask: (facts: FolderWithFiles) => Promise<FolderChoice | null>,
): Promise<Deletion | null> {
  if (ownerId === null || ownerId !== shared.value('projects')?.chatsId) return withoutFolder;
  const answer = await client.chats.folder({ session });
  // Nothing is lost by not knowing: without a word about it, a folder that holds files stays where it is.
  if (!answer.ok) return withoutFolder;
  const { folder, exists, files, stays } = answer.value;
  if (folder === null || !exists) return withoutFolder;
  if (files === 0 || stays !== null) return { choice: null, files };
  const choice = await ask({ folder, files });
  return choice === null ? null : { choice, files };
}

/** What `sessions.delete` is told of it. */
export const folderInput = ({ choice }: Deletion): { folder?: FolderChoice } =>
  choice === null ? {} : { folder: choice };

export type FolderOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'went' }
  /** `reason` is null where the person wanted it so. */
  | { readonly kind: 'kept'; readonly reason: string | null };

/** What became of the folder, as far as the person has to know it: that it went along, or why it stays. */
export function folderOutcome({ choice, files }: Deletion, folderKept: string | null): FolderOutcome {
  if (files === 0) return { kind: 'none' };
  if (folderKept !== null) return { kind: 'kept', reason: choice === 'keep' ? null : folderKept };
  return choice === 'trash' ? { kind: 'went' } : { kind: 'none' };
}

/** Takes a session that was deleted here out of the newest chats, ahead of the push that says so. */
export function dropChat({ shared }: Sidekeep, session: SessionRef): void {
  const known = shared.value('chats');
  const rows = known?.rows.filter((row) => sessionKey(row.session) !== sessionKey(session)) ?? [];
  if (known === null || rows.length === known.rows.length) return;
  shared.accept('chats', { ...known, rows, total: known.total === null ? null : known.total - 1 });
}
