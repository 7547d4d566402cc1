import { type ComposerMode, limits, sessionLimits } from '../../src/contract/index.ts';

/** The todos in a text: one for each line that shows something. */
export const todoLines = (text: string): string[] =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A plan as it is sent: the first line that is not blank is its title, the rest its text. */
export interface PlanText {
  readonly title: string;
  readonly body: string;
  /** True when the first line is too long for a title; the whole line then also stands in the text. */
  readonly titleShortened: boolean;
}

export function planText(text: string): PlanText {
  const trimmed = text.replace(/^(?:[^\S\n]*\r?\n)+/, '').trimEnd();
  const [firstLine = ''] = trimmed.split(/\r?\n/, 1);
  const title = firstLine.replace(/^#{1,6}\s+/, '').trim();
  const rest = trimmed.slice(firstLine.length).replace(/^(?:[^\S\n]*\r?\n)+/, '');
  if (title.length <= limits.planTitle) return { title, body: rest, titleShortened: false };
  return { title: `${cutAtCharacter(title, limits.planTitle - 1)}…`, body: trimmed, titleShortened: true };
}

/** How much of a limit is used. */
export interface Measure {
  readonly length: number;
  readonly limit: number;
  /** Of several todos, the number of the longest line, from 1; else null. */
  readonly line: number | null;
}

/** Room that a plan's heading marks and blank lines take in its file. */
const PLAN_MARKS = 8;

/** Measures a text against the limit of its mode, as it would be stored: without blanks around it, a message as it is. */
export function measure(mode: ComposerMode, text: string): Measure {
  if (mode === 'note') return { length: text.trim().length, limit: limits.noteBody, line: null };
  if (mode === 'message') return { length: text.length, limit: sessionLimits.message, line: null };
  if (mode === 'plan') {
    const { title, body } = planText(text);
    const length = text.trim() === '' ? 0 : title.length + body.length + PLAN_MARKS;
    return { length, limit: limits.planRaw, line: null };
  }
  const lengths = todoLines(text).map((line) => line.length);
  const length = Math.max(0, ...lengths);
  return { length, limit: limits.todoText, line: lengths.length > 1 ? lengths.indexOf(length) + 1 : null };
}

/** Whether a text can be recorded; too long ones are never cut but kept until the person shortens them. */
export function isSendable(mode: ComposerMode, text: string): boolean {
  const { length, limit } = measure(mode, text);
  return text.trim() !== '' && length <= limit;
}

/** The start of a text in at most `length` code units, never half a surrogate pair. */
export function cutAtCharacter(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
