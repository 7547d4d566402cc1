import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FileHandle } from '../../files/file-system.ts';
import type { FileIdentity } from '../../files/identity.ts';
import type { EntrySource } from './entries.ts';
import { readExactly } from './lines.ts';
import type { LogTwoState } from './log-two.ts';
import type { ListState } from './rows.ts';

/** What a transcript is read from. */
export type TranscriptFormat = 'transcript' | 'log-1' | 'log-2';

const Count = z.int().min(0);
const Whole = z.string().regex(/^\d+$/);

/** What tells whether an index is of the bytes that a file has now; the parts that only we write are not looked into. */
export const IndexHead = z.object({
  version: z.literal(1),
  format: z.enum(['transcript', 'log-1', 'log-2']),
  ino: Whole,
  size: Count,
  mtimeNs: Whole,
  ctimeNs: Whole,
  /** The file was taken apart up to here. */
  resume: Count,
  /** Checksum of all bytes before `resume`. */
  sum: Count,
  /** Hash of the first and the last bytes before `resume`. */
  edges: z.string(),
  /** Random; the same as long as what was indexed is a prefix of what is. */
  generation: z.string(),
  count: Count,
  list: z.custom<ListState>((value) => typeof value === 'object').nullable(),
  log: z.custom<LogTwoState>((value) => typeof value === 'object').nullable(),
});
export type IndexHead = z.infer<typeof IndexHead>;

/** An index: what is known of a transcript, and where its rows are. */
export interface TranscriptIndex {
  readonly head: IndexHead;
  readonly entries: EntrySource;
}

const FIRST_BYTES = 4096;
const LAST_BYTES = 16_384;

/** Hash of the first 4 KiB of a file and the last 16 KiB before `end`: cheap to compare, and appending does not change it. */
export async function hashEdges(handle: FileHandle, end: number): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await readExactly(handle, 0, Math.min(FIRST_BYTES, end)));
  const start = Math.max(0, end - LAST_BYTES);
  return hash.update(await readExactly(handle, start, end - start)).digest('hex');
}

/** The identity as an index keeps it. */
export function identityFields(identity: FileIdentity): Pick<IndexHead, 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'> {
  const { ino, size, mtimeNs, ctimeNs } = identity;
  return { ino: String(ino), size: Number(size), mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs) };
}

/** Whether a file is in the very state that an index was made of. */
export function isSameState(head: IndexHead, identity: FileIdentity): boolean {
  const { ino, size, mtimeNs, ctimeNs } = identityFields(identity);
  return head.ino === ino && head.size === size && head.mtimeNs === mtimeNs && head.ctimeNs === ctimeNs;
}

/**
 * Whether a file only grew since an index was made: the same file, longer, the bytes at both ends of what was indexed the
 * same. A change in the middle by a program that keeps the file and appends to it is not seen by this.
 */
export async function hasGrown(head: IndexHead, identity: FileIdentity, handle: FileHandle): Promise<boolean> {
  if (head.ino !== String(identity.ino) || Number(identity.size) <= head.size) return false;
  return (await hashEdges(handle, head.resume)) === head.edges;
}
