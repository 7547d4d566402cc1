import { renameSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/contract/errors.ts';
import { type FileSystem, nodeFileSystem } from '../../src/files/index.ts';
import { type Fault, faultyFileSystem } from '../files/support.ts';
import { p1, setUp, setUpSmall, small, window } from './support.ts';

const n2 = { id: 'n2', body: 'from outside', createdAt: 1_700_000_000_500 };
const edited = { ...small, notes: [...small.notes, n2] };

// anthropics/claude-code#76749, logseq/logseq#1192
describe('what another program wrote', () => {
  test('is never wiped by a later change of ours, and is told as a change of its own first', async () => {
    const setup = await setUpSmall();
    const { store, path, stored, events } = setup;
    const shown = window(setup, await store.context.get(p1));
    await writeFile(path('new'), JSON.stringify(edited));
    await rename(path('new'), path('projects', 'p1', 'context.json'));
    const ticked = await store.todos.update({ ...p1, todoId: 't1', completed: true });
    expect(await stored()).toMatchObject({
      notes: [{ id: 'n1' }, { id: 'n2' }],
      todos: [{ id: 't1', completed: true }, {}],
    });
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({
      change: { base: 0, sequence: 1, notes: { changed: [{ id: 'n2' }] }, todos: { changed: [] } },
    });
    expect(events[1]).toEqual({ kind: 'change', change: ticked.context });
    expect(ticked.context).toMatchObject({ base: 1, sequence: 2, notes: { changed: [] } });
    expect(shown()).toEqual(await store.context.get(p1));
  });

  test.each(['in place', 'by rename'])(
    'in the middle of our write (%s) is read again, and our change is applied to it',
    async (way) => {
      const fileSystem = faultyFileSystem();
      const setup = await setUpSmall({ fileSystem });
      const { store, path, stored } = setup;
      await store.context.get(p1);
      let times = 3;
      fileSystem.fault = (call, _index, file) => {
        if (call === 'handle.sync' && file.includes('.context.json.') && times-- > 0) {
          const target = path('projects', 'p1', 'context.json');
          const text = JSON.stringify({ ...edited, round: times });
          if (way === 'in place') writeFileSync(target, text);
          else {
            writeFileSync(path('new'), text);
            renameSync(path('new'), target);
          }
        }
        return null;
      };
      const { note } = await store.notes.create({ ...p1, body: 'ours' });
      expect(await stored()).toMatchObject({ notes: [{ id: note.id }, { id: 'n1' }, { id: 'n2' }], round: 0 });
    },
  );

  test('without end is a failure, not a loop, and leaves the file theirs', async () => {
    const fileSystem = faultyFileSystem();
    const setup = await setUpSmall({ fileSystem });
    await setup.store.context.get(p1);
    let round = 0;
    fileSystem.fault = (call, _index, file) => {
      if (call === 'handle.sync' && file.includes('.context.json.')) {
        writeFileSync(setup.path('projects', 'p1', 'context.json'), JSON.stringify({ ...edited, round: round++ }));
      }
      return null;
    };
    await expect(setup.store.notes.create({ ...p1, body: 'ours' })).rejects.toMatchObject({
      code: 'io',
      detail: { reason: 'busy' },
    });
    fileSystem.fault = null;
    expect(await setup.stored()).toEqual({ ...edited, round: round - 1 });
  });

  test('is shown once when the watcher hints, whatever it hints how often; a touch is no change', async () => {
    const setup = await setUpSmall();
    const { store, path, events } = setup;
    const shown = window(setup, await store.context.get(p1));
    await setup.put(edited);
    await Promise.all([store.refresh('p1'), store.refresh('p1'), store.refreshAll(), store.refreshPlan('p1', 'x.md')]);
    expect(events).toHaveLength(1);
    expect(shown().notes.map((note) => note.id)).toEqual(['n2', 'n1']);
    const text = await readFile(path('projects', 'p1', 'context.json'));
    await writeFile(path('projects', 'p1', 'context.json'), text);
    await store.refresh('p1');
    await store.refresh('unknown');
    await store.refresh('../escape');
    expect(events).toHaveLength(1);
  });

  test('is seen by the next read without any hint', async () => {
    const setup = await setUpSmall();
    await setup.store.context.get(p1);
    await setup.put(edited);
    expect((await setup.store.context.get(p1)).notes).toHaveLength(2);
    await writeFile(setup.path('projects', 'p1', 'plans', '1700000000-alpha.md'), '# Beta');
    expect((await setup.store.context.get(p1)).plans[0]?.title).toBe('Beta');
  });
});

test('reads come from memory while nothing changed', async () => {
  const fileSystem = faultyFileSystem();
  const setup = await setUpSmall({ fileSystem });
  await setup.store.context.get(p1);
  await new Promise((resolve) => setTimeout(resolve, 150));
  await setup.store.context.get(p1);
  const before = fileSystem.calls.length;
  for (let read = 0; read < 5; read++) await setup.store.context.get(p1);
  expect(fileSystem.calls.slice(before).filter((call) => !/stat|realpath/.test(call))).toEqual([]);
});

// RooCodeInc/Roo-Code#1758, npm/write-file-atomic#22
test('many writers at once lose nothing, on several projects', async () => {
  const { store, root, stored } = await setUp();
  const work = ['a', 'b', 'c'].map(async (projectId) => {
    const { plan } = await store.plans.create({ projectId, title: 'Plan', body: '0' });
    const todos = (count: number) =>
      Array.from({ length: count }, (_value, index) => ({ id: `t${index}`, text: `${index}` }));
    await Promise.all([
      ...Array.from({ length: 100 }, (_value, index) => store.notes.create({ projectId, body: `note ${index}` })),
      ...Array.from({ length: 100 }, (_value, index) => store.todos.replace({ projectId, todos: todos(index + 1) })),
      ...Array.from({ length: 50 }, (_value, index) =>
        store.plans.update({ projectId, planId: plan.id, raw: `# Plan ${index}` }),
      ),
    ]);
    const context = await store.context.get({ projectId });
    expect(new Set(context.notes.map((note) => note.body)).size).toBe(100);
    expect(context.todos.map((todo) => todo.text)).toEqual(todos(100).map((todo) => todo.text));
    expect((await store.plans.read({ projectId, planId: plan.id })).raw).toBe('# Plan 49');
    expect((await stored(projectId)).notes).toHaveLength(100);
  });
  await Promise.all(work);
  expect((await readdir(root, { recursive: true })).filter((name) => name.includes('.tmp'))).toEqual([]);
});

test('twenty callers of twenty kinds of change get an answer each that stands on the one before', async () => {
  const setup = await setUpSmall();
  const { store, events } = setup;
  const first = await store.context.get(p1);
  const shown = window(setup, first);
  const calls = Array.from({ length: 20 }, (_value, index) =>
    index % 3 === 0
      ? store.notes.create({ ...p1, body: `${index}` })
      : index % 3 === 1
        ? store.todos.add({ ...p1, text: `${index}` })
        : store.plans.create({ ...p1, title: `${index}`, body: 'b' }),
  );
  // Notes and todos go out together in one write, whatever plans come between.
  const answers = (await Promise.all(calls)).sort((left, right) => left.context.sequence - right.context.sequence);
  expect(answers.map(({ context }) => [context.base, context.sequence])).toEqual(
    Array.from({ length: 20 }, (_value, index) => [index, index + 1]),
  );
  expect(events).toEqual(answers.map(({ context }) => ({ kind: 'change', change: context })));
  expect(shown()).toEqual(await store.context.get(p1));
});

describe.each<Fault>([{ code: 'ENOSPC' }, { code: 'EIO' }, { code: 'EACCES' }, 'short'])(
  'when one call to the disk fails with %j',
  (fault) => {
    const operations = {
      'a note': (setup: Awaited<ReturnType<typeof setUpSmall>>) => setup.store.notes.create({ ...p1, body: 'new' }),
      'a plan': (setup: Awaited<ReturnType<typeof setUpSmall>>) =>
        setup.store.plans.create({ ...p1, title: 'New', body: 'b' }),
      'a text': (setup: Awaited<ReturnType<typeof setUpSmall>>) =>
        setup.store.plans.update({ ...p1, planId: 'p1', raw: '# New\n' }),
    };
    test.each(Object.keys(operations) as (keyof typeof operations)[])(
      'saving %s is done or not done, whole',
      async (name) => {
        for (let failing = 0, calls = 1; failing < calls; failing += name === 'a note' ? 1 : 2) {
          const fileSystem = faultyFileSystem();
          const setup = await setUpSmall({ fileSystem });
          const shown = window(setup, await setup.store.context.get(p1));
          const start = fileSystem.calls.length;
          fileSystem.fault = (_call, index) => (index === start + failing ? fault : null);
          const outcome = await operations[name](setup).then(
            () => null,
            (error: unknown) => error,
          );
          calls = fileSystem.calls.length - start;
          const where = `${fileSystem.calls[start + failing]} (call ${failing})`;
          fileSystem.fault = null;
          if (outcome !== null) expect(outcome, where).toBeInstanceOf(Failure);
          setup.reports.length = 0;
          const stored = await setup.stored();
          expect(Object.keys(stored), where).toEqual(['version', 'notes', 'todos', 'plans']);
          if (outcome === null && name === 'a note') expect(stored.notes, where).toHaveLength(2);
          const plan = await readFile(setup.path('projects', 'p1', 'plans', '1700000000-alpha.md'), 'utf8');
          expect(plan === '# Alpha\n\nbody\n' || plan === '# New\n', where).toBe(true);
          const context = await setup.store.context.get(p1);
          expect(
            context.plans.every((link) => !link.missing),
            where,
          ).toBe(true);
          expect(shown(), where).toEqual(context);
          const again = await setUp({ root: setup.root });
          const { sequence: _sequence, ...reopened } = await again.store.context.get(p1);
          expect(context, where).toMatchObject(reopened);
        }
      },
    );
  },
);

test('looking at every owner again holds few files open at a time', async () => {
  let open = 0;
  let most = 0;
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    open: async (path, flags, mode) => {
      const handle = await nodeFileSystem.open(path, flags, mode);
      most = Math.max(most, ++open);
      return {
        ...handle,
        close: async () => {
          open--;
          await handle.close();
        },
      };
    },
  };
  const { store, put } = await setUp({ fileSystem });
  const ids = Array.from({ length: 60 }, (_value, index) => `q${index}`);
  for (const id of ids) {
    await put(small, id);
    await store.context.get({ projectId: id });
  }
  for (const id of ids) await put({ ...small, notes: [] }, id);
  await store.refreshAll();
  // Eight owners at a time, each with a temp file and its folder where something lost is kept.
  expect(most).toBeLessThanOrEqual(16);
  for (const projectId of ids) expect((await store.context.get({ projectId })).notes).toEqual([]);
});
