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

/**
 * Whether a file changed so shortly before `now` (ms) that an equal identity later does not prove equal bytes: then its
 * bytes have to be read again.
 */
export function isFresh(identity: FileIdentity, now: number): boolean {
  return now - Number(identity.ctimeNs / 1_000_000n) < CLOCK_STEP_MS;
}

/** Time of the last change of the bytes, in whole ms since 1970. */
export const modifiedAt = (identity: FileIdentity): number => Number(identity.mtimeNs / 1_000_000n);
