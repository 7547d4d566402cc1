import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { type FileSystem, nodeFileSystem, openMode } from './file-system.ts';

/**
 * The file system of this machine, each call made at once: for a thread that has nothing else to do. There it spares the
 * way to the pool of the process and back that each call of {@link nodeFileSystem} takes.
 */
export const blockingFileSystem: FileSystem = {
  async open(path, flags, mode) {
    const descriptor = openSync(path, openMode(flags), mode);
    return {
      read: async (buffer, offset, length, position) => ({
        bytesRead: readSync(descriptor, buffer, offset, length, position),
      }),
      write: async (buffer, offset, length, position) => ({
        bytesWritten: writeSync(descriptor, buffer, offset, length, position),
      }),
      truncate: async (size) => ftruncateSync(descriptor, size),
      sync: async () => fsyncSync(descriptor),
      stat: async () => fstatSync(descriptor, { bigint: true }),
      chmod: async (mode) => fchmodSync(descriptor, mode),
      setModified: async (time) => futimesSync(descriptor, time / 1000, time / 1000),
      close: async () => closeSync(descriptor),
    };
  },
  lstat: async (path) => lstatSync(path, { bigint: true }),
  stat: async (path) => statSync(path, { bigint: true }),
  rename: async (from, to) => renameSync(from, to),
  replaceKept: nodeFileSystem.replaceKept,
  link: async (existing, name) => linkSync(existing, name),
  unlink: async (path) => unlinkSync(path),
  mkdir: async (path, mode) => {
    mkdirSync(path, { mode });
  },
  rmdir: async (path) => rmdirSync(path),
  readdir: async (path) => readdirSync(path),
  readlink: async (path) => readlinkSync(path),
  symlink: async (target, path) => symlinkSync(target, path),
  realpath: async (path) => realpathSync.native(path),
};
