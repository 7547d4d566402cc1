import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { Failure } from '../contract/errors.ts';
import { childPath, guard, isMissing, readWhole, temporaryOwner } from '../files/index.ts';
import type { ProjectFiles } from './project-files.ts';

const READ_FAILED = 'The projects could not be merged';
const UNTOUCHED = 'Both were left as they are.';

/** Something that a merge did not take along: it stays in the source that was put aside. */
export interface Left {
  /** Name of a file, or of a key of the client's settings. */
  what: string;
  /** `setting`: the destination has another value; `memory`: kept beside the destination's own; else what it is. */
  reason: 'setting' | 'memory' | 'unknown-file' | 'unreadable';
}

/** A name in a folder, and what it stands for; a link is `other`. */
export interface Listed {
  name: string;
  kind: 'file' | 'folder' | 'other';
}

/** SHA-256 of bytes in hex: what tells one content from another in the journal. */
export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * What is in a folder of an owner, by name; nothing when it is not there. Temp files are left out.
 *
 * @throws Failure `io` when a link or a file stands in its place, or it cannot be read.
 */
export async function listFolder(files: ProjectFiles, ...names: readonly string[]): Promise<Listed[]> {
  if (!(await hasFolder(files, ...names))) return [];
  const folder = await folderPath(files, names);
  const found = await guard(() => files.fileSystem.readdir(folder), READ_FAILED, UNTOUCHED);
  const listed: Listed[] = [];
  for (const name of found.filter((one) => temporaryOwner(one) === null).sort()) {
    const kind = await kindOf(files, childPath(folder, name));
    if (kind !== null) listed.push({ name, kind });
  }
  return listed;
}

/** Whether a folder of an owner is there. @throws Failure `io` when a link or a file stands in its place. */
export async function hasFolder(files: ProjectFiles, ...names: readonly string[]): Promise<boolean> {
  const kind = await kindOf(files, await folderPath(files, names));
  if (kind === null) return false;
  if (kind === 'folder') return true;
  throw new Failure('io', `${READ_FAILED}: a file stands where a folder should be. ${UNTOUCHED} Move it away.`, {
    detail: { reason: 'not-a-folder' },
  });
}

/**
 * The bytes of a file of an owner; null when it is not there.
 *
 * @throws Failure when it cannot be read.
 */
export async function readFileOf(files: ProjectFiles, names: readonly string[]): Promise<Buffer | null> {
  const read = await readWhole(files.fileSystem, await files.root.locate('projects', files.id, ...names));
  if (read.state === 'unknown') throw read.failure;
  return read.state === 'missing' ? null : read.bytes;
}

/** The same; null also for a file that never can be read, however often that is tried: it is too large. */
export async function readableFileOf(files: ProjectFiles, names: readonly string[]): Promise<Buffer | null> {
  try {
    return await readFileOf(files, names);
  } catch (error) {
    if (error instanceof Failure && error.code === 'malformed') return null;
    throw error;
  }
}

/** The path of a folder; a link at any of its names, the last included, is refused. */
async function folderPath(files: ProjectFiles, names: readonly string[]): Promise<string> {
  return dirname(await files.root.locate('projects', files.id, ...names, 'x'));
}

async function kindOf(files: ProjectFiles, path: string): Promise<Listed['kind'] | null> {
  try {
    const status = await files.fileSystem.lstat(path);
    return status.isFile() ? 'file' : status.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (isMissing(error)) return null;
    return guard(() => Promise.reject(error), READ_FAILED, UNTOUCHED);
  }
}
