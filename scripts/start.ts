import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { findChromium } from '../e2e/host/find-chromium.ts';
import { buildApplication } from './build-application.ts';
import { electronBinary, fetchElectron } from './start/electron-binary.ts';
import { installPackagedChromium, packagedChromiumRuns } from './start/packaged-chromium.ts';
import { type Machine, planStart } from './start/plan.ts';

const tree = path.resolve(import.meta.dirname, '..');
const say = (line: string): void => console.error(line);

const machine: Machine = {
  platform: process.platform,
  environment: process.env,
  electronBinary,
  fetchElectron: () => fetchElectron(process.env),
  findChromium: (headless) => findChromium(process.env, headless) ?? null,
  packagedChromiumRuns,
  installPackagedChromium: () => installPackagedChromium(process.env, say),
  say,
};

const plan = planStart(process.argv.slice(2), tree, machine);
if (plan.kind === 'stop') {
  say(plan.message);
  process.exit(plan.exitCode);
}
await buildApplication();
const child = spawn(plan.executable, plan.argv, { env: plan.environment, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  say(`Sidekeep could not be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
