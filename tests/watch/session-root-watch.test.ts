import { createHook } from 'node:async_hooks';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FSWatcher } from 'chokidar';
import { describe, expect, test } from 'vitest';
import { FolderWatcher } from '../../src/watch/folder-watcher.ts';
import { RootWatch } from '../../src/watch/root-watch.ts';
import { sessionTree } from '../../src/watch/session-tree.ts';
import type { Health } from '../../src/watch/watch-messages.ts';
import { makeStore, quietLog, SessionHintLog } from './session-support.ts';
import { afterwards, eventually, temporaryFolder } from './support.ts';

/** Real chokidar on real folders, in this thread; the test keeps hold of each watcher to deliver errors through it. */
const watchRoot = async (root: string) => {
  const log = new SessionHintLog();
  const healths: Health[] = [];
  const opened: FSWatcher[] = [];
  const watch = new RootWatch({
    tree: sessionTree,
    root,
    onHints: log.add,
    onHealth: (health) => healths.push(health),
    onProblem: () => {},
    createWatcher: (options, isUnread) => {
      const watcher = new FolderWatcher(options, isUnread);
      opened.push(watcher);
      return watcher;
    },
  });
  afterwards(() => watch.dispose());
  const state = (): string | undefined => healths.at(-1)?.state;
  await eventually('the root to be watched', () => state() === 'watching' && opened.length > 0);
  await quietLog(log);
  log.clear();
  const fail = (code: string, location?: string): void => {
    const error = Object.assign(new Error(`${code}: injected`), { code, ...(location && { path: location }) });
    opened.at(-1)?.emit('error', error);
  };
  return { watch, log, healths, opened, state, fail };
};

/** Watches of the operating system that this thread holds; a closed one goes a moment later. */
const handles = (): number => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;

/** Counts what is asked of the file system while `act` runs. */
const fileRequests = async (act: () => Promise<unknown>): Promise<number> => {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'FSREQPROMISE' || type === 'FSREQCALLBACK') count += 1;
    },
  });
  hook.enable();
  try {
    await act();
  } finally {
    hook.disable();
  }
  return count;
};

describe('cost', () => {
  test('one watch for each folder above a store and for the store; none for a file or a folder in it', async () => {
    const root = temporaryFolder();
    for (const slug of [null, 'one', 'two', 'three']) {
      const store = makeStore(root, slug);
      for (const inner of ['.trash/entry', 'a.ckpt/deeper', 'a.jobs', 'a.inbox', 'subagents']) {
        mkdirSync(path.join(store, inner), { recursive: true });
      }
      for (let index = 0; index < 50; index += 1) writeFileSync(path.join(store, `${index}.jsonl`), '');
    }
    mkdirSync(path.join(root, 'projects', 'one', 'memory', 'deeper'), { recursive: true });
    mkdirSync(path.join(root, 'cache', 'deeper'), { recursive: true });
    await eventually('earlier watches to be gone', () => handles() === 0);
    await watchRoot(root);
    // The root, sessions, projects, and of each project its folder and its store.
    expect(handles()).toBe(3 + 3 * 2);
  });

  test('the entries of a store are not looked at: not at the start, not when they change', async () => {
    const root = temporaryFolder();
    const store = makeStore(root, null);
    makeStore(root, 'work');
    for (let index = 0; index < 3000; index += 1) writeFileSync(path.join(store, `${index}.jsonl`), '');
    let log: SessionHintLog | undefined;
    const atStart = await fileRequests(async () => {
      ({ log } = await watchRoot(root));
    });
    expect(atStart).toBeGreaterThan(5);
    expect(atStart).toBeLessThan(200);
    const whenChanged = await fileRequests(async () => {
      for (let index = 0; index < 500; index += 1) writeFileSync(path.join(store, `${index}.jsonl`), 'changed');
      await eventually('a look at all of it', () => log?.has('store global') ?? false);
      await quietLog(log ?? new SessionHintLog());
    });
    expect(whenChanged).toBeLessThan(200);
  });

  test('nothing is remembered of the entries of a store', async () => {
    const root = temporaryFolder();
    const store = makeStore(root, null);
    for (let index = 0; index < 200; index += 1) writeFileSync(path.join(store, `${index}.jsonl`), '');
    const { opened, log } = await watchRoot(root);
    writeFileSync(path.join(store, 'new.jsonl'), '');
    await eventually('a hint', () => log.has('files global/new.jsonl'));
    const watched = opened[0]?.getWatched() ?? {};
    expect(watched[store] ?? []).toEqual([]);
    expect(watched[root]).toEqual(['sessions']);
  });

  test('after dispose no handle is left and nothing is called', async () => {
    const root = temporaryFolder();
    const store = makeStore(root, null);
    const { watch, log } = await watchRoot(root);
    await watch.dispose();
    await eventually('every watch to be gone', () => handles() === 0);
    writeFileSync(path.join(store, 'a.jsonl'), 'x');
    await wait(300);
    expect(log.keys()).toEqual([]);
  });
});

