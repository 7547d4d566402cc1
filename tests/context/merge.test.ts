import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/contract/errors.ts';
import { NOW, openMerges, setUpMerge } from './merge-support.ts';
import { failure } from './support.ts';

type Setup = Awaited<ReturnType<typeof setUpMerge>>;

const empty = { version: 2, notes: [], todos: [], plans: [] };
const merged = `a.merged-${NOW}`;

const bodiesOf = async (setup: Setup, id = 'b') =>
  ((await setup.json(`${id}/context.json`)).notes as { body: string }[]).map(({ body }) => body);

/** Two notes, two todos and a plan in `a`. */
async function putSmall(setup: Setup): Promise<void> {
  await setup.put('a/context.json', {
    version: 2,
    notes: [
      { id: 'n1', body: 'one', createdAt: 1, updatedAt: 1 },
      { id: 'n2', body: 'two', createdAt: 2, updatedAt: 2 },
    ],
    todos: [
      { id: 't1', text: 'first' },
      { id: 't2', text: 'second', completed: true },
    ],
    plans: [{ id: 'pA', file: '1700000000-x.md', title: 'A', createdAt: 3 }],
  });
  await setup.put('a/plans/1700000000-x.md', '# A');
}

test('a merge brings everything once, also when it is run again and after a restart; the source stays under a dated name', async () => {
  const setup = await setUpMerge();
  await putSmall(setup);
  await setup.put('a.json', { zeta: 1 });
  await setup.put('b/context.json', empty);
  const before = await setup.tree();
  expect(await setup.merge()).toEqual({ notes: 2, todos: 2, plans: 1 });
  const after = await setup.tree();
  expect(await setup.merge()).toBeNull();
  expect(await openMerges(setup.root).merge()).toBeNull();
  expect(await setup.tree()).toEqual(after);
  const { notes, todos, plans } = await setup.json('b/context.json');
  expect([notes, todos, plans].map((list) => (list as unknown[]).length)).toEqual([2, 2, 1]);
  expect(await setup.text('b/plans/1700000000-x.md')).toBe('# A');
  for (const [name, text] of Object.entries(before)) {
    if (name.startsWith('a/') || name === 'a.json') expect(after[name.replace(/^a/, merged)]).toBe(text);
  }
  expect(Object.keys(after).filter((name) => /^a(\/|\.json)/.test(name))).toEqual([]);
  expect(setup.finished).toEqual([{ from: 'a', to: 'b', path: null }]);
});

test('a project that is not there yet gets everything, and one without data gives nothing', async () => {
  const setup = await setUpMerge();
  await putSmall(setup);
  expect(await setup.merge()).toEqual({ notes: 2, todos: 2, plans: 1 });
  expect(await setup.json('b/context.json')).toMatchObject({ notes: [{ id: 'n1' }, { id: 'n2' }] });
  const before = await setup.tree();
  expect(await setup.merge('nothing', 'b')).toBeNull();
  expect(await setup.merge('nothing', 'nowhere')).toBeNull();
  expect(await setup.tree()).toEqual(before);
});

test('two plans with one file name both open with their own text; the newer body keeps the id; a ticked todo stays ticked', async () => {
  const setup = await setUpMerge();
  const file = '1700000000-x.md';
  await setup.put('a/context.json', {
    version: 2,
    notes: [{ id: 'n1', body: 'newer', updatedAt: 9 }],
    todos: [{ id: 't1', text: 't', completed: true }],
    plans: [{ id: 'pA', file, title: 'A' }],
  });
  await setup.put(`a/plans/${file}`, '# A');
  await setup.put('b/context.json', {
    version: 2,
    notes: [{ id: 'n1', body: 'older', updatedAt: 1 }],
    todos: [{ id: 't1', text: 't', completed: false }],
    plans: [{ id: 'pB', file, title: 'B' }],
  });
  await setup.put(`b/plans/${file}`, '# B');
  await setup.merge();
  const { notes, todos, plans } = await setup.json('b/context.json');
  expect(notes).toMatchObject([{ id: 'n1', body: 'newer' }, { body: 'older' }]);
  expect(todos).toEqual([{ id: 't1', text: 't', completed: true }]);
  expect(plans).toMatchObject([
    { id: 'pB', file },
    { id: 'pA', file: '1700000000-x-1.md' },
  ]);
  expect(await setup.text('b/plans/1700000000-x-1.md')).toBe('# A');
  expect(await setup.text(`b/plans/${file}`)).toBe('# B');
  expect(setup.context('b').snapshot.plans.map(({ title, missing }) => [title, missing])).toEqual([
    ['B', false],
    ['A', false],
  ]);
});

