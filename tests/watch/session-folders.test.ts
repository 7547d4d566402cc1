import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeStore, quietLog, type SessionHintLog, startedSessionWatcher, storeFolder } from './session-support.ts';
import { afterwards, eventually, replaceFile, temporaryFolder } from './support.ts';

/** Real folders, the real worker and real chokidar. */

const id = '20260301-101010.123456789-sidekeep';

describe('a change of an entry of a store', () => {
  test.each<[string, (target: string) => void]>([
    ['appended to', (target) => appendFileSync(target, 'more\n')],
    ['written in place', (target) => writeFileSync(target, 'new')],
    ['replaced by a rename', (target) => replaceFile(target, 'new')],
    [
      'deleted and created',
      (target) => {
        unlinkSync(target);
        writeFileSync(target, 'new');
      },
    ],
    [
      'overwritten with the same size, its time put back',
      (target) => {
        const { atime, mtime } = statSync(target);
        writeFileSync(target, 'nEw');
        utimesSync(target, atime, mtime);
      },
    ],
    ['removed', (target) => unlinkSync(target)],
  ])('is named when it is %s', async (_how, change) => {
    const root = temporaryFolder();
    const [shared, project] = [makeStore(root, null), makeStore(root, 'work')];
    for (const store of [shared, project]) writeFileSync(path.join(store, `${id}.jsonl`), 'old');
    const { log } = await startedSessionWatcher(root);
    change(path.join(shared, `${id}.jsonl`));
    await eventually('a hint for the shared store', () => log.has(`files global/${id}.jsonl`));
    change(path.join(project, `${id}.jsonl`));
    await eventually('a hint for the store of a project', () => log.has(`files project:work/${id}.jsonl`));
    expect(log.keys().filter((key) => !key.startsWith('files'))).toEqual([]);
  });

  test('is named for a new session, with what comes beside it and when it is moved to the trash', async () => {
    const root = temporaryFolder();
    const store = makeStore(root, null);
    const trash = path.join(store, '.trash', 'entry');
    mkdirSync(trash, { recursive: true });
    const { log } = await startedSessionWatcher(root);
    const names = [`${id}.jsonl`, `${id}.jsonl.meta`, `${id}.events.jsonl`];
    for (const name of names) writeFileSync(path.join(store, name), '{}');
    mkdirSync(path.join(store, `${id}.ckpt`));
    for (const name of [...names, `${id}.ckpt`]) {
      await eventually(`a hint for ${name}`, () => log.has(`files global/${name}`));
    }
    await quietLog(log);
    log.clear();
    for (const name of names) renameSync(path.join(store, name), path.join(trash, name));
    for (const name of names) await eventually(`a hint for ${name}`, () => log.has(`files global/${name}`));
  });
});

describe('what is no change', () => {
  test('half-written files, folders inside a store and the rest of the root give no hint', async () => {
    const root = temporaryFolder();
    const store = makeStore(root, null);
    makeStore(root, 'work');
    for (const inner of ['.trash/entry', `${id}.ckpt`, `${id}.jobs`])
      mkdirSync(path.join(store, inner), { recursive: true });
    mkdirSync(path.join(root, 'cache'));
    const { log } = await startedSessionWatcher(root);
    writeFileSync(path.join(store, '.trash', 'entry', `${id}.jsonl`), 'x');
    writeFileSync(path.join(store, `${id}.ckpt`, '1.json'), 'x');
    writeFileSync(path.join(store, `${id}.jobs`, '1.json'), 'x');
    writeFileSync(path.join(store, `.${id}.jsonl.meta.${process.pid}-a1b2c3d4e5f6.tmp`), '{');
    writeFileSync(path.join(root, 'cache', 'x'), 'x');
    writeFileSync(path.join(root, 'config.json'), 'x');
    writeFileSync(path.join(root, 'projects', 'work', 'memory.json'), 'x');
    await wait(500);
    expect(log.keys()).toEqual([]);
  });

  test('a store that is a link is not followed', async () => {
    const root = temporaryFolder();
    const elsewhere = temporaryFolder();
    const outside = makeStore(elsewhere, null);
    mkdirSync(path.join(root, 'projects', 'linked'), { recursive: true });
    symlinkSync(outside, path.join(root, 'sessions'));
    symlinkSync(outside, path.join(root, 'projects', 'linked', 'sessions'));
    symlinkSync(path.join(elsewhere), path.join(root, 'projects', 'other'));
    const { log, watcher } = await startedSessionWatcher(root);
    writeFileSync(path.join(outside, `${id}.jsonl`), 'x');
    await wait(400);
    expect(log.keys()).toEqual([]);
    expect(watcher.status()).toMatchObject({ state: 'watching', reason: null });
  });

  test('a store that becomes a link is told', async () => {
    const root = temporaryFolder();
    const store = makeStore(root, null);
    const { log } = await startedSessionWatcher(root);
    const moved = path.join(temporaryFolder(), 'moved');
    renameSync(store, moved);
    symlinkSync(moved, store);
    await eventually('a look at the stores', () => log.has('stores') && log.has('store global'));
  });
});

