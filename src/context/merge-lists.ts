import type { Note, Todo } from '../contract/entities.ts';
import { type JsonObject, own, withKeys } from '../files/json.ts';
import { isTime } from '../files/stored-entry.ts';
import { type StoredList, writableList } from '../files/stored-list.ts';
import { revisionOf } from '../files/text.ts';
import { type ContextDocument, writtenDocument } from './document.ts';
import { linkedFile, type PlanLink } from './entries.ts';

/** How many entries a merge brought: those of the source that the destination did not have as they are. */
export interface MergeCounts {
  notes: number;
  todos: number;
  plans: number;
}

export interface MergeOptions {
  /** New names of plan files of the source, by their names there; the links that name them are rewritten. */
  planFiles?: ReadonlyMap<string, string>;
}

/** What becomes of two entries with the same id: one of both, or both with the loser under another id. */
type Meeting = { one: JsonObject } | { winner: 'destination' | 'source' };
type Meet<View> = (destination: Item<View>, source: Item<View>) => Meeting;

interface Item<View> {
  raw: JsonObject;
  view: View;
}

const listNames = ['notes', 'todos', 'plans'] as const;

/**
 * The union of two contexts (docs/formats/context-format.md, section 10). The destination's entries stay in their order;
 * what the source adds comes behind. Nothing of either side is lost, entries over a limit, unknown keys and odd entries
 * included, and merging the same source again changes nothing.
 *
 * @param destination A context that may be written, like `source`: the caller refuses versions above ours.
 * @returns The top level to write.
 */
export function mergeDocuments(
  destination: ContextDocument,
  source: ContextDocument,
  { planFiles = new Map() }: MergeOptions = {},
): { raw: JsonObject; counts: MergeCounts } {
  const notes = mergeLists('note', destination.notes, source.notes, meetNotes);
  const todos = mergeLists('todo', destination.todos, source.todos, meetTodos);
  const plans = mergeLists('plan', destination.plans, source.plans, meetPlans, (raw) => {
    const file = planFiles.get(linkedFile(raw) ?? '');
    return file === undefined ? raw : withKeys(raw, { file });
  });
  const raw = writtenDocument(destination, { notes: notes.raw, todos: todos.raw, plans: plans.raw });
  return {
    raw: withOtherKeys(raw, source.raw),
    counts: { notes: notes.count, todos: todos.count, plans: plans.count },
  };
}

/** Different bodies both stay, and the later one keeps the id. */
const meetNotes: Meet<Note> = (destination, source) => {
  const winner = source.view.updatedAt > destination.view.updatedAt ? 'source' : 'destination';
  const [first, second] = winner === 'source' ? [source, destination] : [destination, source];
  // A note without a date of change counts as changed when it was made: an earlier date would belie that.
  const one = united(first.raw, second.raw, ['updatedAt', 'createdAt', 'pinned'], ['updatedAt']);
  return one === null ? { winner } : { one };
};

/** Of one text there is one todo, completed if either is. */
const meetTodos: Meet<Todo> = (destination, source) => {
  const one = united(destination.raw, source.raw, ['createdAt', 'completed']);
  if (one === null) return { winner: 'destination' };
  const completed = destination.view.completed || source.view.completed;
  return { one: completed && own(one, 'completed') !== true ? withKeys(one, { completed }) : one };
};

/** Of one file there is one link; the title is that of the file anyway. */
const meetPlans: Meet<PlanLink> = (destination, source) => {
  const sameFile = destination.view.file === source.view.file;
  const one = sameFile ? united(destination.raw, source.raw, ['createdAt', 'pinned', 'title', 'file']) : null;
  return one === null ? { winner: 'destination' } : { one };
};

/**
 * One entry that holds all of both; null when a key has two values that cannot be settled.
 *
 * @param settled Keys of which the first value counts, where both are of the key's type.
 * @param ownDates Dates that the first does not take over from the second.
 */
function united(
  first: JsonObject,
  second: JsonObject,
  settled: readonly string[],
  ownDates: readonly string[] = [],
): JsonObject | null {
  const added: [string, unknown][] = [];
  for (const [key, value] of Object.entries(second)) {
    if (key === 'id') continue;
    if (!Object.hasOwn(first, key)) {
      if (!ownDates.includes(key) || !isTime(value)) added.push([key, value]);
    } else if (JSON.stringify(first[key]) !== JSON.stringify(value)) {
      if (!settled.includes(key) || !areOfOneType(first[key], value)) return null;
    }
  }
  return added.length === 0 ? first : withKeys(first, Object.fromEntries(added));
}

/** Whether two values are of the same type, and one that a key of an entry can have. */
function areOfOneType(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' || typeof right === 'number') return isTime(left) && isTime(right);
  return typeof left === typeof right && ['string', 'boolean'].includes(typeof left);
}

