import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ChokidarOptions, FSWatcher } from 'chokidar';
import { describe, expect, test } from 'vitest';
import { contextTree } from '../../src/watch/hints.ts';
import { RootWatch } from '../../src/watch/root-watch.ts';
import type { Health } from '../../src/watch/watch-messages.ts';
import { afterwards, eventually, HintLog, makeProject, quiet, temporaryFolder } from './support.ts';

/** Real chokidar on real folders, in this thread; the test keeps hold of each watcher to deliver errors through it. */
const watchRoot = async (root: string) => {
  const log = new HintLog();
  const healths: Health[] = [];
  const problems: string[] = [];
  const opened: FSWatcher[] = [];
  const watch = new RootWatch({
    tree: contextTree,
    root,
    onHints: log.add,
    onHealth: (health) => healths.push(health),
    onProblem: (message) => problems.push(message),
    createWatcher: (options: ChokidarOptions) => {
      const watcher = new FSWatcher(options);
      opened.push(watcher);
      return watcher;
    },
  });
  afterwards(() => watch.dispose());
  const state = (): string | undefined => healths.at(-1)?.state;
  await eventually('the root to be watched', () => state() === 'watching');
  await quiet(log);
  log.clear();
  const fail = (code: string, location?: string): void => {
    const error = Object.assign(new Error(`${code}: injected`), { code, ...(location && { path: location }) });
    opened.at(-1)?.emit('error', error);
  };
  return { watch, log, healths, problems, opened, state, fail };
};

/** Watches of the operating system that this thread holds; a closed one goes a moment later. */
const handles = (): number => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;

describe('when the system has no watches left', () => {
  // vellum-ai/vellum-assistant#35520, paulmillr/chokidar#294
  test.each(['ENOSPC', 'EMFILE', 'ENFILE'])('%s: changes are looked for instead, and that is said', async (code) => {
    const root = temporaryFolder();
    const project = makeProject(root, 'p1', 'old');
    const other = makeProject(root, 'p2', 'old');
    const { log, healths, state, fail, opened } = await watchRoot(root);
    fail(code);
    fail(code);
    await eventually('the fall-back', () => state() === 'polling');
    expect(healths.at(-1)?.reason).toMatch(/limit/);
    await eventually('the polling watcher', () => opened[1]?.readyEmitted === true);
    expect(opened).toHaveLength(2);
    expect(opened[0]?.closed).toBe(true);
    await quiet(log, 500);
    log.clear();
    writeFileSync(project.context, 'changed');
    writeFileSync(other.plan('1-a.md'), '# A');
    await eventually('hints by polling', () => log.has('context p1') && log.has('plan p2 1-a.md'));
    await eventually('no watch to be held', () => handles() === 0);
  });

  test('asking for a complete look tries the system again', async () => {
    const root = temporaryFolder();
    makeProject(root, 'p1');
    const { watch, log, state, fail } = await watchRoot(root);
    fail('ENOSPC');
    await eventually('the fall-back', () => state() === 'polling');
    watch.rescan();
    await eventually('the system to be tried again', () => state() === 'watching');
    expect(log.has('all')).toBe(true);
  });
});

describe('when a part cannot be read', () => {
  test('the part is named, the rest stays watched, and it heals', async () => {
    const root = temporaryFolder();
    const project = makeProject(root, 'p1');
    const closed = makeProject(root, 'p2');
    const { log, healths, state, fail, problems } = await watchRoot(root);
    fail('EACCES', closed.folder);
    fail('EACCES', closed.folder);
    expect(state()).toBe('degraded');
    expect(healths.at(-1)?.reason).toContain('projects/p2');
    expect(healths.at(-1)?.reason).not.toContain(root);
    expect(problems).toHaveLength(1);
    await quiet(log);
    log.clear();
    writeFileSync(project.context, 'changed');
    await eventually('a hint for the readable part', () => log.has('context p1'));
    // Permission was in truth never missing, so the next try finds it readable.
    await eventually('it to be watched again', () => state() === 'watching');
    expect(log.has('all')).toBe(true);
  });

  test('several are counted', async () => {
    const root = temporaryFolder();
    const [first, second] = [makeProject(root, 'p1'), makeProject(root, 'p2')];
    const { healths, fail } = await watchRoot(root);
    fail('EPERM', first.folder);
    fail('EPERM', second.plans);
    expect(healths.at(-1)?.state).toBe('degraded');
    expect(healths.at(-1)?.reason).toMatch(/“projects\/p1” and 1 more cannot be watched: permission is denied/);
  });

  test('an error that names nothing is survived and told', async () => {
    const root = temporaryFolder();
    makeProject(root, 'p1');
    const { healths, state, fail, problems } = await watchRoot(root);
    fail('EIO');
    expect(state()).toBe('degraded');
    expect(healths.at(-1)?.reason).toMatch(/EIO/);
    expect(problems).toHaveLength(1);
  });
});

test('when the system stops telling, it is found out and changes are looked for', async () => {
  const root = temporaryFolder();
  const project = makeProject(root, 'p1');
  const { log, healths, state, opened } = await watchRoot(root);
  // A watcher without listeners stands for a file system that takes watches and says nothing.
  opened[0]?.removeAllListeners();
  let made = 0;
  const maker = setInterval(() => {
    made += 1;
    mkdirSync(path.join(root, 'projects', `made-${made}`));
  }, 700);
  afterwards(() => clearInterval(maker));
  await eventually('the silence to be noticed', () => state() === 'polling');
  clearInterval(maker);
  expect(healths.at(-1)?.reason).toMatch(/does not report/);
  await eventually('a complete look', () => log.has('all'));
  await eventually('the polling watcher', () => opened[1]?.readyEmitted === true);
  await quiet(log, 500);
  log.clear();
  writeFileSync(project.context, 'changed by another program');
  await eventually('a hint by polling', () => log.has('context p1'));
});

describe('cost', () => {
  test('only the root, projects, its folders and their plans hold a watch', async () => {
    const root = temporaryFolder();
    for (const projectId of ['p1', 'p2', 'p3']) makeProject(root, projectId);
    for (let day = 1; day < 9; day += 1) {
      mkdirSync(path.join(root, 'chats', `2026-03-0${day}`, 'session-1', 'src'), { recursive: true });
      mkdirSync(path.join(root, 'projects', 'p1', '.sidekeep', `backups-${day}`), { recursive: true });
      mkdirSync(path.join(root, 'projects', 'p1', 'plans', `folder-${day}`), { recursive: true });
    }
    await eventually('earlier watches to be gone', () => handles() === 0);
    await watchRoot(root);
    expect(handles()).toBe(2 + 3 * 2);
  });

  test('after dispose no handle is left and nothing is called', async () => {
    const root = temporaryFolder();
    const project = makeProject(root, 'p1');
    const { watch, log, healths } = await watchRoot(root);
    const told = healths.length;
    await watch.dispose();
    await eventually('every watch to be gone', () => handles() === 0);
    writeFileSync(project.context, 'changed');
    watch.rescan();
    await wait(300);
    expect(log.keys()).toEqual([]);
    expect(healths).toHaveLength(told);
  });

  test('dispose may come before the first look has ended', async () => {
    const root = temporaryFolder();
    makeProject(root, 'p1');
    const calls: unknown[] = [];
    const record = (call: unknown): void => {
      calls.push(call);
    };
    const watch = new RootWatch({ tree: contextTree, root, onHints: record, onHealth: record, onProblem: record });
    await watch.dispose();
    await wait(100);
    expect(calls).toEqual([]);
    await eventually('every watch to be gone', () => handles() === 0);
  });
});
