import type { FileHandle, OpenFlags } from '../../src/files/index.ts';
import { type FileNode, type FolderNode, statusOf, systemError } from './disk-nodes.ts';

/** What an open file does to its disk. */
export interface HandleDisk {
  /** Gives a file another content. */
  write(node: FileNode, content: Buffer): void;
  synced(number: number): void;
  /** Gives a file or folder another time of its last change. */
  dated(node: FileNode | FolderNode, mtimeNs: bigint): void;
  /** A writer has finished with this content. */
  finished(content: Buffer): void;
  /** The next moment. */
  tick(): bigint;
}

/** An open file or folder of a disk in memory. */
export function diskHandle(node: FileNode | FolderNode, flags: OpenFlags, disk: HandleDisk): FileHandle {
  let open = true;
  let written = false;
  const check = (call: string): void => {
    if (!open) throw systemError('EBADF', call);
  };
  const file = (call: string): FileNode => {
    check(call);
    if (node.kind === 'folder') throw systemError('EISDIR', call);
    return node;
  };
  const change = (content: Buffer): void => {
    disk.write(file('write'), content);
    written = true;
  };
  return {
    read: async (buffer, offset, length, position) => {
      const { content } = file('read');
      // One that is only being written cannot be read.
      if (flags === 'wx') throw systemError('EBADF', 'read');
      return { bytesRead: content.copy(buffer, offset, position, position + length) };
    },
    write: async (buffer, offset, length, position) => {
      if (flags === 'r') throw systemError('EBADF', 'write');
      const { content } = file('write');
      const at = flags === 'a' ? content.length : position;
      const changed = Buffer.concat([content], Math.max(content.length, at + length));
      changed.set(buffer.subarray(offset, offset + length), at);
      change(changed);
      return { bytesWritten: length };
    },
    truncate: async (size) => {
      // What Linux says of a file that is not open for writing.
      if (flags === 'r') throw systemError('EINVAL', 'ftruncate');
      change(Buffer.concat([file('ftruncate').content.subarray(0, size)], size));
    },
    sync: async () => {
      check('fsync');
      disk.synced(node.number);
    },
    stat: async () => {
      check('fstat');
      return statusOf(node);
    },
    chmod: async (mode) => {
      check('fchmod');
      node.mode = mode;
      node.ctimeNs = disk.tick();
    },
    setModified: async (time) => {
      check('futimes');
      disk.dated(node, BigInt(time) * 1_000_000n);
    },
    close: async () => {
      check('close');
      open = false;
      if (written && node.kind === 'file') disk.finished(node.content);
    },
  };
}
