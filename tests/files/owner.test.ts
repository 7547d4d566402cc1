import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRootOwner, nodeFileSystem, OWNER_FILE } from '../../src/files/index.ts';
import { temporaryFolder } from './support.ts';

interface OwnerProcess {
  child: ChildProcess;
  pid: number;
  /** `owner`, or the message of its failure. */
  said: string;
}

/** Starts another program on the same root and waits for what it says. */
async function start(root: string, how: 'acquire' | 'ensure' = 'acquire'): Promise<OwnerProcess> {
  const script = join(import.meta.dirname, 'owner-process.ts');
  const child = spawn(process.execPath, [script, root, how], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.stdin.end();
      await once(child, 'exit');
    }
  });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, pid: child.pid ?? 0, said: chunk.toString().trim() };
}

async function root(): Promise<string> {
  const path = join(await temporaryFolder(), 'root');
  await mkdir(path);
  return path;
}

async function leave({ child }: OwnerProcess): Promise<void> {
  child.stdin?.end();
  await once(child, 'exit');
}

// nimbalyst/nimbalyst#1188, microsoft/vscode#97626: two programs on one folder, the later one wrote all the same.
test('a second program on the same root is refused, is told who has it, and changes nothing', async () => {
  const path = await root();
  const first = await start(path);
  expect(first.said).toBe('owner');
  const file = await readFile(join(path, OWNER_FILE), 'utf8');
  expect(JSON.parse(file)).toMatchObject({ pid: first.pid });
  const second = await start(path);
  expect(second.said).toContain(`process ${first.pid}`);
  const here = createRootOwner({ root: path });
  await expect(here.acquire()).rejects.toMatchObject({ code: 'in-use', detail: { pid: first.pid } });
  expect(await readFile(join(path, OWNER_FILE), 'utf8')).toBe(file);
  expect(await readdir(path)).toEqual([OWNER_FILE]);
  await leave(first);
  expect(await readdir(path)).toEqual([]);
  expect(await here.acquire()).toBe(true);
  await here.dispose();
  expect(await readdir(path)).toEqual([]);
});

test('a root whose owner was killed is taken over', async () => {
  const path = await root();
  const first = await start(path);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  expect(await readdir(path)).toEqual([OWNER_FILE]);
  const second = await start(path);
  expect(second.said).toBe('owner');
  expect(JSON.parse(await readFile(join(path, OWNER_FILE), 'utf8'))).toMatchObject({ pid: second.pid });
  await leave(second);
});

test('of several programs that find a dead owner exactly one takes over', async () => {
  const path = await root();
  const first = await start(path);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const others = await Promise.all(Array.from({ length: 4 }, () => start(path)));
  const owners = others.filter(({ said }) => said === 'owner');
  expect(owners).toHaveLength(1);
  for (const { said } of others.filter(({ said }) => said !== 'owner')) {
    expect(said).toContain(`process ${owners[0]?.pid}`);
  }
});

test('of many in one process, too, exactly one takes over; claims of programs that died in between are followed', async () => {
  const path = await root();
  const dead = { version: 1, pid: 999_999_999, start: 'x', host: 'x', socket: '/nowhere', token: 'a'.repeat(16) };
  await writeFile(join(path, OWNER_FILE), JSON.stringify(dead));
  const claim = { ...dead, token: 'b'.repeat(16) };
  await writeFile(join(path, `.sidekeep-owner.${dead.token}.claim`), JSON.stringify(claim));
  await writeFile(join(path, `.sidekeep-owner.${claim.token}.claim`), 'not a record');
  const owners = Array.from({ length: 6 }, () => createRootOwner({ root: path }));
  const taken = await Promise.allSettled(owners.map((owner) => owner.acquire()));
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of taken) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'in-use' });
  }
  await Promise.all(owners.map((owner) => owner.dispose()));
  expect(await readdir(path)).toEqual([]);
});

test('looking for a root does not make it; the first write may', async () => {
  const path = join(await temporaryFolder(), 'config', 'root');
  const owner = createRootOwner({ root: path });
  expect(await owner.acquire()).toBe(false);
  await expect(readdir(path)).rejects.toMatchObject({ code: 'ENOENT' });
  await owner.ensure();
  expect(await readdir(path)).toEqual([OWNER_FILE]);
  expect((await start(path, 'ensure')).said).toContain(`process ${process.pid}`);
  await owner.dispose();
});

test('an owner file that says nothing is a dead owner; one that is gone is written again before the next write', async () => {
  const path = await root();
  await writeFile(join(path, OWNER_FILE), '');
  const owner = createRootOwner({ root: path });
  expect(await owner.acquire()).toBe(true);
  await owner.ensure();
  await rm(join(path, OWNER_FILE));
  await owner.ensure();
  expect(JSON.parse(await readFile(join(path, OWNER_FILE), 'utf8'))).toMatchObject({ pid: process.pid });
  await owner.dispose();
  await owner.dispose();
});

test('a living owner whose socket was swept away is still the owner', async () => {
  const path = await root();
  const first = await start(path);
  const { socket } = JSON.parse(await readFile(join(path, OWNER_FILE), 'utf8')) as { socket: string };
  await rm(socket);
  const here = createRootOwner({ root: path });
  const refused = here.acquire();
  if (process.platform === 'linux') {
    await expect(refused).rejects.toMatchObject({ code: 'in-use', detail: { pid: first.pid } });
  } else {
    await refused.catch(() => undefined);
    await here.dispose();
  }
  await leave(first);
});

test('a socket that does not bear the name of this root is never asked', async () => {
  const path = await root();
  const record = {
    version: 1,
    pid: 999_999_999,
    start: 'x',
    host: 'x',
    socket: '/tmp/other.sock',
    token: 'a'.repeat(16),
  };
  await writeFile(join(path, OWNER_FILE), JSON.stringify(record));
  const owner = createRootOwner({ root: path });
  expect(await owner.acquire()).toBe(true);
  await owner.dispose();
});

test('one that was overtaken between its look and its claim does not take the root from the new owner', async () => {
  const path = await root();
  const record = { version: 1, pid: 999_999_999, start: 'x', host: 'x', socket: '/nowhere', token: 'a'.repeat(16) };
  await writeFile(join(path, OWNER_FILE), JSON.stringify(record));
  const quick = createRootOwner({ root: path });
  let overtaken = false;
  const slow = createRootOwner({
    root: path,
    fileSystem: {
      ...nodeFileSystem,
      async link(existing, name) {
        if (!overtaken) {
          overtaken = true;
          // Another runtime folder, so that the sockets of both do not meet.
          vi.stubEnv('XDG_RUNTIME_DIR', '');
          await quick.acquire();
        }
        await nodeFileSystem.link(existing, name);
      },
    },
  });
  const runtime = join(path, '..', 'runtime');
  await mkdir(runtime, { mode: 0o700 });
  vi.stubEnv('XDG_RUNTIME_DIR', runtime);
  await expect(slow.acquire()).rejects.toMatchObject({ code: 'in-use', detail: { pid: process.pid } });
  vi.unstubAllEnvs();
  expect(overtaken).toBe(true);
  await slow.dispose();
  await quick.dispose();
  expect(await readdir(path)).toEqual([]);
});
