import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, renameSync, statSync, truncateSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type ContextStore, openContextStore } from '../../src/context/index.ts';
import { applyContextChange } from '../../src/contract/context-change.ts';
import type { ContextSnapshot, WatcherStatus } from '../../src/contract/entities.ts';
import { startContextFeed } from '../../src/watch/context-feed.ts';
import { afterwards, eventually, makeProject, replaceFile, temporaryFolder } from './support.ts';

const projectId = 'p1';
const planFile = '1700000000-alpha.md';

const contextText = (...notes: string[]): string =>
  JSON.stringify(
    {
      version: 2,
      notes: notes.map((body, index) => ({
        id: `n${index}`,
        body,
        createdAt: 1_700_000_000_000 + index,
        updatedAt: 1_700_000_000_000 + index,
        source: 'manual',
      })),
      todos: [],
      plans: [{ id: 'a', file: planFile, title: 'Alpha', createdAt: 1_700_000_000_000 }],
    },
    null,
    2,
  );

/** The real store and the real watcher on one root, and a window's view kept up to date by pushes alone. */
const fedStore = async () => {
  const root = temporaryFolder();
  const project = makeProject(root, projectId, contextText('start'));
  writeFileSync(project.plan(planFile), '# Alpha\n\nbody\n');
  const pushes: ContextSnapshot[] = [];
  const problems: unknown[] = [];
  let view: ContextSnapshot | null = null;
  let projectLooks = 0;
  const store: ContextStore = openContextStore({
    root,
    isKnownProject: () => true,
    onEvent: (event) => {
      if (event.kind === 'problem') {
        problems.push(event.error);
        return;
      }
      view = applyContextChange(view, event.change);
      if (view !== null) pushes.push(view);
    },
    report: (_where, error) => problems.push(error),
  });
  afterwards(() => store.dispose());
  const statuses: WatcherStatus[] = [];
  const feed = startContextFeed({
    root,
    store,
    onProjects: () => {
      projectLooks += 1;
    },
    onStatus: (status) => statuses.push(status),
    report: (problem) => problems.push(problem),
  });
  afterwards(() => feed.dispose());
  view = await store.context.get({ projectId });
  await eventually('the root to be watched', () => feed.status().state === 'watching');
  await wait(300);
  const notes = (): string[] => view?.notes.map((note) => note.body) ?? [];
  return { store, feed, project, pushes, problems, notes, view: () => view, projectLooks: () => projectLooks };
};

const bodiesOf = (snapshot: ContextSnapshot): string[] => snapshot.notes.map((note) => note.body);

describe('a change by another program', () => {
  test('is pushed once, however it is saved', async () => {
    const { project, pushes, notes, problems } = await fedStore();
    const ways: ((text: string) => void)[] = [
      (text) => writeFileSync(project.context, text),
      (text) => replaceFile(project.context, text),
      (text) => {
        unlinkSync(project.context);
        writeFileSync(project.context, text);
      },
    ];
    for (const [index, save] of ways.entries()) {
      pushes.length = 0;
      save(contextText(`save ${index}`));
      await eventually(`save ${index}`, () => notes()[0] === `save ${index}`);
      await wait(400);
      expect(pushes).toHaveLength(1);
    }
    expect(problems).toEqual([]);
  });

  test('that changes no byte is not pushed', async () => {
    const { project, pushes } = await fedStore();
    writeFileSync(project.context, contextText('start'));
    replaceFile(project.context, contextText('start'));
    utimesSync(project.context, new Date(), new Date());
    await wait(600);
    expect(pushes).toEqual([]);
  });

  // Zettlr/Zettlr#4394
  test('that keeps size and time is pushed, in place and by a rename', async () => {
    const { project, notes } = await fedStore();
    const { atime, mtime } = statSync(project.context);
    const other = `${project.context}.other`;
    writeFileSync(other, contextText('sTart'));
    utimesSync(other, atime, mtime);
    renameSync(other, project.context);
    await eventually('the replaced text', () => notes()[0] === 'sTart');
    writeFileSync(project.context, contextText('stArt'));
    utimesSync(project.context, atime, mtime);
    await eventually('the overwritten text', () => notes()[0] === 'stArt');
  });

  // graphpilot-oss/graphpilot#31, paulmillr/chokidar#421
  test('by twenty renames of another process is pushed once each and never empties the view', async () => {
    const { project, pushes, notes, problems } = await fedStore();
    const writer = `
      const { writeFileSync, renameSync } = require('node:fs');
      const [target, ...texts] = process.argv.slice(1);
      const next = () => {
        const text = texts.shift();
        if (text === undefined) return;
        const temporary = target + '.tmp-' + process.pid + '-' + Date.now() + '-ab12';
        writeFileSync(temporary, text);
        renameSync(temporary, target);
        setTimeout(next, 200);
      };
      next();
    `;
    const texts = Array.from({ length: 20 }, (_, index) => contextText(`save ${index}`));
    const child = spawn(process.execPath, ['-e', writer, project.context, ...texts], { stdio: 'ignore' });
    afterwards(() => child.kill());
    await once(child, 'exit');
    await eventually('the last save', () => notes()[0] === 'save 19');
    await wait(400);
    const bodies = pushes.map((push) => bodiesOf(push)[0]);
    expect(bodies).not.toContain(undefined);
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(bodies.at(-1)).toBe('save 19');
    expect(problems).toEqual([]);
  });

  // tailwindlabs/tailwindcss#9072
  test('that is written in halves shows when it is whole; until then the view stays', async () => {
    const { project, pushes, notes, problems } = await fedStore();
    const text = contextText('a whole sentence');
    truncateSync(project.context, 0);
    await wait(300);
    appendFileSync(project.context, text.slice(0, text.length / 2));
    await wait(300);
    appendFileSync(project.context, text.slice(text.length / 2));
    await eventually('the whole', () => notes()[0] === 'a whole sentence');
    await wait(400);
    expect(pushes.map(bodiesOf)).toEqual([['a whole sentence']]);
    expect(problems).toEqual([]);
  });
});

