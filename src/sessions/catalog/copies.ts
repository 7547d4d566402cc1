/** A copy that a program made of a session beside it, by its name. */
export interface CopyName {
  /** Id of the session that it is a copy of, or the beginning of it. */
  readonly root: string;
  /** Whether the id was cut for the copy's name, so that `root` is only its beginning. */
  readonly cut: boolean;
}

/** Bytes of the root's id that the name of a rescued copy keeps at most (docs/formats/session-format.md, section 10). */
const KEPT_BYTES = 80;

// The first one counts: older programs made copies of copies.
const rescued = /^(.+?)-recovery-[0-9a-f]{16}(?:$|-)/s;
// Syncthing; Dropbox and those that name it alike; Nextcloud.
const synced =
  /^(.+?)(?:\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]+)?|[ _]?\((?:[^()]* )?conflicted copy[^()]*\)|_conflict-\d{8}-\d{6})$/is;

/** What an id says of the session that it is a copy of; null for the id of a session of its own. */
export function copyName(id: string): CopyName | null {
  // Of thousands hardly one is a copy.
  if (!id.includes('-recovery-') && !/conflict/i.test(id)) return null;
  const rescue = rescued.exec(id)?.[1];
  // Cut at a character, so up to three bytes short.
  if (rescue !== undefined) return { root: rescue, cut: Buffer.byteLength(rescue) >= KEPT_BYTES - 3 };
  const sync = synced.exec(id)?.[1]?.trimEnd();
  return sync ? { root: sync, cut: false } : null;
}
