import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import {
  mainConfiguration,
  preloadConfiguration,
  rendererConfiguration,
  workerConfiguration,
  writeWorkerConfiguration,
} from './vite/configurations.ts';

const tree = path.resolve(import.meta.dirname, '..');
const output = path.join(tree, '.vite');
const stampFile = path.join(output, 'sources.sha256');
const sources = [
  '{src,electron,renderer}/**/*',
  'scripts/build-application.ts',
  'scripts/vite/*.ts',
  'package-lock.json',
];

/**
 * Builds the main process, the watcher's worker, the preload and the pages into `.vite/`. Does nothing when the sources
 * are those of the last build, so that starting the program a second time leaves the files of the running one alone.
 */
export async function buildApplication(logLevel: 'info' | 'warn' = 'warn'): Promise<void> {
  const stamp = sourcesStamp();
  if (stamp === lastStamp()) return;
  rmSync(output, { recursive: true, force: true });
  const configurations = [
    mainConfiguration,
    workerConfiguration,
    writeWorkerConfiguration,
    preloadConfiguration,
    rendererConfiguration,
  ];
  for (const configuration of configurations) await build({ ...configuration, configFile: false, logLevel });
  writeFileSync(stampFile, stamp);
}

function sourcesStamp(): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: tree }).sort()) {
    const status = statSync(path.join(tree, file));
    if (status.isFile()) hash.update(`${file}\0`).update(readFileSync(path.join(tree, file)));
  }
  return hash.digest('hex');
}

function lastStamp(): string | null {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
