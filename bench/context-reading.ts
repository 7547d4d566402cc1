import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { CoreCalls } from '../src/sidekeep.ts';
import type { Bar } from './benchmark.ts';
import { contextFile, megabyte, textOf, writeFullProject, writeProject } from './context-load.ts';
import { measureInTurn, ratioBar, timed } from './context-pairs.ts';
import { caller, withCore } from './context-rig.ts';
import { median, milliseconds } from './statistics.ts';

const projectId = 'reading';

/** A context that is held in memory against reading and parsing its file of 1 MB. */
export const measureCachedReading = (print: (line: string) => void): Promise<Bar[]> =>
  withCore(
    [projectId],
    print,
    async ({ core, root }) => {
      const file = contextFile(root, projectId);
      await core.calls.context.get({ projectId }, caller);
      await wait(500);
      const samples = await measureInTurn(
        { rounds: 200, warmUp: 20 },
        () => timed(() => core.calls.context.get({ projectId }, caller)),
        () => timed(async () => JSON.parse(await readFile(file, 'utf8'))),
      );
      return [
        ratioBar({
          promise: 'context.get of what is in memory takes at most a tenth of reading and parsing its file of 1 MB',
          samples,
          names: ['get', 'read and parse'],
          unit: 'ms',
          bound: { atMost: 0.1 },
        }),
      ];
    },
    async (root) => {
      await writeProject(root, projectId, megabyte());
    },
  );

/** What the event loop may be late by beyond an idle one, at the 99th percentile, in ms. */
const allowance = 16;
const loads = 5;
const rounds = 30;

/** How late the event loop was while something ran, in ms. */
type Delay = { p99: number; most: number };

/** How late the event loop gets while a project with every list full is loaded and worked with, each from the start. */
export const measureEventLoop = async (print: (line: string) => void): Promise<Bar[]> => {
  const delays: Record<'idle' | 'loading' | 'working', Delay[]> = { idle: [], loading: [], working: [] };
  for (let load = 0; load < loads; load += 1) {
    await withCore(
      [projectId],
      print,
      async ({ core }) => {
        await wait(500);
        delays.idle.push(await delayDuring(() => wait(1500)));
        delays.loading.push(await delayDuring(() => core.calls.context.get({ projectId }, caller)));
        await wait(300);
        delays.working.push(await delayDuring(() => work(core.calls)));
      },
      async (root) => {
        await writeFullProject(root, projectId);
      },
    );
  }
  const p99Of = (name: keyof typeof delays): number => median(delays[name].map(({ p99 }) => p99));
  const mostOf = (name: keyof typeof delays): number => Math.max(...delays[name].map(({ most }) => most));
  return (['loading', 'working'] as const).map((name) => {
    const difference = p99Of(name) - p99Of('idle');
    return {
      promise: `event loop while ${name} 200 notes, 500 todos and 500 plans of 200 kB, p99 at most idle + ${allowance} ms`,
      measured:
        `+ ${milliseconds(difference)} (${milliseconds(p99Of(name))}, idle ${milliseconds(p99Of('idle'))}; most ever ` +
        `${milliseconds(mostOf(name))}, idle ${milliseconds(mostOf('idle'))}; medians of ${loads} runs)`,
      held: difference <= allowance,
    };
  });
};

const delayDuring = async (act: () => Promise<unknown>): Promise<Delay> => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  try {
    await act();
  } finally {
    delay.disable();
  }
  return { p99: delay.percentile(99) / 1e6, most: delay.max / 1e6 };
};

/** A bit of everything, without a pause: what a person does in an hour. */
const work = async ({ context, notes, todos, plans }: CoreCalls): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    await notes.update({ projectId, noteId: `note-${round}`, body: textOf(`Changed ${round}.`, 2000) }, caller);
    await todos.update({ projectId, todoId: `todo-${round}`, completed: true }, caller);
    const { raw, revision } = await plans.read({ projectId, planId: `plan-${round}` }, caller);
    const edited = raw.replace('A line', `Line ${round}`);
    await plans.update({ projectId, planId: `plan-${round}`, raw: edited, revision }, caller);
    await context.get({ projectId }, caller);
  }
};
