import type { MemoryType } from '../../state/memory-fields.ts';
import { counted } from '../../ui/strings.ts';
import { clockTime } from '../../ui/time.ts';

const number = new Intl.NumberFormat('en');

const types: Record<MemoryType, string> = { fact: 'Fact', preference: 'Preference', reference: 'Reference' };

/** The texts of Memory. */
export const memoryTexts = {
  section: 'Memory',
  help: 'Show Memory',
  scope: 'Whose memory',
  allPlaces: 'All places',
  hint: (title: string) =>
    `What sessions of ${title} should know. They are told the titles; an agent looks a text up when it needs it.`,
  hintAll: 'What every session should know. They are told the titles; an agent looks a text up when it needs it.',
  list: (title: string) => `What is remembered for ${title}, newest change first`,
  listAll: 'What is remembered for all places, newest change first',
  emptyTitle: 'Nothing is remembered here.',
  empty: 'Write down a fact, a preference or where something stands, so that no session has to be told twice.',
  types,
  type: 'Type',
  unfold: (title: string) => `Text of ${title}`,
  actions: {
    edit: (title: string) => `Edit memory ${title}`,
    forget: (title: string) => `Forget ${title}`,
    forgetHint: 'Forget; it can come back for 30 days',
  },
  changed: (time: string) => `Changed ${time}`,
  added: (time: string) => `Added ${time}`,
  noTime: 'No date',
  fromSession: 'Written in a session',
  reading: 'Reading…',
  readFailed: (reason: string) => `The text could not be read. ${reason}`,
  versions: (count: number) => counted(count, '# earlier version', '# earlier versions'),
  replacedAt: (time: string) => `Until ${time}`,
  putBack: 'Put back',
  putBackOf: (time: string) => `Put back the version until ${time}`,
  wasPutBack: 'The earlier version is back. The one before it is kept.',

  add: 'Remember something',
  newTitle: 'New memory',
  title: 'Title',
  titlePlaceholder: 'What a session is told, in a few words',
  body: 'Text',
  bodyPlaceholder: 'What an agent reads when it needs it',
  hintKeys: (save: string) => `${save} saves.`,
  save: 'Remember',
  saving: 'Saving…',
  incomplete: 'A memory needs a title and a text.',
  full: (most: number) =>
    `There are ${number.format(most)} memories, the most this place can hold. Forget or merge some to add more.`,
  stored: (title: string) => `“${title}” is remembered.`,
  replaced: (title: string) => `“${title}” was there already: this is its new version, and the earlier one is kept.`,
  storedWithheld: (reason: string) => `It is kept, and sessions are not told of it. ${reason}`,
  clamped: 'It was too long and was shortened to the limit.',

  similarTitle: (count: number) =>
    counted(count, 'Something very like it is remembered already', 'Some very like it are remembered already'),
  similarText: 'Nothing was stored yet.',
  replaceOne: 'Replace this one',
  replaceOf: (title: string) => `Replace this one: ${title}`,
  keepBoth: 'Keep both',
  backToText: 'Go on writing',

  conflict: {
    changed: 'This memory was changed elsewhere while you were editing. Both texts are kept.',
    gone: 'This memory was forgotten elsewhere while you were editing. Your text is kept here.',
    theirs: 'Theirs',
    keepMine: 'Keep mine',
    useTheirs: 'Use theirs',
    saveAsNew: 'Save as a new one',
    discard: 'Discard',
    mine: (title: string) => `${title} (mine)`,
  },

  withheld: 'Withheld',
  suspicious: 'Suspicious',
  allowedChip: 'Allowed',
  withheldText: 'Sessions are not told of it, and agents cannot read it. Nothing was changed or removed.',
  hintText: 'Sessions are told of it all the same.',
  allow: 'Allow this text',
  allowHint: 'Read the text first. Allowing holds for exactly this text: when it changes, it is withheld again.',
  withdraw: 'Withdraw',
  allowedBy: (who: string, when: string) => `Allowed by ${who} on ${when}, for exactly this text.`,
  wasAllowed: (title: string) => `Sessions may be told of “${title}” now.`,
  wasWithdrawn: (title: string) => `“${title}” is withheld again.`,

  readOnly: 'This memory was written by a newer Sidekeep. It is shown, and nothing in it can be changed.',
  failed: 'What is remembered here could not be read. The file was left as it is.',
  offTitle: 'Memory is switched off.',
  off: 'Nothing of it is read or shown. What is stored stays on the disk as it is.',
  toSettings: 'Open the settings',

  forgotten: 'Forgotten…',
  forgottenTitle: (title: string) => `Forgotten from the memory of ${title}`,
  forgottenTitleAll: 'Forgotten from the memory of all places',
  forgottenHint: 'What was forgotten can come back for 30 days, whole.',
  forgottenList: 'Forgotten, newest first',
  forgottenEmptyTitle: 'Nothing to bring back.',
  forgottenEmpty: 'Nothing that was forgotten here in the last 30 days is missing.',
  forgottenFailed: 'What was forgotten could not be listed.',
  forgottenWhen: (relative: string | null) => (relative === null ? 'Forgotten just now' : `Forgotten ${relative}`),
  restore: 'Bring back',
  restoreOf: (title: string) => `Bring back ${title}`,
  restoredOf: (title: string) => `${title} is back.`,

  undo: {
    undo: 'Undo',
    retry: 'Try again',
    forgotten: (at: number) => `The memory was forgotten at ${clockTime(at)}.`,
    restored: 'It is back.',
    notRestored: (reason: string) => `It did not come back and stays among what was forgotten. ${reason}`,
  },
};
