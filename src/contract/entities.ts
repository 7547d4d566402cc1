import { z } from 'zod';

/**
 * Limits of project context (docs/formats/context-format.md, section 2), in UTF-16 code units or entries. New text over
 * a limit is cut at a character boundary and reported as `clamped`; what is stored is never shortened.
 */
export const limits = {
  noteBody: 3000,
  todoText: 120,
  planTitle: 160,
  planRaw: 200_000,
  notes: 200,
  todos: 500,
  plans: 500,
  projectLabel: 120,
} as const;

/**
 * Id of a project or of the chats root; names its folder under `projects/`. Ids made only of dots would leave that
 * folder, so they are refused; 250 bytes leave room for `.json` in a file name.
 */
export const ProjectId = z
  .string()
  .max(250)
  .regex(/^[a-zA-Z0-9._:-]+$/)
  .refine((id) => !/^\.+$/.test(id), 'an id made only of dots is not an id');
export type ProjectId = z.infer<typeof ProjectId>;

/** Id of a note, todo or plan: any stored text that is not blank. */
export const EntryId = z
  .string()
  .min(1)
  .max(1000)
  .refine((id) => id.trim() !== '', 'a blank id is not an id');
export type EntryId = z.infer<typeof EntryId>;

/** First 16 hex digits of the SHA-256 of a stored entry, of a plan's bytes, or of a context file's bytes. */
export const Revision = z.string().regex(/^[0-9a-f]{16}$/);
export type Revision = z.infer<typeof Revision>;

/** Milliseconds since 1970; 0 stands for "not known". */
export const Timestamp = z.number().min(0).max(8.64e15);

export const NoteSource = z.enum(['manual', 'selection', 'agent']);
export type NoteSource = z.infer<typeof NoteSource>;

/** The message that a note was taken from. */
export const NoteOrigin = z.strictObject({
  sessionId: z.string().max(1000),
  messageId: z.string().max(1000).optional(),
});
export type NoteOrigin = z.infer<typeof NoteOrigin>;

const filled = (text: string): boolean => text.trim() !== '';

/** New text of a note: not blank; over {@link limits.noteBody} it is clamped. */
export const NoteBody = z.string().refine(filled, 'a note needs text');
/** New text of a todo: not blank; over {@link limits.todoText} it is clamped. */
export const TodoText = z.string().refine(filled, 'a todo needs text');

export const Note = z.strictObject({
  id: EntryId,
  body: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  source: NoteSource,
  origin: NoteOrigin.optional(),
  /** Legacy flag, carried through unchanged and used for nothing. */
  pinned: z.boolean().optional(),
  revision: Revision,
});
export type Note = z.infer<typeof Note>;

export const Todo = z.strictObject({
  id: EntryId,
  text: z.string(),
  completed: z.boolean(),
  createdAt: Timestamp,
  revision: Revision,
});
export type Todo = z.infer<typeof Todo>;

/** A plan as the list shows it; its text is read with `plans.read`. */
export const Plan = z.strictObject({
  id: EntryId,
  /** Base name of its file in `plans/`; it never changes. */
  file: z.string(),
  title: z.string(),
  createdAt: Timestamp,
  pinned: z.boolean().optional(),
  /** Revision of the file's bytes; null while nothing has needed to read the whole file. */
  revision: Revision.nullable(),
  /** True when the link is there and its file is not. */
  missing: z.boolean(),
});
export type Plan = z.infer<typeof Plan>;

/** A plan's whole document. `title` and `body` are parsed from `raw`, which is the file byte for byte. */
export const PlanDocument = z.strictObject({
  plan: Plan,
  title: z.string(),
  body: z.string(),
  raw: z.string(),
  revision: Revision,
  /** Why the document can only be read: over the limit, not UTF-8, or its context is of a newer version; else null. */
  readOnly: z.enum(['too-long', 'encoding', 'newer-version']).nullable(),
});
export type PlanDocument = z.infer<typeof PlanDocument>;

/** Something in a context file that is kept as it is but cannot be shown or used as it stands. */
export const HealthItem = z.strictObject({
  list: z.enum(['file', 'notes', 'todos', 'plans']),
  /** Position in the stored list; null for the file itself. */
  position: z.int().min(0).nullable(),
  problem: z.enum([
    'not-a-record',
    'not-a-list',
    'blank-text',
    'blank-id',
    'duplicate-id',
    'bad-file-name',
    'bad-date',
    'over-limit',
    'newer-version',
  ]),
});
export type HealthItem = z.infer<typeof HealthItem>;

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

