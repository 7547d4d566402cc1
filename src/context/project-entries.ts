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
