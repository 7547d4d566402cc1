import { type Backup, type BackupReason, Failure, type Implementation } from '../../../src/contract/index.ts';
import type { StoredContext, StoredLists } from './context.ts';
import type { MemoryStore } from './store.ts';

type RecoveryCalls = Pick<Implementation['context'], 'backups' | 'recover'>;

const FIVE_MINUTES = 5 * 60 * 1000;

/** Keeps the lists as they are now. */
export function backUp(stored: StoredContext, reason: BackupReason, now: number): string {
  const id = `${now}-${reason}`;
  stored.backups.unshift({ id, at: now, reason, lists: copyOf(stored) });
  return id;
}

/** Keeps the lists before a change, at most every five minutes. */
export function backUpRegularly(stored: StoredContext, now: number): void {
  const last = stored.backups.find(({ reason }) => reason === 'regular');
  if (last === undefined || now - last.at >= FIVE_MINUTES) backUp(stored, 'regular', now);
}

/** The calls about earlier versions of a whole context. */
export function recoveryCalls(store: MemoryStore): RecoveryCalls {
  return {
    backups: async ({ projectId }) => ({ backups: store.of(projectId).backups.map(shown) }),
    recover: async ({ projectId, backupId, mode }) => {
      const stored = store.of(projectId);
      const backup = stored.backups.find(({ id }) => id === backupId);
      if (backupId !== null && backup === undefined) {
        throw new Failure('not-found', 'That earlier version is no longer there. Nothing was changed.');
      }
      if (backup?.lists === null) {
        throw new Failure('malformed', 'That earlier version cannot be read. Nothing was changed.');
      }
      const now = store.now();
      const damaged = stored.damaged ? `context.json.damaged-${now}` : null;
      const lists = backup?.lists ?? null;
      const change = (changed: StoredContext) => {
        if (damaged === null) backUp(changed, 'recovered', now);
        changed.damaged = false;
        if (lists !== null && mode === 'merge') merge(changed, copyOf(lists));
        else if (lists !== null) Object.assign(changed, copyOf(lists));
      };
      const context = store.change(projectId, change, true);
      return { damaged, context };
    },
  };
}

function shown({ id, at, reason, lists }: StoredContext['backups'][number]): Backup {
  const counts = lists && { notes: lists.notes.length, todos: lists.todos.length, plans: lists.plans.length };
  return { id, at, reason, bytes: JSON.stringify(lists).length, counts };
}

const copyOf = ({ notes, todos, plans }: StoredLists): StoredLists => structuredClone({ notes, todos, plans });

function merge(into: StoredLists, from: StoredLists): void {
  const missing = <Entry extends { id: string }>(here: Entry[], there: Entry[]) =>
    there.filter(({ id }) => !here.some((entry) => entry.id === id));
  into.notes.push(...missing(into.notes, from.notes));
  into.todos.push(...missing(into.todos, from.todos));
  into.plans.push(...missing(into.plans, from.plans));
}