const contextHead = {
  projectId: ProjectId,
  /** Grows by one with each change of this project's context; starts anew with the program. */
  sequence: z.int().min(0),
  /** Revision of the file's bytes; null while there is no file. */
  revision: Revision.nullable(),
  state: z.enum(['present', 'missing']),
  version: z.int().min(1),
  /** True when the stored version is above ours: shown, never written. */
  readOnly: z.boolean(),
  /** Revision of the todo list as a whole, for `todos.replace`. */
  todosRevision: Revision,
  health: z.array(HealthItem),
  notices: z.array(ContextNotice),
};

/** All notes, todos and plan links of one owner, at one moment. Notes and plans newest first, todos in their order. */
export const ContextSnapshot = z.strictObject({
  ...contextHead,
  notes: z.array(Note),
  todos: z.array(Todo),
  plans: z.array(Plan),
});
export type ContextSnapshot = z.infer<typeof ContextSnapshot>;

const changeOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.strictObject({
    /** Ids of the whole list in order; absent when the order did not change and nothing came or went. */
    order: z.array(EntryId).optional(),
    /** Entries that are new or differ. */
    changed: z.array(entry),
  });

/**
 * What turns the context at sequence `base` into the one at `sequence`, so that a tick of a todo costs the bytes of one
 * todo and not of the store. With `base` null it stands on nothing and holds everything.
 */
export const ContextChange = z.strictObject({
  ...contextHead,
  base: z.int().min(0).nullable(),
  notes: changeOf(Note),
  todos: changeOf(Todo),
  plans: changeOf(Plan),
});
export type ContextChange = z.infer<typeof ContextChange>;

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

/** A project as the rail shows it. */
export const Project = z.strictObject({
  id: ProjectId,
  label: z.string(),
  /** The folder, for display; null when the id does not tell it and nobody added it. */
  path: z.string().nullable(),
  hidden: z.boolean(),
  /** Whether it stands in the settings, or was only found in the data folder. */
  added: z.boolean(),
});
export type Project = z.infer<typeof Project>;

export const ProjectList = z.strictObject({
  sequence: z.int().min(0),
  /** Id of the chats root: the owner of all chats without a project. */
  chatsId: ProjectId,
  projects: z.array(Project),
});
export type ProjectList = z.infer<typeof ProjectList>;

export const WatcherStatus = z.strictObject({
  sequence: z.int().min(0),
  state: z.enum(['starting', 'watching', 'polling', 'degraded', 'stopped']),
  /** A sentence for the person; null when there is nothing to say. */
  reason: z.string().nullable(),
});
export type WatcherStatus = z.infer<typeof WatcherStatus>;

export const Theme = z.enum(['system', 'light', 'dark']);
/** What the composer makes of its text when no `/command` says otherwise. */
export const ComposerMode = z.enum(['note', 'todo', 'plan']);
export type ComposerMode = z.infer<typeof ComposerMode>;
export const Section = z.enum(['notes', 'todos', 'plans']);
export type Section = z.infer<typeof Section>;

export const Settings = z.strictObject({
  sequence: z.int().min(0),
  theme: Theme,
  /** The Mini Chat's last target; null means Chats. */
  lastTarget: ProjectId.nullable(),
  miniChat: z.strictObject({
    alwaysOnTop: z.boolean(),
    /** Accelerator in Electron's notation; empty for none. */
    shortcut: z.string(),
    mode: ComposerMode,
  }),
  sidebar: z.strictObject({
    /** Width of the rail in CSS pixels. */
    width: z.int().min(160).max(600),
  }),
});
export type Settings = z.infer<typeof Settings>;

/** What one window hands to the sidebar; kept by the main process until the sidebar has taken it. */
export const Handover = z.strictObject({
  id: z.int(),
  projectId: ProjectId,
  section: Section.optional(),
  entryId: EntryId.optional(),
  draft: z.strictObject({ mode: ComposerMode, text: z.string() }).optional(),
});
export type Handover = z.infer<typeof Handover>;

export const WindowsState = z.strictObject({
  sequence: z.int().min(0),
  miniChat: z.strictObject({
    visible: z.boolean(),
    alwaysOnTop: z.boolean(),
    /** Why the global shortcut does not work; null when it does or none is set. */
    shortcutProblem: z.string().nullable(),
  }),
  handover: Handover.nullable(),
});
export type WindowsState = z.infer<typeof WindowsState>;
