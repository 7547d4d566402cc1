import { open } from 'node:fs/promises';
import path from 'node:path';
import { nodeFileSystem } from '../src/files/index.ts';
import { findHolder } from '../src/sessions/holder.ts';
import { SessionStores } from '../src/sessions/session-stores.ts';
import type { NewMessage } from '../src/sessions/writing/message-text.ts';
import { SessionWriters } from '../src/sessions/writing/writers.ts';
import type { Bar } from './benchmark.ts';
import { ratioBar, type Samples, timed } from './context-pairs.ts';
import { withFolder } from './context-rig.ts';
import { median } from './statistics.ts';

/** Messages that are recorded in all, and in how many turns of each side. */
const MESSAGES = 10_000;
const ROUNDS = 40;
const EACH = MESSAGES / ROUNDS;
/** Units of each message. */
const LENGTH = 300;
/** How often all of them are recorded at once. */
const CROWDS = 5;

const messageOf = (number: number): NewMessage => ({
  role: 'user',
  id: `message-${number}`,
  content: `Message ${number}. ${'What is said in it. '.repeat(LENGTH / 20)}`,
  origin: 'user',
  createdAt: 1_767_225_600_000 + number,
});

/**
 * Messages recorded durably, one by one and all at once, against the same bytes by a bare append and sync: the person waits
 * for nothing but the disk.
 */
export const measureAppends = (print: (line: string) => void): Promise<Bar[]> =>
  withFolder(print, async (folder) => {
    const problems: unknown[] = [];
    const writers = new SessionWriters({
      fileSystem: nodeFileSystem,
      stores: new SessionStores(nodeFileSystem, path.join(folder, 'root')),
      findHolder,
      storedMessages: async function* () {},
      report: (where, error) => problems.push(new Error(where, { cause: error })),
    });
    let bars: Bar[];
    try {
      bars = await measure(writers, path.join(folder, 'bare.jsonl'), print);
    } finally {
      await writers.dispose();
    }
    if (problems.length > 0)
      throw new AggregateError(problems, 'The writers reported problems while they were measured.');
    return bars;
  });

async function measure(writers: SessionWriters, file: string, print: (line: string) => void): Promise<Bar[]> {
  const place = { store: 'global', workspaceRoot: null, scope: 'global' } as const;
  const { session } = await writers.create(place);
  // What a record takes in the log: the bare side writes as much.
  const { bytes } = await writers.append(session, [messageOf(0)]);
  const line = Buffer.from(`${'x'.repeat(bytes)}\n`);
  const handle = await open(file, 'a', 0o600);
  const oneByOne: Samples = { ours: [], other: [] };
  const together: Samples = { ours: [], other: [] };
  try {
    const bare = async (): Promise<void> => {
      await handle.write(line);
      await handle.sync();
    };
    const ours = async (round: number): Promise<void> => {
      for (let index = 0; index < EACH; index++) await writers.append(session, [messageOf(1 + round * EACH + index)]);
    };
    const other = async (): Promise<void> => {
      for (let index = 0; index < EACH; index++) await bare();
    };
    for (let round = 0; round < ROUNDS; round++) {
      const sides = [
        async () => oneByOne.ours.push((await timed(() => ours(round))) / EACH),
        async () => oneByOne.other.push((await timed(other)) / EACH),
      ];
      for (const side of round % 2 === 0 ? sides : sides.reverse()) await side();
    }
    for (let crowd = 0; crowd < CROWDS; crowd++) {
      const { session: crowded } = await writers.create(place);
      const messages = Array.from({ length: MESSAGES }, (_value, index) => messageOf(index));
      const time = await timed(() => Promise.all(messages.map((message) => writers.append(crowded, [message]))));
      together.ours.push((MESSAGES / time) * 1000);
      together.other.push((EACH / (await timed(other))) * 1000);
      await writers.flush();
    }
  } finally {
    await handle.close();
  }
  print(`a record takes ${bytes} bytes; a bare append and sync ${median(oneByOne.other).toFixed(2)} ms`);
  return [
    ratioBar({
      promise: `${MESSAGES} messages recorded one by one take at most 1.5 times a bare append and sync of the same bytes`,
      samples: oneByOne,
      names: ['message', 'bare'],
      unit: 'ms',
      bound: { atMost: 1.5 },
    }),
    ratioBar({
      promise: `${MESSAGES} messages recorded at once are at least 10 times as many per second as bare appends one by one`,
      samples: together,
      names: ['messages', 'bare'],
      unit: 'per second',
      bound: { atLeast: 10 },
    }),
  ];
}
