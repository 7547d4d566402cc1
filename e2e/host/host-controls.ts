import { app } from './app.ts';
import { pressShortcut, takeShortcut } from './global-shortcut.ts';
import { runtime } from './runtime.ts';

/** What tests may do to the host, and nothing of Electron has: `require('electron').__host`. */
export const hostControls = {
  name: 'sidekeep-host',
  /** As if a person pressed a global shortcut. False when no one registered it. */
  pressShortcut,
  /** As if another program had registered a global shortcut: `register` then answers false. */
  takeShortcut,
  /** Errors of the main process that nothing caught, in order; each was printed too. */
  uncaught: [] as unknown[],
  get headless(): boolean {
    return runtime.headless;
  },
  get sandboxEnabled(): boolean {
    return app.isSandboxEnabled();
  },
};
