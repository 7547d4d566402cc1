import { dirname } from 'node:path';
import type { FileHandle, FileSystem } from '../../src/files/index.ts';
import { partsOf } from '../../src/sessions/writing/log-record.ts';
import { replaceKeptBy } from '../files/support.ts';
import type { MemoryDisk } from './memory-disk.ts';
import type { WriteLayer } from './session-write-recording.ts';

/** The log is not synced after a message. */
export const withoutLogSync: WriteLayer = (disk) =>
  over(disk, async (path, flags, handle) =>
    path.endsWith('.events.jsonl') && flags === 'a' ? { ...handle, sync: async () => undefined } : handle,
  );

/** What a session is told of is not synced before it gets its name. */
export const withoutKnowledgeSync: WriteLayer = (disk) =>
  over(disk, async (path, _flags, handle) =>
    path.includes('.knowledge.json') ? { ...handle, sync: async () => undefined } : handle,
  );

/** A message is in the transcript before it is in the log. */
export const checkpointBeforeLog: WriteLayer = (disk) =>
  over(disk, async (path, flags, handle) => {
    if (!path.endsWith('.events.jsonl') || flags !== 'a') return handle;
    return {
      ...handle,
      write: async (buffer, offset, length, position) => {
        const line = Buffer.from(buffer.subarray(offset, offset + length - 1));
        const transcript = await disk.open(path.replace('.events', ''), 'a');
        for (const { record } of partsOf(line, position)) {
          for (const { start, end } of record?.messages ?? []) {
            const text = Buffer.concat([line.subarray(start, end), Buffer.from('\n')]);
            await transcript.write(text, 0, text.length, 0);
          }
        }
        await transcript.sync();
        await transcript.close();
        return handle.write(buffer, offset, length, position);
      },
    };
  });

/** A torn end is cut off before it is set aside. */
export const cutBeforeSalvage =
  (goodEnd: number): WriteLayer =>
  (disk) => {
    let held: Buffer | null = null;
    return over(disk, async (path, flags, handle) => {
      if (path.endsWith('.events.jsonl') && flags === 'r' && held === null) {
        const content = Buffer.from(disk.content(path));
        return {
          ...handle,
          read: async (buffer, offset, length, position) => ({
            bytesRead: content.copy(buffer, offset, position, position + length),
          }),
        };
      }
      if (!path.endsWith('.damaged') || flags === 'r' || held !== null) return handle;
      const log = path.slice(0, -'.damaged'.length);
      held = Buffer.from(disk.content(log));
      const cutting = await disk.open(log, 'r+');
      await cutting.truncate(goodEnd);
      await cutting.sync();
      await cutting.close();
      return handle;
    });
  };

/** What is set aside is not synced. */
export const withoutSalvageSync: WriteLayer = (disk) =>
  over(disk, async (path, _flags, handle) =>
    path.endsWith('.damaged') ? { ...handle, sync: async () => undefined } : handle,
  );

/** A copy is made without saying on the disk that it is half made. */
export const withoutMarker: WriteLayer = (disk) => {
  const marked = new Set<string>();
  return {
    ...over(disk, async (_path, _flags, handle) => handle),
    link: async (existing, name) => {
      if (name.endsWith('.cleanup-pending.json')) marked.add(name);
      else await disk.link(existing, name);
    },
    unlink: async (path) => {
      if (!marked.delete(path)) await disk.unlink(path);
    },
    lstat: (path) => disk.lstat(marked.has(path) ? dirname(path) : path),
  };
};

/** The transcript of a new session is there before its log is on the disk. */
export const withoutFolderSync: WriteLayer = (disk) =>
  over(disk, async (_path, flags, handle) => (flags === 'r' ? { ...handle, sync: async () => undefined } : handle));

type Change = (path: string, flags: Parameters<FileSystem['open']>[1], handle: FileHandle) => Promise<FileHandle>;

/** A disk of which some open files are others. */
function over(disk: MemoryDisk, change: Change): FileSystem {
  const system: FileSystem = {
    open: async (path, flags, mode) => change(path, flags, await disk.open(path, flags, mode)),
    lstat: (path) => disk.lstat(path),
    stat: (path) => disk.stat(path),
    rename: (from, to) => disk.rename(from, to),
    link: (existing, name) => disk.link(existing, name),
    unlink: (path) => disk.unlink(path),
    mkdir: (path, mode) => disk.mkdir(path, mode),
    rmdir: (path) => disk.rmdir(path),
    readdir: (path) => disk.readdir(path),
    readlink: (path) => disk.readlink(path),
    symlink: (target, path) => disk.symlink(target, path),
    realpath: (path) => disk.realpath(path),
    replaceKept: (from, to, keep, isExpected) => replaceKeptBy(system, from, to, keep, isExpected),
  };
  return system;
}
