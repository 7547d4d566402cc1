import { expect, test } from 'vitest';
import { relativeTime } from '../../../renderer/ui/time.ts';

const MINUTE = 60_000;

test.each([
  [-59_000, null],
  [-2 * MINUTE, '2 minutes ago'],
  [-61 * MINUTE, '1 hour ago'],
  [-24 * 60 * MINUTE, 'yesterday'],
  [-50 * 60 * MINUTE, '2 days ago'],
  [3 * MINUTE, 'in 3 minutes'],
])('%i ms from now is %s', (passed, words) => {
  expect(relativeTime(1_772_000_000_000 + passed, 1_772_000_000_000)).toBe(words);
});
