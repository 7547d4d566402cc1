/** Time of everything that was there before: 2023. */
const OLD = 1_700_000_000_000;

const longText = `# Beta\n\n${'A line of a longer plan, so that it takes several blocks of a disk.\n'.repeat(70)}`;

/** An owner with notes, todos and plans, with keys and entries that only other programs know. */
export const rich = {
  'projects/p1/context.json': text({
    version: 2,
    theirs: { kept: true },
    notes: [
      { id: 'n1', body: 'first note', createdAt: OLD + 3, updatedAt: OLD + 3, source: 'manual', colour: 'red' },
      { id: 'n2', body: 'second note', createdAt: OLD + 2, updatedAt: OLD + 9, source: 'agent', pinned: true },
      'not a note',
      { id: 'n3', body: 'thïrd nöte 🗒', createdAt: OLD + 1, updatedAt: OLD + 1, source: 'manual' },
    ],
    todos: [
      { id: 't1', text: 'one', completed: false, createdAt: OLD },
      { id: 't2', text: 'two', completed: true, createdAt: OLD, due: 'tomorrow' },
      { id: 't3', text: 'three', completed: false, createdAt: OLD },
      { id: 't4', text: 'four', completed: true, createdAt: OLD },
    ],
    plans: [
      { id: 'b', file: '1700000000001-beta.md', title: 'Beta', createdAt: OLD + 1 },
      { id: 'a', file: '1700000000000-alpha.md', title: 'Alpha', createdAt: OLD, pinned: false },
    ],
  }),
  'projects/p1/plans/1700000000000-alpha.md': '# Alpha\n\nbody\n',
  'projects/p1/plans/1700000000001-beta.md': longText,
  'projects/p1/plans/1700000000002-nobodys.md': '# Nobody links this\n',
};

/** The same with what a crash of an earlier run, and one of another program, left behind. */
export const littered = {
  ...rich,
  'projects/p1/.context.json.999999-0123456789ab.tmp': '{"version":2,"notes":[{"id":"n9","bo',
  'projects/p1/context.json.tmp-999999-1700000000000-abc123': '',
  'projects/p1/plans/.1700000000009-gone.md.999999-0123456789ab.tmp': '# Gone',
};

/** An owner whose notes are still one text. */
export const firstVersion = {
  'projects/p1/context.json': text({
    version: 1,
    notes: 'everything in one text',
    todos: [{ id: 't1', text: 'one', completed: true, createdAt: OLD }],
    plans: [],
  }),
};

const legacyPlans = [
  { id: 'l1', title: 'Here', path: '/elsewhere/1700000000005-here.md', createdAt: OLD + 5 },
  { id: 'l2', title: 'There', path: '/data/projects/p2/plans/there.md', createdAt: OLD + 6 },
  { id: 'l3', title: 'Gone', path: '/data/projects/p2/plans/gone.md', createdAt: OLD + 7 },
];

/** An owner whose data is still in the settings of another program, with a plan in the folder of a second owner. */
export const legacy = {
  'projects/p1.json': text({
    projectNotes: 'notes of old',
    'setup-worktree': ['npm install'],
    projectTodos: [
      { id: 'lt1', text: 'an old todo', completed: true, createdAt: OLD },
      { id: 'lt2', text: 'another', completed: false, createdAt: OLD },
    ],
    projectPlanFiles: legacyPlans,
    scheduledTasks: [],
  }),
  'projects/p1/plans/1700000000005-here.md': '# Here\n\nalready in its place\n',
  'projects/p2/plans/there.md': '# There\n\nto be copied\n',
};

/** An owner with data in both places, some of it the same. */
export const legacyBeside = {
  ...rich,
  'projects/p1.json': text({
    projectNotes: [
      { id: 'n1', body: 'first note', createdAt: OLD + 3, updatedAt: OLD + 3, source: 'manual' },
      { id: 'ln', body: 'a note that came later', createdAt: OLD + 4, updatedAt: OLD + 4, source: 'manual' },
    ],
    projectTodos: [{ id: 't1', text: 'one of old', completed: false, createdAt: OLD }],
    projectPlanFiles: [{ id: 'l2', title: 'There', path: '/data/projects/p2/plans/there.md', createdAt: OLD + 6 }],
    projectActions: [{ id: 'x' }],
  }),
  'projects/p2/plans/there.md': '# There\n\nto be copied\n',
};

