import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { hostFolder, launch, sampleFolder, temporaryFolder, type WithHost } from './launch.ts';

/** Starts the host without Playwright. */
function start(folder: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(join(hostFolder, 'electron'), [...args, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
}

const ended = (child: ChildProcess): Promise<unknown[]> =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])));

/** Processes, zombies left out, whose command line names a folder. */
function processesOf(folder: string): number[] {
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return ''; // It ended meanwhile.
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => read(pid, 'cmdline').includes(folder) && !/\) Z /.test(read(pid, 'stat'))).map(Number);
}

test('a renderer that crashes is told of, and a reload brings page, preload and ipc back', async () => {
  const { app, window, close } = await launch();
  const main = await window('Main');
  const gone = await app.evaluate(async ({ app: electronApp, BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const ofApp = new Promise((resolve) =>
      electronApp.once('render-process-gone', (_e, from, details) => resolve([from.id, details.reason])),
    );
    const details = new Promise<Electron.RenderProcessGoneDetails>((resolve) =>
      contents?.once('render-process-gone', (_event, it) => resolve(it)),
    );
    contents?.forcefullyCrashRenderer();
    return [
      (await details).reason,
      typeof (await details).exitCode,
      await ofApp,
      contents?.isCrashed(),
      contents?.isDestroyed(),
    ];
  });
  expect(gone).toEqual(['crashed', 'number', [1, 'crashed'], true, false]);
  await app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const loaded = new Promise((resolve) => contents?.once('did-finish-load', () => resolve(undefined)));
    contents?.reload();
    await loaded;
  });
  // Playwright gives a crashed page up for good, so main looks at the page.
  const back = await app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const run = (code: string) => contents?.executeJavaScript(code);
    return [
      contents?.isCrashed(),
      await run('sample.add(1, 2)'),
      await run('sample.sender()'),
      await run('typeof require'),
    ];
  });
  expect(back).toEqual([
    false,
    3,
    { url: 'app://sidekeep/main.html?from=main', origin: 'app://sidekeep', isMainFrame: true, window: 1 },
    'undefined',
  ]);
  await main.close().catch(() => undefined); // Already given up.
  await close();
});

test('a second start hands over its arguments and ends at once without a browser', async () => {
  const { app, window, userData, close } = await launch();
  await window('Main');
  const began = Date.now();
  const args = [`--user-data-dir=${userData}`, '--note=hello'];
  const second = start(sampleFolder, args, { CHROMIUM_PATH: '/no/such/chromium' }); // It must not even look for one.
  expect(await ended(second)).toEqual([0, null]);
  expect(Date.now() - began).toBeLessThan(5 * 3000);
  await expect.poll(() => app.evaluate(() => globalThis.sampleState.secondInstances.length)).toBe(1);
  const [heard] = await app.evaluate(() => {
    const [first] = globalThis.sampleState.secondInstances as {
      argv: string[];
      workingDirectory: string;
      data: { from: string; started: Map<string, number> };
    }[];
    return [first && { ...first, data: [first.data.from, first.data.started.get('pid')] }];
  });
  expect(heard?.argv).toContain('--note=hello');
  expect(heard?.workingDirectory).toBe(process.cwd());
  expect(heard?.data).toEqual(['sample', second.pid]);
  const folder = join(userData, 'host-instance');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const socket = readdirSync(folder).find((name) => name.endsWith('.sock')) ?? '';
  expect(statSync(join(folder, socket)).mode & 0o777).toBe(0o600);
  await close();
});

