import { z } from 'zod';
import { EntryId, limits, ProjectId, Revision, SessionRef, Timestamp } from './identifiers.ts';
import { ContextNotice } from './kept-entities.ts';

export * from './identifiers.ts';
export * from './kept-entities.ts';
export * from './knowledge-entities.ts';
export * from './session-entities.ts';

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
  /**
   * Ids that became others in this run of the program, newest last, each with the id that it has now. An id that is in the
   * list again is not among them.
   */
  moved: z.array(z.strictObject({ from: ProjectId, to: ProjectId })).max(20),
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
export const ComposerMode = z.enum(['message', 'note', 'todo', 'plan']);
export type ComposerMode = z.infer<typeof ComposerMode>;
export const Section = z.enum(['notes', 'todos', 'plans']);
export type Section = z.infer<typeof Section>;

export const Settings = z.strictObject({
  sequence: z.int().min(0),
  theme: Theme,
  /** The Mini Chat's last target; null means Chats. */
  lastTarget: ProjectId.nullable(),
  /** Whether chats without a project are shown. */
  chatsVisible: z.boolean(),
  /** Whether agent memory is there at all. */
  memoryEnabled: z.boolean(),
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
  /** The session to show instead of a section. */
  session: SessionRef.optional(),
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
    /** What the sidebar asked it to show, until it has taken it. */
    opening: z.strictObject({ id: z.int(), session: SessionRef }).nullable(),
  }),
  handover: Handover.nullable(),
});
export type WindowsState = z.infer<typeof WindowsState>;
