import type { FileStatus } from './file-system.ts';

/** What tells one state of a file from another without reading it. */
export interface FileIdentity {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** Permission bits; no part of what is compared. */
  readonly mode: number;
}

/** The identity that a status describes. */
export function identityOf(status: FileStatus): FileIdentity {
  const { ino, size, mtimeNs, ctimeNs } = status;
  return { ino, size, mtimeNs, ctimeNs, mode: Number(status.mode & 0o777n) };
}

/** Whether two identities are of the same state of the same file; null (no file) equals only null. */
export function sameIdentity(left: FileIdentity | null, right: FileIdentity | null): boolean {
  if (left === null || right === null) return left === right;
  return (
    left.ino === right.ino &&
    left.size === right.size &&
    left.mtimeNs === right.mtimeNs &&
    left.ctimeNs === right.ctimeNs
  );
}

/** A disk's clock moves in steps; two changes within one step can leave the same identity. */
const CLOCK_STEP_MS = 50;
/** How far the bytes' time is put back of what is written here; more than {@link CLOCK_STEP_MS}. */
const BACKDATED_MS = 60;
const SECOND_MS = 1000;

/**
 * Whether a file changed so shortly before `now` (ms) that an equal identity later does not prove equal bytes: then its
 * bytes have to be read again. Bytes that are older than the file's status (as are those that {@link backdated} is for) are
 * never in doubt: whoever writes them in place later gives them a time that is at least that of the status.
 */
export function isFresh({ mtimeNs, ctimeNs }: FileIdentity, now: number): boolean {
  const changedAt = Number(ctimeNs / 1_000_000n);
  // Of a disk that knows whole seconds only nothing can be told.
  const isExact = mtimeNs % 1_000_000_000n !== 0n;
  if (isExact && changedAt - Number(mtimeNs / 1_000_000n) >= CLOCK_STEP_MS) return false;
  return now - changedAt < CLOCK_STEP_MS;
}

/** The time in ms that bytes written now are given, so that their identity proves them at once; see {@link isFresh}. */
export function backdated(now: number): number {
  const time = now - BACKDATED_MS;
  return time % SECOND_MS === 0 ? time - 1 : time;
}

/** Time of the last change of the bytes, in whole ms since 1970. */
export const modifiedAt = (identity: FileIdentity): number => Number(identity.mtimeNs / 1_000_000n);
