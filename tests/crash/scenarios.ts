import {
  damaged,
  damagedText,
  firstVersion,
  legacy,
  legacyBeside,
  legacyPair,
  littered,
  pair,
  rich,
  withEarlier,
} from './fixtures.ts';
import { Random } from './random.ts';
import type { Scenario } from './recording.ts';
import { anyStep, notes, others, plans, returns, todos } from './steps.ts';

const nothing = {};
const bothOwners = { owners: ['a', 'b'], resumes: true };

/** Each mutation of the contract, by itself or with what has to come before it. */
export const mutations: readonly Scenario[] = [
  { name: 'the first note of all', files: nothing, steps: [notes.create('the first')] },
  { name: 'the first todo of all', files: nothing, steps: [todos.add('the first')] },
  { name: 'the first plan of all', files: nothing, steps: [plans.create('First', 'text')] },
  { name: 'a note is added', files: rich, steps: [notes.create('new')] },
  { name: 'a note is added beside litter', files: littered, steps: [notes.create('new'), notes.delete(1)] },
  { name: 'a note is changed', files: rich, steps: [notes.update(1, 'changed')] },
  { name: 'a note is deleted', files: rich, steps: [notes.delete(0), notes.delete(0)] },
  { name: 'the text of a first version is changed', files: firstVersion, steps: [notes.update(0, 'changed')] },
  { name: 'the text of a first version is deleted', files: firstVersion, steps: [notes.delete(0)] },
  { name: 'todos are replaced', files: rich, steps: [todos.replace([3, 1], 'new')] },
  { name: 'a todo is added', files: rich, steps: [todos.add('new')] },
  { name: 'a todo is changed', files: rich, steps: [todos.update(2, 'changed'), todos.tick(0)] },
  { name: 'a todo is deleted', files: rich, steps: [todos.delete(1)] },
  { name: 'a todo is moved', files: rich, steps: [todos.move(0, null), todos.move(2, 0)] },
  { name: 'ticked todos are cleared', files: rich, steps: [todos.clearCompleted()] },
  { name: 'a plan is made', files: rich, steps: [plans.create('Gamma', 'text')] },
  { name: 'plans of one name are made', files: rich, steps: [plans.create('X', 'a'), plans.create('X', 'b')] },
  { name: 'a plan is changed', files: rich, steps: [plans.update(1, '# Alpha 2\n\nother text')] },
  { name: 'a long plan is changed', files: rich, steps: [plans.update(0, '# Beta\n\nshort now')] },
  { name: 'a plan is deleted', files: rich, steps: [plans.delete(1)] },
  { name: 'both plans are deleted', files: rich, steps: [plans.delete(0), plans.delete(0)] },
  { name: 'a plan is pinned', files: rich, steps: [plans.setPinned(0, true)] },
];

/** The move of older data, and what comes after it. */
export const migrations: readonly Scenario[] = [
  { name: 'older data moves in', files: legacy, steps: [others.get()] },
  { name: 'older data moves in beside newer', files: legacyBeside, steps: [others.get()] },
  {
    name: 'what moved in is deleted',
    files: legacy,
    steps: [others.get(), notes.delete(0), todos.clearCompleted(), plans.delete(0), others.restart(), others.get()],
  },
  { name: 'older data moves in with a change', files: legacy, steps: [todos.add('new'), notes.delete(0)] },
  { name: 'older data beside newer is changed', files: legacyBeside, steps: [todos.delete(0), notes.delete(1)] },
];

/** What was deleted comes back. */
export const restores: readonly Scenario[] = [
  { name: 'a note comes back', files: rich, steps: [notes.delete(1), returns.restore(0)] },
  { name: 'a todo comes back', files: rich, steps: [todos.delete(1), returns.restore(0)] },
  { name: 'cleared todos come back', files: rich, steps: [todos.clearCompleted(), returns.restore(0)] },
  { name: 'replaced todos come back', files: rich, steps: [todos.replace([0], 'new'), returns.restore(0)] },
  { name: 'a plan comes back', files: rich, steps: [plans.delete(1), returns.restore(0)] },
  {
    name: 'a plan comes back where another has its name',
    files: withEarlier,
    steps: [returns.restore(0), plans.update(0, '# Other\n'), plans.delete(0), others.restart(), returns.restore(0)],
  },
  {
    name: 'a plan is deleted, comes back and is deleted again',
    files: rich,
    steps: [plans.delete(0), returns.restore(0), plans.delete(0), returns.restore(0)],
  },
];

