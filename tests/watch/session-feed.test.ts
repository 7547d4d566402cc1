import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SessionLooks, type StoreHint, startSessionFeed } from '../../src/watch/session-feed.ts';
import type { SessionHint } from '../../src/watch/session-tree.ts';
import { makeStore } from './session-support.ts';
import { afterwards, eventually, temporaryFolder } from './support.ts';

/** Looks that wait until the test lets them go. */
const heldLooks = () => {
  const calls: (StoreHint | 'stores' | 'all')[] = [];
  const held: (() => void)[] = [];
  const problems: Error[] = [];
  const call = async (what: StoreHint | 'stores' | 'all'): Promise<void> => {
    calls.push(what);
    await new Promise<void>((resolve) => held.push(resolve));
  };
  const looks = new SessionLooks({
    onHints: call,
    onStores: () => call('stores'),
    onAll: () => call('all'),
    report: (problem) => problems.push(problem),
  });
  const letGo = (): void => {
    for (const resolve of held.splice(0)) resolve();
  };
  return { calls, looks, letGo, problems };
};

const files = (store: string, ...names: string[]): SessionHint => ({ kind: 'files', store, names });

describe('looks', () => {
  test('at one store come one after the other; what changed meanwhile comes as one hint', async () => {
    const { calls, looks, letGo } = heldLooks();
    looks.add([files('global', 'a', 'b')]);
    looks.add([files('global', 'b', 'c')]);
    looks.add([files('global', 'c', 'd'), files('project:x', 'e')]);
    expect(calls).toEqual([
      { store: 'global', names: ['a', 'b'], all: false },
      { store: 'project:x', names: ['e'], all: false },
    ]);
    letGo();
    await eventually('the joined look', () => calls.length === 3);
    expect(calls[2]).toEqual({ store: 'global', names: ['b', 'c', 'd'], all: false });
    letGo();
    await looks.dispose();
  });

  test('at names that wait together with a look at all of the store become that', async () => {
    const { calls, looks, letGo } = heldLooks();
    looks.add([files('global', 'a')]);
    for (const hint of [files('global', 'b'), { kind: 'store', store: 'global' } as const, files('global', 'c')]) {
      looks.add([hint]);
    }
    letGo();
    await eventually('the second look', () => calls.length === 2);
    expect(calls[1]).toEqual({ store: 'global', names: [], all: true });
    letGo();
    await looks.dispose();
  });

  test('at very many names that wait become a look at all of the store', async () => {
    const { calls, looks, letGo } = heldLooks();
    looks.add([files('global', 'first')]);
    for (let batch = 0; batch < 12; batch += 1) {
      looks.add([files('global', ...Array.from({ length: 100 }, (_, index) => `${batch}-${index}`))]);
    }
    letGo();
    await eventually('the second look', () => calls.length === 2);
    expect(calls[1]).toEqual({ store: 'global', names: [], all: true });
    letGo();
    await looks.dispose();
  });

  test('that fail are reported, and the next one is made', async () => {
    const problems: Error[] = [];
    const seen: StoreHint[] = [];
    const looks = new SessionLooks({
      onHints: (hint) => {
        seen.push(hint);
        throw new Error('disk on fire');
      },
      onStores: () => {},
      onAll: () => {},
      report: (problem) => problems.push(problem),
    });
    looks.add([files('global', 'a')]);
    await eventually('the report', () => problems.length === 1);
    looks.add([files('global', 'b')]);
    await eventually('the second report', () => problems.length === 2);
    expect(seen.map((hint) => hint.names)).toEqual([['a'], ['b']]);
    expect(problems[0]?.cause).toEqual(new Error('disk on fire'));
    await looks.dispose();
  });

  test('after dispose there are none', async () => {
    const { calls, looks } = heldLooks();
    await looks.dispose();
    looks.add([{ kind: 'all' }]);
    expect(calls).toEqual([]);
  });
});

test('the feed tells of everything at the start, then of entries and of stores that come', async () => {
  const root = temporaryFolder();
  const store = makeStore(root, null);
  makeStore(root, 'old');
  const [hints, problems]: [StoreHint[], Error[]] = [[], []];
  let [alls, stores] = [0, 0];
  const feed = startSessionFeed({
    root,
    onHints: (hint) => hints.push(hint),
    onStores: () => {
      stores += 1;
    },
    onAll: () => {
      alls += 1;
    },
    report: (problem) => problems.push(problem),
  });
  afterwards(() => feed.dispose());
  await eventually('a look at everything', () => alls > 0 && feed.status().state === 'watching');
  await wait(300);
  appendFileSync(path.join(store, 'a.events.jsonl'), 'line\n');
  await eventually('a hint for the entry', () => hints.some((hint) => hint.names.includes('a.events.jsonl')));
  expect(stores).toBe(0);
  makeStore(root, 'new');
  await eventually('a look at the stores', () => stores > 0);
  await eventually('a look at all of the new one', () =>
    hints.some((hint) => hint.store === 'project:new' && hint.all),
  );
  const before = alls;
  feed.rescan();
  await eventually('a look at everything when asked', () => alls > before);
  await feed.dispose();
  hints.length = 0;
  writeFileSync(path.join(store, 'b.jsonl'), 'x');
  await wait(300);
  expect(hints).toEqual([]);
  expect(problems).toEqual([]);
});
