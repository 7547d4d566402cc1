import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPackagedChromium } from '../../scripts/start/packaged-chromium.ts';
import { exitCodes } from '../../scripts/start/plan.ts';

const tree = path.resolve(import.meta.dirname, '../..');
let empty = '';

beforeAll(() => {
  empty = mkdtempSync(path.join(tmpdir(), 'sidekeep-start-'));
});
afterAll(() => rmSync(empty, { recursive: true, force: true }));

/** Runs `npm start` as it is, with this environment only. */
function start(argv: string[], environment: Record<string, string>) {
  return spawnSync(process.execPath, ['scripts/start.ts', ...argv], {
    cwd: tree,
    env: { PATH: empty, HOME: empty, ...environment },
    encoding: 'utf8',
    timeout: 60_000,
  });
}

test('a real start without a display ends with its code and one line', () => {
  const result = start([], {});
  expect(result.status).toBe(exitCodes.noDisplay);
  expect(result.stderr.trim().split('\n')).toHaveLength(1);
  expect(result.stderr).toContain('npm start -- --headless');
  expect(result.stdout).toBe('');
});

test('a real start with a wrong CHROMIUM_PATH ends with its code and one line', () => {
  const result = start(['--headless'], { CHROMIUM_PATH: path.join(empty, 'none') });
  expect(result.status).toBe(exitCodes.noBrowser);
  expect(result.stderr.trim().split('\n')).toHaveLength(1);
  expect(result.stderr).toContain('CHROMIUM_PATH');
});

test('a registry that cannot be reached leaves no Chromium and nothing half installed', () => {
  const lines: string[] = [];
  const executable = path.join(empty, 'cache', 'chromium', 'chromium');
  const environment = { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_timeout: '2000' };
  expect(installPackagedChromium(environment, (line) => void lines.push(line), executable)).toBeNull();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^npm install failed/);
  expect(spawnSync('ls', ['-A', path.join(empty, 'cache')], { encoding: 'utf8' }).stdout).toBe('');
});
