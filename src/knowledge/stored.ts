import type { PinKind } from '../contract/knowledge-entities.ts';
import { isRecord, type JsonObject, own, withKeys } from '../files/json.ts';
import { revisionOf } from '../files/text.ts';

/** The version that is written here; what is above it is only read. */
export const KNOWLEDGE_VERSION = 1;
/** Longest id of an entry, in UTF-16 code units. */
const LONGEST_ID = 1000;

/** A note or a plan that a session is told of, by its id. */
export interface StoredPin {
  readonly kind: PinKind;
  readonly id: string;
}

/** What a session was told last. */
export interface Delivered {
  /** `v2:` and a digest; of an older program something else. */
  readonly signature: string;
  /** What names the pins of that time, see {@link revisionOfPins}; null where that was not kept. */
  readonly pins: string | null;
  /** What names the last summary of the conversation at that time; null where there was none. */
  readonly compaction: string | null;
}

/** What the file of a session says; all else in it is kept as it is. */
export interface StoredKnowledge {
  readonly pins: readonly StoredPin[];
  /** Null when nothing was told yet. */
  readonly delivered: Delivered | null;
  readonly isNewer: boolean;
}

const lists: Record<PinKind, string> = { note: 'notes', plan: 'plans' };
const kinds: readonly PinKind[] = ['note', 'plan'];
const PINS = 'project_context_pins';
const DELIVERED = 'knowledge_context_delivered';
const DELIVERED_PINS = 'knowledge_context_delivered_pins';
const DELIVERED_COMPACTION = 'knowledge_context_delivered_compaction';

/** The knowledge of a session whose file is missing. */
export const noKnowledge: StoredKnowledge = { pins: [], delivered: null, isNewer: false };

/** Takes a stored object apart. Pins are unique texts that are not blank; anything else there counts as none. */
export function readKnowledge(stored: JsonObject): StoredKnowledge {
  const version = own(stored, 'version');
  const pins = own(stored, PINS);
  const signature = textOrNull(own(stored, DELIVERED));
  return {
    pins: isRecord(pins) ? kinds.flatMap((kind) => readIds(own(pins, lists[kind])).map((id) => ({ kind, id }))) : [],
    delivered:
      signature === null
        ? null
        : {
            signature,
            pins: textOrNull(own(stored, DELIVERED_PINS)),
            compaction: textOrNull(own(stored, DELIVERED_COMPACTION)),
          },
    isNewer: typeof version === 'number' && version > KNOWLEDGE_VERSION,
  };
}

/** A stored object, or a new one, with other pins. */
export function withPins(stored: JsonObject | null, pins: readonly StoredPin[]): JsonObject {
  const before = own(stored ?? {}, PINS);
  const ids = Object.fromEntries(
    kinds.map((kind) => [lists[kind], pins.filter((pin) => pin.kind === kind).map(({ id }) => id)]),
  );
  return withKeys(stored ?? fresh, { [PINS]: withKeys(isRecord(before) ? before : {}, ids) });
}

/** A stored object, or a new one, that says what was told last. */
export function withDelivered(stored: JsonObject | null, { signature, pins, compaction }: Delivered): JsonObject {
  return withKeys(stored ?? fresh, {
    [DELIVERED]: signature,
    [DELIVERED_PINS]: pins,
    [DELIVERED_COMPACTION]: compaction,
  });
}

/** What names a choice of pins, whatever their order. */
export const revisionOfPins = (pins: readonly StoredPin[]): string =>
  revisionOf(JSON.stringify(pins.map(({ kind, id }) => `${kind}:${id}`).sort()));

const fresh: JsonObject = { version: KNOWLEDGE_VERSION };

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

function readIds(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const ids = value.map(textOrNull).filter((id) => id !== null);
  return [...new Set(ids)].filter((id) => id.length <= LONGEST_ID);
}
