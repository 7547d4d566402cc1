import type { KnowledgeReason } from '../contract/knowledge-entities.ts';
import type { Delivered } from './stored.ts';

export interface OwedInput {
  /** Of what would be told now; empty for nothing. */
  readonly signature: string;
  /** What names the pins of now. */
  readonly pins: string;
  /** What names the last summary of the conversation; null where there is none. */
  readonly compaction: string | null;
  /** What was told last; null when nothing was. */
  readonly delivered: Delivered | null;
  /** Whether it cannot be read what was told last. */
  readonly isUnreadable: boolean;
}

/** Signatures of this form can be compared; any other is of an older program and counts as not told. */
const comparable = /^v2:[0-9a-f]{64}$/;

/** Why a session is to be told with its next message; null when it is not (docs/formats/context-format.md, section 13). */
export function owedReason(input: OwedInput): KnowledgeReason | null {
  const { signature, pins, compaction, delivered, isUnreadable } = input;
  if (signature === '') return null;
  if (delivered === null) return isUnreadable ? 'unknown' : 'first';
  if (!comparable.test(delivered.signature)) return 'unknown';
  if (compaction !== null && compaction !== delivered.compaction) return 'compacted';
  if (delivered.signature === signature) return null;
  return delivered.pins === null || delivered.pins === pins ? 'content' : 'pins';
}
