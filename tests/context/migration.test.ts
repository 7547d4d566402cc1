import { writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultyFileSystem } from '../files/support.ts';
import { failure, p1, type Setup, setUp, setUpSample } from './support.ts';

const sampleId = 'path_L2hvbWUvZGV2L29sZC10b29s';

async function legacy(setup: Setup, settings: unknown): Promise<void> {
  await mkdir(setup.path('projects'), { recursive: true });
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings, null, 2);
  await writeFile(setup.path('projects', 'p1.json'), text);
  await utimes(setup.path('projects', 'p1.json'), 1_700_000_000, 1_700_000_000);
}

const settingsOf = async (setup: Setup): Promise<Record<string, unknown>> =>
  JSON.parse(await setup.text('projects', 'p1.json')) as Record<string, unknown>;

test('the first read moves the old keys over; every other key stays, in order', async () => {
  const setup = await setUpSample();
  const { store, events, text } = setup;
  const context = await store.context.get({ projectId: sampleId });
  expect(context).toMatchObject({
    state: 'present',
    version: 2,
    notes: [{ body: 'Legacy notes kept in the shared project file.\nTwo lines.', source: 'manual' }],
    todos: [{ id: 'todo_1759660800000_a1b2c3' }, { id: 'todo_1759660900000_d4e5f6', completed: true }],
    plans: [{ id: 'd6a96076-2d9f-4fd5-8264-abd3dd213420', file: '1759665600000-tidy-logs.md', title: 'Tidy the logs' }],
  });
  expect(events).toEqual([]);
  const settings = await text('projects', `${sampleId}.json`);
  const before = JSON.parse(
    await readFile(join(import.meta.dirname, '../../e2e/fixtures/context/projects', `${sampleId}.json`), 'utf8'),
  ) as Record<string, unknown>;
  const moved = ['projectNotes', 'projectTodos', 'projectPlanFiles'];
  const rest = Object.fromEntries(Object.entries(before).filter(([key]) => !moved.includes(key)));
  expect(settings).toBe(JSON.stringify(rest, null, 2));
  const log = JSON.parse(await text('projects', sampleId, '.sidekeep', 'migration.json'));
  expect(log.dropped).toMatchObject([{ reason: 'file-missing', link: { id: '0e008b4f-874b-46e0-893b-614cea558e46' } }]);
  expect(await store.context.get({ projectId: sampleId })).toEqual(context);
});

test('only a read for a person, or a write, migrates: lists and the watcher do not, nor a read of an unknown owner', async () => {
  const known = { now: false };
  const setup = await setUp({ isKnownProject: () => known.now });
  await legacy(setup, { projectNotes: 'old' });
  await setup.store.projectIds();
  await setup.store.refresh('p1');
  expect(await setup.store.context.get(p1)).toMatchObject({ state: 'missing', notes: [] });
  await setup.store.refresh('p1');
  await setup.store.refreshAll();
  expect(await readdir(setup.path('projects'))).toEqual(['p1.json']);
  known.now = true;
  await setup.store.notes.create({ ...p1, body: 'new' });
  expect((await setup.store.context.get(p1)).notes.map((note) => note.body)).toEqual(['new', 'old']);
  expect(await settingsOf(setup)).toEqual({});
});

test('nothing to move writes nothing', async () => {
  for (const settings of [
    {},
    { projectActions: [1] },
    { projectNotes: 5, projectTodos: 'no', projectPlanFiles: null },
  ]) {
    const setup = await setUp();
    await legacy(setup, settings);
    expect(await setup.store.context.get(p1)).toMatchObject({ state: 'missing' });
    expect(await readdir(setup.path('projects'))).toEqual(['p1.json']);
    expect(await settingsOf(setup)).toEqual(settings);
  }
});

