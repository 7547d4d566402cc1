import { dirname } from 'node:path';
import { z } from 'zod';
import { SessionRow } from '../contract/entities.ts';
import { type FileSystem, makeFolderDurably, readWhole, writeDurably } from '../files/index.ts';

/** Grows with every change of what the file holds, of {@link SessionRow} above all: a file of another shape is ignored. */
const SHAPE = 1;
export const NEWEST_FILE = 'chats.json';
const MOST_BYTES = 4 * 1024 * 1024;

const Stored = z.object({
  shape: z.literal(SHAPE),
  /** Real paths of the folder of chats and of that of all sessions. */
  roots: z.tuple([z.string(), z.string()]),
  rows: z.array(SessionRow).max(50),
});

/** What is remembered of the newest chats between two runs: good for nothing but speed. */
export class NewestFile {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #roots: () => Promise<[string, string]>;

  /** @param roots The folders that the chats are of; what was remembered of others is ignored. */
  constructor(fileSystem: FileSystem, path: string, roots: () => Promise<[string, string]>) {
    this.#fileSystem = fileSystem;
    this.#path = path;
    this.#roots = roots;
  }

  /** Null when nothing usable is remembered. @throws Failure `io`. */
  async read(): Promise<readonly SessionRow[] | null> {
    const read = await readWhole(this.#fileSystem, this.#path, { limit: MOST_BYTES });
    if (read.state === 'missing') return null;
    if (read.state === 'unknown') throw read.failure;
    const stored = Stored.safeParse(parse(read.bytes));
    if (!stored.success) return null;
    const roots = await this.#roots();
    return stored.data.roots.every((root, index) => root === roots[index]) ? stored.data.rows : null;
  }

  /** @throws Failure `io`. */
  async write(rows: readonly SessionRow[]): Promise<void> {
    await makeFolderDurably(this.#fileSystem, dirname(this.#path));
    const text = JSON.stringify({ shape: SHAPE, roots: await this.#roots(), rows });
    await writeDurably(this.#fileSystem, this.#path, Buffer.from(text));
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // A damaged one is as good as none.
    return null;
  }
}
