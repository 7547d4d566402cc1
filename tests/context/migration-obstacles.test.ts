import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Failure } from '../../src/contract/errors.ts';
import { faultyFileSystem } from '../files/support.ts';
import { failure, p1, type Setup, setUp } from './support.ts';

const plan = async (setup: Setup): Promise<string> => {
  await mkdir(setup.path('projects', 'old', 'plans'), { recursive: true });
  await writeFile(setup.path('projects', 'old', 'plans', 'a.md'), '# A');
  return setup.path('projects', 'old', 'plans', 'a.md');
};

const legacy = async (setup: Setup, settings: object): Promise<void> => {
  await mkdir(setup.path('projects', 'p1'), { recursive: true });
  await writeFile(setup.path('projects', 'p1.json'), JSON.stringify(settings));
};

const settingsOf = async (setup: Setup): Promise<unknown> => JSON.parse(await setup.text('projects', 'p1.json'));

test('a recorded path that no file can have keeps nothing else from being moved', async () => {
  const setup = await setUp();
  const odd = { id: 'x', path: '/somewhere/b\0.md' };
  await legacy(setup, { projectNotes: 'n', projectPlanFiles: [odd, { id: 'a', path: await plan(setup) }] });
  expect(await setup.store.context.get(p1)).toMatchObject({ notes: [{ body: 'n' }], plans: [{ id: 'a', title: 'A' }] });
  expect(await settingsOf(setup)).toEqual({ projectPlanFiles: [odd] });
});

test('a key of an old link does not take the place of the file that was found for it', async () => {
  const setup = await setUp();
  const path = await plan(setup);
  await legacy(setup, { projectPlanFiles: [{ id: 'a', path, file: '../../x.md', title: 'Other', kept: 1 }] });
  expect((await setup.store.context.get(p1)).plans).toMatchObject([{ id: 'a', file: 'a.md', title: 'A' }]);
  expect((await setup.stored()).plans).toEqual([{ id: 'a', file: 'a.md', title: 'A', kept: 1 }]);
});

test('a link where the folder of plans should be lets plans wait, and nothing is written through it', async () => {
  const setup = await setUp();
  const link = { id: 'a', path: await plan(setup) };
  await legacy(setup, { projectNotes: 'n', projectPlanFiles: [link] });
  await mkdir(setup.path('elsewhere'));
  await symlink(setup.path('elsewhere'), setup.path('projects', 'p1', 'plans'));
  expect(await setup.store.context.get(p1)).toMatchObject({ notes: [{ body: 'n' }], plans: [] });
  expect(await settingsOf(setup)).toEqual({ projectPlanFiles: [link] });
  await rm(setup.path('projects', 'p1', 'plans'));
  expect(await setup.store.context.get(p1)).toMatchObject({ plans: [{ id: 'a' }] });
  expect(await settingsOf(setup)).toEqual({});
});

// thunderbird/thunderbolt#1025
test.each(['handle.read', 'link'])(
  'a plan that cannot be copied now (%s) is moved in the same run',
  async (failing) => {
    const fileSystem = faultyFileSystem();
    const setup = await setUp({ fileSystem });
    const link = { id: 'a', path: await plan(setup), createdAt: 1 };
    await legacy(setup, { projectNotes: 'n', projectPlanFiles: [link] });
    fileSystem.fault = (call, _index, path) => (call === failing && path.includes('a.md') ? { code: 'EIO' } : null);
    for (let read = 0; read < 2; read++) {
      expect(await setup.store.context.get(p1)).toMatchObject({ notes: [{ body: 'n' }], plans: [] });
      expect(await settingsOf(setup)).toEqual({ projectPlanFiles: [link] });
    }
    fileSystem.fault = null;
    expect(await setup.store.context.get(p1)).toMatchObject({
      notes: [{ body: 'n' }],
      plans: [{ id: 'a', title: 'A' }],
    });
    expect(await settingsOf(setup)).toEqual({});
  },
);

test.each(['damaged', 'a folder'])('without a log (%s) nothing is hidden, and no link is dropped', async (log) => {
  const setup = await setUp();
  const gone = { id: 'gone', path: setup.path('projects', 'old', 'gone.md') };
  await legacy(setup, { projectNotes: 'n', projectPlanFiles: [gone] });
  const path = setup.path('projects', 'p1', '.sidekeep', 'migration.json');
  await mkdir(log === 'damaged' ? setup.path('projects', 'p1', '.sidekeep') : path, { recursive: true });
  if (log === 'damaged') await writeFile(path, '{');
  expect((await setup.store.context.get(p1)).notes).toHaveLength(1);
  expect((await setup.store.context.get(p1)).notes).toHaveLength(1);
  expect(await settingsOf(setup)).toEqual({ projectPlanFiles: [gone] });
  if (log === 'damaged') expect(await readFile(path, 'utf8')).toBe('{');
});

test('while the old keys cannot be taken away, notes are shown and not changed: a deleted one would come back', async () => {
  const fileSystem = faultyFileSystem();
  const setup = await setUp({ fileSystem });
  await legacy(setup, { projectNotes: 'n', z: 1 });
  fileSystem.fault = (call, _index, path) =>
    call === 'rename' && path.includes('.p1.json.') ? { code: 'EBUSY' } : null;
  const [note] = (await setup.store.context.get(p1)).notes;
  expect((await setup.store.context.get(p1)).notes).toEqual([note]);
  await failure(setup.store.notes.delete({ ...p1, noteId: note?.id ?? '' }), 'io');
  fileSystem.fault = null;
  await setup.store.notes.delete({ ...p1, noteId: note?.id ?? '' });
  expect(await settingsOf(setup)).toEqual({ z: 1 });
  const later = await setUp({ root: setup.root });
  expect((await later.store.context.get(p1)).notes).toEqual([]);
});

test('the old keys are not taken away while another process owns the data folder', async () => {
  let owned = false;
  const inUse = new Failure('in-use', 'Another Sidekeep is using this data folder.');
  const setup = await setUp({ claimRoot: () => (owned ? Promise.reject(inUse) : Promise.resolve()) });
  await setup.put({ version: 2, notes: [{ id: 'a', body: 'n' }], todos: [], plans: [] });
  await legacy(setup, { projectNotes: 'n' });
  owned = true;
  expect((await setup.store.context.get(p1)).notes).toMatchObject([{ id: 'a' }]);
  expect(await settingsOf(setup)).toEqual({ projectNotes: 'n' });
});
