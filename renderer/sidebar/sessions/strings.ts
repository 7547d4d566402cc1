import type {
  SessionDetail,
  SessionFinding,
  SessionHealth,
  SessionHolder,
  SessionRow,
} from '../../../src/contract/index.ts';
import type { FolderOutcome } from '../../state/chat-deletion.ts';
import { counted } from '../../ui/strings.ts';
import { clockTime, dayAndTime } from '../../ui/time.ts';
import { sizeOf } from '../../ui/transcript/strings.ts';

const number = new Intl.NumberFormat('en');
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

const health: Record<SessionHealth, string> = {
  good: 'Readable',
  damaged: 'Damaged in part',
  'too-large': 'Very large',
  'too-new': 'Written by a newer program',
  unreadable: 'Cannot be read',
};

const list = {
  of: (owner: string) => `Sessions of ${owner}`,
  all: 'All sessions',
  allHint: 'Every session that was found, also those whose folder belongs to no project here.',
  loading: 'Looking for sessions…',
  empty: 'No sessions yet.',
  old: 'as they were last time',
  checking: 'Checking…',
  failed: (reason: string) => `The sessions could not be listed. ${reason}`,
  showAll: (total: number) => counted(total, 'Show all # session', 'Show all # sessions'),
  showFewer: 'Show fewer',
  notLoaded: 'Loading…',
  pinned: 'Pinned',
  foreign: 'Recorded by another program',
  copy: 'Rescued copy',
  fork: 'Continues another session',
  turns: (count: number) => counted(count, '# message of yours', '# messages of yours'),
  turnsUnknown: 'Not counted yet',
  last: (time: string) => `Last activity ${time}`,
  actions: (title: string) => `Actions for session ${title}`,
  counting: (done: number, total: number) => `Looking into sessions: ${number.format(done)} of ${number.format(total)}`,
  counted: 'All sessions are looked into.',
  catalogLoading: 'Looking for sessions…',
  catalogFailed: (reason: string | null) => `The sessions could not be looked at. ${reason ?? ''}`.trim(),
  trash: 'Trash',
  trashHint: 'Deleted sessions',
  report: 'Storage',
  reportHint: 'Space that sessions take up, and what is damaged or left over',
  narrow: 'Sessions',
};

/** `14:05` today, `3 Mar` this year, else the year. */
function shortDay(ms: number, now: number): string {
  const then = new Date(ms);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return clockTime(ms);
  return then.getFullYear() === today.getFullYear() ? day.format(ms) : String(then.getFullYear());
}

/** What a tooltip tells of a session, line by line. */
function factsOf(row: SessionRow): string[] {
  return [
    row.title,
    ...(row.pinned ? [list.pinned] : []),
    ...(row.health === 'good' ? [] : [`${health[row.health]}${row.reason === null ? '' : `: ${row.reason}`}`]),
    ...(row.recoveryOf === null ? [] : [list.copy]),
    ...(row.parentId === null ? [] : [list.fork]),
    ...(row.ours ? [] : [list.foreign]),
    `${list.last(dayAndTime(row.lastActivity))} · ${row.turns === null ? list.turnsUnknown : list.turns(row.turns)} · ${sizeOf(row.bytes)}`,
  ];
}

const menu = {
  open: 'Open',
  rename: 'Rename…',
  pin: 'Pin to the top',
  unpin: 'Unpin',
  fork: 'Continue as a copy',
  forkHere: 'Continue from here as a copy',
  inProject: 'New session in a project…',
  miniChat: 'Open in the Mini Chat',
  reveal: 'Show the file in its folder',
  delete: 'Move to the trash',
  note: 'Make a note of it',
  plan: 'Make a plan of it',
};

const actions = {
  deleted: (title: string, at: number, folder: FolderOutcome) => {
    if (folder.kind === 'went') return `“${title}” and its folder were moved to the trash at ${clockTime(at)}.`;
    const said = `“${title}” was moved to the trash at ${clockTime(at)}.`;
    if (folder.kind === 'none') return said;
    return folder.reason === null ? `${said} Its folder stays.` : `${said} Its folder stays: ${folder.reason}`;
  },
  restored: (title: string) => `“${title}” is back.`,
  notRestored: (reason: string) => `It could not be brought back. ${reason}`,
  willGo: (title: string) => `“${title}” is hidden and goes to the trash as soon as it is closed elsewhere.`,
  startedInProject: (project: string) =>
    `This is a session of ${project} now, with all that was said. The chat that it comes from stays as it is.`,
  forked: 'This is a copy of your own now. The session that it comes from stays as it is.',
  pinned: (title: string) => `“${title}” is pinned.`,
  unpinned: (title: string) => `“${title}” is no longer pinned.`,
  noteMade: (owner: string) => `Note added to ${owner}.`,
  planMade: (owner: string) => `Plan added to ${owner}.`,
  shortened: (owner: string) => `Note added to ${owner}. The text was longer than a note may be; its end was left out.`,
  show: 'Show',
};

