import type { ContextSnapshot } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { knowledgeLimits, type PinKind } from '../contract/knowledge-entities.ts';
import { findEntry } from './collect.ts';
import type { StoredPin } from './stored.ts';

export interface PinChange {
  readonly kind: PinKind;
  readonly id: string;
  readonly pinned: boolean;
}

/**
 * The pins after a change; those of what is gone go along.
 *
 * @param snapshot Of the session's owner; null where it cannot be read, which only a pin that goes does without.
 * @returns Null when there is nothing to change.
 * @throws Failure `not-found` for what the owner does not have, `limit`.
 */
export function changedPins(
  pins: readonly StoredPin[],
  { kind, id, pinned }: PinChange,
  snapshot: ContextSnapshot | null,
): StoredPin[] | null {
  const isThis = (pin: StoredPin): boolean => pin.kind === kind && pin.id === id.trim();
  const isThere = (pin: StoredPin): boolean => {
    if (snapshot === null) return true;
    const entries: readonly { readonly id: string }[] = pin.kind === 'note' ? snapshot.notes : snapshot.plans;
    return findEntry(entries, pin.id) !== undefined;
  };
  if (pinned && !isThere({ kind, id: id.trim() })) throw unknownEntry(kind);
  if (pins.some(isThis) === pinned) return null;
  const kept = pins.filter((pin) => isThere(pin) && !isThis(pin));
  if (!pinned) return kept;
  if (kept.length >= knowledgeLimits.pins) throw tooManyPins();
  return [...kept, { kind, id: id.trim() }];
}

function unknownEntry(kind: PinKind): Failure {
  return new Failure(
    'not-found',
    `The owner of this session has no such ${kind} any more. Nothing was changed. Look at the list again.`,
  );
}

function tooManyPins(): Failure {
  return new Failure(
    'limit',
    `A session is told of ${knowledgeLimits.pins} notes and plans at most. Nothing was changed. Take another one out first.`,
    { detail: { limit: knowledgeLimits.pins } },
  );
}