/** Earlier versions are taken, and are gone back to. */
export const backups: readonly Scenario[] = [
  {
    name: 'an earlier version is kept every few minutes',
    files: rich,
    steps: [notes.create('a'), others.wait(6), notes.create('b'), notes.delete(0), others.wait(6), todos.delete(0)],
  },
  {
    name: 'an earlier version of a plan is kept every few minutes',
    files: rich,
    steps: [plans.update(1, '# Alpha\n\nsecond'), others.wait(6), plans.update(1, '# Alpha\n\nthird')],
  },
  {
    name: 'a damaged context is put aside',
    files: damaged,
    steps: [returns.recover(null, 'replace'), notes.create('new')],
    keeps: [damagedText],
  },
  {
    name: 'an earlier version takes the place of a damaged one',
    files: damaged,
    steps: [returns.recover(0, 'replace'), notes.create('new')],
    keeps: [damagedText],
  },
  {
    name: 'an earlier version takes the place of a good one',
    files: withEarlier,
    steps: [returns.recover(0, 'replace'), others.wait(1), returns.recover(0, 'replace')],
    keeps: [withEarlier['projects/p1/context.json']],
  },
  {
    name: 'an earlier version is added to a good one',
    files: withEarlier,
    steps: [returns.recover(0, 'merge'), notes.delete(0)],
  },
  {
    name: 'what was deleted comes back with an earlier version',
    files: rich,
    steps: [others.wait(6), notes.create('a'), plans.delete(0), notes.delete(0), returns.recover(0, 'replace')],
  },
  { name: 'a notice is dismissed', files: legacy, steps: [others.get(), others.dismiss()] },
];

/** One owner becomes part of another. */
export const merges: readonly Scenario[] = [
  {
    name: 'two owners become one',
    files: pair,
    program: bothOwners,
    steps: [others.merge('a', 'b')],
    keeps: Object.entries(pair).flatMap(([path, content]) => (path.startsWith('projects/a/') ? [content] : [])),
  },
  {
    name: 'two owners with older data become one',
    files: legacyPair,
    program: bothOwners,
    steps: [others.merge('a', 'b')],
  },
  {
    name: 'an owner gets another id',
    files: Object.fromEntries(Object.entries(pair).filter(([path]) => path.startsWith('projects/a/'))),
    program: bothOwners,
    steps: [others.merge('a', 'b'), others.merge('a', 'b')],
  },
];

/** Calls side by side. */
export const together: readonly Scenario[] = [
  {
    name: 'notes at once',
    files: rich,
    together: true,
    steps: ['a', 'b', 'c', 'd', 'e'].map((body) => notes.create(body)),
  },
  {
    name: 'everything at once',
    files: rich,
    together: true,
    steps: [notes.create('a'), todos.add('b'), plans.create('C', 'c'), notes.create('d'), plans.create('E', 'e')],
  },
  {
    name: 'deletes at once',
    files: rich,
    together: true,
    steps: [notes.delete(0), todos.delete(1), plans.delete(0), notes.delete(2), todos.delete(3), plans.delete(1)],
  },
  {
    name: 'changes and deletes at once',
    files: rich,
    together: true,
    steps: [
      notes.update(0, 'changed'),
      todos.tick(0),
      plans.update(0, '# Changed\n'),
      notes.delete(1),
      todos.delete(1),
      plans.delete(1),
      notes.create('new'),
    ],
  },
  {
    name: 'changes of older data at once',
    files: legacyBeside,
    together: true,
    steps: [notes.update(0, 'changed'), todos.update(0, 'changed'), notes.create('new'), plans.delete(1)],
  },
];

/** Long runs of chance, the same every time. */
export function chains(count: number, length: number): Scenario[] {
  return Array.from({ length: count }, (_, seed) => {
    const random = new Random(seed);
    const files = random.of([rich, rich, withEarlier, littered, legacyBeside, firstVersion, legacy, nothing]);
    return {
      name: `chance ${seed}`,
      files,
      exchanges: seed % 2 === 1,
      steps: [notes.create('the first'), ...Array.from({ length: length - 1 }, (_, index) => anyStep(random, index))],
    };
  });
}
