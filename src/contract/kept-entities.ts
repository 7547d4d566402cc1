import { z } from 'zod';
import { EntryId, ProjectId, Timestamp } from './identifiers.ts';

/** Id of something that was deleted and can come back: a file of the trash and a place in it. */
export const TrashId = z.string().regex(/^\d+-[0-9a-f]{12}\.\d+$/);
export type TrashId = z.infer<typeof TrashId>;

/** What a call deleted, as a list of what can come back shows it. */
export const DeletedItem = z.strictObject({
  id: TrashId,
  kind: z.enum(['note', 'todos', 'plan']),
  deletedAt: Timestamp,
  /** When it goes for good. */
  expiresAt: Timestamp,
  /** Beginning of its text, on one line. */
  title: z.string(),
  /** How many entries come back together; more than one when ticked todos were cleared. */
  count: z.int().min(1),
});
export type DeletedItem = z.infer<typeof DeletedItem>;

/** Name of an earlier version: when it was put aside (ms), and why. */
export const BackupId = z.string().regex(/^\d{1,16}-(?:regular|overwritten|displaced|recovered)(?:-\d{1,6})?$/);
export type BackupId = z.infer<typeof BackupId>;

/**
 * Why an earlier version was kept: `regular` as the last good one, at most every five minutes; `overwritten` because
 * another program saved over it without having read it; `displaced` because another program saved in the very moment of
 * a write here; `recovered` because its person went back to an earlier one.
 */
export const BackupReason = z.enum(['regular', 'overwritten', 'displaced', 'recovered']);
export type BackupReason = z.infer<typeof BackupReason>;

/** An earlier version of a whole context. */
export const Backup = z.strictObject({
  id: BackupId,
  at: Timestamp,
  reason: BackupReason,
  bytes: z.int().min(0),
  /** How many entries it holds; null when it cannot be read. */
  counts: z.strictObject({ notes: z.int().min(0), todos: z.int().min(0), plans: z.int().min(0) }).nullable(),
});
export type Backup = z.infer<typeof Backup>;

/** An earlier version of a plan's document. */
export const PlanVersion = z.strictObject({
  id: BackupId,
  at: Timestamp,
  reason: BackupReason,
  bytes: z.int().min(0),
});
export type PlanVersion = z.infer<typeof PlanVersion>;

/**
 * Something that happened to a context and that its person has to know, until it is dismissed. `overwritten` and
 * `displaced`: another program's save left out what was here; it is in the backup. `migration` and `merge`: what could not
 * be taken along.
 */
export const ContextNotice = z.strictObject({
  id: z.string().min(1).max(100),
  kind: z.enum(['overwritten', 'displaced', 'migration', 'merge']),
  at: Timestamp,
  /** The earlier version that holds what is missing, of the plan if it is about one; null when there is none. */
  backupId: BackupId.nullable(),
  /** The plan whose document it is about; null for the context file. */
  planId: EntryId.nullable(),
  /** How many entries it is about. */
  count: z.int().min(0),
  /** Some of them by name or by the beginning of their text. */
  items: z.array(z.string().max(200)).max(20),
});
export type ContextNotice = z.infer<typeof ContextNotice>;

/** Where a search found something: the text around the first place, and the places in that text. */
export const FoundEntry = z.strictObject({
  projectId: ProjectId,
  section: z.enum(['notes', 'todos', 'plans']),
  id: EntryId,
  /** Title of a plan, beginning of a note or todo. */
  title: z.string(),
  excerpt: z.string(),
  /** Half-open ranges of the excerpt to highlight, in UTF-16 code units, in order, without overlap. */
  highlights: z.array(z.tuple([z.int().min(0), z.int().min(0)])),
  createdAt: Timestamp,
  /** Only of a todo. */
  completed: z.boolean().optional(),
});
export type FoundEntry = z.infer<typeof FoundEntry>;
