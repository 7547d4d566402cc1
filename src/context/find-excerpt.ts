import type { Match } from './find-match.ts';
import type { Query } from './find-query.ts';
import { characterStart, fold } from './find-text.ts';

/** Longest excerpt in UTF-16 code units, its ellipses included. */
export const EXCERPT_LENGTH = 200;
/** How much of it stands before the first place at most. */
const LEAD = 60;
/** How much of the text is looked at behind it: white space is taken together, so more than is shown. */
const AHEAD = 4 * EXCERPT_LENGTH;

export interface Excerpt {
  excerpt: string;
  highlights: [start: number, end: number][];
}

/** The text around the first place of a match on one line, and every place of the query in it. */
export function excerptOf(query: Query, match: Match): Excerpt {
  const { text } = match.shown;
  const [start, end] = match.shown.locate(match.start, match.end);
  const from = leadStart(text, start, Math.min(LEAD, EXCERPT_LENGTH - 2 - (end - start)));
  const to = characterStart(text, Math.min(text.length, start + AHEAD));
  const whole = onOneLine(text.slice(from, start)).trimStart() + onOneLine(text.slice(start, to)).trimEnd();
  const head = text.slice(0, from).trim() === '' ? '' : '…';
  const isCut = head.length + whole.length > EXCERPT_LENGTH || text.slice(to).trim() !== '';
  const room = EXCERPT_LENGTH - head.length - (isCut ? 1 : 0);
  const shown = isCut ? whole.slice(0, characterStart(whole, Math.min(room, whole.length))).trimEnd() : whole;
  const places = placesIn(query, shown);
  // Only a place that is longer than an excerpt is not in it; then all that is shown is part of it.
  const ranges = places.length > 0 ? places : [[0, shown.length] as const];
  const highlights = ranges.map(([left, right]): [number, number] => [left + head.length, right + head.length]);
  return { excerpt: `${head}${shown}${isCut ? '…' : ''}`, highlights };
}

/** Ranges of every place of a query's words in a text, in order; those that overlap are one. */
export function placesIn(query: Query, text: string): [start: number, end: number][] {
  const folded = fold(text);
  const ranges: [number, number][] = [];
  for (const needle of query.needles) {
    let at = needle.next(folded.folded, 0);
    while (at >= 0) {
      const end = needle.end(folded.folded, at);
      ranges.push(folded.locate(at, end));
      at = needle.next(folded.folded, end);
    }
  }
  ranges.sort((left, right) => left[0] - right[0] || left[1] - right[1]);
  const merged: [number, number][] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last && range[0] < last[1]) last[1] = Math.max(last[1], range[1]);
    else merged.push([...range]);
  }
  return merged;
}

/** A text on one line: every run of white space and control characters is one blank. */
export function onOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ');
}

/** Where the excerpt begins: at the beginning of a word, if there is one near. */
function leadStart(text: string, start: number, length: number): number {
  if (length <= 0) return start;
  const from = start - length;
  if (from <= 0) return 0;
  const blank = /\s/.exec(text.slice(from, from + length / 2));
  return characterStart(text, blank ? from + blank.index + 1 : from);
}
