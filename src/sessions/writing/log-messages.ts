import type { FileHandle } from '../../files/index.ts';
import { scanLines } from '../transcript/lines.ts';
import { partsOf } from './log-record.ts';

export interface LogRange {
  /** Where to begin: the record that set all messages. */
  readonly from: number;
  /** Behind the last byte to look at. */
  readonly to: number;
}

/**
 * Goes through the messages of a log of schema 1, in order, as they are stored; one record at a time is in memory.
 *
 * @param onMessage Its bytes are good until it returns, or what it returns resolves.
 */
export async function eachMessage(
  handle: FileHandle,
  { from, to }: LogRange,
  onMessage: (message: Buffer) => Promise<void> | void,
): Promise<void> {
  await scanLines(handle, { from, to }, async ({ bytes, offset }) => {
    if (bytes === null) return;
    for (const { record } of partsOf(bytes, offset)) {
      for (const { start, end } of record?.messages ?? []) await onMessage(bytes.subarray(start, end));
    }
  });
}
