import type { HealthItem } from '../contract/entities.ts';
import { type JsonObject, own } from './json.ts';
import { revisionOf } from './text.ts';

/** Why a stored entry is not quite right; see `HealthItem`. */
export type EntryProblem = Exclude<HealthItem['problem'], 'not-a-list' | 'duplicate-id' | 'newer-version'>;

/** A stored entry read on its own: what it shows, or null when it cannot be shown; it stays on disk either way. */
export interface EntryReading<View> {
  view: View | null;
  problems: EntryProblem[];
}

const MAXIMUM_TIME = 8.64e15;
/** Longest id that can be used, in UTF-16 code units. */
export const MAXIMUM_ID = 1000;

/** Whether a stored value is a time: finite and within what a date can hold. */
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= MAXIMUM_TIME;

/** The time that a stored value is; null when it is none. */
export const timeOf = (value: unknown): number | null => (isTime(value) ? value : null);

/** Revision of a stored entry. */
export const entryRevision = (raw: JsonObject): string => revisionOf(JSON.stringify(raw));

/** The id that an entry is stored with, without blanks around it; null when it has none that can be used. */
export function storedId(raw: JsonObject): string | null {
  const id = own(raw, 'id');
  const text = typeof id === 'string' ? id.trim() : '';
  return text === '' || text.length > MAXIMUM_ID ? null : text;
}

/** What is not right with the id and the date of an entry. */
export function commonProblems(raw: JsonObject): EntryProblem[] {
  const createdAt = own(raw, 'createdAt');
  const problems: EntryProblem[] = [];
  if (storedId(raw) === null) problems.push('blank-id');
  if (createdAt !== undefined && !isTime(createdAt)) problems.push('bad-date');
  return problems;
}

/** The reading of an entry that cannot be shown. */
export function unreadable(problem: EntryProblem): EntryReading<never> {
  return { view: null, problems: [problem] };
}
