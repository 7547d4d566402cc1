import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StoreKey } from '../../src/contract/entities.ts';
import { HintQueue } from '../../src/watch/hint-queue.ts';
import { hintKey, hintsFor, isSlug, isWatched, type SessionHint, sessionTree } from '../../src/watch/session-tree.ts';
import type { EntryType, TreeEventKind } from '../../src/watch/watched-tree.ts';
import { FakeClock } from './fake-clock.ts';

const segmentsOf = (location: string): string[] => (location === '' ? [] : location.split('/'));
const keysOf = (kind: TreeEventKind, location: string): string[] =>
  hintsFor({ kind, segments: segmentsOf(location) }).map(hintKey);

describe('hints for an event', () => {
  test.each<[TreeEventKind, string, string[]]>([
    ['change', 'sessions/a.jsonl', ['files global/a.jsonl']],
    ['notice', 'sessions/a.events.jsonl', ['files global/a.events.jsonl']],
    ['notice', 'sessions/.titles.json', ['files global/.titles.json']],
    ['notice', 'projects/x/sessions/a.jsonl.meta', ['files project:x/a.jsonl.meta']],
    ['notice', 'sessions', ['stores', 'store global']],
    ['addDir', 'sessions', ['stores', 'store global']],
    ['unlinkDir', 'projects/x/sessions', ['stores', 'store project:x']],
    ['notice', 'projects/x', ['stores', 'store project:x']],
    ['addDir', 'projects/x', ['stores', 'store project:x']],
    ['unlinkDir', 'projects', ['all']],
    ['unlinkDir', '', []],
  ])('%s of %s', (kind, location, expected) => {
    expect(keysOf(kind, location)).toEqual(expected);
  });

  test.each([
    'sessions/.a.jsonl.meta.4711-a1b2c3d4e5f6.tmp',
    'sessions/a.jsonl.meta.tmp-4711-1700000000000-9f8e7d',
    'sessions/a.ckpt/1.json',
    'sessions/.trash/a.jsonl',
    'projects/x/memory.json',
    'projects/x/other/a.jsonl',
    'projects/x/sessions/a.jobs/1.json',
    'projects/.hidden/sessions/a.jsonl',
    'projects/a:b/sessions/a.jsonl',
    'config.json',
  ])('what is no entry of a store gives none: %s', (location) => {
    for (const kind of ['notice', 'change', 'add'] as const) expect(keysOf(kind, location)).toEqual([]);
  });
});

describe('what is watched', () => {
  test.each<[string, EntryType, boolean]>([
    ['', 'folder', true],
    ['sessions', 'folder', true],
    ['sessions', 'unknown', true],
    ['projects', 'folder', true],
    ['projects/x', 'folder', true],
    ['projects/x/sessions', 'folder', true],
    ['sessions', 'link', false],
    ['sessions', 'file', false],
    ['projects', 'link', false],
    ['projects/x', 'link', false],
    ['projects/x', 'file', false],
    ['projects/.x', 'folder', false],
    ['projects/x/sessions', 'link', false],
    ['projects/x/memory', 'folder', false],
    ['sessions/a.jsonl', 'file', false],
    ['sessions/a.jsonl', 'unknown', false],
    ['sessions/.trash', 'folder', false],
    ['sessions/a.ckpt', 'folder', false],
    ['projects/x/sessions/a.jobs', 'folder', false],
    ['cache', 'folder', false],
  ])('%s as %s: %s', (location, type, expected) => {
    expect(isWatched(segmentsOf(location), type)).toBe(expected);
  });

  test('of the stores themselves, only names of entries are wanted', () => {
    const unread = ['', 'sessions', 'projects', 'projects/x', 'projects/x/sessions'].filter((location) =>
      sessionTree.isUnread(segmentsOf(location)),
    );
    expect(unread).toEqual(['sessions', 'projects/x/sessions']);
  });
});

test('a slug is a name that makes a store key of the contract', () => {
  const odd = constantFrom('.', ':', '/', '\\', 'a', ' ', '\n', '\0', 'é', 'a'.repeat(246), '');
  const name = oneof(
    string(),
    array(odd, { maxLength: 4 }).map((parts) => parts.join('')),
  );
  assert(
    property(name, (text) => {
      expect(isSlug(text)).toBe(StoreKey.safeParse(`project:${text}`).success);
    }),
  );
});

/** Feeds events to a queue: `[ms, kind, location]`. */
const replay = (trace: readonly (readonly [number, TreeEventKind, string])[]): SessionHint[][] => {
  const clock = new FakeClock();
  const batches: SessionHint[][] = [];
  const queue = new HintQueue(sessionTree, (hints: SessionHint[]) => batches.push(hints), clock);
  for (const [ms, kind, location] of trace) {
    clock.goTo(ms);
    queue.push({ kind, segments: segmentsOf(location) });
  }
  clock.goTo(60_000);
  return batches;
};

