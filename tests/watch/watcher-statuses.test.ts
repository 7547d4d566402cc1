import { expect, test } from 'vitest';
import { WatcherStatus } from '../../src/contract/entities.ts';
import { WatcherStatuses } from '../../src/watch/watcher-statuses.ts';

/** Two watchers and what is told of both. */
const setUp = () => {
  const told: WatcherStatus[] = [];
  const statuses = new WatcherStatuses((status) => told.push(status));
  const [first, second] = [statuses.part(), statuses.part()];
  const say = (part: (status: WatcherStatus) => void, state: WatcherStatus['state'], reason: string | null = null) =>
    part({ sequence: 7, state, reason });
  const last = () => ({ state: statuses.status.state, reason: statuses.status.reason });
  return { told, statuses, first, second, say, last };
};

test('the worse of two is told, with its reason', () => {
  const { first, second, say, last } = setUp();
  const states = ['watching', 'starting', 'polling', 'degraded', 'stopped'] as const;
  for (const [left, one] of states.entries()) {
    for (const [right, other] of states.entries()) {
      say(first, one, `first ${one}`);
      say(second, other, `second ${other}`);
      expect(last()).toEqual(
        left >= right ? { state: one, reason: `first ${one}` } : { state: other, reason: `second ${other}` },
      );
    }
  }
});

test('of two in the same state the one that has something to say is told', () => {
  const { first, second, say, last } = setUp();
  say(first, 'watching');
  say(second, 'watching', 'There is no data folder yet.');
  expect(last()).toEqual({ state: 'watching', reason: 'There is no data folder yet.' });
});

test('it is starting until both have started, and only what is new is told, numbered without a gap', () => {
  const { told, statuses, first, second, say } = setUp();
  expect(statuses.status).toEqual({ sequence: 0, state: 'starting', reason: null });
  say(first, 'watching');
  expect(told).toEqual([]);
  say(second, 'watching');
  say(second, 'watching');
  say(first, 'polling', 'It polls.');
  say(second, 'starting');
  say(first, 'watching');
  say(second, 'watching');
  expect(told.map(({ state }) => state)).toEqual(['watching', 'polling', 'starting', 'watching']);
  expect(told.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  for (const status of told) expect(WatcherStatus.parse(status)).toEqual(status);
});
