import { utimesSync, writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Fault } from '../files/support.ts';
import { attemptAll, type Plan, quickFolder, type Scenario, type Trial, takeCourse } from './fault-support.ts';
import { p1, small } from './support.ts';

/** A change of the small context. */
const change = (make: (trial: Trial) => Promise<unknown>): Scenario => ({
  begin: async (trial) => {
    await trial.show();
    return () => make(trial);
  },
});

/** A change that takes something up that an earlier one left, in the same run. */
const after = <Left>(
  prepare: (trial: Trial) => Promise<Left>,
  make: (trial: Trial, left: Left) => Promise<unknown>,
) => ({
  begin: async (trial: Trial) => {
    await trial.show();
    const left = await prepare(trial);
    return () => make(trial, left);
  },
});

const note = { ...p1, noteId: 'n1' };
const todo = { ...p1, todoId: 't1' };
const plan = { ...p1, planId: 'p1' };
const earlier = {
  version: 2,
  notes: [{ id: 'old', body: 'old', createdAt: 5 }],
  todos: [],
  plans: [...small.plans],
};
const BACKUP = '1700000000000-regular';

/** An earlier version beside the small context, or beside a damaged one. */
const recovering = (damaged: boolean, backupId: string | null, mode: 'replace' | 'merge'): Scenario => ({
  begin: async (trial) => {
    await trial.put(earlier, '.sidekeep', 'backups', `${BACKUP}.json`);
    await trial.show();
    if (damaged) {
      await trial.put('{"version":2,"notes":[{"id', 'context.json');
      utimesSync(trial.path('context.json'), 1_600_000_000, 1_600_000_000);
    }
    return () => trial.store.context.recover({ ...p1, backupId, mode });
  },
});

const legacySettings = (trial: Trial) => ({
  projectActions: [1],
  projectNotes: 'an old note',
  projectTodos: [{ id: 'o1', text: 'an old todo', completed: false, createdAt: 4 }],
  projectPlanFiles: [
    { id: 'l1', path: trial.path('..', 'other', 'plans', 'old.md'), createdAt: 5 },
    { id: 'l2', path: trial.path('..', 'other', 'plans', 'gone.md'), createdAt: 6 },
  ],
});

/** Another program saves in place between our last look and our rename. */
const displacing: Scenario = {
  begin: async (trial) => {
    await trial.show();
    const theirs = { ...small, notes: [...small.notes, { id: 'theirs', body: 'theirs', createdAt: 9 }] };
    let saved = false;
    const { rename } = trial.fileSystem;
    trial.fileSystem.rename = async (from, to) => {
      if (to === trial.path('context.json') && !saved) {
        saved = true;
        writeFileSync(to, JSON.stringify(theirs));
      }
      await rename(from, to);
    };
    return () => trial.store.notes.create({ ...p1, body: 'new' });
  },
  keeps: 'theirs',
};

/** Another program that never saw our note saves over it. */
const overwriting: Scenario = {
  begin: async (trial) => {
    await trial.show();
    await trial.store.notes.create({ ...p1, body: 'ours' });
    writeFileSync(trial.path('context.json'), JSON.stringify({ ...small, round: 1 }));
    return () => trial.store.context.get(p1);
  },
  keeps: 'ours',
};