test('a key of a wrong type stays where it is; the rest moves. A blank text is no note; a list of notes is accepted', async () => {
  const setup = await setUp();
  await legacy(setup, { a: 1, projectNotes: { odd: true }, projectTodos: [{ id: 't', text: 'todo' }, 'odd'], z: 2 });
  expect(await setup.store.context.get(p1)).toMatchObject({ notes: [], todos: [{ id: 't', text: 'todo' }] });
  expect(await settingsOf(setup)).toEqual({ a: 1, projectNotes: { odd: true }, z: 2 });
  expect((await setup.stored()).todos).toEqual([{ id: 't', text: 'todo' }, 'odd']);
  const second = await setUp();
  await legacy(second, { projectNotes: ' \n' });
  expect(await second.store.context.get(p1)).toMatchObject({ state: 'present', notes: [] });
  const third = await setUp();
  await legacy(third, { projectNotes: [{ id: 'n', body: 'from a list', createdAt: 5 }] });
  expect((await third.store.context.get(p1)).notes).toMatchObject([{ id: 'n', body: 'from a list' }]);
});

test('a long old text is kept whole, with an id from its content and the date of its file', async () => {
  const setup = await setUp();
  const projectNotes = ` ${'x'.repeat(9000)}\n`;
  await legacy(setup, { projectNotes });
  const { notes } = await setup.store.context.get(p1);
  expect(notes).toMatchObject([{ body: projectNotes, createdAt: 1_700_000_000_000 }]);
  expect(notes[0]?.id).toMatch(/^note_legacy_[0-9a-f]{16}$/);
});

test.each(['{', '', '[]'])(
  'damaged settings (%j) are malformed for reads and writes, and neither file is touched',
  async (text) => {
    const setup = await setUp();
    await legacy(setup, text);
    await failure(setup.store.context.get(p1), 'malformed');
    await failure(setup.store.notes.create({ ...p1, body: 'x' }), 'malformed');
    expect(await readdir(setup.path('projects'))).toEqual(['p1.json']);
    expect(await setup.text('projects', 'p1.json')).toBe(text);
    await setup.put({ version: 2, notes: [{ id: 'n', body: 'b' }] });
    expect((await setup.store.context.get(p1)).notes).toHaveLength(1);
    expect(await setup.text('projects', 'p1.json')).toBe(text);
  },
);

