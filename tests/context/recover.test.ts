import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { lstat, readFile, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { mutate } from '../../src/context/commit.ts';
import { createNote, deleteNote } from '../../src/context/note-changes.ts';
import { deletePlan } from '../../src/context/plan-operations.ts';
import { always, never } from '../../src/context/project-context.ts';
import { recover } from '../../src/context/recover.ts';
import { faultyFileSystem, temporaryFiles } from '../files/support.ts';
import { type Owner, setUpOwner } from './owner.ts';
import { failure, NOW, small } from './support.ts';

const FILE = '1700000000-alpha.md';
const earlier = { version: 2, notes: [{ id: 'old', body: 'old', createdAt: 5 }], todos: [], plans: [], extra: 1e-7 };
const earlierText =
  '\ufeff{ "version":2,\t"notes":[{"id":"old","body":"old","createdAt":5,"big":1e999}], "todos":[],"plans":[]}\n';

interface Setup extends Owner {
  fileSystem: ReturnType<typeof faultyFileSystem>;
  /** Id of the earlier version. */
  id: string;
  /** Makes the context file a damaged one that nobody is still writing. */
  damage(text?: string): Promise<void>;
  recover(mode?: 'replace' | 'merge', backupId?: string | null): ReturnType<typeof recover>;
}

/** The small context, and one earlier version of it. */
async function setUp(version: unknown = earlier, current: unknown = small): Promise<Setup> {
  const fileSystem = faultyFileSystem();
  const owner = await setUpOwner({ fileSystem });
  if (current !== null) await owner.put(current, 'context.json');
  await owner.put('# Alpha\n', 'plans', FILE);
  const id = await owner.context.backups.save(
    Buffer.from(typeof version === 'string' ? version : JSON.stringify(version)),
    'regular',
  );
  return {
    ...owner,
    fileSystem,
    id,
    damage: async (text = '{"version":2,"notes":[{"id":"n1","body":"al') => {
      await owner.put(text, 'context.json');
      await utimes(owner.path('context.json'), 1_600_000_000, 1_600_000_000);
    },
    recover: (mode = 'replace', backupId = id) => recover(owner.context, { backupId, mode }),
  };
}

const damagedName = `context.json.damaged-${NOW}`;

describe('a damaged file', () => {
  test.each(['replace', 'merge'] as const)(
    'is put aside and replaced by the earlier version, byte for byte (%s)',
    async (mode) => {
      const owner = await setUp(earlierText);
      await owner.damage('{"notes');
      await failure(owner.context.load({ migrate: never, plans: true }), 'malformed');
      const { damaged, context } = await owner.recover(mode);
      expect(damaged).toBe(damagedName);
      expect(await owner.text(damagedName)).toBe('{"notes');
      expect(await readFile(owner.path('context.json'))).toEqual(Buffer.from(earlierText));
      expect(context).toMatchObject({ base: null, notes: { order: ['old'], changed: [{ body: 'old' }] } });
      expect(owner.events.at(-1)).toMatchObject({ kind: 'change' });
      expect(owner.context.snapshot.notes).toMatchObject([{ id: 'old' }]);
      await mutate(owner.context, (newest) => createNote(newest, { body: 'new' }, 'n', NOW));
      expect(await owner.text('context.json')).toContain('1e999');
      expect(await temporaryFiles(owner.path())).toEqual([]);
    },
  );

  test('that is empty, of a wrong type or too large is put aside as well', async () => {
    for (const text of ['', '[]', '{"a":1,"a":2}', Buffer.from([0xff])]) {
      const owner = await setUp();
      await owner.damage(String(text));
      expect((await owner.recover()).damaged).toBe(damagedName);
    }
    const owner = await setUp();
    await owner.damage();
    await truncate(owner.path('context.json'), 64 * 1024 * 1024 + 1);
    await utimes(owner.path('context.json'), 1_600_000_000, 1_600_000_000);
    expect((await owner.recover()).damaged).toBe(damagedName);
    expect((await lstat(owner.path(damagedName))).size).toBe(64 * 1024 * 1024 + 1);
    expect(owner.context.snapshot.notes).toMatchObject([{ id: 'old' }]);
  });

  test('gets a name that nothing has', async () => {
    const owner = await setUp();
    await owner.put('an earlier one', damagedName);
    await owner.damage();
    expect((await owner.recover()).damaged).toBe(`context.json.damaged-${NOW + 1}`);
    expect(await owner.text(damagedName)).toBe('an earlier one');
    await owner.damage();
    expect((await owner.recover('replace', null)).damaged).toBe(`context.json.damaged-${NOW + 2}`);
  });

  test('is only put aside where no earlier version is wanted; then there is no context', async () => {
    const owner = await setUp();
    await owner.context.load({ migrate: never, plans: true });
    await owner.damage();
    const { damaged, context } = await owner.recover('replace', null);
    expect(damaged).toBe(damagedName);
    expect(context).toMatchObject({ state: 'missing', notes: { order: [] } });
    expect(await owner.names()).toEqual(['.sidekeep', damagedName, 'plans']);
    await failure(owner.recover('replace', null), 'invalid');
    await mutate(owner.context, (newest) => createNote(newest, { body: 'new' }, 'n', NOW));
    expect(await owner.stored()).toMatchObject({ notes: [{ id: 'n' }] });
  });

  test('is copied where the disk knows no second names', async () => {
    const owner = await setUp();
    await owner.damage('{');
    owner.fileSystem.fault = (call) => (call === 'link' ? { code: 'EPERM' } : null);
    expect((await owner.recover()).damaged).toBe(damagedName);
    expect(await owner.text(damagedName)).toBe('{');
    expect(await owner.stored()).toEqual(earlier);
  });

  test('is on the disk under its second name before anything takes its place', async () => {
    const owner = await setUp();
    await owner.damage();
    const states: string[] = [];
    let linked = false;
    owner.fileSystem.fault = (call, _index, path) => {
      if (call === 'link' && path === owner.path('context.json')) linked = true;
      if (linked && ['link', 'handle.sync', 'handle.write', 'rename'].includes(call)) states.push(call);
      return null;
    };
    await owner.recover();
    expect(states).toEqual(['link', 'handle.sync', 'handle.write', 'handle.sync', 'link', 'rename', 'handle.sync']);
  });
});

describe('a good file', () => {
  test('is kept as an earlier version, and the one that was asked for takes its place', async () => {
    const owner = await setUp();
    await owner.context.load({ migrate: never, plans: true });
    const { damaged, context } = await owner.recover();
    expect(damaged).toBeNull();
    expect(await owner.stored()).toEqual(earlier);
    expect(context.notes.order).toEqual(['old']);
    const [kept] = (await owner.context.backups.list()).filter(({ reason }) => reason === 'recovered');
    expect(JSON.parse((await owner.context.backups.read(kept?.id ?? '')).bytes.toString())).toEqual(small);
    const back = await owner.recover('replace', kept?.id ?? '');
    expect(back.context.notes.order).toEqual(['n1']);
    expect(await owner.stored()).toEqual(small);
  });

  test('that holds the earlier version already is left alone', async () => {
    const owner = await setUp(small);
    const before = await lstat(owner.path('context.json'));
    await owner.recover();
    expect((await lstat(owner.path('context.json'))).ino).toBe(before.ino);
    expect(await owner.context.backups.list()).toHaveLength(1);
  });

  test('is not said to be undone by another program when its person goes back', async () => {
    const owner = await setUp();
    await mutate(owner.context, (newest) => createNote(newest, { body: 'of this run' }, 'n', NOW));
    await owner.recover();
    await owner.put({ ...earlier, extra: 2 }, 'context.json');
    await owner.context.load({ migrate: never, plans: true });
    expect(owner.context.snapshot.notices).toEqual([]);
    expect((await owner.context.backups.list()).map(({ reason }) => reason)).not.toContain('overwritten');
  });

  test('is not put aside', async () => {
    const owner = await setUp();
    await failure(owner.recover('replace', null), 'invalid');
    expect(await owner.stored()).toEqual(small);
  });

  test('that is missing is made', async () => {
    for (const mode of ['replace', 'merge'] as const) {
      const owner = await setUp(earlier, null);
      expect(await owner.recover(mode)).toMatchObject({ damaged: null, context: { notes: { order: ['old'] } } });
      expect(await owner.stored()).toEqual(earlier);
    }
  });

  test('that another program saves meanwhile is kept as well', async () => {
    const owner = await setUp();
    let times = 2;
    owner.fileSystem.fault = (call, _index, path) => {
      if (call === 'handle.sync' && path.includes('/.context.json.') && times-- > 0) {
        writeFileSync(owner.path('new'), JSON.stringify({ ...small, round: times }));
        renameSync(owner.path('new'), owner.path('context.json'));
      }
      return null;
    };
    await owner.recover();
    expect(await owner.stored()).toEqual(earlier);
    const kept = (await owner.context.backups.list()).filter(({ reason }) => reason === 'recovered');
    const rounds = await Promise.all(
      kept.map(async ({ id }) => JSON.parse((await owner.context.backups.read(id)).bytes.toString()).round),
    );
    expect(rounds).toEqual([0, 1, undefined]);
  });

  test('that a program without end keeps saving is a failure, not a loop', async () => {
    const owner = await setUp();
    let round = 0;
    owner.fileSystem.fault = (call, _index, path) => {
      if (call === 'handle.sync' && path.includes('/.context.json.')) {
        writeFileSync(owner.path('context.json'), JSON.stringify({ ...small, round: round++ }));
      }
      return null;
    };
    expect(await failure(owner.recover(), 'io')).toMatchObject({ detail: { reason: 'busy' } });
    owner.fileSystem.fault = null;
    expect(await owner.stored()).toEqual({ ...small, round: round - 1 });
  });
});

describe('nothing is changed', () => {
  test('by an earlier version that is damaged, gone or of a newer program', async () => {
    for (const [version, code] of [
      ['{"version":2', 'malformed'],
      ['[]', 'malformed'],
      [{ version: 3 }, 'newer-version'],
    ] as const) {
      for (const mode of ['replace', 'merge'] as const) {
        const owner = await setUp(version);
        await owner.damage('damaged');
        await failure(owner.recover(mode), code);
        await failure(owner.recover(mode, `${NOW}-regular-9`), 'not-found');
        expect(await owner.text('context.json')).toBe('damaged');
        expect(await owner.names()).toEqual(['.sidekeep', 'context.json', 'plans']);
      }
    }
  });

  test('in a context of a newer program', async () => {
    const owner = await setUp(earlier, { ...small, version: 3 });
    for (const mode of ['replace', 'merge'] as const) await failure(owner.recover(mode), 'newer-version');
    await failure(owner.recover('replace', null), 'newer-version');
    expect(await owner.stored()).toEqual({ ...small, version: 3 });
    expect(await owner.context.backups.list()).toHaveLength(1);
  });

  test('through a link', async () => {
    const owner = await setUp();
    await rename(owner.path('context.json'), owner.path('target'));
    await symlink(owner.path('target'), owner.path('context.json'));
    for (const backupId of [owner.id, null]) {
      expect(await failure(owner.recover('replace', backupId), 'io')).toMatchObject({ detail: { reason: 'link' } });
    }
    expect(JSON.parse(readFileSync(owner.path('target'), 'utf8'))).toEqual(small);
  });
});

describe('adding an earlier version', () => {
  test('brings what is missing, keeps what is there, and can be repeated', async () => {
    const version = {
      ...earlier,
      notes: [...earlier.notes, { id: 'n1', body: 'other', createdAt: 1, updatedAt: 1 }],
      todos: [{ id: 't1', text: 'one', completed: true }],
    };
    const owner = await setUp(version);
    const { damaged, context } = await owner.recover('merge');
    expect(damaged).toBeNull();
    expect(context.notes.changed).toHaveLength(2);
    const stored = await owner.stored();
    expect(stored).toMatchObject({
      notes: [{ id: 'n1', body: 'alpha' }, { body: 'other' }, { id: 'old' }],
      todos: [{ id: 't1', text: 'one', completed: true }, { id: 't2' }],
      plans: small.plans,
      extra: 1e-7,
    });
    expect((await owner.recover('merge')).context).toMatchObject({ notes: { changed: [] } });
    expect(await owner.stored()).toEqual(stored);
  });
});

describe('the plans of an earlier version', () => {
  const version = { version: 2, plans: [...small.plans, { id: 'lost', file: 'lost.md', title: 'Lost', createdAt: 1 }] };

  test.each(['replace', 'merge'] as const)(
    'come back with their texts from the trash, or are shown as missing (%s)',
    async (mode) => {
      const owner = await setUp(version);
      await deletePlan(owner.context, { planId: 'p1' });
      expect(await owner.names('plans')).toEqual([]);
      await owner.recover(mode);
      expect(await owner.text('plans', FILE)).toBe('# Alpha\n');
      expect(owner.context.snapshot.plans).toMatchObject([
        { id: 'p1', file: FILE, missing: false },
        { id: 'lost', missing: true },
      ]);
    },
  );

  test('leave files that are there alone', async () => {
    const owner = await setUp(version);
    await deletePlan(owner.context, { planId: 'p1' });
    await writeFile(owner.path('plans', FILE), '# Newer\n');
    await owner.recover();
    expect(await owner.text('plans', FILE)).toBe('# Newer\n');
  });

  test('leave no file behind when the context cannot be written', async () => {
    const owner = await setUp(version);
    await deletePlan(owner.context, { planId: 'p1' });
    owner.fileSystem.fault = (call, _index, path) =>
      call === 'handle.write' && path.includes('/.context.json.') ? { code: 'ENOSPC' } : null;
    for (const mode of ['replace', 'merge'] as const) await failure(owner.recover(mode), 'io');
    expect(await owner.names('plans')).toEqual([]);
  });

  test('that cannot be brought back do not stand in the way of the rest', async () => {
    const owner = await setUp(version);
    await deletePlan(owner.context, { planId: 'p1' });
    owner.fileSystem.fault = (call, _index, path) =>
      call === 'handle.write' && path.includes('/plans/') ? { code: 'EIO' } : null;
    await owner.recover();
    expect(owner.reports.splice(0)).toHaveLength(1);
    expect(owner.context.snapshot.plans).toMatchObject([{ missing: true }, { missing: true }]);
  });
});

test.each([
  ['damaged', 'replace'],
  ['good', 'replace'],
  ['good', 'merge'],
  ['damaged', 'aside'],
] as const)('whichever call fails, the %s file is there in one place or another (%s)', async (state, way) => {
  let failing = 0;
  for (let failed = true; failed; failing++) {
    const owner = await setUp();
    await mutate(owner.context, (newest) => deleteNote(newest, { noteId: 'n1' }));
    if (state === 'damaged') await owner.damage('damaged');
    const before = await owner.text('context.json');
    failed = false;
    let count = 0;
    owner.fileSystem.fault = (call) => {
      if (call === 'handle.close' || count++ !== failing * 2) return null;
      failed = true;
      return { code: 'EIO' };
    };
    const run = () =>
      recover(owner.context, way === 'aside' ? { backupId: null, mode: 'replace' } : { backupId: owner.id, mode: way });
    const error = await run().then(
      () => null,
      (error: unknown) => error,
    );
    owner.fileSystem.fault = null;
    owner.reports.length = 0;
    if (error !== null) expect(error).toMatchObject({ code: 'io' });
    const texts = await Promise.all(
      (await owner.names()).filter((name) => name.startsWith('context.json')).map((name) => owner.text(name)),
    );
    for (const { id } of await owner.context.backups.list())
      texts.push((await owner.context.backups.read(id)).bytes.toString());
    if (way !== 'merge') expect(texts).toContain(before);
    // The next try does what the first could not, or finds it done.
    await run().catch((error: unknown) => expect(error).toMatchObject({ code: 'invalid' }));
    const document = await owner.context.load({ migrate: always, plans: true });
    expect(document.notes.entries.map(({ view }) => view.id)).toEqual(way === 'aside' ? [] : ['old']);
    if (way === 'merge') expect(document.todos.entries).toHaveLength(2);
  }
  expect(failing).toBeGreaterThan(8);
});
