import { type DiskImage, digestOf, emptyContent, hashOf, type ImageNode } from './disk-image.ts';
import type { LogEntry, NameChange } from './operation-log.ts';
import type { Random } from './random.ts';

/** A disk as a crash may leave it. */
export interface CrashState {
  readonly image: DiskImage;
  readonly hash: string;
  /** How many entries of the log had happened. */
  readonly position: number;
  /** What of that was lost, for a reader of a failed test; empty when only the process died. */
  readonly lost: string;
}

export interface CrashOptions {
  /** Most states that are made at one position; above it a sample with this source of chance is taken. */
  limit: number;
  random: Random;
  /** Leaves out what is before this position. */
  from?: number;
}

/** Size of the pieces in which a disk takes bytes. */
const BLOCK = 4096;

/**
 * What a rename over the network of journals may have left: nothing, all of it, or the new name without the old one gone.
 */
type Kept = 'none' | 'all' | 'taken';

interface Change {
  readonly changes: readonly NameChange[];
  readonly together: boolean;
  /** Folders that were synced since. */
  readonly synced: Set<number>;
}

interface Dirty {
  readonly node: number;
  /** The content at its last sync. */
  readonly durable: Buffer;
  /** The contents since then, in order. */
  readonly contents: Buffer[];
  variants: readonly Buffer[] | null;
}

/**
 * The states that a crash may leave at each position of a log, and a process that dies as well. Only what was synced is
 * certain: bytes by a sync of their file, names by one of their folder. Of the rest each change of names is there or not,
 * whatever came before or after it (which holds every prefix, as journals leave it); of each file's bytes all, none, or
 * some, with zeros or nothing behind.
 */
export function* crashStates(
  start: DiskImage,
  born: ReadonlyMap<number, ImageNode>,
  log: readonly LogEntry[],
  options: CrashOptions,
): Generator<CrashState> {
  const disk = new CrashedDisk(start, born);
  for (let position = 0; position <= log.length; position++) {
    const entry = position === 0 ? undefined : log[position - 1];
    if (entry) disk.take(entry);
    // A time alone makes no other disk.
    if (entry?.kind === 'dated') continue;
    if (position >= (options.from ?? 0)) yield* disk.states(position, options);
  }
}

class CrashedDisk {
  readonly #born: ReadonlyMap<number, ImageNode>;
  /** Entries of each folder before the first change that is not durable. */
  readonly #folders = new Map<number, Map<string, number>>();
  /** Content of each file as it was last synced. */
  readonly #files = new Map<number, Buffer>();
  readonly #times = new Map<number, bigint>();
  #changes: Change[] = [];
  readonly #dirty = new Map<number, Dirty>();

  constructor(start: DiskImage, born: ReadonlyMap<number, ImageNode>) {
    this.#born = born;
    for (const [number, node] of start) {
      if (node.kind === 'folder') this.#folders.set(number, new Map(node.entries));
      if (node.kind !== 'file') continue;
      this.#files.set(number, node.content);
      if (node.mtimeNs !== undefined) this.#times.set(number, node.mtimeNs);
    }
  }

  take(entry: LogEntry): void {
    if (entry.kind === 'names') {
      this.#changes.push({ changes: entry.changes, together: entry.together, synced: new Set() });
    } else if (entry.kind === 'sync') this.#sync(entry.node);
    else {
      if (entry.kind === 'write') this.#write(entry.node, entry.content);
      this.#times.set(entry.node, entry.mtimeNs);
    }
  }

