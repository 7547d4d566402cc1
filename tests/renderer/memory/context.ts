import { createHash } from 'node:crypto';
import type {
  BackupReason,
  ContextNotice,
  ContextSnapshot,
  DeletedItem,
  HealthItem,
  Note,
  Plan,
  PlanDocument,
  Todo,
} from '../../../src/contract/index.ts';

/** Id of the chats root. */
export const CHATS = 'path_chats';

/** First 16 hex digits of the SHA-256 of a value's JSON or of a text. */
export const revisionOf = (value: unknown): string =>
  createHash('sha256')
    .update(typeof value === 'string' ? value : JSON.stringify(value))
    .digest('hex')
    .slice(0, 16);

export type StoredNote = Omit<Note, 'revision'>;
export type StoredTodo = Omit<Todo, 'revision'>;
export interface StoredPlan {
  id: string;
  file: string;
  createdAt: number;
  pinned?: boolean;
}

export type StoredEntry = StoredNote | StoredTodo | StoredPlan;

/** The three lists of a context. */
export interface StoredLists {
  notes: StoredNote[];
  todos: StoredTodo[];
  plans: StoredPlan[];
}

/** What one call deleted, with the place of each entry. */
export interface StoredTrash {
  id: string;
  kind: DeletedItem['kind'];
  deletedAt: number;
  entries: { entry: StoredEntry; index: number; after: string | null; before: string | null }[];
  /** Text of a deleted plan; null when its file was not there. */
  raw: string | null;
}

/** An earlier version of a context; `lists` is null for one that cannot be read. */
export interface StoredBackup {
  id: string;
  at: number;
  reason: BackupReason;
  lists: StoredLists | null;
}

export interface StoredVersion {
  id: string;
  at: number;
  reason: BackupReason;
  raw: string;
}

/** What one owner has, as its folder would hold it. */
export interface StoredContext extends StoredLists {
  /** Text of each plan file by its name; a missing one has no entry. */
  files: Map<string, string>;
  health: HealthItem[];
  readOnly: boolean;
  notices: ContextNotice[];
  /** By notice: makes the changes again that another program took back; answers how many. */
  reverted: Map<string, (stored: StoredContext) => number>;
  /** The file holds bytes that are not a context. */
  damaged: boolean;
  /** What was deleted, newest first. */
  trash: StoredTrash[];
  /** Earlier versions of the lists, newest first. */
  backups: StoredBackup[];
  /** Earlier versions of each plan file by its name, newest first. */
  versions: Map<string, StoredVersion[]>;
}

export const emptyContext = (): StoredContext => ({
  notes: [],
  todos: [],
  plans: [],
  files: new Map(),
  health: [],
  readOnly: false,
  notices: [],
  reverted: new Map(),
  damaged: false,
  trash: [],
  backups: [],
  versions: new Map(),
});

/** Title and body of a plan's text: its first heading and what follows. */
export function parsePlan(raw: string): { title: string; body: string } {
  const match = /^# (.*)\r?\n?(?:\r?\n)?/.exec(raw);
  return match
    ? { title: (match[1] ?? '').trim(), body: raw.slice(match[0].length) }
    : { title: 'Untitled plan', body: raw };
}

/** The context as the contract sends it. */
export function snapshotOf(projectId: string, sequence: number, stored: StoredContext): ContextSnapshot {
  const todos = stored.todos.map((todo) => ({ ...todo, revision: revisionOf(todo) }));
  return {
    projectId,
    sequence,
    revision: revisionOf([stored.notes, stored.todos, stored.plans]),
    state: 'present',
    version: 2,
    readOnly: stored.readOnly,
    todosRevision: revisionOf(todos),
    health: stored.health,
    notices: [...stored.notices],
    notes: stored.notes.map((note) => ({ ...note, revision: revisionOf(note) })),
    todos,
    plans: stored.plans.map((plan) => planOf(stored, plan)),
  };
}

export function planOf(stored: StoredContext, plan: StoredPlan): Plan {
  const raw = stored.files.get(plan.file);
  return {
    ...plan,
    title: raw === undefined ? 'Missing plan' : parsePlan(raw).title,
    revision: raw === undefined ? null : revisionOf(raw),
    missing: raw === undefined,
  };
}

export function documentOf(stored: StoredContext, plan: StoredPlan, raw: string): PlanDocument {
  return { plan: planOf(stored, plan), ...parsePlan(raw), raw, revision: revisionOf(raw), readOnly: null };
}
