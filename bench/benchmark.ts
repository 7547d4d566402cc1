/** One thing that a benchmark promises, with what was measured. */
export type Bar = {
  /** What is promised, with its number, as one line. */
  promise: string;
  /** What was measured, as one line. */
  measured: string;
  held: boolean;
};

/** A benchmark: one file in this folder, named in `run.ts`. */
export type Benchmark = {
  name: string;
  /** What it measures, in one line. */
  summary: string;
  /** What it consists of, by name and in the order in which it is run. */
  parts: Readonly<Record<string, Measure>>;
};

/** Measures both sides in one run; `print` gets lines of detail. Throws only when it could not be run. */
export type Measure = (print: (line: string) => void) => Promise<Bar[]>;
