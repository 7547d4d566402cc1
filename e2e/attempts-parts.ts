import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import type { ContextSnapshot } from '../src/contract/index.ts';
import { callBridge } from './bridge.ts';
import type { RunningApp } from './launch-app.ts';
import { contextFile, demo } from './sidebar-parts.ts';
import { expect } from './test.ts';

/** What the specs share that try to make the running program lose something. */

/** Ends the program as a power cut would: at once, without a word to it. */
export async function kill(app: RunningApp): Promise<void> {
  const { pid } = app.electronApplication.process();
  const closed = app.electronApplication.waitForEvent('close');
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  await closed;
}

/** What the main process knows of an owner; the call fails the test when it is refused. */
export async function contextOf(page: Page, projectId = demo): Promise<ContextSnapshot> {
  const answer = await callBridge(page, 'context.get', { projectId });
  expect(answer).toMatchObject({ ok: true });
  return answer.value as unknown as ContextSnapshot;
}

/** The folder in which Sidekeep keeps what was deleted and what was before. */
export const keptFolder = (app: { contextRoot: string }, id = demo): string =>
  path.join(path.dirname(contextFile(app, id)), '.sidekeep');

/** Writes a plan's text before the program starts. */
export function preparePlan(dataFolder: string, file: string, text: string, id = demo): void {
  const folder = path.join(dataFolder, 'context', 'projects', id, 'plans');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, file), text);
}
