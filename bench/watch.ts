import type { Benchmark } from './benchmark.ts';
import { measureDisplay } from './watch-display.ts';
import { measurePairs } from './watch-pairs.ts';

/** From a write by another program to the text in the window, and what becomes of quick writes. */
export const watchBenchmark: Benchmark = {
  name: 'watch',
  summary: 'file write → text in the sidebar, beside raw chokidar; pairs of quick writes; our own writes',
  parts: { pairs: measurePairs, display: measureDisplay },
};
