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

/** Names at the top of `projects/` that are no owner's: left there by ids made of dots, or put aside after a merge. */
const strangers = /^(?:context|memory)$|\.merged-\d+$|^\./;

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

/** Removes orphaned temp files from every folder that this module writes in; answers how many. */
export async function sweepFolders(
  fileSystem: FileSystem,
  root: Root,
  report: (where: string, error: unknown) => void,
): Promise<number> {
  const folders = [await root.path()];
  if (await root.has('projects')) {
    folders.push(await projectsFolder(root));
    for (const id of await ownerIds(fileSystem, root)) {
      // Below a link nothing is ours to sweep.
      const inside = await root.locate('projects', id, 'plans', 'x').catch(() => null);
      if (inside !== null) folders.push(dirname(inside), dirname(dirname(inside)));
    }
  }
  const swept = await mapBounded(folders, CONCURRENCY, (folder) => sweepOrphans(fileSystem, folder, { report }));
  return swept.flat().length;
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
