import { describe, expect, test } from 'vitest';
import { explore } from './explorer.ts';
import type { Scenario } from './recording.ts';
import { backups, chains, merges, migrations, mutations, restores, together } from './scenarios.ts';

/** How many different disks have to be looked at. */
const LEAST = 20_000;
const TIMEOUT_MS = 120_000;

let distinct = 0;
let checked = 0;

async function explored(scenario: Scenario, deep?: number): Promise<void> {
  const found = await explore(scenario, deep === undefined ? {} : { deep });
  distinct += found.distinct;
  checked += found.checked;
  expect(found.violations.join('\n')).toBe('');
  expect(found.distinct, 'the scenario must be one that writes').toBeGreaterThan(1);
}

describe('after a crash at any point, and whatever the disk lost', () => {
  test.each(mutations)('$name', { timeout: TIMEOUT_MS }, (scenario) => explored(scenario));
  test.each(migrations)('$name', { timeout: TIMEOUT_MS }, (scenario) => explored(scenario));
  test.each(restores)('$name', { timeout: TIMEOUT_MS }, (scenario) => explored(scenario));
  test.each(backups)('$name', { timeout: TIMEOUT_MS }, (scenario) => explored(scenario));
  // Each of these is finished at the next start, which takes long.
  test.each(merges)('$name', { timeout: TIMEOUT_MS }, (scenario) => explored(scenario, 120));
  test.each(together)('$name', { timeout: TIMEOUT_MS }, (scenario) => explored(scenario));
  test.each(chains(95, 7))('$name', { timeout: TIMEOUT_MS }, (scenario) => explored(scenario));

  test(`at least ${LEAST} disks were looked at`, () => {
    console.info(`Crash explorer: ${distinct} different disks, ${checked} looked at.`);
    expect(distinct).toBeGreaterThanOrEqual(LEAST);
  });
});
