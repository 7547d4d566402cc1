import { randomUUID } from 'node:crypto';
import type { MemoryEntry, MemoryTitle } from '../contract/entities.ts';
import { memoryLimits } from '../contract/entities.ts';
import { type ErrorDetail, Failure } from '../contract/errors.ts';
import { clampText, type JsonObject, nextTime, withKeys, withoutKeys, writableList } from '../files/index.ts';
import { readDocument, writtenDocument } from './document.ts';
import { type MemoryView, readMemory, shownTitle } from './entry.ts';
import {
  contentHash,
  idsWithVersions,
  isSameText,
  type KeptDocument,
  keptFile,
  withAllowance,
  withVersion,
  withVersions,
} from './kept.ts';
import { areSimilar, titleKey } from './similar.ts';
import type { RemovedMemory } from './trash.ts';
import { entryOf, isWithheld, type MemoryState, sortedEntries, threatOf, titleOf } from './views.ts';

/**
 * What a mutation makes of the newest state of a memory. It is a function of that state alone, so it can be applied again
 * when another program changed a file, and several can be taken together into one write.
 */
export interface MemoryChange<Result> {
  /** The same object where nothing is to be written. */
  readonly state: MemoryState;
  readonly result: Result;
  /** What it deletes; put into the trash before the write. */
  readonly removed?: RemovedMemory;
}

/** What a person wants remembered. */
export interface MemoryInput {
  title: string;
  body: string;
  type: 'fact' | 'preference' | 'reference';
  sessionId?: string | undefined;
  replaces?: string | undefined;
  beside?: boolean | undefined;
}

export interface Created {
  entry: MemoryEntry | null;
  replaced: boolean;
  clamped: boolean;
  similar: MemoryTitle[];
}

/** Remembers something; see the call `memory.create`. @param limit Most entries that the owner may have. */
export function createMemory(
  state: MemoryState,
  input: MemoryInput,
  { limit, now }: { limit: number; now: number },
): MemoryChange<Created> {
  const { title, body, clamped } = clampedText(input);
  const entries = sortedEntries(state);
  const replaced =
    input.replaces === undefined
      ? entries.find(({ view }) => titleKey(view.title) === titleKey(title))
      : entryWith(state, input.replaces);
  const session = input.sessionId === undefined ? {} : { sessionId: input.sessionId };
  if (replaced !== undefined) {
    const changed = changeEntry(state, replaced.view, { title, body, type: input.type, ...session }, now);
    return { ...changed, result: { entry: changed.result, replaced: true, clamped, similar: [] } };
  }
  const text = { title, body };
  const similar = input.beside === true ? [] : entries.filter(({ view }) => areSimilar(view, text));
  if (similar.length > 0) {
    const titles = similar.map(({ view }) => titleOf(state, view));
    return { state, result: { entry: null, replaced: false, clamped, similar: titles } };
  }
  if (entries.length >= limit) throw full(state, limit);
  const id = randomUUID();
  const time = nextTime(
    entries.flatMap(({ view }) => [view.createdAt, view.updatedAt]),
    now,
  );
  const raw = {
    id,
    title,
    body,
    type: input.type,
    createdAt: time,
    updatedAt: time,
    ...flagOf(state.kept, text),
    ...session,
  };
  const list = writableList(state.memory.entries).raw;
  // In front, where another program that cuts a list at its limit does not cut it off.
  const next = withEntries(state, [raw, ...list]);
  return { state: next, result: { entry: shown(next, id), replaced: false, clamped, similar: [] } };
}

/** Changes only the fields that are named. */
export function updateMemory(
  state: MemoryState,
  id: string,
  fields: { title?: string | undefined; body?: string | undefined; type?: MemoryInput['type'] | undefined },
  { revision, now }: { revision: string | undefined; now: number },
): MemoryChange<{ entry: MemoryEntry; clamped: boolean }> {
  const { view } = entryWith(state, id);
  checkRevision(state, view, revision);
  const { title, body, clamped } = clampedText(
    { title: fields.title ?? view.title, body: fields.body ?? view.body },
    { title: fields.title === undefined ? null : view.title, body: fields.body === undefined ? null : view.body },
  );
  const wanted = {
    ...(fields.title === undefined ? {} : { title }),
    ...(fields.body === undefined ? {} : { body }),
    ...(fields.type === undefined ? {} : { type: fields.type }),
  };
  const changed = changeEntry(state, view, wanted, now);
  return { ...changed, result: { entry: changed.result, clamped } };
}

/** Takes an entry out; what it is and said before goes to the trash. */
export function deleteMemory(state: MemoryState, id: string, revision: string | undefined): MemoryChange<null> {
  const { view } = entryWith(state, id);
  checkRevision(state, view, revision);
  const { raw: list, placeOf } = writableList(state.memory.entries);
  const index = placeOf(id) ?? 0;
  const raw = list[index] as JsonObject;
  const { versions } = entryOf(state, view);
  return {
    state: withEntries(state, list.toSpliced(index, 1)),
    result: null,
    removed: { raw, index, versions },
  };
}

/** Brings a deleted entry back; one that is there as it was stays as it is. */
export function restoreMemory(
  state: MemoryState,
  { raw, index, versions }: RemovedMemory,
  limit: number,
): MemoryChange<{ entry: MemoryEntry }> {
  const { raw: list, placeOf } = writableList(state.memory.entries);
  const view = readMemory(raw).view;
  if (view === null) throw new Error('what was shown before it was deleted can be shown again');
  for (let attempt = 0; ; attempt++) {
    const wanted = `memory_${view.revision}`;
    const id = attempt === 0 ? view.id : attempt === 1 ? wanted : `${wanted}-${attempt - 1}`;
    const entry = id === view.id ? raw : withKeys(raw, { id });
    const place = placeOf(id);
    if (place !== undefined && !holdsAll(list[place] as JsonObject, entry)) continue;
    if (place !== undefined) return { state, result: { entry: shown(state, id) } };
    if (state.memory.entries.entries.length >= limit) throw full(state, limit);
    const kept = keptOf(withVersions(state.kept, id, versions));
    const next = withEntries({ ...state, kept }, list.toSpliced(Math.min(index, list.length), 0, entry));
    return { state: next, result: { entry: shown(next, id) } };
  }
}

