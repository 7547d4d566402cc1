import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ProjectEntry } from '../src/context/projects.ts';
import { type EventName, Failure } from '../src/contract/index.ts';
import { createRootOwner, OWNER_FILE } from '../src/files/index.ts';
import { openSidekeep } from '../src/sidekeep.ts';
import { temporaryFolder } from './files/support.ts';
import { withoutSessions } from './without-sessions.ts';

const p1 = { projectId: 'p1' };
const caller = { role: 'sidebar', signal: new AbortController().signal } as const;

/** The core on a folder of its own that holds one project with one note. */
async function setUp() {
  const root = join(await temporaryFolder(), 'context');
  const put = async (id: string): Promise<void> => {
    await mkdir(join(root, 'projects', id), { recursive: true });
    await writeFile(join(root, 'projects', id, 'context.json'), '{"version":2,"notes":[{"id":"n","body":"one"}]}');
  };
  const published: EventName[] = [];
  const reports: string[] = [];
  const open = async () => {
    let entries: readonly ProjectEntry[] = [];
    const save = (next: readonly ProjectEntry[]): void => {
      entries = next;
    };
    const sidekeep = await openSidekeep({
      contextRoot: root,
      ...withoutSessions(root),
      projectEntries: { load: () => entries, save },
      publish: (name) => void published.push(name),
      report: (where) => void reports.push(where),
    });
    onTestFinished(() => sidekeep.dispose());
    return sidekeep;
  };
  return { root, put, open, published, reports };
}

test('a data folder that cannot be taken is shown, each change says why it fails, and works once that is over', async () => {
  const { root, put, open, reports } = await setUp();
  await put('p1');
  await mkdir(join(root, OWNER_FILE));
  const { calls } = await open();
  expect(reports).toHaveLength(1);
  expect((await calls.context.get(p1, caller)).notes).toMatchObject([{ body: 'one' }]);
  expect((await calls.projects.list({}, caller)).projects).toMatchObject([{ id: 'p1' }]);
  const refused = await calls.notes.create({ ...p1, body: 'two' }, caller).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Failure);
  expect(refused).toMatchObject({ code: 'io', detail: { reason: 'not-a-file' } });
  await rmdir(join(root, OWNER_FILE));
  await calls.notes.create({ ...p1, body: 'two' }, caller);
  expect(JSON.parse(await readFile(join(root, OWNER_FILE), 'utf8'))).toMatchObject({ pid: process.pid });
});

test('a data folder that another process made and took after the start is shown, and not written', async () => {
  const { root, put, open, published } = await setUp();
  const { calls } = await open();
  await calls.projects.list({}, caller);
  await mkdir(root, { recursive: true });
  const other = createRootOwner({ root });
  onTestFinished(() => other.dispose());
  await other.acquire();
  await put('p1');
  await vi.waitFor(() => expect(published).toContain('projects.changed'), 10_000);
  await expect(calls.notes.create({ ...p1, body: 'two' }, caller)).rejects.toMatchObject({ code: 'in-use' });
  expect((await calls.context.get(p1, caller)).notes).toHaveLength(1);
});

test('ends at once in the middle of everything; nothing is touched or told afterwards', async () => {
  const { root, put, open, published } = await setUp();
  for (let index = 0; index < 200; index++) await put(`p${index}`);
  const sidekeep = await open();
  const { calls } = sidekeep;
  const writes = Array.from({ length: 20 }, (_, index) => calls.notes.create({ ...p1, body: `${index}` }, caller));
  const settled = Promise.allSettled(writes);
  await calls.context.get({ projectId: 'p2' }, caller);
  await sidekeep.dispose();
  const results = await settled;
  const told = published.length;
  const { notes } = JSON.parse(await readFile(join(root, 'projects', 'p1', 'context.json'), 'utf8'));
  expect(notes).toHaveLength(results.filter((result) => result.status === 'fulfilled').length + 1);
  await put('p3');
  await expect(calls.notes.create({ ...p1, body: 'late' }, caller)).rejects.toBeInstanceOf(Failure);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(published).toHaveLength(told);
  expect(await readdir(root)).toEqual(['projects']);
});