  *states(position: number, { limit, random }: CrashOptions): Generator<CrashState> {
    const names = this.#changes.map((change) => this.#choices(change));
    const dirty = [...this.#dirty.values()];
    const contents = dirty.map(variantsOf);
    const sizes = [...names, ...contents].map((list) => list.length);
    for (const choice of chosen(sizes, names.length, limit, random)) {
      const kept = names.map((list, index) => list[choice[index] ?? 0] ?? 'all');
      const bytes = new Map(
        dirty.map((file, index) => [file.node, contents[index]?.[choice[names.length + index] ?? 0] ?? emptyContent]),
      );
      const image = this.#image(kept, bytes);
      yield { image, hash: hashOf(image), position, lost: this.#describe(kept, bytes) };
    }
  }

  #write(number: number, content: Buffer): void {
    const dirty = this.#dirty.get(number);
    if (dirty) {
      dirty.contents.push(content);
      dirty.variants = null;
      return;
    }
    const durable = this.#files.get(number) ?? emptyContent;
    this.#dirty.set(number, { node: number, durable, contents: [content], variants: null });
  }

  #sync(number: number): void {
    const content = this.#dirty.get(number)?.contents.at(-1);
    if (content) this.#files.set(number, content);
    this.#dirty.delete(number);
    for (const { changes, synced } of this.#changes) {
      if (changes.some(({ folder }) => folder === number)) synced.add(number);
    }
    let first = this.#changes[0];
    while (first && this.#choices(first).length === 1) {
      apply(this.#folders, first.changes, 'all');
      this.#changes = this.#changes.slice(1);
      first = this.#changes[0];
    }
  }

  /** What may be left of a change, all of it first. */
  #choices({ changes, together, synced }: Change): readonly Kept[] {
    if (together) return changes.some(({ folder }) => synced.has(folder)) ? ['all'] : ['all', 'none'];
    const taken = changes.filter(({ node, folder }) => node !== null && !synced.has(folder));
    const given = changes.filter(({ node, folder }) => node === null && !synced.has(folder));
    if (taken.length + given.length === 0) return ['all'];
    if (changes.length === 1) return ['all', 'none'];
    // No file system loses a file between its two names; one that is synced for the old name has the new one, too.
    if (given.length === 0) return ['all'];
    // A folder never has two names.
    const isFolder = changes.some(({ node }) => node !== null && this.#born.get(node)?.kind === 'folder');
    if (isFolder) return changes.some(({ folder }) => synced.has(folder)) ? ['all'] : ['all', 'none'];
    return taken.length === 0 ? ['all', 'taken'] : ['all', 'none', 'taken'];
  }

  #image(kept: readonly Kept[], bytes: ReadonlyMap<number, Buffer>): DiskImage {
    const folders = new Map(this.#folders);
    const copied = new Set<number>();
    for (const [index, { changes }] of this.#changes.entries()) {
      for (const { folder } of changes) {
        if (copied.has(folder)) continue;
        folders.set(folder, new Map(folders.get(folder)));
        copied.add(folder);
      }
      apply(folders, changes, kept[index] ?? 'all');
    }
    const nodes = new Map<number, ImageNode>();
    const put = (number: number): void => {
      if (nodes.has(number)) return;
      const born = this.#born.get(number);
      if (!born) throw new Error(`no node ${number}`);
      if (born.kind === 'folder') {
        const entries = folders.get(number) ?? new Map<string, number>();
        nodes.set(number, { ...born, entries });
        for (const child of entries.values()) put(child);
      } else if (born.kind === 'file') {
        const content = bytes.get(number) ?? this.#files.get(number) ?? emptyContent;
        const mtimeNs = this.#times.get(number);
        nodes.set(number, { kind: 'file', mode: born.mode, content, ...(mtimeNs === undefined ? {} : { mtimeNs }) });
      } else nodes.set(number, born);
    };
    put(1);
    return nodes;
  }

  #describe(kept: readonly Kept[], bytes: ReadonlyMap<number, Buffer>): string {
    const names = this.#changes.flatMap(({ changes }, index) =>
      kept[index] === 'all'
        ? []
        : `${changes.map(({ name, node }) => `${node === null ? '-' : '+'}${name}`).join(' ')} ${kept[index]}`,
    );
    const files = [...bytes].flatMap(([number, content]) => {
      const full = this.#dirty.get(number)?.contents.at(-1);
      return full === content ? [] : `file ${number}: ${content.length} of ${full?.length} bytes`;
    });
    return [...names, ...files].join('; ');
  }
}

