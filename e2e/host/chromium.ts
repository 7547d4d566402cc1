import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { CdpConnection } from './cdp.ts';
import { isHeadless, isHeadlessShell, requireChromium } from './find-chromium.ts';
import { report, runtime } from './runtime.ts';

const flags: Record<string, string> = {
  'allow-file-access-from-files': '', // Electron allows module scripts under file:
  'disable-background-networking': '',
  'disable-background-timer-throttling': '',
  'disable-backgrounding-occluded-windows': '',
  'disable-breakpad': '',
  'disable-component-update': '',
  'disable-default-apps': '',
  'disable-dev-shm-usage': '',
  'disable-extensions': '',
  'disable-features':
    'Translate,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,OptimizationHints,PaintHolding',
  'disable-infobars': '',
  'disable-renderer-backgrounding': '',
  'disable-search-engine-choice-screen': '',
  'disable-sync': '',
  'no-default-browser-check': '',
  'no-first-run': '',
  'no-startup-window': '', // and it stays alive with no window at all
  'password-store': 'basic',
  'test-type': '', // no warning bar about --no-sandbox
  'use-mock-keychain': '',
};

/** Switches of the command line that are for the host, or that would make Chromium do something else than run. */
const notForwarded =
  /^(inspect|inspect-brk|help|version|app|app-id|kiosk|headless|remote-debugging-pipe|user-data-dir)$/;

/** The Chromium that this main process owns. */
export interface ChromiumProcess {
  /** Starts the same Chromium again so that the running one opens a window without tabs or address bar (headed only). */
  openAppWindow(url: string): void;
  /** Asks it to close, and kills it after three seconds. */
  shutdown(): Promise<void>;
  /** The line that tells Playwright where to connect; `undefined` unless a debugging port was asked for. */
  devtoolsLine(): Promise<string | undefined>;
}

/** Starts Chromium on a profile below `sessionData` and connects to it through a pipe. */
export async function startChromium(sessionData: string): Promise<ChromiumProcess> {
  const executable = requireChromium();
  const profile = join(sessionData, 'chromium-host');
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  runtime.headless = isHeadless() || isHeadlessShell(executable);
  const args = commandLine(profile);
  // Without these Chromium waits for a session bus and writes its crash settings into the user's home.
  const env = { DBUS_SESSION_BUS_ADDRESS: 'disabled:', ...process.env, CHROME_CONFIG_HOME: profile };
  const child = spawn(executable, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], env });
  const output = watchOutput(child);
  const connection = new CdpConnection(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const { product } = await Promise.race([
    connection.browser.send('Browser.getVersion').catch(() => output.death),
    output.death,
  ]);
  Object.defineProperty(process.versions, 'chrome', { value: product.split('/')[1], enumerable: true });
  runtime.connection = connection;

  return {
    openAppWindow(url) {
      const kept = args.filter((arg) =>
        /^--(no-sandbox|user-data-dir|disable-features|disable-infobars|test-type)/.test(arg),
      );
      const opener = spawn(executable, [...kept, `--app=${url}`], { stdio: 'ignore', env });
      opener.on('error', (error) => report('cannot open a window', error));
    },
    async shutdown() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      connection.browser.send('Browser.close').catch(() => undefined); // It may be gone already: `gone` decides.
      const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
      await gone;
      clearTimeout(timer);
    },
    async devtoolsLine() {
      if (!runtime.switches.has('remote-debugging-port')) return undefined;
      return Promise.race([output.devtools, output.death]);
    },
  };
}

function commandLine(profile: string): string[] {
  const all = new Map(Object.entries(flags));
  for (const [name, value] of runtime.switches) {
    if (notForwarded.test(name)) continue;
    const ours = name === 'disable-features' ? all.get(name) : undefined; // Chromium would keep the last list only.
    all.set(name, ours ? `${ours},${value}` : value);
  }
  if (process.getuid?.() === 0) all.set('no-sandbox', ''); // Chromium refuses to start as root with its sandbox.
  if (runtime.headless) all.set('headless', 'new');
  all.set('user-data-dir', profile);
  all.set('remote-debugging-pipe', '');
  return [...all].map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`));
}

function watchOutput(child: ChildProcess): { devtools: Promise<string>; death: Promise<never> } {
  let tail = '';
  const devtools = Promise.withResolvers<string>();
  const death = Promise.withResolvers<never>();
  death.promise.catch(() => undefined); // After the start, the broken pipe is what tells of a death.
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      tail = `${tail}${line}\n`.slice(-4000);
      if (line.startsWith('DevTools listening on ')) devtools.resolve(line);
      else if (process.env.HOST_DEBUG) process.stderr.write(`${line}\n`);
    });
  }
  child.once('error', (error) => death.reject(error));
  child.once('exit', (code, signal) => {
    if (/Missing X server|cannot open display/i.test(tail)) process.stderr.write('Unable to open X display\n');
    death.reject(new Error(`Chromium ended at its start (${code ?? signal})\n${tail}`));
  });
  return { devtools: devtools.promise, death: death.promise };
}
