import { test as base, expect, type Page } from '@playwright/test';
import { type LaunchOptions, launchApp, type RunningApp, removeFolder } from './launch-app.ts';

interface Fixtures {
  /** Starts the program; it ends with the test, and its data folder goes with it, whoever made it. */
  launch(options?: LaunchOptions): Promise<RunningApp>;
  /** Errors that a page showed and that the test expects; all others fail it. */
  expectedPageErrors: RegExp[];
}

/**
 * The program as a fixture. A test fails when a page breaks the content security policy, throws, or logs an error, and
 * when the main process reports a bug of its own.
 */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures of a fixture from this pattern.
  expectedPageErrors: async ({}, use) => use([]),
  launch: async ({ expectedPageErrors }, use) => {
    const running: RunningApp[] = [];
    const problems: string[] = [];
    await use(async (options) => {
      const app = await launchApp(options);
      running.push(app);
      for (const page of [app.sidebar, app.miniChat]) watchPage(page, problems);
      return app;
    });
    for (const app of running) {
      await app.quit();
      if (/Uncaught|breaks the contract|does not declare|UnhandledPromiseRejection/.test(app.errors())) {
        problems.push(app.errors());
      }
    }
    // Only now: a hook of a spec runs while the program still does, which would write into the folder again.
    for (const { dataFolder } of running) removeFolder(dataFolder);
    expect(problems.filter((problem) => !expectedPageErrors.some((pattern) => pattern.test(problem)))).toEqual([]);
  },
});

export { expect };

function watchPage(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`);
  });
}
