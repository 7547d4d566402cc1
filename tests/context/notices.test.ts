import { writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { faultyFileSystem } from '../files/support.ts';
import { failure, NOW, p1, type Setup, setUp, setUpSmall, small } from './support.ts';

const planFile = '1700000000-alpha.md';

/** Writes over the file without replacing it, as a program without regard for others does. */
function writeInPlace(setup: Setup, text: string): void {
  writeFileSync(setup.path('projects', 'p1', 'context.json'), text);
}

async function noticesOf(setup: Setup) {
  return (await setup.store.context.get(p1)).notices;
}

describe('another program that saves what it read long ago', () => {
  test('is told, with what it took back, and that can be brought back', async () => {
    const setup = await setUpSmall();
    const { store } = setup;
    await store.context.get(p1);
    await store.notes.create({ ...p1, body: 'made here\nwith more' });
    await store.todos.update({ ...p1, todoId: 't1', text: 'edited here' });
    await setup.put(small);
    await store.refresh('p1');
    const [notice, ...others] = await noticesOf(setup);
    expect(others).toEqual([]);
    expect(notice).toMatchObject({
      kind: 'overwritten',
      at: NOW,
      count: 2,
      items: ['made here with more', 'edited here'],
      planId: null,
    });
    expect(setup.events.at(-1)).toMatchObject({ kind: 'change', change: { notices: [notice] } });
    const { backups } = await store.context.backups(p1);
    expect(backups.map(({ id }) => id)).toContain(notice?.backupId);
    await store.context.recover({ ...p1, backupId: notice?.backupId ?? null, mode: 'merge' });
    const recovered = await store.context.get(p1);
    expect(recovered.notes.map((note) => note.body)).toEqual(['made here\nwith more', 'alpha']);
    expect(recovered.todos.map((todo) => todo.text)).toContain('edited here');
  });

  test('is told as well when it writes entries its own way', async () => {
    const setup = await setUpSmall();
    await setup.store.context.get(p1);
    await setup.store.notes.update({ ...p1, noteId: 'n1', body: 'edited here' });
    const notes = small.notes.map(({ id, body, ...rest }) => ({ pinned: false, ...rest, body, id }));
    await setup.put({ ...small, notes });
    await setup.store.refresh('p1');
    expect(await noticesOf(setup)).toMatchObject([{ kind: 'overwritten', count: 1, items: ['edited here'] }]);
  });

  test('is told when it brings back what was deleted here; nothing is deleted again unasked', async () => {
    const setup = await setUpSmall();
    await setup.store.context.get(p1);
    await setup.store.notes.delete({ ...p1, noteId: 'n1' });
    await setup.put(small);
    await setup.store.refresh('p1');
    expect(await noticesOf(setup)).toMatchObject([{ kind: 'overwritten', count: 1, items: ['alpha'] }]);
    expect((await setup.store.context.get(p1)).notes).toHaveLength(1);
  });

  test('that had read what was changed here is not', async () => {
    const setup = await setUpSmall();
    await setup.store.context.get(p1);
    const { note } = await setup.store.notes.create({ ...p1, body: 'made here' });
    const stored = (await setup.stored()) as typeof small;
    await setup.put({
      ...stored,
      notes: [{ ...stored.notes[0], body: 'edited there' }, ...stored.notes.slice(1)],
      todos: [],
    });
    await setup.store.refresh('p1');
    const context = await setup.store.context.get(p1);
    expect(context.notices).toEqual([]);
    expect(context.notes.find(({ id }) => id === note.id)?.body).toBe('edited there');
  });

  test('a plan that it took back is told, and its text is among the earlier versions', async () => {
    const setup = await setUpSmall();
    const { store } = setup;
    const plan = { ...p1, planId: 'p1' };
    await store.plans.update({ ...plan, raw: '# Alpha\n\nwritten here\n' });
    await writeFile(setup.path('projects', 'p1', 'plans', planFile), '# Alpha\n\nbody\n');
    await store.refreshPlan('p1', planFile);
    const [notice] = await noticesOf(setup);
    expect(notice).toMatchObject({ kind: 'overwritten', planId: 'p1', items: ['Alpha'] });
    const versionId = notice?.backupId ?? '';
    expect((await store.plans.versions(plan)).versions.map(({ id }) => id)).toContain(versionId);
    expect(await store.plans.readVersion({ ...plan, versionId })).toEqual({ raw: '# Alpha\n\nwritten here\n' });
  });
});

test('a file that another program ruins is first kept as it was last read', async () => {
  const setup = await setUpSmall();
  await setup.store.context.get(p1);
  await setup.put('{"version":2,"not');
  await failure(setup.store.context.get(p1), 'malformed');
  const { backups } = await setup.store.context.backups(p1);
  expect(backups).toMatchObject([{ reason: 'overwritten', counts: { notes: 1, todos: 2, plans: 1 } }]);
  await setup.store.context.recover({ ...p1, backupId: backups[0]?.id ?? null, mode: 'replace' });
  expect(await setup.store.context.get(p1)).toMatchObject({ notes: [{ id: 'n1' }], todos: [{}, {}], plans: [{}] });
});

describe('a program that saves in the very moment of a write here', () => {
  test('keeps its change, and the change here is made on top of it', async () => {
    const fileSystem = faultyFileSystem();
    const setup = await setUpSmall({ fileSystem });
    const { store } = setup;
    await store.context.get(p1);
    const theirs = { ...small, notes: [...small.notes, { id: 'n2', body: 'theirs', createdAt: 5 }] };
    let once = true;
    fileSystem.fault = (call, _index, path) => {
      if (!once || call !== 'rename' || !path.includes('context.json')) return null;
      once = false;
      writeInPlace(setup, JSON.stringify(theirs));
      return null;
    };
    await store.notes.create({ ...p1, body: 'ours' });
    expect(once).toBe(false);
    const { notes, notices } = await store.context.get(p1);
    expect(notes.map((note) => note.body)).toEqual(['ours', 'alpha', 'theirs']);
    expect(notices).toEqual([]);
  });

  test('what could not be put back is kept, and told', async () => {
    const fileSystem = faultyFileSystem();
    const setup = await setUpSmall({ fileSystem });
    const { store } = setup;
    await store.context.get(p1);
    let renames = 0;
    fileSystem.fault = (call, _index, path) => {
      if (call === 'rename' && path.includes('context.json')) renames++;
      // Torn, so that it cannot be the ground of a change; and replaced again before it can be put back.
      if (call === 'rename' && renames === 1) writeInPlace(setup, '{"version":2,"notes":[{"id":"n9","bo');
      if (call === 'lstat' && renames === 1 && path.endsWith('context.json')) {
        renames = 2;
        return null;
      }
      return null;
    };
    await store.notes.create({ ...p1, body: 'ours' }).catch(() => undefined);
    const all = await readdir(setup.path('projects', 'p1'), { recursive: true });
    const texts = await Promise.all(
      all.filter((name) => name.endsWith('.json')).map((name) => readFile(setup.path('projects', 'p1', name), 'utf8')),
    );
    expect(texts.some((text) => text.includes('n9'))).toBe(true);
    fileSystem.fault = null;
  });
});

describe('what could not be taken along', () => {
  test('is told by name until it is dismissed, also after a restart', async () => {
    const setup = await setUp();
    await mkdir(setup.path('projects', 'p1'), { recursive: true });
    const links = [{ id: 'a', path: '/gone/far/lost-plan.md', createdAt: 1 }];
    await writeFile(
      setup.path('projects', 'p1.json'),
      JSON.stringify({ projectNotes: 'old', projectPlanFiles: links }),
    );
    const [notice] = await noticesOf(setup);
    expect(notice).toMatchObject({ kind: 'migration', count: 1, items: ['lost-plan.md'] });
    const again = await setUp({ root: setup.root });
    expect(await noticesOf(again)).toEqual([notice]);
    const dismissed = await again.store.context.dismiss({ ...p1, noticeId: notice?.id ?? '' });
    expect(dismissed.context.notices).toEqual([]);
    expect(await noticesOf(await setUp({ root: setup.root }))).toEqual([]);
  });

  test('plans that lie outside the data folder are named while they wait', async () => {
    const setup = await setUp();
    const outside = setup.path('..', 'outside.md');
    await mkdir(setup.path('projects', 'p1'), { recursive: true });
    await writeFile(outside, '# Outside');
    const links = [{ id: 'a', path: outside, createdAt: 1 }];
    await writeFile(setup.path('projects', 'p1.json'), JSON.stringify({ projectPlanFiles: links }));
    expect(await noticesOf(setup)).toMatchObject([{ kind: 'migration', count: 1, items: ['outside.md'] }]);
  });
});

test('dismissing what is not there changes nothing', async () => {
  const { store, events } = await setUpSmall();
  await store.context.get(p1);
  await store.context.dismiss({ ...p1, noticeId: 'nothing' });
  expect(events).toEqual([]);
});
