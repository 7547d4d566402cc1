import {
  applyContextChange,
  type CallError,
  type ContextChange,
  type ContextSnapshot,
} from '../../src/contract/index.ts';

/** A change that was asked for and not yet answered; shown at once on top of what the main process last said. */
export interface PendingChange {
  readonly id: number;
  apply(snapshot: ContextSnapshot): ContextSnapshot;
}

/** What the query cache holds for one owner, under the key `['context', projectId]`. */
export interface ContextEntry {
  /** The newest context that the main process sent; null before the first one. */
  readonly confirmed: ContextSnapshot | null;
  readonly pending: readonly PendingChange[];
  /** `confirmed` with `pending` applied: what windows show. Entries that did not change keep their identity. */
  readonly view: ContextSnapshot | null;
  /** Why the file cannot be read at the moment; `view` is then the last good one. */
  readonly problem: CallError | null;
}

export const emptyEntry: ContextEntry = { confirmed: null, pending: [], view: null, problem: null };

/** The entry with a whole context; an older one than is known already is ignored, but ends a problem. */
export function withSnapshot(entry: ContextEntry, snapshot: ContextSnapshot): ContextEntry {
  const newer = entry.confirmed === null || snapshot.sequence >= entry.confirmed.sequence;
  return derive({ ...entry, confirmed: newer ? snapshot : entry.confirmed, problem: null });
}

/** The entry after a change; null when a change was missed and the whole context has to be asked for. */
export function withChange(entry: ContextEntry, change: ContextChange): ContextEntry | null {
  const confirmed = applyContextChange(entry.confirmed, change);
  if (confirmed === null) return null;
  if (confirmed === entry.confirmed && entry.problem === null) return entry;
  // A change that is older than what is known says nothing about a problem that came later.
  const stale = entry.confirmed !== null && change.sequence < entry.confirmed.sequence;
  return derive({ ...entry, confirmed, problem: stale ? entry.problem : null });
}

/** The entry with a problem; one that is older than the known context is ignored. */
export function withProblem(entry: ContextEntry, problem: CallError, sequence: number): ContextEntry {
  if (entry.confirmed !== null && sequence < entry.confirmed.sequence) return entry;
  return { ...entry, problem };
}

export function withPending(entry: ContextEntry, change: PendingChange): ContextEntry {
  return derive({ ...entry, pending: [...entry.pending, change] });
}

export function withoutPending(entry: ContextEntry, id: number): ContextEntry {
  if (!entry.pending.some((change) => change.id === id)) return entry;
  return derive({ ...entry, pending: entry.pending.filter((change) => change.id !== id) });
}

function derive(entry: ContextEntry): ContextEntry {
  const { confirmed, pending } = entry;
  const view = confirmed === null ? null : pending.reduce((view, change) => change.apply(view), confirmed);
  return { ...entry, view };
}
