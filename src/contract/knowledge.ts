import { z } from 'zod';
import { call, event } from './call.ts';
import {
  EntryId,
  KnowledgeBlock,
  KnowledgeReason,
  PinKind,
  Pins,
  ProjectId,
  Revision,
  SessionRef,
} from './entities.ts';

const both = ['sidebar', 'mini-chat'] as const;
const one = z.strictObject({ session: SessionRef });
const readErrors = ['not-found', 'malformed', 'newer-version'] as const;

export const knowledge = {
  pins: call({
    summary: 'The notes and plans that a session is told of.',
    roles: both,
    input: one,
    output: Pins,
    errors: readErrors,
  }),
  pin: call({
    summary:
      'Adds a note or a plan of its owner to what a session is told, or takes it out. With `revision`, refuses when the pins are not those that were seen. Pins of what is gone go along.',
    roles: both,
    input: z.strictObject({
      session: SessionRef,
      kind: PinKind,
      id: EntryId,
      pinned: z.boolean(),
      revision: Revision.optional(),
    }),
    output: Pins,
    errors: [...readErrors, 'limit', 'conflict', 'in-use'],
  }),
  block: call({
    summary: 'What a session would be told now. What cannot be read is left out and named; it never fails for that.',
    roles: both,
    input: one,
    output: KnowledgeBlock,
    errors: ['not-found'],
  }),
  owed: call({
    summary: 'Whether the next message of a session will be recorded with what it is told, and why.',
    roles: both,
    input: one,
    output: z.strictObject({
      /** Null when it was told all of it already, or there is nothing to tell. */
      reason: KnowledgeReason.nullable(),
      block: KnowledgeBlock,
    }),
    errors: ['not-found'],
  }),
  changed: event({
    summary: 'What sessions are told may be different now: ask again.',
    roles: both,
    payload: z.strictObject({
      /** Null: of all sessions of the owner. */
      session: SessionRef.nullable(),
      /** Null: of every owner. */
      ownerId: ProjectId.nullable(),
    }),
  }),
};
