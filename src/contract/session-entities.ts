import { z } from 'zod';
import { ProjectId, SessionRef, StoreKey, sessionLimits, Timestamp } from './identifiers.ts';

/**
 * Whether a session can be read: `damaged` shows what is whole and says what is not, `too-large` is paged through without
 * being counted, `too-new` and `unreadable` show their reason only.
 */
export const SessionHealth = z.enum(['good', 'damaged', 'too-large', 'too-new', 'unreadable']);
export type SessionHealth = z.infer<typeof SessionHealth>;

/** A session as the list shows it, made without reading its transcript. */
export const SessionRow = z.strictObject({
  session: SessionRef,
  /** Whose session it is; null when its folder belongs to nobody that is known here. */
  ownerId: ProjectId.nullable(),
  title: z.string(),
  /** Where the title comes from, best first. */
  titleSource: z.enum(['custom', 'topic', 'map', 'preview', 'generic']),
  /** Beginning of the first message that a person wrote; null while that is not known or there is none. */
  preview: z.string().nullable(),
  /** Number of messages that a person wrote; null while that is not known for certain. */
  turns: z.int().min(0).nullable(),
  /** Last recorded activity; of a file that tells none, when it was last changed. */
  lastActivity: Timestamp,
  createdAt: Timestamp.nullable(),
  /** Bytes of the file that holds the conversation. */
  bytes: z.int().min(0),
  health: SessionHealth,
  /** A sentence for the person about the health; null when it is good. */
  reason: z.string().nullable(),
  /** Whether it was made here, so that it can be continued here. */
  ours: z.boolean(),
  /** Kept at the top of its owner's list. */
  pinned: z.boolean(),
  /** Id of the session that it was forked from, in the same store. */
  parentId: z.string().nullable(),
  /** Id of the session that it is a rescued copy of: listed under that one. */
  recoveryOf: z.string().nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

/** Long work on sessions; null when there is none. */
export const SessionProgress = z.strictObject({ done: z.int().min(0), total: z.int().min(0) }).nullable();

/** How far the list is to be believed: `loading` has not looked everywhere yet, `failed` could not look at all. */
export const CatalogState = z.strictObject({
  state: z.enum(['loading', 'ready', 'failed']),
  /** Why it failed, or what could not be looked at. */
  reason: z.string().nullable(),
  /** Sessions that are being looked into in the background. */
  progress: SessionProgress,
});
export type CatalogState = z.infer<typeof CatalogState>;

/** Who else has a session open. */
export const SessionHolder = z.strictObject({
  /** Null when only the system's lock tells of it. */
  pid: z.int().nullable(),
  /** Null for this machine. */
  host: z.string().nullable(),
  since: Timestamp.nullable(),
});
export type SessionHolder = z.infer<typeof SessionHolder>;

/** A line of development within a session; most have one. */
export const SessionHead = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  kind: z.enum(['main', 'fork', 'rewind', 'concurrent']),
  retired: z.boolean(),
  /** Whether a turn was begun and not ended: it was interrupted, or still runs. */
  openTurn: z.boolean(),
});
export type SessionHead = z.infer<typeof SessionHead>;

export const SessionDetail = z.strictObject({
  row: SessionRow,
  /** The log's version, or the plain transcript; null while nothing could be read. */
  format: z.enum(['transcript', 'log-1', 'log-2']).nullable(),
  holder: SessionHolder.nullable(),
  /** Why nothing can be added here: it is foreign (continuing makes a fork), somebody has it open, or it cannot be read. */
  readOnly: z.enum(['foreign', 'in-use', 'too-new', 'unreadable']).nullable(),
  heads: z.array(SessionHead),
  /** Id of the head that is shown when none is named. */
  head: z.string(),
});
export type SessionDetail = z.infer<typeof SessionDetail>;

export const ToolCall = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() });

/** One row of a transcript. Texts may be cut ({@link sessionLimits.messageBytes}); `sessions.text` reads on. */
export const SessionMessage = z.strictObject({
  /** Position in the transcript of its head, from 0. */
  index: z.int().min(0),
  /** `hole`: bytes that could not be read as records. `raw`: a record that is none of the known shapes. */
  kind: z.enum(['message', 'hole', 'raw']),
  role: z.enum(['system', 'user', 'assistant', 'tool', 'unknown']),
  /** Its own id; null when it has none. */
  id: z.string().nullable(),
  /** `host`: recorded for the person's program, not typed by them. */
  origin: z.enum(['user', 'host']).nullable(),
  /** Text without control characters that a screen should not get; of a hole or a raw record what stands there. */
  content: z.string(),
  reasoning: z.string().nullable(),
  toolCalls: z.array(ToolCall),
  /** The call that a tool's result answers. */
  toolCallId: z.string().nullable(),
  toolName: z.string().nullable(),
  toolState: z.string().nullable(),
  createdAt: Timestamp.nullable(),
  images: z.int().min(0),
  /** Bytes of the whole record in its file. */
  bytes: z.int().min(0),
  /** Whether a text of it was cut. */
  cut: z.boolean(),
  /** What is odd about it, for the person: a result without its call, an id that was there before. */
  oddity: z.enum(['no-call', 'repeated-id']).nullable(),
});
export type SessionMessage = z.infer<typeof SessionMessage>;

