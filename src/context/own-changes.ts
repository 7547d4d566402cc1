import { differingRange } from '../contract/differing-range.ts';
import { type JsonObject, own } from '../files/json.ts';
import type { StoredList } from '../files/stored-list.ts';
import type { ContextDocument } from './document.ts';

export const listNames = ['notes', 'todos', 'plans'] as const;
type ListName = (typeof listNames)[number];

/** What an entry says, whatever else is stored with it and in which order; null when it is not there. */
type EntryState = string | null;

/** An entry that another program's save put back to how it was before a change here. */
export interface RevertedEntry {
  list: ListName;
  id: string;
  /** What was stored here; null when it had been deleted. */
  ours: JsonObject | null;
  /** What is stored now; null when it is gone. */
  theirs: JsonObject | null;
}

/** An entry that was changed here: how it was before, how it is since then, and whether a third text was met. */
interface OwnEntry {
  list: ListName;
  id: string;
  past: Set<EntryState>;
  now: EntryState;
  replaced: boolean;
}

/** What a version of another program does to the changes that were made here. */
export interface Overwritten {
  /** Entries that it puts back to how they were before: it never saw the change. */
  readonly reverted: readonly RevertedEntry[];
  /** Whether the text of another entry that was changed here is gone or a third one: nobody can tell whether it saw the change. */
  readonly replaced: boolean;
}

/**
 * What was changed here in this run, so that a save of another program that never saw it can be told from one that did:
 * the first puts entries back exactly to how they were before.
 */
export class OwnChanges {
  readonly #entries = new Map<string, OwnEntry>();

  /** Takes note of what a write changed. */
  record(before: ContextDocument, after: ContextDocument): void {
    for (const list of listNames) {
      const { old, fresh } = changedStates(before[list], after[list]);
      for (const id of new Set([...old.keys(), ...fresh.keys()])) {
        this.#note(list, id, old.get(id) ?? null, fresh.get(id) ?? null);
      }
    }
  }

  /**
   * What a version of another program does to the entries that were changed here; each is told once.
   *
   * @param held The last state before that version.
   */
  takeOverwritten(held: ContextDocument, theirs: ContextDocument): Overwritten {
    const reverted: RevertedEntry[] = [];
    let replaced = false;
    if (this.#entries.size === 0) return { reverted, replaced };
    const ours = rawEntries(held);
    const found = rawEntries(theirs);
    for (const [key, entry] of this.#entries) {
      const raw = found.get(key);
      const state = raw === undefined ? null : stateOf(raw);
      if (state === entry.now) continue;
      const own = ours.get(key);
      if (entry.past.has(state)) {
        this.#entries.delete(key);
        reverted.push({ list: entry.list, id: entry.id, ours: own ?? null, theirs: raw ?? null });
      } else if (!entry.replaced && own !== undefined && losesText(own, raw)) {
        entry.replaced = true;
        replaced = true;
      }
    }
    return { reverted, replaced };
  }

  /** Forgets them all: another state was put in place on purpose. */
  clear(): void {
    this.#entries.clear();
  }

  #note(list: ListName, id: string, before: EntryState, now: EntryState): void {
    if (before === now) return;
    const key = `${list} ${id}`;
    const known = this.#entries.get(key);
    if (known === undefined) {
      this.#entries.set(key, { list, id, past: new Set([before]), now, replaced: false });
      return;
    }
    known.past.add(before);
    // Changed back here: that state is not the past any more.
    known.past.delete(now);
    known.now = now;
    known.replaced = false;
  }
}

/** A short text that tells an entry to its person. */
export function labelOf(raw: JsonObject): string {
  const text = [own(raw, 'body'), own(raw, 'text'), own(raw, 'title')].find((value) => typeof value === 'string');
  return typeof text === 'string' ? text : '';
}

/** Whether entries of a state are gone from a later one, or have another text there. */
export function losesTexts(before: ContextDocument, after: ContextDocument): boolean {
  const found = rawEntries(after);
  return [...rawEntries(before)].some(([key, raw]) => losesText(raw, found.get(key)));
}

const losesText = (before: JsonObject, after: JsonObject | undefined): boolean =>
  after === undefined || labelOf(before).trim() !== labelOf(after).trim();

/** Other programs write an entry their own way: with other keys, in another order. */
export const stateOf = (raw: JsonObject): string =>
  JSON.stringify([labelOf(raw).trim(), own(raw, 'completed') === true, own(raw, 'file') ?? null]);

type AnyList = StoredList<{ id: string }>;
type AnyEntry = AnyList['entries'][number];

/** Of two versions of a list, the states of the entries that the other one does not have as the very same stored object. */
function changedStates(
  before: AnyList,
  after: AnyList,
): { old: Map<string, EntryState>; fresh: Map<string, EntryState> } {
  const same = (left: AnyEntry, right: AnyEntry): boolean => left.raw === right.raw;
  const { start, beforeEnd, afterEnd } = differingRange(before.entries, after.entries, same);
  const old = before.entries.slice(start, beforeEnd);
  const fresh = after.entries.slice(start, afterEnd);
  return { old: statesOf(old, fresh), fresh: statesOf(fresh, old) };
}

function statesOf(entries: readonly AnyEntry[], others: readonly AnyEntry[]): Map<string, EntryState> {
  const same = new Set(others.map((entry) => entry.raw));
  return new Map(entries.filter(({ raw }) => !same.has(raw)).map(({ raw, view }) => [view.id, stateOf(raw)]));
}

function rawEntries(document: ContextDocument): Map<string, JsonObject> {
  const entries = new Map<string, JsonObject>();
  for (const list of listNames) {
    for (const { raw, view } of document[list].entries) entries.set(`${list} ${view.id}`, raw);
  }
  return entries;
}
