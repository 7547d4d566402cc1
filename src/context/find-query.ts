import { fold } from './find-text.ts';

/** A word or a phrase to find in folded texts. */
export interface Needle {
  /** The folded word; the folded words of a phrase with one blank between them. */
  readonly key: string;
  /** Start of its first place at or after `from`; -1 when there is none. */
  next(folded: string, from: number): number;
  /** End of the place that starts at `start`. */
  end(folded: string, start: number): number;
}

/** What a person searches for. All needles must be found. */
export interface Query {
  readonly text: string;
  /** Longest first: it is the one that most texts do not have. */
  readonly needles: readonly Needle[];
}

const tokens = /["“”„]([^"“”„]*)(?:["“”„]|$)|[^\s\p{Cc}]+/gu;

/**
 * Takes a query apart: words between white space, and phrases between quotes, of which the last may still be open.
 * Without any it finds nothing.
 */
export function parseQuery(text: string): Query {
  const needles = new Map<string, Needle>();
  for (const [token, phrase] of text.matchAll(tokens)) {
    const words = fold(phrase ?? token)
      .folded.split(/[\s\p{Cc}]+/u)
      .filter((word) => word !== '');
    const key = words.join(' ');
    if (key !== '') needles.set(key, words.length === 1 ? wordNeedle(key) : phraseNeedle(key, words));
  }
  return { text, needles: [...needles.values()].sort((left, right) => right.key.length - left.key.length) };
}

/** Whether every text that a query finds is also found by an earlier one. */
export function narrows(query: Query, earlier: Query): boolean {
  return earlier.needles.every(({ key }) => query.needles.some((needle) => needle.key.includes(key)));
}

/** Whether one of two queries is the other with something typed behind it. */
export function isSameTyping({ text: left }: Query, { text: right }: Query): boolean {
  return left !== right && (left.startsWith(right) || right.startsWith(left));
}

function wordNeedle(word: string): Needle {
  return {
    key: word,
    next: (folded, from) => folded.indexOf(word, from),
    end: (_folded, start) => start + word.length,
  };
}

/** Its words may stand on two lines. */
function phraseNeedle(key: string, words: readonly string[]): Needle {
  const source = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+');
  const expression = new RegExp(source, 'g');
  const find = (folded: string, from: number): number => {
    expression.lastIndex = from;
    return expression.test(folded) ? expression.lastIndex : -1;
  };
  return {
    key,
    next: (folded, from) => {
      expression.lastIndex = from;
      return expression.exec(folded)?.index ?? -1;
    },
    end: find,
  };
}
