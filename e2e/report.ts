import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter';
import { hostDescription, realElectron } from './launch-app.ts';

/** Says which executable the specs ran on, and what was not run for want of Electron's own. */
export default class HostReport implements Reporter {
  onBegin(_configuration: FullConfig, _suite: Suite): void {
    console.log(`End-to-end specs run on: ${hostDescription()}`);
    if (realElectron() === null) {
      console.log("Not run here: the project electron-only, which needs Electron's own executable.");
    }
  }
}
