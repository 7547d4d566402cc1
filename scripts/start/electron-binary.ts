import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const packageFolder = path.dirname(createRequire(import.meta.url).resolve('electron/package.json'));

/**
 * Electron's own executable, or null when it was not downloaded. Never `require('electron')` to find out: that starts
 * a download.
 */
export function electronBinary(folder: string = packageFolder): string | null {
  const pathFile = path.join(folder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const binary = path.join(folder, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(binary) ? binary : null;
}

/** Downloads Electron's executable; null when its place cannot be reached within two minutes. */
export function fetchElectron(environment: NodeJS.ProcessEnv): string | null {
  const script = path.join(packageFolder, 'install.js');
  spawnSync(process.execPath, [script], { env: environment, stdio: 'ignore', timeout: 120_000 });
  return electronBinary();
}
