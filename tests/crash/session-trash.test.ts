import { describe, expect, test } from 'vitest';
import { type Layer, withoutFileSync, withoutFolderSync } from './broken-layers.ts';
import { exploreTrash, steps, type TrashScenario } from './session-trash-explorer.ts';
import { markerFirst, removedInPlace, transcriptFirst, withoutJournal } from './session-trash-layers.ts';

const TIMEOUT_MS = 120_000;
const { delete: remove, purge, repair, restore, whenFree } = steps;

const scenarios: readonly TrashScenario[] = [
  { name: 'a session is deleted', steps: [remove] },
  { name: 'a session is to be deleted when it is free', steps: [whenFree], held: true },
  { name: 'a session comes back', steps: [remove, restore] },
  { name: 'a session is removed for good', steps: [remove, purge] },
  { name: 'what is left of a session is repaired', steps: [repair], without: ['s.jsonl'] },
  { name: 'a session is deleted again', steps: [remove, restore, remove] },
];

const mistakes: readonly [string, Layer, TrashScenario, RegExp][] = [
  ['a session is moved without a journal', withoutJournal, { name: 'delete', steps: [remove] }, /in half|still there/],
  ['a session is shown before it is moved', markerFirst, { name: 'delete', steps: [remove] }, /in half|still there/],
  ['a folder is not synced', withoutFolderSync, { name: 'delete', steps: [remove] }, /in part|not trashed/],
  ['a file is not synced', withoutFileSync, { name: 'delete', steps: [remove] }, /left over|the start leaves|reported/],
  ['the transcript comes back first', transcriptFirst, { name: 'restore', steps: [remove, restore] }, /in half/],
  ['an entry is emptied where it is', removedInPlace, { name: 'purge', steps: [remove, purge] }, /in part/],
];

describe('after a crash at any point a session is wholly in the list, wholly in the trash, or gone', () => {
  test.each(scenarios)('$name', { timeout: TIMEOUT_MS }, async (scenario) => {
    const { distinct, violations } = await exploreTrash(scenario);
    expect(violations.join('\n')).toBe('');
    expect(distinct).toBeGreaterThan(10);
  });
});

describe('what is done wrong on purpose is caught', () => {
  test.each(mistakes)('%s', { timeout: TIMEOUT_MS }, async (_name, layer, scenario, expected) => {
    const { violations } = await exploreTrash({ ...scenario, layer }, true);
    expect(violations.join('\n')).toMatch(expected);
  });
});
