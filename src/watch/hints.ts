import type { ProjectId } from '../contract/entities.ts';
import { temporaryOwner } from '../files/temporary-name.ts';
import type { EntryType, TreeEvent, TreeEventKind, WatchedTree } from './watched-tree.ts';

/**
 * Where to look again. A hint says nothing about what happened: whoever gets it reads the file and compares.
 * `legacy` is `projects/<id>.json`; `memory` is an owner's `memory.json`, or with null that of all; `projects` is the set of
 * project folders; `all` means look at everything.
 */
export type Hint =
  | { kind: 'context'; projectId: ProjectId }
  | { kind: 'plan'; projectId: ProjectId; file: string }
  | { kind: 'legacy'; projectId: ProjectId }
  | { kind: 'memory'; ownerId: ProjectId | null }
  | { kind: 'projects' }
  | { kind: 'all' };

/** How deep the watched tree goes: `projects`, `<id>`, `plans`, and the files in it. */
const treeDepth = 3;

/** Base names of plan files (docs/formats/context-format.md, section 2). */
const planName = /^[a-zA-Z0-9._-]+\.md$/;

const legacySuffix = '.json';
const memoryName = 'memory.json';

/**
 * Names that pass the contract's `ProjectId`. Written out because the schema's library would make up nearly all of the
 * worker's time to start; a test holds the two together.
 */
export const isProjectId = (name: string): boolean => /^[a-zA-Z0-9._:-]{1,250}$/.test(name) && !/^\.+$/.test(name);

/** A half-written file's name could pass for a project's id; every other kind of data has a name that it cannot have. */
const asProjectId = (name: string): ProjectId | null =>
  isProjectId(name) && temporaryOwner(name) === null ? name : null;

/** Owner of a legacy settings file, or null when the name is not one. */
const legacyOwner = (name: string): ProjectId | null =>
  name.endsWith(legacySuffix) ? asProjectId(name.slice(0, -legacySuffix.length)) : null;

const isFileEvent = (kind: TreeEventKind): boolean => kind === 'add' || kind === 'change' || kind === 'unlink';

/** Hints for an entry of `projects/`. An id may itself end in `.json`, so only a checked event tells file from folder. */
const hintsForProjectEntry = (kind: TreeEventKind, name: string): Hint[] => {
  const hints: Hint[] = [];
  const legacyId = legacyOwner(name);
  if (legacyId !== null && kind !== 'addDir' && kind !== 'unlinkDir') {
    hints.push({ kind: 'legacy', projectId: legacyId });
  }
  const folderId = asProjectId(name);
  const mayBeFolder = !isFileEvent(kind) && (legacyId === null || kind !== 'notice');
  if (folderId !== null && mayBeFolder) {
    hints.push({ kind: 'projects' }, { kind: 'context', projectId: folderId }, { kind: 'memory', ownerId: folderId });
  }
  return hints;
};

/** Hints for an entry of a project's folder. A plans folder that came or went changes which links have a file. */
const hintsInProject = (projectId: ProjectId, name: string): Hint[] => {
  if (name === memoryName) return [{ kind: 'memory', ownerId: projectId }];
  return name === 'context.json' || name === 'plans' ? [{ kind: 'context', projectId }] : [];
};

/** Turns one event into hints; names that are not data (half-written files, other programs' files) give none. */
export const hintsFor = ({ kind, segments }: TreeEvent): Hint[] => {
  const [top, entry, inner, file, ...deeper] = segments;
  if (top === memoryName && entry === undefined) return [{ kind: 'memory', ownerId: null }];
  if (top !== 'projects' || deeper.length > 0) return [];
  if (entry === undefined) return [{ kind: 'all' }];
  if (inner === undefined) return hintsForProjectEntry(kind, entry);
  const projectId = asProjectId(entry);
  if (projectId === null) return [];
  if (file === undefined) return hintsInProject(projectId, inner);
  return inner === 'plans' && planName.test(file) ? [{ kind: 'plan', projectId, file }] : [];
};

/**
 * Whether a path below the root belongs to the watched tree. Everything else costs no watch: chats, our own
 * `.sidekeep` folders, other programs' files, and whatever lies behind a link.
 */
export const isWatched = (segments: readonly string[], type: EntryType): boolean => {
  const [top, entry, inner, file, ...deeper] = segments;
  if (segments.length === 0) return true;
  if (top === memoryName) return entry === undefined && (type === 'file' || type === 'unknown');
  if (type === 'link' || top !== 'projects' || deeper.length > 0) return false;
  const folder = type === 'folder' || type === 'unknown';
  const plain = type === 'file' || type === 'unknown';
  if (entry === undefined) return folder;
  if (inner === undefined) {
    return (folder && asProjectId(entry) !== null) || (plain && legacyOwner(entry) !== null);
  }
  if (asProjectId(entry) === null) return false;
  if (file === undefined)
    return (folder && inner === 'plans') || (plain && (inner === 'context.json' || inner === memoryName));
  return plain && inner === 'plans' && planName.test(file);
};

/** A text that is the same for two hints about the same thing. */
export const hintKey = (hint: Hint): string => {
  switch (hint.kind) {
    case 'context':
    case 'legacy':
      return `${hint.kind} ${hint.projectId}`;
    case 'memory':
      return `memory ${hint.ownerId ?? ''}`;
    case 'plan':
      return `plan ${hint.projectId} ${hint.file}`;
    default:
      return hint.kind;
  }
};

/** `all` covers every other hint. */
const withoutCovered = (hints: Hint[]): Hint[] => {
  const all = hints.find((hint) => hint.kind === 'all');
  return all === undefined ? hints : [all];
};

/** The folders `<root>`, `projects`, `projects/<id>` and `projects/<id>/plans` of a context root. */
export const contextTree: WatchedTree<Hint> = {
  name: 'data folder',
  notYet: 'There is no data folder yet. It is made with the first thing that you write.',
  pollingDelay: 'within about 2 seconds',
  depth: treeDepth,
  isWatched,
  isUnread: () => false,
  probed: ['projects'],
  hintsFor,
  keyOf: hintKey,
  widened: () => null,
  joined: withoutCovered,
  all: { kind: 'all' },
};
