import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDifferences, textChanges } from '../../../renderer/state/text-differences.ts';

function apply(before: string, changes: ReturnType<typeof textChanges>): string {
  return changes.reduceRight((text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to), before);
}

const lines = fc.array(fc.constantFrom('', 'a', 'b', 'ab', '😀', '😁 x', 'c\r'), { maxLength: 12 });

describe('changes between two texts', () => {
  it('make the one of the other', () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const [before, after] = [a.join('\n'), b.join('\n')];
        expect(apply(before, textChanges(before, after))).toBe(after);
      }),
    );
  });

  it('never cut a surrogate pair, and stand in order without overlapping', () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        let last = 0;
        for (const { from, to, insert } of textChanges(a.join('\n'), b.join('\n'))) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(insert).toBe(insert.toWellFormed());
          last = to;
        }
      }),
    );
  });

  it('leave alone what stands between two changed lines', () => {
    const before = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    const after = before.with(3, 'line three').with(90, 'line ninety');
    const changes = textChanges(before.join('\n'), after.join('\n'));
    expect(changes).toHaveLength(2);
    expect(changes.every(({ from, to }) => to - from <= 2)).toBe(true);
  });

  it('mark the lines that only one text has', () => {
    const { mine, theirs } = lineDifferences('a\nb\nc', 'a\nx\nc\nd');
    expect(mine.filter((line) => line.differs).map((line) => line.text)).toEqual(['b']);
    expect(theirs.filter((line) => line.differs).map((line) => line.text)).toEqual(['x', 'd']);
  });
});
