import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Conf from 'conf';
import type { Bar } from './benchmark.ts';
import { contextFile, megabyte, type StoredNote, storedNotes, textOf, writeProject } from './context-load.ts';
import { measureInTurn, ratioBar, ratioOf, timed } from './context-pairs.ts';
import { caller, withCore, writeByHand } from './context-rig.ts';
import { median } from './statistics.ts';

const projectId = 'single';
/** Where both sides get going: code that runs for the first time is slow, whoever wrote it. */
const warmUpId = 'warm-up';
const warmUpRounds = 150;
/** Longer than it takes until a file's status is enough to know its bytes, and the watcher's look at the last write is over. */
const rest = 200;
const noteUnits = 300;
const notesAtFirst = 20;

/** A durable note against a durable write by hand of the same bytes. */
export const measureSingleNote = (print: (line: string) => void): Promise<Bar[]> =>
  withCore(
    [projectId, warmUpId],
    print,
    async ({ core, root, beside }) => {
      const file = contextFile(root, projectId);
      const copy = path.join(beside, 'by-hand.json');
      let bytes = await readFile(file);
      const addNote = async (round: number): Promise<number> => {
        const time = await timed(() =>
          core.calls.notes.create({ projectId, body: textOf(`New ${round}.`, noteUnits), source: 'manual' }, caller),
        );
        bytes = await readFile(file);
        return time;
      };
      const writeCopy = (): Promise<number> => timed(() => writeByHand(copy, bytes));
      for (let round = 0; round < warmUpRounds; round += 1) {
        const body = textOf(`Before ${round}.`, noteUnits);
        await core.calls.notes.create({ projectId: warmUpId, body, source: 'manual' }, caller);
        await writeCopy();
      }
      await core.calls.context.get({ projectId }, caller);
      const samples = await measureInTurn({ rounds: 60, warmUp: 10, rest }, addNote, writeCopy);
      const dense = await measureInTurn({ rounds: 60, warmUp: 10 }, addNote, writeCopy);
      print(
        `notes one right after the other: ${ratioOf(dense).toFixed(2)} times a write by hand ` +
          `(${median(dense.ours).toFixed(2)} ms, ${median(dense.other).toFixed(2)} ms)`,
      );
      return [
        ratioBar({
          promise: 'a durable note takes at most 1.3 times a durable write by hand of the same bytes',
          samples,
          names: ['note', 'by hand'],
          unit: 'ms',
          bound: { atMost: 1.3 },
        }),
      ];
    },
    async (root) => {
      await writeProject(root, projectId, { notes: storedNotes(notesAtFirst, noteUnits) });
    },
  );

/** A note in a store of 1 MB against the same note in a store of `conf`, which electron-store is made of. */
export const measureLargeStore = (print: (line: string) => void): Promise<Bar[]> =>
  withCore(
    [projectId],
    print,
    async ({ core, beside }) => {
      const { notes, todos } = megabyte();
      const conf = new Conf<{ notes: Record<string, StoredNote>; todos: unknown[] }>({
        cwd: beside,
        configName: 'conf',
      });
      conf.store = { notes: Object.fromEntries(notes.map((note) => [note.id, note])), todos };
      const [first] = notes;
      if (first === undefined) throw new Error('a sample has notes');
      const body = (round: number): string => textOf(`Changed ${round}.`, noteUnits);
      await core.calls.context.get({ projectId }, caller);
      const samples = await measureInTurn(
        { rounds: 40, warmUp: 5, rest },
        (round) => timed(() => core.calls.notes.update({ projectId, noteId: first.id, body: body(round) }, caller)),
        (round) => timed(() => conf.set(`notes.${first.id}`, { ...first, body: body(round) })),
      );
      return [
        ratioBar({
          promise: 'a note in a store of 1 MB takes at most half of what conf.set takes',
          samples,
          names: ['note', 'conf.set'],
          unit: 'ms',
          bound: { atMost: 0.5 },
        }),
      ];
    },
    async (root) => {
      await writeProject(root, projectId, megabyte());
    },
  );
