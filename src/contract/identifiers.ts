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