describe('plan files', () => {
  const link = (id: string, file = 'x.md') => ({ ...empty, plans: [{ id, file, title: id, createdAt: 1 }] });

  test('the same plan with the same text is there once; with another text it is there twice', async () => {
    for (const [text, files] of [
      ['# Same', ['x.md']],
      ['# Other', ['x-1.md', 'x.md']],
    ] as const) {
      const setup = await setUpMerge();
      await setup.put('a/context.json', link('p'));
      await setup.put('a/plans/x.md', text);
      await setup.put('b/context.json', link('p'));
      await setup.put('b/plans/x.md', '# Same');
      await setup.merge();
      expect(await readdir(setup.path('b', 'plans'))).toEqual([...files]);
      expect((await setup.json('b/context.json')).plans).toHaveLength(files.length);
    }
  });

  test('equal text under another id is another plan with a file of its own', async () => {
    const setup = await setUpMerge();
    await setup.put('a/context.json', link('pA'));
    await setup.put('a/plans/x.md', '# X');
    await setup.put('b/context.json', link('pB'));
    await setup.put('b/plans/x.md', '# X');
    await setup.merge();
    expect((await setup.json('b/context.json')).plans).toMatchObject([
      { id: 'pB', file: 'x.md' },
      { id: 'pA', file: 'x-1.md' },
    ]);
  });

  test('that no link names come along; what is no plan stays behind, and that is told', async () => {
    const setup = await setUpMerge();
    await setup.put('a/context.json', empty);
    await setup.put('a/plans/unlisted.md', '# U');
    await setup.put('a/plans/X.md', '# X');
    await setup.put('a/plans/picture.png', 'png');
    await mkdir(setup.path('a', 'plans', 'folder.md'));
    await setup.put('b/plans/x.md', '# lower');
    await setup.merge();
    expect(await setup.text('b/plans/unlisted.md')).toBe('# U');
    // Some disks take both names for one file.
    expect(await setup.text('b/plans/X-1.md')).toBe('# X');
    expect(await setup.json('b/.sidekeep/merge-log.json')).toEqual({
      version: 1,
      left: [
        { at: NOW, what: 'plans/folder.md', reason: 'unknown-file' },
        { at: NOW, what: 'plans/picture.png', reason: 'unknown-file' },
      ],
    });
    expect(setup.context('b').snapshot.notices).toMatchObject([{ kind: 'merge', at: NOW, count: 2 }]);
    expect(await setup.text(`${merged}/plans/picture.png`)).toBe('png');
  });

  test('that are gone leave their link, which never comes to name another plan', async () => {
    const setup = await setUpMerge();
    await setup.put('a/context.json', link('gone'));
    await setup.put('b/context.json', link('here'));
    await setup.put('b/plans/x.md', '# Here');
    await setup.merge();
    expect(setup.context('b').snapshot.plans).toMatchObject([
      { id: 'here', file: 'x.md', missing: false },
      { id: 'gone', file: 'x-1.md', missing: true },
    ]);
  });

  test('never take the name that a link of the destination waits for', async () => {
    const setup = await setUpMerge();
    await setup.put('a/context.json', link('coming'));
    await setup.put('a/plans/x.md', '# Coming');
    await setup.put('b/context.json', link('gone'));
    await setup.merge();
    expect(setup.context('b').snapshot.plans).toMatchObject([
      { id: 'gone', file: 'x.md', missing: true },
      { id: 'coming', file: 'x-1.md', title: 'Coming' },
    ]);
  });
});

