import { expect, test } from 'vitest';
import { bodyStart } from '../../../renderer/state/plan-body.ts';

test.each([
  ['a heading alone', '# Title\n', '# Title\n'],
  ['a heading and a blank line', '# Title\n\n', '# Title\n\n'],
  ['a heading, a blank line and a text', '# Title\n\nfirst\nsecond', '# Title\n\n'],
  ['a text right below the heading', '# Title\nfirst', '# Title\n'],
  ['two blank lines', '# Title\n\n\nfirst', '# Title\n\n'],
  ['a heading without a line below it', '# Title', '# Title'],
  ['no heading', 'first\n# not the first line', ''],
  ['a word that only looks like one', '#tag\nfirst', ''],
  ['nothing', '', ''],
])('the body of a plan begins below its heading: %s', (_what, text, before) => {
  expect(text.slice(0, bodyStart(text))).toBe(before);
});
