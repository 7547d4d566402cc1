import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { prepareDataFolder, readCommandLine } from '../../electron/command-line.ts';
import { cacheFolder, resolveRoots } from '../../electron/roots.ts';

test('a data folder is taken in both notations, relative to where the person is', () => {
  expect(readCommandLine(['.', '--data', 'x'], '/home/dev')).toEqual({ data: '/home/dev/x', smoke: false });
  expect(readCommandLine(['--data=/srv/x', '--smoke'], '/home/dev')).toEqual({ data: '/srv/x', smoke: true });
  expect(readCommandLine(['--remote-debugging-port=0', '.'], '/')).toEqual({ data: null, smoke: false });
});

test.each([[['--data']], [['--data', '--smoke']], [['--data=']]])('%j names no folder and says so', (argv) => {
  expect(() => readCommandLine(argv, '/')).toThrow('--data needs a folder');
});

const none = { contextRoot: null, sessionsRoot: null };

test('--data keeps every root below it, each in a folder of its own, whatever else is set', () => {
  const elsewhere = { SIDEKEEP_CONTEXT_ROOT: '/elsewhere', SIDEKEEP_SESSIONS_ROOT: '/elsewhere' };
  const roots = resolveRoots('/srv/x', elsewhere, { contextRoot: '/setting', sessionsRoot: '/setting' });
  expect(Object.values(roots).every((root) => root?.startsWith(`/srv/x${path.sep}`))).toBe(true);
  expect(new Set(Object.values(roots)).size).toBe(3);
  expect(roots.sessions).toBe(path.join('/srv/x', 'sessions'));
});

test('the environment wins over the setting, the setting over the usual place', () => {
  const settings = { contextRoot: '/b', sessionsRoot: '/d' };
  const both = resolveRoots(null, { SIDEKEEP_CONTEXT_ROOT: '/a', SIDEKEEP_SESSIONS_ROOT: '/c' }, settings);
  expect([both.context, both.sessions, both.application]).toEqual(['/a', '/c', null]);
  const set = resolveRoots(null, { SIDEKEEP_SESSIONS_ROOT: '' }, settings);
  expect([set.context, set.sessions]).toEqual(['/b', '/d']);
  expect(resolveRoots(null, {}, none).context).toMatch(/\.config[\\/]openchamber$/);
  expect(resolveRoots(null, {}, none).sessions).toMatch(/[\\/]\.reasonix$/);
});

test('the cache of a root is below the application folder, of its own and the same each time', () => {
  // printf /home/dev/.reasonix | sha256sum
  const expected = path.join('/user', 'cache', 'de30d8aa89951ff7');
  expect(cacheFolder('/user', '/home/dev/.reasonix')).toBe(expected);
  expect(cacheFolder('/user', '/home/dev/.reasonix/')).toBe(expected);
  expect(cacheFolder('/user', '/home/dev/.reasonix2')).not.toBe(expected);
  expect(path.basename(cacheFolder('/user', '../odd\u0000 root'))).toMatch(/^[0-9a-f]{16}$/);
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