export const SessionPage = z.strictObject({
  session: SessionRef,
  head: z.string(),
  /** In order; consecutive indexes. */
  messages: z.array(SessionMessage),
  /** Number of messages of the head as far as they are known. */
  total: z.int().min(0),
  /**
   * Whether `total` is all. False while a long transcript is being gone through (and always of one that is `too-large`): then
   * it is as if it began with the first of the messages that were found at its end, which are what is known; `total` and all
   * indexes count from that one. They hold with their `generation` only; once all is known there is a new one, and
   * `sessions.appended` says so. What acts on an index (`sessions.text`, `find`, `fork`) means that of the whole.
   */
  complete: z.boolean(),
  /** Changes when messages that were there before are not the same any more: what was read of another one is void. */
  generation: z.string(),
  /** Number of regions that could not be read. */
  holes: z.int().min(0),
  /** Whether the last record is torn: somebody may be writing, or was interrupted. */
  torn: z.boolean(),
});
export type SessionPage = z.infer<typeof SessionPage>;

/** A session in the trash. */
export const TrashedSession = z.strictObject({
  store: StoreKey,
  /** Name of its folder in the trash. */
  name: z.string().min(1).max(255),
  session: SessionRef,
  title: z.string(),
  deletedAt: Timestamp,
  /** When it is removed for good; null for one that only goes on request. */
  purgeAt: Timestamp.nullable(),
  files: z.int().min(0),
  bytes: z.int().min(0),
  /** Files of the chat's own folder that are in the trash with it; null when no folder is. */
  folderFiles: z.int().min(0).nullable(),
  /** Why it cannot come back as it is; null when it can. */
  problem: z.string().nullable(),
});
export type TrashedSession = z.infer<typeof TrashedSession>;

/** Names an entry of the trash. */
export const TrashedRef = z.strictObject({
  store: StoreKey,
  name: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^/\\]+$/),
});
export type TrashedRef = z.infer<typeof TrashedRef>;

/** What a report found that a person may want to know or be rid of. */
export const SessionFinding = z.strictObject({
  /** The same for the same finding of a report; names it for the repair. */
  id: z.string(),
  kind: z.enum(['orphan', 'damaged', 'trash-leftover', 'left-over', 'stray-temporary', 'unreadable', 'conflict-copy']),
  store: StoreKey,
  /** File or folder name in the store. */
  name: z.string(),
  /** The session that it belongs to or belonged to; null when that cannot be told. */
  session: SessionRef.nullable(),
  bytes: z.int().min(0),
  /** What it is and what becomes of it, in a sentence. */
  reason: z.string(),
  /** What the repair does with it; null when it leaves it alone. */
  repair: z.enum(['remove', 'move-to-trash']).nullable(),
});
export type SessionFinding = z.infer<typeof SessionFinding>;

export const SessionReport = z.strictObject({
  /** Names this report for the repair, which does nothing that it did not show. */
  id: z.string(),
  sessions: z.array(
    z.strictObject({
      session: SessionRef,
      title: z.string(),
      bytes: z.int().min(0),
      /** Bytes by what they are: transcript, log, checkpoints … */
      parts: z.array(z.strictObject({ kind: z.string(), bytes: z.int().min(0) })),
    }),
  ),
  /** Number of sessions beyond those listed, which are the largest. */
  more: z.int().min(0),
  totals: z.array(z.strictObject({ kind: z.string(), bytes: z.int().min(0), files: z.int().min(0) })),
  findings: z.array(SessionFinding),
  /** Stores or folders that could not be looked at, each with why. */
  unread: z.array(z.strictObject({ store: StoreKey, reason: z.string() })),
});
export type SessionReport = z.infer<typeof SessionReport>;

/** Name of a chat's own folder below the chats root: its day and its own name. */
export const ChatFolder = z.string().regex(/^\d{4}-\d{2}-\d{2}\/session-[0-9a-z-]{1,60}$/);
export type ChatFolder = z.infer<typeof ChatFolder>;

/** The newest chats. */
export const ChatList = z.strictObject({
  sequence: z.int().min(0),
  /** At most fifty, pinned ones and then those with the last activity first. */
  rows: z.array(SessionRow).max(50),
  /** How many chats there are; null while only the run before tells. */
  total: z.int().min(0).nullable(),
  /** Whether the disk was looked at: false for what the run before left. */
  confirmed: z.boolean(),
});
export type ChatList = z.infer<typeof ChatList>;
