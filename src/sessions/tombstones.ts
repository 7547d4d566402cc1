import { z } from 'zod';
import { SessionId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { type FileSystem, KeyedQueue, makeFolderDurably, readWhole, writeDurably } from '../files/index.ts';
import { parseStored, serialiseStored } from '../files/json.ts';
import type { SessionStore } from './session-stores.ts';
import { trashFolder } from './trash-entry.ts';
import { TOMBSTONES, TRASH } from './trash-names.ts';

/** How long it is remembered that a session was removed for good, and how long one is in the trash: 30 days. */
export const TRASH_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

const Stored = z.object({
  version: z.literal(1),
  ids: z.array(z.object({ id: SessionId, purgedAt: z.number().min(0) })),
});
type Stored = z.infer<typeof Stored>;

/** Ids of sessions that were removed for good: what appears under one of them is not that session. */
export class Tombstones {
  readonly #fileSystem: FileSystem;
  readonly #now: () => number;
  readonly #queue = new KeyedQueue();

  constructor(fileSystem: FileSystem, now: () => number) {
    this.#fileSystem = fileSystem;
    this.#now = now;
  }

  /** Those of a store that have not run out. One that cannot be read says nothing, as if there were none. */
  async ids(store: SessionStore): Promise<Set<string>> {
    const stored = await this.#read(store).catch((error: unknown) => {
      if (error instanceof Failure) return null;
      throw error;
    });
    return new Set(this.#current(stored).map(({ id }) => id));
  }

  /** Remembers an id, durably. */
  add(store: SessionStore, id: string): Promise<void> {
    return this.#change(store, (ids) => [...ids.filter((one) => one.id !== id), { id, purgedAt: this.#now() }]);
  }

  /** Forgets an id, durably: the session is there again. */
  remove(store: SessionStore, id: string): Promise<void> {
    return this.#change(store, (ids) => ids.filter((one) => one.id !== id));
  }

  #change(store: SessionStore, change: (ids: Stored['ids']) => Stored['ids']): Promise<void> {
    return this.#queue.run(store.key, async () => {
      const stored = await this.#read(store);
      const before = stored?.ids ?? [];
      const ids = change(this.#current(stored));
      if (JSON.stringify(ids) === JSON.stringify(before)) return;
      await makeFolderDurably(this.#fileSystem, await trashFolder(store));
      await writeDurably(this.#fileSystem, await this.#path(store), serialiseStored({ version: 1, ids }));
    });
  }

  #current(stored: Stored | null): Stored['ids'] {
    return (stored?.ids ?? []).filter(({ purgedAt }) => purgedAt + TRASH_LIFETIME_MS > this.#now());
  }

  /** Null when there is none, or when what is there is nothing that was written here: then it is written anew. */
  async #read(store: SessionStore): Promise<Stored | null> {
    const read = await readWhole(this.#fileSystem, await this.#path(store));
    if (read.state === 'unknown') throw read.failure;
    if (read.state === 'missing') return null;
    try {
      const parsed = Stored.safeParse(parseStored(read.bytes, 'The list of removed sessions'));
      return parsed.success ? parsed.data : null;
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  }

  #path(store: SessionStore): Promise<string> {
    return store.root.locate(TRASH, TOMBSTONES);
  }
}
