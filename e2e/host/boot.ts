/** Turns a plain Node process into the main process of an Electron app, whose windows are Chromium's. */
import { createRequire, registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, commandLine } from './app.ts';
import { parseArguments, readProgram } from './arguments.ts';
import { type ChromiumProcess, startChromium } from './chromium.ts';
import { electronVersion } from './documented.ts';
import { hostControls } from './host-controls.ts';
import { permissions } from './permissions.ts';
import { openedByPage } from './popups.ts';
import { chromium, report, runtime } from './runtime.ts';
import { watchTargets } from './targets.ts';

const moduleUrl = pathToFileURL(join(import.meta.dirname, 'electron-module.cjs')).href;
const launcher = join(import.meta.dirname, 'electron');

try {
  await start();
} catch (error) {
  // When the app ends while Chromium starts, the start fails for want of it, and `app` ends the process.
  if (!runtime.quitting) {
    report('cannot start', error);
    process.exit(1);
  }
}

async function start(): Promise<void> {
  const given = process.argv.slice(2);
  const { preloaded, switches, program: path } = parseArguments(given);
  for (const [name, value] of switches) commandLine.appendSwitch(name, value);
  const program = readProgram(path);
  becomeElectron(given);
  runtime.appPath = program.folder;
  runtime.appVersion = program.version ?? electronVersion;
  if (program.name) app.setName(program.name);
  // Before the program is loaded: electron-store reads userData as soon as it is imported.
  if (commandLine.hasSwitch('user-data-dir'))
    app.setPath('userData', resolve(commandLine.getSwitchValue('user-data-dir')));

  const requireFromProgram = createRequire(join(program.folder, 'package.json'));
  for (const file of preloaded) requireFromProgram(resolve(file));
  const playwright = waitForPlaywright();
  await import(pathToFileURL(program.main).href);
  if (runtime.quitting) return; // `app.quit` at top level, as a second instance does: no browser is started.
  await openBrowser();
  await playwright;
  if (!runtime.quitting) app._setReady();
}

function becomeElectron(given: string[]): void {
  registerHooks({
    resolve: (name, context, next) =>
      /^electron(\/(main|common))?$/.test(name)
        ? { url: moduleUrl, format: 'commonjs', shortCircuit: true }
        : next(name, context),
  });
  const fixed = (target: object, name: string, value: unknown): void => {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  };
  fixed(process.versions, 'electron', electronVersion);
  fixed(process.versions, 'chrome', '');
  // What tells this host from Electron, for reports; no program may behave differently for it.
  fixed(process.versions, 'sidekeep-host', hostControls.name);
  fixed(process, 'type', 'browser');
  fixed(process, 'defaultApp', true);
  fixed(process, 'resourcesPath', import.meta.dirname);
  process.argv = [launcher, ...given];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  // Electron shows such an error in a box and goes on, unless the program listens itself.
  process.on('uncaughtException', (error) => {
    if (process.listenerCount('uncaughtException') > 1) return;
    hostControls.uncaught.push(error);
    report('uncaught exception in the main process', error);
  });
}

/**
 * Playwright's loader holds `ready` back by itself. It is only loaded when Playwright finds the executable by itself; with an
 * explicit `executablePath` its run function is still called, and HOST_WAIT_FOR_PLAYWRIGHT=1 offers one.
 */
async function waitForPlaywright(): Promise<void> {
  const scope = globalThis as { __playwright_run?: () => void };
  if (scope.__playwright_run || process.env.HOST_WAIT_FOR_PLAYWRIGHT !== '1') return;
  await new Promise<void>((run) => {
    scope.__playwright_run = run;
  });
}

async function openBrowser(): Promise<void> {
  const starting = startChromium(app.getPath('sessionData'));
  app._stopChromium = async () => (await starting).shutdown();
  const browser: ChromiumProcess = await starting;
  chromium().onClose(browserGone);
  await watchTargets({ openAppWindow: browser.openAppWindow, popup: openedByPage });
  await permissions.reset();
  runtime.screens = (await chromium().browser.send('Emulation.getScreenInfos')).screenInfos;
  const line = await browser.devtoolsLine();
  if (line) process.stderr.write(`${line}\n`);
}

/** Chromium gets signals of our process group too, and may be gone before us: every page is gone with it. */
function browserGone(): void {
  for (const contents of [...runtime.contents.values()]) contents._gone();
  if (runtime.quitting) return;
  report('Chromium ended', 'every window is gone');
  process.exit(1);
}
