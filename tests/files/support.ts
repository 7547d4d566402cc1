import { mkdtemp, readdir, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import {
  type FileHandle,
  type FileStatus,
  type FileSystem,
  nodeFileSystem,
  type ReplacedStatus,
} from '../../src/files/index.ts';

/**
 * A folder for one test. When the test is over nothing of it may be left behind by the code: no temp file, no open file.
 */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sidekeep-test-')));
  onTestFinished(async () => {
    const temporary = await temporaryFiles(folder);
    const open = await openFiles(folder);
    await rm(folder, { recursive: true, force: true });
    expect(temporary, 'temp files left').toEqual([]);
    expect(open, 'files left open').toEqual([]);
  });
  return folder;
}

/** Temp files of our pattern anywhere below a folder. */
export async function temporaryFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.\d+-[0-9a-f]{12}\.tmp$|\.claim$/.test(name));
}

/** Files below a folder that this process holds open (Linux; elsewhere none can be told). */
async function openFiles(folder: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith(folder));
}

/** An error as the system throws it. */
export function systemError(code: string, path = '/secret/place'): Error {
  return Object.assign(new Error(`${code}: something failed, '${path}'`), { code, path });
}

/** What a faulty call does: throw this code, or (for a write) take one byte only, or none. */
export type Fault = { code: string } | 'short' | 'nothing';

export interface FaultyFileSystem extends FileSystem {
  /** Every call so far, such as `open` or `handle.sync`. */
  readonly calls: string[];
  /** Fails the calls for which the filter says so, until it is set back to null. */
  fault: ((call: string, index: number, path: string) => Fault | null) | null;
}

/** The real file system, of which single calls can be made to fail. A failing close closes all the same. */
export function faultyFileSystem(base: FileSystem = nodeFileSystem): FaultyFileSystem {
  const calls: string[] = [];
  const system = { calls, fault: null } as unknown as FaultyFileSystem;
  const methods = system as unknown as Record<string, unknown>;
  const check = (call: string, path: string): Fault | null => {
    calls.push(call);
    const fault = system.fault?.(call, calls.length - 1, path) ?? null;
    if (fault !== null && typeof fault === 'object') throw systemError(fault.code);
    return fault;
  };
  const wrapHandle = (handle: FileHandle, path: string): FileHandle => ({
    async write(buffer, offset, length, position) {
      const fault = check('handle.write', path);
      if (fault === 'nothing') return { bytesWritten: 0 };
      return handle.write(buffer, offset, fault === 'short' ? Math.min(1, length) : length, position);
    },
    async read(buffer, offset, length, position) {
      check('handle.read', path);
      return handle.read(buffer, offset, length, position);
    },
    async truncate(size) {
      check('handle.truncate', path);
      await handle.truncate(size);
    },
    async sync() {
      check('handle.sync', path);
      await handle.sync();
    },
    async stat() {
      check('handle.stat', path);
      return handle.stat();
    },
    async chmod(mode) {
      check('handle.chmod', path);
      await handle.chmod(mode);
    },
    async setModified(time) {
      check('handle.setModified', path);
      await handle.setModified(time);
    },
    async close() {
      await handle.close();
      check('handle.close', path);
    },
  });
  system.open = async (path, flags, mode) => {
    check(`open ${flags}`, path);
    return wrapHandle(await base.open(path, flags, mode), path);
  };
  for (const name of [
    'lstat',
    'stat',
    'rename',
    'link',
    'unlink',
    'mkdir',
    'rmdir',
    'readdir',
    'readlink',
    'symlink',
    'realpath',
  ] as const) {
    methods[name] = async (...parameters: [string, never]) => {
      check(name, parameters[0]);
      return (base[name] as (...parameters: unknown[]) => Promise<unknown>)(...parameters);
    };
  }
  system.replaceKept = (from, to, keep, isExpected) => replaceKeptBy(system, from, to, keep, isExpected);
  return system;
}

/** `replaceKept` made of the single calls of a file system, so that each of them can be recorded and can fail. */
export async function replaceKeptBy(
  system: Pick<FileSystem, 'lstat' | 'link' | 'unlink' | 'rename'>,
  from: string,
  to: string,
  keep: string,
  isExpected: (status: FileStatus) => boolean,
): Promise<ReplacedStatus | null> {
  const status = await system.lstat(to);
  if (!isExpected(status)) return null;
  await system.link(to, keep);
  const kept = await system.lstat(keep);
  if (kept.ino !== status.ino || kept.size !== status.size || kept.mtimeNs !== status.mtimeNs) {
    await system.unlink(keep);
    return null;
  }
  const made = await system.lstat(from);
  await system.rename(from, to);
  const written = await system.lstat(to).catch(() => null);
  return {
    written: written?.ino === made.ino ? written : null,
    kept: await system.lstat(keep).catch(() => null),
    keptAt: keep,
  };
}

/** The same where names can change places. */
export async function replaceKeptByExchange(
  system: Pick<FileSystem, 'lstat'>,
  exchange: (one: string, other: string) => void,
  from: string,
  to: string,
  isExpected: (status: FileStatus) => boolean,
): Promise<ReplacedStatus | null> {
  if (!isExpected(await system.lstat(to))) return null;
  const made = await system.lstat(from);
  exchange(from, to);
  const written = await system.lstat(to).catch(() => null);
  return {
    written: written?.ino === made.ino ? written : null,
    kept: await system.lstat(from).catch(() => null),
    keptAt: from,
  };
}
