import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { childPath, type FileStatus, guard, mapBounded } from '../files/index.ts';
import { artifactPlaces } from './session-files.ts';
import { idOfTranscript, refuseBadId } from './session-id.ts';
import type { SessionStore } from './session-stores.ts';
import { isConflictCopy } from './session-strays.ts';
import type { TrashContext } from './trash-context.ts';
import { namesOrNone, sizeOf, statusOrNull } from './trash-files.ts';
import { SUBAGENTS, TRASH } from './trash-names.ts';

/** One name in a store, and how much is there. */
export interface SurveyedFile {
  readonly name: string;
  /** Short name of the artifact; `other` for what no row names. */
  readonly kind: string;
  readonly status: FileStatus;
  readonly bytes: number;
  readonly files: number;
}

/** What a store holds, by the id that its names begin with. */
export interface Survey {
  readonly groups: ReadonlyMap<string, SurveyedFile[]>;
  readonly conflictCopies: SurveyedFile[];
  /** Names with a dot in front, and others that belong to no session. */
  readonly others: SurveyedFile[];
}

const CONCURRENCY = 8;
/** After so many names other work has its turn. */
const YIELD_EVERY = 256;

/** Looks at every name in a store, by `lstat` only; no file is read. */
export async function surveyStore(context: TrashContext, store: SessionStore, signal?: AbortSignal): Promise<Survey> {
  const folder = await store.root.path();
  const names = await guard(
    () => namesOrNone(context.fileSystem, folder),
    'The sessions could not be read',
    'They are unchanged.',
  );
  const owners = ownersOf(names);
  const groups = new Map<string, SurveyedFile[]>();
  const conflictCopies: SurveyedFile[] = [];
  const others: SurveyedFile[] = [];
  let count = 0;
  await mapBounded(names, CONCURRENCY, async (name) => {
    if (++count % YIELD_EVERY === 0) await yieldToOthers();
    signal?.throwIfAborted();
    if (name === TRASH || name === SUBAGENTS) return;
    const path = childPath(folder, name);
    const status = await guard(() => statusOrNull(context.fileSystem, path), 'A file could not be looked at', '');
    if (status === null) return;
    const size = status.isDirectory()
      ? await sizeOf(context.fileSystem, path, signal)
      : { bytes: Number(status.size), files: 1 };
    const owner = owners.get(name);
    const file = { name, kind: owner?.kind ?? 'other', status, ...size };
    if (isConflictCopy(name)) conflictCopies.push(file);
    else if (owner === undefined) others.push(file);
    else groups.set(owner.id, [...(groups.get(owner.id) ?? []), file]);
  });
  // What is seen side by side comes in any order; two looks at the same store are to answer the same.
  return {
    groups: new Map([...groups].sort(byKey)),
    conflictCopies: conflictCopies.sort(byName),
    others: others.sort(byName),
  };
}

const byKey = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1;
const byName = (left: SurveyedFile, right: SurveyedFile): number => (left.name < right.name ? -1 : 1);

/** For each name that belongs to a session, or would if there were one: the id and the short name of the artifact. */
function ownersOf(names: readonly string[]): Map<string, { id: string; kind: string }> {
  const present = new Set(names);
  const owners = new Map<string, { id: string; kind: string }>();
  const take = (id: string): void => {
    for (const { name, kind } of artifactPlaces(id)) {
      if (present.has(name) && !owners.has(name)) owners.set(name, { id, kind });
    }
  };
  for (const name of names) {
    const id = idOfTranscript(name);
    if (id !== null && !isConflictCopy(name)) take(id);
  }
  const ids = new Set([...owners.values()].map(({ id }) => id));
  // Then what has no transcript: the shortest beginning that the table explains the most with.
  for (const name of [...names].sort((left, right) => left.length - right.length)) {
    if (owners.has(name) || name.startsWith('.') || isConflictCopy(name)) continue;
    const known = longestBeginning(name, ids);
    const id = known ?? idBySuffix(name);
    if (id === null) continue;
    if (known === null) {
      take(id);
      ids.add(id);
    }
    if (!owners.has(name)) owners.set(name, { id, kind: 'other' });
  }
  return owners;
}

/** The longest of these ids that a name begins with, before a dot. */
function longestBeginning(name: string, ids: ReadonlySet<string>): string | null {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const stem = name.slice(0, dot);
    if (ids.has(stem)) return stem;
  }
  return null;
}

const probe = artifactPlaces('');

/** The id in the name of an artifact whose session has no transcript; null for a name that no row explains. */
function idBySuffix(name: string): string | null {
  const place = probe
    .filter((one) => one.name !== '' && name.endsWith(one.name) && name.length > one.name.length)
    .sort((left, right) => right.name.length - left.name.length)[0];
  if (place === undefined) return null;
  const id = name.slice(0, name.length - place.name.length);
  try {
    refuseBadId(id);
    return id;
  } catch {
    // Such a session cannot be, so the name is nobody's.
    return null;
  }
}
