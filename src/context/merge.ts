import { createHash } from 'node:crypto';
import { Failure } from '../contract/errors.ts';
import { guard, isMissing, moveDurably, retryWhileHeld, syncFolder } from '../files/index.ts';
import { hasFolder } from './merge-folders.ts';
import { type MergeJournal, readJournal, removeJournal, writeJournal } from './merge-journal.ts';
import type { MergeCounts } from './merge-lists.ts';
import { mergeOnce } from './merge-round.ts';
import { readSettings } from './merge-settings.ts';
import { never, type ProjectContext, refuseNewer } from './project-context.ts';
import type { ProjectFiles } from './project-files.ts';

/** A project that becomes another one. */
export interface Move {
  from: string;
  to: string;
  /** Folder that the settings are to name for the destination; null when they are not to be changed. */
  path: string | null;
}

export interface MergeOptions {
  /** See {@link Move}; of a merge that was begun before, what was said then counts. */
  path: string | null;
  /** Time in ms since 1970. */
  now: () => number;
  /** Moves the entry of the settings, before the merge counts as done; after a crash it may be called again. */
  finish: (move: Move) => void | Promise<void>;
}

/** How often a merge is begun again because another program changed one of the projects under it. */
const MAXIMUM_ROUNDS = 5;
/** Longest id that is whole in the name under which its folder is put aside, so that it stays a name for a file. */
const MAXIMUM_ASIDE = 200;

/** Folders of a project that a merge reads and writes. */
const ownFolders = [
  [],
  ['plans'],
  ['.sidekeep'],
  ['.sidekeep', 'trash'],
  ['.sidekeep', 'backups'],
  ['.sidekeep', 'backups', 'plans'],
];

/**
 * Merges a project into another (docs/formats/context-format.md, section 10). Both are read; what is to be done is written
 * into a journal; files are copied and the union is written; then the source is put aside under a dated name. Nothing is
 * deleted. After a crash at any point the same call finishes what was begun, and with nothing left to merge it changes
 * nothing.
 *
 * @param source Used by nothing else while this runs, like `destination`.
 * @returns How many entries came along; null when the source has no data.
 * @throws Failure `malformed`, `newer-version` or `io`, with both projects as they were, when one of them cannot be read or
 *   something else stands where a folder of theirs should be. `io` for a failing disk: the merge stays open then.
 */
export async function mergeProjects(
  source: ProjectContext,
  destination: ProjectContext,
  options: MergeOptions,
): Promise<MergeCounts | null> {
  const open = await readJournal(destination.files);
  if (open !== null && open.from !== source.files.id) throw new Error('an open merge is finished before another');
  if (open?.stage === 'rename') return complete(source.files, destination.files, open, options);
  for (const side of [source, destination]) await refuseUnreadable(side);
  // Somebody may even have taken the source away while the merge was open.
  if (!(await hasData(source.files))) {
    return open && complete(source.files, destination.files, open, options);
  }
  let journal = open ?? (await newJournal(source.files, destination.files, options));
  for (let round = 0; round < MAXIMUM_ROUNDS; round++) {
    journal = await mergeOnce(source, destination, journal);
    if (journal.stage === 'rename') return complete(source.files, destination.files, journal, options);
  }
  throw new Failure('io', 'Another program keeps changing the project. It is not merged yet; try again.', {
    detail: { reason: 'busy' },
  });
}

async function refuseUnreadable(side: ProjectContext): Promise<void> {
  refuseNewer(await side.load({ migrate: never, plans: false }));
  await readSettings(side.files);
  for (const names of ownFolders) await hasFolder(side.files, ...names);
}

async function hasData(files: ProjectFiles): Promise<boolean> {
  return (await hasFolder(files)) || (await readSettings(files)) !== null;
}

async function newJournal(
  source: ProjectFiles,
  destination: ProjectFiles,
  { path, now }: MergeOptions,
): Promise<MergeJournal> {
  let at = Math.floor(now());
  while (await isThere(source, asideName(source.id, at))) at++;
  return {
    version: 1,
    stage: 'copy',
    from: source.id,
    to: destination.id,
    path,
    at,
    aside: asideName(source.id, at),
    planFiles: [],
    copies: [],
    counts: { notes: 0, todos: 0, plans: 0 },
  };
}

/** Everything is in the destination: puts the source aside, and what of that was done before is not done again. */
async function complete(
  source: ProjectFiles,
  destination: ProjectFiles,
  journal: MergeJournal,
  { finish }: MergeOptions,
): Promise<MergeCounts> {
  await writeJournal(destination, { ...journal, stage: 'rename' });
  await putFolderAside(source, journal.aside);
  const settings = await source.root.locate('projects', `${journal.aside}.json`);
  // Settings that are there again after they were put aside are new ones.
  await moveDurably(source.fileSystem, await source.legacyPath(), settings);
  await finish({ from: journal.from, to: journal.to, path: journal.path });
  await removeJournal(destination);
  return journal.counts;
}

async function putFolderAside(source: ProjectFiles, aside: string): Promise<void> {
  const { fileSystem, root } = source;
  // A folder that is there again after it was put aside is a new one.
  if ((await isThere(source, aside)) || !(await hasFolder(source))) return;
  const from = await root.locate('projects', source.id);
  const to = await root.locate('projects', aside);
  const projects = await root.locate('projects');
  const failed = 'The project was merged, but its old folder could not be put aside';
  await guard(() => retryWhileHeld(() => fileSystem.rename(from, to), {}), failed, 'It is still there.');
  await guard(() => syncFolder(fileSystem, projects), failed, '');
}

async function isThere(files: ProjectFiles, name: string): Promise<boolean> {
  for (const path of [await files.root.locate('projects', name), await files.root.locate('projects', `${name}.json`)]) {
    try {
      await guard(() => files.fileSystem.lstat(path), 'The projects could not be merged', 'Both are as they were.');
      return true;
    } catch (error) {
      if (!(error instanceof Failure) || !isMissing(error.cause)) throw error;
    }
  }
  return false;
}

function asideName(id: string, at: number): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 16);
  return `${id.length > MAXIMUM_ASIDE ? `${id.slice(0, MAXIMUM_ASIDE - hash.length - 1)}-${hash}` : id}.merged-${at}`;
}
