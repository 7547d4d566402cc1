import { firstVersion, legacy, legacyBeside, littered, rich } from './fixtures.ts';
import { Random } from './random.ts';
import type { Scenario } from './recording.ts';
import { anyStep, notes, others, plans, todos } from './steps.ts';

const nothing = {};

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
];

/** Long runs of chance, the same every time. */
export function chains(count: number, length: number): Scenario[] {
  return Array.from({ length: count }, (_, seed) => {
    const random = new Random(seed);
    const files = random.of([rich, rich, littered, legacyBeside, firstVersion, legacy, nothing]);
    return {
      name: `chance ${seed}`,
      files,
      steps: Array.from({ length }, (_, index) => anyStep(random, index)),
    };
  });
}
