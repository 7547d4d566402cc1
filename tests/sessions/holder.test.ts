import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findHold, findHolder, heldFailure } from '../../src/sessions/holder.ts';
import { type HolderEnvironment, nodeHolderEnvironment } from '../../src/sessions/holder-environment.ts';
import { testStore } from './support.ts';

/** `flock` is a part of every common Linux. */
const hasFlock = process.platform === 'linux';
const NOW = Date.UTC(2026, 10, 30);
const HOUR = 60 * 60 * 1000;

/** A machine called `here` on which the processes with these numbers run, each since a time. */
const machine = (running: Readonly<Record<number, number | null>> = {}): HolderEnvironment => ({
  platform: 'linux',
  pid: 1,
  host: 'here.local',
  now: () => NOW,
  isAlive: (pid) => pid in running,
  startedAt: async (pid) => running[pid] ?? null,
  locks: async () => '',
  deviceOf: async () => null,
  isLocked: async () => false,
});

/** Holds the system's lock on a file in another process until the test is over. */
async function holdLock(path: string): Promise<ChildProcess> {
  const child = spawn('flock', [path, 'sh', '-c', 'echo held; cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.stdin?.end();
      await once(child, 'exit');
    }
  });
  await once(child.stdout, 'data');
  return child;
}

async function release(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  await once(child, 'exit');
}

const record = (fields: object): string =>
  JSON.stringify({
    session_path: '/x/s.jsonl',
    hostname: 'here.local',
    acquired_at: new Date(NOW - HOUR).toISOString(),
    ...fields,
  });

