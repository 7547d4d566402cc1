import { clockTime } from './time.ts';

/** Every text of the windows, as whole sentences: the one catalog to translate. */

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');

/** `1 entry`, `2 entries`: the forms are whole, so that another language can differ in more than an ending. */
const counted = (count: number, one: string, other: string): string =>
  (plural.select(count) === 'one' ? one : other).replace('#', number.format(count));

const common = {
  loading: 'Loading…',
  dismiss: 'Dismiss',
  messages: 'Messages',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  retry: 'Try again',
  undo: 'Undo',
  delete: 'Delete',
  edit: 'Edit',
  copyText: 'Copy text',
  copied: 'Copied.',
  copyFailed: 'The text could not be copied. Select it and copy it by hand.',
  noVisibleText: '(no visible text)',
  count: (length: number, limit: number) => `${number.format(length)} of ${number.format(limit)}`,
  full: (length: number, limit: number) =>
    length > limit
      ? `${number.format(length - limit)} characters over the limit of ${number.format(limit)}`
      : `The limit of ${number.format(limit)} characters is reached.`,
  draftsNotKept: 'This window cannot keep unsaved text over a restart: its storage is full. Save it soon.',
  chats: 'Chats',
  notes: 'Notes',
  todos: 'Todo',
  plans: 'Plans',
  mode: { message: 'Message', note: 'Note', todo: 'Todo', plan: 'Plan' },
  source: { manual: 'Written by you', selection: 'From a conversation', agent: 'From an agent' },
  clamped: 'The text was too long and was shortened to the limit.',
  theme: { system: 'System', light: 'Light', dark: 'Dark' },
};

const saving = {
  running: 'Saving…',
  savedAt: (time: string) => `Saved ${time}`,
  nothingYet: 'All saved',
  unsavedPlan: 'A plan has unsaved changes',
  failed: 'Not saved.',
  ready: 'It can be saved now – try again.',
  show: 'Why',
  failedBecause: (reason: string) => `Not saved: ${reason}`,
  failures: (count: number) => counted(count, '# change is not saved.', '# changes are not saved.'),
};

const rail = {
  label: 'Places',
  projects: 'Projects',
  filter: 'Filter projects',
  noMatch: (filter: string) => `No project matches “${filter}”.`,
  clearFilter: 'Clear the filter',
  noProjects: 'No projects yet. Add the folder of one to keep its notes, todos and plans.',
  chatsHint: 'Notes, todos and plans of all chats that belong to no project.',
  unknownPath: 'The folder of this project is not known.',
  actions: (label: string) => `Actions for ${label}`,
  rename: 'Rename',
  renameField: (label: string) => `New name of ${label}`,
  hide: 'Hide',
  unhide: 'Show again',
  hidden: 'Hidden',
  showHidden: 'Show hidden projects',
  chatsHid: 'Chats is left out of the list. Nothing of it is gone; the settings bring it back.',
  hid: (label: string) => `${label} is hidden. Its data stays.`,
  add: 'Add a project',
  addPath: 'Folder of the project',
  addHint: 'The absolute path of a folder on this computer. Nothing is written into it.',
  addConfirm: 'Add project',
  chooseFolder: 'Choose folder…',
  resize: 'Width of the list of projects',
  select: 'Place',
  failed: 'The list of projects could not be loaded.',
};

const context = {
  sections: 'Sections',
  unreadable: 'This file cannot be read at the moment. What you see is the last good version.',
  failedTitle: 'This context could not be loaded.',
  rootMissing: 'The data folder is missing or cannot be read. Nothing was created in its place.',
  newerVersion: 'This context was written by a newer Sidekeep. It is shown, and nothing in it can be changed.',
  health: (count: number) =>
    counted(
      count,
      '# entry of this file needs attention. It is kept in the file as it is.',
      '# entries of this file need attention. They are kept in the file as they are.',
    ),
  healthDetails: 'Details',
  healthTitle: 'What needs attention in this file',
  healthPlace: (list: string, position: number | null) =>
    position === null ? list : `${list}, entry ${number.format(position + 1)}`,
  healthLists: { file: 'The file', notes: 'Notes', todos: 'Todo', plans: 'Plans' },
  healthProblems: {
    'not-a-record': 'It is not an entry and cannot be shown.',
    'not-a-list': 'The list is not a list and cannot be shown.',
    'blank-text': 'It has no text.',
    'blank-id': 'It has no id and cannot be shown.',
    'duplicate-id': 'Another entry has the same id.',
    'bad-file-name': 'Its file name is not one that Sidekeep opens.',
    'bad-date': 'Its date cannot be read.',
    'over-limit': 'It is longer than the limit. It is shown whole.',
    'newer-version': 'It was written by a newer Sidekeep.',
  },
};

