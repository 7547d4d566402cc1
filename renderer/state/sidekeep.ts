import { QueryClient } from '@tanstack/react-query';
import type { Client, Role } from '../../src/contract/index.ts';
import { ContextSync } from './context-sync.ts';
import { type DraftStorage, DraftStore } from './drafts.ts';
import { EditingStore } from './editing.ts';
import { SaveStateStore } from './save-state.ts';
import { SessionSync } from './session-sync.ts';
import { SharedValuesSync } from './shared-values.ts';
import { ToastStore } from './toasts.ts';

/** Everything that a window keeps outside its components; one for each page. */
export interface Sidekeep extends Disposable {
  readonly role: Role;
  readonly client: Client;
  readonly cache: QueryClient;
  readonly contexts: ContextSync;
  readonly sessions: SessionSync;
  readonly shared: SharedValuesSync;
  readonly drafts: DraftStore;
  /** Notes and todos that are being edited. */
  readonly editing: EditingStore;
  readonly saves: SaveStateStore;
  readonly toasts: ToastStore;
}

/** Puts a window's state together over a client. Works without a page, for tests. */
export function createSidekeep(client: Client, role: Role, storage: DraftStorage): Sidekeep {
  // The main process pushes each change, so nothing is ever stale; nothing is dropped, since drafts and undo need it.
  const cache = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        retry: false,
        networkMode: 'always',
        structuralSharing: false,
      },
    },
  });
  const saves = new SaveStateStore();
  const contexts = new ContextSync(client, cache, (projectId) => saves.readable(projectId));
  const sessions = new SessionSync(client, cache);
  const shared = new SharedValuesSync(client, cache);
  const drafts = new DraftStore(storage, role);
  const toasts = new ToastStore();
  return {
    role,
    client,
    cache,
    contexts,
    sessions,
    shared,
    drafts,
    editing: new EditingStore(drafts),
    saves,
    toasts,
    [Symbol.dispose]: () => {
      contexts[Symbol.dispose]();
      sessions[Symbol.dispose]();
      shared[Symbol.dispose]();
      drafts[Symbol.dispose]();
      toasts[Symbol.dispose]();
      cache.clear();
    },
  };
}
