import { z } from 'zod';
import { call, event } from './call.ts';
import {
  CatalogState,
  EntryId,
  ProjectId,
  SessionDetail,
  SessionMessage,
  SessionPage,
  SessionProgress,
  SessionRef,
  SessionReport,
  SessionRow,
  sessionLimits,
  TrashedRef,
  TrashedSession,
} from './entities.ts';

const both = ['sidebar', 'mini-chat'] as const;
const sidebar = ['sidebar'] as const;
const nothing = z.strictObject({});
const one = z.strictObject({ session: SessionRef });
const title = z
  .string()
  .max(sessionLimits.title)
  .refine((text) => text.trim() !== '', 'a title needs text');
/** `not-found` of a session in the trash has its folder's name there as `detail.trashed`, for `sessions.restore`. */
const readErrors = ['not-found', 'malformed', 'newer-version'] as const;
const writeErrors = ['not-found', 'malformed', 'newer-version', 'in-use', 'conflict'] as const;

export const sessions = {
  list: call({
    summary:
      'A page of the sessions, pinned ones and then those with the last activity first. No transcript is read for it.',
    roles: both,
    input: z.strictObject({
      /** Null: of all owners. */
      ownerId: ProjectId.nullable(),
      /** Words that must all stand in the title or the preview. */
      query: z.string().max(200).optional(),
      /** Where the page before ended; null for the first. */
      cursor: z.string().max(1000).nullable().optional(),
      limit: z.int().min(1).max(sessionLimits.listPage).optional(),
    }),
    output: z.strictObject({
      rows: z.array(SessionRow),
      /** Null when these were the last. */
      cursor: z.string().nullable(),
      /** How many there are in all. */
      total: z.int().min(0),
      /** Of the catalog that the page was taken from; pushes above it are newer. */
      sequence: z.int().min(0),
      catalog: CatalogState,
    }),
    /** `conflict`: the cursor is of a list that is no more; begin again. */
    errors: ['conflict'],
  }),
  get: call({
    summary: 'One session: its row, who has it open, its heads. Opening writes nothing.',
    roles: both,
    input: one,
    output: SessionDetail,
    errors: readErrors,
  }),
  page: call({
    summary: 'Consecutive messages of one head; the last ones when neither `before` nor `from` is named.',
    roles: both,
    input: z.strictObject({
      session: SessionRef,
      head: z.string().max(1000).optional(),
      /** Messages before this index. */
      before: z.int().min(0).optional(),
      /** Messages from this index on. */
      from: z.int().min(0).optional(),
      limit: z.int().min(1).max(sessionLimits.messagePage).optional(),
    }),
    output: SessionPage,
    errors: readErrors,
  }),
  text: call({
    summary: 'A part of one long text of a message.',
    roles: both,
    input: z.strictObject({
      session: SessionRef,
      head: z.string().max(1000).optional(),
      index: z.int().min(0),
      /** Index of a tool call for its arguments. */
      part: z.union([z.enum(['content', 'reasoning']), z.int().min(0).max(10_000)]),
      /** In UTF-16 code units of the text as it is shown. */
      offset: z.int().min(0),
      length: z.int().min(1).max(262_144),
    }),
    output: z.strictObject({ text: z.string(), total: z.int().min(0) }),
    errors: readErrors,
  }),
  find: call({
    summary: 'Where a text stands in a session, in order, beginning at a message.',
    roles: both,
    input: z.strictObject({
      session: SessionRef,
      head: z.string().max(1000).optional(),
      query: z.string().min(1).max(200),
      from: z.int().min(0).optional(),
      limit: z.int().min(1).max(1000).optional(),
    }),
    output: z.strictObject({
      /** Index of each message that holds it, and how often. */
      matches: z.array(z.strictObject({ index: z.int().min(0), count: z.int().min(1), excerpt: z.string() })),
      /** Index to go on from; null when the end was reached. */
      next: z.int().min(0).nullable(),
    }),
    errors: readErrors,
  }),
  create: call({
    summary: 'Makes a session of an owner; with a text, its first message is recorded with it.',
    roles: both,
    input: z.strictObject({
      ownerId: ProjectId,
      title: title.optional(),
      text: z.string().max(sessionLimits.message).optional(),
      /**
       * The same for every try of one creation: a second one answers the session of the first; with a text, whose message
       * gets this id, also after a restart, for a day.
       */
      requestId: EntryId.optional(),
    }),
    output: z.strictObject({ row: SessionRow }),
    errors: ['not-found', 'in-use'],
  }),
  append: call({
    summary: 'Records a message of the person; answers when it is on the disk. No agent answers.',
    roles: ['mini-chat'],
    input: z.strictObject({
      session: SessionRef,
      text: z
        .string()
        .max(sessionLimits.message)
        .refine((text) => text.trim() !== '', 'a message needs text'),
      /** The same for every try of one message: it is recorded once. */
      messageId: EntryId,
    }),
    output: z.strictObject({
      message: SessionMessage,
      /** What the session was told with it, recorded before it in the same record; null when nothing was owed. */
      told: SessionMessage.nullable(),
      /** What could not be read and was therefore not told, each in a sentence for the person. */
      leftOut: z.array(z.string()),
      total: z.int().min(0),
      generation: z.string(),
    }),
    errors: writeErrors,
  }),
  rename: call({
    summary: 'Gives a session a title of its own; refused when it has another one than was seen. Null takes it away.',
    roles: both,
    input: z.strictObject({ session: SessionRef, title: title.nullable(), seen: z.string().optional() }),
    output: z.strictObject({ row: SessionRow }),
    errors: writeErrors,
  }),
  fork: call({
    summary:
      'Makes a session of ours from the beginning of another one, up to and with a message; from all of it without one.',
    roles: both,
    input: z.strictObject({
      session: SessionRef,
      head: z.string().max(1000).optional(),
      index: z.int().min(0).optional(),
      /** Whose it becomes; that of the one it comes from when left out. */
      ownerId: ProjectId.optional(),
    }),
    output: z.strictObject({ row: SessionRow }),
    errors: writeErrors,
  }),
  pin: call({
    summary: "Keeps a session at the top of its owner's list, or stops doing so. Nothing is written beside it.",
    roles: sidebar,
    input: z.strictObject({ session: SessionRef, pinned: z.boolean() }),
    output: z.strictObject({ row: SessionRow }),
    errors: ['not-found', 'limit'],
  }),
  delete: call({
    summary: 'Moves a session with everything that belongs to it to the trash.',
    roles: both,
    input: z.strictObject({
      session: SessionRef,
      /** Hides it now and moves it when whoever has it open lets go of it. */
      whenFree: z.boolean().optional(),
      /** Whether a chat's own folder that holds files goes along; left out, it stays. An empty one always goes along. */
      folder: z.enum(['keep', 'trash']).optional(),
    }),
    output: z.strictObject({
      /** Null while it waits to become free. */
      trashed: TrashedRef.nullable(),
      /** Why the chat's own folder stays where it is; null when it went along, or there is none. */
      folderKept: z.string().nullable(),
    }),
    errors: writeErrors,
  }),
  restore: call({
    summary: 'Brings a session back from the trash, whole, or says what is in the way.',
    roles: both,
    input: TrashedRef,
    output: z.strictObject({ row: SessionRow }),
    errors: writeErrors,
  }),
  trash: call({
    summary: 'What is in the trash, newest first.',
    roles: sidebar,
    input: nothing,
    output: z.strictObject({ items: z.array(TrashedSession) }),
    errors: [],
  }),
  purge: call({
    summary: 'Removes entries of the trash for good.',
    roles: sidebar,
    input: z.strictObject({ items: z.array(TrashedRef).min(1).max(1000) }),
    output: z.strictObject({
      purged: z.int().min(0),
      failed: z.array(z.strictObject({ item: TrashedRef, reason: z.string() })),
    }),
    errors: ['in-use'],
  }),
  report: call({
    summary: 'What takes up space, and what is damaged, orphaned or left over. Changes nothing.',
    roles: sidebar,
    input: nothing,
    output: SessionReport,
    errors: [],
  }),
  repair: call({
    summary: 'Does what a report showed for the findings named, and nothing else; what changed since is left alone.',
    roles: sidebar,
    input: z.strictObject({ reportId: z.string().max(100), findings: z.array(z.string().max(100)).min(1).max(10_000) }),
    output: z.strictObject({
      done: z.int().min(0),
      left: z.array(z.strictObject({ finding: z.string(), reason: z.string() })),
    }),
    errors: ['not-found', 'in-use'],
  }),
  reveal: call({
    summary: "Shows a session's file in the desktop's file manager.",
    roles: sidebar,
    input: one,
    output: nothing,
    errors: ['not-found'],
  }),
  changed: event({
    summary: 'Rows of the list came, changed or went, or the state of the catalog did.',
    roles: both,
    payload: z.strictObject({
      /** Grows by one with each push; a gap means that the list has to be read again. */
      sequence: z.int().min(0),
      changed: z.array(SessionRow),
      removed: z.array(SessionRef),
      /** Whether more changed than is named here: read the list again. */
      all: z.boolean(),
      catalog: CatalogState,
    }),
  }),
  appended: event({
    summary: 'A transcript that a window has open has more messages, or other ones.',
    roles: both,
    payload: z.strictObject({
      session: SessionRef,
      head: z.string(),
      total: z.int().min(0),
      complete: z.boolean(),
      generation: z.string(),
      progress: SessionProgress,
    }),
  }),
};
