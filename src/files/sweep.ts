import { join } from 'node:path';
import { isMissing } from './failures.ts';
import type { FileSystem } from './file-system.ts';
import { isAlive } from './process-liveness.ts';
import { temporaryOwner } from './temporary-name.ts';

/** A temp file younger than this is left alone: 24 hours. */
const ORPHAN_AGE_MS = 24 * 60 * 60 * 1000;

export interface SweepOptions {
  now?: () => number;
  isAlive?: (pid: number) => boolean;
  /** Told what could not be read or removed; such a file stays, and the sweep goes on. */
  report: (where: string, error: unknown) => void;
}

/**
 * Removes orphaned temp files from one folder: our pattern or the reference's, a regular file, older than 24 hours, its
 * process dead. Every other stranger is left alone.
 *
 * @returns The names that were removed.
 */
export async function sweepOrphans(
  fileSystem: FileSystem,
  folder: string,
  { now = Date.now, isAlive: alive = isAlive, report }: SweepOptions,
): Promise<string[]> {
  const removed: string[] = [];
  let names: string[];
  try {
    names = await fileSystem.readdir(folder);
  } catch (error) {
    if (!isMissing(error)) report('looking for orphaned temp files', error);
    return removed;
  }
  for (const name of names) {
    const pid = temporaryOwner(name);
    if (pid === null || alive(pid)) continue;
    const path = join(folder, name);
    try {
      const status = await fileSystem.lstat(path);
      const age = now() - Number(status.mtimeNs / 1_000_000n);
      if (!status.isFile() || age < ORPHAN_AGE_MS) continue;
      await fileSystem.unlink(path);
      removed.push(name);
    } catch (error) {
      if (!isMissing(error)) report('removing an orphaned temp file', error);
    }
  }
  return removed;
}