describe('a store', () => {
  test('of a new project is watched from its first session on', async () => {
    const root = temporaryFolder();
    makeStore(root, null);
    makeStore(root, 'old');
    const { log } = await startedSessionWatcher(root);
    const store = makeStore(root, 'new');
    writeFileSync(path.join(store, `${id}.jsonl`), 'x');
    await eventually(
      'a look at the stores and at all of the new one',
      () => log.has('stores') && log.has('store project:new'),
    );
    await quietLog(log);
    log.clear();
    writeFileSync(path.join(store, `${id}.jsonl.meta`), 'x');
    await eventually('a hint for its entry', () => log.has(`files project:new/${id}.jsonl.meta`));
  });

  test('deleted and made again at once is still watched', async () => {
    const root = temporaryFolder();
    for (const slug of [null, 'work']) {
      const store = makeStore(root, slug);
      writeFileSync(path.join(store, `${id}.jsonl`), 'old');
    }
    const { log } = await startedSessionWatcher(root);
    const script = 'rm -rf "$1"; mkdir -p "$1"; printf x > "$1/again.jsonl"';
    for (const [slug, key] of [
      [null, 'global'],
      ['work', 'project:work'],
    ] as const) {
      const store = storeFolder(root, slug);
      for (let round = 0; round < 3; round += 1) {
        log.clear();
        execFileSync('sh', ['-c', script, 'sh', store]);
        await eventually('a look at all of it', () => log.has(`store ${key}`));
        await wait(700);
        log.clear();
        writeFileSync(path.join(store, `${round}.jsonl`), 'x');
        await eventually('a hint for a new entry', () => log.has(`files ${key}/${round}.jsonl`));
      }
    }
  });

  test('that goes is told, and watched again when it comes back', async () => {
    const root = temporaryFolder();
    makeStore(root, null);
    const store = makeStore(root, 'work');
    const { log } = await startedSessionWatcher(root);
    rmSync(store, { recursive: true });
    await eventually('its loss to be told', () => log.has('stores') && log.has('store project:work'));
    await quietLog(log);
    log.clear();
    mkdirSync(store);
    await eventually('its return to be told', () => log.has('stores') && log.has('store project:work'));
    await quietLog(log);
    log.clear();
    writeFileSync(path.join(store, `${id}.jsonl`), 'x');
    await eventually('a hint for its entry', () => log.has(`files project:work/${id}.jsonl`));
  });

  test('whose project folder is renamed is watched under its new name only', async () => {
    const root = temporaryFolder();
    const store = makeStore(root, 'before');
    writeFileSync(path.join(store, `${id}.jsonl`), 'x');
    const { log } = await startedSessionWatcher(root);
    renameSync(path.join(root, 'projects', 'before'), path.join(root, 'projects', 'after'));
    await eventually(
      'both names to be looked at',
      () => log.has('store project:before') && log.has('store project:after'),
    );
    await wait(300);
    await quietLog(log);
    log.clear();
    appendFileSync(path.join(storeFolder(root, 'after'), `${id}.jsonl`), 'more');
    await eventually('a hint under the new name', () => log.has(`files project:after/${id}.jsonl`));
    await quietLog(log);
    expect(log.keys().filter((key) => key.includes('before'))).toEqual([]);
  });

  test('renamed, with another one in its place, is the other one', async () => {
    const root = temporaryFolder();
    const store = makeStore(root, null);
    const { log } = await startedSessionWatcher(root);
    renameSync(store, path.join(root, 'old'));
    mkdirSync(store);
    await eventually('a look at all of it', () => log.has('store global'));
    await wait(300);
    await quietLog(log);
    log.clear();
    writeFileSync(path.join(root, 'old', 'a.jsonl'), 'x');
    writeFileSync(path.join(store, 'b.jsonl'), 'x');
    await eventually('a hint for the other one', () => log.has('files global/b.jsonl'));
    await quietLog(log);
    expect(log.keys()).not.toContain('files global/a.jsonl');
  });

  test('under a folder of projects that goes and comes back is watched again', async () => {
    const root = temporaryFolder();
    const store = makeStore(root, 'work');
    const { log } = await startedSessionWatcher(root);
    const projects = path.join(root, 'projects');
    renameSync(projects, `${projects}.bak`);
    await eventually('a complete look', () => log.has('all'));
    await quietLog(log);
    log.clear();
    renameSync(`${projects}.bak`, projects);
    await eventually('another complete look', () => log.has('all'));
    await quietLog(log);
    log.clear();
    writeFileSync(path.join(store, `${id}.jsonl`), 'x');
    await eventually('a hint for its entry', () => log.has(`files project:work/${id}.jsonl`));
  });
});

