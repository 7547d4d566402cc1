import { chmod, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { p1, setUpSmall } from './support.ts';

const alpha = '1700000000-alpha.md';
const dead = 999_999_999;

// openchamber/openchamber@dfb231521
test('temp files are never data: ours of dead processes go, those in use and those of strangers stay', async () => {
  const setup = await setUpSmall();
  const { store, path } = setup;
  const names = (): Promise<string[]> => readdir(path('projects', 'p1'), { recursive: true });
  const put = async (name: string, days: number): Promise<void> => {
    await writeFile(path('projects', 'p1', name), '{"version":2,"notes":[{"id":"x","body":"half');
    const seconds = Date.now() / 1000 - days * 86_400;
    await utimes(path('projects', 'p1', name), seconds, seconds);
  };
  const strangers = ['context.json.4711.tmp', `context.json.${process.pid}.tmp`, 'plans/x.md.tmp'];
  await put('context.json.4711.tmp', 2);
  await put(`context.json.${process.pid}.tmp`, 0);
  await put('plans/x.md.tmp', 2);
  const inUse = [`.context.json.${process.pid}-0123456789ab.tmp`, `plans/.${alpha}.${process.pid}-0123456789ab.tmp`];
  for (const name of inUse) await put(name, 0);
  const orphans = [
    `.context.json.${dead}-0123456789ab.tmp`,
    `context.json.tmp-${dead}-1700000000000-9f8e7d`,
    `plans/.${alpha}.${dead}-0123456789ab.tmp`,
    `plans/${alpha}.tmp-${dead}-1700000000000-9f8e7d`,
  ];
  for (const name of orphans) await put(name, 2);
  const before = await store.context.get(p1);
  expect(before.health).toEqual([]);
  expect(before.plans).toHaveLength(1);
  expect(await store.projectIds()).toEqual(['p1']);
  expect(await store.sweep()).toBe(orphans.length);
  expect((await names()).filter((name) => name.includes('tmp')).sort()).toEqual([...strangers, ...inUse].sort());
  await store.notes.create({ ...p1, body: 'new' });
  await store.plans.update({ ...p1, planId: 'p1', raw: '# Alpha\n\nnew\n' });
  expect((await store.context.get(p1)).notes).toHaveLength(2);
  expect((await names()).filter((name) => name.includes('tmp')).sort()).toEqual([...strangers, ...inUse].sort());
  for (const name of inUse) await rm(path('projects', 'p1', name));
});

// fastagent-sh/fastagent#359
test('private files stay private whatever the umask and whatever a crash left beside them; new ones are private', async () => {
  const umask = process.umask(0o022);
  onTestFinished(() => void process.umask(umask));
  const { store, path } = await setUpSmall();
  const modeOf = async (...names: string[]): Promise<number> =>
    (await stat(path('projects', 'p1', ...names))).mode & 0o777;
  await chmod(path('projects', 'p1', 'context.json'), 0o600);
  await chmod(path('projects', 'p1', 'plans', alpha), 0o600);
  for (const left of [`.context.json.${dead}-0123456789ab.tmp`, `plans/.${alpha}.${dead}-0123456789ab.tmp`]) {
    await writeFile(path('projects', 'p1', left), 'left by a crash', { mode: 0o644 });
    await utimes(path('projects', 'p1', left), 1_700_000_000, 1_700_000_000);
  }
  await store.notes.create({ ...p1, body: 'new' });
  await store.plans.update({ ...p1, planId: 'p1', raw: '# Alpha\n\nnew\n' });
  const { plan } = await store.plans.create({ ...p1, title: 'New', body: 'b' });
  await store.notes.delete({ ...p1, noteId: 'n1' });
  await store.plans.delete({ ...p1, planId: 'p1' });
  expect(await modeOf('context.json')).toBe(0o600);
  expect(await modeOf('plans', plan.file)).toBe(0o600);
  const own = await readdir(path('projects', 'p1', '.sidekeep'), { recursive: true, withFileTypes: true });
  expect(own.length).toBeGreaterThan(4);
  for (const entry of own) {
    const { mode } = await stat(`${entry.parentPath}/${entry.name}`);
    expect(mode & 0o777, entry.name).toBe(entry.isDirectory() ? 0o700 : 0o600);
  }
  expect(await modeOf('.sidekeep')).toBe(0o700);
  await store.sweep();
});
