import { clampText, onOneLine } from '../files/text.ts';

/** How much of a text stands in a block. */
export interface Fitted {
  readonly text: string;
  readonly told: 'whole' | 'cut' | 'title';
}

/** Least room that {@link fitBody} needs for any text, in UTF-16 code units. */
export const LEAST_ROOM = 48;

/** Every line break that a reader may take for one. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
/** The block's own headings, as letters alone. */
const ownHeadings = ['pinnednote', 'pinnedplan', 'abouttheuser', 'aboutthisproject'];

/**
 * The lines of a person's text as they stand in a block: none begins at the margin but after a bullet of ours, so that all
 * headings there are the block's; and none looks like one of those to a reader who does not heed the margin.
 *
 * @param bullet Put before the first line; all others are indented.
 */
export function bodyLines(body: string, bullet: '- ' | '  '): string[] {
  return body
    .trim()
    .split(lineBreak)
    .map((line) => harmless(line.trimEnd()))
    .map((line, index) => (index === 0 ? bullet + line : line === '' ? '' : `  ${line}`));
}

/** A line that is a heading of the block in all but its place gets a backslash before its first number sign. */
function harmless(line: string): string {
  if (!/^[^\p{L}\p{N}]*[#＃]/u.test(line)) return line;
  const letters = line.normalize('NFKC').toLowerCase().replace(/\P{L}/gu, '');
  return ownHeadings.some((heading) => letters.startsWith(heading)) ? line.replace(/[#＃]/u, '\\$&') : line;
}

/**
 * As much of a text as fits, cut at the end of a line, or where a line is long after a word; a mark says how much is left out.
 *
 * @param lines As {@link bodyLines} makes them.
 * @param room At least {@link LEAST_ROOM}.
 */
export function fitBody(lines: readonly string[], room: number): Fitted {
  const whole = lines.join('\n');
  if (whole.length <= room) return { text: whole, told: 'whole' };
  const usable = room - markOf(whole.length).length;
  let end = 0;
  for (const line of lines) {
    const next = end + line.length + (end === 0 ? 0 : 1);
    if (next > usable) break;
    end = next;
  }
  if (end * 2 < usable) end = wordEnd(whole, usable);
  const kept = whole.slice(0, end).trimEnd();
  return {
    text: kept + markOf(whole.length - kept.length),
    told: kept.length <= TITLE_LENGTH ? 'title' : 'cut',
  };
}

/** Where to cut a text that has no line's end in its second half: behind a word, or at a character where none ends. */
function wordEnd(text: string, limit: number): number {
  const clamped = clampText(text, limit);
  const space = clamped.lastIndexOf(' ');
  return space * 2 > clamped.length ? space : clamped.length;
}

/** What stands behind a text of which so much is left out. */
const markOf = (left: number): string => `\n  (… ${left} characters more)`;

/** Longest beginning of a note that stands for its title, in UTF-16 code units. */
const TITLE_LENGTH = 80;

/** A title on one line, cut to so many UTF-16 code units. */
export function shortTitle(title: string, limit: number): string {
  const line = onOneLine(title).replace(/\s+/g, ' ');
  return line.length <= limit ? line : `${clampText(line, limit - 1).trimEnd()}…`;
}

/** Beginning of a note, for lists. */
export const noteTitle = (body: string): string =>
  shortTitle(
    body
      .split(lineBreak)
      .find((line) => line.trim() !== '')
      ?.trim() ?? '',
    TITLE_LENGTH,
  );

/**
 * Shares room evenly: nobody gets more than they ask for, and what some do not need is passed on to the others.
 *
 * @param wanted How much each asks for.
 * @returns How much each gets: all that was asked for, or at least the even share.
 */
export function shareRoom(wanted: readonly number[], room: number): number[] {
  const shares = new Array<number>(wanted.length).fill(0);
  const order = wanted.map((_, index) => index).sort((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0));
  let left = room;
  for (const [place, index] of order.entries()) {
    const share = Math.min(wanted[index] ?? 0, Math.floor(left / (order.length - place)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
