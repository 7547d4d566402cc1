import { describe, expect, test } from 'vitest';
import { type Layer, withoutFolderSync } from './broken-layers.ts';
import { exploreFolder, type FolderScenario, steps } from './session-trash-folder-explorer.ts';
import { copyNotSynced, folderFirst, folderLast, removedBeforeCopied, untold } from './session-trash-folder-layers.ts';

const TIMEOUT_MS = 120_000;
const { delete: remove, purge, restore } = steps;

const scenarios: readonly FolderScenario[] = [
  { name: 'a chat is deleted with its folder', steps: [remove] },
  { name: 'a chat is deleted with an empty folder', steps: [remove], empty: true },
  { name: 'a chat comes back with its folder', steps: [remove, restore] },
  { name: 'a chat comes back with an empty folder', steps: [remove, restore], empty: true },
  { name: 'a chat is removed for good with its folder', steps: [remove, purge] },
  { name: 'a chat is deleted with its folder on another disk', steps: [remove], apart: true },
  { name: 'a chat comes back with its folder from another disk', steps: [remove, restore], apart: true },
  {
    name: 'a chat comes back with an empty folder from another disk',
    steps: [remove, restore],
    empty: true,
    apart: true,
  },
];

const mistakes: readonly [string, Layer, FolderScenario, RegExp][] = [
  [
    'the folder goes before the journal is there',
    folderFirst,
    { name: 'delete', steps: [remove] },
    /without its folder|not there whole|in the trash twice/,
  ],
  ['the journal says nothing of the folder', untold, { name: 'delete', steps: [remove] }, /its folder is in its place/],
  [
    'the folder comes back after its session',
    folderLast,
    { name: 'restore', steps: [remove, restore] },
    /without its folder/,
  ],
  [
    'a folder is not synced',
    withoutFolderSync,
    { name: 'delete', steps: [remove] },
    /in its place|in part|not trashed|not there whole/,
  ],
  [
    'a copy is not synced',
    copyNotSynced,
    { name: 'delete', steps: [remove], apart: true },
    /not there whole|start leaves|reported|in part/,
  ],
  [
    'a folder is changed on its way to another disk',
    removedBeforeCopied,
    { name: 'delete', steps: [remove], apart: true },
    /not there whole|left over/,
  ],
];

describe('after a crash at any point a chat and its folder are both there, both in the trash, or both gone', () => {
  test.each(scenarios)('$name', { timeout: TIMEOUT_MS }, async (scenario) => {
    const { distinct, violations } = await exploreFolder(scenario);
    expect(violations.join('\n')).toBe('');
    expect(distinct).toBeGreaterThan(10);
  });
});

describe('what is done wrong on purpose is caught', () => {
  test.each(mistakes)('%s', { timeout: TIMEOUT_MS }, async (_name, layer, scenario, expected) => {
    const { violations } = await exploreFolder({ ...scenario, layer }, true);
    expect(violations.join('\n')).toMatch(expected);
  });
});
