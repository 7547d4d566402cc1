import type { QueryClient } from '@tanstack/react-query';
import type { CallError, Client, ContextChange, EventPayload } from '../../src/contract/index.ts';
import {
  type ContextEntry,
  emptyEntry,
  type PendingChange,
  withChange,
  withoutPending,
  withPending,
  withProblem,
  withSnapshot,
} from './context-entry.ts';

/** Key of one owner's context in the query cache. */
export const contextKey = (projectId: string) => ['context', projectId] as const;

type Push = EventPayload<'context.changed'>;

/**
 * Keeps the contexts in the query cache true: a snapshot, then changes by sequence number, from pushes and from the
 * results of this window's own calls. A gap leads to one `context.get`; pushes that come while it runs are held back
 * and applied after it.
 */
export class ContextSync {
  readonly #client: Client;
  readonly #cache: QueryClient;
  /** Owners whose context is being asked for, with the pushes held back meanwhile. */
  readonly #loading = new Map<string, { done: Promise<ContextEntry>; held: Push[] }>();
  readonly #stop: () => void;
  readonly #readable: (projectId: string) => void;
  #nextPending = 1;

  /** @param readable told whenever an owner's context arrives whole or changed, and can so be read */
  constructor(client: Client, cache: QueryClient, readable: (projectId: string) => void = () => {}) {
    this.#readable = readable;
    this.#client = client;
    this.#cache = cache;
    this.#stop = client.on('context.changed', (push) => this.#receive(push));
  }

  /** The entry as it is known now; empty when nothing was loaded. */
  entry(projectId: string): ContextEntry {
    return this.#cache.getQueryData<ContextEntry>(contextKey(projectId)) ?? emptyEntry;
  }

  /** Asks for the whole context; calls made while one is on its way share its answer. Never rejects. */
  load(projectId: string): Promise<ContextEntry> {
    const running = this.#loading.get(projectId);
    if (running) return running.done;
    const held: Push[] = [];
    const done = this.#get(projectId, held);
    this.#loading.set(projectId, { done, held });
    return done;
  }

  /** Loads the context unless it is known or on its way. */
  ensure(projectId: string): void {
    if (this.#cache.getQueryData(contextKey(projectId)) === undefined) void this.load(projectId);
  }

  /** Takes the change that a call of this window answered. */
  accept(change: ContextChange): void {
    this.#receive({ kind: 'change', change });
  }

  /** Shows a change before it is acknowledged; the result takes it back. */
  show(projectId: string, apply: PendingChange['apply']): () => void {
    const change: PendingChange = { id: this.#nextPending++, apply };
    this.#set(projectId, withPending(this.entry(projectId), change));
    return () => this.#set(projectId, withoutPending(this.entry(projectId), change.id));
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  async #get(projectId: string, held: Push[]): Promise<ContextEntry> {
    const answer = await this.#client.context.get({ projectId });
    this.#loading.delete(projectId);
    const before = this.entry(projectId);
    const entry = answer.ok ? withSnapshot(before, answer.value) : { ...before, problem: answer.error as CallError };
    this.#set(projectId, entry);
    if (answer.ok) this.#readable(projectId);
    for (const push of held) this.#receive(push);
    const again = this.#loading.get(projectId);
    return again ? again.done : this.entry(projectId);
  }

  #receive(push: Push): void {
    const projectId = push.kind === 'change' ? push.change.projectId : push.projectId;
    const loading = this.#loading.get(projectId);
    if (loading) {
      loading.held.push(push);
      return;
    }
    const before = this.#cache.getQueryData<ContextEntry>(contextKey(projectId));
    // Nothing of this window shows that owner: it is loaded when it is first looked at.
    if (before === undefined) return;
    const after =
      push.kind === 'change' ? withChange(before, push.change) : withProblem(before, push.error, push.sequence);
    if (after === null) void this.load(projectId);
    else this.#set(projectId, after);
    if (after !== null && after !== before && after.problem === null) this.#readable(projectId);
  }

  #set(projectId: string, entry: ContextEntry): void {
    this.#cache.setQueryData<ContextEntry>(contextKey(projectId), entry);
  }
}
