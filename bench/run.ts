import type { Benchmark } from './benchmark.ts';
import { describeLoad, describeMachine } from './statistics.ts';

/** Every benchmark by name; each is loaded only when it is run. */
const benchmarks: Record<string, () => Promise<Benchmark>> = {
  context: async () => (await import('./context.ts')).contextBenchmark,
  find: async () => (await import('./find.ts')).findBenchmark,
  sessions: async () => (await import('./sessions.ts')).sessionsBenchmark,
  watch: async () => (await import('./watch.ts')).watchBenchmark,
};

const print = (line: string): void => console.log(line);

/** A benchmark and the names of those of its parts that are run; all of them when there are none. */
type Choice = { benchmark: Benchmark; parts: string[] };

/** Runs one benchmark. @returns whether all its bars were held. */
const run = async ({ benchmark, parts }: Choice): Promise<boolean> => {
  print(`\n${benchmark.name}: ${benchmark.summary}`);
  let held = true;
  for (const [name, measure] of Object.entries(benchmark.parts)) {
    if (parts.length > 0 && !parts.includes(name)) continue;
    print(`${name} (before: ${describeLoad()})`);
    const bars = await measure((line) => print(`  ${line}`));
    print(`  after: ${describeLoad()}`);
    for (const bar of bars) print(`  ${bar.held ? 'held  ' : 'MISSED'} ${bar.promise}: ${bar.measured}`);
    held = bars.every((bar) => bar.held) && held;
  }
  return held;
};

/** What the words of the command line choose: benchmarks, and behind each of them parts of it, whose names go first. */
const chosen = async (words: readonly string[]): Promise<Choice[]> => {
  if (words.length === 0) {
    return Promise.all(Object.values(benchmarks).map(async (load) => ({ benchmark: await load(), parts: [] })));
  }
  const choices: Choice[] = [];
  for (const word of words) {
    const load = benchmarks[word];
    const last = choices.at(-1);
    if (last !== undefined && word in last.benchmark.parts) last.parts.push(word);
    else if (load !== undefined) choices.push({ benchmark: await load(), parts: [] });
    else {
      const there = last
        ? `the parts of ${last.benchmark.name}: ${Object.keys(last.benchmark.parts).join(', ')}; `
        : '';
      throw new UnknownName(
        `Nothing is called ${word}. There are ${there}benchmarks: ${Object.keys(benchmarks).join(', ')}.`,
      );
    }
  }
  return choices;
};

class UnknownName extends Error {}

const main = async (words: readonly string[]): Promise<number> => {
  let choices: Choice[];
  try {
    choices = await chosen(words);
  } catch (error) {
    if (!(error instanceof UnknownName)) throw error;
    console.error(error.message);
    return 2;
  }
  print(`Machine: ${describeMachine()}`);
  let held = true;
  for (const choice of choices) held = (await run(choice)) && held;
  return held ? 0 : 1;
};

// Ending runs what removes the generated folders.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.exitCode = await main(process.argv.slice(2));