describe('plan links', () => {
  const link = (id: string, path: string) => ({ id, path, createdAt: 7, extra: id });

  test('a file elsewhere in the data folder is copied, its original stays; the second of one name gets another', async () => {
    const setup = await setUp();
    await mkdir(setup.path('projects', 'old-a', 'plans'), { recursive: true });
    await mkdir(setup.path('projects', 'old-b', 'plans'), { recursive: true });
    const [a, b] = ['old-a', 'old-b'].map((id) => setup.path('projects', id, 'plans', 'same.md'));
    await writeFile(a ?? '', '# A');
    await writeFile(b ?? '', '# B');
    await legacy(setup, { projectPlanFiles: [link('1', a ?? ''), link('2', b ?? ''), link('3', a ?? '')] });
    const { plans } = await setup.store.context.get(p1);
    expect(plans.map((plan) => [plan.id, plan.file, plan.title])).toEqual([
      ['1', 'same.md', 'A'],
      ['2', 'same-1.md', 'B'],
      ['3', 'same.md', 'A'],
    ]);
    expect(await readFile(a ?? '', 'utf8')).toBe('# A');
    expect((await setup.stored()).plans).toMatchObject([{ id: '1', title: 'A', createdAt: 7, extra: '1' }, {}, {}]);
    expect(await settingsOf(setup)).toEqual({});
  });

  test('names that do not fit get one that does, from a Windows path as well', async () => {
    const setup = await setUp();
    await mkdir(setup.path('projects', 'p1', 'plans'), { recursive: true });
    await writeFile(setup.path('projects', 'p1', 'plans', 'мой план.md'), '# Мой план');
    await writeFile(setup.path('projects', 'p1', 'plans', 'win.md'), '# Win');
    await legacy(setup, { projectPlanFiles: [link('1', '/x/мой план.md'), link('2', 'C:\\Users\\x\\plans\\win.md')] });
    expect((await setup.store.context.get(p1)).plans).toMatchObject([
      { id: '1', file: 'plan.md', title: 'Мой план', missing: false },
      { id: '2', file: 'win.md', title: 'Win' },
    ]);
    expect(await readdir(setup.path('projects', 'p1', 'plans'))).toEqual(['plan.md', 'win.md', 'мой план.md']);
  });

  test('what cannot be read now, or is a file of the rest of the computer, stays in the settings; the rest moves', async () => {
    const setup = await setUp();
    const outside = join(setup.root, '..', 'outside.md');
    await writeFile(outside, '# Secret');
    await mkdir(setup.path('projects', 'old', 'plans'), { recursive: true });
    await symlink(outside, setup.path('projects', 'old', 'plans', 'link.md'));
    await writeFile(setup.path('projects', 'old', 'plans', 'file'), '');
    const remaining = [
      link('outside', outside),
      link('link', setup.path('projects', 'old', 'plans', 'link.md')),
      link('not a folder', setup.path('projects', 'old', 'plans', 'file', 'x.md')),
      link('folder', setup.path('projects', 'old', 'plans')),
    ];
    await legacy(setup, {
      projectNotes: 'n',
      projectPlanFiles: [...remaining, 'odd', link('gone', '/nowhere/x.md')],
      z: 1,
    });
    const context = await setup.store.context.get(p1);
    expect(context).toMatchObject({ notes: [{ body: 'n' }], plans: [] });
    expect(await settingsOf(setup)).toEqual({ projectPlanFiles: [...remaining, 'odd'], z: 1 });
    await setup.store.context.get(p1);
    await setup.store.context.get(p1);
    expect(await settingsOf(setup)).toEqual({ projectPlanFiles: [...remaining, 'odd'], z: 1 });
    await rm(setup.path('projects', 'old', 'plans', 'file'));
    await mkdir(setup.path('projects', 'old', 'plans', 'file'));
    await writeFile(setup.path('projects', 'old', 'plans', 'file', 'x.md'), '# Readable');
    const later = await setUp({ root: setup.root });
    expect((await later.store.context.get(p1)).plans).toMatchObject([{ id: 'not a folder', title: 'Readable' }]);
    expect(await settingsOf(setup)).toEqual({
      projectPlanFiles: [remaining[0], remaining[1], remaining[3], 'odd'],
      z: 1,
    });
  });
});

test('links that have to wait are left alone: nothing is written until one of them can be moved', async () => {
  const fileSystem = faultyFileSystem();
  const setup = await setUp({ fileSystem });
  await writeFile(join(setup.root, '..', 'outside.md'), '# Secret');
  const settings = { projectPlanFiles: [{ id: 'p', path: join(setup.root, '..', 'outside.md') }] };
  await legacy(setup, settings);
  expect(await setup.store.context.get(p1)).toMatchObject({ state: 'missing', plans: [] });
  await setup.store.notes.create({ ...p1, body: 'new' });
  await setup.store.context.get(p1);
  expect(fileSystem.calls.filter((call) => call === 'rename' || call === 'link')).toHaveLength(1);
  expect(await settingsOf(setup)).toEqual(settings);
});

