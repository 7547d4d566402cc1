import { limits, type Note, type NoteOrigin, NoteSource, type Todo } from '../contract/entities.ts';
import { isRecord, type JsonObject, own } from './json.ts';
import { clampText, onOneLine, revisionOf } from './text.ts';

/** What the list shows of a stored plan link, before its file is looked at. */
export interface PlanLink {
  id: string;
  file: string;
  /** Title in the manifest. */
  title: string;
  createdAt: number;
  pinned?: boolean;
}

/** Why a stored entry is not quite right; see `HealthItem`. */
export type EntryProblem = 'not-a-record' | 'blank-text' | 'blank-id' | 'bad-file-name' | 'bad-date' | 'over-limit';

/** A stored entry read on its own: what it shows, or null when it cannot be shown; it stays on disk either way. */
export interface EntryReading<View> {
  view: View | null;
  problems: EntryProblem[];
}

const MAXIMUM_TIME = 8.64e15;
const MAXIMUM_ID = 1000;
const planFile = /^[a-zA-Z0-9._-]+\.md$/;

/** Whether a stored value is a time: finite and within what a date can hold. */
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= MAXIMUM_TIME;

/** Whether a text can be the base name of a plan file. */
export const isPlanFile = (name: string): boolean => planFile.test(name) && name.length <= 255;

/** Revision of a stored entry. */
export const entryRevision = (raw: JsonObject): string => revisionOf(JSON.stringify(raw));

/** Reads a stored note; the body is shown as it stands, whatever its length. */
export function readNote(raw: unknown): EntryReading<Note> {
  if (!isRecord(raw)) return unreadable('not-a-record');
  const body = own(raw, 'body');
  if (typeof body !== 'string' || body.trim() === '') return unreadable('blank-text');
  const problems = commonProblems(raw);
  if (body.length > limits.noteBody) problems.push('over-limit');
  const createdAt = timeOf(own(raw, 'createdAt')) ?? 0;
  const source = NoteSource.safeParse(own(raw, 'source'));
  const origin = originOf(own(raw, 'origin'));
  return {
    problems,
    view: {
      id: storedId(raw) ?? '',
      body,
      createdAt,
      updatedAt: timeOf(own(raw, 'updatedAt')) ?? createdAt,
      source: source.success ? source.data : 'manual',
      ...(origin === null ? {} : { origin }),
      ...pinnedOf(raw),
      revision: entryRevision(raw),
    },
  };
}

/** Reads a stored todo. */
export function readTodo(raw: unknown): EntryReading<Todo> {
  if (!isRecord(raw)) return unreadable('not-a-record');
  const text = own(raw, 'text');
  if (typeof text !== 'string' || text.trim() === '') return unreadable('blank-text');
  const problems = commonProblems(raw);
  if (text.length > limits.todoText) problems.push('over-limit');
  return {
    problems,
    view: {
      id: storedId(raw) ?? '',
      text,
      completed: own(raw, 'completed') === true,
      createdAt: timeOf(own(raw, 'createdAt')) ?? 0,
      revision: entryRevision(raw),
    },
  };
}

/** Reads a stored plan link. */
export function readPlanLink(raw: unknown): EntryReading<PlanLink> {
  if (!isRecord(raw)) return unreadable('not-a-record');
  const file = linkedFile(raw);
  if (file === null) return unreadable('bad-file-name');
  const title = own(raw, 'title');
  return {
    problems: commonProblems(raw),
    view: {
      id: storedId(raw) ?? '',
      file,
      title: shownTitle(typeof title === 'string' ? title : ''),
      createdAt: timeOf(own(raw, 'createdAt')) ?? 0,
      ...pinnedOf(raw),
    },
  };
}

/** The plan file that a stored link names; null when it names none that can be one. */
export function linkedFile(raw: unknown): string | null {
  const file = isRecord(raw) ? own(raw, 'file') : undefined;
  const name = typeof file === 'string' ? file.trim() : '';
  return isPlanFile(name) ? name : null;
}

/** The id that an entry is stored with, without blanks around it; null when it has none that can be used. */
export function storedId(raw: JsonObject): string | null {
  const id = own(raw, 'id');
  const text = typeof id === 'string' ? id.trim() : '';
  return text === '' || text.length > MAXIMUM_ID ? null : text;
}

/** A plan's title as it is shown and stored: one line, at most `limits.planTitle`, never empty. */
export const shownTitle = (title: string): string => clampText(onOneLine(title), limits.planTitle).trim() || 'Plan';

/** The message that a note comes from, without blanks; null without a session. */
export function originOf(value: unknown): NoteOrigin | null {
  const sessionId = isRecord(value) ? textOf(own(value, 'sessionId')) : '';
  const messageId = isRecord(value) ? textOf(own(value, 'messageId')) : '';
  if (sessionId === '') return null;
  return messageId === '' ? { sessionId } : { sessionId, messageId };
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  return text.length > MAXIMUM_ID ? '' : text;
}

const timeOf = (value: unknown): number | null => (isTime(value) ? value : null);

function pinnedOf(raw: JsonObject): { pinned?: boolean } {
  const pinned = own(raw, 'pinned');
  return typeof pinned === 'boolean' ? { pinned } : {};
}

function commonProblems(raw: JsonObject): EntryProblem[] {
  const createdAt = own(raw, 'createdAt');
  const problems: EntryProblem[] = [];
  if (storedId(raw) === null) problems.push('blank-id');
  if (createdAt !== undefined && !isTime(createdAt)) problems.push('bad-date');
  return problems;
}

function unreadable(problem: EntryProblem): EntryReading<never> {
  return { view: null, problems: [problem] };
}
