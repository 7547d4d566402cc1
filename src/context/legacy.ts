import { isRecord, type JsonObject, own, withKeys, withoutKeys } from '../files/json.ts';
import { storedId } from '../files/stored-entry.ts';
import { noteOfText } from './document.ts';
import { linkedFile } from './entries.ts';

/** Where the client kept notes, todos and plan links before they had a file of their own. */
const legacyKeys = { notes: 'projectNotes', todos: 'projectTodos', plans: 'projectPlanFiles' } as const;

/** A plan link of the client: an id, and the absolute path that its file had. */
export interface LegacyLink {
  raw: JsonObject;
  path: string;
}

/** What of the client's settings file is to be moved; null for a key that is not there or not of its type. */
export interface LegacyData {
  notes: readonly unknown[] | null;
  todos: readonly unknown[] | null;
  links: readonly LegacyLink[] | null;
}

/**
 * Takes the legacy keys out of the client's settings.
 *
 * @param modifiedAt Time of the file's last change in ms: the date of the note that the old text becomes.
 * @returns Null when there is nothing to move.
 */
export function legacyDataOf(settings: JsonObject, modifiedAt: number): LegacyData | null {
  const text = own(settings, legacyKeys.notes);
  const todos = own(settings, legacyKeys.todos);
  const plans = own(settings, legacyKeys.plans);
  const links: unknown[] | null = Array.isArray(plans) ? plans : null;
  const data: LegacyData = {
    notes: typeof text === 'string' ? notesOf(text, modifiedAt) : Array.isArray(text) ? text : null,
    todos: Array.isArray(todos) ? todos : null,
    links: links?.filter(isLink).map((raw) => ({ raw, path: String(own(raw, 'path')) })) ?? null,
  };
  return data.notes === null && data.todos === null && data.links === null ? null : data;
}

/**
 * The client's settings without what was moved. Every other key stays, and so do values of a wrong type, links that name no
 * file, and those that have to wait.
 *
 * @param waiting Links that were not moved.
 */
export function withoutLegacyData(settings: JsonObject, data: LegacyData, waiting: readonly JsonObject[]): JsonObject {
  const plans = own(settings, legacyKeys.plans);
  const links: unknown[] = Array.isArray(plans) ? plans : [];
  const kept = links.filter(
    (link) => !isLink(link) || waiting.some((one) => JSON.stringify(one) === JSON.stringify(link)),
  );
  const moved = [
    ...(data.notes === null ? [] : [legacyKeys.notes]),
    ...(data.todos === null ? [] : [legacyKeys.todos]),
    ...(data.links === null || kept.length > 0 ? [] : [legacyKeys.plans]),
  ];
  const rest = withoutKeys(settings, moved);
  return kept.length > 0 ? withKeys(rest, { [legacyKeys.plans]: kept }) : rest;
}

/** The notes among `legacy` that `stored` does not have: neither by id nor by their text. */
export function missingNotes(stored: readonly unknown[], legacy: readonly unknown[]): unknown[] {
  const texts = new Set<string | null>(stored.map(bodyOf).filter((body) => body !== null));
  return missingEntries(stored, legacy).filter((note) => !texts.has(bodyOf(note)));
}

/** The entries among `legacy` whose id `stored` does not have; of those without an id, the ones it has no copy of. */
export function missingEntries(stored: readonly unknown[], legacy: readonly unknown[]): unknown[] {
  const known = new Set(stored.map(keyOf));
  return legacy.filter((entry) => !known.has(keyOf(entry)));
}

/** The links among `legacy` that `stored` has neither by id nor by file. */
export function missingLinks(stored: readonly unknown[], legacy: readonly unknown[]): unknown[] {
  const files = new Set<string | null>(stored.map(linkedFile).filter((file) => file !== null));
  return missingEntries(stored, legacy).filter((link) => !files.has(linkedFile(link)));
}

function notesOf(text: string, modifiedAt: number): JsonObject[] {
  return text.trim() === '' ? [] : [noteOfText(text, modifiedAt)];
}

function isLink(link: unknown): link is JsonObject {
  const path = isRecord(link) ? own(link, 'path') : undefined;
  return typeof path === 'string' && path.trim() !== '';
}

function keyOf(entry: unknown): string {
  const id = isRecord(entry) ? storedId(entry) : null;
  return id === null ? `content ${JSON.stringify(entry)}` : `id ${id}`;
}

function bodyOf(note: unknown): string | null {
  const body = isRecord(note) ? own(note, 'body') : undefined;
  return typeof body === 'string' ? body.trim() : null;
}
