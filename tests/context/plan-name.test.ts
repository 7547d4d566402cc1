import { expect, test } from 'vitest';
import { isPlanFile } from '../../src/context/entries.ts';
import { planNames, safePlanName, slugOf } from '../../src/context/plan-name.ts';

test.each([
  ['Release checklist', 'release-checklist'],
  ['  Mixed_CASE: `code` (v2.0)! ', 'mixedcase-code-v20'],
  ['a/b:c*?"<>|\\', 'a-bc'],
  ['План переноса', 'plan'],
  ['Café — Übersicht', 'caf-bersicht'],
  ['--a---b--', 'a-b'],
  ['', 'plan'],
  ['..', 'plan'],
  ['a\tb\nc', 'a-b-c'],
  [`${'a'.repeat(99)} bcd`, 'a'.repeat(99)],
])('%j becomes %j', (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});

test('names are tried in order, without those that a link already has', () => {
  const names = planNames(5, 'Same', ['5-same.md', '5-SAME-2.md']);
  expect([names.next().value, names.next().value]).toEqual(['5-same-1.md', '5-same-3.md']);
});

test('any name from elsewhere becomes one that can be used', () => {
  for (const name of ['мой план.md', '.hidden.md', '...', 'x'.repeat(300), 'a b.MD', '']) {
    expect(isPlanFile(safePlanName(name)), name).toBe(true);
  }
  expect(safePlanName('a b.MD')).toBe('a-b.md');
});
