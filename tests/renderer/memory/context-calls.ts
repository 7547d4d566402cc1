import { randomUUID } from 'node:crypto';
import { Failure, type Implementation, limits } from '../../../src/contract/index.ts';
import { documentOf, planOf, revisionOf, type StoredContext } from './context.ts';
import type { MemoryStore } from './store.ts';

type ContextCalls = Pick<Implementation, 'context' | 'notes' | 'todos' | 'plans'>;
type Entry = { id: string };

/** The calls about notes, todos and plans, over contexts in memory. */
export function createContextCalls(store: MemoryStore): ContextCalls {
  return {
    context: { get: async ({ projectId }) => store.snapshot(projectId) },
    notes: noteCalls(store),
    todos: todoCalls(store),
    plans: planCalls(store),
  };
}

function noteCalls(store: MemoryStore): ContextCalls['notes'] {
  const shown = (projectId: string, id: string) => find(store.snapshot(projectId).notes, id, 'note');
  return {
    create: async ({ projectId, body, source, origin }) => {
      if (writable(store, projectId).notes.length >= limits.notes) throw full('notes', limits.notes);
      const now = store.now();
      const id = randomUUID();
      const text = body.slice(0, limits.noteBody);
      const context = store.change(projectId, (stored) => {
        const note = { id, body: text, createdAt: now, updatedAt: now, source: source ?? 'manual' } as const;
        stored.notes.unshift({ ...note, ...(origin ? { origin } : {}) });
      });
      return { note: shown(projectId, id), clamped: text !== body, context };
    },
    update: async ({ projectId, noteId, body, pinned, revision }) => {
      checkRevision(shown(projectId, noteId), revision, 'note');
      const text = body?.slice(0, limits.noteBody);
      const context = store.change(projectId, (stored) => {
        const note = find(stored.notes, noteId, 'note');
        if (text !== undefined) note.body = text;
        if (pinned !== undefined) note.pinned = pinned;
        note.updatedAt = store.now();
      });
      return { note: shown(projectId, noteId), clamped: text !== body, context };
    },
    delete: async ({ projectId, noteId, revision }) => {
      checkRevision(shown(projectId, noteId), revision, 'note');
      return { context: store.change(projectId, (stored) => drop(stored.notes, noteId)) };
    },
  };
}

function todoCalls(store: MemoryStore): ContextCalls['todos'] {
  const shown = (projectId: string, id: string) => find(store.snapshot(projectId).todos, id, 'todo');
  return {
    replace: async ({ projectId, todos }) => {
      const context = store.change(projectId, (stored) => {
        stored.todos = todos.map(({ id, text, completed, createdAt }) => ({
          id,
          text,
          completed: completed ?? false,
          createdAt: createdAt ?? store.now(),
        }));
      });
      return { clamped: false, context };
    },
    add: async ({ projectId, text }) => {
      if (writable(store, projectId).todos.length >= limits.todos) throw full('todos', limits.todos);
      const id = randomUUID();
      const short = text.slice(0, limits.todoText);
      const context = store.change(projectId, (stored) => {
        stored.todos.push({ id, text: short, completed: false, createdAt: store.now() });
      });
      return { todo: shown(projectId, id), clamped: short !== text, context };
    },
    update: async ({ projectId, todoId, text, completed, revision }) => {
      checkRevision(shown(projectId, todoId), revision, 'todo');
      const context = store.change(projectId, (stored) => {
        const todo = find(stored.todos, todoId, 'todo');
        if (text !== undefined) todo.text = text.slice(0, limits.todoText);
        if (completed !== undefined) todo.completed = completed;
      });
      return { todo: shown(projectId, todoId), clamped: false, context };
    },
    delete: async ({ projectId, todoId, revision }) => {
      checkRevision(shown(projectId, todoId), revision, 'todo');
      return { context: store.change(projectId, (stored) => drop(stored.todos, todoId)) };
    },
    move: async ({ projectId, todoId, before }) => {
      shown(projectId, todoId);
      const context = store.change(projectId, (stored) => {
        const moved = find(stored.todos, todoId, 'todo');
        drop(stored.todos, todoId);
        const index = before === null ? -1 : stored.todos.findIndex((todo) => todo.id === before);
        stored.todos.splice(index < 0 ? stored.todos.length : index, 0, moved);
      });
      return { context };
    },
    clearCompleted: async ({ projectId }) => {
      const before = store.of(projectId).todos.length;
      const context = store.change(projectId, (stored) => {
        stored.todos = stored.todos.filter((todo) => !todo.completed);
      });
      return { removed: before - store.of(projectId).todos.length, context };
    },
  };
}

function planCalls(store: MemoryStore): ContextCalls['plans'] {
  const link = (projectId: string, id: string) => find(store.of(projectId).plans, id, 'plan');
  const text = (projectId: string, id: string): string => {
    const raw = store.of(projectId).files.get(link(projectId, id).file);
    if (raw === undefined) throw new Failure('not-found', 'The file of this plan is not there. Nothing was written.');
    return raw;
  };
  const document = (projectId: string, id: string) =>
    documentOf(store.of(projectId), link(projectId, id), text(projectId, id));
  return {
    create: async ({ projectId, title, body }) => {
      if (writable(store, projectId).plans.length >= limits.plans) throw full('plans', limits.plans);
      const plan = { id: randomUUID(), file: `${store.now()}-plan.md`, createdAt: store.now() };
      const context = store.change(projectId, (stored) => {
        stored.files.set(plan.file, `# ${title?.trim() || 'Untitled plan'}\n\n${body}`);
        stored.plans.unshift(plan);
      });
      return { plan: planOf(store.of(projectId), plan), clamped: false, context };
    },
    read: async ({ projectId, planId }) => document(projectId, planId),
    update: async ({ projectId, planId, raw, revision }) => {
      checkRevision({ revision: revisionOf(text(projectId, planId)) }, revision, 'plan');
      const context = store.change(projectId, (stored) => stored.files.set(link(projectId, planId).file, raw));
      return { document: document(projectId, planId), context };
    },
    delete: async ({ projectId, planId }) => {
      const { file } = link(projectId, planId);
      const context = store.change(projectId, (stored) => {
        drop(stored.plans, planId);
        stored.files.delete(file);
      });
      return { warning: null, context };
    },
    setPinned: async ({ projectId, planId, pinned }) => {
      const context = store.change(projectId, () => {
        link(projectId, planId).pinned = pinned;
      });
      return { plan: planOf(store.of(projectId), link(projectId, planId)), context };
    },
  };
}

function writable(store: MemoryStore, projectId: string): StoredContext {
  const stored = store.of(projectId);
  if (stored.readOnly) {
    throw new Failure('newer-version', 'This context was written by a newer Sidekeep. Nothing was changed.');
  }
  return stored;
}

function find<E extends Entry>(list: readonly E[], id: string, kind: string): E {
  const entry = list.find((candidate) => candidate.id === id);
  if (!entry) throw new Failure('not-found', `This ${kind} is no longer there. Nothing was changed.`);
  return entry;
}

function drop(list: Entry[], id: string): void {
  const index = list.findIndex((entry) => entry.id === id);
  if (index >= 0) list.splice(index, 1);
}

function checkRevision(current: { revision: string }, expected: string | undefined, kind: string): void {
  if (expected !== undefined && expected !== current.revision) {
    throw new Failure('conflict', `This ${kind} changed meanwhile. Nothing was overwritten.`);
  }
}

const full = (list: string, limit: number) =>
  new Failure('limit', `There are ${limit} ${list} already. Delete some to add more; nothing was lost.`);
