import { z } from 'zod';
import { ProjectId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { removeDurably, writeDurably } from '../files/index.ts';
import { parseStored, serialiseStored } from '../files/json.ts';
import { readParsed } from '../files/read-whole.ts';
import type { ProjectFiles } from './project-files.ts';

const Count = z.int().min(0);
const Names = z.array(z.string().min(1)).min(1);

/** A file of the source that comes along: names below the folders of source and destination. */
const Copy = z.object({
  from: Names,
  to: Names,
  /** SHA-256 of what is written, in hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Whether it is an earlier version of a context, in which the names of plan files are rewritten. */
  backup: z.boolean(),
});
export type Copy = z.infer<typeof Copy>;

/**
 * What a merge is about to do, in `.sidekeep/merge.json` of the destination while the merge is open. In stage `copy` it
 * is begun again from the start, and what was copied is found; in stage `rename` everything is in the destination, and the
 * source only has to be put aside.
 */
const MergeJournal = z.object({
  version: z.literal(1),
  stage: z.enum(['copy', 'rename']),
  from: ProjectId,
  to: ProjectId,
  /** Folder that the settings are to name for the destination; null when they are not to be changed. */
  path: z.string().nullable(),
  /** When the merge began, in ms. */
  at: z.int().min(0),
  /** Name under which the folder of the source is put aside, and its settings with `.json` behind it. */
  aside: z.string().min(1),
  /** New names of plan files of the source, by their names there; only those that differ. */
  planFiles: z.array(z.tuple([z.string(), z.string()])),
  copies: z.array(Copy),
  counts: z.object({ notes: Count, todos: Count, plans: Count }),
});
export type MergeJournal = z.infer<typeof MergeJournal>;

const journalPath = (files: ProjectFiles): Promise<string> =>
  files.root.locate('projects', files.id, '.sidekeep', 'merge.json');

/**
 * The journal of an open merge into this owner; null when there is none.
 *
 * @throws Failure `malformed` for one that cannot be understood, which no crash leaves behind; `io` when it cannot be read.
 */
export async function readJournal(files: ProjectFiles): Promise<MergeJournal | null> {
  const read = await readParsed(files.fileSystem, await journalPath(files), (bytes) => {
    const parsed = MergeJournal.safeParse(parseStored(bytes, 'The journal of a merge'));
    if (parsed.success && parsed.data.to === files.id && parsed.data.from !== files.id) return parsed.data;
    throw new Failure(
      'malformed',
      'The journal of a merge is not what Sidekeep wrote. Both projects were left exactly as they are. Put it aside.',
    );
  });
  if (read.state === 'unknown') throw read.failure;
  return read.state === 'missing' ? null : read.value;
}

/** Writes the journal durably. Before the first one this makes sure that this process may write at all. */
export async function writeJournal(files: ProjectFiles, journal: MergeJournal): Promise<void> {
  await files.prepareFolder('.sidekeep');
  await writeDurably(files.fileSystem, await journalPath(files), serialiseStored({ ...journal }));
}

/** Says that the merge is over. */
export async function removeJournal(files: ProjectFiles): Promise<void> {
  await removeDurably(files.fileSystem, await journalPath(files));
}
