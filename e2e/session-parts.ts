import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { SessionDetail, SessionPage, SessionRef, SessionRow } from '../src/contract/index.ts';
import { callBridge } from './bridge.ts';
import type { RunningApp } from './launch-app.ts';
import { composer, show } from './mini-chat-parts.ts';
import { expect } from './test.ts';

/** What the specs of sessions share. */

/** Sessions answer from workers and through a watcher: on a busy machine that takes a while. */
export const patient = { timeout: 30_000 };

export const storeIn = (dataFolder: string): string => path.join(dataFolder, 'sessions', 'sessions');
export const fileOf = (dataFolder: string, id: string, suffix = '.jsonl'): string =>
  path.join(storeIn(dataFolder), `${id}${suffix}`);
export const globalRef = (id: string): SessionRef => ({ store: 'global', id });

/** Ids of the transcripts in the store, whoever wrote them. */
export function idsIn(dataFolder: string): string[] {
  if (!existsSync(storeIn(dataFolder))) return [];
  const names = readdirSync(storeIn(dataFolder));
  const transcripts = names.filter((name) => name.endsWith('.jsonl') && !name.endsWith('.events.jsonl'));
  return transcripts.map((name) => name.slice(0, -'.jsonl'.length)).sort();
}

export interface Said {
  role: 'user' | 'assistant' | 'system' | 'tool';
  content: string;
  [key: string]: unknown;
}

export const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Questions and answers in turn: `name 0`, `name 1` … */
export const talk = (name: string, count: number): Said[] =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${name} ${index}`,
    id: `${name.replaceAll(' ', '-')}-${index}`,
  }));

/** Writes a session as another program would: a transcript and its meta, of the folder of all chats. */
export function prepareSession(dataFolder: string, id: string, said: readonly Said[], meta: object = {}): void {
  mkdirSync(storeIn(dataFolder), { recursive: true });
  writeFileSync(fileOf(dataFolder, id), lines(...said));
  const workspace = path.join(dataFolder, 'context', 'chats');
  const all = { id, scope: 'global', workspace_root: workspace, updated_at: '2026-03-01T10:00:00Z', ...meta };
  writeFileSync(fileOf(dataFolder, id, '.jsonl.meta'), `${JSON.stringify(all, null, 2)}\n`);
}

/** Contents of the texts in the log of a session of ours, in order. */
export function recorded(dataFolder: string, id: string): string[] {
  const records = readFileSync(fileOf(dataFolder, id, '.events.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return records.flatMap((line) => {
    const record = JSON.parse(line) as { messages?: { content: string }[] };
    return (record.messages ?? []).map(({ content }) => content);
  });
}

/** Every file below a folder with a digest of its bytes and when it was changed. */
export function filesBelow(folder: string, withTimes = true): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // A name that is no UTF-8 has lost its bytes here.
    if (!entry.isFile() || entry.name.includes('\ufffd')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
    const changed = withTimes ? ` ${statSync(file, { bigint: true }).mtimeNs}` : '';
    found[path.relative(folder, file)] = `${digest}${changed}`;
  }
  return found;
}

/** The button of a session in the sidebar's rail. */
export const railSession = (page: Page, title: string | RegExp): Locator =>
  page.locator('.session-row .rail-row-button').filter({ hasText: title }).first();
export const railTitles = (page: Page): Promise<string[]> =>
  page.locator('.session-row .rail-row-label').allInnerTexts();
export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true });
export const articles = (page: Page): Locator => page.locator('article[data-index]');
/** Texts of the messages that a window shows. */
export const texts = (page: Page): Promise<string[]> => page.locator('article .message-content').allInnerTexts();

/** Opens the Mini Chat in Message mode. */
export async function messageMode(app: RunningApp): Promise<void> {
  await show(app);
  await app.miniChat.keyboard.press('Control+4');
  await expect(app.miniChat.getByRole('region', { name: 'Session', exact: true })).toBeVisible(patient);
}

/** Sends a message in the Mini Chat with the keyboard. */
export async function say(app: RunningApp, text: string): Promise<void> {
  await composer(app.miniChat).fill(text);
  await app.miniChat.keyboard.press('Enter');
}

/** Sends a message and waits until the Mini Chat shows that it is recorded. */
export async function sayRecorded(app: RunningApp, text: string): Promise<void> {
  await say(app, text);
  await expect.poll(() => texts(app.miniChat), patient).toContain(text);
  await expect(app.miniChat.getByText(/^Recorded \d\d:\d\d\./)).toBeVisible(patient);
}

/** Opens a session from the sidebar in both windows. */
export async function openInBoth(app: RunningApp, title: string): Promise<void> {
  await railSession(app.sidebar, title).click(patient);
  await expect(heading(app.sidebar, title)).toBeVisible(patient);
  await show(app);
  await railSession(app.sidebar, title).click({ button: 'right' });
  await app.sidebar.getByRole('menuitem', { name: 'Open in the Mini Chat' }).click();
  await expect(app.miniChat.getByRole('button', { name: `Session: ${title}` })).toBeVisible(patient);
}

/** What a call answers; the test fails when it is refused. */
export async function answered<Value>(page: Page, name: string, input: object): Promise<Value> {
  const answer = await callBridge(page, name, input);
  expect(answer, `${name} ${JSON.stringify(answer.error)}`).toMatchObject({ ok: true });
  return answer.value as unknown as Value;
}

/** The first rows of the list, as the main process knows them. */
export const listed = async (page: Page): Promise<SessionRow[]> =>
  (await answered<{ rows: SessionRow[] }>(page, 'sessions.list', { ownerId: null, limit: 200 })).rows;
export const detailOf = (page: Page, session: SessionRef): Promise<SessionDetail> =>
  answered(page, 'sessions.get', { session });
export const pageOf = (page: Page, session: SessionRef): Promise<SessionPage> =>
  answered(page, 'sessions.page', { session, limit: 200 });

/** Another process that has a session open, as the system's own lock tells. */
export async function holdSession(dataFolder: string, id: string): Promise<{ release(): Promise<void> }> {
  const file = fileOf(dataFolder, id, '.jsonl.lease.lock');
  const child: ChildProcess = spawn('flock', [file, 'sh', '-c', 'echo held; cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdout) await once(child.stdout, 'data');
  return {
    release: async () => {
      if (child.exitCode !== null) return;
      child.stdin?.end();
      await once(child, 'exit');
    },
  };
}
