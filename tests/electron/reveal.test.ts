import { expect, test } from 'vitest';
import { createReveal } from '../../electron/reveal.ts';

test('a file is shown by the file manager', () => {
  const shown: string[] = [];
  createReveal({ showItemInFolder: (file) => void shown.push(file) })('/srv/sessions/a.jsonl');
  expect(shown).toEqual(['/srv/sessions/a.jsonl']);
});

test('a desktop without a file manager is a failure, told without the path', () => {
  const reveal = createReveal({
    showItemInFolder: (file) => {
      throw new Error(`no program shows ${file}`);
    },
  });
  const failure = expect.objectContaining({ code: 'io', message: expect.not.stringContaining('/srv') });
  expect(() => reveal('/srv/sessions/a.jsonl')).toThrow(failure);
});
