import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cachedChromium } from '../../e2e/host/find-chromium.ts';

/** A headless Chromium for Linux x64 that the npm registry carries; it needs nothing else from the system. */
const PACKAGE = '@sparticuz/chromium@153.0.0';

/** Whether that package runs on this machine. */
export const packagedChromiumRuns = (): boolean => process.platform === 'linux' && process.arch === 'x64';

/**
 * Installs the packaged Chromium, outside the lock file, into `node_modules/.cache/chromium`.
 * @returns its executable, or null with the reason on `explain` when the registry cannot be reached
 */
export function installPackagedChromium(
  environment: NodeJS.ProcessEnv,
  explain: (line: string) => void,
  executable: string = cachedChromium,
): string | null {
  const folder = path.dirname(executable);
  if (existsSync(executable)) return executable;
  const building = `${folder}.${process.pid}.tmp`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  try {
    writeFileSync(path.join(building, 'package.json'), JSON.stringify({ private: true }));
    const npm = [
      'install',
      PACKAGE,
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--fetch-retries=1',
      '--fetch-retry-mintimeout=1000',
    ];
    if (!run('npm', npm, building, environment, explain)) return null;
    writeFileSync(path.join(building, 'unpack.mjs'), unpackScript);
    const unpacking = { ...environment, TMPDIR: building };
    if (!run(process.execPath, ['unpack.mjs'], building, unpacking, explain)) return null;
    renameSync(path.join(building, 'chromium'), path.join(building, 'chromium-headless-shell'));
    writeFileSync(path.join(building, 'fonts.conf'), fontConfiguration(path.join(folder, 'fonts')));
    writeFileSync(path.join(building, 'chromium'), launcherScript, { mode: 0o755 });
    rmSync(path.join(building, 'node_modules'), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
    renameSync(building, folder);
    return executable;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function run(
  command: string,
  argv: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  explain: (line: string) => void,
): boolean {
  const result = spawnSync(command, argv, { cwd, env, encoding: 'utf8', timeout: 300_000 });
  if (result.status === 0) return true;
  const said = `${result.stderr ?? ''}${result.error?.message ?? ''}`.trim().split('\n').slice(0, 3).join(' ');
  explain(`${command} ${argv[0]} failed: ${said}`);
  return false;
}

const unpackScript = `
import { createRequire } from 'node:module';
import path from 'node:path';
import chromium, { inflate } from '@sparticuz/chromium';
const folder = path.join(path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin');
await chromium.executablePath(folder);
await inflate(path.join(folder, 'al2023.tar.br'));
`;

/** The libraries that came with it are found beside it; a system that has its own needs no change. */
const launcherScript = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/al2023/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium-headless-shell" "$@"
`;

const fontConfiguration = (fonts: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${fonts}</dir>
  <dir>/usr/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
