import { type HealthItem, limits, type Note, type Todo } from '../contract/entities.ts';
import { freeKey, isRecord, type JsonObject, own, withKeys } from '../files/json.ts';
import type { DocumentKind } from '../files/stored-document.ts';
import { type EntryReading, isTime } from '../files/stored-entry.ts';
import { readChangedList, readList, type StoredList } from '../files/stored-list.ts';
import { revisionOf } from '../files/text.ts';
import { type PlanLink, readNote, readPlanLink, readTodo } from './entries.ts';

/** The version that is written; a file with a higher one is only read. */
export const CONTEXT_VERSION = 2;

/** One owner's context file, read (docs/formats/context-format.md, sections 2 and 3). */
export interface ContextDocument {
  readonly state: 'present' | 'missing';
  /** The top level as stored, unknown keys included. */
  readonly raw: JsonObject;
  readonly version: number;
  readonly readOnly: boolean;
  readonly notes: StoredList<Note>;
  readonly todos: StoredList<Todo>;
  readonly plans: StoredList<PlanLink>;
  readonly health: readonly HealthItem[];
}

type ListName = 'notes' | 'todos' | 'plans';

const kindOf: Record<ListName, string> = { notes: 'note', todos: 'todo', plans: 'plan' };

/** How many odd entries of a list are told of: each change of a context carries them all. */
const HEALTH_SHOWN = 100;

/**
 * Reads the top level of a context file.
 *
 * @param modifiedAt Time of the file's last change in ms: the date of a version-1 note.
 */
export function readDocument(
  raw: JsonObject,
  modifiedAt: number,
  state: ContextDocument['state'] = 'present',
): ContextDocument {
  return documentOf(raw, modifiedAt, state, null);
}

/** Reads the top level that a change of a document made, which differs from it in little. */
export function readChangedDocument(before: ContextDocument, raw: JsonObject): ContextDocument {
  return documentOf(raw, 0, 'present', before);
}

/** @param before What it differs from in little; null where nothing is known of that. */
function documentOf(
  raw: JsonObject,
  modifiedAt: number,
  state: ContextDocument['state'],
  before: ContextDocument | null,
): ContextDocument {
  const notes = oncePerList(noteLists, listOf(own(raw, 'notes'), modifiedAt), (list) =>
    readListAfter('notes', before?.notes, list, noteOnce),
  );
  const todos = oncePerList(todoLists, listOf(own(raw, 'todos'), null), (list) =>
    readListAfter('todos', before?.todos, list, todoOnce),
  );
  const plans = oncePerList(planLists, listOf(own(raw, 'plans'), null), (list) =>
    readListAfter('plans', before?.plans, list, planOnce),
  );
  const version = versionOf(raw);
  const health: HealthItem[] = [];
  const file = (problem: HealthItem['problem']): HealthItem => ({ list: 'file', position: null, problem });
  if (version > CONTEXT_VERSION) health.push(file('newer-version'));
  for (const [name, list] of Object.entries({ notes, todos, plans }) as [ListName, StoredList<{ id: string }>][]) {
    if (isOddList(own(raw, name), name)) health.push({ list: name, position: null, problem: 'not-a-list' });
    if (list.entries.length > limits[name]) health.push({ list: name, position: null, problem: 'over-limit' });
    for (const item of list.health.slice(0, HEALTH_SHOWN)) health.push({ list: name, ...item });
  }
  return { state, raw, version, readOnly: version > CONTEXT_VERSION, notes, todos, plans, health };
}

/** Reads as little of a list as the one before it allows. */
function readListAfter<View extends { id: string }>(
  name: ListName,
  before: StoredList<View> | undefined,
  list: readonly unknown[],
  read: (raw: unknown) => EntryReading<View>,
): StoredList<View> {
  return (before && readChangedList(before, list, read)) ?? readList(kindOf[name], list, read);
}

/**
 * The top level with some lists replaced, in our version: a version-1 text becomes a list, and a value that is no list
 * and has to make room is kept under a key of its own.
 */