const conflict = {
  changed: 'This was changed elsewhere while you were editing. Both texts are kept.',
  deleted: 'This was deleted elsewhere while you were editing. Your text is kept here.',
  keepMine: 'Keep mine',
  useTheirs: 'Use theirs',
  keepBoth: 'Keep both',
  theirs: 'Theirs',
  mine: 'Mine',
  compare: 'Compare',
  compareTitle: 'Compare both texts',
  discard: 'Discard',
  chooseFirst: 'Choose first which text stands. Nothing is saved until then.',
};

const notes = {
  new: 'New note',
  placeholder: 'Write a note…',
  hint: (save: string) => `Enter adds a line, ${save} saves.`,
  add: 'Add note',
  list: 'Notes, newest first',
  emptyTitle: 'No notes yet.',
  empty: 'Write down what you or an agent must not forget. Notes stay with this place.',
  edited: (time: string) => `Edited ${time}`,
  noTime: 'No date',
  editField: 'Text of the note',
  editHint: (save: string) => `${save} saves, Escape gives up the change.`,
  edit: (title: string) => `Edit note ${title}`,
  delete: (title: string) => `Delete note ${title}`,
  showAll: 'Show all',
  showLess: 'Show less',
  saveAsNew: 'Save as a new note',
  bothKept: 'Your text was saved as a new note, and the other one stays as it is.',
  limit: (limit: number) =>
    `There are ${number.format(limit)} notes, the most this place can hold. Delete some to add more.`,
};

const todos = {
  new: 'New todo',
  placeholder: 'Add a todo…',
  hint: 'Enter adds it. Each pasted line becomes a todo of its own.',
  several: (count: number) => counted(count, '# todo', '# todos'),
  tooLong: (limit: number) => `A line is longer than ${number.format(limit)} characters. Shorten it to add the todos.`,
  add: 'Add',
  list: 'Todos, in your order',
  emptyTitle: 'Nothing to do.',
  empty: 'Add what has to be done here. Drag todos, or move them with the keyboard, into the order that counts.',
  open: (open: number, all: number) => `${number.format(open)} of ${number.format(all)} open`,
  clear: 'Clear completed',
  tick: (text: string) => `Done: ${text}`,
  editField: 'Text of the todo',
  editHint: 'Enter saves, Escape gives up the change.',
  edit: (text: string) => `Edit todo ${text}`,
  actions: (text: string) => `Actions for todo ${text}`,
  delete: (text: string) => `Delete todo ${text}`,
  drag: (text: string) => `Drag todo ${text}`,
  moveUpOf: (text: string) => `Move todo ${text} up`,
  moveDownOf: (text: string) => `Move todo ${text} down`,
  moveUp: 'Move up',
  moveDown: 'Move down',
  moveTop: 'Move to top',
  moveBottom: 'Move to bottom',
  moved: (text: string, position: number, count: number) =>
    `${text} is now ${number.format(position)} of ${number.format(count)}.`,
  atEdge: 'It cannot move further.',
  saveAsNew: 'Save as a new todo',
  bothKept: 'Your text was saved as a new todo, and the other one stays as it is.',
  limit: (limit: number) => `There is room for ${number.format(limit)} todos. Delete or clear some to add more.`,
};

const plans = {
  new: 'New plan',
  newTitle: 'Title',
  newTitlePlaceholder: 'Title of the plan',
  newBody: 'Text',
  newBodyPlaceholder: 'Markdown. You can also write it later.',
  create: 'Create plan',
  list: 'Plans, newest first',
  emptyTitle: 'No plans yet.',
  empty: 'A plan is a Markdown file of its own that you and your agents can work on.',
  noneOpen: 'Open a plan from the list, or create one.',
  back: 'All plans',
  limit: (limit: number) =>
    `There are ${number.format(limit)} plans, the most this place can hold. Delete some to add more.`,
  missing: 'File missing',
  editor: (title: string) => `Text of plan ${title}`,
  delete: (title: string) => `Delete plan ${title}`,
  deleteOpen: 'Delete plan',
  save: 'Save',
  unsaved: 'Unsaved changes',
  saved: 'Saved',
  saving: 'Saving…',
  changedOnDisk: 'Changed on disk while you were editing. Both texts are kept, and nothing is saved until you choose.',
  myVersion: (title: string) => `${title} (my version)`,
  bothKept: 'Your text was saved as a new plan, and the text on disk is open.',
  goneDeleted: 'This plan was deleted elsewhere. Its text is kept here for copying, and is not saved.',
  goneMissing: 'The file of this plan is not there. Its text is kept here for copying, and is not saved.',
  deletedEmpty: 'This plan was deleted.',
  goneEmpty: 'The file of this plan is not there. The entry stays until you delete it or the file comes back.',
  saveAsNew: 'Save as a new plan',
  savedAsNew: 'The text was saved as a new plan.',
  failed: 'This plan could not be read. Its bytes on disk were not touched.',
  readOnly: {
    'too-long': 'This file is longer than the limit. It is shown and cannot be changed here.',
    encoding: 'This file is not valid UTF-8. It is shown and cannot be changed here, so that no byte is lost.',
    'newer-version': 'This context was written by a newer Sidekeep. The plan is shown and cannot be changed.',
  },
  tooLong: (excess: number) =>
    counted(excess, 'Not saved: the plan is # character too long.', 'Not saved: the plan is # characters too long.'),
};

