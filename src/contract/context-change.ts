import { differingRange } from './differing-range.ts';
import type { ContextChange, ContextSnapshot } from './entities.ts';

type Entry = { id: string };
type ListChange<E> = { order?: string[] | undefined; changed: E[] };

/** What turns `before` into `after`; with `before` null, everything. Entries are compared by value. */
export function contextChange(before: ContextSnapshot | null, after: ContextSnapshot): ContextChange {
  const { notes, todos, plans, ...head } = after;
  return {
    ...head,
    base: before === null ? null : before.sequence,
    notes: listChange(before?.notes ?? null, notes),
    todos: listChange(before?.todos ?? null, todos),
    plans: listChange(before?.plans ?? null, plans),
  };
}

/**
 * The context after `change`. Null when the change does not stand on `current`: a change was missed, and the caller has
 * to ask for the whole context once. A change that `current` already contains leaves it as it is.
 */
export function applyContextChange(current: ContextSnapshot | null, change: ContextChange): ContextSnapshot | null {
  if (current !== null && change.sequence <= current.sequence) return current;
  if (change.base !== null && (current === null || current.sequence !== change.base)) return null;
  const ground = change.base === null ? null : current;
  const { base: _base, notes, todos, plans, ...head } = change;
  return {
    ...head,
    notes: applyList(ground?.notes ?? [], notes),
    todos: applyList(ground?.todos ?? [], todos),
    plans: applyList(ground?.plans ?? [], plans),
  };
}

/** Only where the lists differ are entries compared by value: most are the very objects that they were before. */
function listChange<E extends Entry>(before: readonly E[] | null, after: readonly E[]): ListChange<E> {
  if (before === null) return { order: after.map((entry) => entry.id), changed: [...after] };
  const { start, beforeEnd, afterEnd } = differingRange(before, after);
  const old = before.slice(start, beforeEnd);
  const fresh = after.slice(start, afterEnd);
  if (old.length === fresh.length && fresh.every((entry, index) => old[index]?.id === entry.id)) {
    return { changed: fresh.filter((entry, index) => !sameEntry(old[index], entry)) };
  }
  const known = new Map(old.map((entry) => [entry.id, entry]));
  const changed = fresh.filter((entry) => !sameEntry(known.get(entry.id), entry));
  return { order: after.map((entry) => entry.id), changed };
}

function sameEntry<E extends Entry>(before: E | undefined, after: E): boolean {
  return before === after || (before !== undefined && JSON.stringify(before) === JSON.stringify(after));
}

function applyList<E extends Entry>(before: readonly E[], change: ListChange<E>): E[] {
  const entries = new Map(before.map((entry) => [entry.id, entry]));
  for (const entry of change.changed) entries.set(entry.id, entry);
  const order = change.order ?? before.map((entry) => entry.id);
  return order.map((id) => entries.get(id)).filter((entry) => entry !== undefined);
}
