import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyContextChange, contextChange } from '../../src/contract/context-change.ts';
import { ContextChange, type ContextSnapshot } from '../../src/contract/entities.ts';

const revision = fc.constantFrom('0000000000000000', '1111111111111111');
const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor'));
const entries = <Entry>(rest: fc.Arbitrary<Entry>) =>
  ids.chain((names) => fc.tuple(...names.map((id) => rest.map((value) => ({ ...value, id })))));
const note = fc.record({
  body: fc.constantFrom('x', 'y'),
  createdAt: fc.nat(2),
  updatedAt: fc.nat(2),
  source: fc.constant('manual' as const),
  revision,
});
const todo = fc.record({ text: fc.constantFrom('x', 'y'), completed: fc.boolean(), createdAt: fc.nat(2), revision });
const plan = fc.record({
  file: fc.constant('a.md'),
  title: fc.constantFrom('x', 'y'),
  createdAt: fc.nat(2),
  revision: fc.option(revision),
  missing: fc.boolean(),
});
const snapshot = (sequence: number): fc.Arbitrary<ContextSnapshot> =>
  fc.record({
    projectId: fc.constant('p1'),
    sequence: fc.constant(sequence),
    revision: fc.option(revision),
    state: fc.constantFrom('present' as const, 'missing' as const),
    version: fc.constantFrom(1, 2),
    readOnly: fc.boolean(),
    todosRevision: revision,
    health: fc.constant([]),
    notices: fc.constant([]),
    notes: entries(note),
    todos: entries(todo),
    plans: entries(plan),
  }) as fc.Arbitrary<ContextSnapshot>;

describe('what changed between two contexts', () => {
  test('turns the first into the second, and holds to the contract', () => {
    fc.assert(
      fc.property(snapshot(4), snapshot(5), (before, after) => {
        const change = contextChange(before, after);
        expect(applyContextChange(before, change)).toEqual(after);
        expect(ContextChange.parse(change)).toEqual(change);
      }),
      { numRuns: 500 },
    );
  });

  test('applied one after the other gives the last', () => {
    fc.assert(
      fc.property(snapshot(1), snapshot(2), snapshot(3), (one, two, three) => {
        const second = applyContextChange(one, contextChange(one, two));
        expect(applyContextChange(second, contextChange(two, three))).toEqual(three);
      }),
    );
  });

  test('standing on nothing holds everything', () => {
    fc.assert(
      fc.property(snapshot(4), snapshot(5), (other, after) => {
        expect(applyContextChange(null, contextChange(null, after))).toEqual(after);
        expect(applyContextChange(other, contextChange(null, after))).toEqual(after);
      }),
    );
  });

  test('costs only what changed', () => {
    fc.assert(
      fc.property(snapshot(4), (before) => {
        const change = contextChange(before, { ...before, sequence: 5 });
        for (const list of [change.notes, change.todos, change.plans]) expect(list).toEqual({ changed: [] });
      }),
    );
  });
});

describe('a change that does not fit', () => {
  test('because one before it was missed asks for the whole', () => {
    fc.assert(
      fc.property(snapshot(1), snapshot(4), snapshot(5), (old, before, after) => {
        expect(applyContextChange(old, contextChange(before, after))).toBeNull();
        expect(applyContextChange(null, contextChange(before, after))).toBeNull();
      }),
    );
  });

  test('because it is contained already changes nothing', () => {
    fc.assert(
      fc.property(snapshot(4), snapshot(5), snapshot(6), (before, after, later) => {
        expect(applyContextChange(later, contextChange(before, after))).toBe(later);
        expect(applyContextChange(after, contextChange(before, after))).toBe(after);
      }),
    );
  });
});