test('a lock whose holder was killed is taken over; the browser of the killed one ends by itself', async () => {
  const userData = temporaryFolder();
  const first = await launch({ userData });
  await first.window('Main');
  const killed = first.app.process();
  const gone = ended(killed);
  expect(processesOf(join(userData, 'chromium-host')).length).toBeGreaterThan(0);
  killed.kill('SIGKILL');
  await gone;
  await expect.poll(() => processesOf(join(userData, 'chromium-host'))).toEqual([]);
  expect(readlinkSync(join(userData, 'host-instance', 'lock'))).toContain(`${killed.pid}-`);

  const again = await launch({ userData });
  await again.window('Main');
  expect(await again.app.evaluate(({ app }) => app.hasSingleInstanceLock())).toBe(true);
  expect(JSON.parse(readFileSync(join(userData, 'config.json'), 'utf8'))).toMatchObject({ launches: 2 });
  await again.close();
  rmSync(userData, { recursive: true, force: true, maxRetries: 3 });
});

test('of many processes that start at once exactly one gets the lock', async () => {
  const folder = temporaryFolder();
  const userData = join(folder, 'a-name-so-long-that-no-socket-could-have-it-as-its-path'.repeat(2));
  writeFileSync(
    join(folder, 'main.cjs'),
    `const { app } = require('electron');
    const first = app.requestSingleInstanceLock();
    process.stdout.write(first ? 'first\\n' : 'second\\n');
    if (!first) app.quit();
    else setTimeout(() => app.exit(0), 4000);`,
  );
  const args = [`--user-data-dir=${userData}`];
  const started = Array.from({ length: 5 }, () => start(join(folder, 'main.cjs'), args, { TMPDIR: folder }));
  const outputs = started.map((child) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
    });
    return ended(child).then((end) => [text.trim(), ...end]);
  });
  const results = await Promise.all(outputs);
  expect(results.filter(([text]) => text === 'first')).toEqual([['first', 0, null]]);
  expect(results.filter(([text]) => text === 'second').length).toBe(4);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

test('a signal ends the app as quit does', async () => {
  const { app, window, userData } = await launch();
  await window('Main');
  const end = ended(app.process());
  app.process().kill('SIGTERM');
  expect(await end).toEqual([0, null]);
  rmSync(userData, { recursive: true, force: true, maxRetries: 3 });
});

test('a quit can be prevented; exit asks no one and gives its code', async () => {
  const { app, window, userData } = await launch();
  await window('Main');
  const prevented = await app.evaluate(async ({ app: electronApp, BrowserWindow }) => {
    electronApp.once('before-quit', (event) => event.preventDefault());
    electronApp.quit();
    return BrowserWindow.getAllWindows().length;
  });
  expect(prevented).toBe(2);
  const end = ended(app.process());
  await app.evaluate(({ app: electronApp }) => void setTimeout(() => electronApp.exit(3), 10));
  expect(await end).toEqual([3, null]);
  rmSync(userData, { recursive: true, force: true, maxRetries: 3 });
});

test('the app is told when its last window is gone', async () => {
  const { app, window, userData } = await launch();
  await window('Main');
  const end = ended(app.process());
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close();
  });
  expect(await end).toEqual([0, null]);
  rmSync(userData, { recursive: true, force: true, maxRetries: 3 });
});

