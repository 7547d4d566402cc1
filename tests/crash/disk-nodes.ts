import type { FileStatus } from '../../src/files/index.ts';
import type { ImageNode } from './disk-image.ts';

/** What every node of a running disk has. */
interface Times {
  number: number;
  /** How many names it has; a folder that is there has one. */
  names: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
}
export type FileNode = Times & { kind: 'file'; mode: number; content: Buffer };
export type FolderNode = Times & { kind: 'folder'; mode: number; entries: Map<string, DiskNode> };
type LinkNode = Times & { kind: 'link'; target: string };
export type DiskNode = FileNode | FolderNode | LinkNode;

/** A node as it is in an image, without entries yet. */
export function nodeOf(image: ImageNode, number: number, time: bigint): DiskNode {
  const times = { number, names: 0, mtimeNs: time, ctimeNs: time };
  if (image.kind === 'folder') return { ...times, ...image, entries: new Map() };
  return { ...times, ...image };
}

const owner = BigInt(process.getuid?.() ?? 0);

/** What the system tells of a node. */
export function statusOf(node: DiskNode): FileStatus {
  const mode = node.kind === 'link' ? 0o777 : node.mode;
  const type = { file: 0o100000, folder: 0o040000, link: 0o120000 }[node.kind];
  const size = node.kind === 'file' ? node.content.length : node.kind === 'link' ? node.target.length : 4096;
  return {
    dev: 1n,
    ino: BigInt(node.number),
    size: BigInt(size),
    mode: BigInt(type | mode),
    uid: owner,
    mtimeNs: node.mtimeNs,
    ctimeNs: node.ctimeNs,
    isFile: () => node.kind === 'file',
    isDirectory: () => node.kind === 'folder',
    isSymbolicLink: () => node.kind === 'link',
  };
}

/** An error as Node reports one of the system. */
export function systemError(code: string, call: string, path?: string): NodeJS.ErrnoException {
  // The stack of an error that only says that something is missing takes longer to make than all the rest.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error: NodeJS.ErrnoException = new Error(`${code}: ${call}${path === undefined ? '' : ` '${path}'`}`);
  Error.stackTraceLimit = stackTraceLimit;
  error.code = code;
  error.syscall = call;
  if (path !== undefined) error.path = path;
  return error;
}
