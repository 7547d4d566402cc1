import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { ContextSearch } from '../src/context/find.ts';
import { nodeFileSystem, Root } from '../src/files/index.ts';
import type { Benchmark } from './benchmark.ts';
import { describeTimes, median, milliseconds, quantile } from './statistics.ts';

/** 5,000 items: what each of the owners has, all of them together. */
const owners = 20;
const notesEach = 100;
const todosEach = 100;
const plansEach = 50;
/** Length of a plan in characters; of one plan of each owner, the longest that can be saved. */
const planLength = 4000;
const longPlanLength = 200_000;

/** What is typed, key by key, in all owners: found everywhere, in few places, nowhere; with accents, two words, a phrase. */
const queries = ['release notes', 'größe', 'zebra crossing', 'qqqq', '"the next release"', 'e', 'crème brû'];
/** How often all of them are typed, after one time that warms things up. */
const rounds = 12;
/** Wait between two keys in ms: they are typed fast, but do not come before the answer. */
const keyInterval = 30;
const ceiling = 16;

export const findBenchmark: Benchmark = {
  name: 'find',
  summary: 'every key of a search through 5,000 notes, todos and plans',
  parts: {
    keys: async (print) => {
      const root = mkdtempSync(path.join(tmpdir(), 'sidekeep-bench-'));
      try {
        const files = writeContexts(root);
        return await measure(root, files, print);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
  },
};

const ids = Array.from({ length: owners }, (_, index) => `owner-${index}`);

const measure = async (root: string, files: readonly string[], print: (line: string) => void) => {
  const search = new ContextSearch({ fileSystem: nodeFileSystem, root: new Root(nodeFileSystem, root) });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  await search.find({ query: 'warm' }, { ids });
  print(`the first search, which reads everything: ${milliseconds(performance.now() - began)}`);
  const keys: number[] = [];
  const looks: number[] = [];
  const work: number[] = [];
  const naive: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    for (const query of queries) {
      for (let length = 1; length <= query.length; length += 1) {
        const typed = query.slice(0, length);
        const before = process.threadCpuUsage();
        const time = await timed(() => search.find({ query: typed }, { ids }));
        const { user, system } = process.threadCpuUsage(before);
        if (round >= 0 && length > 1) work.push((user + system) / 1000);
        if (round >= 0) (length === 1 ? looks : keys).push(time);
        await wait(keyInterval);
      }
    }
    delay.disable();
    // The other side, in turn: one key of a search that keeps nothing.
    const time = await timed(() => searchNaively(files, 'release'));
    if (round >= 0) naive.push(time);
    delay.enable();
  }
  delay.disable();
  print(`first key of a query, which looks at every file: ${describeTimes(looks)}`);
  print(`further keys: ${describeTimes(keys)}`);
  print(`  work of the main thread in them: ${describeTimes(work)}`);
  print(`delay of everything else in the process: p99 ${inMs(delay.percentile(99))}, largest ${inMs(delay.max)}`);
  print(`reading and lower-casing everything: ${describeTimes(naive)}`);
  print(`kept in memory: ${(search.bytes / 2 ** 20).toFixed(1)} MiB`);
  const p99 = quantile(keys, 0.99);
  const ratio = median(keys) / median(naive);
  const lookRatio = median(looks) / median(naive);
  return [
    {
      promise: `each key that is typed on, at 5,000 items, p99 at most ${ceiling} ms`,
      measured: `${milliseconds(p99)} (${keys.length} keys)`,
      held: p99 <= ceiling,
    },
    {
      promise: 'such a key takes at most 0.1 × what reading and lower-casing all texts takes (medians)',
      measured: ratio.toFixed(3),
      held: ratio <= 0.1,
    },
    {
      promise: 'the first key of a query takes at most 0.5 × that',
      measured: lookRatio.toFixed(3),
      held: lookRatio <= 0.5,
    },
  ];
};

const inMs = (nanoseconds: number): string => milliseconds(nanoseconds / 1e6);

/** How long something took, in ms. */
const timed = async (action: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await action();
  return performance.now() - began;
};

const searchNaively = async (files: readonly string[], word: string): Promise<number> => {
  let found = 0;
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  for (const text of texts) if (text.toLowerCase().includes(word)) found += 1;
  return found;
};

const words =
  'the next release of this program keeps notes and todos where Größe naïve crème brûlée nothing can lose them while a person types on Zürich plan review draft meeting with people from other places about crossing borders'.split(
    ' ',
  );

/** Text of a length, the same for the same seed. */
const textOf = (seed: number, length: number): string => {
  let state = seed * 2654435761 + 1;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const word = words[state % words.length] ?? '';
    text += state % 97 === 0 ? `${word}.\n\n` : `${word} `;
  }
  return text.slice(0, length);
};

/** Writes the owners' files. @returns the paths of all. */
const writeContexts = (root: string): string[] =>
  ids.flatMap((id, owner) => {
    const folder = path.join(root, 'projects', id);
    mkdirSync(path.join(folder, 'plans'), { recursive: true });
    const numbered = <Item>(count: number, item: (number: number, createdAt: number) => Item): Item[] =>
      Array.from({ length: count }, (_, index) =>
        item(owner * count + index, 1_700_000_000_000 + owner + 1000 * index),
      );
    const plans = numbered(plansEach, (number, createdAt) => {
      const file = path.join(folder, 'plans', `${createdAt}-plan-${number}.md`);
      const length = number % plansEach === 0 ? longPlanLength : planLength;
      writeFileSync(file, `# Plan ${number}\n\n${textOf(number, length - 20)}`);
      return { id: randomUUID(), file: path.basename(file), title: `Plan ${number}`, createdAt };
    });
    const notes = numbered(notesEach, (number, createdAt) => {
      const body = textOf(number + 10_000, 300);
      return { id: randomUUID(), body, createdAt, updatedAt: createdAt, source: 'manual' };
    });
    const todos = numbered(todosEach, (number, createdAt) => {
      return { id: randomUUID(), text: textOf(number + 20_000, 60), completed: number % 3 === 0, createdAt };
    });
    const file = path.join(folder, 'context.json');
    writeFileSync(file, JSON.stringify({ version: 2, notes, todos, plans }));
    return [file, ...plans.map((plan) => path.join(folder, 'plans', plan.file))];
  });
