import { limits, type Note, type NoteOrigin, NoteSource, type Todo } from '../contract/entities.ts';
import { isRecord, type JsonObject, own } from '../files/json.ts';
import {
  commonProblems,
  type EntryReading,
  entryRevision,
  MAXIMUM_ID,
  storedId,
  timeOf,
  unreadable,
} from '../files/stored-entry.ts';
import { clampText, onOneLine } from '../files/text.ts';

/** What the list shows of a stored plan link, before its file is looked at. */
export interface PlanLink {
  id: string;
  file: string;
  /** Title in the manifest. */
  title: string;
  createdAt: number;
  pinned?: boolean;
}

const planFile = /^[a-zA-Z0-9._-]+\.md$/;

/** Whether a text can be the base name of a plan file. */
export const isPlanFile = (name: string): boolean => planFile.test(name) && name.length <= 255;

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

function pinnedOf(raw: JsonObject): { pinned?: boolean } {
  const pinned = own(raw, 'pinned');
  return typeof pinned === 'boolean' ? { pinned } : {};
}
