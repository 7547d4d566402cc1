import type { DraftStorage } from '../../renderer/state/drafts.ts';
import { createSidekeep, type Sidekeep } from '../../renderer/state/sidekeep.ts';
import type { Role } from '../../src/contract/index.ts';
import { CHATS } from './memory/context.ts';
import { MemoryStore } from './memory/store.ts';

/** `localStorage` in memory. `full` makes it refuse to store. */
export class MemoryStorage implements DraftStorage {
  readonly entries = new Map<string, string>();
  full = false;

  get length(): number {
    return this.entries.size;
  }

  key(index: number): string | null {
    return [...this.entries.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.entries.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    if (this.full) throw new Error('the storage is full');
    this.entries.set(key, value);
  }

  removeItem(key: string): void {
    this.entries.delete(key);
  }
}

/** The state of one window over a store of its own, with the context of Chats loaded. */
export interface TestWindow extends Disposable {
  readonly store: MemoryStore;
  readonly storage: MemoryStorage;
  readonly sidekeep: Sidekeep;
  /** Another window over the same store. */
  connect(role: Role): Sidekeep;
}

export async function openWindow(prepare: (store: MemoryStore) => void = () => {}): Promise<TestWindow> {
  const store = new MemoryStore();
  prepare(store);
  const storage = new MemoryStorage();
  const opened: Sidekeep[] = [];
  const connect = (role: Role): Sidekeep => {
    const sidekeep = createSidekeep(store.pair.connect(role), role, storage);
    opened.push(sidekeep);
    return sidekeep;
  };
  const sidekeep = connect('sidebar');
  await sidekeep.contexts.load(CHATS);
  return {
    store,
    storage,
    sidekeep,
    connect,
    [Symbol.dispose]: () => {
      for (const each of opened) each[Symbol.dispose]();
    },
  };
}

/** Lets everything that is already on its way arrive. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

export const note = (id: string, body: string) => ({
  id,
  body,
  createdAt: 1,
  updatedAt: 1,
  source: 'manual' as const,
});

export const todo = (id: string, text: string, completed = false) => ({ id, text, completed, createdAt: 1 });
