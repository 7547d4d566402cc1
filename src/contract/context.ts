import { z } from 'zod';
import { call, event } from './call.ts';
import {
  ContextChange,
  ContextSnapshot,
  EntryId,
  limits,
  Note,
  NoteBody,
  NoteOrigin,
  NoteSource,
  Plan,
  PlanDocument,
  ProjectId,
  Revision,
  Timestamp,
  Todo,
  TodoText,
} from './entities.ts';
import { CallError } from './errors.ts';

const both = ['sidebar', 'mini-chat'] as const;
const stored = ['malformed'] as const;
const written = ['malformed', 'newer-version', 'not-found', 'in-use'] as const;
const changed = { clamped: z.boolean(), context: ContextChange };

export const context = {
  get: call({
    summary: 'All notes, todos and plan links of one owner. A file that does not exist is an empty context.',
    roles: both,
    input: z.strictObject({ projectId: ProjectId }),
    output: ContextSnapshot,
    // Moving legacy data in is a write.
    errors: [...stored, 'in-use'],
  }),
  changed: event({
    summary: 'The context of one owner changed, whoever changed it, or can no longer be read.',
    roles: both,
    payload: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('change'), change: ContextChange }),
      z.strictObject({
        kind: z.literal('problem'),
        projectId: ProjectId,
        /** Sequence of the last good context, which windows keep showing. */
        sequence: z.int().min(0),
        error: CallError,
      }),
    ]),
  }),
};

export const notes = {
  create: call({
    summary: 'Adds a note above all others.',
    roles: both,
    input: z.strictObject({
      projectId: ProjectId,
      body: NoteBody,
      source: NoteSource.optional(),
      origin: NoteOrigin.optional(),
    }),
    output: z.strictObject({ note: Note, ...changed }),
    errors: [...written, 'limit'],
  }),
  update: call({
    summary: 'Changes only the fields it names. With `revision`, refuses when the note is not the one it was based on.',
    roles: both,
    input: z
      .strictObject({
        projectId: ProjectId,
        noteId: EntryId,
        body: NoteBody.optional(),
        pinned: z.boolean().optional(),
        revision: Revision.optional(),
      })
      .refine((input) => input.body !== undefined || input.pinned !== undefined, 'name a field to change'),
    output: z.strictObject({ note: Note, ...changed }),
    errors: [...written, 'conflict'],
  }),
  delete: call({
    summary: 'Deletes a note.',
    roles: both,
    input: z.strictObject({ projectId: ProjectId, noteId: EntryId, revision: Revision.optional() }),
    output: z.strictObject({ context: ContextChange }),
    errors: [...written, 'conflict'],
  }),
};

const todoIdentity = { projectId: ProjectId, todoId: EntryId, revision: Revision.optional() };

export const todos = {
  replace: call({
    summary: 'Replaces the whole list. With `todosRevision`, refuses when the list is not the one it was based on.',
    roles: both,
    input: z.strictObject({
      projectId: ProjectId,
      todos: z.array(
        z.strictObject({
          id: EntryId,
          text: TodoText,
          completed: z.boolean().optional(),
          createdAt: Timestamp.optional(),
        }),
      ),
      todosRevision: Revision.optional(),
    }),
    output: z.strictObject(changed),
    errors: [...written, 'limit', 'conflict'],
  }),
  add: call({
    summary: 'Adds a todo at the end of the list.',
    roles: both,
    input: z.strictObject({ projectId: ProjectId, text: TodoText }),
    output: z.strictObject({ todo: Todo, ...changed }),
    errors: [...written, 'limit'],
  }),
  update: call({
    summary: 'Changes the text or the tick of one todo.',
    roles: both,
    input: z
      .strictObject({ ...todoIdentity, text: TodoText.optional(), completed: z.boolean().optional() })
      .refine((input) => input.text !== undefined || input.completed !== undefined, 'name a field to change'),
    output: z.strictObject({ todo: Todo, ...changed }),
    errors: [...written, 'conflict'],
  }),
  delete: call({
    summary: 'Deletes a todo.',
    roles: both,
    input: z.strictObject(todoIdentity),
    output: z.strictObject({ context: ContextChange }),
    errors: [...written, 'conflict'],
  }),
  move: call({
    summary: 'Moves a todo in front of another one, or to the end.',
    roles: both,
    input: z.strictObject({ projectId: ProjectId, todoId: EntryId, before: EntryId.nullable() }),
    output: z.strictObject({ context: ContextChange }),
    errors: written,
  }),
  clearCompleted: call({
    summary: 'Deletes every ticked todo.',
    roles: both,
    input: z.strictObject({ projectId: ProjectId }),
    output: z.strictObject({ removed: z.int().min(0), context: ContextChange }),
    errors: written,
  }),
};

const planIdentity = { projectId: ProjectId, planId: EntryId };
const planRaw = z.string().max(limits.planRaw, `a plan holds at most ${limits.planRaw} characters`);

export const plans = {
  create: call({
    summary: 'Creates a plan file with the title as its heading, then its link.',
    roles: both,
    input: z.strictObject({ projectId: ProjectId, title: z.string().optional(), body: planRaw }),
    output: z.strictObject({ plan: Plan, ...changed }),
    errors: [...written, 'limit'],
  }),
  read: call({
    summary: 'A plan with its document, byte for byte.',
    roles: both,
    input: z.strictObject(planIdentity),
    output: PlanDocument,
    errors: [...stored, 'not-found'],
  }),
  update: call({
    summary: 'Saves the whole document of a plan. Never makes a deleted plan again.',
    roles: both,
    input: z.strictObject({ ...planIdentity, raw: planRaw, revision: Revision.optional() }),
    output: z.strictObject({ document: PlanDocument, context: ContextChange }),
    errors: [...written, 'conflict'],
  }),
  delete: call({
    summary: 'Deletes the link of a plan, then its file.',
    roles: both,
    input: z.strictObject({ ...planIdentity, revision: Revision.optional() }),
    output: z.strictObject({
      /** Set when the link is gone and the file could not be removed. */
      warning: z.string().nullable(),
      context: ContextChange,
    }),
    errors: [...written, 'conflict'],
  }),
  setPinned: call({
    summary: 'Sets the legacy pin flag of a plan.',
    roles: both,
    input: z.strictObject({ ...planIdentity, pinned: z.boolean() }),
    output: z.strictObject({ plan: Plan, context: ContextChange }),
    errors: written,
  }),
};
