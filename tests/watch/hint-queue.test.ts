import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HintQueue, settleTime } from '../../src/watch/hint-queue.ts';
import { contextTree, type Hint, hintKey, hintsFor } from '../../src/watch/hints.ts';
import type { TreeEventKind } from '../../src/watch/watched-tree.ts';
import { FakeClock } from './fake-clock.ts';
import { type Trace, traces } from './traces.ts';

const replay = (trace: Trace): { batches: { at: number; keys: string[] }[]; clock: FakeClock } => {
  const clock = new FakeClock();
  const batches: { at: number; keys: string[] }[] = [];
  const queue = new HintQueue(
    contextTree,
    (hints: Hint[]) => batches.push({ at: clock.now(), keys: hints.map(hintKey) }),
    clock,
  );
  for (const [ms, kind, location] of trace) {
    clock.goTo(ms);
    queue.push({ kind, segments: location.split('/') });
  }
  clock.goTo(60_000);
  return { batches, clock };
};

const timesOf = (trace: Trace, key: string): number[] =>
  replay(trace)
    .batches.filter((batch) => batch.keys.includes(key))
    .map((batch) => batch.at);

describe('recorded traces', () => {
  test('a write goes out at once, and is looked at once more when settled', () => {
    expect(timesOf(traces['write in place'], 'context p1')).toEqual([3, 103]);
  });

  test('a rename over a file goes out at once and never looks like a removal', () => {
    const { batches } = replay(traces['rename over']);
    expect(batches).toEqual([
      { at: 2, keys: ['context p1'] },
      { at: 102, keys: ['context p1'] },
    ]);
  });

  test('in a save by delete and create nobody looks while the file is gone', () => {
    const times = timesOf(traces['delete and create'], 'plan p1 a.md');
    expect(times[0]).toBe(22);
  });

  test('a real removal goes out when nothing has come back', () => {
    expect(timesOf(traces.delete, 'plan p1 a.md')).toEqual([2 + settleTime]);
  });

  test('a folder deleted and made again at once leads to a look at its context, its memory, its plan and the project list', () => {
    const keys = new Set(replay(traces['folder deleted and made again']).batches.flatMap((batch) => batch.keys));
    expect([...keys].sort()).toEqual(['context p1', 'memory p1', 'plan p1 a.md', 'projects']);
    expect(timesOf(traces['folder deleted and made again'], 'context p1')[0]).toBe(27);
  });

  test.each(['two quick writes', 'two quick writes that look alike'] as const)(
    '%s: the last look comes after both',
    (name) => {
      expect(timesOf(traces[name], 'context p1').at(-1)).toBeGreaterThanOrEqual(10 + settleTime);
    },
  );

  test('a new project shows in every list that it belongs to', () => {
    const keys = new Set(replay(traces['new project']).batches.flatMap((batch) => batch.keys));
    expect([...keys].sort()).toEqual(['context p2', 'legacy p2', 'memory p2', 'projects']);
  });
});

describe('coalescing', () => {
  test('200 events a second for 5 s lead to about ten batches a second, and to a last look at the end', () => {
    const storm: Trace = Array.from({ length: 1000 }, (_, index) => [index * 5, 'change', 'projects/p1/context.json']);
    const times = timesOf(storm, 'context p1');
    expect(times.length).toBeLessThanOrEqual(55);
    expect(times.length).toBeGreaterThanOrEqual(45);
    expect(times[0]).toBe(0);
    expect(times.at(-1)).toBeGreaterThanOrEqual(4995);
    expect(times.at(-1)).toBeLessThanOrEqual(4995 + 250);
  });

  test('a file that is noticed without end and never seen is looked at all the same', () => {
    const storm: Trace = Array.from({ length: 1000 }, (_, index) => [index * 5, 'notice', 'projects/p1/context.json']);
    expect(timesOf(storm, 'context p1').length).toBeGreaterThanOrEqual(9);
  });

  test('a storm in one project delays another by one pause at most', () => {
    const storm: Trace = Array.from({ length: 400 }, (_, index) => [
      index * 5,
      'change',
      index === 200 ? 'projects/p2/context.json' : 'projects/p1/context.json',
    ]);
    const first = timesOf(storm, 'context p2')[0];
    expect(first).toBeGreaterThanOrEqual(1000);
    expect(first).toBeLessThanOrEqual(1100);
  });

  test('a complete look swallows the rest of its batch', () => {
    const { batches } = replay([
      [0, 'change', 'projects/p1/context.json'],
      [1, 'change', 'projects/p2/context.json'],
      [2, 'unlinkDir', 'projects'],
    ]);
    const complete = batches.find((batch) => batch.keys.includes('all'));
    expect(complete?.keys).toEqual(['all']);
  });

  test('after dispose nothing is delivered and no timer is left', () => {
    const clock = new FakeClock();
    const delivered: Hint[][] = [];
    const queue = new HintQueue(contextTree, (hints) => delivered.push(hints), clock);
    queue.push({ kind: 'unlink', segments: ['projects', 'p1', 'context.json'] });
    expect(clock.waiting).toBe(1);
    queue.dispose();
    queue.pushHint({ kind: 'all' });
    clock.goTo(10_000);
    expect(clock.waiting).toBe(0);
    expect(delivered).toEqual([]);
  });
});

describe('for any trace', () => {
  const kinds = constantFrom<TreeEventKind[]>('notice', 'add', 'change', 'unlink', 'addDir', 'unlinkDir');
  const locations = constantFrom(
    'projects',
    'projects/p1',
    'projects/p1.json',
    'projects/p1/context.json',
    'projects/p1/.context.json.1-a1b2c3d4e5f6.tmp',
    'projects/p1/plans/a.md',
    'projects/p2/context.json',
    'chats/x',
  );
  const anyTrace = array(tuple(integer({ min: 0, max: 120 }), kinds, locations), { maxLength: 120 }).map(
    (steps): Trace => {
      let now = 0;
      return steps.map(([pause, kind, location]) => {
        now += pause;
        return [now, kind, location] as const;
      });
    },
  );

  test('every event is followed, once settled, by a look at what it was about', () => {
    assert(
      property(anyTrace, (trace) => {
        const { batches } = replay(trace);
        for (const [ms, kind, location] of trace) {
          for (const hint of hintsFor({ kind, segments: location.split('/') })) {
            const keys = [hintKey(hint), 'all'];
            // Something in the same batch as the event may have read just before it; only a later look counts.
            const followed = batches.some((batch) => batch.at > ms && batch.keys.some((key) => keys.includes(key)));
            expect(followed, `${kind} ${location} at ${ms}`).toBe(true);
          }
        }
      }),
    );
  });

  test('there are never more than twelve batches in any second, and never the same hint twice in one', () => {
    assert(
      property(anyTrace, (trace) => {
        const { batches } = replay(trace);
        for (const [index, batch] of batches.entries()) {
          expect(new Set(batch.keys).size).toBe(batch.keys.length);
          const inSecond = batches.slice(index).filter((other) => other.at < batch.at + 1000);
          expect(inSecond.length).toBeLessThanOrEqual(12);
        }
      }),
    );
  });
});
