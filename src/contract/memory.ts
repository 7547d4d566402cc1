import { z } from 'zod';
import { call, event } from './call.ts';
import { EntryId, MemoryEntry, MemoryList, MemoryTitle, ProjectId, Revision, SessionRef, TrashId } from './entities.ts';

const both = ['sidebar', 'mini-chat'] as const;
const sidebar = ['sidebar'] as const;
/** Null stands for the memory of all owners. */
const owner = { ownerId: ProjectId.nullable() };
/** `not-found` with `detail.disabled` when memory is switched off in the settings. */
const readErrors = ['not-found', 'malformed'] as const;
const writeErrors = ['not-found', 'malformed', 'newer-version', 'in-use', 'conflict', 'limit'] as const;
const text = z.string().refine((value) => value.trim() !== '', 'a memory needs a title and a text');
const type = z.enum(['fact', 'preference', 'reference']);

export const memory = {
  list: call({
    summary: 'The titles of what is remembered for one owner, or for all.',
    roles: both,
    input: z.strictObject(owner),
    output: MemoryList,
    errors: readErrors,
  }),
  read: call({
    summary: 'One memory with its text and what it said before.',
    roles: both,
    input: z.strictObject({ ...owner, memoryId: EntryId }),
    output: MemoryEntry,
    errors: readErrors,
  }),
  create: call({
    summary:
      'Remembers something. One with the same title becomes a new version of it; similar ones are answered instead, with nothing stored, unless `beside` is set.',
    roles: sidebar,
    input: z.strictObject({
      ...owner,
      title: text,
      body: text,
      type,
      session: SessionRef.optional(),
      /** The entry that it takes the place of, as the person chose. */
      replaces: EntryId.optional(),
      /** Stores it though similar ones are there. */
      beside: z.boolean().optional(),
    }),
    output: z.strictObject({
      /** Null when nothing was stored because of `similar`. */
      entry: MemoryEntry.nullable(),
      replaced: z.boolean(),
      /** Whether title or text were cut to their limits. */
      clamped: z.boolean(),
      similar: z.array(MemoryTitle),
    }),
    errors: writeErrors,
  }),
  update: call({
    summary: 'Changes only the fields it names; what it said before is kept.',
    roles: sidebar,
    input: z.strictObject({
      ...owner,
      memoryId: EntryId,
      title: text.optional(),
      body: text.optional(),
      type: type.optional(),
      revision: Revision.optional(),
    }),
    output: z.strictObject({ entry: MemoryEntry, clamped: z.boolean() }),
    errors: writeErrors,
  }),
  delete: call({
    summary: 'Forgets something; it can come back for 30 days.',
    roles: sidebar,
    input: z.strictObject({ ...owner, memoryId: EntryId, revision: Revision.optional() }),
    output: z.strictObject({ trashId: TrashId }),
    errors: writeErrors,
  }),
  restore: call({
    summary: 'Brings a forgotten memory back.',
    roles: sidebar,
    input: z.strictObject({ ...owner, trashId: TrashId }),
    output: z.strictObject({ entry: MemoryEntry }),
    errors: writeErrors,
  }),
  deleted: call({
    summary: 'What was forgotten in the last 30 days and can come back, newest first.',
    roles: sidebar,
    input: z.strictObject(owner),
    output: z.strictObject({
      items: z.array(z.strictObject({ trashId: TrashId, title: z.string(), deletedAt: z.number() })),
    }),
    errors: readErrors,
  }),
  allow: call({
    summary: 'Lets sessions be told of a suspicious memory, or not any more. Holds for exactly this text.',
    roles: sidebar,
    input: z.strictObject({ ...owner, memoryId: EntryId, allowed: z.boolean(), revision: Revision }),
    output: z.strictObject({ entry: MemoryEntry }),
    errors: writeErrors,
  }),
  changed: event({
    summary: 'What is remembered for an owner, or for all, changed: read it again.',
    roles: both,
    payload: z.strictObject(owner),
  }),
};
