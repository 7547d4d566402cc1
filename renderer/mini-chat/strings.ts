import type { ComposerMode, ContextNotice, DeletedItem, ErrorCode } from '../../src/contract/index.ts';
import { counted } from '../ui/strings.ts';
import type { Action, Command } from './commands.ts';
import { sessionTexts } from './session-strings.ts';

/** The texts of the Mini Chat; what both windows say is in `ui/strings.ts`. */

const number = new Intl.NumberFormat('en');

const header = {
  title: 'Mini Chat',
  target: 'Record in',
  filter: 'Find a project',
  noMatch: 'No project has this name or folder.',
  chatsHint: 'Notes, todos and plans of all chats without a project.',
  unknownPath: 'Its folder is not known.',
  pin: 'Keep above other windows',
  pinHint: (pinned: boolean) =>
    pinned ? 'Stays above other windows. Press to let it go behind them.' : 'Keep above other windows',
  open: 'Open in sidebar',
  openHint: 'Open in sidebar, with what you typed',
  menu: 'Menu',
};

const stream = {
  label: 'Notes, todos and plans, oldest first',
  kinds: { note: 'Note', todo: 'Todo', plan: 'Plan' },
  today: 'Today',
  yesterday: 'Yesterday',
  noDate: 'No date',
  earlier: (count: number) => counted(count, 'Show # earlier entry', 'Show # earlier entries'),
  more: 'More',
  less: 'Less',
  tick: 'Done',
  markDone: 'Mark as done',
  markOpen: 'Mark as not done',
  missing: 'File missing',
  actions: 'Actions',
  emptyTitle: 'Nothing recorded here yet',
  empty: 'Write a note, a todo or a plan below and press Enter. It is saved at once and also shows in the sidebar.',
  allDone: 'Every todo is done, and there are no notes or plans. Write something below and press Enter.',
  loading: 'Loading the latest entries…',
};

const composer = {
  label: { note: 'New note', todo: 'New todo', plan: 'New plan', message: 'Message' } satisfies Record<
    ComposerMode,
    string
  >,
  placeholder: {
    note: 'Write a note, or / for commands',
    todo: 'Add a todo, or one in each line',
    plan: 'Title, then the text of the plan',
    message: 'Write a message, or / for commands',
  } satisfies Record<ComposerMode, string>,
  mode: 'Record as',
  commanded: 'for this entry',
  send: {
    note: 'Save note',
    todo: 'Add todo',
    plan: 'Create plan',
    message: 'Record message',
  } satisfies Record<ComposerMode, string>,
  keys: 'Enter saves, Shift+Enter starts a new line.',
  todos: (count: number) => counted(count, '# todo', '# todos, one a line'),
  planTitleShortened: 'Long first line: its start becomes the title.',
  count: (length: number, limit: number) => `${number.format(length)} of ${number.format(limit)}`,
  over: (over: number, line: number | null) =>
    line === null
      ? counted(over, '# character too long', '# characters too long')
      : counted(
          over,
          `Line ${number.format(line)}: # character too long`,
          `Line ${number.format(line)}: # characters too long`,
        ),
  asNote: 'Make it a note',
  asPlan: 'Make it a plan',
  commands: 'Commands',
  commandHint: {
    note: 'Save the text as a note',
    todo: 'Add a todo for each line',
    plan: 'Create a plan: title, then text',
    message: 'Record the text as a message',
    find: 'Search notes, todos and plans',
    undo: 'Bring back what was deleted last',
    help: 'Show commands and keys',
  } satisfies Record<Command, string>,
  commandCount: (count: number) => counted(count, '# command', '# commands'),
  modeChosen: (mode: string) => `New entries are recorded as: ${mode}`,
  recorded: {
    note: () => 'The note is saved.',
    todo: (count: number) => counted(count, 'The todo is saved.', '# todos are saved.'),
    plan: () => 'The plan is saved.',
    message: () => 'The message is recorded. No agent answers here yet.',
  } satisfies Record<ComposerMode, (count: number) => string>,
  readOnly: 'Nothing can be added to this place.',
};

const actions = { find: 'Find', undo: 'Undo', help: 'Help' } satisfies Record<Action, string>;

const find = {
  label: (place: string | null) => (place === null ? 'Find in all projects' : `Find in ${place}`),
  keys: 'The arrow keys choose, Enter shows, Ctrl+Enter opens in the sidebar, Escape leaves the search.',
  everywhere: 'All projects',
  everywhereHint: 'Search Chats and all projects',
  show: 'Show it',
  results: 'What was found',
  number: (count: number) => number.format(count),
  total: (count: number) => counted(count, '# found', '# found'),
  beginTitle: 'Find',
  begin: 'Type words: an entry is found when all of them are in it. Nothing you type here is recorded.',
  nothing: 'Nothing found',
  nothingHint: 'All words have to be in the same note, todo or plan.',
  lookEverywhere: 'Search all projects',
  failed: 'The search did not work',
  unread: (count: number) =>
    counted(
      count,
      '# place or plan could not be read and was not searched.',
      '# places or plans could not be read and were not searched.',
    ),
  rest: (shown: number, total: number) =>
    `The first ${number.format(shown)} of ${number.format(total)} are shown. More words find less.`,
  done: 'Done',
  hiddenPlace: 'A hidden project',
  shown: (kind: string) => `Shown in the list: ${kind}`,
};

