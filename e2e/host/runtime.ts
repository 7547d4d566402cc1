import type { BrowserWindow } from './browser-window.ts';
import { type CdpConnection, CdpError, type Protocol } from './cdp.ts';
import type { WebContents } from './web-contents.ts';

/** What the parts of the host share: one main process, one Chromium. */
export interface Runtime {
  /** Undefined until Chromium runs, which is after the main script was loaded. */
  connection: CdpConnection | undefined;
  ready: boolean;
  /** Set from the first call of `app.quit` or `app.exit` on, unless something prevented it. */
  quitting: boolean;
  headless: boolean;
  /** Command line switches, of the command line and of `app.commandLine.appendSwitch`. */
  switches: Map<string, string>;
  appPath: string;
  appName: string;
  appVersion: string;
  screens: Protocol.Emulation.ScreenInfo[];
  /** Living web contents by DevTools target id; those whose target does not exist yet are not in it. */
  byTarget: Map<string, WebContents>;
  contents: Map<number, WebContents>;
  windows: Set<BrowserWindow>;
  focused: BrowserWindow | null;
  /** `app.emit`, for parts that `app` itself depends on. */
  appEmit(name: string, ...args: unknown[]): void;
  appQuit(): void;
  /** The last window is gone. */
  allWindowsClosed(): void;
}

export const runtime: Runtime = {
  connection: undefined,
  ready: false,
  quitting: false,
  headless: true,
  switches: new Map(),
  appPath: process.cwd(),
  appName: 'Electron',
  appVersion: '0.0.0',
  screens: [],
  byTarget: new Map(),
  contents: new Map(),
  windows: new Set(),
  focused: null,
  appEmit: () => undefined,
  appQuit: () => undefined,
  allWindowsClosed: () => undefined,
};

/** The connection to Chromium. @throws Error before the app is ready. */
export function chromium(): CdpConnection {
  if (!runtime.connection) throw new Error('host: Chromium does not run yet; wait for app.whenReady()');
  return runtime.connection;
}

export interface HostEvent {
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

/** An event object as Electron passes it to listeners, with the given properties (getters stay getters). */
export function hostEvent<T extends object>(properties: T = {} as T): HostEvent & T {
  let prevented = false;
  const event = {
    preventDefault() {
      prevented = true;
    },
    get defaultPrevented() {
      return prevented;
    },
  };
  return Object.defineProperties(event, Object.getOwnPropertyDescriptors(properties)) as HostEvent & T;
}

/**
 * For commands whose target may vanish meanwhile, which is then no failure: a refusal by Chromium is only shown with
 * `HOST_DEBUG`. Any other error is the host's own and is printed.
 */
export function quietly(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof CdpError)) report('internal error', error);
      else if (process.env.HOST_DEBUG) report('refused by Chromium', error);
    },
  );
}

/** Prints an error of the program under test, or of the host, where a launcher sees it. */
export function report(what: string, error: unknown): void {
  process.stderr.write(`host: ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
