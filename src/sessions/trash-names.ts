import { MAXIMUM_NAME_BYTES } from '../files/index.ts';

/** Folder of a store that holds what was deleted (docs/formats/session-format.md, section 12). */
export const TRASH = '.trash';
/** In an entry: what the reference writes there, `{key, deletedAt}`. */
export const TRASH_META = '.trash-meta.json';
/** In an entry: what is being done with it, or was. */
export const TRASH_JOURNAL = '.sidekeep-journal.json';
/** In an entry: the folder of its own that the session had elsewhere. */
export const TRASH_FOLDER = '.sidekeep-folder';
/** In the trash: the ids of sessions that were removed for good. */
export const TOMBSTONES = '.sidekeep-tombstones.json';
/** In a store and in an entry: transcripts of sessions that were started by others. */
export const SUBAGENTS = 'subagents';

const PURGE = '.purge-';
const entryName = /^(.+)\.jsonl-deleted-(\d{1,20})-(\d{2})$/s;

/** What the name of an entry tells. */
export interface EntryName {
  /** Id of the session, perhaps only its beginning: the entry itself tells it. */
  readonly id: string;
  /** When it was deleted, in ns; null when the name does not tell. */
  readonly at: bigint | null;
}

/** A name for a new entry, of which the first free one is taken. A long id is cut: the journal holds it whole. */
export function newEntryName(id: string, now: number, attempt: number): string {
  const ending = `.jsonl-deleted-${BigInt(Math.floor(now)) * 1_000_000n}-${String(attempt).padStart(2, '0')}`;
  return cutToBytes(id, MAXIMUM_NAME_BYTES - PURGE.length - ending.length) + ending;
}

/** What a name in the trash tells of an entry; null for what can be none. */
export function parseEntryName(name: string): EntryName | null {
  if (name.startsWith('.')) return null;
  const [, id, at] = entryName.exec(name) ?? [];
  if (id !== undefined && at !== undefined) return { id, at: BigInt(at) };
  return { id: name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : name, at: null };
}

/** The name of an entry while it is removed for good. */
export const purgeName = (name: string): string => PURGE + cutToBytes(name, MAXIMUM_NAME_BYTES - PURGE.length);

export const isPurgeName = (name: string): boolean => name.startsWith(PURGE);

/** The longest beginning that takes at most `limit` bytes in UTF-8. */
function cutToBytes(text: string, limit: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > limit) cut = [...cut].slice(0, -1).join('');
  return cut;
}
