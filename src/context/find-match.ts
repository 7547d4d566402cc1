import type { Needle, Query } from './find-query.ts';
import type { FoldedText } from './find-text.ts';

/** That a query was found. */
export interface Match {
  /**
   * 0: each word begins a word of the title; 1: each is in the title; 2: each begins a word of the title or the text;
   * 3: each is somewhere.
   */
  readonly rank: 0 | 1 | 2 | 3;
  /** The text to show a part of: the title only when the text has none of the words. */
  readonly shown: FoldedText;
  /** Range of the first place in its folded text. */
  readonly start: number;
  readonly end: number;
}

interface Place {
  start: number;
  end: number;
  beginsWord: boolean;
}

/**
 * Looks for all words of a query in a title and a text together.
 *
 * @param text May be the title itself; null when there is none.
 * @returns Null when a word is in neither.
 */
export function matchOf(query: Query, title: FoldedText, text: FoldedText | null): Match | null {
  const body = text === title ? null : text;
  let inTitle = true;
  let beginsInTitle = true;
  let begins = true;
  let firstInText: Place | null = null;
  let firstInTitle: Place | null = null;
  for (const needle of query.needles) {
    const titlePlace = bestPlace(needle, title.folded);
    const textPlace = body === null ? null : bestPlace(needle, body.folded);
    if (titlePlace === null && textPlace === null) return null;
    inTitle &&= titlePlace !== null;
    beginsInTitle &&= titlePlace?.beginsWord ?? false;
    begins &&= titlePlace?.beginsWord || textPlace?.beginsWord || false;
    firstInTitle = earlier(firstInTitle, titlePlace);
    firstInText = earlier(firstInText, textPlace);
  }
  const rank = beginsInTitle ? 0 : inTitle ? 1 : begins ? 2 : 3;
  if (body !== null && firstInText !== null) return { rank, shown: body, ...firstInText };
  return firstInTitle && { rank, shown: title, ...firstInTitle };
}

/** At how many places it is looked whether one begins a word. */
const PLACES = 32;

/** The first place that begins a word, else the first. */
function bestPlace(needle: Needle, folded: string): Place | null {
  const first = needle.next(folded, 0);
  if (first < 0) return null;
  let start = first;
  for (let count = 0; start >= 0 && count < PLACES; count++) {
    if (beginsWord(folded, start)) return { start, end: needle.end(folded, start), beginsWord: true };
    start = needle.next(folded, start + 1);
  }
  return { start: first, end: needle.end(folded, first), beginsWord: false };
}

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;
/** Scripts that write without blanks between words: any of their characters may begin one. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

function beginsWord(folded: string, start: number): boolean {
  if (start === 0) return true;
  const before = folded.charCodeAt(start - 1);
  if (before < 0x80) return !isAsciiWord(before);
  const low = (before & 0xfc00) === 0xdc00 && start > 1;
  const character = String.fromCodePoint(folded.codePointAt(low ? start - 2 : start - 1) ?? 0);
  return !wordCharacter.test(character) || unspaced.test(character);
}

function isAsciiWord(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f;
}

function earlier(left: Place | null, right: Place | null): Place | null {
  if (left === null || right === null) return left ?? right;
  return right.start < left.start ? right : left;
}
