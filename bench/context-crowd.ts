import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { openContextStore } from '../src/context/index.ts';
import { nodeFileSystem } from '../src/files/index.ts';
import type { Bar } from './benchmark.ts';
import { contextFile, storedNotes, textOf, writeProject } from './context-load.ts';
import { measureInTurn, ratioBar, timed } from './context-pairs.ts';
import { caller, counting, withCore, withFolder, writeByHand } from './context-rig.ts';
import { quantile } from './statistics.ts';

const projectId = 'crowd';
const noteUnits = 300;

const burst = 100;
const burstRuns = 20;

/** How many durable writes a burst of notes costs, counted at the calls to the system. */
export const countBurst = (print: (line: string) => void): Promise<Bar[]> =>
  withFolder(print, async (root) => {
    const { fileSystem, counts } = counting(nodeFileSystem);
    const problems: unknown[] = [];
    const store = openContextStore({
      root,
      fileSystem,
      isKnownProject: () => true,
      onEvent: () => {},
      report: (_where, error) => problems.push(error),
    });
    const writes: number[] = [];
    try {
      for (let run = 0; run < burstRuns; run += 1) {
        const target = `${projectId}-${run}`;
        await writeProject(root, target, { notes: storedNotes(20, noteUnits) });
        await store.context.get({ projectId: target });
        const before = { synced: counts.fileSyncs, replaced: counts.replaced.get('context.json') ?? 0 };
        const notes = Array.from({ length: burst }, (_, index) => textOf(`Note ${index} of ${run}.`, noteUnits));
        await Promise.all(notes.map((body) => store.notes.create({ projectId: target, body, source: 'manual' })));
        const synced = counts.fileSyncs - before.synced;
        const replaced = (counts.replaced.get('context.json') ?? 0) - before.replaced;
        writes.push(Math.max(synced, replaced));
        await checkBurst(contextFile(root, target), notes);
      }
    } finally {
      await store.dispose();
    }
    if (problems.length > 0) throw new AggregateError(problems, 'The store reported problems.');
    return [
      {
        promise: `${burst} notes at once cost at most 6 durable writes`,
        measured: `at most ${quantile(writes, 1)}, median ${quantile(writes, 0.5)}, ${writes.length} runs`,
        held: quantile(writes, 1) <= 6,
      },
    ];
  });

const checkBurst = async (file: string, bodies: readonly string[]): Promise<void> => {
  const { notes } = JSON.parse(await readFile(file, 'utf8')) as { notes: { body: string }[] };
  const stored = new Set(notes.map((note) => note.body));
  if (bodies.some((body) => !stored.has(body))) throw new Error('A note that was acknowledged is not in the file.');
};

const callers = 32;
const updatesPerCaller = 25;
const writesByHand = 60;

/** Many callers that change the notes of one project, each waiting for its answer, against writes by hand one by one. */
export const measureCallers = (print: (line: string) => void): Promise<Bar[]> => {
  const notes = storedNotes(200, noteUnits);
  return withCore(
    [projectId],
    print,
    async ({ core, root, beside }) => {
      const copy = path.join(beside, 'by-hand.json');
      await core.calls.context.get({ projectId }, caller);
      const update = async (round: number, who: number): Promise<void> => {
        for (let turn = 0; turn < updatesPerCaller; turn += 1) {
          const note = notes[(who * updatesPerCaller + turn) % notes.length];
          if (note === undefined) throw new Error('a sample has notes');
          const body = textOf(`Round ${round}, caller ${who}, turn ${turn}.`, noteUnits);
          await core.calls.notes.update({ projectId, noteId: note.id, body }, caller);
        }
      };
      const samples = await measureInTurn(
        { rounds: 9, warmUp: 8, rest: 300 },
        async (round) => {
          const time = await timed(() => Promise.all(Array.from({ length: callers }, (_, who) => update(round, who))));
          return (callers * updatesPerCaller * 1000) / time;
        },
        async () => {
          const bytes = await readFile(contextFile(root, projectId));
          const time = await timed(async () => {
            for (let turn = 0; turn < writesByHand; turn += 1) await writeByHand(copy, bytes);
          });
          return (writesByHand * 1000) / time;
        },
      );
      return [
        ratioBar({
          promise: `${callers} callers changing 200 notes of one project make at least 10 times the changes per second of writes by hand one by one`,
          samples,
          names: ['changes', 'writes by hand'],
          unit: 'per second',
          bound: { atLeast: 10 },
        }),
      ];
    },
    async (root) => {
      await writeProject(root, projectId, { notes });
    },
  );
};

const projects = Array.from({ length: 32 }, (_, index) => `project-${index}`);
const notesPerRound = 6;

/** Many projects that get notes at once, against as many writers by hand. */
export const measureProjects = (print: (line: string) => void): Promise<Bar[]> =>
  withCore(
    projects,
    print,
    async ({ core, root, beside }) => {
      const perRound = projects.length * notesPerRound;
      const handFile = (id: string): string => path.join(beside, 'by-hand', id, 'context.json');
      for (const id of projects) {
        await mkdir(path.dirname(handFile(id)), { recursive: true });
        await core.calls.context.get({ projectId: id }, caller);
      }
      const addNotes = async (id: string, round: number): Promise<void> => {
        for (let turn = 0; turn < notesPerRound; turn += 1) {
          const body = textOf(`Round ${round}, turn ${turn}.`, noteUnits);
          await core.calls.notes.create({ projectId: id, body, source: 'manual' }, caller);
        }
      };
      const samples = await measureInTurn(
        { rounds: 11, warmUp: 10, rest: 300 },
        async (round) => {
          const time = await timed(() => Promise.all(projects.map((id) => addNotes(id, round))));
          return (perRound * 1000) / time;
        },
        async () => {
          const jobs = await Promise.all(
            projects.map(async (id) => ({ id, bytes: await readFile(contextFile(root, id)) })),
          );
          const write = async ({ id, bytes }: (typeof jobs)[number]): Promise<void> => {
            for (let turn = 0; turn < notesPerRound; turn += 1) await writeByHand(handFile(id), bytes);
          };
          const time = await timed(() => Promise.all(jobs.map(write)));
          return (perRound * 1000) / time;
        },
      );
      return [
        ratioBar({
          promise: `${projects.length} projects at once reach at least 0.8 times the writes per second of as many writers by hand`,
          samples,
          names: ['notes', 'writes by hand'],
          unit: 'per second',
          bound: { atLeast: 0.8 },
        }),
      ];
    },
    async (root) => {
      for (const id of projects) await writeProject(root, id, { notes: storedNotes(20, noteUnits) });
    },
  );
