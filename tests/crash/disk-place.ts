import { type DiskNode, type FolderNode, systemError } from './disk-nodes.ts';

/** Longest name of a Linux file system, in bytes, and how many links one path may go through. */
const LONGEST_NAME = 255;
const MOST_LINKS = 40;

/** Where a path leads: its folder and last name, what is there, the folders above it and its names without links. */
export interface Place {
  readonly folder: FolderNode;
  readonly name: string;
  readonly node: DiskNode | undefined;
  readonly above: readonly FolderNode[];
  readonly names: readonly string[];
}

/** @throws The system's error where a name on the way is missing or is none of a folder. */
export function placeOf(root: FolderNode, call: string, path: string, follow: boolean): Place {
  let parts = partsOf(path);
  let above: FolderNode[] = [];
  let names: string[] = [];
  let here: DiskNode = root;
  let links = 0;
  for (let index = 0; index < parts.length; index++) {
    const name = parts[index] ?? '';
    if (here.kind !== 'folder') throw systemError('ENOTDIR', call, path);
    if (name === '..') {
      here = above.pop() ?? root;
      names.pop();
      continue;
    }
    if (name.length > LONGEST_NAME / 3 && Buffer.byteLength(name) > LONGEST_NAME) {
      throw systemError('ENAMETOOLONG', call, path);
    }
    const next: DiskNode | undefined = here.entries.get(name);
    const isLast = index === parts.length - 1;
    if (!next) {
      if (!isLast) throw systemError('ENOENT', call, path);
      above.push(here);
      names.push(name);
      return { folder: here, name, node: undefined, above, names };
    }
    if (next.kind === 'link' && (follow || !isLast)) {
      if (++links > MOST_LINKS) throw systemError('ELOOP', call, path);
      parts = [...partsOf(next.target), ...parts.slice(index + 1)];
      index = -1;
      if (next.target.startsWith('/')) {
        here = root;
        above = [];
        names = [];
      }
      continue;
    }
    above.push(here);
    names.push(name);
    here = next;
  }
  return { folder: above.at(-1) ?? root, name: names.at(-1) ?? '', node: here, above, names };
}

const partsOf = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');