// Without Playwright, which makes every page believe that it is visible; headless, where no window manager is needed.
test('a page knows whether its window is hidden', async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'main.cjs'),
    `const { app, BrowserWindow } = require('electron');
    app.whenReady().then(async () => {
      const window = new BrowserWindow({ width: 360, height: 300, show: false });
      await window.loadURL('data:text/html,<title>D</title>');
      const state = () => window.webContents.executeJavaScript('document.visibilityState');
      const becomes = async (wanted) => { while (await state() !== wanted) await new Promise((r) => setTimeout(r, 20)); };
      const seen = [await state()];
      for (const [act, wanted] of [['show', 'visible'], ['hide', 'hidden'], ['showInactive', 'visible'], ['minimize', 'hidden']]) {
        window[act]();
        await becomes(wanted);
        seen.push(act + ' ' + wanted);
      }
      window.restore();
      await becomes('visible');
      seen.push(await window.webContents.executeJavaScript('[innerWidth, innerHeight].join()'));
      process.stdout.write(JSON.stringify(seen) + '\\n');
      app.quit();
    });`,
  );
  const child = start(join(folder, 'main.cjs'), [`--user-data-dir=${join(folder, 'data')}`], { HOST_HEADLESS: '1' });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  expect(await ended(child)).toEqual([0, null]);
  expect(JSON.parse(output)).toEqual([
    'visible',
    'show visible',
    'hide hidden',
    'showInactive visible',
    'minimize hidden',
    '360,300',
  ]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

test('without Playwright no port is open, and an error that nothing catches is printed', async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'main.cjs'),
    `const { app, BrowserWindow } = require('electron');
    app.whenReady().then(async () => {
      await new BrowserWindow().loadURL('data:text/html,<title>D</title>');
      setTimeout(() => { throw new Error('nobody caught me'); });
      setTimeout(() => process.stdout.write('still here ' + BrowserWindow.getAllWindows().length), 100);
    });`,
  );
  const child = start(join(folder, 'main.cjs'), [`--user-data-dir=${join(folder, 'data')}`]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  await expect.poll(() => output, { timeout: 15_000 }).toContain('still here 1');
  expect(output).toContain('nobody caught me');
  expect(listeningPorts(processesOf(folder))).toEqual([]);
  const end = ended(child);
  child.kill('SIGTERM');
  expect(await end).toEqual([0, null]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

test('a main script that cannot start, and a missing Chromium, end with a clear message', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'main.cjs'), `require('electron').app.whenReady();`);
  const run = async (env: Record<string, string>, script: string): Promise<unknown[]> => {
    const child = spawn(join(hostFolder, 'electron'), [`--user-data-dir=${folder}/data`, script], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    });
    let text = '';
    child.stderr.on('data', (chunk) => (text += String(chunk)));
    return [...(await ended(child)), text];
  };
  expect(await run({}, join(folder, 'none.cjs'))).toEqual([1, null, expect.stringContaining('Cannot find the app at')]);
  const missing = await run({ CHROMIUM_PATH: '/no/such/chromium' }, join(folder, 'main.cjs'));
  expect(missing).toEqual([1, null, expect.stringContaining('CHROMIUM_PATH is /no/such/chromium')]);
  rmSync(folder, { recursive: true, force: true });
});

test('executablePath works too, and nothing stays uncaught', async ({ playwright: { _electron } }) => {
  const userData = temporaryFolder();
  const app = await _electron.launch({
    executablePath: join(hostFolder, 'electron'),
    args: [`--user-data-dir=${userData}`, sampleFolder],
    env: { ...(process.env as Record<string, string>), HOST_WAIT_FOR_PLAYWRIGHT: '1' },
  });
  await expect.poll(() => app.windows().length, { timeout: 15_000 }).toBe(2);
  const page: Page = await app.firstWindow();
  await expect(page.locator('h1')).toBeVisible();
  expect(await app.evaluate((electron) => (electron as unknown as WithHost).__host.uncaught.length)).toBe(0);
  await app.close();
  rmSync(userData, { recursive: true, force: true, maxRetries: 3 });
});

/** Local TCP ports on which one of the processes listens. */
function listeningPorts(pids: number[]): string[] {
  const sockets = new Set(
    pids.flatMap((pid) =>
      readdirSync(`/proc/${pid}/fd`).map((fd) => {
        try {
          return readlinkSync(`/proc/${pid}/fd/${fd}`).replace(/^socket:\[(\d+)\]$/, '$1');
        } catch {
          return ''; // Closed meanwhile.
        }
      }),
    ),
  );
  const lines = ['tcp', 'tcp6'].flatMap((file) => readFileSync(`/proc/net/${file}`, 'utf8').split('\n').slice(1));
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return fields
    .filter(([, , , state, , , , , , inode = '']) => state === '0A' && sockets.has(inode))
    .map(([, local = '']) => local);
}
