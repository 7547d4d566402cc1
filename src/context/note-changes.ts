import { limits, type Note, type NoteOrigin, type NoteSource } from '../contract/entities.ts';
import { type JsonObject, own, withKeys } from '../files/json.ts';
import { isTime } from '../files/stored-entry.ts';
import { type Stored, writableList } from '../files/stored-list.ts';
import { clampText } from '../files/text.ts';
import { type Change, checkRevision, fullList, notFound } from './change.ts';
import { type ContextDocument, nextCreatedAt, writtenDocument } from './document.ts';
import { originOf, readNote } from './entries.ts';
import { removedFrom } from './trash-item.ts';

interface NoteResult {
  note: Note;
  clamped: boolean;
}

/** Adds a note above all others. */
export function createNote(
  document: ContextDocument,
  input: { body: string; source?: NoteSource | undefined; origin?: NoteOrigin | undefined },
  id: string,
  now: number,
): Change<NoteResult> {
  if (document.notes.entries.length >= limits.notes) throw fullList('notes', limits.notes);
  const { text, clamped } = newText(input.body, limits.noteBody);
  const createdAt = nextCreatedAt(document.notes, now);
  const origin = originOf(input.origin);
  const note: JsonObject = {
    id,
    body: text,
    createdAt,
    updatedAt: createdAt,
    source: input.source ?? 'manual',
    ...(origin === null ? {} : { origin }),
  };
  const notes = [note, ...writableList(document.notes).raw];
  return { raw: writtenDocument(document, { notes }), result: { note: shown(note), clamped } };
}

/** Changes the named fields of a note; a new body is a change of the note, a pin is not. */
export function updateNote(
  document: ContextDocument,
  input: { noteId: string; body?: string | undefined; pinned?: boolean | undefined; revision?: string | undefined },
  now: number,
): Change<NoteResult> {
  const stored = find(document, input.noteId);
  checkRevision('note', input.revision, stored.view.revision, { current: stored.view });
  // A stored text over the limit may be edited at its length: it is never shortened.
  const limit = Math.max(limits.noteBody, stored.view.body.length);
  const { text, clamped } = newText(input.body ?? stored.view.body, limit);
  const changes: Record<string, unknown> = {};
  if (input.body !== undefined && input.body !== stored.view.body && text !== stored.view.body.trim()) {
    changes.body = text;
    changes.updatedAt = nextUpdatedAt(stored.raw, now);
  }
  if (input.pinned !== undefined && input.pinned !== (stored.view.pinned ?? false)) changes.pinned = input.pinned;
  if (Object.keys(changes).length === 0) return { raw: null, result: { note: stored.view, clamped: false } };
  const { raw: notes, placeOf } = writableList(document.notes);
  const position = placeOf(input.noteId) ?? 0;
  const note = withKeys(notes[position] as JsonObject, changes);
  notes[position] = note;
  return { raw: writtenDocument(document, { notes }), result: { note: shown(note), clamped } };
}

/** Deletes a note, and only that one: another entry stored under the same id stays. */
export function deleteNote(
  document: ContextDocument,
  input: { noteId: string; revision?: string | undefined },
): Change<null> {
  const stored = find(document, input.noteId);
  checkRevision('note', input.revision, stored.view.revision, { current: stored.view });
  const list = writableList(document.notes);
  const removed = removedFrom('note', list, [input.noteId]);
  const notes = list.raw.toSpliced(list.placeOf(input.noteId) ?? 0, 1);
  return { raw: writtenDocument(document, { notes }), result: null, removed };
}

/** New text as it is stored: trimmed, cut at a character where it passes the limit. */
export function newText(text: string, limit: number): { text: string; clamped: boolean } {
  const trimmed = text.trim();
  return { text: clampText(trimmed, limit), clamped: trimmed.length > limit };
}

function find(document: ContextDocument, id: string): Stored<Note> {
  const stored = document.notes.entries.find((entry) => entry.view.id === id);
  if (!stored) throw notFound('note');
  return stored;
}

function shown(raw: JsonObject): Note {
  const { view } = readNote(raw);
  if (view === null) throw new Error('a note that was just made can be shown');
  return view;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Now, but after the last change and the note's birth, unless those are some other clock's mistake. */
function nextUpdatedAt(raw: JsonObject, now: number): number {
  const createdAt = own(raw, 'createdAt');
  const updatedAt = own(raw, 'updatedAt');
  const floor = isTime(updatedAt) && updatedAt <= now + DAY_MS ? Math.floor(updatedAt) + 1 : 0;
  return Math.max(now, floor, isTime(createdAt) ? createdAt : 0);
}
