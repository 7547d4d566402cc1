import { setTimeout as wait } from 'node:timers/promises';
import type { Bar } from './benchmark.ts';
import { median } from './statistics.ts';

/** One side of a comparison: does the thing once and answers its figure (ms, or a rate). */
export type Side = (round: number) => Promise<number>;

export type Samples = { ours: number[]; other: number[] };

export type PairOptions = {
  rounds: number;
  warmUp: number;
  /** Rest before each measurement, in ms: whatever the one before left running has then ended. */
  rest?: number;
};

/** Measures two sides in turn, the order changing from round to round, so that a slow machine slows both. */
export const measureInTurn = async (
  { rounds, warmUp, rest = 0 }: PairOptions,
  ours: Side,
  other: Side,
): Promise<Samples> => {
  const samples: Samples = { ours: [], other: [] };
  for (let round = -warmUp; round < rounds; round += 1) {
    const sides = [
      { measure: ours, into: samples.ours },
      { measure: other, into: samples.other },
    ];
    for (const { measure, into } of round % 2 === 0 ? sides : sides.reverse()) {
      if (rest > 0) await wait(rest);
      const value = await measure(round + warmUp);
      if (round >= 0) into.push(value);
    }
  }
  return samples;
};

/** Time that something takes, in ms. */
export const timed = async (act: () => unknown): Promise<number> => {
  const began = performance.now();
  await act();
  return performance.now() - began;
};

/** Our median by that of the other side. */
export const ratioOf = ({ ours, other }: Samples): number => median(ours) / median(other);

export type RatioBar = {
  promise: string;
  samples: Samples;
  /** Names of the two sides. */
  names: readonly [ours: string, other: string];
  unit: 'ms' | 'per second';
  bound: { atMost: number } | { atLeast: number };
};

/** The verdict on a comparison, with both medians, their ratio and the number of runs. */
export const ratioBar = ({ promise, samples, names, unit, bound }: RatioBar): Bar => {
  const ratio = ratioOf(samples);
  const [ours, other] = [samples.ours, samples.other].map(
    (side) => `${median(side).toFixed(unit === 'ms' ? 2 : 0)} ${unit}`,
  );
  return {
    promise,
    measured: `${ratio.toFixed(2)} (${names[0]} ${ours}, ${names[1]} ${other}; medians of ${samples.ours.length} runs each)`,
    held: 'atMost' in bound ? ratio <= bound.atMost : ratio >= bound.atLeast,
  };
};
