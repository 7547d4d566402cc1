import type { ComposerMode, ErrorCode } from '../../src/contract/index.ts';
import { counted } from '../ui/strings.ts';

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
  label: { note: 'New note', todo: 'New todo', plan: 'New plan' } satisfies Record<ComposerMode, string>,
  placeholder: {
    note: 'Write a note, or / for commands',
    todo: 'Add a todo, or one in each line',
    plan: 'Title, then the text of the plan',
  } satisfies Record<ComposerMode, string>,
  mode: 'Record as',
  commanded: 'for this entry',
  send: { note: 'Save note', todo: 'Add todo', plan: 'Create plan' } satisfies Record<ComposerMode, string>,
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
  } satisfies Record<ComposerMode, string>,
  commandCount: (count: number) => counted(count, '# command', '# commands'),
  modeChosen: (mode: string) => `New entries are recorded as: ${mode}`,
  recorded: {
    note: () => 'The note is saved.',
    todo: (count: number) => counted(count, 'The todo is saved.', '# todos are saved.'),
    plan: () => 'The plan is saved.',
  } satisfies Record<ComposerMode, (count: number) => string>,
  readOnly: 'Nothing can be added to this place.',
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
  vanishedUnnamed: 'The place that was chosen is no longer in the list. Entries now go to Chats.',
  textCameAlong: 'Your text came along.',
  shortcut: (problem: string) => `${problem} Until then, open this window from the sidebar.`,
  changeShortcut: 'Change it',
  notRemembered: 'This choice holds for now, but could not be remembered.',
  notPinned: (reason: string) => `The window could not be pinned. ${reason}`,
  notHidden: (reason: string) => `The window could not be hidden. ${reason}`,
  notOpened: (reason: string) => `The sidebar could not be opened. Your text is still here. ${reason}`,
  handedOver: 'The sidebar has taken over.',
};

const status = {
  records: 'Records only, no agent answers.',
  allSaved: 'All saved',
  notSaved: (count: number) => counted(count, '# entry is not saved', '# entries are not saved'),
};

export const texts = { header, stream, composer, unsaved, failed, notices, status };