const scenarios: Record<string, Scenario> = {
  'notes.create': change(({ store }) => store.notes.create({ ...p1, body: 'new' })),
  'notes.create in a folder that is not there': {
    begin: async (trial) => {
      await rm(trial.root, { recursive: true });
      await trial.show();
      return () => trial.store.notes.create({ ...p1, body: 'new' });
    },
  },
  'notes.update': change(({ store }) => store.notes.update({ ...note, body: 'other', pinned: true })),
  'notes.delete': change(({ store }) => store.notes.delete(note)),
  'notes.restore': after(
    ({ store }) => store.notes.delete(note),
    ({ store }, { trashId }) => store.notes.restore({ ...p1, trashId }),
  ),
  'todos.add': change(({ store }) => store.todos.add({ ...p1, text: 'new' })),
  'todos.update': change(({ store }) => store.todos.update({ ...todo, completed: true })),
  'todos.delete': change(({ store }) => store.todos.delete(todo)),
  'todos.move': change(({ store }) => store.todos.move({ ...todo, before: null })),
  'todos.replace': change(({ store }) => store.todos.replace({ ...p1, todos: [{ id: 't2', text: 'second' }] })),
  'todos.clearCompleted': change(({ store }) => store.todos.clearCompleted(p1)),
  'todos.restore': after(
    ({ store }) => store.todos.delete(todo),
    ({ store }, { trashId }) => store.todos.restore({ ...p1, trashId }),
  ),
  'plans.create': change(({ store }) => store.plans.create({ ...p1, title: 'New', body: 'text' })),
  'plans.update': change(({ store }) => store.plans.update({ ...plan, raw: '# Other\n\ntext\n' })),
  'plans.delete': change(({ store }) => store.plans.delete(plan)),
  'plans.setPinned': change(({ store }) => store.plans.setPinned({ ...plan, pinned: true })),
  'plans.restore': after(
    ({ store }) => store.plans.delete(plan),
    ({ store }, { trashId }) => store.plans.restore({ ...p1, trashId }),
  ),
  'context.recover over a good file': recovering(false, BACKUP, 'replace'),
  'context.recover into a good file': recovering(false, BACKUP, 'merge'),
  'context.recover over a damaged file': recovering(true, BACKUP, 'replace'),
  'context.recover that only puts a damaged file aside': recovering(true, null, 'replace'),
  'context.dismiss': {
    begin: async (trial) => {
      await trial.put(
        { version: 1, dropped: [{ at: 7, link: { path: '/x/gone.md' } }] },
        '.sidekeep',
        'migration.json',
      );
      await trial.show();
      return () => trial.store.context.dismiss({ ...p1, noticeId: 'migration-log' });
    },
  },
  'context.get that moves old data in': {
    due: true,
    begin: async (trial) => {
      await rm(trial.path('context.json'));
      await rm(trial.path('plans'), { recursive: true });
      await trial.put('# Old plan\n', '..', 'other', 'plans', 'old.md');
      await writeFile(`${trial.path()}.json`, JSON.stringify(legacySettings(trial)));
      return () => trial.store.context.get(p1);
    },
  },
  'notes.create while another program saves': displacing,
  'context.get after another program took back a note': overwriting,
};

const codes = ['ENOSPC', 'EIO', 'EACCES', 'EMFILE', 'EROFS', 'EPERM'] as const;
const faults: readonly Fault[] = codes.map((code) => ({ code }));

/** Changes that go the same way to the disk as others: there it is enough that each call fails in some ways. */
const alike = /^(?:todos|notes\.update|plans\.setPinned|context\.dismiss)/;

/** The calls that change the disk, or say that it was changed, fail in every way; the others in turn. */
function faultsOf(name: string, call: string, place: number): readonly Fault[] {
  const inTurn = faults.slice(place % faults.length).slice(0, 1);
  if (!/^(?:handle\.(?:write|sync)|open wx|rename|link)/.test(call)) return inTurn;
  const every = call.startsWith('handle.write') ? ([...faults, 'short', 'nothing'] as const) : faults;
  return alike.test(name) && every === faults ? every.filter((_fault, index) => index % 3 === place % 3) : every;
}

/** Many small attempts: on a machine that is busy with others they take their time. */
const timeout = 300_000;

describe.each(Object.keys(scenarios))('%s', (name) => {
  const scenario = scenarios[name] as Scenario;

  test('is done or not done, and says which, whichever call to the disk fails', { timeout }, async () => {
    const folder = await quickFolder();
    const course = await takeCourse(folder, scenario);
    const plans = course.calls.flatMap((call, from) =>
      faultsOf(name, call, from).map((fault): Plan => ({ fault, from, last: from })),
    );
    expect(plans.length).toBeGreaterThan(3);
    await attemptAll(folder, scenario, course, plans);
  });

  test('loses nothing when the disk fails from some call on, and works once it is back', { timeout }, async () => {
    const folder = await quickFolder();
    const course = await takeCourse(folder, scenario);
    const plans = course.calls
      .map((_call, from): Plan => ({ fault: faults[from % 5] as Fault, from, last: Number.POSITIVE_INFINITY }))
      .filter(({ from }) => !alike.test(name) || from % 3 === 0);
    await attemptAll(folder, scenario, course, plans);
  });
});
