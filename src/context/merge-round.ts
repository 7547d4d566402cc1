import { Failure } from '../contract/errors.ts';
import { createDurably, parseStored } from '../files/index.ts';
import { canBeUnited, uniteMemory } from '../memory/index.ts';
import type { Change } from './change.ts';
import { mutate } from './commit.ts';
import type { ContextDocument } from './document.ts';
import { hashOf, type Left, listFolder, readFileOf } from './merge-folders.ts';
import { type Copy, type MergeJournal, writeJournal } from './merge-journal.ts';
import { moveKept, rewrittenBackup } from './merge-kept.ts';
import { type MergeCounts, mergeDocuments } from './merge-lists.ts';
import { logLeft, mergeLogs } from './merge-log.ts';
import { movePlans } from './merge-plans.ts';
import { mergeSettings } from './merge-settings.ts';
import { always, never, type ProjectContext, refuseNewer } from './project-context.ts';
import type { ProjectFiles } from './project-files.ts';

const MEMORY = 'memory.json';
/** What of a project's folder a merge takes along or replaces; of the rest the person is told. */
const ownNames: ReadonlySet<string> = new Set(['context.json', 'plans', MEMORY]);

/**
 * Brings everything of the source into the destination. What an earlier round or run brought is found and not brought again.
 *
 * @param journal The journal of this merge, which need not be written yet.
 * @returns The journal in stage `rename`, as it is on the disk; or in stage `copy` when another program changed one of the
 *   projects meanwhile and another round is needed.
 */
export async function mergeOnce(
  source: ProjectContext,
  destination: ProjectContext,
  journal: MergeJournal,
): Promise<MergeJournal> {
  const coming = await source.load({ migrate: always, plans: false });
  const here = await destination.load({ migrate: always, plans: false });
  for (const document of [coming, here]) refuseNewer(document);
  const plans = await movePlans(
    { files: source.files, document: coming },
    { files: destination.files, document: here },
    { copies: journal.copies, names: new Map(journal.planFiles) },
  );
  const kept = await moveKept(source.files, destination.files, plans);
  const memory = await moveMemory(source.files, destination.files, journal.at);
  const next: MergeJournal = {
    ...journal,
    planFiles: [...plans.names].filter(([name, place]) => name !== place),
    copies: [...plans.copies, ...kept.copies, ...memory.copies],
  };
  await writeJournal(destination.files, next);
  for (const copy of next.copies) {
    if (!(await copyFile(source.files, destination.files, copy, plans.names))) return next;
  }
  const added = await writeUnion(destination, coming, plans.names);
  if (memory.unites) await uniteMemory(source.files, destination.files, destination);
  const merged = { ...next, counts: sumOf(journal.counts, added) };
  const settings = await mergeSettings(source.files, destination.files, plans.names);
  if (settings === 'changed') return merged;
  const logs = await mergeLogs(source.files, destination.files);
  const left = [
    ...plans.left,
    ...kept.left,
    ...memory.left,
    ...settings,
    ...logs,
    ...(await unknownFiles(source.files)),
  ];
  await logLeft(destination.files, journal.at, left);
  // The windows learn what the copied plans hold, and what they are to say of the merge.
  destination.notices.forgetLogs();
  await destination.load({ migrate: never, plans: true });
  if (!(await isStill(source, coming, plans.seen)) || !(await isMemoryStill(source.files, memory.bytes))) return merged;
  const done: MergeJournal = { ...merged, stage: 'rename' };
  await writeJournal(destination.files, done);
  return done;
}