function mergeLists<View extends { id: string }>(
  kind: 'note' | 'todo' | 'plan',
  destination: StoredList<View>,
  source: StoredList<View>,
  meet: Meet<View>,
  adapt: (raw: JsonObject) => JsonObject = (raw) => raw,
): { raw: unknown[]; count: number } {
  const here = itemsOf(destination);
  const coming = itemsOf(source, adapt);
  const ids = new ContentIds(kind, [here.items, coming.items]);
  // What stands at each place of the destination's list.
  const places = here.list.map((entry): unknown[] => [entry]);
  const odd = new Set(here.list.filter((_entry, index) => !here.shown.has(index)).map(textOf));
  const added: unknown[] = [];
  let count = 0;
  for (const [index, entry] of coming.list.entries()) {
    const item = coming.shown.get(index);
    if (item === undefined) {
      if (!odd.has(textOf(entry))) added.push(entry);
      odd.add(textOf(entry));
      continue;
    }
    const place = here.positions.get(item.view.id);
    const known = here.items.get(item.view.id);
    if (place === undefined || known === undefined) {
      added.push(item.raw);
      count++;
      continue;
    }
    if (textOf(known.raw) === textOf(item.raw)) continue;
    const meeting = meet(known, item);
    if ('one' in meeting) {
      places[place] = [meeting.one];
      if (textOf(meeting.one) !== textOf(known.raw)) count++;
      continue;
    }
    const [winner, loser] = meeting.winner === 'source' ? [item, known] : [known, item];
    const second = ids.secondOf(loser.raw);
    places[place] = second === null ? [winner.raw] : [winner.raw, second];
    if (winner === item || second !== null) count++;
  }
  return { raw: [...places.flat(), ...added], count };
}

/** A list ready to be written, and what of it can be shown: by place and by id. */
function itemsOf<View extends { id: string }>(
  stored: StoredList<View>,
  adapt: (raw: JsonObject) => JsonObject = (raw) => raw,
) {
  const { raw, positions } = writableList(stored);
  const list = [...raw];
  const items = new Map<string, Item<View>>();
  const shown = new Map<number, Item<View>>();
  for (const { view } of stored.entries) {
    const position = positions.get(view.id) ?? 0;
    const entry = adapt(raw[position] as JsonObject);
    const file = linkedFile(entry);
    const item = { raw: entry, view: file !== null && 'file' in view ? { ...view, file } : view };
    list[position] = entry;
    items.set(view.id, item);
    shown.set(position, item);
  }
  return { list, positions, items, shown };
}

/** New ids for entries that have to give theirs up, made from what they hold, so that a second merge makes the same. */
class ContentIds {
  readonly #kind: string;
  readonly #taken = new Map<string, Set<string>>();

  constructor(kind: string, sides: readonly ReadonlyMap<string, { raw: JsonObject }>[]) {
    this.#kind = kind;
    for (const [id, { raw }] of sides.flatMap((side) => [...side])) this.#take(id, raw);
  }

  /** The entry under a new id; null when it stands under that id already. */
  secondOf(raw: JsonObject): JsonObject | null {
    const wanted = `${this.#kind}_${revisionOf(textOf(raw))}`;
    for (let suffix = 0; ; suffix++) {
      const id = suffix === 0 ? wanted : `${wanted}-${suffix}`;
      const second = withKeys(raw, { id });
      const taken = this.#taken.get(id);
      if (taken?.has(textOf(second))) return null;
      if (taken !== undefined) continue;
      this.#take(id, second);
      return second;
    }
  }

  #take(id: string, raw: JsonObject): void {
    this.#taken.set(id, (this.#taken.get(id) ?? new Set()).add(textOf(raw)));
  }
}

/**
 * The top level with what else the source holds in its own: keys that we do not know, and values where a list should be.
 * Two values of one key both stay, the source's under a key of its own.
 */
function withOtherKeys(raw: JsonObject, source: JsonObject): JsonObject {
  const keys = new Map(Object.entries(raw));
  for (const [key, value] of Object.entries(source)) {
    if (key === 'version') continue;
    const isList = listNames.some((name) => name === key);
    if (isList && (Array.isArray(value) || (key === 'notes' && typeof value === 'string'))) continue;
    for (const name of keyNames(key, isList)) {
      if (keys.has(name) && textOf(keys.get(name)) !== textOf(value)) continue;
      keys.set(name, value);
      break;
    }
  }
  return Object.fromEntries(keys);
}

/** The keys under which a value may stand, in the order in which they are tried. */
function* keyNames(key: string, isList: boolean): Generator<string> {
  if (!isList) yield key;
  yield `${key}Kept`;
  for (let suffix = 2; ; suffix++) yield `${key}Kept${suffix}`;
}

const textOf = (value: unknown): string => JSON.stringify(value);
