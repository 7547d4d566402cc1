import type { FileHandle, FileStatus, FileSystem, OpenFlags, ReplacedStatus } from '../../src/files/index.ts';
import { replaceKeptBy, replaceKeptByExchange } from '../files/support.ts';
import { diskHandle } from './disk-handle.ts';
import { type DiskImage, digestOf, emptyContent, type ImageNode, ROOT } from './disk-image.ts';
import { type DiskNode, type FileNode, type FolderNode, nodeOf, statusOf, systemError } from './disk-nodes.ts';
import { type Place, placeOf } from './disk-place.ts';
import type { LogEntry } from './operation-log.ts';

/**
 * A disk in memory that answers like Linux does and writes down what a power cut could undo. Its time moves with every
 * change, so no two states of a file have the same identity.
 */
export class MemoryDisk implements FileSystem {
  /** Everything since the disk was made, in order. */
  readonly log: LogEntry[] = [];
  /** The nodes of the start and those made since, as they were born: empty. */
  readonly born = new Map<number, ImageNode>();
  /** Digests of every content that a writer had finished with: the only ones that a reader may ever see. */
  readonly finished = new Set<string>();
  readonly #exchanges: boolean;
  readonly #root: FolderNode;
  #lastNumber = 0;
  #time: bigint;

  /**
   * @param image What is on it, all of it durable.
   * @param startMs Its time, ms since 1970.
   * @param exchanges Whether names can change places on it.
   */
  constructor(image: DiskImage, startMs: number, exchanges = false) {
    this.#exchanges = exchanges;
    this.#time = BigInt(startMs) * 1_000_000n;
    const nodes = new Map<number, DiskNode>();
    const take = (number: number): DiskNode => {
      const known = nodes.get(number);
      if (known) {
        known.names++;
        return known;
      }
      const node = image.get(number);
      if (!node) throw new Error(`no node ${number}`);
      const taken = nodeOf(node, number, this.#time);
      taken.names = 1;
      nodes.set(number, taken);
      if (node.kind === 'file') this.finished.add(digestOf(node.content));
      if (node.kind === 'folder' && taken.kind === 'folder') {
        for (const [name, child] of node.entries) taken.entries.set(name, take(child));
      }
      this.born.set(number, node);
      this.#lastNumber = Math.max(this.#lastNumber, number);
      return taken;
    };
    const root = take(ROOT);
    if (root.kind !== 'folder') throw new Error('the topmost node is a folder');
    this.#root = root;
  }

  /** Moves its time on. */
  advance(ms: number): void {
    this.#time += BigInt(ms) * 1_000_000n;
  }

  /** Its time in ms since 1970. */
  get now(): number {
    return Number(this.#time / 1_000_000n);
  }

  /** What is on it now, volatile or not. */
  image(): DiskImage {
    const nodes = new Map<number, ImageNode>();
    const put = (node: DiskNode): void => {
      if (nodes.has(node.number)) return;
      if (node.kind === 'folder') {
        const entries = new Map([...node.entries].map(([name, child]) => [name, child.number]));
        nodes.set(node.number, { kind: 'folder', mode: node.mode, entries });
        for (const child of node.entries.values()) put(child);
      } else if (node.kind === 'file')
        nodes.set(node.number, { kind: 'file', mode: node.mode, content: node.content, mtimeNs: node.mtimeNs });
      else nodes.set(node.number, { kind: 'link', target: node.target });
    };
    put(this.#root);
    return nodes;
  }

  async open(path: string, flags: OpenFlags, mode = 0o666): Promise<FileHandle> {
    if (flags !== 'wx') {
      const { node } = this.#find('open', path, false);
      if (!node) throw systemError('ENOENT', 'open', path);
      if (node.kind === 'link') throw systemError('ELOOP', 'open', path);
      if (node.kind === 'folder' && flags !== 'r') throw systemError('EISDIR', 'open', path);
      return this.#handle(node, flags);
    }
    const { folder, name, node } = this.#find('open', path, false);
    if (node) throw systemError('EEXIST', 'open', path);
    const made = this.#bear({ kind: 'file', mode, content: emptyContent });
    if (made.kind !== 'file') throw new Error('a file was born');
    this.#change([{ folder, name, node: made }]);
    return this.#handle(made, 'wx');
  }

  async lstat(path: string): Promise<FileStatus> {
    return statusOf(this.#existing('lstat', path, false));
  }

  async stat(path: string): Promise<FileStatus> {
    return statusOf(this.#existing('stat', path, true));
  }

  async rename(from: string, to: string): Promise<void> {
    const source = this.#find('rename', from, false);
    const target = this.#find('rename', to, false);
    const { node } = source;
    if (!node) throw systemError('ENOENT', 'rename', from);
    if (source.name === '' || target.name === '') throw systemError('EBUSY', 'rename', to);
    if (node === target.node) return;
    if (target.above.some((folder) => folder === node)) throw systemError('EINVAL', 'rename', to);
    if (source.above.some((folder) => folder === target.node)) throw systemError('ENOTEMPTY', 'rename', to);
    if (target.node?.kind === 'folder') {
      if (node.kind !== 'folder') throw systemError('EISDIR', 'rename', to);
      if (target.node.entries.size > 0) throw systemError('ENOTEMPTY', 'rename', to);
    } else if (target.node && node.kind === 'folder') throw systemError('ENOTDIR', 'rename', to);
    this.#change([
      { folder: target.folder, name: target.name, node },
      { folder: source.folder, name: source.name, node: null },
    ]);
  }

  replaceKept(
    from: string,
    to: string,
    keep: string,
    isExpected: (status: FileStatus) => boolean,
  ): Promise<ReplacedStatus | null> {
    return this.#exchanges
      ? replaceKeptByExchange(this, (one, other) => this.exchange(one, other), from, to, isExpected)
      : replaceKeptBy(this, from, to, keep, isExpected);
  }

  /** Lets two names change places, both or neither, whatever a crash undoes. */
  exchange(one: string, other: string): void {
    const left = this.#find('rename', one, false);
    const right = this.#find('rename', other, false);
    if (!left.node) throw systemError('ENOENT', 'rename', one);
    if (!right.node) throw systemError('ENOENT', 'rename', other);
    if (left.node === right.node) return;
    if (left.above.some((folder) => folder === right.node)) throw systemError('EINVAL', 'rename', one);
    if (right.above.some((folder) => folder === left.node)) throw systemError('EINVAL', 'rename', other);
    const changes = [
      { folder: left.folder, name: left.name, node: right.node },
      { folder: right.folder, name: right.name, node: left.node },
    ];
    this.#change(changes, true);
  }

  async link(existing: string, name: string): Promise<void> {
    const node = this.#existing('link', existing, false);
    const target = this.#find('link', name, false);
    if (target.node) throw systemError('EEXIST', 'link', name);
    if (node.kind === 'folder') throw systemError('EPERM', 'link', existing);
    this.#change([{ folder: target.folder, name: target.name, node }]);
  }

  async unlink(path: string): Promise<void> {
    const { folder, name, node } = this.#find('unlink', path, false);
    if (!node) throw systemError('ENOENT', 'unlink', path);
    if (node.kind === 'folder') throw systemError('EISDIR', 'unlink', path);
    this.#change([{ folder, name, node: null }]);
  }

  async mkdir(path: string, mode: number): Promise<void> {
    const { folder, name, node } = this.#find('mkdir', path, false);
    if (node) throw systemError('EEXIST', 'mkdir', path);
    this.#change([{ folder, name, node: this.#bear({ kind: 'folder', mode, entries: new Map() }) }]);
  }

  async rmdir(path: string): Promise<void> {
    const { folder, name, node } = this.#find('rmdir', path, false);
    if (!node) throw systemError('ENOENT', 'rmdir', path);
    if (node.kind !== 'folder') throw systemError('ENOTDIR', 'rmdir', path);
    if (node.entries.size > 0) throw systemError('ENOTEMPTY', 'rmdir', path);
    if (name === '') throw systemError('EBUSY', 'rmdir', path);
    this.#change([{ folder, name, node: null }]);
  }

  async readdir(path: string): Promise<string[]> {
    const node = this.#existing('scandir', path, true);
    if (node.kind !== 'folder') throw systemError('ENOTDIR', 'scandir', path);
    return [...node.entries.keys()];
  }

  async readlink(path: string): Promise<string> {
    const node = this.#existing('readlink', path, false);
    if (node.kind !== 'link') throw systemError('EINVAL', 'readlink', path);
    return node.target;
  }

  async realpath(path: string): Promise<string> {
    const { node, names } = this.#find('realpath', path, true);
    if (!node) throw systemError('ENOENT', 'realpath', path);
    return `/${names.join('/')}`;
  }

  async symlink(target: string, path: string): Promise<void> {
    const { folder, name, node } = this.#find('symlink', path, false);
    if (node) throw systemError('EEXIST', 'symlink', path);
    this.#change([{ folder, name, node: this.#bear({ kind: 'link', target }) }]);
  }

  /** Empties a file and writes it anew where it is, as no code of the product ever does. */
  overwrite(path: string, content: Buffer): void {
    const node = this.#existing('open', path, true);
    if (node.kind !== 'file') throw systemError('EISDIR', 'open', path);
    this.#write(node, emptyContent);
    this.#write(node, content);
    this.finished.add(digestOf(content));
  }

  /** Bytes of a file, for the tests. */
  content(path: string): Buffer {
    const node = this.#existing('open', path, true);
    if (node.kind !== 'file') throw systemError('EISDIR', 'read', path);
    return node.content;
  }

  #handle(node: FileNode | FolderNode, flags: OpenFlags): FileHandle {
    return diskHandle(node, flags, {
      write: (file, content) => this.#write(file, content),
      synced: (number) => void this.log.push({ kind: 'sync', node: number }),
      dated: (dated, mtimeNs) => this.#date(dated, mtimeNs),
      finished: (content) => void this.finished.add(digestOf(content)),
      tick: () => this.#tick(),
    });
  }

  #write(node: FileNode, content: Buffer): void {
    node.content = content;
    node.mtimeNs = node.ctimeNs = this.#tick();
    this.log.push({ kind: 'write', node: node.number, content, mtimeNs: node.mtimeNs });
  }

  #date(node: FileNode | FolderNode, mtimeNs: bigint): void {
    node.mtimeNs = mtimeNs;
    node.ctimeNs = this.#tick();
    this.log.push({ kind: 'dated', node: node.number, mtimeNs });
  }

