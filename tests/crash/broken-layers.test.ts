import { describe, expect, test } from 'vitest';
import {
  inPlace,
  journalFirst,
  type Layer,
  legacyKeysFirst,
  manifestBeforeMarkdown,
  markdownBeforeManifest,
  withoutFileSync,
  withoutFolderSync,
} from './broken-layers.ts';
import { explore } from './explorer.ts';
import { legacy, pair, rich } from './fixtures.ts';
import type { Scenario } from './recording.ts';
import { notes, others, plans, todos } from './steps.ts';

const change: Scenario = { name: 'a note is changed', files: rich, steps: [notes.update(0, 'changed')] };
const creation: Scenario = { name: 'a plan is made', files: rich, steps: [plans.create('Gamma', 'text')] };
const planChange: Scenario = { name: 'a plan is changed', files: rich, steps: [plans.update(1, '# Alpha\n\nnew')] };
const deletion: Scenario = { name: 'a plan is deleted', files: rich, steps: [plans.delete(1)] };
const clearing: Scenario = { name: 'todos are cleared', files: rich, steps: [todos.clearCompleted()] };
const migration: Scenario = { name: 'older data moves in', files: legacy, steps: [others.get()] };
const merge: Scenario = {
  name: 'two owners become one',
  files: pair,
  program: { owners: ['a', 'b'], resumes: true },
  steps: [others.merge('a', 'b')],
};

const mistakes: [string, Layer, Scenario, RegExp][] = [
  ['a file is not synced', withoutFileSync, change, /context\.json is torn/],
  ['a plan is not synced', withoutFileSync, planChange, /alpha\.md is torn/],
  ['a folder is not synced', withoutFolderSync, change, /not what was acknowledged/],
  ['a folder is not synced after a delete', withoutFolderSync, clearing, /neither before the call|acknowledged/],
  ['a file is written in place', inPlace, change, /context\.json is torn/],
  ['a plan is written in place', inPlace, planChange, /alpha\.md is torn/],
  ['a plan is linked before it is there', manifestBeforeMarkdown, creation, /neither before the call.*"missing":true/s],
  ['a plan is gone before its link', markdownBeforeManifest, deletion, /neither before the call.*"missing":true/s],
  ['older data is removed before it arrived', legacyKeysFirst, migration, /neither before the call/],
  ['the journal of a merge goes first', journalFirst, merge, /neither before the call|keeps/],
];

describe('the explorer catches what is done wrong on purpose', () => {
  test.each(mistakes)(
    '%s',
    async (_name, layer, scenario, expected) => {
      const found = await explore({ ...scenario, layer }, { first: true, deep: 0 });
      expect(found.violations.join('\n')).toMatch(expected);
    },
    120_000,
  );

  test.each(mistakes)(
    'and nothing is wrong without it: %s',
    async (_name, _layer, scenario) => {
      const found = await explore(scenario, { deep: 0 });
      expect(found.violations).toEqual([]);
    },
    120_000,
  );
});
