import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { app, type BrowserWindow } from 'electron';
import type { WindowSet } from './windows/window-set.ts';
import type { Windows } from './windows/windows.ts';

const TIMEOUT = 60_000;

/** What the smoke run needs; `started` is `performance.now()` when the program was ready. */
export interface SmokeOptions {
  windows: Windows;
  windowSet: WindowSet;
  contextRoot: string;
  started: number;
}

/**
 * Does the main job once, the way a person would: both windows open, a note typed into the Mini Chat shows in the sidebar
 * and is in the file. Prints one line of JSON and exits 0, or 1 with what went wrong.
 */
export async function runSmoke(options: SmokeOptions): Promise<void> {
  const result: Record<string, unknown> = {
    ok: false,
    host: hostName(),
    versions: {
      sidekeep: app.getVersion(),
      electron: process.versions.electron,
      chrome: process.versions.chrome,
      node: process.versions.node,
    },
  };
  try {
    Object.assign(result, await mainJob(options), { ok: true });
  } catch (error) {
    result.error = error instanceof Error ? error.message : String(error);
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
  app.exit(result.ok === true ? 0 : 1);
}

async function mainJob({ windows, windowSet, contextRoot, started }: SmokeOptions): Promise<Record<string, number>> {
  const milliseconds = (): number => Math.round(performance.now() - started);
  const sidebar = windows.showSidebar();
  await until('the sidebar is ready', () => hasElement(sidebar, 'main'));
  const sidebarReady = milliseconds();
  windows.showMiniChat();
  const miniChat = windowSet.window('mini-chat');
  if (!miniChat) throw new Error('the Mini Chat did not open');
  await until('the Mini Chat is ready', () => hasElement(miniChat, 'textarea'));
  const miniChatReady = milliseconds();

  const text = `Smoke run ${new Date().toISOString()}`;
  const typed = performance.now();
  await typeAndSend(miniChat, text);
  await until('the note shows in the sidebar', () => showsText(sidebar, text));
  const noteShown = Math.round(performance.now() - typed);
  await until('the note is in the file', () => isOnDisk(contextRoot, text));
  return { sidebarReady, miniChatReady, noteShown };
}

/** Types into the composer as an input method would and presses Enter; page code runs, nothing is called directly. */
async function typeAndSend(window: BrowserWindow, text: string): Promise<void> {
  await window.webContents.executeJavaScript(`(() => {
    const field = document.querySelector('textarea');
    field.focus();
    document.execCommand('selectAll');
    document.execCommand('insertText', false, ${JSON.stringify(text)});
  })()`);
  await sleep(50);
  await window.webContents.executeJavaScript(`(() => {
    const enter = { key: 'Enter', code: 'Enter', keyCode: 13, bubbles: true, cancelable: true };
    document.querySelector('textarea').dispatchEvent(new KeyboardEvent('keydown', enter));
  })()`);
}

/** Whether any context file below the root holds this text; read from the disk, past every cache. */
async function isOnDisk(contextRoot: string, text: string): Promise<boolean> {
  const projects = path.join(contextRoot, 'projects');
  for (const folder of await readdir(projects)) {
    const context = await readFile(path.join(projects, folder, 'context.json'), 'utf8');
    if (JSON.stringify(JSON.parse(context)).includes(text)) return true;
  }
  return false;
}

const hasElement = (window: BrowserWindow, selector: string): Promise<boolean> =>
  window.webContents.executeJavaScript(`document.querySelector(${JSON.stringify(selector)}) !== null`);

const showsText = (window: BrowserWindow, text: string): Promise<boolean> =>
  window.webContents.executeJavaScript(`document.body.innerText.includes(${JSON.stringify(text)})`);

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + TIMEOUT;
  while (Date.now() < end) {
    if (await holds().catch(() => false)) return;
    await sleep(25);
  }
  throw new Error(`waited ${TIMEOUT / 1000} s in vain: ${what}`);
}

/** The development host names itself; Electron's own binary does not. */
function hostName(): string {
  return (process.versions as Record<string, string | undefined>)['sidekeep-host'] ?? 'electron';
}
