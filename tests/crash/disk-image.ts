import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';

/** A file, folder or link of a disk at rest. Contents are never changed in place, so images share them. */
export type ImageNode =
  | {
      readonly kind: 'file';
      readonly mode: number;
      readonly content: Buffer;
      /** When the content was written; of a file that was just made, when it was made. */
      readonly mtimeNs?: bigint;
    }
  | { readonly kind: 'folder'; readonly mode: number; readonly entries: ReadonlyMap<string, number> }
  | { readonly kind: 'link'; readonly target: string };

/** A whole disk at rest: its nodes by their number. */
export type DiskImage = ReadonlyMap<number, ImageNode>;

/** Number of the topmost folder of every disk. */
export const ROOT = 1;

/** When the files of a disk that is made for a test were written: in 2024. */
const EARLIER = 1_720_000_000_000_000_000n;

export const emptyContent = Buffer.alloc(0);

/** A disk with these files by absolute path; the folders above them are made. A value of null makes an empty folder. */
export function imageOf(files: Readonly<Record<string, string | Buffer | null>>): DiskImage {
  const nodes = new Map<number, ImageNode>();
  const folders = new Map<string, { number: number; entries: Map<string, number> }>();
  const add = (node: ImageNode): number => {
    nodes.set(nodes.size + 1, node);
    return nodes.size;
  };
  const folderAt = (path: string): Map<string, number> => {
    const known = folders.get(path);
    if (known) return known.entries;
    const above = dirname(path) === path ? null : folderAt(dirname(path));
    const entries = new Map<string, number>();
    const number = add({ kind: 'folder', mode: 0o700, entries });
    folders.set(path, { number, entries });
    above?.set(path.slice(path.lastIndexOf('/') + 1), number);
    return entries;
  };
  folderAt('/');
  for (const [path, content] of Object.entries(files)) {
    if (content === null) folderAt(path);
    else {
      const number = add({ kind: 'file', mode: 0o600, content: Buffer.from(content), mtimeNs: EARLIER });
      folderAt(dirname(path)).set(path.slice(path.lastIndexOf('/') + 1), number);
    }
  }
  return nodes;
}

/** Every path of an image with its node, in the order of the names. */
export function* pathsOf(image: DiskImage, number = ROOT, path = '/'): Generator<[string, ImageNode]> {
  const node = image.get(number);
  if (!node) throw new Error(`no node ${number} at ${path}`);
  yield [path, node];
  if (node.kind !== 'folder') return;
  for (const name of [...node.entries.keys()].sort()) yield* pathsOf(image, node.entries.get(name), join(path, name));
}

/** What two images that show the same names and bytes have in common, and no others. */
export function hashOf(image: DiskImage): string {
  const lines: string[] = [];
  const visit = (number: number, path: string): void => {
    const node = image.get(number);
    if (node?.kind === 'folder') {
      lines.push(`${path}/`);
      for (const name of [...node.entries.keys()].sort()) visit(node.entries.get(name) ?? 0, `${path}/${name}`);
    } else lines.push(`${path} ${node?.kind === 'file' ? digestOf(node.content) : `-> ${node?.target}`}`);
  };
  visit(ROOT, '');
  return createHash('sha1').update(lines.join('\n')).digest('base64');
}

const digests = new WeakMap<Buffer, string>();

/** Digest of a content; worked out once for each buffer. */
export function digestOf(content: Buffer): string {
  let digest = digests.get(content);
  if (digest === undefined) {
    digest = createHash('sha1').update(content).digest('base64');
    digests.set(content, digest);
  }
  return digest;
}
