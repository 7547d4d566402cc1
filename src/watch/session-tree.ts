import type { StoreKey } from '../contract/entities.ts';
import { temporaryOwner } from '../files/temporary-name.ts';
import type { EntryType, TreeEvent, TreeEventKind, WatchedTree } from './watched-tree.ts';

/**
 * Where to look again in a sessions root. A hint says nothing about what happened. `files` names entries of a store; `store`
 * is all of one store; `stores` is the set of stores; `all` means look at everything.
 */
export type SessionHint =
  | { kind: 'files'; store: StoreKey; names: string[] }
  | { kind: 'store'; store: StoreKey }
  | { kind: 'stores' }
  | { kind: 'all' };

/** How deep the watched tree goes: `projects`, `<slug>`, `sessions`. */
const treeDepth = 3;

/** So many names of one store in one batch say no more than that the store has to be looked at. */
const manyNames = 256;

/** Longest name of a folder under `projects/` with which a store key can be made, in UTF-16 code units. */
const longestSlug = 248;

/** Names that make a store key of the contract. Written out as in `hints.ts`; a test holds the two together. */
export const isSlug = (name: string): boolean =>
  name.length <= longestSlug && /^(?!\.)[^/\\:\u0000-\u001f]+$/.test(name);

/** The store that a folder is, or null for any other folder. */
const storeAt = (segments: readonly string[]): StoreKey | null => {
  const [top, slug, folder] = segments;
  if (segments.length === 1 && top === 'sessions') return 'global';
  const isStore = segments.length === 3 && top === 'projects' && folder === 'sessions';
  return isStore && slug !== undefined && isSlug(slug) ? `project:${slug}` : null;
};

/** Hints for a folder above the stores of projects that came, went or became another one. */
const hintsAboveStores = (segments: readonly string[]): SessionHint[] => {
  const [top, slug] = segments;
  if (top !== 'projects' || segments.length > 2) return [];
  if (slug === undefined) return [{ kind: 'all' }];
  return isSlug(slug) ? [{ kind: 'stores' }, { kind: 'store', store: `project:${slug}` }] : [];
};

const isFileEvent = (kind: TreeEventKind): boolean => kind === 'add' || kind === 'change' || kind === 'unlink';

/** Turns one event into hints. A half-written file gives none; which other names are a session's is for others to say. */
export const hintsFor = ({ kind, segments }: TreeEvent): SessionHint[] => {
  const itself = storeAt(segments);
  if (itself !== null) return [{ kind: 'stores' }, { kind: 'store', store: itself }];
  const store = storeAt(segments.slice(0, -1));
  const name = segments.at(-1);
  if (store !== null && name !== undefined) {
    return temporaryOwner(name) === null ? [{ kind: 'files', store, names: [name] }] : [];
  }
  return isFileEvent(kind) ? [] : hintsAboveStores(segments);
};

/** The folders above the stores, and the stores themselves; no entry of a store, nothing else, nothing behind a link. */
export const isWatched = (segments: readonly string[], type: EntryType): boolean => {
  if (segments.length === 0) return true;
  if (type !== 'folder' && type !== 'unknown') return false;
  if (storeAt(segments) !== null) return true;
  const [top, slug] = segments;
  return top === 'projects' && segments.length <= 2 && (slug === undefined || isSlug(slug));
};

/** A text that is the same for two hints about the same thing. */
export const hintKey = (hint: SessionHint): string => {
  switch (hint.kind) {
    case 'files':
      return `files ${hint.store}/${hint.names.join('/')}`;
    case 'store':
      return `store ${hint.store}`;
    default:
      return hint.kind;
  }
};

const widened = (hint: SessionHint): SessionHint | null =>
  hint.kind === 'files' ? { kind: 'store', store: hint.store } : null;

/** One hint for each store at most: all of it, or the names of what changed. */
const joined = (hints: SessionHint[]): SessionHint[] => {
  const all = hints.find((hint) => hint.kind === 'all');
  if (all !== undefined) return [all];
  const whole = new Set(hints.flatMap((hint) => (hint.kind === 'store' ? [hint.store] : [])));
  const names = new Map<StoreKey, string[]>();
  const others: SessionHint[] = [];
  for (const hint of hints) {
    if (hint.kind !== 'files') {
      others.push(hint);
      continue;
    }
    if (whole.has(hint.store)) continue;
    const changed = names.get(hint.store) ?? [];
    changed.push(...hint.names);
    names.set(hint.store, changed);
  }
  for (const [store, changed] of names) {
    others.push(changed.length > manyNames ? { kind: 'store', store } : { kind: 'files', store, names: changed });
  }
  return others;
};

/** The folders `<root>`, `sessions`, `projects`, `projects/<slug>` and `projects/<slug>/sessions` of a sessions root. */
export const sessionTree: WatchedTree<SessionHint> = {
  name: 'sessions folder',
  // Who uses no agent that keeps its sessions there misses nothing.
  notYet: null,
  pollingDelay: 'within about 2 seconds where files come, go or are replaced, and within about 30 seconds elsewhere',
  depth: treeDepth,
  isWatched,
  isUnread: (segments) => storeAt(segments) !== null,
  probed: ['projects', 'sessions'],
  hintsFor,
  keyOf: hintKey,
  widened,
  joined,
  all: { kind: 'all' },
};
