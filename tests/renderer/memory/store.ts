import {
  type CallError,
  type ContextChange,
  type ContextSnapshot,
  contextChange,
  createPair,
  errorStatus,
  Failure,
  type Pair,
} from '../../../src/contract/index.ts';
import { type Application, createApplication } from './application.ts';
import { CHATS, emptyContext, type StoredContext, snapshotOf } from './context.ts';
import { createContextCalls } from './context-calls.ts';

/**
 * Contexts in memory behind the real contract: what the main process does for the windows, without files. Tests change
 * it from outside, make calls wait or fail, and watch what the windows make of it.
 */
export class MemoryStore {
  readonly contexts = new Map<string, StoredContext>();
  readonly application: Application;
  readonly pair: Pair;
  /** Bugs that the bridge reported; a test that ends with some has failed. */
  readonly reports: string[] = [];
  /** Fails the next calls of this name, such as `notes.create`. */
  readonly failing = new Map<string, Failure>();
  /** Runs before each call; a test may wait here. */
  before: (name: string) => Promise<void> = async () => {};
  /** Names of the calls that were made, in order. */
  readonly calls: string[] = [];
  /** While true, pushes are dropped, as if a window had been asleep. */
  silent = false;
  readonly #sent = new Map<string, ContextSnapshot>();
  #clock = 1_772_000_000_000;

  constructor() {
    this.application = createApplication((name, payload) => this.pair.publish(name, payload));
    this.pair = createPair(this.#watched({ ...createContextCalls(this), ...this.application.calls }), (where, error) =>
      this.reports.push(`${where}: ${String(error)}`),
    );
    this.contexts.set(CHATS, emptyContext());
  }

  /** The stored context of an owner. */
  of(projectId: string): StoredContext {
    const stored = this.contexts.get(projectId);
    if (!stored) throw new Failure('not-found', 'That project is not known. Nothing was changed.');
    return stored;
  }

  /** Milliseconds that grow with each use. */
  now(): number {
    this.#clock += 1000;
    return this.#clock;
  }

  snapshot(projectId: string): ContextSnapshot {
    const sent = this.#sent.get(projectId) ?? snapshotOf(projectId, 1, this.of(projectId));
    this.#sent.set(projectId, sent);
    return sent;
  }

  /** Changes a context, pushes what changed, and answers it: for calls and for changes from outside alike. */
  change(projectId: string, edit: (stored: StoredContext) => void): ContextChange {
    const before = this.snapshot(projectId);
    edit(this.of(projectId));
    const after = snapshotOf(projectId, before.sequence + 1, this.of(projectId));
    this.#sent.set(projectId, after);
    const change = contextChange(before, after);
    if (!this.silent) this.pair.publish('context.changed', { kind: 'change', change });
    return change;
  }

  /** Says that a context can no longer be read. */
  fail(projectId: string, code: CallError['code'], message: string): void {
    const failure = new Failure(code, message);
    this.failing.set('context.get', failure);
    this.pair.publish('context.changed', {
      kind: 'problem',
      projectId,
      sequence: this.snapshot(projectId).sequence,
      error: { code, status: errorStatus[code], message },
    });
  }

  #watched<Groups extends object>(groups: Groups): Groups {
    const wrapped = Object.entries(groups).map(([group, methods]) => [
      group,
      Object.fromEntries(
        Object.entries(methods as Record<string, (...values: unknown[]) => Promise<unknown>>).map(([name, method]) => [
          name,
          async (...values: unknown[]) => {
            this.calls.push(`${group}.${name}`);
            await this.before(`${group}.${name}`);
            const failure = this.failing.get(`${group}.${name}`);
            if (failure) throw failure;
            return method(...values);
          },
        ]),
      ),
    ]);
    return Object.fromEntries(wrapped) as Groups;
  }
}
