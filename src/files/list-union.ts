import { type JsonObject, withKeys } from './json.ts';
import { isTime } from './stored-entry.ts';
import { type StoredList, writableList } from './stored-list.ts';
import { revisionOf } from './text.ts';

/** What becomes of two entries with the same id: one of both, or both with the loser under another id. */
export type Meeting = { one: JsonObject } | { winner: 'destination' | 'source' };
export type Meet<View> = (destination: Item<View>, source: Item<View>) => Meeting;

/** A stored entry, and what it shows. */
export interface Item<View> {
  raw: JsonObject;
  view: View;
}

/**
 * One entry that holds all of both; null when a key has two values that cannot be settled.
 *
 * @param settled Keys of which the first value counts, where both are of the key's type.
 * @param ownDates Dates that the first does not take over from the second.
 */
export function united(
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

/**
 * The union of two lists: the entries of the destination stay in their order, what the source adds comes behind. Nothing of
 * either is lost, odd entries included, and the union with the same source again changes nothing.
 *
 * @param kind What an entry is: the beginning of the ids that are given.
 * @param meet Decides of two entries with the same id that differ.
 * @param adapt What the destination is to hold of an entry of the source.
 * @returns The list to write, and how many entries it has that the destination had not.
 */
export function unionOfLists<View extends { id: string }>(
  kind: string,
  destination: StoredList<View>,
  source: StoredList<View>,
  meet: Meet<View>,
  adapt: (item: Item<View>) => Item<View> = (item) => item,
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
  adapt: (item: Item<View>) => Item<View> = (item) => item,
) {
  const { raw, positions } = writableList(stored);
  const list = [...raw];
  const items = new Map<string, Item<View>>();
  const shown = new Map<number, Item<View>>();
  for (const { view } of stored.entries) {
    const position = positions.get(view.id) ?? 0;
    const item = adapt({ raw: raw[position] as JsonObject, view });
    list[position] = item.raw;
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
 * The top level of a union with what else the source holds in its own: keys that we do not know, and values where a list
 * should be. Two values of one key both stay, the source's under a key of its own.
 *
 * @param roleOf What a key of the source is: `merged` when its value is in the union already, `odd` when it stands where
 *   a list should be, `other` for the rest.
 */
export function withOtherKeys(
  raw: JsonObject,
  source: JsonObject,
  roleOf: (key: string, value: unknown) => 'merged' | 'odd' | 'other',
): JsonObject {
  const keys = new Map(Object.entries(raw));
  for (const [key, value] of Object.entries(source)) {
    const role = roleOf(key, value);
    if (role === 'merged') continue;
    for (const name of keyNames(key, role === 'odd')) {
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
