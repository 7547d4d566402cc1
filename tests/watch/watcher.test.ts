import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { WatcherStatus } from '../../src/contract/entities.ts';
import { startWatcher } from '../../src/watch/watcher.ts';
import { afterwards, eventually, HintLog, makeProject, startedWatcher, temporaryFolder } from './support.ts';

const workerSource = pathToFileURL(path.resolve(import.meta.dirname, '../../src/watch/watch-worker.ts'));

/** The real worker, which dies `lives` times when started, or when told by a file beside the root. */
const mortalWorker = (folder: string, body: string): URL => {
  const file = path.join(folder, 'mortal-worker.ts');
  writeFileSync(file, `import { existsSync, rmSync } from 'node:fs';\n${body}\n`);
  return pathToFileURL(file);
};

const diesWhenTold = (flag: string): string => `
  await import(${JSON.stringify(workerSource.href)});
  setInterval(() => {
    if (!existsSync(${JSON.stringify(flag)})) return;
    rmSync(${JSON.stringify(flag)});
    throw new Error('told to die');
  }, 10);
`;

describe('status', () => {
  test('is a status of the contract, numbered without a gap', async () => {
    const root = temporaryFolder();
    const statuses: WatcherStatus[] = [];
    const watcher = startWatcher({ root, onHints: () => {}, onStatus: (status) => statuses.push(status) });
    afterwards(() => watcher.dispose());
    expect(watcher.status()).toEqual({ sequence: 0, state: 'starting', reason: null });
    await eventually('the root to be watched', () => watcher.status().state === 'watching');
    for (const [index, status] of statuses.entries()) {
      expect(WatcherStatus.parse(status)).toEqual(status);
      expect(status.sequence).toBe(index + 1);
    }
    expect(statuses.at(-1)).toEqual(watcher.status());
  });

  test('tells a complete look when watching begins, since nobody saw what came before', async () => {
    const log = new HintLog();
    const root = temporaryFolder();
    const watcher = startWatcher({ root, onHints: log.add });
    afterwards(() => watcher.dispose());
    await eventually('a complete look', () => log.has('all'));
  });
});

test('rescan asks for a complete look', async () => {
  const root = temporaryFolder();
  const { watcher, log } = await startedWatcher(root);
  watcher.rescan();
  await eventually('a complete look', () => log.has('all'));
});

describe('a worker that dies', () => {
  test('is started again, and what happened in between is looked at', async () => {
    const root = temporaryFolder();
    const project = makeProject(root, 'p1');
    const folder = temporaryFolder();
    const flag = path.join(folder, 'die');
    const { watcher, log, states, problems } = await startedWatcher(root, {
      workerUrl: mortalWorker(folder, diesWhenTold(flag)),
    });
    writeFileSync(flag, '');
    await eventually('the death to be told', () => watcher.status().state === 'degraded');
    await eventually('the restart', () => watcher.status().state === 'watching');
    await eventually('a complete look', () => log.has('all'));
    expect(states).toContain('degraded');
    expect(problems.map((problem) => problem.message)).toEqual(['told to die']);
    log.clear();
    writeFileSync(project.context, 'changed');
    await eventually('a hint for the context', () => log.has('context p1'));
  });

  test('again and again is given up, said so, and can be revived', async () => {
    const root = temporaryFolder();
    const folder = temporaryFolder();
    const flag = path.join(folder, 'healthy');
    const body = `
      if (!existsSync(${JSON.stringify(flag)})) throw new Error('cannot live');
      await import(${JSON.stringify(workerSource.href)});
    `;
    const log = new HintLog();
    const watcher = startWatcher({
      root,
      onHints: log.add,
      workerUrl: mortalWorker(folder, body),
      restartPauses: [10, 20],
    });
    afterwards(() => watcher.dispose());
    await eventually('giving up', () => watcher.status().state === 'stopped');
    expect(watcher.status().reason).toMatch(/not noticed any more/);
    writeFileSync(flag, '');
    watcher.rescan();
    expect(log.has('all')).toBe(true);
    await eventually('the revival', () => watcher.status().state === 'watching');
  });

  test('for want of its file is a status, not an exception', async () => {
    const root = temporaryFolder();
    const problems: Error[] = [];
    const watcher = startWatcher({
      root,
      onHints: () => {},
      report: (problem) => problems.push(problem),
      workerUrl: pathToFileURL(path.join(root, 'no-such-worker.ts')),
    });
    await eventually('the failure to be told', () => watcher.status().state === 'degraded');
    expect(problems).not.toEqual([]);
    await watcher.dispose();
  });
});

describe('dispose', () => {
  test('may be called twice and ends the worker; nothing is called afterwards', async () => {
    const root = temporaryFolder();
    const project = makeProject(root, 'p1');
    const { watcher, log } = await startedWatcher(root);
    await Promise.all([watcher.dispose(), watcher.dispose()]);
    writeFileSync(project.context, 'changed');
    watcher.rescan();
    await wait(300);
    expect(log.keys()).toEqual([]);
  });

  test('may come before the worker has started', async () => {
    const root = temporaryFolder();
    const log = new HintLog();
    const watcher = startWatcher({ root, onHints: log.add });
    await watcher.dispose();
    expect(log.keys()).toEqual([]);
  });
});
