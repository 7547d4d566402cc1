import { findChromium } from '../e2e/host/find-chromium.ts';
import { realElectron } from '../e2e/launch-app.ts';
import { buildApplication } from './build-application.ts';
import { installPackagedChromium, packagedChromiumRuns } from './start/packaged-chromium.ts';

/** What the end-to-end specs need: the program as it is now, and something to run it on. */
await buildApplication();
if (realElectron() === null && findChromium() === undefined) {
  console.log('No Chromium is installed: getting a headless one from the npm registry …');
  const installed = packagedChromiumRuns() && installPackagedChromium(process.env, console.error);
  if (!installed) {
    console.error(
      'The end-to-end specs need Electron or Chromium. Install chromium, or set CHROMIUM_PATH, and try again.',
    );
    process.exit(1);
  }
}