  #bear(image: ImageNode): DiskNode {
    const number = ++this.#lastNumber;
    this.born.set(number, image);
    return nodeOf(image, number, this.#tick());
  }

  #change(changes: readonly { folder: FolderNode; name: string; node: DiskNode | null }[], together = false): void {
    const time = this.#tick();
    for (const { folder, name, node } of changes) {
      const before = folder.entries.get(name);
      if (before) {
        before.names--;
        before.ctimeNs = time;
        folder.entries.delete(name);
      }
      if (node) {
        node.names++;
        node.ctimeNs = time;
        folder.entries.set(name, node);
      }
      folder.mtimeNs = folder.ctimeNs = time;
    }
    this.log.push({
      kind: 'names',
      together,
      changes: changes.map(({ folder, name, node }) => ({
        folder: folder.number,
        name,
        node: node?.number ?? null,
      })),
    });
  }

  #existing(call: string, path: string, follow: boolean): DiskNode {
    const { node } = this.#find(call, path, follow);
    if (!node) throw systemError('ENOENT', call, path);
    return node;
  }

  #find(call: string, path: string, follow: boolean): Place {
    return placeOf(this.#root, call, path, follow);
  }

  /** The next moment; never the one before, and never a whole number of milliseconds. */
  #tick(): bigint {
    this.#time += 1_234_567n;
    return this.#time;
  }
}