describe('the root', () => {
  test('may be absent: nothing is wrong then, nothing is made in its place, and it is found when it comes', async () => {
    const root = path.join(temporaryFolder(), 'not', 'yet');
    const { watcher, log } = await startedSessionWatcher(root);
    expect(watcher.status()).toMatchObject({ state: 'watching', reason: null });
    await wait(1200);
    expect(() => statSync(path.dirname(root))).toThrow(/ENOENT/);
    const store = makeStore(root, null);
    await eventually('a complete look', () => log.has('all'));
    await quietLog(log);
    log.clear();
    writeFileSync(path.join(store, `${id}.jsonl`), 'x');
    await eventually('a hint for an entry', () => log.has(`files global/${id}.jsonl`));
  });

  test('may be moved away and back: that is told, and it is watched again', async () => {
    const root = path.join(temporaryFolder(), 'root');
    const store = makeStore(root, null);
    const { watcher, log } = await startedSessionWatcher(root);
    renameSync(root, `${root}.bak`);
    await eventually('the loss to be told', () => watcher.status().state === 'degraded');
    expect(watcher.status().reason).toMatch(/^The sessions folder is not there\./);
    await eventually('a complete look', () => log.has('all'));
    renameSync(`${root}.bak`, root);
    log.clear();
    await eventually('the return to be told', () => watcher.status().state === 'watching');
    await quietLog(log);
    log.clear();
    writeFileSync(path.join(store, `${id}.jsonl`), 'x');
    await eventually('a hint for an entry', () => log.has(`files global/${id}.jsonl`));
  });

  test('may be a link', async () => {
    const real = temporaryFolder();
    const store = makeStore(real, null);
    const link = path.join(temporaryFolder(), 'link');
    symlinkSync(real, link);
    const { log } = await startedSessionWatcher(link);
    writeFileSync(path.join(store, `${id}.jsonl`), 'x');
    await eventually('a hint for an entry', () => log.has(`files global/${id}.jsonl`));
  });
});

/** Runs in a process of its own: appends to one log, 200 times a second for three seconds. */
const appender = `
  const { appendFileSync } = require('node:fs');
  const start = performance.now();
  let written = 0;
  const step = () => {
    while (written < 600 && performance.now() - start >= written * 5) appendFileSync(process.argv[1], ++written + '\\n');
    if (written < 600) setTimeout(step, 1);
  };
  step();
`;

/** Runs `look` once for each batch that came since the last time. Hints say where to look; what counts is what is seen then. */
const lookWhenTold = (log: SessionHintLog, look: () => void): void => {
  let looked = 0;
  const timer = setInterval(() => {
    if (log.batches.length === looked) return;
    looked = log.batches.length;
    look();
  }, 1);
  afterwards(() => clearInterval(timer));
};

test('a storm of appends by another process leads to about ten batches a second, and its last state is seen', async () => {
  const root = temporaryFolder();
  const store = makeStore(root, null);
  for (let index = 0; index < 500; index += 1) writeFileSync(path.join(store, `quiet-${index}.jsonl`), '');
  const { log } = await startedSessionWatcher(root);
  const busy = path.join(store, 'busy.events.jsonl');
  let seen = '';
  lookWhenTold(log, () => {
    seen = readFileSync(busy, 'utf8');
  });
  const child = spawn(process.execPath, ['-e', appender, busy], { stdio: 'ignore' });
  afterwards(() => child.kill());
  await once(child, 'exit');
  await eventually('the last line to be seen', () => seen.endsWith('\n600\n'));
  await quietLog(log);
  const [first, last] = [log.batches[0]?.at ?? 0, log.batches.at(-1)?.at ?? 0];
  expect(last - first).toBeGreaterThan(2000);
  expect(log.batches.length / ((last - first) / 1000)).toBeLessThanOrEqual(12);
  expect(new Set(log.keys())).toEqual(new Set(['files global/busy.events.jsonl']));
});

test('a mass of files that come and go leads to looks at the whole store, and its last state is seen', async () => {
  const root = temporaryFolder();
  const store = makeStore(root, null);
  const { log } = await startedSessionWatcher(root);
  const seen: number[] = [];
  lookWhenTold(log, () => seen.push(readdirSync(store).length));
  const mass = `
    const { writeFileSync, unlinkSync } = require('node:fs');
    for (let index = 0; index < 8000; index++) writeFileSync(process.argv[1] + '/' + index + '.jsonl', '');
    for (let index = 0; index < 8000; index++) unlinkSync(process.argv[1] + '/' + index + '.jsonl');
  `;
  const child = spawn(process.execPath, ['-e', mass, store], { stdio: 'ignore' });
  afterwards(() => child.kill());
  await once(child, 'exit');
  await eventually('the empty store to be seen', () => seen.length > 1 && seen.at(-1) === 0);
  await quietLog(log);
  expect(Math.max(...seen)).toBeGreaterThan(1000);
  expect(log.has('store global')).toBe(true);
  for (const { hints } of log.batches) {
    for (const hint of hints) if (hint.kind === 'files') expect(hint.names.length).toBeLessThanOrEqual(256);
  }
});
