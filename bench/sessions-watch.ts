import { type ChildProcess, fork } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bar } from './benchmark.ts';
import { withFolder } from './context-rig.ts';
import type { WatcherMessage } from './session-watcher.ts';
import { describeTimes, median, milliseconds, quantile } from './statistics.ts';

const sessions = 10_000;
const sidecarsEach = 20;
/** Half of the sessions are in the store for all, the others in those of so many projects. */
const projects = 10;
/** How often each side is started, in turn. */
const rounds = 5;
/** Appends to a transcript in each round. */
const appends = 30;
const ceiling = 60_000;

/** Most memory, in MB, that 200,000 sidecars may add. */
const memoryBar = 120;
/** What a start may take longer with sidecars, and a hold-up of the main thread or a hint, in ms. */
const readyAllowance = 250;
const heldAllowance = 16;
const hintAllowance = 20;

type Side = { root: string; target: string; runs: Run[] };
type Run = Extract<WatcherMessage, { kind: 'ready' }> & { hints: number[]; peak: number };

/** Watching 10,000 sessions with 200,000 sidecars beside the same sessions without any. */
export const measureSessionWatch = (print: (line: string) => void): Promise<Bar[]> =>
  withFolder(print, async (folder) => {
    const bare = makeSide(path.join(folder, 'bare'), 0);
    const full = makeSide(path.join(folder, 'full'), sidecarsEach);
    for (let round = 0; round < rounds; round += 1) {
      for (const side of round % 2 === 0 ? [bare, full] : [full, bare]) side.runs.push(await measureRun(side));
    }
    for (const [name, { runs }] of Object.entries({ 'without sidecars': bare, 'with sidecars': full })) {
      print(`${name}: memory ${median(runs.map((run) => run.peak)).toFixed(0)} MB at most`);
      print(`  until changes are told: ${describeTimes(runs.map((run) => run.ready))}`);
      print(`  append → hint: ${describeTimes(runs.flatMap((run) => run.hints))}`);
    }
    return judge(bare.runs, full.runs, print);
  });

const judge = (bare: readonly Run[], full: readonly Run[], print: (line: string) => void): Bar[] => {
  const more = (of: (run: Run) => number): number => median(full.map(of)) - median(bare.map(of));
  const memory = more((run) => run.peak);
  const ready = more((run) => run.ready);
  const held = more((run) => run.held);
  const returned = Math.max(...full.map((run) => run.returned));
  const late =
    quantile(
      full.flatMap((run) => run.hints),
      0.95,
    ) -
    quantile(
      bare.flatMap((run) => run.hints),
      0.95,
    );
  const bars: Bar[] = [
    {
      promise: `memory with ${sessions * sidecarsEach} sidecars at most ${memoryBar} MB over that without`,
      measured: `+ ${memory.toFixed(1)} MB`,
      held: memory <= memoryBar,
    },
    {
      promise: `nobody waits: changes are told at most ${readyAllowance} ms later, the main thread is held up at most ${heldAllowance} ms longer`,
      measured: `+ ${milliseconds(ready)}, + ${milliseconds(held)}; the call that starts it takes ${milliseconds(returned)} at most`,
      held: ready <= readyAllowance && held <= heldAllowance,
    },
    {
      promise: `append → hint, p95 at most ${hintAllowance} ms later`,
      measured: `+ ${milliseconds(late)}`,
      held: late <= hintAllowance,
    },
  ];
  const watches = full.map((run) => run.watches);
  if (watches.includes(null)) {
    print('how many watches there are cannot be told on this system');
    return bars;
  }
  // The root, its two folders, and of each project its folder and its store.
  const folders = 3 + 2 * projects;
  return [
    ...bars,
    {
      promise: `one watch for each of ${folders} folders, none for a file`,
      measured: `${[...new Set(watches)].join(', ')} watches`,
      held: watches.every((count) => count === folders),
    },
  ];
};

const makeSide = (root: string, sidecars: number): Side => {
  const shared = path.join(root, 'sessions');
  const stores = Array.from({ length: projects }, (_, index) =>
    path.join(root, 'projects', `project-${index}`, 'sessions'),
  );
  for (const store of [shared, ...stores]) mkdirSync(store, { recursive: true });
  let target = '';
  for (let index = 0; index < sessions; index += 1) {
    const store = index % 2 === 0 ? shared : (stores[Math.floor(index / 2) % projects] ?? shared);
    const id = `20260301-${String(index).padStart(6, '0')}.123456789-sidekeep`;
    target = path.join(store, `${id}.jsonl`);
    writeFileSync(target, '{"role":"user","content":"hello"}\n');
    for (let sidecar = 0; sidecar < sidecars; sidecar += 1) {
      writeFileSync(path.join(store, `${id}.sidecar-${sidecar}.json`), '{}');
    }
  }
  return { root, target, runs: [] };
};

const measureRun = async ({ root, target }: Side): Promise<Run> => {
  const child = fork(path.join(import.meta.dirname, 'session-watcher.ts'), [root]);
  // Without a listener, messages would be kept for the next one.
  child.on('message', () => {});
  try {
    const ready = await message(child, 'ready', () => true);
    const hints: number[] = [];
    for (let append = 0; append < appends; append += 1) {
      // Longer than a hint waits for its other half, so that none is of the append before.
      await wait(250 + Math.random() * 50);
      const began = Date.now();
      const told = message(child, 'hint', ({ names }) => names.includes(path.basename(target)));
      appendFileSync(target, '{"role":"user","content":"more"}\n');
      hints.push((await told).at - began);
    }
    const end = message(child, 'end', () => true);
    child.send('end');
    return { ...ready, hints, peak: (await end).peak };
  } finally {
    if (child.connected) child.disconnect();
    child.kill();
  }
};

/** Resolves with the next message of a kind that fits. */
const message = <Kind extends WatcherMessage['kind']>(
  child: ChildProcess,
  kind: Kind,
  fits: (message: Extract<WatcherMessage, { kind: Kind }>) => boolean,
): Promise<Extract<WatcherMessage, { kind: Kind }>> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => finish(() => reject(new Error(`Not within ${ceiling} ms: ${kind}`))), ceiling);
    const onExit = (code: number | null): void =>
      finish(() => reject(new Error(`The watcher ended with code ${code}`)));
    const onMessage = (received: WatcherMessage): void => {
      const wanted = received as Extract<WatcherMessage, { kind: Kind }>;
      if (received.kind === kind && fits(wanted)) finish(() => resolve(wanted));
    };
    const finish = (act: () => void): void => {
      clearTimeout(late);
      child.off('exit', onExit);
      child.off('message', onMessage);
      act();
    };
    child.on('exit', onExit);
    child.on('message', onMessage);
  });
