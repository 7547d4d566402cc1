/** Marks that make no other word: accents, Hebrew and Arabic points. Vowel signs of other scripts and kana's ゛ and ゜ do. */
const accents =
  /[[[\p{Mn}\p{Me}]&&[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}]]--[\u3099\u309a]]/gv;
/** What is not seen: joiners, soft hyphens, variation selectors, marks of direction. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

/** Letters that Unicode does not take apart, and the Greek sigma at the end of a word. */
const letters: Readonly<Record<string, string>> = {
  ς: 'σ',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
};
const otherLetters = /[ςøđħłŧæœ]/g;

// More marks on one letter than this are no writing; the bound keeps the expression's work bounded too.
const extension = String.raw`[\p{M}\u200c\u200d\uff9e\uff9f\u{1f3fb}-\u{1f3ff}]|(?<=\u200d)\p{Extended_Pictographic}`;
const clusterSource = String.raw`(?:\p{RI}{2}|[\s\S])(?:${extension}){0,64}`;
/** What is seen as one character: a letter with its marks, a flag, an emoji with all that is joined to it. */
const cluster = new RegExp(clusterSource, 'uy');
/** A stretch of a text that can be folded without looking at what is beside it. */
const stretch = new RegExp(String.raw`[\x00-\x7f]{1,256}(?![^\x00-\x7f])|(?:${clusterSource}){1,64}`, 'uy');
const extending = new RegExp(extension, 'uy');
const regionalIndicator = /\p{RI}/uy;
const notAscii = /[^\x00-\x7f]/;
const notAsciiRuns = /[^\x00-\x7f]+/g;

/** How much is folded without a pause, in code units. */
const STEP = 32 * 1024;

/** A text, the same text as a search compares it, and the way back. */
export class FoldedText {
  readonly text: string;
  /** Without upper case, accents and what is not seen; compatibility forms as their plain ones. */
  readonly folded: string;
  /** Where each stretch begins in the text, and in the folded text; null when they are equal unit by unit. */
  readonly #starts: readonly number[] | null;
  readonly #foldedStarts: readonly number[];

  constructor(text: string, folded: string, starts: readonly number[] | null, foldedStarts: readonly number[]) {
    this.text = text;
    this.folded = folded;
    this.#starts = starts;
    this.#foldedStarts = foldedStarts;
  }

  /** About what it takes in memory, in bytes. */
  get bytes(): number {
    if (this.#starts === null) return 2 * this.text.length + 200;
    return 2 * (this.text.length + this.folded.length) + 16 * this.#starts.length + 200;
  }

  /**
   * The place in the text of a range of the folded text that is not empty: whole characters, with all their marks, also
   * where the range has only a part of one (`s` in `ß`).
   */
  locate(start: number, end: number): [start: number, end: number] {
    if (this.#starts === null) return [start, end];
    const chunk = lastAtMost(this.#foldedStarts, start);
    let at = this.#starts[chunk] ?? 0;
    let folded = this.#foldedStarts[chunk] ?? 0;
    let begin = -1;
    while (at < this.text.length) {
      const next = endOfCluster(this.text, at);
      folded += foldedLength(this.text, at, next);
      if (begin < 0 && folded > start) begin = at;
      if (folded >= end) return [begin, next];
      at = next;
    }
    throw new RangeError('the range is within the folded text');
  }
}

/** Folds a text at once. */
export function fold(text: string): FoldedText {
  const steps = foldingSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Folds a text with pauses. */
export async function foldPatiently(text: string, pause: () => Promise<void>): Promise<FoldedText> {
  const steps = foldingSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/** The last place at or before `index` that splits nothing that is seen as one character. */
export function characterStart(text: string, index: number): number {
  let start = index;
  for (let tries = 0; start > 0 && start < text.length && tries < 200; tries++) {
    if (!isInsideCharacter(text, start)) return start;
    start--;
  }
  return isLowSurrogate(text, start) ? start - 1 : start;
}

function* foldingSteps(text: string): Generator<void, FoldedText> {
  const pieces: string[] = [];
  if (!notAscii.test(text)) {
    for (let at = 0; at < text.length; at += STEP) {
      if (at > 0) yield;
      pieces.push(text.slice(at, at + STEP).toLowerCase());
    }
    return new FoldedText(text, pieces.join(''), null, []);
  }
  const starts: number[] = [];
  const foldedStarts: number[] = [];
  let length = 0;
  let paused = 0;
  for (let at = 0; at < text.length; ) {
    if (at - paused >= STEP) {
      yield;
      paused = at;
    }
    stretch.lastIndex = at;
    const found = stretch.exec(text)?.[0] ?? text.slice(at);
    const folded = foldStretch(found);
    starts.push(at);
    foldedStarts.push(length);
    pieces.push(folded);
    length += folded.length;
    at += found.length;
  }
  return new FoldedText(text, pieces.join(''), starts, foldedStarts);
}

function foldStretch(text: string): string {
  return text.replace(notAsciiRuns, foldRun).toLowerCase();
}

/** Short runs that were folded before: most texts have few different ones. */
const foldedRuns = new Map<string, string>();
const SHORT_RUN = 4;
const MAXIMUM_RUNS = 4096;

function foldRun(run: string): string {
  const known = foldedRuns.get(run);
  if (known !== undefined) return known;
  const folded = run
    .normalize('NFKD')
    .replace(accents, '')
    .replace(unseen, '')
    // There and back, so that `ß`, `ẞ` and `SS` become one.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(otherLetters, (letter) => letters[letter] ?? letter);
  if (run.length <= SHORT_RUN && foldedRuns.size < MAXIMUM_RUNS) foldedRuns.set(run, folded);
  return folded;
}

function endOfCluster(text: string, at: number): number {
  // Nothing that is plain ASCII extends what stands before it.
  if (text.charCodeAt(at) < 0x80 && !(text.charCodeAt(at + 1) >= 0x80)) return at + 1;
  cluster.lastIndex = at;
  return cluster.test(text) ? cluster.lastIndex : at + 1;
}

function foldedLength(text: string, start: number, end: number): number {
  return end - start === 1 && text.charCodeAt(start) < 0x80 ? 1 : foldStretch(text.slice(start, end)).length;
}

function isInsideCharacter(text: string, index: number): boolean {
  if (text.charCodeAt(index) < 0x80) return false;
  if (isLowSurrogate(text, index)) return true;
  extending.lastIndex = index;
  if (extending.test(text)) return true;
  return hasRegionalIndicator(text, index) && indicatorsBefore(text, index) % 2 === 1;
}

function indicatorsBefore(text: string, index: number): number {
  let count = 0;
  while (count < 100 && hasRegionalIndicator(text, index - 2 * (count + 1))) count++;
  return count;
}

function hasRegionalIndicator(text: string, index: number): boolean {
  regionalIndicator.lastIndex = index;
  return index >= 0 && regionalIndicator.test(text);
}

function isLowSurrogate(text: string, index: number): boolean {
  const isLow = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
  return isLow && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
}

/** Index of the last of some ascending numbers that is at most `value`. */
function lastAtMost(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
