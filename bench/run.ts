import type { Benchmark } from './benchmark.ts';
import { describeLoad, describeMachine } from './statistics.ts';

/** Every benchmark by name; each is loaded only when it is run. */
const benchmarks: Record<string, () => Promise<Benchmark>> = {
  context: async () => (await import('./context.ts')).contextBenchmark,
  find: async () => (await import('./find.ts')).findBenchmark,
  watch: async () => (await import('./watch.ts')).watchBenchmark,
};

const print = (line: string): void => console.log(line);

/** Runs one benchmark. @returns whether all its bars were held. */
const run = async (benchmark: Benchmark): Promise<boolean> => {
  print(`\n${benchmark.name}: ${benchmark.summary} (before: ${describeLoad()})`);
  const bars = await benchmark.run((line) => print(`  ${line}`));
  print(`  after: ${describeLoad()}`);
  for (const bar of bars) print(`  ${bar.held ? 'held  ' : 'MISSED'} ${bar.promise}: ${bar.measured}`);
  return bars.every((bar) => bar.held);
};

const main = async (names: readonly string[]): Promise<number> => {
  const unknown = names.filter((name) => !(name in benchmarks));
  if (unknown.length > 0) {
    console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`);
    return 2;
  }
  print(`Machine: ${describeMachine()}`);
  let held = true;
  for (const [name, load] of Object.entries(benchmarks)) {
    if (names.length > 0 && !names.includes(name)) continue;
    held = (await run(await load())) && held;
  }
  return held ? 0 : 1;
};

process.exitCode = await main(process.argv.slice(2));
