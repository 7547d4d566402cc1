import { EntryList } from './entries.ts';
import type { BuiltIndex } from './index-builder.ts';
import type { IndexHead, TranscriptIndex } from './index-head.ts';
import { LogTwoIndexer } from './log-two.ts';

/** An index as it is kept: with what only lived in memory as plain data. */
export function persistable({ head, entries, live }: BuiltIndex): TranscriptIndex {
  return { head: live instanceof LogTwoIndexer ? { ...head, log: live.state() } : head, entries };
}

/** A kept index, ready to be read from and to be gone on with. */
export function revived({ head, entries }: TranscriptIndex): BuiltIndex {
  if (head.log === null) return { head, entries, live: null };
  return { head: { ...head, log: null }, entries, live: new LogTwoIndexer(head.log) };
}

/** An index that a worker handed over. */
export function received(head: IndexHead, blocks: readonly Uint8Array[]): BuiltIndex {
  return revived({ head, entries: EntryList.of(blocks, head.count) });
}
