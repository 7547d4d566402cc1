import type { MemoryEntry, MemoryList, MemoryThreat, MemoryTitle } from '../contract/entities.ts';
import type { Stored } from '../files/index.ts';
import type { MemoryDocument } from './document.ts';
import type { MemoryView } from './entry.ts';
import { allowanceOf, contentHash, isSameText, type KeptDocument, versionsOf } from './kept.ts';
import { judge } from './threats.ts';

/** The memory of one owner, and what is kept of it beside. */
export interface MemoryState {
  readonly memory: MemoryDocument;
  readonly kept: KeptDocument;
}

/** All entries, newest change first; those of one time as they are stored. */
export function sortedEntries({ memory }: MemoryState): Stored<MemoryView>[] {
  return [...memory.entries.entries].sort((left, right) => right.view.updatedAt - left.view.updatedAt);
}

/** What a list shows of a memory. */
export function listOf(state: MemoryState): MemoryList {
  return { entries: sortedEntries(state).map(({ view }) => titleOf(state, view)), readOnly: state.memory.readOnly };
}

/** An entry without its text, judged as it stands. */
export function titleOf({ kept }: MemoryState, { body, ...view }: MemoryView): MemoryTitle {
  const threat = threatOf(kept, { title: view.title, body });
  return { ...view, threat, withheld: isWithheld(threat) };
}

/** An entry whole. */
export function entryOf(state: MemoryState, view: MemoryView): MemoryEntry {
  const { id, body } = view;
  // What was kept for a change that a crash then took back is what the entry says now.
  const versions = versionsOf(state.kept, id).filter((version, index) => index > 0 || !isSameText(version, view));
  return { ...titleOf(state, view), body, versions };
}

/** What is suspicious about a text, and who allowed it. */
export function threatOf(kept: KeptDocument, text: { title: string; body: string }): MemoryThreat | null {
  const found = judge(text);
  return found && { ...found, allowed: allowanceOf(kept, contentHash(text)) };
}

/** Whether sessions are not told of an entry. */
export const isWithheld = (threat: MemoryThreat | null): boolean =>
  threat !== null && threat.level === 'hold-back' && threat.allowed === null;
