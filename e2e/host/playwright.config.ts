import { defineConfig } from '@playwright/test';

/** The host's own specs, against a sample app. */
export default defineConfig({
  testDir: 'tests',
  outputDir: '../../test-results/host',
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
});
