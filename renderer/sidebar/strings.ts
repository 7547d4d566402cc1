import type { BackupReason } from '../../src/contract/index.ts';
import { counted } from '../ui/strings.ts';

/** The texts of what only the sidebar has; what both windows say is in `ui/strings.ts`. */

interface Counts {
  readonly notes: number;
  readonly todos: number;
  readonly plans: number;
}

const counts = ({ notes, todos, plans }: Counts): string =>
  [counted(notes, '# note', '# notes'), counted(todos, '# todo', '# todos'), counted(plans, '# plan', '# plans')].join(
    ', ',
  );

const list = new Intl.ListFormat('en');

/** `2 notes and 1 plan`, leaving out what there is none of; null when there is nothing at all. */
function amounts({ notes, todos, plans }: Counts): string | null {
  const parts = [
    notes > 0 ? counted(notes, '# note', '# notes') : null,
    todos > 0 ? counted(todos, '# todo', '# todos') : null,
    plans > 0 ? counted(plans, '# plan', '# plans') : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : list.format(parts);
}

const more = {
  of: (title: string) => `More of ${title}`,
  deleted: 'Recently deleted',
  versions: 'Earlier versions…',
  relocate: 'Folder moved…',
};

const reasons: Record<BackupReason, string> = {
  regular: 'Kept while you were working',
  overwritten: 'Kept because another program saved over it',
  displaced: 'Saved by another program in the moment of a save here',
  recovered: 'Kept before an earlier version took its place',
};

const versions = {
  title: (title: string) => `Earlier versions of ${title}`,
  recoverTitle: (title: string) => `Recover ${title}`,
  recover: 'Recover…',
  damagedFile: (title: string) =>
    `The file context.json of ${title} is damaged and cannot be read. It was left exactly as it is. “Recover…” brings an earlier version back.`,
  damaged: 'The file of this place is damaged and cannot be read. Nothing in it was changed or removed.',
  rhythm: 'Versions are kept at most every five minutes, so the newest changes may be missing.',
  list: 'Versions, newest first',
  reasons,
  counts,
  unreadable: 'Cannot be read',
  justNow: 'just now',
  loading: 'Looking for earlier versions…',
  failed: 'The earlier versions could not be listed.',
  none: 'There is no earlier version yet. Sidekeep keeps one every few minutes while you work, and before anything could be lost.',
  noneDamaged: 'There is no earlier version that can be read.',
  goBack: 'Go back to this version',
  add: 'Add what is missing here',
  willReplace: (time: string) =>
    `Going back puts the notes, todos and plan list of ${time} in the place of those that are here. What is here now is kept as an earlier version.`,
  willAdd:
    'Adding brings what that version has and this place has not. Nothing that is here is removed; where the texts of an entry differ, both are kept.',
  willRecover: (time: string) =>
    `Your notes, todos and plan list will be those of ${time}. The damaged file is kept beside the new one, under a name that begins with “context.json.damaged”.`,
  plansStay: 'Plans that are still there keep the text that they have now.',
  startEmpty: 'Put the damaged file aside and start empty',
  willStartEmpty:
    'This place will have no notes, no todos and no plans in its list. The damaged file is kept beside the new one, under a name that begins with “context.json.damaged”, and can still be looked at.',
  startEmptyConfirm: 'Start empty',
  startEmptyTitle: 'Start empty?',
  wentBack: (time: string) => `This is the version of ${time} now. The one before is kept.`,
  added: (what: Counts) => {
    const parts = amounts(what);
    return parts === null ? 'Everything in that version is here already.' : `Brought back: ${parts}.`;
  },
  recovered: (name: string | null) =>
    name === null ? 'Recovered.' : `Recovered. The damaged file is kept as ${name}.`,
};

const kinds = { note: 'Note', todos: 'Todo', plan: 'Plan' } as const;

const deleted = {
  title: (title: string) => `Recently deleted from ${title}`,
  hint: 'What is deleted can be restored for 30 days, whole and to its place.',
  list: 'Deleted, newest first',
  kind: (kind: keyof typeof kinds, count: number) =>
    count === 1 ? kinds[kind] : counted(count, '# todo, cleared together', '# todos, cleared together'),
  andMore: (count: number) => counted(count, 'and # more', 'and # more'),
  when: (relative: string | null) => (relative === null ? 'Deleted just now' : `Deleted ${relative}`),
  until: (day: string) => `Goes for good on ${day}`,
  restore: 'Restore',
  restoreOf: (title: string) => `Restore ${title}`,
  restored: (title: string) => `${title} is restored.`,
  more: (count: number) => counted(count, 'Show # more', 'Show # more'),
  loading: 'Looking for what was deleted…',
  failed: 'What was deleted could not be listed.',
  emptyTitle: 'Nothing to bring back.',
  nothingToUndo: (keys: string) => `Nothing to undo here. Recently deleted (${keys}) keeps what was deleted.`,
  empty: 'Nothing that was deleted here in the last 30 days is missing.',
};

const relocate = {
  title: (title: string) => `The folder of ${title} has moved`,
  now: (path: string) => `Known folder: ${path}`,
  path: 'New folder of the project',
  hint: 'The absolute path of the folder as it is now. Nothing is written into it.',
  effect:
    'The notes, todos and plans of this project follow to the new folder. Where Sidekeep knows something about that folder already, both are kept together. What was here before stays on the disk under another name.',
  confirm: 'Move here',
  running: 'Moving…',
  listed: (title: string) => `${title} is already in the list: both become one.`,
  merge: (title: string) => `Merge into ${title}`,
  done: (title: string, path: string) => `${title} is now at ${path}.`,
  merged: (what: Counts) => {
    const parts = amounts(what);
    return parts === null ? 'There was nothing to bring along.' : `${parts} came along.`;
  },
  nothing: 'Everything of this project stays as it was.',
};

const notKept =
  'The disk did not take what was here yet, so it is only held while Sidekeep runs. Make room on the disk; it is tried again.';

const notices = {
  label: 'What happened to this place',
  more: (count: number) => counted(count, 'and # more', 'and # more'),
  hide: 'Hide the others',
  overwritten: (time: string, count: number, names: string | null, isKept: boolean) =>
    `${counted(
      count,
      `Another program saved over this file at ${time} and took back # change that was made here`,
      `Another program saved over this file at ${time} and took back # changes that were made here`,
    )}${names === null ? '' : `: ${names}`}. ${isKept ? 'Nothing is lost: what was here is kept.' : notKept}`,
  displaced: (time: string, names: string | null) =>
    `Another program saved this file at ${time}, in the moment of a save here${names === null ? '' : `: ${names}`}. Its version is kept.`,
  planOverwritten: (time: string, title: string, isKept: boolean) =>
    `Another program saved over the plan ${title} at ${time}. ${isKept ? 'The text that was there is kept as an earlier version.' : notKept}`,
  planDisplaced: (time: string, title: string) =>
    `Another program saved the plan ${title} at ${time}, in the moment of a save here. Its text is kept as an earlier version.`,
  aPlan: 'that was here',
  migration: (count: number, names: string | null) =>
    `${counted(count, '# older plan link could not be taken along', '# older plan links could not be taken along')}${names === null ? '' : `: ${names}`}.`,
  merge: (count: number, names: string | null) =>
    `${counted(
      count,
      '# entry could not be merged when this project moved',
      '# entries could not be merged when this project moved',
    )}${names === null ? '' : `: ${names}`}.`,
  /** Some of the names, and how many more there are. */
  names: (names: readonly string[], count: number): string | null => {
    if (names.length === 0) return null;
    const rest = count - names.length;
    return list.format(rest > 0 ? [...names, counted(rest, '# more', '# more')] : names);
  },
  name: (name: string) => `“${name}”`,
  bringBack: (count: number) => (count === 1 ? 'Bring it back' : 'Bring them back'),
  madeAgain: (count: number) =>
    count === 0 ? 'Nothing was left to make again.' : counted(count, 'Made again: # change.', 'Made again: # changes.'),
  showVersion: 'Show the earlier version',
  failed: (reason: string) => `It could not be done. ${reason}`,
};

const planVersions = {
  open: 'Earlier versions',
  title: (title: string) => `Earlier versions of ${title}`,
  list: 'Versions of the plan, newest first',
  reasons,
  size: (bytes: number) => counted(bytes, '# byte', '# bytes'),
  loading: 'Looking for earlier versions…',
  loadingText: 'Reading the version…',
  failed: 'The earlier versions could not be listed.',
  failedText: 'This version could not be read.',
  none: 'There is no earlier version of this plan yet. Sidekeep keeps one every few minutes while it changes.',
  versionOf: (time: string) => `Version of ${time}`,
  now: 'Now',
  same: 'This version has the same text as the plan has now.',
  putBack: 'Put this version back',
  effect: 'Putting it back saves it as the text of the plan. Undo in the text leads back to what is there now.',
  locked: 'The plan cannot be changed at the moment. Settle what its notice says first.',
  done: (time: string) => `The text of ${time} is back.`,
};

const search = {
  label: 'Search',
  placeholder: (title: string) => `Search in ${title}`,
  placeholderAll: 'Search in all projects',
  everywhere: 'All projects',
  clear: 'Clear the search',
  results: 'Found entries',
  group: (name: string, count: number) => `${name}, ${count}`,
  counted: (found: Counts) => {
    const parts = amounts(found);
    return parts === null ? 'Nothing found.' : `${parts} found.`;
  },
  nothing: (query: string) => `Nothing found for “${query}”.`,
  nothingHint:
    'All words have to be there, in one note, todo or plan, or in the title or the beginning of one session.',
  running: 'Searching…',
  failed: (reason: string) => `The search failed. ${reason}`,
  unread: (count: number) =>
    counted(
      count,
      '# project or plan could not be read and was not searched.',
      '# projects or plans could not be read and were not searched.',
    ),
  cut: (shown: number, all: number) => `The first ${shown} of ${all} are shown. Add a word to narrow it down.`,
  done: 'Done',
};

export const texts = { more, versions, deleted, relocate, notices, planVersions, search };
