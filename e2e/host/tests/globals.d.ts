import type { Sample } from './app/main.ts';

/** What the sample app's preload exposes to its pages. */
interface PageSample {
  version: number;
  argv: string[];
  attempts: Record<string, string>;
  buffer: string;
  nested: { list: [number, { deep: boolean }] };
  instance: { own: number; inherited?: unknown };
  add(a: number, b: number): number;
  echo<T>(value: T): Promise<T>;
  sender(): Promise<{ url: string; origin: string; isMainFrame: boolean; window: number }>;
  senderAfterNavigation(): Promise<void>;
  fail(how: string): Promise<never>;
  missing(): Promise<never>;
  sync(value: number): number;
  throws(): never;
  map(call: (item: number) => number): number[];
  kind(value: unknown): string;
  rejects(): Promise<never>;
  onPush(listener: (value: unknown) => void): () => void;
}

declare global {
  /** In pages. */
  var sample: PageSample;
  var early: Record<string, string>;
  var pushed: unknown[];
  var inlineRan: boolean | undefined;
  /** In the main process. */
  var sampleState: Sample;
  var heard: unknown[];
}