describe('older forms', () => {
  test('a version-1 text becomes a note beside the list of the other side; an empty one adds nothing', async () => {
    const text = { version: 1, notes: 'line1\nline2', todos: [], plans: [] };
    const list = { ...empty, notes: [{ id: 'n1', body: 'one' }] };
    for (const [here, there] of [
      [list, text],
      [text, list],
    ]) {
      const setup = await setUpMerge();
      await setup.put('a/context.json', there);
      await setup.put('b/context.json', here);
      await setup.merge();
      expect((await bodiesOf(setup)).sort()).toEqual(['line1\nline2', 'one']);
    }
    const setup = await setUpMerge();
    await setup.put('a/context.json', { ...text, notes: '' });
    await setup.put('b/context.json', list);
    expect(await setup.merge()).toMatchObject({ notes: 0 });
    expect(await bodiesOf(setup)).toEqual(['one']);
  });

  test('legacy keys of either side are moved in first', async () => {
    for (const [legacy, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const setup = await setUpMerge();
      await setup.put(`${legacy}.json`, { zeta: 1, projectNotes: 'old text', projectTodos: [{ id: 't', text: 'T' }] });
      await setup.put(`${other}/context.json`, { ...empty, notes: [{ id: 'n', body: 'list' }] });
      await setup.merge();
      expect((await bodiesOf(setup)).sort()).toEqual(['list', 'old text']);
      expect((await setup.json('b/context.json')).todos).toMatchObject([{ id: 't' }]);
      expect(await setup.json('b.json')).toEqual({ zeta: 1 });
    }
  });

  // openchamber/openchamber#1203
  test('a link to a plan in a neighbour with a longer name is read there, and that file stays', async () => {
    const setup = await setUpMerge();
    await setup.put('proj/plans/x.md', '# X');
    await setup.put('proj-old/plans/y.md', '# Y');
    await setup.put('proj.json', {
      projectPlanFiles: [
        { id: 'x', path: setup.path('proj', 'plans', 'x.md') },
        { id: 'y', path: setup.path('proj-old', 'plans', 'y.md') },
      ],
    });
    await setup.merge('proj', 'p2');
    expect(setup.context('p2').snapshot.plans).toMatchObject([
      { id: 'x', file: 'x.md', title: 'X' },
      { id: 'y', file: 'y.md', title: 'Y' },
    ]);
    expect(await setup.text('proj-old/plans/y.md')).toBe('# Y');
    expect(Object.keys(await setup.tree()).filter((name) => name.startsWith('p2-'))).toEqual([]);
  });

  test('links that have to wait come behind those of the destination', async () => {
    const setup = await setUpMerge();
    const outside = (name: string) => ({ id: name, path: setup.path('..', `${name}.md`) });
    for (const name of ['one', 'two']) await writeFile(outside(name).path, '# O');
    await setup.put('a.json', { projectPlanFiles: [outside('one')] });
    await setup.put('b.json', { projectPlanFiles: [outside('two')] });
    await setup.merge();
    expect(await setup.json('b.json')).toEqual({ projectPlanFiles: [outside('two'), outside('one')] });
  });
});

test('over a limit everything stays', async () => {
  const setup = await setUpMerge();
  const many = (prefix: string, count: number) =>
    Array.from({ length: count }, (_value, index) => ({ id: `${prefix}${index}`, body: 'x', createdAt: index }));
  await setup.put('a/context.json', { ...empty, notes: many('old', 150) });
  await setup.put('b/context.json', { ...empty, notes: many('new', 100) });
  expect(await setup.merge()).toEqual({ notes: 150, todos: 0, plans: 0 });
  expect(setup.context('b').snapshot.notes).toHaveLength(250);
});

describe('the client’s settings', () => {
  test('of the destination win; what only the source has is added; another value is told', async () => {
    const setup = await setUpMerge();
    await setup.put('a.json', { version: 7, zeta: 1, nested: { b: 1, a: 2 }, scheduledTasks: [{ id: 1 }] });
    await setup.put('b.json', { version: 8, scheduledTasks: [], nested: { b: 1, a: 2 } });
    await setup.merge();
    expect(await setup.text('b.json')).toBe(
      JSON.stringify({ version: 8, scheduledTasks: [], nested: { b: 1, a: 2 }, zeta: 1 }, null, 2),
    );
    expect((await setup.json('b/.sidekeep/merge-log.json')).left).toEqual([
      { at: NOW, what: 'scheduledTasks', reason: 'setting' },
    ]);
    expect(await setup.json(`${merged}.json`)).toMatchObject({ scheduledTasks: [{ id: 1 }] });
  });

  test('follow a plan file into the folder of the destination', async () => {
    const setup = await setUpMerge();
    const path = setup.path('a', 'plans', 'x.md');
    // A folder in its place cannot be read as a plan, now or later.
    await mkdir(path, { recursive: true });
    await setup.put('a.json', { projectPlanFiles: [{ id: 'x', path }] });
    await setup.merge();
    expect(await setup.json('b.json')).toEqual({
      projectPlanFiles: [{ id: 'x', path: setup.path('b', 'plans', 'x.md') }],
    });
  });
});

describe('memory', () => {
  const entry = (id: string, body: string, updatedAt: number) => ({ id, title: body, body, createdAt: 1, updatedAt });
  const memory = (...entries: unknown[]) => ({ version: 1, entries });
  const kept = (id: string, body: string, replacedAt: number, hash: string) => ({
    version: 1,
    versions: { [id]: [{ title: body, body, replacedAt }] },
    allowed: { [hash]: { by: 'me', at: 1 } },
  });

  test('goes along where the destination has none, byte for byte, with what is kept of it', async () => {
    const setup = await setUpMerge();
    await setup.put('a/memory.json', memory(1, entry('m', 'one', 2)));
    await setup.put('a/.sidekeep/memory.json', kept('m', 'before', 5, 'aa'));
    await setup.merge();
    expect(await setup.json('b/memory.json')).toEqual(memory(1, entry('m', 'one', 2)));
    expect(await setup.json('b/.sidekeep/memory.json')).toEqual(kept('m', 'before', 5, 'aa'));
  });

  test('is united entry by entry: the later text keeps the id, the other stays under a new one', async () => {
    const setup = await setUpMerge();
    await setup.put('a/memory.json', { ...memory(7, entry('m', 'later', 9), entry('n', 'only here', 1)), extra: true });
    await setup.put('b/memory.json', memory(entry('m', 'earlier', 3), entry('o', 'there', 1)));
    await setup.put('a/.sidekeep/memory.json', kept('m', 'a before', 5, 'aa'));
    await setup.put('b/.sidekeep/memory.json', kept('m', 'b before', 8, 'bb'));
    await setup.merge();
    const { entries, ...others } = await setup.json('b/memory.json');
    expect(others).toEqual({ version: 1, extra: true });
    expect(entries).toEqual([
      entry('m', 'later', 9),
      { ...entry('m', 'earlier', 3), id: expect.stringMatching(/^memory_[0-9a-f]{16}$/) },
      entry('o', 'there', 1),
      7,
      entry('n', 'only here', 1),
    ]);
    expect(await setup.json('b/.sidekeep/memory.json')).toEqual({
      version: 1,
      versions: {
        m: [
          { title: 'b before', body: 'b before', replacedAt: 8 },
          { title: 'a before', body: 'a before', replacedAt: 5 },
        ],
      },
      allowed: { aa: { by: 'me', at: 1 }, bb: { by: 'me', at: 1 } },
    });
    expect(await setup.json(`a.merged-${NOW}/memory.json`)).toMatchObject({ extra: true });
  });

  test('loses nothing over a limit, and the same again changes nothing', async () => {
    const setup = await setUpMerge();
    const many = (side: string) =>
      Array.from({ length: 150 }, (_, index) => entry(`${side}${index}`, `${side} ${index}`, index));
    await setup.put('a/memory.json', memory(...many('a')));
    await setup.put('b/memory.json', memory(...many('b')));
    await setup.merge();
    const merged = await setup.json('b/memory.json');
    expect(merged.entries).toEqual([...many('b'), ...many('a')]);
    await setup.put('a/memory.json', memory(...many('a')));
    await setup.merge();
    expect(await setup.json('b/memory.json')).toEqual(merged);
  });

  test.each([
    ['damaged', '{"version":1,"entries":['],
    ['of a newer version', JSON.stringify({ version: 2, entries: [] })],
  ])('that is %s on one side is kept beside the other under a dated name, and that is told', async (_what, text) => {
    for (const [a, b] of [
      [text, '{"version":1,"entries":[]}'],
      ['{"version":1,"entries":[2]}', text],
    ] as const) {
      const setup = await setUpMerge();
      await setup.put('a/memory.json', a);
      await setup.put('b/memory.json', b);
      await setup.merge();
      expect(await readFile(setup.path('b', 'memory.json'), 'utf8')).toBe(b);
      expect(await readFile(setup.path('b', `memory.merged-${NOW}.json`), 'utf8')).toBe(a);
      const { left } = await setup.json('b/.sidekeep/merge-log.json');
      expect(left).toEqual([{ at: NOW, what: 'memory.json', reason: 'memory' }]);
    }
  });
});

describe('what was deleted, and earlier versions', () => {
  const trash = (file: string) => ({
    version: 1,
    deletedAt: NOW,
    items: [{ kind: 'plan', file, entries: [{ raw: { id: 'd', file }, index: 0, after: null, before: null }] }],
  });

  test('come along, under a free name where theirs is taken', async () => {
    const setup = await setUpMerge();
    const stem = `${NOW}-0123456789ab`;
    await setup.put('a/context.json', empty);
    await setup.put(`a/.sidekeep/trash/${stem}.json`, trash('d.md'));
    await setup.put(`a/.sidekeep/trash/${stem}.0.md`, '# Deleted');
    await setup.put(`a/.sidekeep/trash/${NOW}-00000000000a.json`, trash('e.md'));
    await setup.put(`b/.sidekeep/trash/${stem}.json`, trash('other.md'));
    await setup.put('a/.sidekeep/backups/1700-regular.json', { ...empty, notes: [{ id: 'n', body: 'a' }] });
    await setup.put('b/.sidekeep/backups/1700-regular.json', { ...empty, notes: [{ id: 'n', body: 'b' }] });
    await setup.put('a/.sidekeep/backups/1701-regular.json', empty);
    await setup.merge();
    const names = await readdir(setup.path('b', '.sidekeep', 'trash'));
    expect(names).toHaveLength(4);
    const moved = names.find((name) => name.endsWith('.0.md'))?.slice(0, -5) ?? '';
    expect(moved).toMatch(new RegExp(`^${NOW}-[0-9a-f]{12}$`));
    expect(moved).not.toBe(stem);
    expect(await setup.json(`b/.sidekeep/trash/${moved}.json`)).toEqual(trash('d.md'));
    expect(await setup.text(`b/.sidekeep/trash/${moved}.0.md`)).toBe('# Deleted');
    expect(await setup.json(`b/.sidekeep/trash/${stem}.json`)).toEqual(trash('other.md'));
    const backups = (await readdir(setup.path('b', '.sidekeep', 'backups'))).filter((name) => name.startsWith('17'));
    expect(backups).toEqual(expect.arrayContaining(['1700-regular-1.json', '1700-regular.json', '1701-regular.json']));
    const document = await setup.context('b').load({ migrate: () => false, plans: false });
    expect(await setup.context('b').trash.list(document)).toHaveLength(1);
  });

  test('of a plan that got another name go with that name', async () => {
    const setup = await setUpMerge();
    const link = (id: string) => ({ ...empty, plans: [{ id, file: 'x.md', title: 'T' }] });
    await setup.put('a/context.json', link('pA'));
    await setup.put('a/plans/x.md', '# A');
    await setup.put('b/context.json', link('pB'));
    await setup.put('b/plans/x.md', '# B');
    await setup.put('a/.sidekeep/backups/1700-regular.json', link('pA'));
    await setup.put('a/.sidekeep/backups/plans/x.md/1700-regular.md', '# Early');
    await setup.put('a/.sidekeep/backups/plans/deleted.md/1700-regular.md', '# Deleted');
    await setup.merge();
    expect((await setup.json('b/.sidekeep/backups/1700-regular.json')).plans).toMatchObject([
      { id: 'pA', file: 'x-1.md' },
    ]);
    expect(await setup.text('b/.sidekeep/backups/plans/x-1.md/1700-regular.md')).toBe('# Early');
    expect(await setup.text('b/.sidekeep/backups/plans/deleted.md/1700-regular.md')).toBe('# Deleted');
  });

  test('the document of a deleted plan that a crash left among the plans is not lost to one of that name', async () => {
    const setup = await setUpMerge();
    await setup.put('a/context.json', empty);
    await setup.put(`a/.sidekeep/trash/${NOW}-0123456789ab.json`, trash('x.md'));
    await setup.put('a/plans/x.md', '# Deleted');
    await setup.put('b/plans/x.md', '# B');
    await setup.merge();
    expect(await setup.text(`b/.sidekeep/trash/${NOW}-0123456789ab.0.md`)).toBe('# Deleted');
  });

  test('what earlier merges left is still told, until it was dismissed', async () => {
    const setup = await setUpMerge();
    const left = (at: number) => ({ at, what: `w${at}`, reason: 'setting' });
    await setup.put('a/.sidekeep/merge-log.json', { version: 1, left: [left(1), left(3)], dismissed: 2 });
    await setup.put('b/.sidekeep/merge-log.json', { version: 1, left: [left(5)] });
    await setup.put('a/.sidekeep/migration.json', { version: 1, dropped: [{ at: 1, link: { id: 'gone' } }] });
    await setup.merge();
    expect((await setup.json('b/.sidekeep/merge-log.json')).left).toEqual([left(5), left(3)]);
    expect(await setup.json('b/.sidekeep/migration.json')).toMatchObject({ dropped: [{ link: { id: 'gone' } }] });
  });
});

describe('is refused, with both projects as they were, when', () => {
  const good = { ...empty, notes: [{ id: 'n', body: 'good' }] };

  test.each([
    ['the source is malformed', 'a/context.json', '{', 'malformed'],
    ['the destination is malformed', 'b/context.json', '', 'malformed'],
    ['the settings of the source are malformed', 'a.json', '{', 'malformed'],
    ['the settings of the destination are malformed', 'b.json', '[]', 'malformed'],
    ['the source is of a newer version', 'a/context.json', { version: 3, notes: [] }, 'newer-version'],
    ['the destination is of a newer version', 'b/context.json', { version: 3, notes: [] }, 'newer-version'],
    ['the plans of the destination are a file', 'b/plans', 'x', 'io'],
    ['the plans of the source are a file', 'a/plans', 'x', 'io'],
    ['the trash of the destination is a file', 'b/.sidekeep/trash', 'x', 'io'],
    ['the journal is not one', 'b/.sidekeep/merge.json', { version: 1 }, 'malformed'],
  ] as const)('%s', async (_why, name, content, code) => {
    const setup = await setUpMerge();
    for (const id of ['a', 'b']) await setup.put(`${id}/context.json`, good);
    await setup.put('a.json', { projectNotes: 'legacy' });
    await setup.put(name, content);
    // Older than what may still be being written.
    await utimes(setup.path(name), 1, 1);
    const before = await setup.tree();
    await failure(setup.merge(), code);
    expect(await setup.tree()).toEqual(before);
    setup.reports.splice(0);
  });

  test.each([
    ['b', 'plans'],
    ['a', 'plans'],
    ['b', '.sidekeep'],
    ['b', ''],
    ['a', ''],
  ])('a link stands at %s/%s', async (id, name) => {
    const setup = await setUpMerge();
    for (const one of ['a', 'b']) await setup.put(`${one}/context.json`, good);
    const path = setup.path(id, name);
    await mkdir(setup.path('..', 'elsewhere'));
    if (name === '') await rename(path, setup.path('..', 'elsewhere', 'moved'));
    await symlink(setup.path('..', 'elsewhere', name === '' ? 'moved' : ''), path.replace(/\/$/, ''));
    const before = await setup.tree();
    expect((await failure(setup.merge(), 'io')).detail).toMatchObject({ reason: 'link' });
    expect(await setup.tree()).toEqual(before);
    setup.reports.splice(0);
  });
});

test('what another program writes into the source meanwhile comes along as well', async () => {
  const setup = await setUpMerge();
  await putSmall(setup);
  let late = 1;
  const context = setup.context('b');
  const load = context.load.bind(context);
  context.load = async (options) => {
    if (options.plans && late-- > 0) {
      await setup.put('a/context.json', { ...empty, notes: [{ id: 'late', body: 'late' }] });
      await setup.put('a/plans/late.md', '# Late');
    }
    return load(options);
  };
  expect(await setup.merge()).toMatchObject({ notes: 3 });
  expect(await bodiesOf(setup)).toEqual(['one', 'two', 'late']);
  expect(await setup.text('b/plans/late.md')).toBe('# Late');
});

test('a project with a very long id is put aside under a name that a disk takes', async () => {
  const setup = await setUpMerge();
  const long = `path_${'x'.repeat(244)}`;
  await setup.put(`${long}/context.json`, { ...empty, notes: [{ id: 'n', body: 'b' }] });
  await setup.put(`${long}.json`, { zeta: 1 });
  await setup.merge(long, 'b');
  expect(
    (await readdir(setup.path()))
      .filter((name) => name.startsWith('path_'))
      .every((name) => /\.merged-\d+(\.json)?$/.test(name)),
  ).toBe(true);
  expect(await setup.json('b.json')).toEqual({ zeta: 1 });
});

describe('an open merge', () => {
  test('of another pair is finished before a new one; one whose source went elsewhere is not begun', async () => {
    const setup = await setUpMerge();
    await putSmall(setup);
    await failure(
      setup.merges.merge({ from: 'a', to: 'b', path: '/x' }, () => Promise.reject(systemFailure())),
      'io',
    );
    const again = openMerges(setup.root);
    await failure(again.merge('a', 'c'), 'not-found');
    expect(again.finished).toEqual([{ from: 'a', to: 'b', path: '/x' }]);
    expect(await bodiesOf(setup)).toEqual(['one', 'two']);
    expect(await again.merge('b', 'c')).toEqual({ notes: 2, todos: 2, plans: 1 });
    expect(await readdir(setup.path())).not.toContain('b');
  });

  test('is finished before its projects are written, once, however many ask', async () => {
    const setup = await setUpMerge();
    await putSmall(setup);
    await failure(
      setup.merges.merge({ from: 'a', to: 'b', path: null }, () => Promise.reject(systemFailure())),
      'io',
    );
    await Promise.all(['a', 'b', 'a', 'other'].map((id) => setup.merges.ensureFinished(id)));
    expect(setup.finished).toEqual([{ from: 'a', to: 'b', path: null }]);
    expect(await readdir(setup.path('b', '.sidekeep'))).not.toContain('merge.json');
  });

  test('whose source was taken away meanwhile is closed', async () => {
    const setup = await setUpMerge();
    await putSmall(setup);
    await failure(
      setup.merges.merge({ from: 'a', to: 'b', path: null }, () => Promise.reject(systemFailure())),
      'io',
    );
    await rm(setup.path(merged), { recursive: true });
    const again = openMerges(setup.root);
    await again.merges.resume();
    expect(again.reports).toEqual([]);
    expect(await readdir(setup.path('b', '.sidekeep'))).not.toContain('merge.json');
  });

  test('does not take what was made under the old id after it was put aside', async () => {
    const setup = await setUpMerge();
    await putSmall(setup);
    await failure(
      setup.merges.merge({ from: 'a', to: 'b', path: null }, () => Promise.reject(systemFailure())),
      'io',
    );
    await setup.put('a/context.json', { ...empty, notes: [{ id: 'new', body: 'new' }] });
    const again = openMerges(setup.root);
    await again.merges.resume();
    expect(again.reports).toEqual([]);
    expect(await bodiesOf(setup, 'a')).toEqual(['new']);
    expect(await bodiesOf(setup)).toEqual(['one', 'two']);
  });
});

function systemFailure(): Error {
  return new Failure('io', 'The settings could not be saved.');
}
