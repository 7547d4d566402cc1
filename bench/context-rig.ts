import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open, rename, rm, statfs, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileSystem } from '../src/files/index.ts';
import { openSidekeep, type Sidekeep } from '../src/sidekeep.ts';

/** The running core on a root of its own, with a folder beside it on the same disk for the other side of a comparison. */
export type Rig = {
  core: Sidekeep;
  root: string;
  /** For files of the other side: not watched, not the core's. */
  beside: string;
};

/** Who makes the calls. */
export const caller = { role: 'sidebar', signal: new AbortController().signal } as const;

/** What Linux calls a file system in memory. */
const memoryFileSystems: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

/** Folders that are still there; whatever ends this process takes them along. */
const openFolders = new Set<string>();
process.once('exit', () => {
  for (const folder of openFolders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder on a real disk where there is one; says where it had to be in memory. */
const makeFolder = async (print: (line: string) => void): Promise<string> => {
  for (const parent of [tmpdir(), '/var/tmp', process.cwd()]) {
    const type = await statfs(parent).then(
      (status) => status.type,
      () => null,
    );
    if (type !== null && !memoryFileSystems.has(type)) return makeIn(parent);
  }
  print('No folder on a disk was found: durable writes cost nothing here, so the numbers say little.');
  return makeIn(tmpdir());
};

const makeIn = (parent: string): string => {
  const folder = mkdtempSync(path.join(parent, 'sidekeep-bench-'));
  openFolders.add(folder);
  return folder;
};

const removeFolder = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  openFolders.delete(folder);
};

/**
 * Opens the core in a new folder, runs a measurement and removes everything.
 *
 * @param prepare Fills the root before the core sees it.
 * @throws Error with whatever the core reported meanwhile: a number measured beside a fault says nothing.
 */
export const withCore = async <Value>(
  projectIds: readonly string[],
  print: (line: string) => void,
  measure: (rig: Rig) => Promise<Value>,
  prepare: (root: string) => Promise<void> = async () => {},
): Promise<Value> => {
  const folder = await makeFolder(print);
  const problems: unknown[] = [];
  const entries = projectIds.map((id) => ({ id, path: null, label: null, hidden: false }));
  try {
    const root = path.join(folder, 'root');
    await prepare(root);
    const core = await openSidekeep({
      contextRoot: root,
      sessionsRoot: path.join(folder, 'sessions'),
      cacheFolder: null,
      pinnedSessions: { list: () => [], set: () => {} },
      reveal: () => {},
      memoryEnabled: () => false,
      projectEntries: { load: () => entries, save: () => {} },
      publish: () => {},
      report: (where, error) => problems.push(new Error(where, { cause: error })),
    });
    let value: Value;
    try {
      value = await measure({ core, root, beside: folder });
    } finally {
      await core.dispose();
    }
    if (problems.length > 0) throw new AggregateError(problems, 'The core reported problems while it was measured.');
    return value;
  } finally {
    await removeFolder(folder);
  }
};

/** A folder on the same kind of disk, without a core. */
export const withFolder = async <Value>(
  print: (line: string) => void,
  measure: (folder: string) => Promise<Value>,
): Promise<Value> => {
  const folder = await makeFolder(print);
  try {
    return await measure(folder);
  } finally {
    await removeFolder(folder);
  }
};

/** A durable write as one would write it by hand, without any of the core's checks: the other side of the comparisons. */
export const writeByHand = async (file: string, bytes: Uint8Array): Promise<void> => {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length, 0);
    if (bytesWritten !== bytes.length) throw new Error('the disk did not take all of it');
    await handle.sync();
  } catch (error) {
    await unlink(temporary);
    throw error;
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  const folder = await open(path.dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

/** How often something was made durable through {@link counting}. */
export type Counts = { fileSyncs: number; folderSyncs: number; replaced: Map<string, number> };

/** A file system that does all that the given one does and counts it. */
export const counting = (fileSystem: FileSystem): { fileSystem: FileSystem; counts: Counts } => {
  const counts: Counts = { fileSyncs: 0, folderSyncs: 0, replaced: new Map() };
  return {
    counts,
    fileSystem: {
      ...fileSystem,
      async open(location, flags, mode) {
        const handle = await fileSystem.open(location, flags, mode);
        const sync = (): Promise<void> => {
          if (flags === 'r') counts.folderSyncs += 1;
          else counts.fileSyncs += 1;
          return handle.sync();
        };
        return { ...handle, sync };
      },
      async rename(from, to) {
        await fileSystem.rename(from, to);
        const name = path.basename(to);
        counts.replaced.set(name, (counts.replaced.get(name) ?? 0) + 1);
      },
    },
  };
};