const deleted = {
  title: 'Recently deleted',
  list: 'What was deleted, newest first',
  kinds: {
    note: () => 'Note',
    todos: (count: number) => counted(count, 'Todo', '# todos'),
    plan: () => 'Plan',
  } satisfies Record<DeletedItem['kind'], (count: number) => string>,
  hint: 'Each comes back whole and to its place. It goes for good after 30 days.',
  at: (time: string) => `Deleted ${time}`,
  bringBack: 'Bring back',
  bringBackOf: (title: string) => `Bring back ${title}`,
  none: 'Nothing was deleted here in the last 30 days.',
  nothing: 'Nothing to bring back here.',
  failed: 'The list could not be read.',
  back: {
    note: (title: string) => `The note “${title}” is back.`,
    todos: (title: string, count: number) =>
      count === 1 ? `The todo “${title}” is back.` : `${number.format(count)} todos are back.`,
    plan: (title: string) => `The plan “${title}” is back.`,
  } satisfies Record<DeletedItem['kind'], (title: string, count: number) => string>,
  notBack: (reason: string) => `It did not come back. ${reason}`,
};

const help = {
  title: 'Commands and keys',
  commands: 'At the start of a text',
  keys: 'Keys',
  inList: 'In the list',
  escaped: 'The text “/todo”, not the command',
  record: 'Record the text',
  newLine: 'Start a new line',
  modes: 'Note, Todo, Plan, Message',
  session: 'Choose a session, or start one',
  freshSession: 'New chat or session',
  place: 'Choose where to record',
  find: 'Find, with your text set aside',
  findEverywhere: 'Find in all projects',
  sidebar: 'Open in the sidebar, with the text',
  undo: 'Undo a delete, outside of the text',
  hide: 'Leave the search, or hide the window',
  help: 'This help, outside of the text',
  toggle: 'Show or hide this window, in any program',
  tick: 'Tick or untick a todo',
  ticked: 'Ticked todos leave the list when it is shown anew. They stay in the sidebar.',
  remove: 'Delete an entry',
  open: 'Open an entry in the sidebar',
  inTranscript: 'In the messages',
  ends: 'Go to the first or the latest message',
  selection: 'Make a note of the selected text',
};

const unsaved = {
  /** What stands in front of the main process's own sentence. */
  title: {
    invalid: 'Not saved: Sidekeep did not accept it.',
    forbidden: 'Not saved: this window may not do that.',
    'not-found': 'Not saved: this place is no longer there.',
    conflict: 'Not saved: it was changed elsewhere.',
    limit: 'Not saved: this place is full.',
    'too-large': 'Not saved: it is too large.',
    'in-use': 'Not saved: another program holds this data.',
    cancelled: 'Not saved: it was interrupted.',
    malformed: 'Not saved: the file of this place is damaged.',
    'newer-version': 'Not saved: this place belongs to a newer Sidekeep.',
    io: 'Not saved: the disk could not be used.',
  } satisfies Record<ErrorCode, string>,
  short: 'Not saved.',
  mended: 'Not saved yet.',
  mendedHint: 'This place can be read again, so it can be saved now.',
  textKept: 'Your text is still in the box.',
  sending: 'Saving…',
  putBack: 'Edit',
};

const failed = {
  title: {
    malformed: 'The file of this place is damaged',
    io: 'The data could not be read',
    'not-found': 'This place is no longer there',
    rootMissing: 'The data folder is missing',
    other: 'This place could not be loaded',
  },
  kept: 'What you type below is kept.',
  stale: 'What you see is the last good version.',
  readOnly: 'Written by a newer Sidekeep: shown here, and nothing in it is changed.',
  projects: 'The list of projects could not be loaded',
};

const notices = {
  vanished: (label: string) => `“${label}” is no longer in the list. Entries now go to Chats.`,
  moved: (before: string, now: string) => `“${before}” is now “${now}”. Entries go there.`,
  vanishedUnnamed: 'The place that was chosen is no longer in the list. Entries now go to Chats.',
  textCameAlong: 'Your text came along.',
  stranded: 'A place is no longer in the list. What you typed there and did not record is in Chats now.',
  shortcut: (problem: string) => `${problem} Until then, open this window from the sidebar.`,
  changeShortcut: 'Change it',
  notRemembered: 'This choice holds for now, but could not be remembered.',
  notPinned: (reason: string) => `The window could not be pinned. ${reason}`,
  notHidden: (reason: string) => `The window could not be hidden. ${reason}`,
  notOpened: (reason: string) => `The sidebar could not be opened. Your text is still here. ${reason}`,
  handedOver: 'The sidebar has taken over.',
  handedOverSession: 'The sidebar shows the session. Your text is still here.',
};

const contextNotices = {
  kinds: {
    overwritten: (count: number) =>
      counted(
        count,
        'Another program saved over # entry. It is kept.',
        'Another program saved over # entries. They are kept.',
      ),
    displaced: (count: number) =>
      counted(
        count,
        'Another program saved at the same moment. # entry is kept aside.',
        'Another program saved at the same moment. # entries are kept aside.',
      ),
    migration: (count: number) =>
      counted(count, '# old entry could not be taken along.', '# old entries could not be taken along.'),
    merge: (count: number) =>
      counted(count, '# entry could not be merged as it was.', '# entries could not be merged as they were.'),
  } satisfies Record<ContextNotice['kind'], (count: number) => string>,
  plan: 'Another program saved over a plan. Your text is kept.',
  notKept:
    'Another program saved over what was recorded here, and the disk did not take it yet. Make room on the disk.',
  more: (count: number) => counted(count, '# more message.', '# more messages.'),
  show: 'Show',
  showHint: 'Show it in the sidebar',
  notDismissed: (reason: string) => `The message stays. ${reason}`,
};

const status = {
  records: 'Records only, no agent answers.',
  allSaved: 'All saved',
  notSaved: (count: number) => counted(count, '# entry is not saved', '# entries are not saved'),
};

export const texts = {
  header,
  stream,
  composer,
  actions,
  find,
  deleted,
  help,
  unsaved,
  failed,
  notices,
  contextNotices,
  status,
  session: sessionTexts,
};