export function writtenDocument(
  document: ContextDocument,
  lists: { readonly [Name in ListName]?: readonly unknown[] },
): JsonObject {
  const { raw } = document;
  const changes: Record<string, unknown> = { version: CONTEXT_VERSION };
  for (const name of ['notes', 'todos', 'plans'] as const) {
    const stored = own(raw, name);
    const replaced = lists[name];
    const fromText = name === 'notes' && typeof stored === 'string';
    if (replaced === undefined && !fromText && stored !== undefined) continue;
    if (isOddList(stored, name)) changes[freeKey(raw, `${name}Kept`)] = stored;
    changes[name] = replaced ?? document[name].raw;
  }
  return Object.hasOwn(raw, 'version') ? withKeys(raw, changes) : { version: CONTEXT_VERSION, ...raw, ...changes };
}

/** The note that a version-1 text is; its id comes from its content, so every read gives the same. */
export function noteOfText(text: string, createdAt: number): JsonObject {
  const id = `note_legacy_${revisionOf(text)}`;
  return { id, body: text, createdAt, updatedAt: createdAt, source: 'manual' };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * When a new entry was made: now, but above every older one, so that a clock that jumped back keeps new above old. Times
 * more than a day ahead of now are some other clock's mistake and do not count.
 */
export function nextCreatedAt(list: StoredList<{ id: string }>, now: number): number {
  let newest = now;
  for (const entry of list.entries) {
    const time = own(entry.raw, 'createdAt');
    if (isTime(time) && time >= newest && time <= now + DAY_MS) newest = time + 1;
  }
  return Math.floor(newest);
}

function listOf(stored: unknown, modifiedAt: number | null): readonly unknown[] {
  if (Array.isArray(stored)) return stored;
  if (modifiedAt === null || typeof stored !== 'string' || stored.trim() === '') return [];
  return [noteOfText(stored, modifiedAt)];
}

function isOddList(stored: unknown, name: ListName): boolean {
  return stored !== undefined && !Array.isArray(stored) && !(name === 'notes' && typeof stored === 'string');
}

function versionOf(raw: JsonObject): number {
  const stored = own(raw, 'version');
  const version = typeof stored === 'number' ? stored : isRecord(stored) ? Number.MAX_SAFE_INTEGER : CONTEXT_VERSION;
  if (version > CONTEXT_VERSION) return Math.min(Math.ceil(version), Number.MAX_SAFE_INTEGER);
  return version === 1 ? 1 : CONTEXT_VERSION;
}

// Stored entries and lists are never changed in place, so what one shows has to be worked out only once.
const noteLists = new WeakMap<readonly unknown[], StoredList<Note>>();
const todoLists = new WeakMap<readonly unknown[], StoredList<Todo>>();
const planLists = new WeakMap<readonly unknown[], StoredList<PlanLink>>();
const notesRead = new WeakMap<object, EntryReading<Note>>();
const todosRead = new WeakMap<object, EntryReading<Todo>>();
const plansRead = new WeakMap<object, EntryReading<PlanLink>>();

function once<View>(known: WeakMap<object, EntryReading<View>>, read: (raw: unknown) => EntryReading<View>) {
  return (raw: unknown): EntryReading<View> => {
    if (!isRecord(raw)) return read(raw);
    const earlier = known.get(raw);
    if (earlier !== undefined) return earlier;
    const reading = read(raw);
    known.set(raw, reading);
    return reading;
  };
}

const noteOnce = once(notesRead, readNote);
const todoOnce = once(todosRead, readTodo);
const planOnce = once(plansRead, readPlanLink);

function oncePerList<View>(
  known: WeakMap<readonly unknown[], StoredList<View>>,
  raw: readonly unknown[],
  read: (raw: readonly unknown[]) => StoredList<View>,
): StoredList<View> {
  const list = known.get(raw) ?? read(raw);
  known.set(raw, list);
  return list;
}

/** What a file that does not exist holds. */
export const emptyDocument: ContextDocument = readDocument({ version: CONTEXT_VERSION }, 0, 'missing');

/** The context file of an owner. */
export const contextFile: DocumentKind<ContextDocument> = {
  names: ['context.json'],
  what: 'The stored context',
  empty: emptyDocument,
  read: (raw, modifiedAt) => readDocument(raw, modifiedAt),
};
