import { open, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/context/plan-text.ts';
import { limits } from '../../src/contract/entities.ts';
import { faultyFileSystem } from '../files/support.ts';
import { failure, p1, setUp, setUpSmall, small } from './support.ts';

const alpha = '1700000000-alpha.md';
const plan = { ...p1, planId: 'p1' };

/** How long this process works for a call, in ms: unlike the clock, that says nothing of what else the machine does. */
async function timeOf(call: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

// RandomFractals/vscode-data-preview#285
test('a context file of 600 MB is too large at once, stays, and harms no other project', async () => {
  const fileSystem = faultyFileSystem();
  const { store, put, path } = await setUp({ fileSystem });
  const head = '{"version":2,"notes":[],"x":"';
  await put(head);
  const size = head.length + 600 * 1024 * 1024;
  const file = await open(path('projects', 'p1', 'context.json'), 'r+');
  await file.truncate(size);
  await file.close();
  await put(small, 'p2');
  const taken = await timeOf(async () => {
    expect((await failure(store.context.get(p1), 'malformed')).message).toContain('too large');
    await failure(store.notes.create({ ...p1, body: 'x' }), 'malformed');
  });
  expect(taken).toBeLessThan(1000);
  expect(fileSystem.calls).not.toContain('handle.read');
  await store.notes.create({ projectId: 'p2', body: 'new' });
  expect((await store.context.get({ projectId: 'p2' })).notes).toHaveLength(2);
  const kept = await open(path('projects', 'p1', 'context.json'));
  expect((await kept.stat()).size).toBe(size);
  await kept.close();
});

// benweet/stackedit#380, laurent22/joplin#10424
describe('a plan with one very long line', () => {
  const longLine = `# T\n${'x'.repeat(2 * 1024 * 1024)}`;
  const image = `# T\n![](data:image/png;base64,${'iVBORw0K'.repeat((3 * 1024 * 1024) / 8)})`;

  test.each([
    ['of two megabytes', longLine],
    ['that holds a picture of three megabytes', image],
  ])('%s has its title at once, is shown read-only, and cannot be saved over', async (_what, raw) => {
    const setup = await setUpSmall();
    const { store, path } = setup;
    const bytes = Buffer.from(raw);
    expect(await timeOf(() => expect(parsePlan(bytes).title).toBe('T'))).toBeLessThan(500);
    await writeFile(path('projects', 'p1', 'plans', alpha), raw);
    expect((await store.context.get(p1)).plans).toMatchObject([{ title: 'T' }]);
    const read = await store.plans.read(plan);
    expect(read).toMatchObject({ title: 'T', readOnly: 'too-long' });
    expect(read.raw).toBe(raw);
    await failure(store.plans.update({ ...plan, raw }), 'invalid');
    await failure(store.plans.create({ ...p1, title: 'T', body: raw }), 'invalid');
    expect(await setup.text('projects', 'p1', 'plans', alpha)).toBe(raw);
  });

  test('at the limit is saved and read back', async () => {
    const { store } = await setUpSmall();
    const raw = `# T\n${'x'.repeat(limits.planRaw - 4)}`;
    expect((await store.plans.update({ ...plan, raw })).document).toMatchObject({ title: 'T', readOnly: null });
    expect((await store.plans.read(plan)).raw).toBe(raw);
  });
});

// microsoft/vscode#57201, atom/atom#11503
describe('a text that sends a backtracking pattern round in circles', () => {
  test.each([
    ['# , 200 000 blanks and x', `# ${' '.repeat(200_000)}x`, 'Plan'],
    ['50 000 #', '#'.repeat(50_000), '#'.repeat(limits.planTitle)],
    ['50 000 [', '['.repeat(50_000), '['.repeat(limits.planTitle)],
    ['50 000 ](', ']('.repeat(50_000), ']('.repeat(limits.planTitle / 2)],
    ['an open front matter of 50 000 keys', `---\n${'a: '.repeat(50_000)}`, null],
    ['200 000 blanks, within the limit', `# ${' '.repeat(limits.planRaw - 103)}x`, 'Plan'],
  ])('(%s) is read and saved in no time', async (_what, raw, title) => {
    const { store, path } = await setUpSmall();
    await writeFile(path('projects', 'p1', 'plans', alpha), raw);
    const taken = await timeOf(async () => {
      const read = await store.plans.read(plan);
      expect(read.raw).toBe(raw);
      if (title !== null) expect(read.title).toBe(title);
      expect(read.title).not.toMatch(/^(?:---|a:)/);
    });
    expect(taken).toBeLessThan(500);
    const saving = store.plans.update({ ...plan, raw: `${raw}\n` });
    const saved = await timeOf(() => (raw.length < limits.planRaw ? saving : failure(saving, 'invalid')));
    expect(saved).toBeLessThan(500);
  });
});
