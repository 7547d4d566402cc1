import type { Bar, Benchmark } from './benchmark.ts';
import { countBurst, measureCallers, measureProjects } from './context-crowd.ts';
import { measureCachedReading, measureEventLoop } from './context-reading.ts';
import { measureLargeStore, measureSingleNote } from './context-single.ts';

/** What keeping the context costs, with everything that keeps it safe, against the same without. */
export const contextBenchmark: Benchmark = {
  name: 'context',
  summary: 'durable notes against writes by hand and conf, reading from memory, the event loop',
  async run(print) {
    const bars: Bar[] = [];
    const parts = [
      measureSingleNote,
      countBurst,
      measureCallers,
      measureLargeStore,
      measureCachedReading,
      measureProjects,
      measureEventLoop,
    ];
    for (const part of parts) bars.push(...(await part(print)));
    return bars;
  },
};
