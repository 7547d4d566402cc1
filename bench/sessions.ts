import type { Benchmark } from './benchmark.ts';
import { measureAppends } from './sessions-append.ts';
import { measureDelete } from './sessions-delete.ts';
import { measureSessionList } from './sessions-list.ts';
import { measurePages } from './sessions-page.ts';
import { measureStart } from './sessions-start.ts';
import { measureSessionWatch } from './sessions-watch.ts';

/** What thousands of sessions, and one of a gigabyte, cost. */
export const sessionsBenchmark: Benchmark = {
  name: 'sessions',
  summary: 'listing, paging, recording, deleting, starting and watching, on generated sessions',
  parts: {
    list: measureSessionList,
    page: measurePages,
    append: measureAppends,
    delete: measureDelete,
    start: measureStart,
    watch: measureSessionWatch,
  },
};
