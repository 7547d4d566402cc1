import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  app,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  nativeTheme,
  powerMonitor,
  protocol,
  session,
  shell,
} from 'electron';
import type { Publish, Report } from '../src/contract/index.ts';
import { openSidekeep, type Sidekeep } from '../src/sidekeep.ts';
import { applicationCalls } from './application.ts';
import { type CommandLine, prepareDataFolder, readCommandLine } from './command-line.ts';
import { chooseFolder } from './folder-dialog.ts';
import { createPublish } from './ipc/publish.ts';
import { registerCalls } from './ipc/register.ts';
import { buildMenu } from './menu.ts';
import { schemePrivileges, serveApplication } from './protocol.ts';
import { createReveal } from './reveal.ts';
import { cacheFolder, resolveRoots } from './roots.ts';
import { secureContents, secureSession } from './security.ts';
import { SettingsStore } from './settings.ts';
import { Shortcut } from './shortcut.ts';
import { runSmoke } from './smoke.ts';
import { WindowSet } from './windows/window-set.ts';
import { Windows } from './windows/windows.ts';

const report: Report = (where, error) => console.error(`${where}:`, error);
const commandLine = commandLineOrEnd();
// A smoke run must leave nothing in anyone's real notes.
const dataFolder = commandLine.data ?? (commandLine.smoke ? temporaryFolder() : null);
const data = resolveRoots(dataFolder, process.env, { contextRoot: null, sessionsRoot: null });
if (data.application !== null) app.setPath('userData', data.application);

app.enableSandbox();
protocol.registerSchemesAsPrivileged([schemePrivileges]);

if (app.requestSingleInstanceLock()) {
  app.whenReady().then(start).catch(fail);
} else {
  // The first one shows its window (`second-instance`); this one has touched nothing.
  app.quit();
}

async function start(): Promise<void> {
  const started = performance.now();
  const buildFolder = __dirname;
  secureSession(session.defaultSession);
  // Every page, whoever opens it: our windows have no need to do it again.
  app.on('web-contents-created', (_event, contents) => secureContents(contents));
  serveApplication(protocol, path.join(buildFolder, '..', 'renderer', 'windows'));

  const settings = new SettingsStore(app.getPath('userData'), report);
  const windowSet = new WindowSet();
  const publish: Publish = createPublish(() => windowSet.open(), report);
  settings.publishTo(publish);
  applyTheme(settings.settings.theme);

  const roots = resolveRoots(dataFolder, process.env, settings.stored);
  const workerFile = (name: string): URL => pathToFileURL(path.join(buildFolder, `${name}.cjs`));
  const sidekeep = await openSidekeep({
    contextRoot: roots.context,
    sessionsRoot: roots.sessions,
    cacheFolder: cacheFolder(app.getPath('userData'), roots.sessions),
    projectEntries: settings.projectEntries,
    memoryEnabled: () => settings.settings.memoryEnabled,
    pinnedSessions: settings.pinnedSessions,
    reveal: createReveal(shell),
    workerUrl: workerFile('watch-worker'),
    indexWorkerUrl: workerFile('index-worker'),
    catalogWorkerUrl: workerFile('catalog-worker'),
    writeWorkerUrl: workerFile('write-worker'),
    publish,
    report,
  });
  const shortcut = new Shortcut(globalShortcut, () => windows.toggleMiniChat());
  const windows: Windows = new Windows({
    settings,
    windows: windowSet,
    buildFolder,
    publish,
    shortcutProblem: () => shortcut.problem,
    // Without a tray nothing would tell that the program still runs, so closing the sidebar ends it, as people expect.
    sidebarClosed: () => process.platform !== 'darwin' && app.quit(),
  });
  const { chooseFolder: chooseFolderCall, ...calls } = applicationCalls({
    settings,
    windows,
    shortcut,
    chooseFolder: () => chooseFolder(windowSet.window('sidebar')),
    memorySwitched: () => sidekeep.memorySwitched(),
    applyTheme,
  });
  registerCalls(
    ipcMain,
    { ...sidekeep.calls, ...calls, projects: { ...sidekeep.calls.projects, chooseFolder: chooseFolderCall } },
    (id) => windowSet.find(id),
    report,
  );

  Menu.setApplicationMenu(
    buildMenu(
      {
        showSidebar: () => windows.showSidebar(),
        toggleMiniChat: () => windows.toggleMiniChat(),
        quit: () => app.quit(),
      },
      process.platform,
    ),
  );
  shortcut.set(settings.settings.miniChat.shortcut);
  app.on('second-instance', () => windows.showSidebar());
  app.on('activate', () => windows.showSidebar());
  powerMonitor.on('resume', () => sidekeep.rescan());
  endWith(windows, windowSet, shortcut, sidekeep);

  windows.showSidebar();
  windows.openMiniChat();
  if (commandLine.smoke) await runSmoke({ windows, windowSet, contextRoot: sidekeep.contextRoot, started });
}

/** How long the end waits for what is being written, in ms: a disk that is away must not keep the program for ever. */
const ENDING_MS = 10_000;

/**
 * Ends in order: windows first, then the watcher and the root's ownership, so that nothing is pushed to a closed window.
 * Being told to quit again meanwhile does not cut it short.
 */
function endWith(windows: Windows, windowSet: WindowSet, shortcut: Shortcut, sidekeep: Sidekeep): void {
  let state: 'running' | 'ending' | 'ended' = 'running';
  const end = (): void => {
    state = 'ended';
    app.quit();
  };
  app.on('before-quit', () => windows.prepareToQuit());
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    shortcut.release();
    if (state === 'ended') return;
    event.preventDefault();
    if (state === 'ending') return;
    state = 'ending';
    const patience = setTimeout(end, ENDING_MS);
    for (const { contents } of windowSet.open()) contents.close();
    sidekeep
      .dispose()
      .catch((error: unknown) => report('closing the data folder', error))
      .finally(() => {
        clearTimeout(patience);
        end();
      });
  });
}

/** The command line; one that cannot be followed ends the program before it touches anything. */
function commandLineOrEnd(): CommandLine {
  try {
    const line = readCommandLine(process.argv.slice(1), process.cwd());
    if (line.data !== null) prepareDataFolder(line.data);
    return line;
  } catch (error) {
    console.error(`Sidekeep cannot start: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
}

/** A folder that is removed when the program ends. */
function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sidekeep-smoke-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function applyTheme(theme: 'system' | 'light' | 'dark'): void {
  nativeTheme.themeSource = theme;
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  console.error(`Sidekeep cannot start: ${message}`);
  if (!commandLine.smoke && app.isPackaged) dialog.showErrorBox('Sidekeep cannot start', message);
  app.exit(1);
}
