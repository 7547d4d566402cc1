import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** The page that says of each case from public reports which test holds it. */
const page = path.resolve(import.meta.dirname, '../docs/cases.md');
const rows = readFileSync(page, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what happened |'));

/** Links of a row to a test: the file, and the name of the test, which is the text of the link. */
const testsOf = (row: string): { file: string; name: string }[] =>
  [...row.matchAll(/\[([^\]]+)\]\((\.\.\/(?:tests|e2e)\/[^)]+)\)/g)].map(([, name = '', target = '']) => ({
    file: path.resolve(path.dirname(page), target),
    name,
  }));

test('the page has every case, and says of each what happened, what is right and what holds it', () => {
  expect(rows).toHaveLength(129);
  expect(rows.filter((row) => row.split(/(?<!\\)\|/).length !== 5)).toEqual([]);
  expect(rows.filter((row) => testsOf(row).length === 0 && !row.includes('*Not*'))).toEqual([]);
});

test('every test that the page names stands in its file', () => {
  const sources = new Map<string, string>();
  const sourceOf = (file: string): string => {
    const known = sources.get(file) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '');
    sources.set(file, known);
    return known;
  };
  const missing = rows
    .flatMap(testsOf)
    .filter(({ file, name }) => !sourceOf(file).includes(name))
    .map(({ file, name }) => `${path.basename(file)}: ${name}`);
  expect(missing).toEqual([]);
});
