import path from 'node:path';

/** What the start has to know of the machine; everything slow is asked for only when it is needed. */
export interface Machine {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  electronBinary(): string | null;
  /** Downloads Electron; null when it cannot be reached. */
  fetchElectron(): string | null;
  /** A Chromium that can show windows, if `headless` is false. @throws Error when CHROMIUM_PATH names none. */
  findChromium(headless: boolean): string | null;
  packagedChromiumRuns(): boolean;
  /** Installs a headless Chromium from the npm registry; null when it cannot be reached. */
  installPackagedChromium(): string | null;
  say(line: string): void;
}

/** How the program is started, or why it is not. */
export type Plan =
  | { kind: 'run'; executable: string; environment: NodeJS.ProcessEnv; argv: string[] }
  | { kind: 'stop'; exitCode: number; message: string };

/** Exit codes of a start that cannot happen. */
export const exitCodes = { usage: 2, noDisplay: 3, noBrowser: 4 } as const;

/**
 * Decides what runs the program: Electron if its executable is there or can be downloaded, else the development host with
 * Chromium. `--headless` always takes the host: it is the one that was seen to run without a display.
 */
export function planStart(argv: readonly string[], tree: string, machine: Machine): Plan {
  const unknown = unknownArgument(argv);
  if (unknown !== null) {
    return stop(exitCodes.usage, `${unknown} is not an option. There are: --data DIR, --headless, --smoke.`);
  }
  const headless = argv.includes('--headless');
  const rest = argv.filter((argument) => argument !== '--headless');
  if (!headless && !hasDisplay(machine)) {
    return stop(
      exitCodes.noDisplay,
      'There is no display to show windows on. Set DISPLAY or WAYLAND_DISPLAY, or run without one: npm start -- --headless',
    );
  }
  if (!headless) {
    const electron = machine.electronBinary() ?? downloadElectron(machine);
    if (electron) return { kind: 'run', executable: electron, environment: machine.environment, argv: [tree, ...rest] };
  }
  return planHost(rest, tree, headless, machine);
}

/** The first argument that means nothing here: a misspelt `--data` must not open the person's own data. */
function unknownArgument(argv: readonly string[]): string | null {
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? '';
    if (argument === '--data') index += 1;
    else if (!/^--(headless|smoke|data=.*)$/s.test(argument)) return argument;
  }
  return null;
}

function planHost(argv: readonly string[], tree: string, headless: boolean, machine: Machine): Plan {
  let chromium: string | null;
  try {
    chromium = machine.findChromium(headless);
  } catch (error) {
    return stop(exitCodes.noBrowser, `${messageOf(error)}. Unset CHROMIUM_PATH or name an executable file in it.`);
  }
  chromium ??= headless ? packagedChromium(machine) : null;
  if (chromium === null) return stop(exitCodes.noBrowser, noBrowser(headless, machine));
  machine.say(
    `Running on the development host with ${path.basename(chromium)}${headless ? ', without a display' : ": Electron's executable is not here"}.`,
  );
  const environment = {
    ...machine.environment,
    CHROMIUM_PATH: chromium,
    ...(headless ? { HOST_HEADLESS: '1' } : {}),
  };
  return { kind: 'run', executable: path.join(tree, 'e2e/host/electron'), environment, argv: [tree, ...argv] };
}

function downloadElectron(machine: Machine): string | null {
  machine.say('Downloading Electron …');
  return machine.fetchElectron();
}

function packagedChromium(machine: Machine): string | null {
  if (!machine.packagedChromiumRuns()) return null;
  machine.say('No Chromium is installed: getting a headless one from the npm registry (about 70 MB, once) …');
  return machine.installPackagedChromium();
}

function noBrowser(headless: boolean, machine: Machine): string {
  if (!headless) {
    return 'Electron could not be downloaded and no Chromium is installed. Install chromium (Debian: apt-get install chromium), or set CHROMIUM_PATH, or run without windows: npm start -- --headless';
  }
  return machine.packagedChromiumRuns()
    ? 'No Chromium is installed and the npm registry could not be reached. Install chromium (Debian: apt-get install chromium), set CHROMIUM_PATH, or connect to the network and try again.'
    : 'No Chromium is installed. Install chromium or Google Chrome, or set CHROMIUM_PATH to one, and try again.';
}

function hasDisplay(machine: Machine): boolean {
  if (machine.platform !== 'linux') return true;
  return Boolean(machine.environment.DISPLAY || machine.environment.WAYLAND_DISPLAY);
}

const stop = (exitCode: number, message: string): Plan => ({ kind: 'stop', exitCode, message });
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
