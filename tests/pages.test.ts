import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const tree = path.resolve(import.meta.dirname, '..');
const pages = globSync('**/*.md', {
  cwd: tree,
  exclude: (name) => /node_modules|\.vite|\.git|test-results/.test(name),
});

test('every link of the pages to a file of the tree leads somewhere', () => {
  const dead = pages.flatMap((page) => {
    const text = readFileSync(path.join(tree, page), 'utf8');
    return [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map((match) => match[1] ?? '')
      .filter((target) => !existsSync(path.join(tree, path.dirname(page), target)))
      .map((target) => `${page}: ${target}`);
  });
  expect(dead).toEqual([]);
});

test('every test file that a page names is there', () => {
  const missing = pages.flatMap((page) => {
    const text = readFileSync(path.join(tree, page), 'utf8');
    return [...text.matchAll(/`((?:tests|e2e)\/[\w./-]+\.(?:test|spec)\.tsx?)`/g)]
      .map((match) => match[1] ?? '')
      .filter((file) => !existsSync(path.join(tree, file)))
      .map((file) => `${page}: ${file}`);
  });
  expect(missing).toEqual([]);
});

test('every module of the core has a page', () => {
  const without = globSync('src/*/', { cwd: tree }).filter(
    (folder) => !existsSync(path.join(tree, folder, 'README.md')),
  );
  expect(without).toEqual([]);
  expect(pages).toContain('README.md');
});
