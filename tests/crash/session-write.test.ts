import { describe, expect, test } from 'vitest';
import { exploreWrites } from './session-write-explorer.ts';
import {
  checkpointBeforeLog,
  cutBeforeSalvage,
  withoutFolderSync,
  withoutLogSync,
  withoutMarker,
  withoutSalvageSync,
} from './session-write-layers.ts';
import type { WriteLayer, WriteScenario } from './session-write-recording.ts';
import { existing, fragment, torn, writeScenarios } from './session-write-scenarios.ts';

/** How many different disks have to be looked at. */
const LEAST = 1000;
const TIMEOUT_MS = 120_000;
let distinct = 0;

describe('after a crash at any point, and whatever the disk lost of what was written to sessions', () => {
  test.each(writeScenarios)('$name', { timeout: TIMEOUT_MS }, async (scenario) => {
    const found = await exploreWrites(scenario);
    distinct += found.distinct;
    expect(found.violations.join('\n')).toBe('');
    expect(found.distinct, 'the scenario must be one that writes').toBeGreaterThan(5);
  });

  test(`at least ${LEAST} disks were looked at`, () => {
    console.info(`Crash explorer, writing sessions: ${distinct} different disks.`);
    expect(distinct).toBeGreaterThanOrEqual(LEAST);
  });
});

const named = (name: string): WriteScenario => {
  const found = writeScenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`no scenario is called ${name}`);
  return found;
};
const goodEnd = Buffer.byteLength(torn.files[`${existing}.events.jsonl`] ?? '') - fragment.length;

const mistakes: [string, WriteLayer, WriteScenario, RegExp][] = [
  ['the log is not synced', withoutLogSync, named('a message'), /was acknowledged, and is gone/],
  [
    'the log of several at once is not synced',
    withoutLogSync,
    named('messages at once'),
    /was acknowledged, and is gone/,
  ],
  ['the transcript is ahead of the log', checkpointBeforeLog, named('a message'), /has what its log lacks/],
  ['a torn end is cut before it is set aside', cutBeforeSalvage(goodEnd), named('a torn end'), /lost: /],
  ['what is set aside is not synced', withoutSalvageSync, named('a torn end'), /lost: /],
  [
    'a half-made copy is not marked',
    withoutMarker,
    named('a copy is made and gone on with'),
    /half a copy is left unmarked/,
  ],
  [
    'the folder of a new session is not synced',
    withoutFolderSync,
    named('a session is made'),
    /not listed|has no log|details/,
  ],
];

describe('the explorer catches what is done wrong with sessions on purpose', () => {
  test.each(mistakes)('%s', { timeout: TIMEOUT_MS }, async (_name, layer, scenario, expected) => {
    const { violations } = await exploreWrites({ ...scenario, layer }, { first: true });
    expect(violations.join('\n')).toMatch(expected);
  });
});