// laurent22/joplin#10186, #10672, paulmillr/chokidar#1293
test('five saves of a plan by an editor show each time, and nothing is written by us', async () => {
  const { project, store, view } = await fedStore();
  const plan = project.plan(planFile);
  const before = statSync(project.context, { bigint: true }).ctimeNs;
  const ways: ((text: string) => void)[] = [
    (text) => writeFileSync(plan, text),
    (text) => replaceFile(plan, text),
    (text) => {
      unlinkSync(plan);
      writeFileSync(plan, text);
    },
  ];
  for (let save = 0; save < 5; save += 1) {
    const text = `# Title ${save}\n\nbody ${save}\n`;
    ways[save % ways.length]?.(text);
    await eventually(`the title of save ${save}`, () => view()?.plans[0]?.title === `Title ${save}`);
    const document = await store.plans.read({ projectId, planId: 'a' });
    expect(document.raw).toBe(text);
    await wait(400);
  }
  expect(statSync(project.context, { bigint: true }).ctimeNs).toBe(before);
});

describe('our own writes', () => {
  test('are pushed once each: by the call, not again by the watcher', async () => {
    const { store, pushes, notes, problems } = await fedStore();
    for (let index = 0; index < 10; index += 1) {
      await store.notes.create({ projectId, body: `mine ${index}` });
      await wait(5 + 4 * index);
    }
    await store.plans.create({ projectId, title: 'Beta', body: 'text' });
    await wait(800);
    expect(notes()).toHaveLength(11);
    expect(pushes).toHaveLength(11);
    expect(problems).toEqual([]);
  });
});

/** Pauses in ms between the two writes of a pair: where a joined or early event would leave the first one standing. */
const pairPauses = Array.from({ length: 50 }, (_, index) => 5 + (index * 40) / 49);

describe('pairs of quick writes 5 to 45 ms apart', () => {
  test('by another program never leave the first one standing', async () => {
    const { project, notes, pushes } = await fedStore();
    for (const [index, pause] of pairPauses.entries()) {
      const save = index % 2 === 0 ? writeFileSync : replaceFile;
      // The two have the same size.
      save(project.context, contextText(`pair ${index} first`));
      await wait(pause);
      save(project.context, contextText(`pair ${index} final`));
      await eventually(`the second write of pair ${index}`, () => notes()[0] === `pair ${index} final`);
    }
    await wait(400);
    expect(notes()).toEqual([`pair ${pairPauses.length - 1} final`]);
    expect(new Set(pushes.map((push) => bodiesOf(push)[0])).size).toBe(pushes.length);
  });

  test('by ourselves give one push each', async () => {
    const { store, pushes, view } = await fedStore();
    for (const [index, pause] of pairPauses.entries()) {
      const noteId = view()?.notes[0]?.id ?? '';
      await store.notes.update({ projectId, noteId, body: `pair ${index} first` });
      await wait(pause);
      await store.notes.update({ projectId, noteId, body: `pair ${index} final` });
    }
    await wait(800);
    expect(pushes.map((push) => bodiesOf(push)[0])).toEqual(
      pairPauses.flatMap((_, index) => [`pair ${index} first`, `pair ${index} final`]),
    );
  });
});

test('a project folder that comes or goes leads to a look at the list of projects', async () => {
  const { feed, project, projectLooks } = await fedStore();
  const before = projectLooks();
  makeProject(project.folder.replace(/\/projects\/p1$/, ''), 'p2');
  await eventually('a look at the list', () => projectLooks() > before);
  const after = projectLooks();
  feed.rescan();
  await eventually('a look when asked', () => projectLooks() > after);
});