/** Copies a file and looks whether it got there; false when it is not what it was when the journal was written. */
async function copyFile(
  source: ProjectFiles,
  destination: ProjectFiles,
  copy: Copy,
  planNames: ReadonlyMap<string, string>,
): Promise<boolean> {
  const stored = await readFileOf(source, copy.from);
  if (stored === null) return false;
  const bytes = copy.backup ? rewrittenBackup(stored, planNames) : stored;
  if (hashOf(bytes) !== copy.hash) return false;
  await destination.prepareFolder(...copy.to.slice(0, -1));
  const path = await destination.root.locate('projects', destination.id, ...copy.to);
  const made = await createDurably(destination.fileSystem, path, bytes);
  const there = await readFileOf(destination, copy.to);
  if (there !== null && hashOf(there) === copy.hash) return true;
  // Another program has taken the name, or changed what was copied: the next round looks at it anew.
  if (made === 'taken' || there === null) return false;
  throw new Failure('io', 'A copied file is not what was written. The projects are not merged. Check the disk.', {
    detail: { reason: 'not-verified' },
  });
}

async function writeUnion(
  destination: ProjectContext,
  coming: ContextDocument,
  planFiles: ReadonlyMap<string, string>,
): Promise<MergeCounts> {
  const nothing: MergeCounts = { notes: 0, todos: 0, plans: 0 };
  if (coming.state === 'missing') return nothing;
  const { result } = await mutate(destination, (newest): Change<MergeCounts> => {
    const { raw, counts } = mergeDocuments(newest, coming, { planFiles });
    const same = newest.state === 'present' && JSON.stringify(raw) === JSON.stringify(newest.raw);
    return { raw: same ? null : raw, result: counts };
  });
  return result;
}

/** What becomes of the source's memory, and the bytes of it that this was decided by. */
interface MemoryMove {
  copies: Copy[];
  left: Left[];
  /** Whether both are understood, so that their entries come together. */
  unites: boolean;
  bytes: Buffer | null;
}

/**
 * The source's memory becomes the destination's, or is united with it entry by entry; where one of both cannot be
 * understood it stands beside the destination's under a dated name.
 */
async function moveMemory(source: ProjectFiles, destination: ProjectFiles, at: number): Promise<MemoryMove> {
  const bytes = await readFileOf(source, [MEMORY]);
  const here = bytes === null ? null : await readFileOf(destination, [MEMORY]);
  const unites = bytes !== null && isUnderstood(bytes) && (here === null || isUnderstood(here));
  if (bytes === null || here?.equals(bytes) || (here !== null && unites))
    return { copies: [], left: [], unites, bytes };
  const name = here === null ? MEMORY : `memory.merged-${at}.json`;
  return {
    copies: [{ from: [MEMORY], to: [name], hash: hashOf(bytes), backup: false }],
    left: here === null ? [] : [{ what: MEMORY, reason: 'memory' }],
    unites,
    bytes,
  };
}

function isUnderstood(bytes: Buffer): boolean {
  try {
    return canBeUnited(parseStored(bytes, 'The stored memory'));
  } catch (error) {
    // Kept as it is, whatever it is.
    if (error instanceof Failure) return false;
    throw error;
  }
}

async function isMemoryStill(source: ProjectFiles, seen: Buffer | null): Promise<boolean> {
  const now = await readFileOf(source, [MEMORY]);
  return now === null || seen === null ? now === seen : now.equals(seen);
}

async function unknownFiles(source: ProjectFiles): Promise<Left[]> {
  const unknown = (await listFolder(source)).filter(
    // What was damaged once was put aside then, and its person told.
    ({ name }) => !ownNames.has(name) && !name.startsWith('.') && !/^context\.json\.damaged-/.test(name),
  );
  return unknown.map(({ name }) => ({ what: name, reason: 'unknown-file' }));
}

/** Whether the source still is what was merged: another program may write it all the while. */
async function isStill(source: ProjectContext, coming: ContextDocument, plans: readonly string[]): Promise<boolean> {
  const now = await source.load({ migrate: never, plans: false });
  if (now.state !== coming.state || JSON.stringify(now.raw) !== JSON.stringify(coming.raw)) return false;
  const names = (await listFolder(source.files, 'plans')).map(({ name }) => name);
  return JSON.stringify(names) === JSON.stringify(plans);
}

function sumOf(left: MergeCounts, right: MergeCounts): MergeCounts {
  return { notes: left.notes + right.notes, todos: left.todos + right.todos, plans: left.plans + right.plans };
}
