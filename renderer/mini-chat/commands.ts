import { ComposerMode } from '../../src/contract/index.ts';

/** The modes in the order of their menu and of their shortcuts. */
export const composerModes: readonly ComposerMode[] = ComposerMode.options;

/** What the text in the composer stands for. */
export interface Entry {
  readonly mode: ComposerMode;
  readonly text: string;
  /** Whether a command at the start chose the mode, for this entry only. */
  readonly commanded: boolean;
}

const names = composerModes.join('|');
const COMMAND = new RegExp(`^/(${names})(?=\\s|$)\\s*`, 'i');
/** `//todo` is the text "/todo". Other double slashes, such as a line of code, stay as they were typed. */
const ESCAPED = new RegExp(`^//+(?=(?:${names})(?:\\s|$))`, 'i');

/** Reads what was typed: a command at the very start overrides `mode`, anything else is plain text. */
export function parseEntry(typed: string, mode: ComposerMode): Entry {
  const command = COMMAND.exec(typed);
  const named = composerModes.find((known) => known === command?.[1]?.toLowerCase());
  if (command && named) return { mode: named, text: typed.slice(command[0].length), commanded: true };
  return { mode, text: ESCAPED.test(typed) ? typed.slice(1) : typed, commanded: false };
}

/** What has to be typed so that it is read as this plain text, in whatever mode. */
export const typedFor = (text: string): string => (COMMAND.test(text) || ESCAPED.test(text) ? `/${text}` : text);

/** What has to be typed so that it is read as this text in this mode. */
export const typedWithCommand = (mode: ComposerMode, text: string): string => `/${mode} ${text}`;

/** The commands that may be meant while the cursor stands in the first word; none where no command can be meant. */
export function matchingCommands(typed: string, cursor: number): readonly ComposerMode[] {
  const word = /^\/(\S*)/.exec(typed);
  if (!word || cursor < 1 || cursor > word[0].length) return [];
  const begun = (word[1] ?? '').toLowerCase();
  return composerModes.filter((command) => command.startsWith(begun));
}

/** Replaces the first word by a command; `cursor` is where typing goes on. */
export function completeCommand(typed: string, command: ComposerMode): { text: string; cursor: number } {
  const begin = `/${command} `;
  return { text: begin + typed.replace(/^\/\S*\s?/, ''), cursor: begin.length };
}
