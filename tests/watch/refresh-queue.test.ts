import { expect, test } from 'vitest';
import { RefreshQueue } from '../../src/watch/context-feed.ts';
import { eventually } from './support.ts';

/** A store whose calls wait until the test lets them go. */
const heldStore = () => {
  const calls: string[] = [];
  const held: (() => void)[] = [];
  const problems: Error[] = [];
  let most = 0;
  let fails = false;
  const call = async (name: string): Promise<void> => {
    calls.push(name);
    if (fails) throw new Error('disk on fire');
    await new Promise<void>((resolve) => {
      held.push(resolve);
      most = Math.max(most, held.length);
    });
  };
  const queue = new RefreshQueue({
    store: {
      refresh: (projectId) => call(`context ${projectId}`),
      refreshPlan: (projectId, file) => call(`plan ${projectId} ${file}`),
      refreshAll: () => call('all'),
    },
    onProjects: () => calls.push('projects'),
    report: (problem) => problems.push(problem),
  });
  return {
    calls,
    problems,
    queue,
    most: () => most,
    failFromNow: () => {
      fails = true;
    },
    letGo: () => {
      for (const resolve of held.splice(0)) resolve();
    },
  };
};

const context = (projectId: string) => ({ kind: 'context', projectId }) as const;

test('hints about a thing that is being read lead to one more read after it', async () => {
  const { queue, calls, letGo } = heldStore();
  queue.add([context('p1')]);
  queue.add([context('p1')]);
  queue.add([context('p1'), { kind: 'legacy', projectId: 'p1' }]);
  expect(calls).toEqual(['context p1']);
  letGo();
  await eventually('a second read', () => calls.length === 2);
  letGo();
  await queue.dispose();
  expect(calls).toEqual(['context p1', 'context p1']);
});

test('a thing that takes long holds up no other', () => {
  const { queue, calls } = heldStore();
  queue.add([context('p1')]);
  queue.add([context('p1'), { kind: 'plan', projectId: 'p2', file: '1-a.md' }, { kind: 'projects' }]);
  expect(calls).toEqual(['context p1', 'plan p2 1-a.md', 'projects']);
});

test('few files are read at the same time, and all in the end', async () => {
  const { queue, calls, most, letGo } = heldStore();
  const ids = Array.from({ length: 30 }, (_, index) => `p${index}`);
  queue.add(ids.map(context));
  await eventually('every read', () => {
    letGo();
    return calls.length === 30;
  });
  expect(most()).toBeLessThanOrEqual(4);
  expect(new Set(calls)).toEqual(new Set(ids.map((id) => `context ${id}`)));
});

test('a complete look includes the list of projects', () => {
  const { queue, calls } = heldStore();
  queue.add([{ kind: 'all' }]);
  expect(calls).toEqual(['all', 'projects']);
});

test('a read that fails is reported and stops nothing', async () => {
  const { queue, calls, problems, failFromNow } = heldStore();
  failFromNow();
  queue.add([context('p1')]);
  await eventually('the report', () => problems.length === 1);
  expect(problems[0]?.cause).toEqual(new Error('disk on fire'));
  queue.add([context('p1'), context('p2')]);
  await eventually('both reports', () => problems.length === 3);
  expect(calls).toEqual(['context p1', 'context p1', 'context p2']);
});

test('dispose waits for the read under way and starts no other', async () => {
  const { queue, calls, letGo } = heldStore();
  queue.add([context('p1')]);
  queue.add([context('p1')]);
  let disposed = false;
  const end = queue.dispose().then(() => {
    disposed = true;
  });
  queue.add([context('p2')]);
  await Promise.resolve();
  expect(disposed).toBe(false);
  letGo();
  await end;
  expect(calls).toEqual(['context p1']);
});
