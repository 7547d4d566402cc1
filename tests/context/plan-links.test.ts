import { mkdir, readdir, readlink, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { treeOf } from './merge-support.ts';
import { failure, p1, type Setup, setUp, setUpSmall, small } from './support.ts';

const alpha = '1700000000-alpha.md';

/** Every call that takes a plan. */
const plansCalls = ({ store }: Setup, planId: string): (() => Promise<unknown>)[] => [
  () => store.plans.read({ ...p1, planId }),
  () => store.plans.update({ ...p1, planId, raw: '# Changed\n' }),
  () => store.plans.setPinned({ ...p1, planId, pinned: true }),
  () => store.plans.delete({ ...p1, planId }),
];

// google/adk-js#210
describe('a link whose file is not the name of a plan', () => {
  const files = [
    '../x.md',
    '/etc/hostname',
    'a/b.md',
    '..',
    '',
    'x.md\0',
    '..\\x.md',
    'context.json',
    'sub/../../ctx.md',
  ];

  test('is not shown and not found; nothing outside of the plans is read, written or removed', async () => {
    const setup = await setUp();
    const { store, path, root } = setup;
    const links = files.map((file, index) => ({ id: `bad${index}`, file, title: 'Bad', createdAt: 1 }));
    await setup.put({ ...small, plans: [...links, ...small.plans] });
    await writeFile(path('projects', 'p1', 'plans', alpha), '# Alpha\n');
    const victims = ['x.md', 'ctx.md', 'plans/a/b.md', 'plans/sub/x.md', '../ctx.md'];
    for (const name of victims) {
      const victim = path('projects', 'p1', name);
      await mkdir(join(victim, '..'), { recursive: true });
      await writeFile(victim, `# Victim ${name}\n`);
    }
    const before = await treeOf(root);
    const context = await store.context.get(p1);
    expect(context.plans.map(({ id }) => id)).toEqual(['p1']);
    expect(context).toMatchObject({ notes: [{ id: 'n1' }], todos: [{ id: 't1' }, { id: 't2' }] });
    expect(context.health.map(({ position, problem }) => [position, problem])).toEqual(
      files.map((_file, index) => [index, 'bad-file-name']),
    );
    for (const { id, file } of links) {
      for (const call of plansCalls(setup, id)) expect((await failure(call(), 'not-found')).message, file).toBeTruthy();
    }
    expect(await treeOf(root)).toEqual(before);
    await store.plans.delete({ ...p1, planId: 'p1' });
    expect((await setup.stored()).plans).toEqual(links);
    for (const name of victims) expect(await setup.text('projects', 'p1', name)).toBe(`# Victim ${name}\n`);
  });
});

// monad-developers/ultrafuzz#420
describe('a plan behind a link', () => {
  test.each(['its file', 'the folder of the plans'])('(%s) is never read or changed there', async (linked) => {
    const setup = await setUpSmall();
    const { store, path } = setup;
    const outside = path('..', 'elsewhere', 'outside');
    await mkdir(outside, { recursive: true });
    await writeFile(join(outside, 'secret.md'), '# Secret\n');
    await writeFile(join(outside, alpha), '# Secret too\n');
    const place = path('projects', 'p1', 'plans');
    if (linked === 'its file') {
      await unlink(join(place, alpha));
      await symlink(join(outside, 'secret.md'), join(place, alpha));
    } else {
      await rename(place, `${place}-away`);
      await symlink(outside, place);
    }
    expect(JSON.stringify(await store.context.get(p1))).not.toContain('Secret');
    for (const call of [
      () => store.plans.read({ ...p1, planId: 'p1' }),
      () => store.plans.update({ ...p1, planId: 'p1', raw: '# Mine\n' }),
    ]) {
      expect((await failure(call(), 'io')).detail).toEqual({ reason: 'link' });
    }
    await store.plans.delete({ ...p1, planId: 'p1' });
    expect(await treeOf(outside)).toEqual({ [alpha]: '# Secret too\n', 'secret.md': '# Secret\n' });
    if (linked === 'its file') {
      expect(await readdir(place)).toEqual([]);
      // What was taken away is the link, and it can come back as the link it was.
      const trash = path('projects', 'p1', '.sidekeep', 'trash');
      const kept = (await readdir(trash)).filter((name) => name.endsWith('.md'));
      expect(await Promise.all(kept.map((name) => readlink(join(trash, name))))).toEqual([join(outside, 'secret.md')]);
    } else expect(await readlink(place)).toBe(outside);
    expect((await setup.stored()).plans).toEqual([]);
  });
});

// syncthing/syncthing#8276, syncthing/syncthing#2619
test('copies that a sync tool puts beside the originals are no data, and nobody merges or removes them', async () => {
  const setup = await setUpSmall();
  const { store, path } = setup;
  const copies = {
    'context.sync-conflict-20260101-120000-ABCDEFG.json': JSON.stringify({ ...small, notes: [], todos: [] }),
    'context (conflicted copy).json': '{',
    [`plans/${alpha.replace('.md', '.sync-conflict-20260101-120000-ABCDEFG.md')}`]: '# Alpha of the copy\n',
  };
  for (const [name, text] of Object.entries(copies)) await writeFile(path('projects', 'p1', name), text);
  await writeFile(path('projects', 'p1.sync-conflict-20260101-120000-ABCDEFG.json'), '{}');
  const context = await store.context.get(p1);
  expect(context).toMatchObject({ notes: [{ id: 'n1' }], todos: [{}, {}], health: [] });
  expect(context.plans.map(({ title }) => title)).toEqual(['Alpha']);
  await store.notes.create({ ...p1, body: 'new' });
  await store.plans.delete({ ...p1, planId: 'p1' });
  await store.sweep();
  for (const [name, text] of Object.entries(copies)) expect(await setup.text('projects', 'p1', name)).toBe(text);
  expect(await store.projectIds()).toEqual(['p1']);
});
