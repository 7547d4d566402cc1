import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';

const tree = path.resolve(import.meta.dirname, '..');
const bundled = new Map<string, Promise<string>>();

/**
 * A source as one file, as the packaged program has them: sources would be compiled while they run. Made once; the files are
 * removed when this process ends.
 *
 * @param source Path below the tree, such as `bench/sessions-list-process.ts`.
 * @returns Path of the bundle.
 */
export const bundle = (source: string): Promise<string> => {
  const known = bundled.get(source) ?? makeBundle(source);
  bundled.set(source, known);
  return known;
};

const makeBundle = async (source: string): Promise<string> => {
  const outDir = await mkdtemp(path.join(tmpdir(), 'sidekeep-bench-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({
    configFile: false,
    logLevel: 'error',
    root: tree,
    ssr: { noExternal: true },
    build: {
      ssr: path.join(tree, source),
      outDir,
      emptyOutDir: true,
      target: 'node24',
      rolldownOptions: { output: { entryFileNames: 'bundle.mjs' } },
    },
  });
  return path.join(outDir, 'bundle.mjs');
};
