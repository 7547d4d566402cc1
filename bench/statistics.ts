import { cpus, loadavg, totalmem } from 'node:os';

/** Value below which `share` (0 to 1) of the samples lie, by the nearest rank. @throws RangeError without samples. */
export const quantile = (samples: readonly number[], share: number): number => {
  const sorted = [...samples].sort((left, right) => left - right);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('no samples');
  return value;
};

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** Median, 95th percentile and largest of samples in ms, with their number, as one line. */
export const describeTimes = (samples: readonly number[]): string =>
  `median ${milliseconds(median(samples))}, p95 ${milliseconds(quantile(samples, 0.95))}, ` +
  `largest ${milliseconds(quantile(samples, 1))}, ${samples.length} runs`;

export const milliseconds = (time: number): string => `${time.toFixed(1)} ms`;

/** The machine that the numbers belong to, as one line. */
export const describeMachine = (): string => {
  const processors = cpus();
  const gigabytes = (totalmem() / 2 ** 30).toFixed(1);
  return `${processors.length} × ${processors[0]?.model ?? 'unknown processor'}, ${gigabytes} GiB, ${process.platform} ${process.arch}, Node ${process.version}`;
};

/** How busy the machine was in the last minute, as one line: above its number of processors, times say little. */
export const describeLoad = (): string => `load ${(loadavg()[0] ?? 0).toFixed(1)} on ${cpus().length} processors`;