describe('when the system has no watches left', () => {
  test.each(['ENOSPC', 'EMFILE'])(
    '%s: what comes, goes or is replaced is found by looking, and that is said',
    async (code) => {
      const root = temporaryFolder();
      const store = makeStore(root, null);
      makeStore(root, 'work');
      writeFileSync(path.join(store, 'a.jsonl'), 'x');
      const { log, healths, state, fail, opened } = await watchRoot(root);
      fail(code);
      await eventually('the fall-back', () => state() === 'polling');
      expect(healths.at(-1)?.reason).toMatch(/limit .* within about 30 seconds elsewhere\.$/);
      await eventually('the polling watcher', () => opened[1]?.readyEmitted === true);
      await quietLog(log, 500);
      log.clear();
      writeFileSync(path.join(store, 'b.jsonl'), 'x');
      await eventually('a look at the store', () => log.has('store global'));
      await wait(1500);
      await quietLog(log, 500);
      log.clear();
      rmSync(path.join(store, 'a.jsonl'));
      await eventually('another look at it', () => log.has('store global'));
      const made = makeStore(root, 'new');
      await eventually('a look at a new store', () => log.has('stores') && log.has('store project:new'));
      await wait(1500);
      await quietLog(log, 500);
      log.clear();
      writeFileSync(path.join(made, 'c.jsonl'), 'x');
      await eventually('a look at its new entry', () => log.has('store project:new'));
      await eventually('no watch to be held', () => handles() === 0);
    },
  );

  test('the entries of a store are not looked at either', async () => {
    const root = temporaryFolder();
    const store = makeStore(root, null);
    for (let index = 0; index < 3000; index += 1) writeFileSync(path.join(store, `${index}.jsonl`), '');
    const { log, state, fail, opened } = await watchRoot(root);
    const requests = await fileRequests(async () => {
      fail('ENOSPC');
      await eventually('the fall-back', () => state() === 'polling');
      await eventually('the polling watcher', () => opened[1]?.readyEmitted === true);
      await quietLog(log, 500);
      log.clear();
      writeFileSync(path.join(store, 'new.jsonl'), 'x');
      await eventually('a look at the store', () => log.has('store global'));
    });
    expect(requests).toBeLessThan(300);
  });
});

test('a store that cannot be watched is named, the others stay watched, and it heals', async () => {
  const root = temporaryFolder();
  const store = makeStore(root, null);
  const closed = makeStore(root, 'closed');
  const { log, healths, state, fail } = await watchRoot(root);
  fail('EACCES', closed);
  expect(state()).toBe('degraded');
  expect(healths.at(-1)?.reason).toMatch(/^“projects\/closed\/sessions” cannot be watched: permission is denied\./);
  await quietLog(log);
  log.clear();
  writeFileSync(path.join(store, 'a.jsonl'), 'x');
  await eventually('a hint for the other store', () => log.has('files global/a.jsonl'));
  // Permission was in truth never missing, so the next try finds it readable.
  await eventually('it to be watched again', () => state() === 'watching');
  expect(log.has('all')).toBe(true);
});

test('when the system stops telling of the stores, it is found out and changes are looked for', async () => {
  const root = temporaryFolder();
  const store = makeStore(root, null);
  const { log, healths, state, opened } = await watchRoot(root);
  // A watcher without listeners stands for a file system that takes watches and says nothing.
  opened[0]?.removeAllListeners();
  let made = 0;
  const maker = setInterval(() => {
    made += 1;
    writeFileSync(path.join(store, `${made}.jsonl`), '');
  }, 700);
  afterwards(() => clearInterval(maker));
  await eventually('the silence to be noticed', () => state() === 'polling');
  clearInterval(maker);
  expect(healths.at(-1)?.reason).toMatch(/does not report changes in the sessions folder/);
  await eventually('a complete look', () => log.has('all'));
});

test('changes behind a link in the place of a store are no silence', async () => {
  const root = temporaryFolder();
  const store = makeStore(root, null);
  const elsewhere = path.join(temporaryFolder(), 'moved');
  renameSync(store, elsewhere);
  symlinkSync(elsewhere, store);
  const { state } = await watchRoot(root);
  for (let round = 0; round < 5; round += 1) {
    writeFileSync(path.join(elsewhere, `${round}.jsonl`), '');
    await wait(900);
  }
  expect(state()).toBe('watching');
});
