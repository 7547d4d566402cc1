import { z } from 'zod';
import { EntryId, Revision, Timestamp } from './identifiers.ts';

/** Limits of agent memory (docs/formats/context-format.md, section 14), in UTF-16 code units or entries; of new input only. */
export const memoryLimits = {
  title: 60,
  body: 2000,
  globalEntries: 60,
  ownerEntries: 200,
  /** Replaced versions of an entry that are kept. */
  versions: 5,
} as const;

/** Limits of session knowledge (docs/formats/context-format.md, section 13), in UTF-16 code units or entries. */
export const knowledgeLimits = { block: 8000, memory: 1500, notes: 2500, pins: 50 } as const;

/** What is suspicious about a memory: `hold-back` keeps it from sessions until a person allows it, `hint` only tells. */
export const MemoryThreat = z.strictObject({
  level: z.enum(['hold-back', 'hint']),
  category: z.enum(['instructions', 'identity', 'turn-marker', 'guardrails', 'extraction']),
  /** What was found, in a sentence for the person. */
  reason: z.string(),
  /** Who allowed exactly this text, and when; null when nobody did. */
  allowed: z.strictObject({ by: z.string(), at: Timestamp }).nullable(),
});
export type MemoryThreat = z.infer<typeof MemoryThreat>;

/** A memory without its text. */
export const MemoryTitle = z.strictObject({
  id: EntryId,
  title: z.string(),
  /** `fact`, `preference`, `reference`, or what another program stored, which counts as a fact. */
  type: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
  threat: MemoryThreat.nullable(),
  /** Whether sessions are not told of it. */
  withheld: z.boolean(),
  /** Id of the session that it was written in; null when that is not known. */
  sessionId: z.string().nullable(),
});
export type MemoryTitle = z.infer<typeof MemoryTitle>;

export const MemoryEntry = MemoryTitle.extend({
  body: z.string(),
  /** What it said before, newest first. */
  versions: z.array(z.strictObject({ title: z.string(), body: z.string(), replacedAt: Timestamp })),
});
export type MemoryEntry = z.infer<typeof MemoryEntry>;

/** The memory of one owner, or the global one, newest change first. */
export const MemoryList = z.strictObject({
  entries: z.array(MemoryTitle),
  /** Whether it can only be read: the file was written by a newer program. */
  readOnly: z.boolean(),
});
export type MemoryList = z.infer<typeof MemoryList>;

/** A note or a plan that a session is told of. */
export const PinKind = z.enum(['note', 'plan']);
export type PinKind = z.infer<typeof PinKind>;

export const Pin = z.strictObject({
  kind: PinKind,
  id: EntryId,
  /** Title of the plan, beginning of the note; empty when stale. */
  title: z.string(),
  /** Whether the entry is not there any more; goes with the next change of the pins. */
  stale: z.boolean(),
});
export type Pin = z.infer<typeof Pin>;

export const Pins = z.strictObject({
  pins: z.array(Pin),
  /** Of what is stored, for the next change. */
  revision: Revision,
  /** Why the pins could not be read; nothing is told of them then. Null when they could. */
  problem: z.string().nullable(),
});
export type Pins = z.infer<typeof Pins>;

/** What a session is told by its program: pinned notes and plans, titles of memories. */
export const KnowledgeBlock = z.strictObject({
  /** At most {@link knowledgeLimits.block}; empty when there is nothing to tell. */
  text: z.string(),
  /** `v2:` and the SHA-256 of what was told; empty for an empty block. */
  signature: z.string(),
  /** What stands in it, in its order. */
  parts: z.array(
    z.strictObject({
      kind: z.enum(['note', 'plan', 'memory']),
      id: EntryId,
      title: z.string(),
      /** `title` stands there without its text; `unavailable` says so in its place. */
      told: z.enum(['whole', 'cut', 'title', 'unavailable']),
    }),
  ),
  /** What could not be read and is therefore not in it, each with why, in a sentence for the person. */
  leftOut: z.array(z.string()),
});
export type KnowledgeBlock = z.infer<typeof KnowledgeBlock>;

/** Why a session is to be told (again) what its owner knows; null when it is not. */
export const KnowledgeReason = z.enum(['first', 'pins', 'content', 'compacted', 'unknown']);
export type KnowledgeReason = z.infer<typeof KnowledgeReason>;
