import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { prepareDataFolder, readCommandLine } from '../../electron/command-line.ts';
import { resolveRoots } from '../../electron/roots.ts';

test('a data folder is taken in both notations, relative to where the person is', () => {
  expect(readCommandLine(['.', '--data', 'x'], '/home/dev')).toEqual({ data: '/home/dev/x', smoke: false });
  expect(readCommandLine(['--data=/srv/x', '--smoke'], '/home/dev')).toEqual({ data: '/srv/x', smoke: true });
  expect(readCommandLine(['--remote-debugging-port=0', '.'], '/')).toEqual({ data: null, smoke: false });
});

test.each([[['--data']], [['--data', '--smoke']], [['--data=']]])('%j names no folder and says so', (argv) => {
  expect(() => readCommandLine(argv, '/')).toThrow('--data needs a folder');
});

test('--data keeps every root below it, whatever else is set', () => {
  const roots = resolveRoots('/srv/x', { SIDEKEEP_CONTEXT_ROOT: '/elsewhere' }, '/setting');
  expect(Object.values(roots).every((root) => root?.startsWith(`/srv/x${path.sep}`))).toBe(true);
});

test('the environment wins over the setting, the setting over the usual place', () => {
  expect(resolveRoots(null, { SIDEKEEP_CONTEXT_ROOT: '/a' }, '/b').context).toBe('/a');
  expect(resolveRoots(null, {}, '/b').context).toBe('/b');
  expect(resolveRoots(null, {}, null).context).toMatch(/\.config[\\/]openchamber$/);
});

test('the folder of --data is made for the person alone; a file in the way, or a place of the system, is refused', () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'sidekeep-data-'));
  try {
    const folder = path.join(parent, 'a', 'b');
    prepareDataFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    prepareDataFolder(folder);
    writeFileSync(path.join(parent, 'file'), '');
    expect(() => prepareDataFolder(path.join(parent, 'file'))).toThrow(/cannot be used \(a file is in the way\)/);
    expect(() => prepareDataFolder(path.join(parent, 'file', 'x'))).toThrow(/cannot be used \(ENOTDIR\)/);
    if (process.platform === 'linux') expect(() => prepareDataFolder('/proc/nope/x')).toThrow(/cannot be used/);
  } finally {
    rmSync(parent, { recursive: true });
  }
});
