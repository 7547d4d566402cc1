import { basename, dirname } from 'node:path';
import type { FileStatus, FileSystem } from '../../src/files/index.ts';
import { type Layer, over } from './broken-layers.ts';
import { systemError } from './disk-nodes.ts';

const CHATS = '/data/context/chats';
const PLACE = `${CHATS}/2026-01-01/session-x`;

/** The chats are on another disk than the sessions. */
export function twoDisks(disk: FileSystem): FileSystem {
  const isOther = (path: string): boolean => path.startsWith(CHATS);
  const refuse = (call: string, from: string, to: string): void => {
    if (isOther(from) !== isOther(to)) throw systemError('EXDEV', call, from);
  };
  const onItsDisk = async (path: string, status: Promise<FileStatus>): Promise<FileStatus> => ({
    ...(await status),
    dev: isOther(path) ? 2n : 1n,
  });
  return over(disk, {
    lstat: (path) => onItsDisk(path, disk.lstat(path)),
    stat: (path) => onItsDisk(path, disk.stat(path)),
    rename: async (from, to) => {
      refuse('rename', from, to);
      await disk.rename(from, to);
    },
    link: async (from, to) => {
      refuse('link', from, to);
      await disk.link(from, to);
    },
  });
}

/** The folder goes before anything tells of it. */
export const folderFirst: Layer = (disk) =>
  over(disk, {
    rename: async (from, to) => {
      if (to.endsWith('/.sidekeep-journal.json') && (await disk.lstat(PLACE).catch(() => null)) !== null) {
        await disk.rename(PLACE, `${dirname(to)}/.sidekeep-folder`);
      }
      await disk.rename(from, to);
    },
  });

/** The folder comes back when its session is seen already. */
export const folderLast: Layer = (disk) => {
  let late: { from: string; to: string } | null = null;
  return over(disk, {
    rename: async (from, to) => {
      if (to === PLACE && basename(from) === '.sidekeep-folder') late = { from, to };
      else await disk.rename(from, to);
    },
    link: async (from, to) => {
      await disk.link(from, to);
      if (late === null || basename(to) !== 's.jsonl') return;
      await disk.rename(late.from, late.to);
      late = null;
    },
  });
};

/** The journal says nothing of the folder. */
export const untold: Layer = (disk) =>
  over(disk, {
    open: async (path, flags, mode) => {
      const handle = await disk.open(path, flags, mode);
      if (!path.includes('.sidekeep-journal.json') || flags !== 'wx') return handle;
      return {
        ...handle,
        write: async (buffer, offset, length, position) => {
          const text = Buffer.from(buffer.subarray(offset, offset + length)).toString();
          const journal = JSON.parse(text) as { artifacts: { kind: string }[] };
          const rest = { ...journal, artifacts: journal.artifacts.filter(({ kind }) => kind !== 'own-folder') };
          const bytes = Buffer.from(JSON.stringify(rest));
          await handle.write(bytes, 0, bytes.length, position);
          return { bytesWritten: length };
        },
      };
    },
  });

/** The files of a copy on another disk are not synced before what they are copies of is removed. */
export const copyNotSynced: Layer = (disk) =>
  over(disk, {
    open: async (path, flags, mode) => {
      const handle = await disk.open(path, flags, mode);
      return path.includes('/..sidekeep-folder.') ? { ...handle, sync: () => Promise.resolve() } : handle;
    },
  });

/** What is to be copied to another disk is taken away before the copy is there. */
export const removedBeforeCopied: Layer = (disk) =>
  over(disk, {
    rename: async (from, to) => {
      await disk.rename(from, to);
      if (!to.endsWith('.leaving')) return;
      const content = disk.content(`${to}/a.txt`);
      await disk.unlink(`${to}/a.txt`);
      const handle = await disk.open(`${to}/a.txt`, 'wx');
      await handle.write(content, 0, content.length, 0);
      await handle.close();
    },
  });
