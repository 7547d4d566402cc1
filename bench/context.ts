import type { Benchmark } from './benchmark.ts';
import { countBurst, measureCallers, measureProjects } from './context-crowd.ts';
import { measureCachedReading, measureEventLoop } from './context-reading.ts';
import { measureLargeStore, measureSingleNote } from './context-single.ts';

/** What keeping the context costs, with everything that keeps it safe, against the same without. */
export const contextBenchmark: Benchmark = {
  name: 'context',
  summary: 'durable notes against writes by hand and conf, reading from memory, the event loop',
  parts: {
    note: measureSingleNote,
    burst: countBurst,
    callers: measureCallers,
    large: measureLargeStore,
    reading: measureCachedReading,
    projects: measureProjects,
    loop: measureEventLoop,
  },
};
