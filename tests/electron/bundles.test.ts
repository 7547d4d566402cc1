import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { nativePackages, workerConfiguration } from '../../scripts/vite/configurations.ts';
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

test('the start names the bundles that are made, each once', () => {
  const start = readFileSync(path.join(tree, 'electron/main.ts'), 'utf8');
  const named = [...start.matchAll(/workerFile\('([^']+)'\)/g)].map((match) => match[1]);
  const made = workerEntries.map((entry) => path.basename(entry, '.ts'));
  expect(named.sort()).toEqual(made.sort());
});

test.each(workerEntries)('%s can be bundled, and needs nothing but Node and native packages then', async (entry) => {
  const configuration = workerConfiguration(entry);
  const options = { ...configuration.build, write: false, sourcemap: false };
  const built = await build({ ...configuration, configFile: false, logLevel: 'silent', build: options });
  const [bundle, ...more] = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
  expect(more).toEqual([]);
  expect(bundle?.fileName).toBe(`${path.basename(entry, '.ts')}.cjs`);
  const required = bundle?.type === 'chunk' ? [...bundle.imports, ...bundle.dynamicImports] : ['?'];
  const others = required.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
  const native: readonly string[] = nativePackages;
  expect(others.filter((name) => !native.includes(name))).toEqual([]);
});
