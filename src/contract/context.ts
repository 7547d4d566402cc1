import { z } from 'zod';
import { call, event } from './call.ts';
import {
  Backup,
  BackupId,
  ContextChange,
  ContextSnapshot,
  DeletedItem,
  EntryId,
  FoundEntry,
  limits,
  Note,
  NoteBody,
  NoteOrigin,
  NoteSource,
  Plan,
  PlanDocument,
  PlanVersion,
  ProjectId,
  Revision,
  Timestamp,
  Todo,
  TodoText,
  TrashId,
} from './entities.ts';
import { CallError } from './errors.ts';

const both = ['sidebar', 'mini-chat'] as const;
const sidebar = ['sidebar'] as const;
const stored = ['malformed'] as const;
const written = ['malformed', 'newer-version', 'not-found', 'in-use'] as const;
const changed = { clamped: z.boolean(), context: ContextChange };
/** Whose context is changed. With `contextRevision`, refuses when the context file is not the one it was based on. */
const target = { projectId: ProjectId, contextRevision: Revision.optional() };

export const context = {
  get: call({
    summary: 'All notes, todos and plan links of one owner. A file that does not exist is an empty context.',
    roles: both,
    input: z.strictObject({ projectId: ProjectId }),
    output: ContextSnapshot,
    // Moving legacy data in is a write.
    errors: [...stored, 'in-use'],
  }),
  deleted: call({
    summary: 'What was deleted here in the last 30 days and can come back, newest first.',
    roles: both,
    input: z.strictObject({ projectId: ProjectId }),
    output: z.strictObject({ items: z.array(DeletedItem) }),
    errors: stored,
  }),
  backups: call({
    summary: 'Earlier versions of a whole context, newest first; also of one that cannot be read.',
    roles: sidebar,
    input: z.strictObject({ projectId: ProjectId }),
    output: z.strictObject({ backups: z.array(Backup) }),
    errors: [],
  }),
  recover: call({
    summary:
      'Goes back to an earlier version, or adds what it holds to the current one. A damaged file is put aside first; without a backup nothing takes its place.',
    roles: sidebar,
    input: z.strictObject({
      projectId: ProjectId,
      /** Null: only puts a damaged file aside. */
      backupId: BackupId.nullable(),
      mode: z.enum(['replace', 'merge']),
    }),
    output: z.strictObject({
      /** Name under which the damaged file now stands beside the new one; null when it was not damaged. */
      damaged: z.string().nullable(),
      context: ContextChange,
    }),
    errors: [...written, 'conflict'],
  }),
  find: call({
    summary: 'Searches notes, todos, plan titles and plan texts of one owner, or of all.',
    roles: both,
    input: z.strictObject({
      /** Null: every project in the list, and Chats. */
      projectId: ProjectId.nullable(),
      /** Words that must all be found; upper and lower case and accents do not matter. */
      query: z.string().max(200),
      /** Most entries to answer; the counts are of all. */
      limit: z.int().min(1).max(500).optional(),
    }),
    output: z.strictObject({
      counts: z.strictObject({ notes: z.int().min(0), todos: z.int().min(0), plans: z.int().min(0) }),
      found: z.array(FoundEntry),
      /** How many owners or plans could not be read, and so were not searched. */
      unread: z.int().min(0),
    }),
    errors: [],
  }),
  bringBack: call({
    summary:
      'Makes the changes again that another program took back, as a notice of kind `overwritten` tells; the notice goes. What was changed once more since then stays.',
    roles: both,
    input: z.strictObject({ ...target, noticeId: z.string().min(1).max(100) }),
    output: z.strictObject({ changes: z.int().min(0), context: ContextChange }),
    errors: [...written, 'limit', 'conflict'],
  }),
  dismiss: call({
    summary: 'Takes a notice away; nothing else changes.',
    roles: both,
    input: z.strictObject({ projectId: ProjectId, noticeId: z.string().min(1).max(100) }),
    output: z.strictObject({ context: ContextChange }),
    errors: [...written],
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
      ...target,
      body: NoteBody,
      source: NoteSource.optional(),
      origin: NoteOrigin.optional(),
    }),
    output: z.strictObject({ note: Note, ...changed }),
    errors: [...written, 'limit', 'conflict'],
  }),
  update: call({
    summary: 'Changes only the fields it names. With `revision`, refuses when the note is not the one it was based on.',
    roles: both,
    input: z
      .strictObject({
        ...target,
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
    summary: 'Deletes a note; it can come back for 30 days.',
    roles: both,
    input: z.strictObject({ ...target, noteId: EntryId, revision: Revision.optional() }),
    output: z.strictObject({ trashId: TrashId, context: ContextChange }),
    errors: [...written, 'conflict'],
  }),
  restore: call({
    summary: 'Brings a deleted note back, whole, to its place.',
    roles: both,
    input: z.strictObject({ ...target, trashId: TrashId }),
    output: z.strictObject({ note: Note, context: ContextChange }),
    errors: [...written, 'limit', 'conflict'],
  }),
};

const todoIdentity = { ...target, todoId: EntryId, revision: Revision.optional() };

export const todos = {
  replace: call({
    summary: 'Replaces the whole list. With `todosRevision`, refuses when the list is not the one it was based on.',
    roles: both,
    input: z.strictObject({
      ...target,
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
    output: z.strictObject({
      /** Where what the new list leaves out can come back from; null when it leaves nothing out. */
      trashId: TrashId.nullable(),
      ...changed,
    }),
    errors: [...written, 'limit', 'conflict'],
  }),
  add: call({
    summary: 'Adds a todo at the end of the list.',
    roles: both,
    input: z.strictObject({ ...target, text: TodoText }),
    output: z.strictObject({ todo: Todo, ...changed }),
    errors: [...written, 'limit', 'conflict'],
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
    summary: 'Deletes a todo; it can come back for 30 days.',
    roles: both,
    input: z.strictObject(todoIdentity),
    output: z.strictObject({ trashId: TrashId, context: ContextChange }),
    errors: [...written, 'conflict'],
  }),
  move: call({
    summary: 'Moves a todo in front of another one, or to the end.',
    roles: both,
    input: z.strictObject({ ...target, todoId: EntryId, before: EntryId.nullable() }),
    output: z.strictObject({ context: ContextChange }),
    errors: [...written, 'conflict'],
  }),
  clearCompleted: call({
    summary: 'Deletes every ticked todo; they can come back together for 30 days.',
    roles: both,
    input: z.strictObject(target),
    output: z.strictObject({
      removed: z.int().min(0),
      /** Null when there was nothing to delete. */
      trashId: TrashId.nullable(),
      context: ContextChange,
    }),
    errors: [...written, 'conflict'],
  }),
  restore: call({
    summary: 'Brings back the todos that one call deleted, each to its place.',
    roles: both,
    input: z.strictObject({ ...target, trashId: TrashId }),
    output: z.strictObject({ todos: z.array(Todo), context: ContextChange }),
    errors: [...written, 'limit', 'conflict'],
  }),
};

const planIdentity = { projectId: ProjectId, planId: EntryId };
const planTarget = { ...target, planId: EntryId };
const planRaw = z.string().max(limits.planRaw, `a plan holds at most ${limits.planRaw} characters`);

export const plans = {
  create: call({
    summary: 'Creates a plan file with the title as its heading, then its link.',
    roles: both,
    input: z.strictObject({ ...target, title: z.string().optional(), body: planRaw }),
    output: z.strictObject({ plan: Plan, ...changed }),
    errors: [...written, 'limit', 'conflict'],
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
    input: z.strictObject({ ...planTarget, raw: planRaw, revision: Revision.optional() }),
    output: z.strictObject({ document: PlanDocument, context: ContextChange }),
    errors: [...written, 'conflict'],
  }),
  delete: call({
    summary: 'Deletes the link of a plan, then moves its file to the trash; it can come back for 30 days.',
    roles: both,
    input: z.strictObject({ ...planTarget, revision: Revision.optional() }),
    output: z.strictObject({
      trashId: TrashId,
      /** Set when the link is gone and the file could not be moved. */
      warning: z.string().nullable(),
      context: ContextChange,
    }),
    errors: [...written, 'conflict'],
  }),
  setPinned: call({
    summary: 'Sets the legacy pin flag of a plan.',
    roles: both,
    input: z.strictObject({ ...planTarget, pinned: z.boolean() }),
    output: z.strictObject({ plan: Plan, context: ContextChange }),
    errors: [...written, 'conflict'],
  }),
  restore: call({
    summary: 'Brings a deleted plan back with its text; under another file name when its own is taken.',
    roles: both,
    input: z.strictObject({ ...target, trashId: TrashId }),
    output: z.strictObject({ plan: Plan, context: ContextChange }),
    errors: [...written, 'limit', 'conflict'],
  }),
  versions: call({
    summary: 'Earlier versions of a plan, newest first.',
    roles: sidebar,
    input: z.strictObject(planIdentity),
    output: z.strictObject({ versions: z.array(PlanVersion) }),
    errors: [...stored, 'not-found'],
  }),
  readVersion: call({
    summary: 'The text of an earlier version of a plan.',
    roles: sidebar,
    input: z.strictObject({ ...planIdentity, versionId: BackupId }),
    output: z.strictObject({ raw: z.string() }),
    errors: [...stored, 'not-found'],
  }),
};
