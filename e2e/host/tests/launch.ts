import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import type { hostControls } from '../host-controls.ts';

export const hostFolder = join(import.meta.dirname, '..');
export const sampleFolder = join(import.meta.dirname, 'app');

/** Electron as seen from `evaluate`, with the host's own controls. */
export type WithHost = typeof Electron.CrossProcessExports & { __host: typeof hostControls };

export interface Launched {
  app: ElectronApplication;
  userData: string;
  /** The window of that title, once it has it. */
  window(title: string): Promise<Page>;
  close(): Promise<void>;
}

export interface LaunchOptions {
  userData?: string;
  folder?: string;
  args?: string[];
  env?: Record<string, string>;
}

/** Starts an app on the host exactly as Playwright starts one on Electron. */
export async function launch(options: LaunchOptions = {}): Promise<Launched> {
  process.env.ELECTRON_OVERRIDE_DIST_PATH = hostFolder;
  const { folder = sampleFolder, args = [], env = {} } = options;
  const userData = options.userData ?? temporaryFolder();
  const app = await _electron.launch({
    args: [`--user-data-dir=${userData}`, ...args, folder],
    env: { ...(process.env as Record<string, string>), ...env },
  });
  async function window(title: string): Promise<Page> {
    for (let attempt = 0; attempt < 200; attempt++) {
      for (const page of app.windows()) if ((await page.title().catch(() => '')) === title) return page;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`no window has the title ${title}`);
  }
  async function close(): Promise<void> {
    await app.close();
    if (options.userData === undefined) rmSync(userData, { recursive: true, force: true, maxRetries: 3 });
  }
  return { app, userData, window, close };
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'host-spec-'));
}
