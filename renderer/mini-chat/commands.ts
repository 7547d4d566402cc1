import type { ComposerMode } from '../../src/contract/index.ts';

/** The modes in the order of their menu and of their shortcuts, which stay what they were when one is added. */
export const composerModes: readonly ComposerMode[] = ['note', 'todo', 'plan', 'message'];

/** The modes whose texts become entries of a context. */
export type EntryMode = Exclude<ComposerMode, 'message'>;

/** Commands that record nothing. */
export type Action = 'find' | 'undo' | 'help';
export type Command = ComposerMode | Action;

/** All commands, in the order of their list. */
export const commands: readonly Command[] = [...composerModes, 'find', 'undo', 'help'];

export const isAction = (command: Command): command is Action => !composerModes.some((mode) => mode === command);

/** What the text in the composer stands for. */
export interface Entry {
  readonly mode: ComposerMode;
  readonly text: string;
  /** Whether a command at the start chose the mode, for this entry only. */
  readonly commanded: boolean;
}

const modes = composerModes.join('|');
const MODE = new RegExp(`^/(${modes})(?=\\s|$)\\s*`, 'i');
const FIND = /^\/find(?=\s|$)\s*/i;
/** These two are commands only by themselves: what begins with their names and goes on is a text. */
const ALONE = /^\/(undo|help)\s*$/i;
/** `//todo` is the text "/todo". Other double slashes, such as a line of code, stay as they were typed. */
const ESCAPED = new RegExp(`^//+(?=(?:${modes}|find)(?:\\s|$)|(?:undo|help)\\s*$)`, 'i');

/** Reads what was typed: a command at the very start overrides `mode`, anything else is plain text. */
export function parseEntry(typed: string, mode: ComposerMode): Entry {
  const command = MODE.exec(typed);
  const named = composerModes.find((known) => known === command?.[1]?.toLowerCase());
  if (command && named) return { mode: named, text: typed.slice(command[0].length), commanded: true };
  return { mode, text: ESCAPED.test(typed) ? typed.slice(1) : typed, commanded: false };
}

/** The command that records nothing and that was typed; null where the text is one to record. */
export function parseAction(typed: string): Action | null {
  if (FIND.test(typed)) return 'find';
  const alone = ALONE.exec(typed)?.[1]?.toLowerCase();
  return alone === 'undo' || alone === 'help' ? alone : null;
}

/** What is to be found, of a text that {@link parseAction} takes for a search. */
export const searchedFor = (typed: string): string => typed.replace(FIND, '');

/** What has to be typed so that it is read as this plain text, in whatever mode. */
export const typedFor = (text: string): string =>
  MODE.test(text) || ESCAPED.test(text) || parseAction(text) !== null ? `/${text}` : text;

/** What has to be typed so that it is read as this text in this mode. */
export const typedWithCommand = (mode: ComposerMode, text: string): string => `/${mode} ${text}`;

/** The commands that may be meant while the cursor stands in the first word; none where no command can be meant. */
export function matchingCommands(typed: string, cursor: number): readonly Command[] {
  const word = /^\/(\S*)/.exec(typed);
  if (!word || cursor < 1 || cursor > word[0].length) return [];
  const begun = (word[1] ?? '').toLowerCase();
  // A search that is whole is under way: the keys are for what it found.
  return begun === 'find' ? [] : commands.filter((command) => command.startsWith(begun));
}

/** Replaces the first word by a command; `cursor` is where typing goes on. */
export function completeCommand(typed: string, command: Command): { text: string; cursor: number } {
  const begin = `/${command} `;
  return { text: begin + withoutCommand(typed), cursor: begin.length };
}

/** The text behind a first word that is, or was to become, a command. */
export const withoutCommand = (typed: string): string => typed.replace(/^\/\S*\s?/, '');
