import type { ProjectList } from '../contract/entities.ts';
import type { Move } from './merge.ts';

/** What is kept of a project in the settings. */
export interface ProjectEntry {
  id: string;
  /** Its folder; null for one that was only found and whose id does not tell it. */
  path: string | null;
  /** The label that its person gave it; null for the name of its folder. */
  label: string | null;
  hidden: boolean;
}

/** An id that became another one. */
export type MovedId = ProjectList['moved'][number];

/** Most ids that are remembered; a window follows each at once, so that older ones are of no use to it. */
const MAXIMUM_MOVED = 20;

/** The ids that became others, with one more, newest last: each names the id that it has now. */
export function withMoved(moved: readonly MovedId[], { from, to }: MovedId): readonly MovedId[] {
  const others = moved.filter((other) => other.from !== from && other.from !== to);
  return [...others.map((other) => (other.to === from ? { from: other.from, to } : other)), { from, to }].slice(
    -MAXIMUM_MOVED,
  );
}

/** Where the entries are kept. */
export interface ProjectEntries {
  load(): readonly ProjectEntry[];
  save(entries: readonly ProjectEntry[]): void | Promise<void>;
}

/** The entries with one in the place of another of the same id, or at the end. */
export function withEntry(entries: readonly ProjectEntry[], entry: ProjectEntry): readonly ProjectEntry[] {
  const index = entries.findIndex((other) => other.id === entry.id);
  return index < 0 ? [...entries, entry] : entries.with(index, entry);
}

/**
 * The entries after a project became another one: a label that the destination has stays, it is hidden only if both were,
 * and where it was not in the list it takes the place of the source. Applied once more, nothing changes.
 */
export function movedEntries(entries: readonly ProjectEntry[], { from, to, path }: Move): readonly ProjectEntry[] {
  const source = entries.find((entry) => entry.id === from);
  const destination = entries.find((entry) => entry.id === to);
  const hidden = source && destination ? source.hidden && destination.hidden : (source ?? destination)?.hidden;
  const label = destination?.label ?? source?.label ?? null;
  const moved: ProjectEntry = { id: to, path, label, hidden: hidden ?? false };
  if (source === undefined || destination !== undefined) {
    return withEntry(
      entries.filter((entry) => entry !== source),
      moved,
    );
  }
  return entries.map((entry) => (entry === source ? moved : entry));
}