const held = {
  title: 'This session is open elsewhere',
  text: (title: string) =>
    `Another program has “${title}” open, so that nothing was deleted. It can be hidden now and moved to the trash as soon as that program has closed it.`,
  confirm: 'Delete when it is closed',
};

const inProject = {
  title: 'New session in a project',
  hint: (title: string) => `It begins with all that was said in “${title}”, which stays in Chats as it is.`,
  list: 'Projects',
  filter: 'Find a project',
  noMatch: 'No project has this name or folder.',
  none: 'There is no project in the list yet. Add the folder of one first.',
};

const rename = {
  title: 'Rename the session',
  field: 'Title',
  hint: 'Leave it empty to go back to the title that the conversation gives it.',
  conflict: (title: string) => `It was renamed meanwhile and is now called “${title}”. Nothing was overwritten.`,
  replace: 'Use my title',
  take: 'Keep the other one',
};

const readOnly: Record<NonNullable<SessionDetail['readOnly']>, string> = {
  foreign: 'Recorded by another program, so that nothing can be added to it here.',
  'in-use': 'Open in another program. What is recorded there appears here.',
  'too-new': 'Written by a program that is newer than this one. It was left exactly as it is.',
  unreadable: 'It cannot be read. It was left exactly as it is.',
};

const pane = {
  back: (title: string) => `Back to ${title}`,
  messages: (total: number, complete: boolean) =>
    complete ? counted(total, '# message', '# messages') : counted(total, '# message so far', '# messages so far'),
  counting: (done: number, total: number) =>
    `The conversation is being gone through: ${total === 0 ? 0 : Math.floor((done / total) * 100)} %`,
  transcript: (title: string) => `Conversation of ${title}`,
  head: 'Line of development',
  headName: (name: string | null, kind: string, index: number) => name ?? `${kind} ${index + 1}`,
  kinds: { main: 'Main line', fork: 'Branch', rewind: 'Rewound', concurrent: 'At the same time' },
  retired: 'given up',
  openTurn: 'A turn was begun and has not ended: it was interrupted, or still runs.',
  holes: (count: number) => counted(count, '# place could not be read.', '# places could not be read.'),
  healthFact: health,
  readOnly,
  holder: ({ pid, host, since }: SessionHolder) =>
    [
      host === null ? null : `on ${host}`,
      pid === null ? null : `process ${pid}`,
      since === null ? null : `since ${dayAndTime(since)}`,
    ]
      .filter((part) => part !== null)
      .join(', '),
  continueHere: 'Continue in the Mini Chat',
  find: 'Find in this session',
  start: 'Go to the beginning',
  end: 'Go to the end',
  goneTitle: 'This session is no longer there.',
  gone: 'It was deleted or moved. Deleted sessions are in the trash.',
  openTrash: 'Open the trash',
  failedTitle: 'This session could not be opened.',
};

const find = {
  label: 'Find in this session',
  next: 'Next place',
  previous: 'Previous place',
  close: 'Close the search',
  running: 'Searching…',
  nothing: 'Nothing found',
  count: (at: number, messages: number, places: number, isRunning: boolean) =>
    `Message ${number.format(at + 1)} of ${number.format(messages)} · ${counted(places, '# place', '# places')}${isRunning ? ' so far' : ''}`,
  failed: (reason: string) => `The search failed. ${reason}`,
  hidden: (excerpt: string) => `In a part that is not shown: ${excerpt}`,
};

