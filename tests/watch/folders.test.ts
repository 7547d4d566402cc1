import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  eventually,
  makeProject,
  projectPaths,
  quiet,
  replaceFile,
  startedWatcher,
  temporaryFolder,
} from './support.ts';

/** Real folders, the real worker and real chokidar. */

describe('a change of a file', () => {
  test.each<[string, (target: string) => void]>([
    ['written in place', (target) => writeFileSync(target, 'new')],
    ['replaced by a rename', (target) => replaceFile(target, 'new')],
    [
      'deleted and created',
      (target) => {
        unlinkSync(target);
        writeFileSync(target, 'new');
      },
    ],
    // Zettlr/Zettlr#4394: an edit that keeps size and time.
    [
      'replaced by one of the same size and time',
      (target) => {
        const { atime, mtime } = statSync(target);
        const other = `${target}.other`;
        writeFileSync(other, 'nEw');
        utimesSync(other, atime, mtime);
        renameSync(other, target);
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
  ])('is noticed when it is %s', async (_how, change) => {
    const root = temporaryFolder();
    const project = makeProject(root, 'p1', 'old');
    writeFileSync(project.plan('1-a.md'), 'old');
    const { log } = await startedWatcher(root);
    change(project.context);
    await eventually('a hint for the context', () => log.has('context p1'));
    change(project.plan('1-a.md'));
    await eventually('a hint for the plan', () => log.has('plan p1 1-a.md'));
  });

  test('is noticed each time of many, however the editor saves', async () => {
    const root = temporaryFolder();
    const project = makeProject(root, 'p1');
    const plan = project.plan('1700000000-alpha.md');
    writeFileSync(plan, '# Alpha\n');
    const { log } = await startedWatcher(root);
    const ways = [
      (text: string) => writeFileSync(plan, text),
      (text: string) => replaceFile(plan, text),
      (text: string) => {
        unlinkSync(plan);
        writeFileSync(plan, text);
      },
    ];
    for (let save = 0; save < 6; save += 1) {
      log.clear();
      ways[save % ways.length]?.(`# Save ${save}\n`);
      await eventually(`a hint for save ${save}`, () => log.has('plan p1 1700000000-alpha.md'));
      await wait(100);
    }
  });
});

describe('what is no change', () => {
  test("temporary files, other programs' files and the rest of the root give no hint", async () => {
    const root = temporaryFolder();
    const project = makeProject(root, 'p1');
    mkdirSync(path.join(root, 'chats', '2026-03-01', 'session-1'), { recursive: true });
    const { log } = await startedWatcher(root);
    writeFileSync(path.join(root, 'settings.json'), '{}');
    writeFileSync(path.join(root, '.sidekeep-owner.json'), '{}');
    writeFileSync(path.join(root, 'chats', '2026-03-01', 'session-1', 'notes.md'), 'x');
    writeFileSync(path.join(project.folder, `.context.json.${process.pid}-a1b2c3d4e5f6.tmp`), '{');
    writeFileSync(path.join(project.folder, 'context.json.tmp-4711-1700000000000-9f8e7d'), '{');
    writeFileSync(path.join(project.plans, '1-a.md.tmp-4711-1700000000000-9f8e7d'), '#');
    mkdirSync(path.join(project.folder, '.sidekeep', 'trash'), { recursive: true });
    writeFileSync(path.join(project.folder, '.sidekeep', 'trash', '1.json'), '{}');
    await wait(500);
    expect(log.keys()).toEqual([]);
  });

  test('links below the root are not followed', async () => {
    const root = temporaryFolder();
    const elsewhere = temporaryFolder();
    makeProject(root, 'p1');
    const outside = makeProject(elsewhere, 'p2');
    symlinkSync(outside.folder, path.join(root, 'projects', 'p2'));
    const { log } = await startedWatcher(root);
    replaceFile(outside.context, '{"version":2,"notes":[]}');
    await wait(400);
    expect(log.keys()).toEqual([]);
  });
});

describe('a folder', () => {
  // paulmillr/chokidar#1042, modem-dev/hunk#1077
  test('deleted and made again at once is still watched, with its plans', async () => {
    const root = temporaryFolder();
    const project = makeProject(root, 'p1');
    writeFileSync(project.plan('1-a.md'), '# A');
    const { log } = await startedWatcher(root);
    const script = 'rm -rf "$1"; mkdir -p "$1/plans"; printf x > "$1/context.json"; printf y > "$1/plans/1-a.md"';
    for (let round = 0; round < 3; round += 1) {
      log.clear();
      execFileSync('sh', ['-c', script, 'sh', project.folder]);
      await eventually('a hint for the new folder', () => log.has('context p1'));
      await wait(1000);
      log.clear();
      writeFileSync(project.context, `changed ${round}`);
      writeFileSync(project.plan('1-a.md'), `changed ${round}`);
      await eventually('a hint for the second change', () => log.has('context p1') && log.has('plan p1 1-a.md'));
    }
  });

  test('of a new project is watched, with its plans, and shows in the project list', async () => {
    const root = temporaryFolder();
    makeProject(root, 'p1');
    const { log } = await startedWatcher(root);
    const project = makeProject(root, 'p2');
    await eventually('hints for the project', () => log.has('projects') && log.has('context p2'));
    await quiet(log);
    log.clear();
    writeFileSync(project.plan('1-a.md'), '# A');
    await eventually('a hint for its plan', () => log.has('plan p2 1-a.md'));
    log.clear();
    writeFileSync(project.legacy, '{}');
    await eventually('a hint for its legacy file', () => log.has('legacy p2'));
    log.clear();
    rmSync(project.folder, { recursive: true });
    await eventually('a hint for its removal', () => log.has('projects') && log.has('context p2'));
  });

  test('of plans made later is watched', async () => {
    const root = temporaryFolder();
    const project = makeProject(root, 'p1');
    rmSync(project.plans, { recursive: true });
    const { log } = await startedWatcher(root);
    mkdirSync(project.plans);
    writeFileSync(project.plan('1-a.md'), '# A');
    await eventually('a hint for the first plan', () => log.has('plan p1 1-a.md'));
    log.clear();
    writeFileSync(project.plan('2-b.md'), '# B');
    await eventually('a hint for the second plan', () => log.has('plan p1 2-b.md'));
  });

  test('projects may be missing at first and may go and come back', async () => {
    const root = temporaryFolder();
    const projects = path.join(root, 'projects');
    const { log } = await startedWatcher(root);
    const project = makeProject(root, 'p1');
    await log.waitFor('context p1');
    await quiet(log);
    renameSync(projects, `${projects}.bak`);
    log.clear();
    await eventually('a complete look', () => log.has('all'));
    renameSync(`${projects}.bak`, projects);
    log.clear();
    await eventually('another complete look', () => log.has('all'));
    await quiet(log);
    log.clear();
    writeFileSync(project.context, 'changed');
    await eventually('a hint for the context', () => log.has('context p1'));
  });
});

describe('the root', () => {
  // rowboatlabs/rowboat#746, paulmillr/chokidar#555, paulmillr/chokidar#1278
  test('may be absent at first: nothing is wrong then, that is said, and it is found when it comes', async () => {
    const parent = temporaryFolder();
    const root = path.join(parent, 'not', 'yet');
    const { watcher, log } = await startedWatcher(root);
    expect(watcher.status()).toMatchObject({
      state: 'watching',
      reason: expect.stringMatching(/There is no data folder yet/),
    });
    expect(watcher.status().reason).not.toContain(parent);
    const project = makeProject(root, 'p1');
    await eventually('the root to be watched', () => watcher.status().reason === null);
    expect(watcher.status().state).toBe('watching');
    await log.waitFor('all');
    await quiet(log);
    log.clear();
    writeFileSync(project.context, 'changed');
    await eventually('a hint for the context', () => log.has('context p1'));
  });

  test('may be moved away and back: nothing is made in its place, and it is watched again', async () => {
    const parent = temporaryFolder();
    const root = path.join(parent, 'root');
    const project = makeProject(root, 'p1');
    const { watcher, log } = await startedWatcher(root);
    renameSync(root, `${root}.bak`);
    await eventually('the loss to be told', () => watcher.status().state === 'degraded');
    await eventually('a complete look', () => log.has('all'));
    expect(() => statSync(root)).toThrow(/ENOENT/);
    renameSync(`${root}.bak`, root);
    log.clear();
    await eventually('the return to be told', () => watcher.status().state === 'watching');
    await eventually('a complete look', () => log.has('all'));
    await quiet(log);
    log.clear();
    writeFileSync(project.context, 'changed');
    await eventually('a hint for the context', () => log.has('context p1'));
  });

  test('may be replaced by another folder at once', async () => {
    const parent = temporaryFolder();
    const root = path.join(parent, 'root');
    makeProject(root, 'p1');
    makeProject(path.join(parent, 'other'), 'p1');
    const { log } = await startedWatcher(root);
    renameSync(root, path.join(parent, 'old'));
    renameSync(path.join(parent, 'other'), root);
    await eventually('a complete look', () => log.has('all'));
    await wait(1500);
    await quiet(log);
    log.clear();
    writeFileSync(projectPaths(root, 'p1').context, 'changed');
    await eventually('a hint for the context', () => log.has('context p1'));
    await quiet(log);
    log.clear();
    writeFileSync(projectPaths(path.join(parent, 'old'), 'p1').context, 'changed');
    await wait(400);
    expect(log.keys()).toEqual([]);
  });

  test('may be a link', async () => {
    const real = temporaryFolder();
    const project = makeProject(real, 'p1');
    const link = path.join(temporaryFolder(), 'link');
    symlinkSync(real, link);
    const { watcher, log } = await startedWatcher(link);
    expect(watcher.status().state).toBe('watching');
    replaceFile(project.context, 'changed');
    await eventually('a hint for the context', () => log.has('context p1'));
  });

  test('may have a name that looks like a backup file', async () => {
    const root = path.join(temporaryFolder(), 'data~');
    const project = makeProject(root, 'a.b.swp');
    const { log } = await startedWatcher(root);
    writeFileSync(project.context, 'changed');
    await eventually('a hint for the context', () => log.has('context a.b.swp'));
  });
});
