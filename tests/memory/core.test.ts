import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSidekeep } from '../../src/sidekeep.ts';
import { temporaryFolder } from '../files/support.ts';
import { withoutSessions } from '../without-sessions.ts';

const caller = { role: 'sidebar', signal: new AbortController().signal } as const;

test('the whole core tells of what another program remembers, for an owner and for all; switched off it reads nothing', async () => {
  const root = join(await temporaryFolder(), 'context');
  await mkdir(join(root, 'projects', 'p1'), { recursive: true });
  const told: unknown[] = [];
  let enabled = true;
  const { calls, dispose } = await openSidekeep({
    contextRoot: root,
    ...withoutSessions(root),
    memoryEnabled: () => enabled,
    projectEntries: { load: () => [], save: () => undefined },
    publish: (name, payload) => void (name === 'memory.changed' && told.push(payload)),
    report: (where, error) => expect.unreachable(`${where}: ${error}`),
  });
  onTestFinished(dispose);
  await vi.waitFor(async () => expect((await calls.watcher.status({}, caller)).state).toBe('watching'), 10_000);
  for (const ownerId of ['p1', null]) {
    expect((await calls.memory.list({ ownerId }, caller)).entries).toEqual([]);
    const file = ownerId === null ? join(root, 'memory.json') : join(root, 'projects', ownerId, 'memory.json');
    await writeFile(file, JSON.stringify({ version: 1, entries: [{ id: 'a', title: 'A', body: 'b' }] }));
    await vi.waitFor(() => expect(told).toEqual([{ ownerId }]), 10_000);
    expect((await calls.memory.list({ ownerId }, caller)).entries).toMatchObject([{ id: 'a' }]);
    told.length = 0;
    await calls.memory.create({ ownerId, title: 'New', body: 'one', type: 'fact' }, caller);
    expect(told).toEqual([{ ownerId }]);
    told.length = 0;
  }
  await expect(
    calls.memory.create({ ownerId: 'stranger', title: 'A', body: 'b', type: 'fact' }, caller),
  ).rejects.toMatchObject({ code: 'not-found' });
  expect(await readdir(join(root, 'projects'))).toEqual(['p1']);
  enabled = false;
  await expect(calls.memory.list({ ownerId: 'p1' }, caller)).rejects.toMatchObject({
    code: 'not-found',
    detail: { disabled: true },
  });
});
