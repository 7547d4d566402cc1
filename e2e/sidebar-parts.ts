import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { projectIdOf } from '../src/context/project-id.ts';
import type { RunningApp } from './launch-app.ts';

/** The project of the sample data that most specs use. */
export const demo = projectIdOf('/home/dev/demo-app');

export interface StoredContext {
  version: 2;
  notes: { id: string; body: string; createdAt: number; updatedAt: number; source: string }[];
  todos: { id: string; text: string; completed: boolean; createdAt: number }[];
  plans: { id: string; file: string; title: string; createdAt: number }[];
}

export const contextFile = (app: { contextRoot: string }, id = demo): string =>
  path.join(app.contextRoot, 'projects', id, 'context.json');

export const planFile = (app: { contextRoot: string }, file: string, id = demo): string =>
  path.join(app.contextRoot, 'projects', id, 'plans', file);

export const readContext = (app: RunningApp, id = demo): StoredContext =>
  JSON.parse(readFileSync(contextFile(app, id), 'utf8')) as StoredContext;

/** Changes a context file as another program would. */
export function changeOutside(app: RunningApp, change: (context: StoredContext) => void, id = demo): void {
  const context = readContext(app, id);
  change(context);
  writeFileSync(contextFile(app, id), JSON.stringify(context));
}

/** Writes a context with these entries before the program starts. */
export function prepareContext(folder: string, entries: Partial<StoredContext>, id = demo): void {
  const file = contextFile({ contextRoot: path.join(folder, 'context') }, id);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ version: 2, notes: [], todos: [], plans: [], ...entries }));
}

export const note = (id: string, body: string) => ({
  id,
  body,
  createdAt: 1_772_000_000_000,
  updatedAt: 1_772_000_000_000,
  source: 'manual',
});

export const todo = (id: string, text: string, completed = false) => ({
  id,
  text,
  completed,
  createdAt: 1_772_000_000_000,
});

/** Opens the sample project and one of its sections. */
export async function openSection(page: Page, section: 'Notes' | 'Todo' | 'Plans', label = 'demo-app'): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: label, exact: true }).click();
  await page.getByRole('tab', { name: section }).click();
}

export const noteRow = (page: Page, text: string): Locator => page.getByRole('article').filter({ hasText: text });
export const todoRow = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

/** Texts of the todos from top to bottom. */
export const todoTexts = (page: Page): Promise<string[]> => page.getByRole('row').locator('.todo-text').allInnerTexts();