describe('who has a session open', () => {
  test('nobody, without lock files or with empty ones that an ended program left', async () => {
    const store = await testStore();
    expect(await findHolder(store.files('s'))).toBeNull();
    await store.write({ 's.jsonl.lock': '', 's.jsonl.lease.lock': '' });
    expect(await findHolder(store.files('s'))).toBeNull();
    expect(Object.keys(await store.read())).toEqual(['s.jsonl.lease.lock', 's.jsonl.lock']);
  });

  test.runIf(hasFlock)('a process that holds the lock of the system, whatever the file says', async () => {
    const store = await testStore({ 's.jsonl.lease.lock': ' not json' });
    const child = await holdLock(join(store.folder, 's.jsonl.lease.lock'));
    expect(await findHold(store.files('s'))).toEqual({
      by: 'lease',
      holder: { pid: child.pid, host: null, since: null },
    });
    expect(await findHolder(store.files('other'))).toBeNull();
    await writeFile(join(store.folder, 's.jsonl.lease.lock'), ` ${record({ hostname: hostname(), pid: child.pid })}`);
    expect(await findHolder(store.files('s'))).toEqual({ pid: child.pid, host: null, since: NOW - HOUR });
    await release(child);
    expect(await findHolder(store.files('s'))).toBeNull();
  });

  test.runIf(hasFlock)('a process that is just saving', async () => {
    const store = await testStore({ 's.jsonl.lock': '' });
    const child = await holdLock(join(store.folder, 's.jsonl.lock'));
    expect(await findHold(store.files('s'))).toEqual({
      by: 'save',
      holder: { pid: child.pid, host: null, since: null },
    });
    await release(child);
    expect(await findHold(store.files('s'))).toBeNull();
  });

  test.runIf(hasFlock)('not a process that only waits for the lock', async () => {
    const store = await testStore({ 's.jsonl.lease.lock': '' });
    const { ino, dev } = await store.files('s').fileSystem.lstat(join(store.folder, 's.jsonl.lease.lock'));
    const device = `${Number((dev >> 8n) & 0xfffn)
      .toString(16)
      .padStart(2, '0')}:${Number(dev & 0xffn)
      .toString(16)
      .padStart(2, '0')}`;
    const table = (arrow: string): HolderEnvironment => ({
      ...machine(),
      locks: async () => `1:${arrow} FLOCK  ADVISORY  WRITE 77 ${device}:${ino} 0 EOF\n`,
    });
    expect(await findHolder(store.files('s'), table(' ->'))).toBeNull();
    expect(await findHolder(store.files('s'), table(''))).toEqual({ pid: 77, host: null, since: null });
    const elsewhere = { ...table(''), locks: async () => `1: FLOCK  ADVISORY  WRITE 77 7f:7f:${ino} 0 EOF\n` };
    expect(await findHolder(store.files('s'), elsewhere)).toBeNull();
    const other = { ...elsewhere, deviceOf: async () => '7f:7f' };
    expect(await findHolder(store.files('s'), other), 'the mount may show another device').toMatchObject({ pid: 77 });
    const own = { ...table(''), pid: 77 };
    expect(await findHolder(store.files('s'), own), 'this process is never somebody else').toBeNull();
  });

  test('a live process of this machine that the owner file names', async () => {
    const store = await testStore({ 's.jsonl.lease.json': record({ pid: 50 }) });
    const files = store.files('s');
    expect(await findHolder(files, machine({ 50: NOW - 2 * HOUR }))).toEqual({
      pid: 50,
      host: null,
      since: NOW - HOUR,
    });
    expect(await findHolder(files, machine({ 50: null })), 'start not told').toMatchObject({ pid: 50 });
    expect(await findHolder(files, machine()), 'dead').toBeNull();
    expect(await findHolder(files, machine({ 50: NOW - HOUR / 2 })), 'number used again').toBeNull();
    expect(await findHolder(files, { ...machine({ 50: null }), pid: 50 }), 'this process').toBeNull();
  });

  test('a live process in the owner file of newer builds, behind the locked byte', async () => {
    const store = await testStore({ 's.jsonl.lease.lock': ` ${record({ pid: 50, hostname: 'HERE.local' })}` });
    expect(await findHolder(store.files('s'), machine({ 50: null }))).toMatchObject({ pid: 50, host: null });
  });

  test('nobody, when the process is dead and the time lies in the future', async () => {
    const store = await testStore({
      's.jsonl.lease.json': record({ pid: 50, acquired_at: '2099-01-01T00:00:00Z' }),
      's.jsonl.lock': '',
    });
    await utimes(join(store.folder, 's.jsonl.lock'), 4e9, 4e9);
    expect(await findHolder(store.files('s'), machine())).toBeNull();
  });

  test('another machine for a day after its last sign of life; a process here of that number decides nothing', async () => {
    const at = (ms: number): string => new Date(ms).toISOString();
    const store = await testStore();
    const file = join(store.folder, 's.jsonl.lease.json');
    const look = async (fields: object): Promise<unknown> => {
      await writeFile(file, record({ pid: 50, hostname: 'other-box', ...fields }));
      await utimes(file, (NOW - 48 * HOUR) / 1000, (NOW - 48 * HOUR) / 1000);
      return findHolder(store.files('s'), machine({ 50: null }));
    };
    expect(await look({ heartbeat_at: at(NOW - 5000) })).toEqual({ pid: 50, host: 'other-box', since: NOW - HOUR });
    expect(await look({ acquired_at: at(NOW - 48 * HOUR) })).toBeNull();
    expect(await look({ acquired_at: at(NOW - 72 * HOUR), heartbeat: NOW - 48 * HOUR })).toBeNull();
    expect(await look({ acquired_at: '2099-01-01T00:00:00Z' }), 'a time far ahead').toBeNull();
  });

  test('nobody, when the owner file cannot be read and nobody holds the lock', async () => {
    for (const content of ['', '{', 'null', '[]', '{"pid":"x"}', '\0\0\0\0']) {
      const store = await testStore({ 's.jsonl.lease.json': content, 's.jsonl.lease.lock': content });
      expect(await findHolder(store.files('s'), machine({ 1: null })), content).toBeNull();
    }
  });

  test('the successor while a session is handed over', async () => {
    const handoff = {
      handoff_to: 'here.local-60-0123456789abcdef',
      handoff_expires_at: new Date(NOW + 20_000).toISOString(),
    };
    const store = await testStore({ 's.jsonl.lease.json': record({ pid: 50, ...handoff }) });
    expect(await findHolder(store.files('s'), machine())).toMatchObject({ pid: 60 });
    const later = { ...machine(), now: () => NOW + 40_000 };
    expect(await findHolder(store.files('s'), later)).toBeNull();
  });

  test('whoever the system of another kind says has locked the file', async () => {
    const store = await testStore({ 's.jsonl.lease.lock': '' });
    const windows: HolderEnvironment = {
      ...machine(),
      platform: 'win32',
      locks: async () => null,
      isLocked: async (path) => path.endsWith('.lease.lock'),
    };
    expect(await findHolder(store.files('s'), windows)).toEqual({ pid: null, host: null, since: null });
  });

  test('is told without the name of a machine or a path', () => {
    const failure = heldFailure({ pid: 5, host: 'other-box', since: null }, 'The session was not deleted');
    expect(failure).toMatchObject({ code: 'in-use', detail: { pid: 5, elsewhere: true } });
    expect(JSON.stringify(failure.toCallError())).not.toContain('other-box');
  });
});

describe('this machine', () => {
  test.runIf(process.platform === 'linux')('tells when a process began', async () => {
    const child = spawn('sleep', ['5']);
    onTestFinished(() => void child.kill());
    await delay(20);
    const started = await nodeHolderEnvironment.startedAt(child.pid ?? 0);
    expect(Math.abs((started ?? 0) - Date.now())).toBeLessThan(3000);
    expect(await nodeHolderEnvironment.startedAt(2 ** 22 + 1)).toBeNull();
  });

  test('a process that began before it took a session is its holder, here and now', async () => {
    const child = spawn('sleep', ['20']);
    const ended = once(child, 'exit');
    await delay(20);
    const owner = record({ pid: child.pid, hostname: hostname(), acquired_at: new Date().toISOString() });
    const store = await testStore({ 's.jsonl.lease.json': owner });
    expect(await findHolder(store.files('s'))).toMatchObject({ pid: child.pid, host: null });
    child.kill();
    await ended;
    expect(await findHolder(store.files('s'))).toBeNull();
  });
});
