import type { TreeEventKind } from '../../src/watch/watched-tree.ts';

/** What `watchTree` emitted: ms since the act, kind, path below the root. Recorded on Linux (ext4) with chokidar 6.0.0. */
export type Trace = readonly (readonly [ms: number, kind: TreeEventKind, location: string])[];

export const traces = {
  'write in place': [
    [1, 'notice', 'projects/p1/context.json'],
    [3, 'change', 'projects/p1/context.json'],
  ],
  'rename over': [
    [1, 'notice', 'projects/p1/.context.json.4711-a1b2c3d4e5f6.tmp'],
    [1, 'notice', 'projects/p1/.context.json.4711-a1b2c3d4e5f6.tmp'],
    [2, 'notice', 'projects/p1/.context.json.4711-a1b2c3d4e5f6.tmp'],
    [2, 'notice', 'projects/p1/context.json'],
    [2, 'change', 'projects/p1/context.json'],
  ],
  'delete and create': [
    [1, 'notice', 'projects/p1/plans/a.md'],
    [2, 'unlink', 'projects/p1/plans/a.md'],
    [21, 'notice', 'projects/p1/plans/a.md'],
    [21, 'notice', 'projects/p1/plans/a.md'],
    [22, 'add', 'projects/p1/plans/a.md'],
  ],
  delete: [
    [1, 'notice', 'projects/p1/plans/a.md'],
    [2, 'unlink', 'projects/p1/plans/a.md'],
  ],
  'folder deleted and made again': [
    [20, 'notice', 'projects/p1/plans/a.md'],
    [21, 'notice', 'projects/p1/plans/plans'],
    [21, 'notice', 'projects/p1/plans/plans'],
    [22, 'notice', 'projects/p1/plans'],
    [23, 'notice', 'projects/p1/context.json'],
    [23, 'notice', 'projects/p1/p1'],
    [23, 'notice', 'projects/p1/p1'],
    [23, 'notice', 'projects/p1'],
    [23, 'notice', 'projects/p1'],
    [25, 'unlink', 'projects/p1/plans/a.md'],
    [27, 'change', 'projects/p1/context.json'],
  ],
  // The backend joins the second change with the first for 50 ms; the notice comes at once.
  'two quick writes': [
    [1, 'notice', 'projects/p1/context.json'],
    [1, 'change', 'projects/p1/context.json'],
    [10, 'notice', 'projects/p1/context.json'],
    [52, 'change', 'projects/p1/context.json'],
  ],
  'two quick writes that look alike': [
    [1, 'notice', 'projects/p1/context.json'],
    [1, 'change', 'projects/p1/context.json'],
    [10, 'notice', 'projects/p1/context.json'],
  ],
  'new project': [
    [1, 'notice', 'projects/p2'],
    [1, 'notice', 'projects/p2.json'],
    [1, 'notice', 'projects/p2.json'],
    [6, 'addDir', 'projects/p2'],
    [7, 'add', 'projects/p2/context.json'],
    [7, 'addDir', 'projects/p2/plans'],
    [8, 'add', 'projects/p2.json'],
  ],
} satisfies Record<string, Trace>;
