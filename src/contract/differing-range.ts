/** Where two lists differ: from `start` up to, and without, the end of each; before and behind that they are the same. */
export interface DifferingRange {
  readonly start: number;
  readonly beforeEnd: number;
  readonly afterEnd: number;
}

/** What lies between the longest same beginning and the longest same end of two lists. Entries are compared by `same`. */
export function differingRange<Entry>(
  before: readonly Entry[],
  after: readonly Entry[],
  same: (before: Entry, after: Entry) => boolean = Object.is,
): DifferingRange {
  const isSame = (left: number, right: number): boolean => same(before[left] as Entry, after[right] as Entry);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(start, start)) start++;
  let [beforeEnd, afterEnd] = [before.length, after.length];
  while (beforeEnd > start && afterEnd > start && isSame(beforeEnd - 1, afterEnd - 1)) {
    beforeEnd--;
    afterEnd--;
  }
  return { start, beforeEnd, afterEnd };
}
