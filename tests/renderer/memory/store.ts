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
import { createChatCalls, MemoryChats } from './chats.ts';
import { CHATS, emptyContext, type StoredContext, snapshotOf } from './context.ts';
import { createContextCalls } from './context-calls.ts';
import { createKnowledgeCalls, MemoryKnowledge } from './knowledge.ts';
import { createMemoryCalls, MemoryEntries } from './memory-entries.ts';
import { backUpRegularly } from './recovery.ts';
import { MemorySessions } from './session-store.ts';
import { createSessionCalls } from './sessions.ts';

const DAMAGED = 'This file is damaged. It was left exactly as it is.';

/**
 * Contexts in memory behind the real contract: what the main process does for the windows, without files. Tests change
 * it from outside, make calls wait or fail, and watch what the windows make of it.
 */
export class MemoryStore {
  readonly contexts = new Map<string, StoredContext>();
  readonly application: Application;
  readonly sessions: MemorySessions;
  readonly memories: MemoryEntries;
  readonly knowledge: MemoryKnowledge;
  readonly chats: MemoryChats;
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
    this.application = createApplication(
      (name, payload) => this.pair.publish(name, payload),
      (from, to) => this.#merge(from, to),
    );
    this.sessions = new MemorySessions(
      (name, payload) => {
        this.pair.publish(name, payload);
        if (name === 'sessions.changed') this.chats.push();
      },
      () => this.now(),
    );
    this.memories = new MemoryEntries(
      (name, payload) => this.pair.publish(name, payload),
      () => this.application.settings().memoryEnabled,
      () => this.now(),
    );
    this.knowledge = new MemoryKnowledge(this);
    this.memories.onChange = (ownerId) => this.knowledge.changed(null, ownerId);
    this.sessions.tell = (session) => this.knowledge.tell(session);
    this.chats = new MemoryChats(this.sessions, (name, payload) => this.pair.publish(name, payload));
    const calls = {
      ...createContextCalls(this),
      ...this.application.calls,
      sessions: createSessionCalls(this.sessions, this.chats),
      chats: createChatCalls(this.chats, this.sessions),
      memory: createMemoryCalls(this.memories),
      knowledge: createKnowledgeCalls(this.knowledge),
    };
    this.pair = createPair(this.#watched(calls), (where, error) => this.reports.push(`${where}: ${String(error)}`));
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

  /** @throws malformed while the file is damaged */
  snapshot(projectId: string): ContextSnapshot {
    if (this.of(projectId).damaged) throw new Failure('malformed', DAMAGED);
    return this.#last(projectId);
  }

  #last(projectId: string): ContextSnapshot {
    const sent = this.#sent.get(projectId) ?? snapshotOf(projectId, 1, this.of(projectId));
    this.#sent.set(projectId, sent);
    return sent;
  }

  /**
   * Changes a context, pushes what changed, and answers it: for calls and for changes from outside alike.
   * @param recovering the change puts something in the place of what is there, damaged or not
   */
  change(projectId: string, edit: (stored: StoredContext) => void, recovering = false): ContextChange {
    const before = this.#last(projectId);
    if (!recovering) {
      if (this.of(projectId).damaged) throw new Failure('malformed', DAMAGED);
      backUpRegularly(this.of(projectId), this.now());
    }
    edit(this.of(projectId));
    const after = snapshotOf(projectId, before.sequence + 1, this.of(projectId));
    this.#sent.set(projectId, after);
    const change = contextChange(before, after);
    if (!this.silent) this.pair.publish('context.changed', { kind: 'change', change });
    this.knowledge.changed(null, projectId);
    return change;
  }

  /** Puts bytes that are no context in the place of the file; they stay until somebody recovers. */
  damage(projectId: string): void {
    const { sequence } = this.#last(projectId);
    Object.assign(this.of(projectId), { damaged: true, notes: [], todos: [], plans: [] });
    const error = { code: 'malformed' as const, status: errorStatus.malformed, message: DAMAGED };
    this.pair.publish('context.changed', { kind: 'problem', projectId, sequence, error });
  }

  /** Says that a context can no longer be read. */
  fail(projectId: string, code: CallError['code'], message: string): void {
    const failure = new Failure(code, message);
    this.failing.set('context.get', failure);
    this.pair.publish('context.changed', {
      kind: 'problem',
      projectId,
      sequence: this.#last(projectId).sequence,
      error: { code, status: errorStatus[code], message },
    });
  }

  /** Brings what one owner has to another; answers how much that was, null when there was nothing. */
  #merge(from: string, to: string): { notes: number; todos: number; plans: number } | null {
    const moved = this.contexts.get(from);
    this.contexts.delete(from);
    if (!this.contexts.has(to)) this.contexts.set(to, emptyContext());
    if (moved === undefined) return null;
    const { notes, todos, plans, files } = moved;
    if (notes.length + todos.length + plans.length === 0) return null;
    this.change(to, (stored) => {
      stored.notes.push(...notes);
      stored.todos.push(...todos);
      stored.plans.push(...plans);
      for (const [name, raw] of files) stored.files.set(name, raw);
    });
    return { notes: notes.length, todos: todos.length, plans: plans.length };
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
