/**
 * What a backend reported. `notice` is the operating system's own word, unchecked (a removal looks like an arrival);
 * the others are known to be so.
 */
export type TreeEventKind = 'notice' | 'add' | 'addDir' | 'change' | 'unlink' | 'unlinkDir';

/** One event of a backend; `segments` is the path below the root, empty for the root itself. */
export type TreeEvent = { kind: TreeEventKind; segments: readonly string[] };

/** What may stand at a path, as far as it is known when a path is filtered. */
export type EntryType = 'file' | 'folder' | 'link' | 'other' | 'unknown';

/** What is watched below a root, and where an event of it says to look. Pure: the same for every root of its kind. */
export type WatchedTree<Hint> = {
  /** What the root is called in a sentence for the person. */
  name: string;
  /** What to say while the root was never there; null for nothing. */
  notYet: string | null;
  /** How soon changes show while they are looked for instead of told, as the end of a sentence. */
  pollingDelay: string;
  /** How many levels below the root may hold a watched folder or file. */
  depth: number;
  /** Whether a path below the root belongs to the watched tree; everything else costs no watch. */
  isWatched(segments: readonly string[], type: EntryType): boolean;
  /**
   * Whether a watched folder is one of which only the names of changed entries are wanted. Its entries are neither listed
   * nor looked at nor remembered, however many there are.
   */
  isUnread(segments: readonly string[]): boolean;
  /** Folders right below the root by whose times, beside the root's own, missing events are found out. */
  probed: readonly string[];
  /** Where to look again after an event. */
  hintsFor(event: TreeEvent): Hint[];
  /** A text that is the same for two hints about the same thing. */
  keyOf(hint: Hint): string;
  /** The hint that takes the place of many like this one; null when there is none. */
  widened(hint: Hint): Hint | null;
  /** The hints of one batch with those left out that another one covers. */
  joined(hints: Hint[]): Hint[];
  /** Look at everything. */
  all: Hint;
};
