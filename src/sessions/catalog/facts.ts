import type { ProjectId, SessionHealth, SessionRef, SessionRow } from '../../contract/entities.ts';
import { hasOurForm } from '../session-id.ts';
import type { Mark } from './disk.ts';
import type { Gist } from './first-look.ts';
import type { ListingMeta } from './meta.ts';
import { previewOf } from './preview.ts';
import { later, timeInId } from './times.ts';
import { titleOf } from './title.ts';

/** A conversation over this size is not counted (docs/formats/session-format.md, section 7), in bytes. */
export const MAXIMUM_COUNTED_BYTES = 128 * 1024 * 1024;
/** What the writer's name of a session that was made here begins with. */
const OUR_WRITER = 'sidekeep.';

/** All that the catalog keeps of a session; a function of its files as they were seen. */
export interface Facts {
  readonly transcript: Mark;
  readonly log: Mark | null;
  readonly meta: Mark | null;
  /** Null without a readable meta file; of one that cannot be read now, what it last said, without its certificate. */
  readonly details: ListingMeta | null;
  readonly detailsState: 'present' | 'missing' | 'unknown';
  /** Null while the details certify the row: then nothing was opened. */
  readonly gist: Gist | null;
  /** Why nothing could be read of it, for the person; null when something could. */
  readonly unreadable: string | null;
}

/** What a row depends on besides the session's own files. */
export interface Surroundings {
  readonly ownerId: ProjectId | null;
  readonly mapTitle: string | null;
  readonly isPinned: boolean;
  readonly recoveryOf: string | null;
  /** Whether it was deleted here and not brought back: whatever there is of it was written since. */
  readonly wasDeleted: boolean;
  /** What happened to it in this run, for the person; null when there is nothing to say. */
  readonly notice: string | null;
}

/** Stands for the transcript of a session of which only the names and the meta file were looked at so far. */
export const notSeen: Mark = { ino: 0, size: 0, mtime: 0, ctime: 0 };

/** Whether nothing but the meta file was looked at: everything of the row is right then but its size and health. */
export const isGlimpse = ({ transcript }: Pick<Facts, 'transcript'>): boolean => transcript === notSeen;

/** Whether the meta file vouches for turns and preview, so that the conversation need not be opened. */
export const isCertified = ({ detailsState, details }: Pick<Facts, 'details' | 'detailsState'>): boolean =>
  detailsState === 'present' && details !== null && details.turns !== null;

/** Whether counting the whole conversation would tell more. */
export const isToBeCounted = (facts: Facts): boolean =>
  facts.unreadable === null &&
  facts.gist !== null &&
  !facts.gist.isWhole &&
  conversationBytes(facts) <= MAXIMUM_COUNTED_BYTES;

/** Bytes of the file that holds the conversation. */
export function conversationBytes({ gist, log, transcript }: Facts): number {
  const hasLog = gist === null ? log !== null && log.size > 0 : gist.authority === 'log';
  return (hasLog ? log?.size : undefined) ?? transcript.size;
}

/**
 * Whether a session is left out of the list: nothing was written in it, for certain, and nobody gave it a title. It is
 * only hidden, never removed.
 */
export function isHidden(facts: Facts): boolean {
  if (facts.details?.customTitle != null || facts.unreadable !== null) return false;
  if (isCertified(facts)) return facts.details?.turns === 0;
  return (
    facts.detailsState !== 'unknown' && facts.gist !== null && !facts.gist.hasContent && facts.transcript.size === 0
  );
}

/** The row of a session. */
export function rowOf(session: SessionRef, facts: Facts, surroundings: Surroundings): SessionRow {
  const { details, gist } = facts;
  const certified = isCertified(facts);
  const stored = certified ? details?.preview : (gist?.preview ?? details?.preview);
  const preview = stored == null ? null : previewOf(stored);
  const turns = certified ? details?.turns : gist?.turns;
  return {
    session,
    ownerId: surroundings.ownerId,
    ...titleOf({
      custom: details?.customTitle ?? null,
      topic: details?.topicTitle ?? null,
      map: surroundings.mapTitle,
      preview,
    }),
    preview,
    // Our own count of none is not shown as a number: what a person wrote may stand there in a form that is not known.
    turns: turns || null,
    lastActivity: lastActivity(facts),
    createdAt: details?.createdAt ?? timeInId(session.id) ?? gist?.firstAt ?? null,
    bytes: conversationBytes(facts),
    ...healthOf(facts, surroundings),
    ours: isOurs(session.id, facts),
    pinned: surroundings.isPinned,
    parentId: details?.parentId ?? null,
    recoveryOf: surroundings.recoveryOf,
  };
}

/** What was recorded last; the time of the files only where nothing was. */
export function lastActivity({ details, gist, transcript, log }: Facts): number {
  const recorded = later(details?.updatedAt ?? null, gist?.lastAt ?? null);
  return recorded ?? Math.max(0, Math.trunc(Math.max(transcript.mtime, log?.mtime ?? 0)));
}

function isOurs(id: string, { details, gist }: Facts): boolean {
  if (!hasOurForm(id)) return false;
  const writers = gist === null ? [details?.writerId] : [gist.firstWriter, gist.lastWriter];
  return writers.every((writer) => writer?.startsWith(OUR_WRITER) === true);
}

function healthOf(
  facts: Facts,
  { wasDeleted, notice }: Surroundings,
): { health: SessionHealth; reason: string | null } {
  if (wasDeleted) {
    return {
      health: 'damaged',
      reason:
        'It was deleted here, and a program has written to it since, so it may be only a part. Delete it again; what the trash has of it can be restored then.',
    };
  }
  if (facts.unreadable !== null) return { health: 'unreadable', reason: facts.unreadable };
  const trouble = facts.gist?.trouble ?? null;
  if (trouble === 'too-new') {
    return { health: 'too-new', reason: 'It was written by a newer version. It is unchanged; open it with that one.' };
  }
  if (trouble === 'too-many' || conversationBytes(facts) > MAXIMUM_COUNTED_BYTES) {
    return { health: 'too-large', reason: 'It is too large to be counted. It can be read page by page.' };
  }
  if (trouble === 'holes') {
    return { health: 'damaged', reason: 'Parts of it cannot be read. Everything else is shown; nothing was changed.' };
  }
  if (trouble === 'torn') {
    return { health: 'damaged', reason: 'Its end was not written completely. Everything before it is shown.' };
  }
  if (facts.detailsState === 'unknown') {
    return {
      health: 'damaged',
      reason: 'Its details (title, folder) cannot be read. The conversation is not affected; nothing was changed.',
    };
  }
  return notice === null ? { health: 'good', reason: null } : { health: 'damaged', reason: notice };
}
