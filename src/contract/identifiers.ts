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

/** Limits of sessions (docs/formats/session-format.md, section 14), in UTF-16 code units, entries or bytes. */
export const sessionLimits = {
  title: 200,
  message: 200_000,
  listPage: 200,
  messagePage: 200,
  /** Most bytes of one message that a page carries; the rest is read with `sessions.text`. */
  messageBytes: 65_536,
  /** Most bytes of all messages of a page together. */
  pageBytes: 524_288,
  pinned: 200,
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

/** A folder of sessions: the one for all, or that of a workspace by its folder's name under `projects/`. */
export const StoreKey = z
  .string()
  .max(256)
  .regex(/^(global|project:(?!\.)[^/\\:\u0000-\u001f]+)$/);
export type StoreKey = z.infer<typeof StoreKey>;

const utf8 = new TextEncoder();

/**
 * Id of a session: its transcript's file name without `.jsonl`. Any that a disk may hold and that leads nowhere else
 * (docs/formats/session-format.md, section 14, the access rule); new ids follow a stricter grammar.
 */
export const SessionId = z
  .string()
  .min(1)
  .regex(/^(?!\.)[^/\\:\u0000-\u001f\u007f]+$/)
  .refine((id) => utf8.encode(id).length <= 249, 'the id is too long for a file name')
  .refine((id) => !/^[\s\u0085\ufeff]|[\s\u0085\ufeff]$/.test(id), 'an id neither begins nor ends with a blank');
export type SessionId = z.infer<typeof SessionId>;

/** Names one session. */
export const SessionRef = z.strictObject({ store: StoreKey, id: SessionId });
export type SessionRef = z.infer<typeof SessionRef>;

/** One text for a session, for maps and keys: the store and the id, which holds no `/`. */
export const sessionKey = ({ store, id }: SessionRef): string => `${store}/${id}`;

/** First 16 hex digits of the SHA-256 of a stored entry, of a plan's bytes, or of a context file's bytes. */
export const Revision = z.string().regex(/^[0-9a-f]{16}$/);
export type Revision = z.infer<typeof Revision>;

/** Milliseconds since 1970; 0 stands for "not known". */
export const Timestamp = z.number().min(0).max(8.64e15);
