export interface DiffLine {
  readonly text: string;
  /** Whether the other text lacks this line. */
  readonly differs: boolean;
}

/** A span of the old text and what replaces it; offsets count UTF-16 code units. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Cells of the table beyond which only the common beginning and end are looked for. */
const MAXIMUM_CELLS = 4_000_000;

/** The lines of both texts, marked where they differ. */
export function lineDifferences(mine: string, theirs: string): { mine: DiffLine[]; theirs: DiffLine[] } {
  const a = mine.split(/\r\n|\r|\n/);
  const b = theirs.split(/\r\n|\r|\n/);
  const differs = { mine: new Set<number>(), theirs: new Set<number>() };
  for (const hunk of hunks(a, b)) {
    for (let index = hunk.fromA; index < hunk.toA; index++) differs.mine.add(index);
    for (let index = hunk.fromB; index < hunk.toB; index++) differs.theirs.add(index);
  }
  const mark = (lines: string[], set: Set<number>) => lines.map((text, index) => ({ text, differs: set.has(index) }));
  return { mine: mark(a, differs.mine), theirs: mark(b, differs.theirs) };
}

/**
 * The smallest changes, line by line and then by characters, that make `after` of `before`; both with LF between lines.
 * What they do not touch keeps its cursor and its place on the screen.
 */
export function textChanges(before: string, after: string): TextChange[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const starts: number[] = [];
  let offset = 0;
  for (const line of a) {
    starts.push(offset);
    offset += line.length + 1;
  }
  return hunks(a, b).map((hunk) => changeOf(hunk, a, b, starts, before.length));
}

interface Hunk {
  fromA: number;
  toA: number;
  fromB: number;
  toB: number;
}

function changeOf(
  hunk: Hunk,
  a: readonly string[],
  b: readonly string[],
  starts: readonly number[],
  end: number,
): TextChange {
  const added = b.slice(hunk.fromB, hunk.toB);
  const removed = a.slice(hunk.fromA, hunk.toA);
  if (removed.length > 0 && added.length > 0) {
    return trimmed(starts[hunk.fromA] ?? end, removed.join('\n'), added.join('\n'));
  }
  // Whole lines come or go: the line break that goes with them stands behind them, or before them at the end.
  const atEnd = hunk.toA >= a.length;
  const from = atEnd ? Math.max(0, (starts[hunk.fromA] ?? end + 1) - 1) : (starts[hunk.fromA] ?? end);
  const to = atEnd ? end : (starts[hunk.toA] ?? end);
  if (removed.length > 0) return { from, to, insert: '' };
  const text = added.join('\n');
  return atEnd ? { from: end, to: end, insert: `\n${text}` } : { from, to: from, insert: `${text}\n` };
}

/** A replacement without the characters that both texts begin and end with; never cuts a surrogate pair. */
function trimmed(offset: number, removed: string, added: string): TextChange {
  const shorter = Math.min(removed.length, added.length);
  let start = 0;
  while (start < shorter && removed[start] === added[start]) start++;
  if (start > 0 && isHighSurrogate(removed.charCodeAt(start - 1))) start--;
  let end = 0;
  while (end < shorter - start && removed[removed.length - 1 - end] === added[added.length - 1 - end]) end++;
  if (end > 0 && isLowSurrogate(removed.charCodeAt(removed.length - end))) end--;
  return { from: offset + start, to: offset + removed.length - end, insert: added.slice(start, added.length - end) };
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The runs of lines that differ, in order, by the longest common subsequence of lines. */
function hunks(a: readonly string[], b: readonly string[]): Hunk[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  if (start === endA && start === endB) return [];
  const whole = { fromA: start, toA: endA, fromB: start, toB: endB };
  if ((endA - start) * (endB - start) > MAXIMUM_CELLS) return [whole];
  return splitHunk(a, b, whole);
}

function splitHunk(a: readonly string[], b: readonly string[], { fromA, toA, fromB, toB }: Hunk): Hunk[] {
  const width = toB - fromB + 1;
  const table = new Uint32Array((toA - fromA + 1) * width);
  const at = (i: number, j: number): number => table[(i - fromA) * width + (j - fromB)] ?? 0;
  for (let i = toA - 1; i >= fromA; i--) {
    for (let j = toB - 1; j >= fromB; j--) {
      const common = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      table[(i - fromA) * width + (j - fromB)] = common;
    }
  }
  const found: Hunk[] = [];
  let open: Hunk = { fromA, toA: fromA, fromB, toB: fromB };
  const close = (i: number, j: number) => {
    if (open.toA > open.fromA || open.toB > open.fromB) found.push(open);
    open = { fromA: i, toA: i, fromB: j, toB: j };
  };
  let i = fromA;
  let j = fromB;
  while (i < toA || j < toB) {
    if (i < toA && j < toB && a[i] === b[j]) {
      i++;
      j++;
      close(i, j);
    } else if (j >= toB || (i < toA && at(i + 1, j) >= at(i, j + 1))) open.toA = ++i;
    else open.toB = ++j;
  }
  close(i, j);
  return found;
}
