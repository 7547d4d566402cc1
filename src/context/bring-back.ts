import { limits } from '../contract/entities.ts';
import type { JsonObject } from '../files/json.ts';
import { type StoredList, writableList } from '../files/stored-list.ts';
import { type Change, fullList } from './change.ts';
import { type ContextDocument, writtenDocument } from './document.ts';
import { listNames, type RevertedEntry, stateOf } from './own-changes.ts';

/**
 * Makes the changes again that another program took back: entries that it left out are there again, texts are as they were
 * here, and what was deleted here goes. An entry that was changed once more since then stays as it is.
 */
export function bringBack(document: ContextDocument, reverted: readonly RevertedEntry[]): Change<{ changes: number }> {
  let changes = 0;
  const lists: Partial<Record<(typeof listNames)[number], readonly unknown[]>> = {};
  for (const name of listNames) {
    const wanted = reverted.filter((entry) => entry.list === name);
    const made = again(document[name], wanted, limits[name]);
    if (made.changes === 0) continue;
    if (made.isFull) throw fullList(name, limits[name]);
    lists[name] = made.list;
    changes += made.changes;
  }
  return { raw: changes === 0 ? null : writtenDocument(document, lists), result: { changes } };
}

function again(
  stored: StoredList<{ id: string }>,
  wanted: readonly RevertedEntry[],
  limit: number,
): { list: readonly unknown[]; changes: number; isFull: boolean } {
  const { raw, positions } = writableList(stored);
  const gone = new Set<number>();
  const missing: JsonObject[] = [];
  let changes = 0;
  for (const { id, ours, theirs } of wanted) {
    const position = positions.get(id);
    const now = position === undefined ? null : stateOf(raw[position] as JsonObject);
    if (now !== (theirs === null ? null : stateOf(theirs))) continue;
    changes++;
    if (position === undefined) missing.push(ours ?? {});
    else if (ours === null) gone.add(position);
    else raw[position] = ours;
  }
  // In their old order: they were found in the order in which they were changed here, the oldest first.
  const list = [...missing.toReversed(), ...raw.filter((_entry, position) => !gone.has(position))];
  const count = stored.entries.length - gone.size + missing.length;
  return { list, changes, isFull: missing.length > 0 && count > limit };
}
