import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { hostDescription, launchApp } from '../e2e/launch-app.ts';
import { buildApplication } from '../scripts/build-application.ts';
import type { Bar } from './benchmark.ts';
import { measureInTurn, ratioBar } from './context-pairs.ts';
import { withFolder } from './context-rig.ts';
import { writeSessions } from './sessions-list.ts';

const sessions = 10_000;
const rounds = 7;
const bar = 1.2;

/** From the start of the program to a sidebar that takes what is typed: with many sessions, and with none. */
export const measureStart = async (print: (line: string) => void): Promise<Bar[]> => {
  await buildApplication();
  print(`Windows: ${hostDescription()}`);
  return withFolder(print, async (folder) => {
    const full = path.join(folder, 'full');
    const empty = path.join(folder, 'empty');
    await writeSessions(path.join(full, 'sessions'), sessions, 1800);
    mkdirSync(path.join(empty, 'sessions', 'sessions'), { recursive: true });
    const first = (data: string) => (): Promise<number> => {
      rmSync(path.join(data, 'app', 'cache'), { recursive: true, force: true });
      return start(data);
    };
    const again = (data: string) => (): Promise<number> => start(data);
    const without = await measureInTurn({ rounds, warmUp: 1 }, first(full), first(empty));
    const known = await measureInTurn({ rounds, warmUp: 1 }, again(full), again(empty));
    const promise = (what: string): string =>
      `the sidebar takes what is typed, ${what} ${sessions} sessions, in at most ${bar} times what an empty start takes`;
    const rest = { names: [`${sessions} sessions`, 'none'], unit: 'ms', bound: { atMost: bar } } as const;
    return [
      ratioBar({ promise: promise('at the first start with'), samples: without, ...rest }),
      ratioBar({ promise: promise('at a later start with'), samples: known, ...rest }),
    ];
  });
};

/** Starts the program once and ends it again. @returns Ms until a letter that was typed stood in the sidebar. */
const start = async (dataFolder: string): Promise<number> => {
  const began = performance.now();
  const app = await launchApp({ dataFolder });
  try {
    const filter = app.sidebar.getByRole('navigation').getByRole('textbox').first();
    await filter.pressSequentially('a');
    await app.sidebar.waitForFunction(() => {
      const { activeElement } = document;
      return activeElement instanceof HTMLInputElement && activeElement.value === 'a';
    });
    const took = performance.now() - began;
    const expected = path.basename(dataFolder) === 'full' ? sessions : 0;
    await listed(app.sidebar, expected);
    return took;
  } finally {
    await app.quit();
  }
};

/** Waits until so many sessions are listed. @throws Error when there are others: the numbers would be of something else. */
const listed = async (page: Page, expected: number): Promise<void> => {
  const end = Date.now() + 60_000;
  for (;;) {
    const total = await page.evaluate(async () => {
      type Answer = { ok: true; value: { total: number } } | { ok: false; error: { message: string } };
      const bridge = globalThis as unknown as { sidekeep: { sessions: { list(input: object): Promise<Answer> } } };
      const answer = await bridge.sidekeep.sessions.list({ ownerId: null, limit: 1 });
      if (!answer.ok) throw new Error(answer.error.message);
      return answer.value.total;
    });
    if (total === expected) return;
    if (Date.now() > end) throw new Error(`${total} sessions are listed, not ${expected}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