describe('a crash or a failure in between', () => {
  test('at any call: nothing is lost, nothing is twice, and the next read ends it', async () => {
    for (let failing = 0, calls = 1; failing < calls; failing += 3) {
      const fileSystem = faultyFileSystem();
      const setup = await setUp({ fileSystem });
      await mkdir(setup.path('projects', 'old', 'plans'), { recursive: true });
      await writeFile(setup.path('projects', 'old', 'plans', 'a.md'), '# A');
      const projectPlanFiles = [{ id: 'p', path: setup.path('projects', 'old', 'plans', 'a.md'), createdAt: 1 }];
      await legacy(setup, { projectNotes: 'old', projectTodos: [{ id: 't', text: 't' }], projectPlanFiles, z: 1 });
      // From here on every call fails, as after a crash.
      fileSystem.fault = (_call, index) => (index >= failing ? { code: 'EIO' } : null);
      await setup.store.context.get(p1).catch(() => undefined);
      if (failing === 0) {
        const counting = faultyFileSystem();
        const probe = await setUp({ fileSystem: counting });
        await mkdir(probe.path('projects', 'old', 'plans'), { recursive: true });
        await writeFile(probe.path('projects', 'old', 'plans', 'a.md'), '# A');
        await legacy(probe, {
          projectNotes: 'old',
          projectPlanFiles: [{ id: 'p', path: probe.path('projects', 'old', 'plans', 'a.md') }],
        });
        await probe.store.context.get(p1);
        calls = counting.calls.length;
      }
      fileSystem.fault = null;
      for (const name of await readdir(setup.root, { recursive: true })) {
        if (name.endsWith('.tmp')) await rm(setup.path(name));
      }
      const next = await setUp({ root: setup.root });
      expect(await next.store.context.get(p1), `failing from call ${failing}`).toMatchObject({
        notes: [{ body: 'old' }],
        todos: [{ id: 't' }],
        plans: [{ id: 'p', file: 'a.md', title: 'A', missing: false }],
      });
      expect(await settingsOf(setup)).toEqual({ z: 1 });
      expect(await readdir(setup.path('projects', 'p1', 'plans'))).toEqual(['a.md']);
    }
  });

  test('keys that stayed behind are merged by id and text, never twice', async () => {
    const setup = await setUp();
    await setup.put({
      version: 2,
      notes: [{ id: 'note_legacy_1759', body: 'old', createdAt: 5 }],
      todos: [{ id: 't', text: 'edited since', completed: true }],
      plans: [{ id: 'other', file: 'a.md', title: 'A' }],
    });
    await writeFile(setup.path('projects', 'p1', 'plans', 'a.md'), '# A');
    await legacy(setup, {
      projectNotes: 'old',
      projectTodos: [
        { id: 't', text: 'old' },
        { id: 'u', text: 'only there' },
      ],
      projectPlanFiles: [{ id: 'p', path: '/x/a.md' }],
    });
    const context = await setup.store.context.get(p1);
    expect(context.notes).toHaveLength(1);
    expect(context.todos.map((todo) => todo.text)).toEqual(['edited since', 'only there']);
    expect(context.plans).toHaveLength(1);
    expect(await settingsOf(setup)).toEqual({});
  });

  test('a client that writes its settings meanwhile loses nothing', async () => {
    const fileSystem = faultyFileSystem();
    const setup = await setUp({ fileSystem });
    await legacy(setup, { projectNotes: 'old', z: 1 });
    let once = true;
    fileSystem.fault = (call, _index, path) => {
      if (once && call === 'handle.sync' && path.includes('.p1.json.')) {
        once = false;
        writeFileSync(setup.path('projects', 'p1.json'), JSON.stringify({ projectNotes: 'newer', z: 2, added: true }));
      }
      return null;
    };
    await setup.store.context.get(p1);
    const context = await setup.store.context.get(p1);
    expect(context.notes.map((note) => note.body).sort()).toEqual(['newer', 'old']);
    expect(await settingsOf(setup)).toEqual({ z: 2, added: true });
  });
});

test('the mode of the settings file is kept', async () => {
  const setup = await setUp();
  await legacy(setup, { projectNotes: 'old' });
  await chmod(setup.path('projects', 'p1.json'), 0o640);
  await setup.store.context.get(p1);
  expect((await stat(setup.path('projects', 'p1.json'))).mode & 0o777).toBe(0o640);
});