describe('a batch', () => {
  test('has the names of one store in one hint, each once', () => {
    const batches = replay([
      [0, 'change', 'sessions/first'],
      [1, 'change', 'sessions/a.jsonl'],
      [2, 'change', 'sessions/a.jsonl.meta'],
      [3, 'change', 'sessions/a.jsonl'],
      [4, 'change', 'projects/x/sessions/b.jsonl'],
    ]);
    expect(batches[1]).toEqual([
      { kind: 'files', store: 'global', names: ['a.jsonl', 'a.jsonl.meta'] },
      { kind: 'files', store: 'project:x', names: ['b.jsonl'] },
    ]);
  });

  test('with a look at all of a store names none of its entries', () => {
    const batches = replay([
      [0, 'change', 'sessions/first'],
      [1, 'change', 'sessions/a.jsonl'],
      [2, 'addDir', 'sessions'],
      [3, 'change', 'projects/x/sessions/b.jsonl'],
    ]);
    const later = batches.slice(1).flat();
    const wholeBatch = batches.find((batch) => batch.some((hint) => hint.kind === 'store'));
    expect(wholeBatch?.map((hint) => hint.kind).sort()).not.toContain('all');
    expect(wholeBatch).not.toContainEqual(expect.objectContaining({ kind: 'files', store: 'global' }));
    expect(later).toContainEqual({ kind: 'files', store: 'project:x', names: ['b.jsonl'] });
    expect(later).toContainEqual({ kind: 'store', store: 'global' });
  });

  test('never has more than a few hundred names of a store: many are the whole store', () => {
    const trace = Array.from({ length: 5000 }, (_, index) => [index * 0.01, 'change', `sessions/${index}`] as const);
    const hints = replay(trace).flat();
    for (const hint of hints) if (hint.kind === 'files') expect(hint.names.length).toBeLessThanOrEqual(256);
    expect(hints).toContainEqual({ kind: 'store', store: 'global' });
    expect(hints.at(-1)).toEqual({ kind: 'store', store: 'global' });
  });

  test('a mass of changes in one store keeps the names of another one', () => {
    const trace = Array.from(
      { length: 3000 },
      (_, index) =>
        [index * 0.01, 'notice', index === 40 ? 'projects/x/sessions/a.jsonl' : `sessions/${index}`] as const,
    );
    const hints = replay(trace).flat();
    expect(hints).toContainEqual({ kind: 'files', store: 'project:x', names: ['a.jsonl'] });
    expect(hints).not.toContainEqual({ kind: 'store', store: 'project:x' });
    expect(hints.at(-1)).toEqual({ kind: 'store', store: 'global' });
  });
});

test('for any trace, every event is followed by a look at what it was about, and batches are few', () => {
  const kinds = constantFrom<TreeEventKind[]>('notice', 'add', 'change', 'addDir', 'unlinkDir');
  const locations = constantFrom(
    'sessions',
    'projects',
    'projects/x',
    'projects/x/sessions',
    'sessions/a',
    'projects/x/sessions/b',
  );
  const steps = array(
    constantFrom(0, 1, 7, 30, 120).chain((pause) =>
      kinds.chain((kind) => locations.map((place) => [pause, kind, place] as const)),
    ),
    { maxLength: 80 },
  );
  assert(
    property(steps, (all) => {
      let now = 0;
      const trace = all.map(([pause, kind, place]) => {
        now += pause;
        return [now, kind, place] as const;
      });
      const clock = new FakeClock();
      const batches: { at: number; hints: SessionHint[] }[] = [];
      const queue = new HintQueue(
        sessionTree,
        (hints: SessionHint[]) => batches.push({ at: clock.now(), hints }),
        clock,
      );
      for (const [ms, kind, location] of trace) {
        clock.goTo(ms);
        queue.push({ kind, segments: segmentsOf(location) });
      }
      clock.goTo(60_000);
      const covers = (hint: SessionHint, wanted: SessionHint): boolean => {
        if (hint.kind === 'all') return true;
        if (wanted.kind === 'files') {
          const isStore = hint.kind === 'store' && hint.store === wanted.store;
          return (
            isStore ||
            (hint.kind === 'files' && hint.store === wanted.store && hint.names.includes(wanted.names[0] ?? ''))
          );
        }
        return hintKey(hint) === hintKey(wanted);
      };
      for (const [ms, kind, location] of trace) {
        for (const wanted of hintsFor({ kind, segments: segmentsOf(location) })) {
          const followed = batches.some((batch) => batch.at > ms && batch.hints.some((hint) => covers(hint, wanted)));
          expect(followed, `${kind} ${location} at ${ms}`).toBe(true);
        }
      }
      for (const [index, batch] of batches.entries()) {
        expect(batches.slice(index).filter((other) => other.at < batch.at + 1000).length).toBeLessThanOrEqual(12);
      }
    }),
  );
});
