import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../contract/errors.ts';
import { type FileIdentity, type FileSystem, readWhole } from '../../files/index.ts';
import { countOrNull, isObject, textOrNull } from './shape.ts';
import { recordedTime } from './times.ts';

/** What the list takes of `<id>.jsonl.meta` (docs/formats/session-format.md, section 3). */
export interface ListingMeta {
  customTitle: string | null;
  topicTitle: string | null;
  preview: string | null;
  /** Number of messages that a person wrote, if it is certified: certain for the ledger that stands beside it. */
  turns: number | null;
  workspaceRoot: string | null;
  parentId: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  writerId: string | null;
}

/**
 * The three states of a meta file: only a confirmed absence or a file of nothing is `missing`; of an `unknown` one
 * nothing is known, not even its revision, and nothing may be written over it.
 */
export type MetaState =
  | { state: 'present'; meta: ListingMeta; raw: Record<string, unknown>; identity: FileIdentity }
  | { state: 'missing' }
  | { state: 'unknown'; failure: Failure };

/** Largest meta file that is read, in bytes. */
export const MAXIMUM_META_BYTES = 4 * 1024 * 1024;
/** Waits before a meta file that does not parse is read again, in ms: its writer may be busy. */
export const metaDelays: readonly number[] = [20, 50, 100];

export interface ReadMetaOptions {
  now?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
}

/** Reads a session's meta file; one that does not parse is read again after 20, 50 and 100 ms. */
export async function readMeta(
  fileSystem: FileSystem,
  path: string,
  { now = Date.now, sleep = delay }: ReadMetaOptions = {},
): Promise<MetaState> {
  for (const wait of [...metaDelays, null]) {
    const read = await readWhole(fileSystem, path, { limit: MAXIMUM_META_BYTES });
    if (read.state !== 'present') return read;
    const raw = parseMeta(read.bytes);
    if (raw === null) return { state: 'missing' };
    if (raw !== 'torn') return { state: 'present', meta: listingMeta(raw, now()), raw, identity: read.identity };
    if (wait === null) break;
    await sleep(wait);
  }
  return {
    state: 'unknown',
    failure: new Failure(
      'malformed',
      'The details of this session (title, folder) could not be read: its file is damaged. It is unchanged. Try again, or rename the file.',
    ),
  };
}

/** The object in a meta file; null for a file of nothing (empty, blanks, NUL bytes), `torn` for what is no object. */
export function parseMeta(bytes: Uint8Array): Record<string, unknown> | null | 'torn' {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (!text.startsWith('{') && /^[\s\0\ufeff]*$/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
    return isObject(value) ? value : 'torn';
  } catch {
    // Whatever the parser says about it: these bytes are no meta file now.
    return 'torn';
  }
}

/** What the list needs of a meta file. Fields of a wrong type count as absent. @param now ms since 1970. */
export function listingMeta(raw: Record<string, unknown>, now: number): ListingMeta {
  return {
    customTitle: shortText(raw.custom_title),
    topicTitle: shortText(raw.topic_title),
    preview: shortText(raw.preview),
    turns: certifiedTurns(raw),
    workspaceRoot: textOrNull(raw.workspace_root),
    parentId: textOrNull(raw.parent_id),
    createdAt: recordedTime(raw.created_at, now),
    updatedAt: recordedTime(raw.updated_at, now),
    writerId: textOrNull(raw.writer_id),
  };
}

/** Longest title or preview that is kept, in UTF-16 code units; more is never shown. */
const LONGEST_TEXT = 2000;

function shortText(value: unknown): string | null {
  const text = textOrNull(value);
  // A copy: a part of a text would keep all of it in memory.
  return text === null || text.length <= LONGEST_TEXT ? text : Buffer.from(text.slice(0, LONGEST_TEXT)).toString();
}

/**
 * A row is certified if its listing fields are of the revision and digest of the ledger beside them. Version 1 counts what
 * is there; that nothing is there only version 2 says for certain (docs/formats/session-format.md, section 11).
 */
function certifiedTurns(raw: Record<string, unknown>): number | null {
  const turns = countOrNull(raw.turns);
  const sameRevision = countOrNull(raw.revision) !== null && raw.listing_revision === raw.revision;
  const sameDigest = textOrNull(raw.content_digest) !== null && raw.listing_content_digest === raw.content_digest;
  if (turns === null || !sameRevision || !sameDigest) return null;
  return turns > 0 || (countOrNull(raw.schema_version) ?? 0) >= 2 ? turns : null;
}
