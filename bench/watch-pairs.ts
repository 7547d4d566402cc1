import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ContextStore, openContextStore } from '../src/context/index.ts';
import { applyContextChange } from '../src/contract/context-change.ts';
import type { ContextSnapshot } from '../src/contract/entities.ts';
import { startContextFeed } from '../src/watch/context-feed.ts';
import type { Watcher } from '../src/watch/watcher.ts';
import type { Bar } from './benchmark.ts';
import { contextWith, makeProjectFolder, saveAs, saveStyles } from './context-sample.ts';
import { describeTimes } from './statistics.ts';

const pairs = 1000;
/** Projects that are written side by side, so that the pairs also disturb each other. */
const lanes = 8;
/** After this many ms a final content that is not shown counts as stale. */
const staleAfter = 2000;
/** An echo would come within this many ms of the last write. */
const echoTime = 1500;

/** Pause between the two writes of a pair: 5 to 45 ms. */
const pairPause = (index: number): number => 5 + (index * 40) / (pairs - 1);

/** The store and the watcher on one root, and for each project what a window would show and how often it was told. */
type Bench = {
  store: ContextStore;
  feed: Watcher;
  files: string[];
  views: Map<string, ContextSnapshot>;
  pushes: Map<string, number>;
  problems: string[];
};

const projectOf = (lane: number): string => `lane-${lane}`;

/** Quick writes by another program and by ourselves, through the real store and watcher. */
export const measurePairs = async (print: (line: string) => void): Promise<Bar[]> => {
  const root = mkdtempSync(path.join(tmpdir(), 'sidekeep-bench-'));
  const bench = await open(root);
  try {
    return [...(await writeFromOutside(bench, print)), ...(await writeOurselves(bench, print)), noProblems(bench)];
  } finally {
    await bench.feed.dispose();
    await bench.store.dispose();
    rmSync(root, { recursive: true, force: true });
  }
};

const open = async (root: string): Promise<Bench> => {
  const views = new Map<string, ContextSnapshot>();
  const pushes = new Map<string, number>();
  const problems: string[] = [];
  const files = Array.from({ length: lanes }, (_, lane) => makeProjectFolder(root, projectOf(lane)));
  for (const file of files) saveAs('in place', file, contextWith('start'));
  const store = openContextStore({
    root,
    isKnownProject: () => true,
    onEvent: (event) => {
      if (event.kind === 'problem') {
        problems.push(event.error.message);
        return;
      }
      const { projectId } = event.change;
      const view = applyContextChange(views.get(projectId) ?? null, event.change);
      if (view === null) throw new Error(`a push for ${projectId} does not follow the one before`);
      views.set(projectId, view);
      pushes.set(projectId, (pushes.get(projectId) ?? 0) + 1);
    },
    report: (where, error) => problems.push(`${where}: ${String(error)}`),
  });
  for (let lane = 0; lane < lanes; lane += 1) {
    const projectId = projectOf(lane);
    views.set(projectId, await store.context.get({ projectId }));
  }
  const feed = startContextFeed({
    root,
    store,
    onProjects: () => {},
    report: (problem) => problems.push(problem.message),
  });
  while (feed.status().state !== 'watching') await wait(10);
  await wait(500);
  return { store, feed, files, views, pushes, problems };
};

const newestNote = (bench: Bench, lane: number): string => bench.views.get(projectOf(lane))?.notes[0]?.body ?? '';

const pushCount = (bench: Bench): number => [...bench.pushes.values()].reduce((sum, count) => sum + count, 0);

/** Runs `act` for every pair, the lanes side by side. */
const inLanes = (act: (pair: number, lane: number) => Promise<void>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let pair = lane; pair < pairs; pair += lanes) await act(pair, lane);
    }),
  );

const writeFromOutside = async (bench: Bench, print: (line: string) => void): Promise<Bar[]> => {
  const times: number[] = [];
  let stale = 0;
  await inLanes(async (pair, lane) => {
    const file = bench.files[lane];
    const style = saveStyles[Math.floor(pair / lanes) % saveStyles.length];
    if (file === undefined || style === undefined) throw new Error('every lane has a file');
    // Both texts have the same length: size tells the two writes apart in no case.
    saveAs(style, file, contextWith(`pair ${pair} first`));
    await wait(pairPause(pair));
    const final = `pair ${pair} final`;
    const began = saveAs(style, file, contextWith(final));
    while (newestNote(bench, lane) !== final && Date.now() - began < staleAfter) await wait(2);
    if (newestNote(bench, lane) === final) times.push(Date.now() - began);
    else stale += 1;
  });
  const afterLast = pushCount(bench);
  await wait(echoTime);
  print(`second write of a pair → push: ${describeTimes(times)}`);
  return [
    {
      promise: `${pairs} pairs of writes by another program, 5 to 45 ms apart: no stale final content`,
      measured: `${stale} stale after ${staleAfter} ms`,
      held: stale === 0,
    },
    {
      promise: 'nothing is pushed after the last of them',
      measured: `${pushCount(bench) - afterLast} pushes`,
      held: pushCount(bench) === afterLast,
    },
  ];
};

const writeOurselves = async (bench: Bench, print: (line: string) => void): Promise<Bar[]> => {
  const before = pushCount(bench);
  await inLanes(async (pair, lane) => {
    const projectId = projectOf(lane);
    const noteId = bench.views.get(projectId)?.notes[0]?.id ?? '';
    await bench.store.notes.update({ projectId, noteId, body: `own ${pair} first` });
    await wait(pairPause(pair));
    await bench.store.notes.update({ projectId, noteId, body: `own ${pair} final` });
  });
  await wait(echoTime);
  const told = pushCount(bench) - before;
  const writes = 2 * pairs;
  const lost = Array.from({ length: lanes }, (_, lane) => newestNote(bench, lane)).filter(
    (body) => !/final$/.test(body),
  );
  print(`own writes: ${writes}, pushes: ${told}`);
  return [
    {
      promise: `${pairs} pairs of our own writes, 5 to 45 ms apart: one push each, no echo`,
      measured: `${told - writes} more pushes than writes, ${lost.length} of ${lanes} projects without their last content`,
      held: told === writes && lost.length === 0,
    },
  ];
};

const noProblems = ({ problems }: Bench): Bar => ({
  promise: 'nothing was unreadable meanwhile',
  measured: problems.length === 0 ? 'no problem told' : `${problems.length} told, first: ${problems[0]}`,
  held: problems.length === 0,
});
