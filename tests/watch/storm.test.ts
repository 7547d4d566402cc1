import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { afterwards, eventually, makeProject, startedWatcher, temporaryFolder } from './support.ts';

/** Runs in a process of its own: 200 replacements a second for five seconds, then says when it ended. */
const writer = `
  const { writeFileSync, renameSync } = require('node:fs');
  const [target] = process.argv.slice(1);
  const start = performance.now();
  let written = 0;
  const step = () => {
    while (written < 1000 && performance.now() - start >= written * 5) {
      written += 1;
      const temporary = target + '.tmp-' + process.pid + '-' + Date.now() + '-ab';
      writeFileSync(temporary, JSON.stringify({ version: 2, written }));
      renameSync(temporary, target);
    }
    if (written < 1000) setTimeout(step, 1);
  };
  step();
`;

// esengine/DeepSeek-Reasonix#10674, #10612
test('a storm of writes by another process beside 300 folders leads to few batches, and the last state is seen', async () => {
  const root = temporaryFolder();
  for (let index = 0; index < 300; index += 1) makeProject(root, `quiet-${index}`);
  const busy = makeProject(root, 'busy');
  const { log, watcher } = await startedWatcher(root);
  const child = spawn(process.execPath, ['-e', writer, busy.context], { stdio: 'ignore' });
  afterwards(() => child.kill());
  const exit = once(child, 'exit');
  let seen: unknown = null;
  let looks = 0;
  const lookWhenTold = setInterval(() => {
    if (log.batches.length === looks) return;
    looks = log.batches.length;
    seen = JSON.parse(readFileSync(busy.context, 'utf8'));
  }, 1);
  afterwards(() => clearInterval(lookWhenTold));
  await exit;
  // The bar is one second; five times that here.
  await eventually('the last state to be seen', () => isDeepStrictEqual(seen, { version: 2, written: 1000 }), 5000);

  const first = log.batches[0]?.at ?? 0;
  const last = log.batches.at(-1)?.at ?? 0;
  expect(last - first).toBeGreaterThan(3000);
  expect(log.batches.length / ((last - first) / 1000)).toBeLessThanOrEqual(12);
  expect(new Set(log.keys())).toEqual(new Set(['context busy']));
  expect(watcher.status().state).toBe('watching');
});
