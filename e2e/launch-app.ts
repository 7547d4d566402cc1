import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { electronBinary } from '../scripts/start/electron-binary.ts';
import { findChromium } from './host/find-chromium.ts';

const tree = path.resolve(import.meta.dirname, '..');

/** Electron's own executable, or null where the development host stands in (always with `E2E_HOST=1`). */
export const realElectron = (): string | null => (process.env.E2E_HOST === '1' ? null : electronBinary());

/** Which executable the specs run on, for the report. */
export function hostDescription(): string {
  const electron = realElectron();
  return electron === null ? `the development host with ${findChromium() ?? 'no Chromium'}` : `Electron (${electron})`;
}

/** How the program is started. */
export interface LaunchOptions {
  /** Folder for `--data`; a new temporary one, removed at the end, when absent. */
  dataFolder?: string;
  /** Whether the sample data is copied to the context root first. */
  sampleData?: boolean;
  environment?: Record<string, string>;
  argv?: string[];
}

/** The running program. */
export interface RunningApp {
  electronApplication: ElectronApplication;
  sidebar: Page;
  miniChat: Page;
  dataFolder: string;
  contextRoot: string;
  /** What the main process wrote to its standard error so far. */
  errors(): string;
  /** Ends the program; the data folder stays. */
  quit(): Promise<void>;
  /** Ends the program and removes the data folder, unless the caller gave it. */
  close(): Promise<void>;
}

/** A folder for `--data`, with the sample data in it or empty. */
export function makeDataFolder(sampleData: boolean): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sidekeep-e2e-'));
  if (sampleData) cpSync(path.join(tree, 'e2e/fixtures/context'), path.join(folder, 'context'), { recursive: true });
  return folder;
}

/** Starts the program as it was built, in Electron if its executable is here, else in the development host. */
export async function launchApp(options: LaunchOptions = {}): Promise<RunningApp> {
  const dataFolder = options.dataFolder ?? makeDataFolder(options.sampleData ?? false);
  // Read by the electron package when Playwright asks it for the executable: the only difference between the two.
  if (realElectron() === null) process.env.ELECTRON_OVERRIDE_DIST_PATH = path.join(tree, 'e2e/host');
  const electronApplication = await _electron.launch({
    args: [tree, '--data', dataFolder, ...(options.argv ?? [])],
    cwd: tree,
    env: { ...(process.env as Record<string, string>), ...options.environment },
  });
  let errors = '';
  electronApplication.process().stderr?.on('data', (text: Buffer) => {
    errors += text.toString();
  });
  const quit = async (): Promise<void> => electronApplication.close();
  try {
    const [sidebar, miniChat] = [
      await windowAt(electronApplication, 'sidebar.html'),
      await windowAt(electronApplication, 'mini-chat.html'),
    ];
    return {
      electronApplication,
      sidebar,
      miniChat,
      dataFolder,
      contextRoot: path.join(dataFolder, 'context'),
      errors: () => errors,
      quit,
      close: async () => {
        await quit();
        if (options.dataFolder === undefined) removeFolder(dataFolder);
      },
    };
  } catch (error) {
    await quit();
    throw new Error(`The windows did not open. The main process said:\n${errors}`, { cause: error });
  }
}

/** Removes a data folder; Chromium may still be letting go of its files. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

async function windowAt(electronApplication: ElectronApplication, page: string): Promise<Page> {
  const isAt = (window: Page): boolean => new URL(window.url()).pathname === `/${page}`;
  const end = Date.now() + 30_000;
  while (Date.now() < end) {
    const found = electronApplication.windows().find(isAt);
    if (found) {
      await found.waitForLoadState('load');
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`no window shows ${page}`);
}