/** Lets sessions be told of an entry that looks suspicious, or not any more: of exactly this text. */
export function allowMemory(
  state: MemoryState,
  id: string,
  { allowed, by, at, revision }: { allowed: boolean; by: string; at: number; revision: string },
): MemoryChange<{ entry: MemoryEntry }> {
  const { view } = entryWith(state, id);
  checkRevision(state, view, revision);
  const threat = threatOf(state.kept, view);
  if (threat === null || (threat.allowed !== null) === allowed) return { state, result: { entry: shown(state, id) } };
  const kept = keptOf(withAllowance(state.kept, contentHash(view), allowed ? { by, at } : null));
  const next = { ...state, kept };
  return { state: next, result: { entry: shown(next, id) } };
}

function changeEntry(
  state: MemoryState,
  view: MemoryView,
  fields: Readonly<Record<string, string>>,
  now: number,
): MemoryChange<MemoryEntry> {
  const { raw: list, placeOf } = writableList(state.memory.entries);
  const place = placeOf(view.id) ?? 0;
  const before = list[place] as JsonObject;
  const isChanged = Object.entries(fields).some(([key, value]) => before[key] !== value);
  if (!isChanged) return { state, result: entryOf(state, view) };
  const text = { title: fields.title ?? view.title, body: fields.body ?? view.body };
  const updatedAt = Math.max(
    view.createdAt,
    nextTime(
      state.memory.entries.entries.map((one) => one.view.updatedAt),
      now,
    ),
  );
  const after = withKeys(withoutKeys(before, ['flagged']), { ...fields, updatedAt, ...flagOf(state.kept, text) });
  const version = { title: view.title, body: view.body, replacedAt: now };
  const kept = isSameText(text, view) ? state.kept : keptOf(withVersion(state.kept, view.id, version));
  const next = withEntries({ ...state, kept }, list.with(place, after));
  return { state: next, result: shown(next, view.id) };
}

/** Another list of entries; versions of what is in neither it nor the one before go. */
function withEntries({ memory, kept }: MemoryState, entries: readonly unknown[]): MemoryState {
  const next = readDocument(writtenDocument(memory, entries));
  const ids = new Set([...memory.entries.entries, ...next.entries.entries].map(({ view }) => view.id));
  const stale = kept.readOnly ? [] : idsWithVersions(kept).filter((id) => !ids.has(id));
  return { memory: next, kept: stale.reduce((rest, id) => keptOf(withVersions(rest, id, [])), kept) };
}

const keptOf = (raw: JsonObject): KeptDocument => keptFile.read(raw, 0);

/** As other programs store it; they judge anew at each read, like this one. */
const flagOf = (kept: KeptDocument, text: { title: string; body: string }): { flagged?: true } =>
  isWithheld(threatOf(kept, text)) ? { flagged: true } : {};

/**
 * New text, cut at a character to its limits, or to the length of what it replaces where that is longer already.
 *
 * @param before What it replaces; null for what stays as it is.
 */
function clampedText(
  { title, body }: { title: string; body: string },
  before: { title: string | null; body: string | null } = { title: '', body: '' },
): { title: string; body: string; clamped: boolean } {
  const wanted = title.replace(/\s+/gu, ' ').trim();
  const text = body.trim();
  const shortTitle =
    wanted.length <= memoryLimits.title
      ? shownTitle(wanted)
      : clampText(wanted, longest(memoryLimits.title, before.title)).trim();
  const shortBody = clampText(text, longest(memoryLimits.body, before.body)).trim();
  return {
    title: before.title === null ? title : shortTitle,
    body: before.body === null ? body : shortBody,
    clamped:
      (before.title !== null && shortTitle.length < wanted.length) || (before.body !== null && shortBody !== text),
  };
}

const longest = (limit: number, before: string | null): number => Math.max(limit, before?.length ?? 0);

function entryWith({ memory }: MemoryState, id: string) {
  const entry = memory.entries.entries.find(({ view }) => view.id === id);
  if (entry !== undefined) return entry;
  throw new Failure('not-found', 'This memory is not there any more; it may have been forgotten elsewhere.');
}

function shown(state: MemoryState, id: string): MemoryEntry {
  return entryOf(state, entryWith(state, id).view);
}

function checkRevision(state: MemoryState, view: MemoryView, expected: string | undefined): void {
  if (expected === undefined || expected === view.revision) return;
  const detail = { entry: entryOf(state, view) } satisfies ErrorDetail;
  throw new Failure(
    'conflict',
    'This memory was changed elsewhere in the meantime. Nothing was overwritten; look at both and decide.',
    { detail },
  );
}

function full(state: MemoryState, limit: number): Failure {
  const titles = sortedEntries(state).map(({ view }) => clampText(view.title, memoryLimits.title));
  return new Failure(
    'limit',
    `At most ${limit} memories fit here. Nothing was changed; forget some, or put some together, first.`,
    { detail: { limit, titles } },
  );
}

/** Whether an entry that is there holds all that a deleted one held; another program may have added keys of its own. */
const holdsAll = (present: JsonObject, deleted: JsonObject): boolean =>
  Object.entries(deleted).every(([key, value]) => JSON.stringify(present[key]) === JSON.stringify(value));
