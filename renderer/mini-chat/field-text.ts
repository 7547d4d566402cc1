import { parseAction, withoutCommand } from './commands.ts';

/** What the field of one target holds: a text to record, and the search that stands in front of it. */
export interface FieldText {
  readonly draft: string;
  /** A search as it was typed, with its command; empty when there is none. */
  readonly find: string;
}

/** What the field shows. */
export const shownText = ({ draft, find }: FieldText): string => (find === '' ? draft : find);

/** What a field holds once this stands in it. A search sets the text to record aside and gives it back untouched. */
export function typeInto(before: FieldText, typed: string): FieldText {
  const finds = parseAction(typed) === 'find';
  if (before.find === '') return finds ? { draft: setAside(before.draft), find: typed } : { draft: typed, find: '' };
  return finds ? { ...before, find: typed } : { draft: afterSearch(before.draft, typed), find: '' };
}

const beginsCommand = (typed: string): boolean => {
  const word = /^\/(\S*)/.exec(typed)?.[1];
  return word !== undefined && 'find'.startsWith(word.toLowerCase());
};

/** The text to record, without the letters that have just become the command. */
const setAside = (draft: string): string => (beginsCommand(draft) ? withoutCommand(draft) : draft);

/** The command was edited away: the text to record comes back, and no text that was typed goes. */
function afterSearch(draft: string, typed: string): string {
  if (draft.trim() === '' || typed.includes(draft)) return typed;
  return typed.trim() === '' || beginsCommand(typed) ? draft : `${draft.replace(/\n+$/, '')}\n\n${typed}`;
}