const undo = {
  undo: 'Undo',
  retry: common.retry,
  noteDeleted: (at: number) => `The note was deleted at ${clockTime(at)}.`,
  todoDeleted: (at: number) => `The todo was deleted at ${clockTime(at)}.`,
  planDeleted: (at: number) => `The plan was deleted at ${clockTime(at)}.`,
  cleared: (count: number, at: number) =>
    counted(
      count,
      `# completed todo was deleted at ${clockTime(at)}.`,
      `# completed todos were deleted at ${clockTime(at)}.`,
    ),
  restored: 'Restored.',
  notRestored: (reason: string) => `It could not be restored and stays in Recently deleted. ${reason}`,
};

const chats = {
  deleteTitle: 'This chat has files',
  deleteText: (title: string, files: number) =>
    counted(
      files,
      `“${title}” has a folder of its own with # file in it. Does it go to the trash with the chat, or stay where it is?`,
      `“${title}” has a folder of its own with # files in it. Does it go to the trash with the chat, or stay where it is?`,
    ),
  deleteHint:
    'Undo brings the chat back, and its folder with it. In the trash, files are removed only when you say so.',
  keepFolder: 'Keep the folder',
  moveBoth: 'Move both to the trash',
};

const status = {
  watcher: {
    starting: 'Starting to watch',
    watching: 'Watching for changes',
    polling: 'Watching by looking again',
    degraded: 'Watching is limited',
    stopped: 'Not watching',
  },
  watcherTitle: 'Changes from other programs',
  watcherText: {
    starting: 'Sidekeep is getting ready to see changes that other programs make to your files.',
    watching: 'Changes that other programs make to your files appear here by themselves.',
    polling: 'The system cannot report changes here, so Sidekeep looks for them every few seconds.',
    degraded: 'Some changes of other programs may appear late.',
    stopped:
      'Changes of other programs do not appear until Sidekeep is started again. Your own changes are saved as usual.',
  },
  theme: 'Theme',
  miniChat: 'Open Mini Chat',
  shortcutSetting: 'Shortcut of the Mini Chat',
  shortcutField: 'Shortcut',
  shortcutHint:
    'Press the keys while this field is active, or type them, such as CommandOrControl+Shift+Space. Empty for none.',
  shortcutProblem: (reason: string) => `The shortcut does not work: ${reason}`,
  shortcutSaved: 'The shortcut works everywhere on this computer.',
  shortcutNone: 'No shortcut is set.',
  details: 'Show what is not saved',
  help: 'Keyboard shortcuts',
};

const help = {
  title: 'Keyboard shortcuts',
  groups: { everywhere: 'Everywhere', projects: 'List of projects', notes: 'Notes', todos: 'Todo', plans: 'Plans' },
  sections: 'Show Notes, Todo or Plans',
  compose: 'Write something new',
  search: 'Search notes, todos and plans',
  filter: 'Filter projects',
  undo: 'Undo a delete, outside of a text field',
  deleted: 'Show what was recently deleted',
  help: 'Show this help',
  miniChat: 'Show or hide the Mini Chat, in any program',
  move: 'Go through the projects',
  open: 'Open the project',
  rename: 'Rename the project',
  saveNote: 'Save the note',
  restore: 'Give up the change',
  tick: 'Tick or untick the todo',
  edit: 'Edit the todo',
  remove: 'Delete the todo',
  moveTodo: 'Move the todo up or down',
  moveTodoFar: 'Move the todo to the top or the bottom',
  savePlan: 'Save the plan',
};

export const strings = { common, saving, rail, context, conflict, notes, todos, plans, undo, chats, status, help };
export { counted };
