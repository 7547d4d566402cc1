import { dirname } from 'node:path';
import { ProjectId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  childPath,
  type FileSystem,
  guard,
  ioFailure,
  isMissing,
  mapBounded,
  type Root,
  sweepOrphans,
} from '../files/index.ts';

/** How many names are looked at side by side. */
const CONCURRENCY = 8;
const LIST_FAILED = 'The list of projects could not be read';

/**
 * Names at the top of `projects/` that are no owner's: left there by ids made of dots, put aside after a merge, or put
 * there by Syncthing, which keeps the other side of a conflict as `<id>.sync-conflict-<date>-<time>-<device>.json`.
 */
const strangers = /^(?:context|memory)$|\.merged-\d+$|\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]+)?$|^\./;

/** Ids of the owners that have data: folders and legacy `<id>.json` files. Links are left out. */
export async function ownerIds(fileSystem: FileSystem, root: Root): Promise<string[]> {
  const folder = await projectsFolder(root);
  const ids = await mapBounded(await namesIn(fileSystem, folder), CONCURRENCY, async (name) => {
    const status = await fileSystem.lstat(childPath(folder, name)).catch((error: unknown) => {
      // Gone since it was listed.
      if (isMissing(error)) return null;
      throw ioFailure(error, LIST_FAILED, 'Nothing was changed.');
    });
    return status?.isDirectory() ? name : status?.isFile() && name.endsWith('.json') ? name.slice(0, -5) : '';
  });
  return [...new Set(ids.filter((id) => ProjectId.safeParse(id).success && !strangers.test(id)))].sort();
}

/** Where in an owner's folder this module writes. */
const ownFolders = [[], ['plans'], ['.sidekeep'], ['.sidekeep', 'trash'], ['.sidekeep', 'backups']] as const;

export interface SweepFoldersOptions {
  report: (where: string, error: unknown) => void;
  /** Asked before each folder: once it says so, the rest is left for the next start. */
  isStopped: () => boolean;
}

/** Removes orphaned temp files from every folder that this module writes in; answers how many, and whose folders there are. */
export async function sweepFolders(
  fileSystem: FileSystem,
  root: Root,
  { report, isStopped }: SweepFoldersOptions,
): Promise<{ removed: number; ids: readonly string[] }> {
  const sweep = async (folder: string): Promise<number> =>
    isStopped() ? 0 : (await sweepOrphans(fileSystem, folder, { report })).length;
  let removed = await sweep(await root.path());
  if (!(await root.has('projects'))) return { removed, ids: [] };
  removed += await sweep(await projectsFolder(root));
  const ids = await ownerIds(fileSystem, root);
  const counts = await mapBounded(ids, CONCURRENCY, async (id) => {
    if (isStopped()) return 0;
    let count = 0;
    const versions = (await foldersIn(fileSystem, root, 'projects', id, '.sidekeep', 'backups', 'plans')).map(
      (name) => ['.sidekeep', 'backups', 'plans', name] as const,
    );
    for (const names of [...ownFolders, ...versions]) {
      // Below a link nothing is ours to sweep.
      const inside = isStopped() ? null : await root.locate('projects', id, ...names, 'x').catch(() => null);
      if (inside !== null) count += await sweep(dirname(inside));
    }
    return count;
  });
  return { removed: counts.reduce((sum, count) => sum + count, removed), ids };
}

/** Names in a folder below the root; none where it is not there or behind a link. */
async function foldersIn(fileSystem: FileSystem, root: Root, ...names: readonly string[]): Promise<string[]> {
  const inside = await root.locate(...names, 'x').catch(() => null);
  return inside === null ? [] : namesIn(fileSystem, dirname(inside));
}

/** The folder of all owners; never behind a link. */
async function projectsFolder(root: Root): Promise<string> {
  return dirname(await root.locate('projects', 'x'));
}

async function namesIn(fileSystem: FileSystem, folder: string): Promise<string[]> {
  try {
    return await guard(() => fileSystem.readdir(folder), LIST_FAILED, 'Nothing was changed.');
  } catch (error) {
    if (error instanceof Failure && isMissing(error.cause)) return [];
    throw error;
  }
}
