import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../contract/errors.ts';
import {
  type JsonObject,
  type Meet,
  type OwnerFolder,
  unionOfLists,
  united,
  withKeys,
  withOtherKeys,
} from '../files/index.ts';
import { memoryFile, readDocument, writtenDocument } from './document.ts';
import type { MemoryView } from './entry.ts';
import { allowancesOf, idsWithVersions, isSameText, keptFile, versionsOf, withVersions } from './kept.ts';
import { OwnerMemory } from './owner-memory.ts';
import type { MemoryState } from './views.ts';

/** How often a union is made again because another program changed the memory under it. */
const MAXIMUM_TRIES = 20;

export interface MemoryUnionOptions {
  now: () => number;
  /** Told of what went wrong without harming the union. */
  report: (where: string, error: unknown) => void;
  sleep?: (ms: number) => Promise<unknown>;
}

/** Whether the bytes of a memory are such that it can be united with another: understood, and of no newer version. */
export function canBeUnited(raw: JsonObject): boolean {
  return !readDocument(raw).readOnly;
}

/**
 * Brings the memory of one owner, with what is kept of it, into that of another, which nothing else uses meanwhile
 * (docs/formats/context-format.md, section 10). Doing it again changes nothing.
 *
 * @throws Failure when one of them cannot be read, or the destination cannot be written.
 */
export async function uniteMemory(
  source: OwnerFolder,
  destination: OwnerFolder,
  { sleep = delay, ...options }: MemoryUnionOptions,
): Promise<void> {
  const open = (folder: OwnerFolder): OwnerMemory =>
    new OwnerMemory({ folder, onChange: () => undefined, sleep, ...options });
  const coming = await open(source).load();
  const memory = open(destination);
  for (let attempt = 0; attempt < MAXIMUM_TRIES; attempt++) {
    const here = await memory.load();
    const both = unionOf(here, coming);
    if ((both.memory === here.memory && both.kept === here.kept) || (await memory.write(here, both))) return;
  }
  throw new Failure('io', 'Another program keeps changing the memory. The projects are not merged yet; try again.', {
    detail: { reason: 'busy' },
  });
}

/** The union of two memories; the very parts of the destination where it adds nothing. */
export function unionOf(destination: MemoryState, source: MemoryState): MemoryState {
  const { raw: entries } = unionOfLists('memory', destination.memory.entries, source.memory.entries, meetMemories);
  const isEmpty = source.memory === memoryFile.empty;
  const raw = withOtherKeys(writtenDocument(destination.memory, entries), source.memory.raw, roleOf);
  const isSame = isEmpty || JSON.stringify(raw) === JSON.stringify(destination.memory.raw);
  const memory = isSame ? destination.memory : readDocument(raw);
  return { memory, kept: unionOfKept(destination, source) };
}

/** Of two texts both stay, and the one that was changed later keeps the id. */
const meetMemories: Meet<MemoryView> = (destination, source) => {
  const winner = source.view.updatedAt > destination.view.updatedAt ? 'source' : 'destination';
  const [first, second] = winner === 'source' ? [source, destination] : [destination, source];
  const one = united(first.raw, second.raw, ['updatedAt', 'createdAt', 'flagged']);
  return one === null ? { winner } : { one };
};

/** Every version and every allowance of both; there may be more of them than a change keeps. */
function unionOfKept({ kept: destination }: MemoryState, { kept: source }: MemoryState): MemoryState['kept'] {
  let kept = destination;
  for (const id of idsWithVersions(source)) {
    const here = versionsOf(kept, id);
    const added = versionsOf(source, id).filter((one) => !here.some((other) => isSameText(one, other)));
    if (added.length === 0) continue;
    const all = [...here, ...added].sort((left, right) => right.replacedAt - left.replacedAt);
    kept = keptFile.read(withVersions(kept, id, all), 0);
  }
  const [mine, theirs] = [allowancesOf(kept), allowancesOf(source)];
  if (Object.keys(theirs).every((hash) => Object.hasOwn(mine, hash))) return kept;
  return keptFile.read(withKeys(kept.raw, { allowed: { ...theirs, ...mine } }), 0);
}

function roleOf(key: string, value: unknown): 'merged' | 'odd' | 'other' {
  if (key === 'version') return 'merged';
  if (key !== 'entries') return 'other';
  return Array.isArray(value) ? 'merged' : 'odd';
}
