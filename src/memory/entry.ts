import type { MemoryEntry, MemoryTitle } from '../contract/entities.ts';
import { memoryLimits } from '../contract/entities.ts';
import {
  clampText,
  commonProblems,
  type EntryReading,
  entryRevision,
  isRecord,
  type JsonObject,
  onOneLine,
  own,
  storedId,
  timeOf,
  unreadable,
} from '../files/index.ts';

/** What a stored entry of memory shows by itself: without what was judged and kept of it. */
export type MemoryView = Omit<MemoryTitle, 'threat' | 'withheld'> & Pick<MemoryEntry, 'body'>;

/**
 * Reads a stored entry (docs/formats/context-format.md, section 14); title and text are shown as they stand, whatever
 * their length. One without a title goes by the beginning of its text.
 */
export function readMemory(raw: unknown): EntryReading<MemoryView> {
  if (!isRecord(raw)) return unreadable('not-a-record');
  const title = textOf(raw, 'title').trim();
  const body = textOf(raw, 'body');
  if (title === '' && body.trim() === '') return unreadable('blank-text');
  const problems = commonProblems(raw);
  if (title.length > memoryLimits.title || body.length > memoryLimits.body) problems.push('over-limit');
  const createdAt = timeOf(own(raw, 'createdAt')) ?? 0;
  return {
    problems,
    view: {
      id: storedId(raw) ?? '',
      title: title || shownTitle(body),
      body,
      type: textOf(raw, 'type').trim() || 'fact',
      createdAt,
      updatedAt: timeOf(own(raw, 'updatedAt')) ?? createdAt,
      revision: entryRevision(raw),
      sessionId: textOf(raw, 'sessionId').trim() || null,
    },
  };
}

/** A text on one line that fits a title; cut at a character. */
export const shownTitle = (text: string): string => clampText(onOneLine(text), memoryLimits.title).trim();

function textOf(raw: JsonObject, key: string): string {
  const value = own(raw, key);
  return typeof value === 'string' ? value : '';
}