const trash = {
  title: 'Deleted sessions',
  hint: 'A deleted session stays here, whole, until it is removed for good.',
  list: 'Deleted sessions, newest first',
  loading: 'Looking into the trash…',
  failed: 'The trash could not be looked into.',
  emptyTitle: 'The trash is empty.',
  empty: 'Sessions that are deleted appear here and can come back.',
  when: (relative: string | null) => (relative === null ? 'Deleted just now' : `Deleted ${relative}`),
  until: (day: string) => `Removed for good on ${day}`,
  onRequest: 'Removed only on request',
  files: (count: number, bytes: number) => `${counted(count, '# file', '# files')}, ${sizeOf(bytes)}`,
  folder: (files: number) =>
    files === 0 ? 'With its empty folder' : counted(files, 'With its folder of # file', 'With its folder of # files'),
  confirmFolder: (files: number) =>
    counted(files, '# file in the folder of a chat goes as well.', '# files in the folders of chats go as well.'),
  problem: (reason: string) => `Cannot come back as it is: ${reason}`,
  restore: 'Restore',
  restoreOf: (title: string) => `Restore ${title}`,
  purge: 'Remove for good',
  purgeOf: (title: string) => `Remove for good: ${title}`,
  purgeAll: 'Remove all for good…',
  confirm: (count: number, size: string) =>
    counted(
      count,
      `Remove # session for good (${size})? Its text cannot be brought back after that.`,
      `Remove # sessions for good (${size})? Their texts cannot be brought back after that.`,
    ),
  keep: 'Keep',
  purged: (count: number) => counted(count, '# session was removed for good.', '# sessions were removed for good.'),
  purgeFailed: (count: number, reason: string) =>
    `${counted(count, '# session could not be removed', '# sessions could not be removed')} and stays here: ${reason}`,
  more: (count: number) => counted(count, 'Show # more', 'Show # more'),
};

const kinds: Record<SessionFinding['kind'], string> = {
  orphan: 'Belongs to no session',
  damaged: 'Damaged',
  'trash-leftover': 'Left over in the trash',
  'left-over': 'Left over',
  'stray-temporary': 'Temporary file that nobody uses',
  unreadable: 'Cannot be read',
  'conflict-copy': 'Copy made by a synchronising program',
};

const report = {
  title: 'Storage of sessions',
  loading: 'Looking at every file of every session…',
  failed: 'The report could not be made.',
  hint: 'Nothing is changed by looking. Only what you choose below is repaired.',
  totals: 'By kind',
  kind: 'Kind',
  files: 'Files',
  size: 'Size',
  total: 'Together',
  sessions: 'Largest sessions',
  more: (count: number) => counted(count, 'and # smaller one', 'and # smaller ones'),
  open: (title: string) => `Open ${title}`,
  findings: 'Findings',
  noFindings: 'Nothing is damaged, orphaned or left over.',
  kinds,
  repair: { remove: 'Can be removed', 'move-to-trash': 'Can be moved to the trash' },
  leftAlone: 'Is left alone',
  choose: (name: string) => `Choose ${name}`,
  chooseAll: (count: number) => counted(count, 'Choose # that can be repaired', 'Choose all # that can be repaired'),
  chooseNone: 'Choose none',
  repairChosen: (count: number) => counted(count, 'Repair # finding…', 'Repair # findings…'),
  confirm: 'This is what happens',
  removes: (count: number, size: string) =>
    counted(count, `# item is removed for good (${size})`, `# items are removed for good (${size})`),
  moves: (count: number, size: string) =>
    counted(count, `# item is moved to the trash (${size})`, `# items are moved to the trash (${size})`),
  unchanged: 'Nothing else is touched. What has changed since the report was made is left alone.',
  doIt: 'Repair',
  back: 'Back',
  repairing: 'Repairing…',
  done: (count: number) => counted(count, '# finding was repaired.', '# findings were repaired.'),
  left: (count: number) => counted(count, '# was left alone:', '# were left alone:'),
  unread: 'Could not be looked at',
  again: 'Make a new report',
  showMore: (count: number) => counted(count, 'Show # more', 'Show # more'),
};

const search = {
  heading: 'Sessions',
  failed: (reason: string) => `The sessions could not be searched. ${reason}`,
  cut: (shown: number, all: number) => `The first ${shown} of ${number.format(all)} sessions are shown.`,
  found: (count: number) => counted(count, '# session', '# sessions'),
};

const help = {
  find: 'Find in the open session',
  fold: 'Fold the sessions of a place in or out',
  remove: 'Move the session to the trash',
};

export const sessionTexts = {
  help,
  list,
  menu,
  actions,
  held,
  inProject,
  rename,
  pane,
  find,
  trash,
  report,
  search,
  shortDay,
  factsOf,
};
