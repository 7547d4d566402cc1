import type { PreviousIndex } from './index-builder.ts';
import type { IndexHead, TranscriptFormat } from './index-head.ts';

/** What the worker is started with: one build. */
export interface IndexWorkerData {
  readonly path: string;
  readonly format: TranscriptFormat;
  /** Where the index goes; null keeps it in memory. */
  readonly indexPath: string | null;
  /** An index that may be gone on with. */
  readonly previous: PreviousIndex | null;
}

/** From the worker to the main thread. `done` and `failed` are the last. */
export type IndexReport =
  | { type: 'progress'; done: number; total: number }
  /** The index is at its path. */
  | { type: 'written' }
  /** It could not be written, so here it is. */
  | { type: 'built'; head: IndexHead; blocks: Uint8Array[] }
  | { type: 'failed'; message: string; code: string | null };
