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
  mode: { note: 'Note', todo: 'Todo', plan: 'Plan' },
  source: { manual: 'Written by you', selection: 'From a conversation', agent: 'From an agent' },
  clamped: 'The text was too long and was shortened to the limit.',
  theme: { system: 'System', light: 'Light', dark: 'Dark' },
};

const saving = {
  running: 'Saving…',
  savedAt: (time: string) => `Saved ${time}`,
  nothingYet: 'Everything is saved.',
  failed: 'Not saved.',
  failedBecause: (reason: string) => `Not saved: ${reason}`,
  failures: (count: number) => counted(count, '# change is not saved.', '# changes are not saved.'),
};

export const strings = { common, saving };
export { counted };
