import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { type FileSystem, readWhole, systemCode } from '../files/index.ts';

/** Most bytes of the small files that git keeps paths in. */
const POINTER_BYTES = 64 * 1024;

/**
 * The root of the primary worktree that a directory lies in; of a linked worktree that of the one that it was made from.
 * Only files are read, git is not run: a few small ones, from the directory upwards to the end of its disk.
 *
 * @param folder Real absolute path; it need not exist.
 * @returns Null outside of any worktree.
 * @throws An error of the system when something on the way cannot be looked at.
 */
export async function primaryWorktree(fileSystem: FileSystem, folder: string): Promise<string | null> {
  let disk: bigint | null = null;
  for (let path = folder; ; path = dirname(path)) {
    const status = await lookAt(fileSystem, path);
    if (status !== null) {
      // As git does: a worktree does not reach over to another disk.
      if (disk !== null && status.dev !== disk) return null;
      disk = status.dev;
      const root = await rootAt(fileSystem, path);
      if (root !== null) return root;
    }
    if (dirname(path) === path) return null;
  }
}

/** The primary worktree of the one whose root is this folder; null when it is no root. */
async function rootAt(fileSystem: FileSystem, folder: string): Promise<string | null> {
  const path = join(folder, '.git');
  const status = await lookAt(fileSystem, path);
  if (status === null) return null;
  if (status.isDirectory()) return (await isRepository(fileSystem, path)) ? folder : null;
  // A link to the repository's folder: the root is where the link is.
  if (status.isSymbolicLink()) return (await isRepository(fileSystem, path)) ? folder : null;
  const pointer = await readLine(fileSystem, path);
  const target = pointer?.startsWith('gitdir:') ? pointer.slice('gitdir:'.length).trim() : '';
  if (target === '') return null;
  const own = resolve(folder, target);
  const common = await readLine(fileSystem, join(own, 'commondir'));
  if (common === null || common === '') {
    // A submodule, or a repository that is kept elsewhere: a root of its own. A linked worktree whose primary is gone, too.
    return folder;
  }
  const repository = isAbsolute(common) ? common : resolve(own, common);
  if (!(await isRepository(fileSystem, repository))) return folder;
  // A bare repository has no primary worktree; what is linked to it belongs to it.
  return basename(repository) === '.git' ? dirname(repository) : repository;
}

/** Every repository has a `HEAD`; other folders of that name are not git's. */
const isRepository = async (fileSystem: FileSystem, path: string): Promise<boolean> =>
  (await lookAt(fileSystem, join(path, 'HEAD'))) !== null;

async function lookAt(fileSystem: FileSystem, path: string) {
  try {
    return await fileSystem.lstat(path);
  } catch (error) {
    // Not there, or below a file that is gone from the way.
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/** The first line of a small file without blanks around it; null when it is not there or cannot be read. */
async function readLine(fileSystem: FileSystem, path: string): Promise<string | null> {
  const read = await readWhole(fileSystem, path, { limit: POINTER_BYTES });
  return read.state === 'present' ? (read.bytes.toString('utf8').split('\n')[0]?.trim() ?? '') : null;
}
