import type { SessionHealth } from '../../contract/session-entities.ts';
import type { BuiltIndex } from './index-builder.ts';
import type { TranscriptFormat } from './index-head.ts';
import { LogTwoIndexer } from './log-two.ts';
import type { View } from './views.ts';

/** What is wrong with a transcript, for the person. */
export interface TranscriptProblem {
  readonly health: Exclude<SessionHealth, 'good'>;
  readonly reason: string;
}

/** A torn record younger than this may still be being written, in ms. */
const TORN_MS = 2000;

/** @param age How long ago the file was changed, in ms. */
export function findProblem(view: View, index: BuiltIndex | null, age: number): TranscriptProblem | null {
  const isTooLarge =
    index?.live instanceof LogTwoIndexer ? index.live.isTooLarge : index === null && view.format === 'log-2';
  if (isTooLarge) {
    const reason = 'It is too large to be gone through as a whole: its last messages are shown.';
    return { health: 'too-large', reason };
  }
  const parts: string[] = [];
  if (view.holes > 0) parts.push(`${view.holes === 1 ? 'one part' : `${view.holes} parts`} of it cannot be read`);
  const unplaced = index?.head.list?.unplaced ?? 0;
  if (unplaced > 0)
    parts.push(`${unplaced === 1 ? 'one record does' : `${unplaced} records do`} not follow the one before`);
  if (view.torn && age > TORN_MS) parts.push('its last record was not written to the end');
  if (parts.length === 0) return null;
  const text = parts.join(', ');
  return { health: 'damaged', reason: `${text.charAt(0).toUpperCase()}${text.slice(1)}. All else is shown.` };
}

/** A log without one whole record says nothing: the transcript counts (docs/formats/session-format.md, section 4). */
export function isEmptyLog({ head, live }: BuiltIndex): boolean {
  const format: TranscriptFormat = head.format;
  if (format === 'transcript') return false;
  if (live instanceof LogTwoIndexer) return live.records === 0 && !live.isTooNew && !live.isTooLarge;
  return (head.list?.records ?? 0) === 0 && !head.list?.tooNew;
}
