import {
  type DocumentKind,
  freeKey,
  isRecord,
  type JsonObject,
  own,
  readList,
  type StoredList,
  withKeys,
} from '../files/index.ts';
import { type MemoryView, readMemory } from './entry.ts';

/** The version that is written; a file with a higher one is only read. */
const MEMORY_VERSION = 1;

/** A `memory.json`, read (docs/formats/context-format.md, section 14). */
export interface MemoryDocument {
  /** The top level as stored, unknown keys included. */
  readonly raw: JsonObject;
  readonly version: number;
  readonly readOnly: boolean;
  readonly entries: StoredList<MemoryView>;
}

/** Reads the top level of a memory file. One bad entry hides no other; nothing is dropped for being over a limit. */
export function readDocument(raw: JsonObject): MemoryDocument {
  const stored = own(raw, 'entries');
  const version = versionOf(raw);
  const entries = readList('memory', Array.isArray(stored) ? stored : [], readMemory);
  return { raw, version, readOnly: version > MEMORY_VERSION, entries };
}

/** The top level with another list; a value that is no list and has to make room is kept under a key of its own. */
export function writtenDocument({ raw }: MemoryDocument, entries: readonly unknown[]): JsonObject {
  const stored = own(raw, 'entries');
  const changes: Record<string, unknown> = { version: MEMORY_VERSION };
  if (stored !== undefined && !Array.isArray(stored)) changes[freeKey(raw, 'entriesKept')] = stored;
  changes.entries = entries;
  return Object.hasOwn(raw, 'version') ? withKeys(raw, changes) : { version: MEMORY_VERSION, ...raw, ...changes };
}

function versionOf(raw: JsonObject): number {
  const stored = own(raw, 'version');
  if (isRecord(stored)) return Number.MAX_SAFE_INTEGER;
  return typeof stored === 'number' && stored > MEMORY_VERSION ? stored : MEMORY_VERSION;
}

/** The memory of an owner, or of all. */
export const memoryFile: DocumentKind<MemoryDocument> = {
  names: ['memory.json'],
  what: 'The stored memory',
  empty: readDocument({ version: MEMORY_VERSION }),
  read: readDocument,
};
