import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { faultyFileSystem } from '../files/support.ts';
import { failure, NOW, p1, type Setup, setUp } from './support.ts';

async function legacy(setup: Setup, settings: object | string): Promise<void> {
  await mkdir(setup.path('projects', 'p1'), { recursive: true });
  await writeFile(
    setup.path('projects', 'p1.json'),
    typeof settings === 'string' ? settings : JSON.stringify(settings),
  );
}

const settingsOf = async (setup: Setup): Promise<Record<string, unknown>> =>
  JSON.parse(await setup.text('projects', 'p1.json')) as Record<string, unknown>;

// cohenadair/anglers-log#716, klaviyo/klaviyo-swift-sdk#704
test('a crash after the new file, before the old keys go, doubles nothing: the result is that of an undisturbed run', async () => {
  const settings = {
    projectNotes: 'n',
    projectTodos: [{ id: 't1', text: 'a', completed: false, createdAt: 1 }],
    projectPlanFiles: [],
    worktreeSetup: ['x'],
  };
  const undisturbed = await setUp();
  await legacy(undisturbed, settings);
  await undisturbed.store.context.get(p1);

  const fileSystem = faultyFileSystem();
  const setup = await setUp({ fileSystem });
  await legacy(setup, settings);
  // Dead from the first call on that has to do with the old file, once the new one is in place.
  let dead = false;
  fileSystem.fault = (_call, _index, path) => {
    const made = fileSystem.calls.includes('link') || fileSystem.calls.includes('rename');
    dead ||= made && path.includes('p1.json');
    return dead ? { code: 'EIO' } : null;
  };
  await setup.store.context.get(p1).catch(() => undefined);
  expect(dead).toBe(true);
  expect(await setup.stored()).toMatchObject({ notes: [{ body: 'n' }], todos: [{ id: 't1' }] });
  expect(await settingsOf(setup)).toEqual(settings);

  const restarted = await setUp({ root: setup.root });
  for (let read = 0; read < 3; read++) {
    const { notes, todos } = await restarted.store.context.get(p1);
    expect(notes.map(({ body }) => body)).toEqual(['n']);
    expect(todos.map(({ id, text }) => [id, text])).toEqual([['t1', 'a']]);
  }
  expect(await settingsOf(setup)).toEqual({ worktreeSetup: ['x'] });
  const [left, right] = await Promise.all([setup.stored(), undisturbed.stored()]);
  expect(withoutTimes(left)).toEqual(withoutTimes(right));
});

/** The note's date is that of the old file, which differs from folder to folder. */
const withoutTimes = ({ notes, ...rest }: Record<string, unknown>): object => ({
  ...rest,
  notes: (notes as object[]).map((note) => ({ ...note, createdAt: NOW, updatedAt: NOW })),
});

// thunderbird/thunderbolt#1025
describe('a plan that cannot be moved in now', () => {
  test.each([
    ['EIO', 'handle.read', 'other'],
    ['EACCES', 'open r', 'other'],
    ['EACCES', 'lstat', 'other'],
    ['ENOSPC', 'handle.write', 'p1/plans'],
    ['ENOSPC', 'handle.sync', 'p1/plans'],
  ])('(%s at %s in %s) stays where it is linked, and is moved in once it can be', async (code, failing, where) => {
    const fileSystem = faultyFileSystem();
    const setup = await setUp({ fileSystem });
    const place = setup.path('projects', 'other', 'plans');
    await mkdir(place, { recursive: true });
    await writeFile(`${place}/x.md`, '# X\n');
    const projectPlanFiles = [{ id: 'x', path: `${place}/x.md`, createdAt: 7 }];
    await legacy(setup, { projectNotes: 'n', projectPlanFiles, worktreeSetup: ['x'] });
    fileSystem.fault = (call, _index, path) =>
      call === failing && path.includes(`projects/${where}`) && path.includes('x.md') ? { code } : null;
    for (let read = 0; read < 2; read++) {
      const { plans, notices } = await setup.store.context.get(p1);
      expect(plans).toEqual([]);
      expect(notices.filter(({ kind }) => kind === 'migration' && read < 0)).toEqual([]);
      expect((await settingsOf(setup)).projectPlanFiles).toEqual(projectPlanFiles);
      expect(await readFile(`${place}/x.md`, 'utf8')).toBe('# X\n');
    }
    fileSystem.fault = null;
    expect((await setup.store.context.get(p1)).plans).toMatchObject([
      { id: 'x', title: 'X', createdAt: 7, missing: false },
    ]);
    expect(await settingsOf(setup)).toEqual({ worktreeSetup: ['x'] });
  });

  test('because it is gone is dropped, which is told', async () => {
    const setup = await setUp();
    const gone = { id: 'x', path: setup.path('projects', 'other', 'plans', 'x.md') };
    await legacy(setup, { projectPlanFiles: [gone], worktreeSetup: ['x'] });
    await setup.store.context.get(p1);
    expect(await settingsOf(setup)).toEqual({ worktreeSetup: ['x'] });
    expect((await setup.store.context.get(p1)).notices).toMatchObject([{ kind: 'migration', count: 1 }]);
  });
});

// openchamber/openchamber#2923
describe('keys that are not ours', () => {
  const others = { zeta: 1, scheduledTasks: [{ id: 1, x: null }], version: 7, nested: { b: 1, a: 2 } };
  const settings = {
    zeta: 1,
    projectNotes: 'hi',
    scheduledTasks: [{ id: 1, x: null }],
    version: 7,
    nested: { b: 1, a: 2 },
  };

  test('stay as they are, in their order', async () => {
    const setup = await setUp();
    await legacy(setup, settings);
    expect((await setup.store.context.get(p1)).notes).toMatchObject([{ body: 'hi' }]);
    expect(JSON.stringify(await settingsOf(setup))).toBe(JSON.stringify(others));
  });

  test('in settings that are no JSON keep both files as they are, and other projects work', async () => {
    const setup = await setUp();
    const broken = JSON.stringify(settings).slice(0, -1);
    await legacy(setup, broken);
    await setup.put({ version: 2, notes: [{ id: 'n', body: 'other' }] }, 'p2');
    await failure(setup.store.context.get(p1), 'malformed');
    await failure(setup.store.notes.create({ ...p1, body: 'x' }), 'malformed');
    expect(await setup.text('projects', 'p1.json')).toBe(broken);
    await expect(setup.stored()).rejects.toMatchObject({ code: 'ENOENT' });
    await setup.store.notes.create({ projectId: 'p2', body: 'new' });
    expect((await setup.store.context.get({ projectId: 'p2' })).notes).toHaveLength(2);
  });

  test('beside todos that are no list let the rest move in, and the todos stay', async () => {
    const setup = await setUp();
    await legacy(setup, { ...settings, projectTodos: 'oops' });
    expect(await setup.store.context.get(p1)).toMatchObject({ notes: [{ body: 'hi' }], todos: [] });
    expect(JSON.stringify(await settingsOf(setup))).toBe(JSON.stringify({ ...others, projectTodos: 'oops' }));
  });
});
