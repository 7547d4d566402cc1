import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { workerConfiguration } from '../../scripts/vite/configurations.ts';
import { workerEntries } from '../../scripts/vite/workers.ts';

const tree = path.resolve(import.meta.dirname, '../..');

test('every file that runs as a worker thread is bundled, each under a name of its own', () => {
  const threads = globSync('src/**/*.ts', { cwd: tree }).filter((file) =>
    /\bparentPort\b[^;]*from 'node:worker_threads'/.test(readFileSync(path.join(tree, file), 'utf8')),
  );
  expect(threads).toContain(path.join('src', 'watch', 'watch-worker.ts'));
  expect(threads.sort()).toEqual(workerEntries);
  expect(new Set(workerEntries.map((entry) => path.basename(entry))).size).toBe(workerEntries.length);
});

test('the start names bundles that are made', () => {
  const start = readFileSync(path.join(tree, 'electron/main.ts'), 'utf8');
  const named = [...start.matchAll(/workerUrl\('([^']+)'\)/g)].map((match) => match[1]);
  expect(named).toContain('watch-worker');
  const made = workerEntries.map((entry) => path.basename(entry, '.ts'));
  // A thread that nobody starts is a mistake as well.
  expect(made.filter((name) => !named.includes(name))).toEqual([]);
});

test('a worker is bundled from its entry', () => {
  const { build } = workerConfiguration('src/watch/watch-worker.ts');
  expect(build?.lib).toMatchObject({ entry: path.join(tree, 'src/watch/watch-worker.ts'), formats: ['cjs'] });
});
