import { expect, test } from 'vitest';
import { KeyedQueue, mapBounded } from '../../src/files/index.ts';

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

test('jobs of one key run one at a time and in order, those of others beside them', async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const job = (name: string) => async () => {
    log.push(`${name} starts`);
    await turn();
    log.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all([queue.run('a', job('a1')), queue.run('a', job('a2')), queue.run('b', job('b1'))]);
  expect(results).toEqual(['a1', 'a2', 'b1']);
  expect(log.filter((line) => line.startsWith('a'))).toEqual(['a1 starts', 'a1 ends', 'a2 starts', 'a2 ends']);
  expect(log.indexOf('b1 starts')).toBeLessThan(log.indexOf('a1 ends'));
});

test('a failing job does not stop the next, and idle waits for all', async () => {
  const queue = new KeyedQueue();
  const failing = queue.run('a', () => Promise.reject(new Error('no')));
  let done = false;
  const next = queue.run('a', async () => {
    await turn();
    done = true;
  });
  await expect(failing).rejects.toThrow('no');
  await queue.idle();
  expect(done).toBe(true);
  await next;
});

test('a key that no object may have is an ordinary key', async () => {
  const queue = new KeyedQueue();
  expect(await queue.run('__proto__', async () => 1)).toBe(1);
  expect(await queue.run('constructor', async () => 2)).toBe(2);
});

test('bounded mapping keeps the order, never runs more than its limit, and ends before it fails', async () => {
  let running = 0;
  let most = 0;
  const values = await mapBounded([1, 2, 3, 4, 5, 6, 7], 3, async (value) => {
    most = Math.max(most, ++running);
    await turn();
    running--;
    return value * 2;
  });
  expect(values).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(most).toBe(3);
  await expect(
    mapBounded([1, 2, 3], 2, async (value) => {
      if (value === 1) throw new Error('no');
      await turn();
      running++;
    }),
  ).rejects.toThrow('no');
  expect(running).toBe(2);
});
