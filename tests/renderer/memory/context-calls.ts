import { randomUUID } from 'node:crypto';
import { type DeletedItem, Failure, type Implementation, limits } from '../../../src/contract/index.ts';
import { documentOf, planOf, revisionOf, type StoredContext } from './context.ts';
import { createFind } from './find.ts';
import { recoveryCalls } from './recovery.ts';
import type { MemoryStore } from './store.ts';
import { deletedItems, restoreTrash, throwAway } from './trash.ts';

type ContextCalls = Pick<Implementation, 'context' | 'notes' | 'todos' | 'plans'>;
type Entry = { id: string };

/** The calls about notes, todos and plans, over contexts in memory. */
export function createContextCalls(store: MemoryStore): ContextCalls {
  return {
    context: {
      get: async ({ projectId }) => store.snapshot(projectId),
      deleted: async ({ projectId }) => ({ items: deletedItems(readable(store, projectId)) }),
      ...recoveryCalls(store),
      find: createFind(store),
      bringBack: async ({ projectId, noticeId }) => {
        const made = find(store.snapshot(projectId).notices, noticeId, 'notice');
        const again = store.of(projectId).reverted.get(noticeId);
        if (made.kind !== 'overwritten' || again === undefined) {
          throw new Failure('not-found', 'Those changes are no longer known. Nothing was changed.');
        }
        let changes = 0;
        const context = store.change(projectId, (stored) => {
          changes = again(stored);
          stored.notices = stored.notices.filter((notice) => notice.id !== noticeId);
        });
        return { changes, context };
      },
      dismiss: async ({ projectId, noticeId }) => ({
        context: store.change(projectId, (stored) => {
          stored.notices = stored.notices.filter((notice) => notice.id !== noticeId);
        }),
      }),
    },
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
      return remove(store, projectId, 'note', noteId);
    },
    restore: async ({ projectId, trashId }) => {
      const { ids, context } = bringBack(store, projectId, 'note', trashId);
      return { note: shown(projectId, ids[0] ?? ''), context };
    },
  };
}

function todoCalls(store: MemoryStore): ContextCalls['todos'] {
  const shown = (projectId: string, id: string) => find(store.snapshot(projectId).todos, id, 'todo');
  return {
    replace: async ({ projectId, todos }) => {
      let trashId: string | null = null;
      const context = store.change(projectId, (stored) => {
        const left = stored.todos.filter(({ id }) => !todos.some((todo) => todo.id === id));
        trashId = throwAway(stored, 'todos', idsOf(left), store.now());
        stored.todos = todos.map(({ id, text, completed, createdAt }) => ({
          id,
          text,
          completed: completed ?? false,
          createdAt: createdAt ?? store.now(),
        }));
      });
      return { trashId, clamped: false, context };
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
      return remove(store, projectId, 'todos', todoId);
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
      const ticked = idsOf(store.of(projectId).todos.filter((todo) => todo.completed));
      let trashId: string | null = null;
      const context = store.change(projectId, (stored) => {
        trashId = throwAway(stored, 'todos', ticked, store.now());
      });
      return { removed: ticked.length, trashId, context };
    },
    restore: async ({ projectId, trashId }) => {
      const { ids, context } = bringBack(store, projectId, 'todos', trashId);
      return { todos: ids.map((id) => shown(projectId, id)), context };
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
      const { file } = link(projectId, planId);
      const context = store.change(projectId, (stored) => {
        const at = store.now();
        const before = { id: `${at}-regular`, at, reason: 'regular' as const, raw: text(projectId, planId) };
        stored.versions.set(file, [before, ...(stored.versions.get(file) ?? [])]);
        stored.files.set(file, raw);
      });
      return { document: document(projectId, planId), context };
    },
    delete: async ({ projectId, planId }) => {
      link(projectId, planId);
      return { warning: null, ...remove(store, projectId, 'plan', planId) };
    },
    restore: async ({ projectId, trashId }) => {
      const { ids, context } = bringBack(store, projectId, 'plan', trashId);
      return { plan: planOf(store.of(projectId), link(projectId, ids[0] ?? '')), context };
    },
    versions: async ({ projectId, planId }) => {
      const versions = store.of(projectId).versions.get(link(projectId, planId).file) ?? [];
      return { versions: versions.map(({ raw, ...version }) => ({ ...version, bytes: raw.length })) };
    },
    readVersion: async ({ projectId, planId, versionId }) => {
      const versions = store.of(projectId).versions.get(link(projectId, planId).file) ?? [];
      const version = versions.find(({ id }) => id === versionId);
      if (!version) throw new Failure('not-found', 'That earlier version is no longer there. Nothing was changed.');
      return { raw: version.raw };
    },
    setPinned: async ({ projectId, planId, pinned }) => {
      const context = store.change(projectId, () => {
        link(projectId, planId).pinned = pinned;
      });
      return { plan: planOf(store.of(projectId), link(projectId, planId)), context };
    },
  };
}

const idsOf = (entries: readonly Entry[]): string[] => entries.map(({ id }) => id);

function remove(store: MemoryStore, projectId: string, kind: DeletedItem['kind'], id: string) {
  let trashId: string | null = null;
  const context = store.change(projectId, (stored) => {
    trashId = throwAway(stored, kind, [id], store.now());
  });
  if (trashId === null) throw new Failure('not-found', 'It is no longer there. Nothing was changed.');
  return { trashId, context };
}

function bringBack(store: MemoryStore, projectId: string, kind: DeletedItem['kind'], trashId: string) {
  let ids: string[] = [];
  const context = store.change(projectId, (stored) => {
    ids = idsOf(restoreTrash(stored, kind, trashId));
  });
  return { ids, context };
}

function readable(store: MemoryStore, projectId: string): StoredContext {
  store.snapshot(projectId);
  return store.of(projectId);
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