/** An earlier version of a context, without what came later, with what went since. */
const earlier = text({
  version: 2,
  notes: [
    { id: 'n0', body: 'a note that is gone since', createdAt: OLD, updatedAt: OLD, source: 'manual' },
    { id: 'n3', body: 'thïrd nöte 🗒', createdAt: OLD + 1, updatedAt: OLD + 1, source: 'manual' },
  ],
  todos: [{ id: 't1', text: 'one', completed: false, createdAt: OLD }],
  plans: [
    { id: 'a', file: '1700000000000-alpha.md', title: 'Alpha', createdAt: OLD },
    { id: 'g', file: '1700000000007-gone.md', title: 'Gone', createdAt: OLD + 7 },
  ],
});

const removed = { id: 'g', file: '1700000000007-gone.md', title: 'Gone', createdAt: OLD + 7 };

/** An owner with an earlier version, of which a plan was deleted since. */
export const withEarlier = {
  ...rich,
  'projects/p1/.sidekeep/backups/1749990000000-regular.json': earlier,
  'projects/p1/.sidekeep/trash/1749990000001-0123456789ab.json': text({
    version: 1,
    deletedAt: 1_749_990_000_001,
    items: [
      { kind: 'plan', entries: [{ raw: removed, index: 1, after: 'a', before: null }], file: '1700000000007-gone.md' },
    ],
  }),
  'projects/p1/.sidekeep/trash/1749990000001-0123456789ab.0.md': '# Gone\n\nits text\n',
};

/** What a program that writes in place may leave when the power goes. */
export const damagedText = `${rich['projects/p1/context.json'].slice(0, 300)}\0\0\0\0`;

/** The same with a context file that cannot be read. */
export const damaged = { ...withEarlier, 'projects/p1/context.json': damagedText };

/** Two owners of which one becomes part of the other; they meet in ids, plan names, trash and earlier versions. */
export const pair = {
  'projects/a/context.json': text({
    version: 2,
    theirs: 1,
    notes: [
      { id: 'n1', body: 'newer', createdAt: OLD, updatedAt: OLD + 9, source: 'manual' },
      { id: 'n2', body: 'only here', createdAt: OLD, updatedAt: OLD, source: 'manual' },
    ],
    todos: [{ id: 't1', text: 'one', completed: true, createdAt: OLD }],
    plans: [
      { id: 'pa', file: 'x.md', title: 'A', createdAt: OLD },
      { id: 'ps', file: 'same.md', title: 'Same', createdAt: OLD },
    ],
  }),
  'projects/a/plans/x.md': '# A\n\nof a\n',
  'projects/a/plans/same.md': '# Same\n',
  'projects/a/memory.json': memoryText('ma', 'of a', OLD + 9),
  'projects/a/.sidekeep/trash/1749990000001-0123456789ab.json': text({
    version: 1,
    deletedAt: 1_749_990_000_001,
    items: [
      {
        kind: 'note',
        entries: [
          {
            raw: { id: 'n9', body: 'deleted before', createdAt: OLD, updatedAt: OLD, source: 'manual' },
            index: 0,
            after: null,
            before: 'n1',
          },
        ],
      },
    ],
  }),
  'projects/a/.sidekeep/backups/1749990000000-regular.json': earlier,
  'projects/b/context.json': text({
    version: 2,
    notes: [{ id: 'n1', body: 'older', createdAt: OLD, updatedAt: OLD, source: 'manual' }],
    todos: [{ id: 't1', text: 'one', completed: false, createdAt: OLD }],
    plans: [
      { id: 'pb', file: 'x.md', title: 'B', createdAt: OLD },
      { id: 'ps', file: 'same.md', title: 'Same', createdAt: OLD },
    ],
  }),
  'projects/b/plans/x.md': '# B\n\nof b\n',
  'projects/b/plans/same.md': '# Same\n',
  'projects/b/memory.json': memoryText('mb', 'of b', OLD),
};

/** The same with settings of another program, which still hold older data. */
export const legacyPair = {
  ...pair,
  'projects/a.json': text({ projectNotes: 'notes of a', only: 'a', both: ['a'] }),
  'projects/b.json': text({
    projectTodos: [{ id: 'lb', text: 'of b', completed: false, createdAt: OLD }],
    both: ['b'],
  }),
};

function memoryText(id: string, body: string, updatedAt: number): string {
  const one = { id, title: body, body, type: 'fact', createdAt: OLD, updatedAt };
  return text({ version: 1, entries: [one, { ...one, id: 'both' }] });
}

function text(value: object): string {
  return JSON.stringify(value, null, 2);
}
