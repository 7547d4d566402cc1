import { z } from 'zod';
import { call, event } from './call.ts';
import { ChatFolder, ChatList, EntryId, SessionRef, SessionRow, sessionLimits } from './entities.ts';

const both = ['sidebar', 'mini-chat'] as const;
/** Names a draft of a window: the same for every call about it. */
const draft = { draftId: EntryId };

export const chats = {
  list: call({
    summary: 'The newest fifty chats; at start those of the run before at once, then what is there.',
    roles: both,
    input: z.strictObject({}),
    output: ChatList,
    errors: [],
  }),
  prepare: call({
    summary: 'Makes the folder of a chat that is being written; once for each draft.',
    roles: both,
    input: z.strictObject(draft),
    output: z.strictObject({ folder: ChatFolder }),
    errors: ['in-use'],
  }),
  start: call({
    summary:
      'Makes the session of a draft in its folder, with its first message. The same draft answers the same session; a folder that is gone is made again.',
    roles: both,
    input: z.strictObject({
      ...draft,
      text: z
        .string()
        .max(sessionLimits.message)
        .refine((text) => text.trim() !== '', 'a message needs text'),
    }),
    output: z.strictObject({ row: SessionRow, folder: ChatFolder }),
    errors: ['in-use', 'not-found'],
  }),
  discard: call({
    summary: 'Gives a draft up. Its folder goes when it is empty and no session names it.',
    roles: both,
    input: z.strictObject(draft),
    output: z.strictObject({
      removed: z.boolean(),
      /** Why the folder stays; null when it is gone or never was. */
      kept: z.string().nullable(),
    }),
    errors: [],
  }),
  folder: call({
    summary: "A chat's own folder, as a person has to know it before the chat is deleted.",
    roles: both,
    input: z.strictObject({ session: SessionRef }),
    output: z.strictObject({
      /** Null when the session has no folder of its own. */
      folder: ChatFolder.nullable(),
      /** Whether it is there. */
      exists: z.boolean(),
      /** Number of files in it, at any depth; links count as one. */
      files: z.int().min(0),
      /** Why it cannot go along with the session; null when it can. */
      stays: z.string().nullable(),
    }),
    errors: ['not-found'],
  }),
  changed: event({
    summary: 'The newest chats are others, or have been confirmed.',
    roles: both,
    payload: ChatList,
  }),
};
