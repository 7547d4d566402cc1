import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ContextNotice, ContextSnapshot } from '../../src/contract/entities.ts';
import type { Task } from './other-program.ts';
import { p1, type Setup, setUp, small, window } from './support.ts';

const PLAN = '1700000000-alpha.md';

interface Scene extends Setup {
  /** Has the other program do something; resolves when it has. */
  other(task: Task): Promise<string[]>;
  shown(): ContextSnapshot;
}

/** The small context, a store over it, and another program beside it. */
async function setScene(): Promise<Scene> {
  const setup = await setUp({ sleep: (ms) => delay(ms), now: Date.now });
  await setup.put(small);
  await writeFile(setup.path('projects', 'p1', 'plans', PLAN), '# Alpha\n\nbody\n');
  const script = join(import.meta.dirname, 'other-program.ts');
  const child: ChildProcess = spawn(process.execPath, [script, setup.path('projects', 'p1')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.stdin?.end();
    if (child.exitCode === null) await once(child, 'exit');
  });
  if (child.stdout === null) throw new Error('it has a standard output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const shown = window(setup, await setup.store.context.get(p1));
  return {
    ...setup,
    shown,
    other: async (task) => {
      child.stdin?.write(`${JSON.stringify(task)}\n`);
      const { value } = await lines.next();
      return JSON.parse(String(value)) as string[];
    },
  };
}

const bodies = ({ notes }: Pick<ContextSnapshot, 'notes'>): string[] => notes.map((note) => note.body);

/** Does what a person does who is told that something was saved over: brings it back, and takes the notice away. */
async function answerNotices({ store }: Scene, notices: readonly ContextNotice[]): Promise<number> {
  const told = notices.filter((notice) => notice.kind === 'overwritten');
  for (const { id, backupId } of told) {
    expect(backupId).not.toBeNull();
    await store.context.recover({ ...p1, backupId, mode: 'merge' });
    await store.context.dismiss({ ...p1, noticeId: id });
  }
  return told.length;
}

/** Makes notes until the other program has done its work, and sees to every notice; answers the notes that were made. */
async function workBeside(scene: Scene, work: Promise<string[]>) {
  const { store } = scene;
  const ours: string[] = [];
  let undone = 0;
  let theirs: string[] | null = null;
  void work.then((ids) => {
    theirs = ids;
  });
  while (theirs === null || ours.length < 15) {
    const body = `ours ${ours.length}`;
    try {
      const { context } = await store.notes.create({ ...p1, body });
      ours.push(body);
      undone += await answerNotices(scene, context.notices);
    } catch (error) {
      // Another program that keeps changing the file may be faster twenty times: refused, and nothing of ours is there.
      expect(error).toMatchObject({ code: 'io', detail: { reason: 'busy' } });
    }
    await delay(2);
  }
  for (let left = 1; left > 0; undone += left) {
    left = await answerNotices(scene, (await store.context.get(p1)).notices);
  }
  return { ours, theirs: await work, undone };
}

/** What a displaced version held, as far as a notice tells of it. */
async function displacedTexts({ path }: Scene, { notices }: ContextSnapshot): Promise<string> {
  const ids = notices.filter((notice) => notice.kind === 'displaced').map((notice) => notice.backupId);
  const texts = ids.map((id) => readFile(path('projects', 'p1', '.sidekeep', 'backups', `${id}.json`), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

async function expectBothSides(scene: Scene, ours: readonly string[], theirs: readonly string[]): Promise<void> {
  const context = await scene.store.context.get(p1);
  expect(scene.shown()).toEqual(context);
  const found = bodies(context);
  expect(ours.filter((body) => !found.includes(body))).toEqual([]);
  expect(new Set(found).size, 'each once').toBe(found.length);
  const displaced = await displacedTexts(scene, context);
  expect(theirs.filter((body) => !found.includes(body) && !displaced.includes(`"${body}"`))).toEqual([]);
  expect(found).toContain('alpha');
  expect(context.plans).toHaveLength(1);
}

describe('another program', () => {
  test('that reads before each of its saves, and we, lose nothing to each other', async () => {
    const scene = await setScene();
    const { ours, theirs, undone } = await workBeside(scene, scene.other({ do: 'add', times: 60, rest: 8 }));
    expect(ours.length).toBeGreaterThan(10);
    expect(theirs).toHaveLength(60);
    await expectBothSides(scene, ours, theirs);
    console.log(`${ours.length} of ours, ${theirs.length} of theirs, ${undone} times told of a save over ours`);
  });

  test('that writes in place is not taken for a damaged file while it writes, and loses us nothing', async () => {
    const scene = await setScene();
    const { store, events } = scene;
    const writing = scene.other({ do: 'add in place', times: 12, rest: 40 });
    let reads = 0;
    let isOver = false;
    const reading = (async () => {
      for (; !isOver; reads++) {
        // Never a failure.
        await store.context.get(p1);
        await store.refresh('p1');
        await delay(5);
      }
    })();
    const { ours, theirs } = await workBeside(scene, writing);
    isOver = true;
    await reading;
    expect(reads).toBeGreaterThan(1);
    expect(events.filter((event) => event.kind === 'problem')).toEqual([]);
    await expectBothSides(scene, ours, theirs);
  });

  test('that saves what it remembers is found out: what it took back is kept, told, and comes back', async () => {
    const scene = await setScene();
    const { store, other, shown } = scene;
    const { note: early } = await store.notes.create({ ...p1, body: 'known to both' });
    await other({ do: 'remember' });
    await store.notes.create({ ...p1, body: 'unknown to them' });
    await store.notes.update({ ...p1, noteId: early.id, body: 'known to both, and longer' });
    await store.todos.add({ ...p1, text: 'a todo' });
    await store.todos.update({ ...p1, todoId: 't1', completed: true });
    const { plan } = await store.plans.create({ ...p1, title: 'Beta', body: 'text' });
    await other({ do: 'save' });
    await store.refresh('p1');
    const { notices, notes } = shown();
    expect(bodies({ notes })).toEqual(['known to both', 'alpha']);
    expect(notices).toMatchObject([{ kind: 'overwritten', count: 5, planId: null }]);
    expect(notices[0]?.items.toSorted()).toEqual(
      ['unknown to them', 'known to both, and longer', 'a todo', 'one', 'Beta'].toSorted(),
    );
    const backupId = notices[0]?.backupId ?? null;
    const backups = (await store.context.backups(p1)).backups.filter(({ reason }) => reason === 'overwritten');
    expect(backups).toMatchObject([{ id: backupId, counts: { notes: 3, todos: 3, plans: 2 } }]);
    await store.context.recover({ ...p1, backupId, mode: 'merge' });
    const context = await store.context.get(p1);
    expect(bodies(context)).toEqual(expect.arrayContaining(['unknown to them', 'known to both, and longer', 'alpha']));
    expect(context.todos.map((todo) => todo.text)).toContain('a todo');
    expect(context.todos.find((todo) => todo.id === 't1')).toMatchObject({ completed: true });
    expect(context.plans).toContainEqual(expect.objectContaining({ id: plan.id, missing: false }));
    expect((await store.plans.read({ ...p1, planId: plan.id })).raw).toBe('# Beta\n\ntext');
  });

  test('that saves the same again in its own way took nothing back, and no more is told', async () => {
    const scene = await setScene();
    const { store, other } = scene;
    await store.notes.create({ ...p1, body: 'ours' });
    await other({ do: 'remember' });
    for (const round of [1, 2, 3]) {
      await other({ do: 'save' });
      const context = await store.context.get(p1);
      expect(bodies(context), `round ${round}`).toEqual(['ours', 'alpha']);
      expect(context.notices).toEqual([]);
    }
  });

  test('that saves an old text of a plan is found out as well', async () => {
    const scene = await setScene();
    const { store, other, shown } = scene;
    const plan = { ...p1, planId: 'p1' };
    await store.plans.update({ ...plan, raw: '# Alpha\n\nfirst of ours\n' });
    await store.plans.update({ ...plan, raw: '# Alpha\n\nsecond of ours\n' });
    await other({ do: 'save plan', file: PLAN, text: '# Alpha\n\nbody\n' });
    await store.refreshPlan('p1', PLAN);
    expect(shown().notices).toMatchObject([{ kind: 'overwritten', planId: 'p1', items: ['Alpha'] }]);
    const { versions } = await store.plans.versions(plan);
    const kept = versions.find(({ reason }) => reason === 'overwritten');
    expect(kept?.id).toBe(shown().notices[0]?.backupId);
    const { raw } = await store.plans.readVersion({ ...plan, versionId: kept?.id ?? '' });
    expect(raw).toBe('# Alpha\n\nsecond of ours\n');
    // A text that was never ours is just another edit.
    await other({ do: 'save plan', file: PLAN, text: '# Alpha\n\ntheir own\n' });
    await store.refreshPlan('p1', PLAN);
    expect(shown().notices).toHaveLength(1);
  });

  test('that edits and deletes what it saw of ours has the last word: nothing comes back by itself', async () => {
    const scene = await setScene();
    const { store, other, text } = scene;
    const { note: edited } = await store.notes.create({ ...p1, body: 'to be edited' });
    const { note: deleted } = await store.notes.create({ ...p1, body: 'to be deleted' });
    const { note: gone } = await store.notes.create({ ...p1, body: 'deleted here' });
    await store.notes.delete({ ...p1, noteId: gone.id });
    await other({ do: 'edit', change: edited.id, remove: deleted.id });
    const theirs = await text('projects', 'p1', 'context.json');
    expect(bodies(await store.context.get(p1))).toEqual(['edited by them', 'alpha']);
    await store.refresh('p1');
    await store.refreshAll();
    expect(await text('projects', 'p1', 'context.json')).toBe(theirs);
    await store.notes.create({ ...p1, body: 'next' });
    expect(bodies(await store.context.get(p1))).toEqual(['next', 'edited by them', 'alpha']);
    // Should it have been no wish of anybody, it can still be had.
    const { backups } = await store.context.backups(p1);
    const kept = backups.find(({ reason }) => reason === 'overwritten');
    await store.context.recover({ ...p1, backupId: kept?.id ?? null, mode: 'merge' });
    const after = bodies(await store.context.get(p1));
    expect(after).toContain('to be deleted');
    expect(after).toContain('edited by them');
    expect(after).not.toContain('deleted here');
  });
});
