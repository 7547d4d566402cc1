import type { MemoryEntry, MemoryThreat } from '../contract/entities.ts';
import { memoryLimits } from '../contract/entities.ts';
import {
  type DocumentKind,
  digestOf,
  isRecord,
  isTime,
  type JsonObject,
  own,
  withKeys,
  withoutKeys,
} from '../files/index.ts';

export type Version = MemoryEntry['versions'][number];
type Allowance = NonNullable<MemoryThreat['allowed']>;

/**
 * What Sidekeep keeps of a memory beside its file, in `.sidekeep/memory.json`, where no other program drops it or can
 * forge it: `{ version: 1, versions: { <entry id>: [{ title, body, replacedAt }] }, allowed: { <SHA-256>: { by, at } } }`.
 */
export interface KeptDocument {
  readonly raw: JsonObject;
  readonly readOnly: boolean;
}

const KEPT_VERSION = 1;

/** The file of what is kept of a memory. */
export const keptFile: DocumentKind<KeptDocument> = {
  names: ['.sidekeep', 'memory.json'],
  what: 'What is kept of earlier memories',
  empty: { raw: { version: KEPT_VERSION }, readOnly: false },
  read: (raw) => ({ raw, readOnly: own(raw, 'version') !== KEPT_VERSION }),
};

/** What an allowance is bound to: SHA-256 of exactly this title and text. */
export const contentHash = ({ title, body }: { title: string; body: string }): string =>
  digestOf(JSON.stringify([title, body]));

/** Who allowed exactly this text, and when; null when nobody did. */
export function allowanceOf({ raw }: KeptDocument, hash: string): Allowance | null {
  const stored = partOf(raw, 'allowed');
  const allowance = own(stored, hash);
  if (!isRecord(allowance)) return null;
  const [by, at] = [own(allowance, 'by'), own(allowance, 'at')];
  return typeof by === 'string' && isTime(at) ? { by, at } : null;
}

/** The top level with an allowance more, or with null one less. */
export function withAllowance({ raw }: KeptDocument, hash: string, allowance: Allowance | null): JsonObject {
  const others = withoutKeys(partOf(raw, 'allowed'), [hash]);
  return withKeys(raw, { allowed: allowance === null ? others : withKeys(others, { [hash]: { ...allowance } }) });
}

/** What an entry said before, newest first. */
export function versionsOf({ raw }: KeptDocument, id: string): Version[] {
  const stored = own(partOf(raw, 'versions'), id);
  return Array.isArray(stored) ? stored.map(readVersion).filter((one) => one !== null) : [];
}

/** The top level with one version more of an entry; the oldest over the limit go. */
export function withVersion(kept: KeptDocument, id: string, version: Version): JsonObject {
  const earlier = versionsOf(kept, id);
  const [newest] = earlier;
  // A change that is made again because another program was faster has kept it already.
  if (newest !== undefined && isSameText(newest, version)) return kept.raw;
  return withVersions(kept, id, [version, ...earlier].slice(0, memoryLimits.versions));
}

/** The top level with these versions of an entry, newest first; with none, without any. */
export function withVersions({ raw }: KeptDocument, id: string, versions: readonly Version[]): JsonObject {
  const others = withoutKeys(partOf(raw, 'versions'), [id]);
  return withKeys(raw, { versions: versions.length === 0 ? others : withKeys(others, { [id]: versions }) });
}

/** Ids of the entries that have versions. */
export const idsWithVersions = ({ raw }: KeptDocument): string[] => Object.keys(partOf(raw, 'versions'));

/** All allowances, as they are stored. */
export const allowancesOf = ({ raw }: KeptDocument): JsonObject => partOf(raw, 'allowed');

/** Whether two versions say the same. */
export const isSameText = (left: { title: string; body: string }, right: { title: string; body: string }): boolean =>
  left.title === right.title && left.body === right.body;

/** A stored version; null for what is none. */
export function readVersion(stored: unknown): Version | null {
  if (!isRecord(stored)) return null;
  const [title, body, replacedAt] = [own(stored, 'title'), own(stored, 'body'), own(stored, 'replacedAt')];
  if (typeof title !== 'string' || typeof body !== 'string' || !isTime(replacedAt)) return null;
  return { title, body, replacedAt };
}

function partOf(raw: JsonObject, key: 'versions' | 'allowed'): JsonObject {
  const part = own(raw, key);
  return isRecord(part) ? part : {};
}