function apply(folders: Map<number, Map<string, number>>, changes: readonly NameChange[], kept: Kept): void {
  if (kept === 'none') return;
  for (const { folder, name, node } of changes) {
    const entries = folders.get(folder) ?? new Map<string, number>();
    folders.set(folder, entries);
    if (node !== null) entries.set(name, node);
    else if (kept === 'all') entries.delete(name);
  }
}

/**
 * What may be left of a file's bytes, all of them first. The beginning that no write since the last sync has touched is
 * certain: what is added to a file can be lost or torn, not what it is added to.
 */
function variantsOf(dirty: Dirty): readonly Buffer[] {
  if (dirty.variants) return dirty.variants;
  const { durable, contents } = dirty;
  const newest = contents.at(-1) ?? emptyContent;
  const certain = Math.min(...contents.map((content) => commonLength(durable, content)));
  const start = certain === 0 ? emptyContent : durable.subarray(0, certain);
  const found = new Map([newest, ...contents, durable, start].map((content) => [digestOf(content), content]));
  const add = (content: Buffer): void => void found.set(digestOf(content), found.get(digestOf(content)) ?? content);
  let before = durable;
  for (const next of contents.slice(-3)) {
    for (const cut of cutsOf(next, certain)) {
      const head = next.subarray(0, cut);
      add(Buffer.concat([head, before.subarray(cut)]));
      add(Buffer.concat([head], next.length));
    }
    add(Buffer.concat([start], next.length));
    before = next;
  }
  dirty.variants = [...found.values()];
  return dirty.variants;
}

/** How many bytes two contents begin with alike. */
function commonLength(left: Buffer, right: Buffer): number {
  const length = Math.min(left.length, right.length);
  if (left.subarray(0, length).equals(right.subarray(0, length))) return length;
  let place = 0;
  while (left[place] === right[place]) place++;
  return place;
}

/**
 * Where a content may be torn behind what is certain of it: at its edges, in its middle, at the first and last edge of a
 * block and inside one; of what was added to a file also behind its first line.
 */
function cutsOf(content: Buffer, certain: number): number[] {
  const { length } = content;
  const firstEdge = Math.floor(certain / BLOCK + 1) * BLOCK;
  const lastEdge = Math.floor((length - 1) / BLOCK) * BLOCK;
  const cuts = [certain + 1, (certain + length) >> 1, firstEdge, firstEdge + (BLOCK >> 1), lastEdge, length - 1];
  if (certain > 0) cuts.push(content.indexOf(0x0a, certain) + 1);
  return [...new Set(cuts)].filter((cut) => cut > certain && cut < length);
}

/** All choices if there are few; else none lost, every prefix of the names, every file's variants alone, and a sample. */
function* chosen(sizes: readonly number[], names: number, limit: number, random: Random): Generator<number[]> {
  const count = sizes.reduce((product, size) => product * size, 1);
  if (count <= limit) {
    for (let index = 0; index < count; index++) yield digitsOf(index, sizes);
    return;
  }
  for (let prefix = names; prefix >= 0; prefix--) {
    yield sizes.map((size, index) => (index >= prefix && index < names && size > 1 ? 1 : 0));
  }
  for (const [place, size] of sizes.entries()) {
    for (let choice = 1; choice < size; choice++) yield sizes.map((_size, index) => (index === place ? choice : 0));
  }
  for (let left = limit; left > 0; left--) yield sizes.map((size) => random.below(size));
}

function digitsOf(value: number, sizes: readonly number[]): number[] {
  let rest = value;
  return sizes.map((size) => {
    const digit = rest % size;
    rest = Math.floor(rest / size);
    return digit;
  });
}
