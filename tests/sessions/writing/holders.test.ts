import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { filesIn, made, type Rig, said, setUp } from './support.ts';

/** A process that lives until the test is over or it is told to end. */
async function otherProcess(): Promise<{ pid: number; end(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log(1)'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  onTestFinished(end);
  return { pid: child.pid ?? 0, end };
}

const lease = (pid: number, host: string, at: number): string =>
  JSON.stringify({
    session_path: 's',
    writer_id: `${host}-${pid}-0123456789abcdef`,
    pid,
    hostname: host,
    acquired_at: new Date(at).toISOString(),
  });

async function refused(rig: Rig, session: { store: string; id: string }): Promise<void> {
  const before = await filesIn(rig.folder);
  await expect(rig.writers.append(session, [said('x')])).rejects.toMatchObject({ code: 'in-use' });
  await expect(rig.writers.rename(session, { title: 'x' })).rejects.toMatchObject({ code: 'in-use' });
  expect(await filesIn(rig.folder)).toEqual(before);
}

test('while another program has a session open nothing is written to it; afterwards it goes on at once', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  await rig.writers.append(session, [said('second')]);
  await rig.writers.flush();
  const other = await otherProcess();
  await writeFile(rig.path(session, '.jsonl.lease.json'), lease(other.pid, hostname(), Date.now()));
  await refused(rig, session);
  await other.end();
  expect((await rig.writers.append(session, [said('third')])).index).toBe(2);
});

test('somebody on another computer is believed for a day, whatever runs under their number here', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  const path = rig.path(session, '.jsonl.lease.json');
  await writeFile(path, lease(process.pid, 'other-box', Date.now() - 5000));
  await refused(rig, session);
  const old = Date.now() - 2 * 24 * 3600 * 1000;
  await writeFile(path, lease(process.pid, 'other-box', old));
  await utimes(path, new Date(old), new Date(old));
  expect((await rig.writers.append(session, [said('second')])).index).toBe(1);
});

test('empty lock files, dead holders and times in the future block nobody', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  const ended = await otherProcess();
  await ended.end();
  await writeFile(rig.path(session, '.jsonl.lock'), '');
  await writeFile(rig.path(session, '.jsonl.lease.lock'), '');
  expect((await rig.writers.append(session, [said('second')])).index).toBe(1);
  const ahead = new Date(Date.now() + 10 * 365 * 24 * 3600 * 1000);
  await utimes(rig.path(session, '.jsonl.lock'), ahead, ahead);
  await writeFile(rig.path(session, '.jsonl.lease.json'), lease(ended.pid, hostname(), ahead.getTime()));
  expect((await rig.writers.append(session, [said('third')])).index).toBe(2);
});

test('the program never blocks itself, and leaves no lock behind', async () => {
  const rig = await setUp({ checkpointDelay: 1 });
  const session = await made(rig, 'first');
  for (let round = 0; round < 50; round++) {
    await Promise.all([rig.writers.append(session, [said('main')]), rig.writers.append(session, [said('mini')])]);
    if (round % 10 === 0) await rig.restart();
  }
  await rig.writers.flush();
  expect(Object.keys(await filesIn(rig.folder)).filter((name) => /lock|lease/.test(name))).toEqual([]);
});

test('a marker of a rotation that a crash left behind keeps nobody waiting', async () => {
  const rig = await setUp();
  const session = await made(rig, 'first');
  await writeFile(rig.path(session, '.events.jsonl.rotating'), '');
  expect((await rig.writers.append(session, [said('second')])).index).toBe(1);
});

test('a lock that is taken without any change of a name is noticed', async () => {
  const holder = { current: null as { pid: number; host: null; since: null } | null };
  const rig = await setUp({ findHolder: async () => holder.current, checkpointDelay: 60_000 });
  const session = await made(rig, 'first');
  await writeFile(rig.path(session, '.jsonl.lease.lock'), '');
  await new Promise((resolve) => setTimeout(resolve, 80));
  await rig.writers.append(session, [said('second')]);
  holder.current = { pid: 4242, host: null, since: null };
  await refused(rig, session);
  holder.current = null;
  await unlink(rig.path(session, '.jsonl.lease.lock'));
  await rig.writers.append(session, [said('third')]);
});
