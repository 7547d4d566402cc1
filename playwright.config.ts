import { defineConfig } from '@playwright/test';
import { realElectron } from './e2e/launch-app.ts';

const onElectron = realElectron() !== null;

/** One worker: every spec opens real windows and watches real folders, and a machine may have two cores. */
export default defineConfig({
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [['./e2e/report.ts'], ['list']],
  use: { trace: 'retain-on-failure' },
  projects: [
    {
      name: onElectron ? 'electron' : 'host',
      testDir: 'e2e',
      // host-only presses keys that only the host's own controls can press.
      testIgnore: ['**/host/**', '**/electron-only/**', ...(onElectron ? ['**/host-only/**'] : [])],
    },
    // The stand-in for Electron is tested alone, with an application of its own.
    { name: 'host-itself', testDir: 'e2e/host/tests', testMatch: '*.spec.ts' },
    // What only Electron's own binary can show. Where it is missing the project is there and finds nothing to run.
    { name: 'electron-only', testDir: 'e2e/electron-only', testMatch: onElectron ? '*.spec.ts' : [] },
  ],
});
