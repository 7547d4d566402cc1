import { randomInt } from 'node:crypto';
import { SessionId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { isSessionTranscriptName } from './seed-names.ts';

/** Last parts of an id that would make its files look like those of another session. */
const reservedEndings = new Set(
  (
    'events turns conflicts guardian wire adjudication execution jsonl meta lock lease damaged rotating staged ckpt jobs ' +
    'inbox outputs bak tmp goal-state event-index display-index transcript-projection recovery context pinned-context ' +
    'cleanup-pending telemetry acp superseded run-journal knowledge'
  ).split(' '),
);
const deviceName = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])$/i;
/** Longest new id, in bytes. */
const LONGEST_NEW_ID = 200;
/** A session of ours: its time in UTC, nine digits, and who made it. */
const ourId = /^\d{8}-\d{6}\.\d{9}-sidekeep$/;

/**
 * Refuses an id that could lead anywhere but to a session's own files (docs/formats/session-format.md, section 14, the
 * access rule). To be called before the disk is asked anything.
 *
 * @throws Failure `invalid`.
 */
export function refuseBadId(id: string): void {
  // Half a surrogate pair would reach the disk as another name.
  if (SessionId.safeParse(id).success && id.isWellFormed()) return;
  throw new Failure('invalid', 'This is not the id of a session. Nothing was read or changed.');
}

/** Whether a session may be made with this id (the same section, the grammar of creation). Says nothing about who has it. */
export function isNewId(id: string): boolean {
  const parts = id.split('.');
  return (
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id) &&
    id.length <= LONGEST_NEW_ID &&
    !id.endsWith('.') &&
    !id.includes('..') &&
    !deviceName.test(parts[0] ?? '') &&
    !reservedEndings.has((parts.at(-1) ?? '').toLowerCase())
  );
}

/** Whether an id has the form of those made here; not whether the session was. */
export const hasOurForm = (id: string): boolean => ourId.test(id);

/**
 * A new id, `YYYYMMDD-HHMMSS.<9 digits>-sidekeep`.
 *
 * @param now In ms since 1970.
 * @param randomDigits Nine digits; by chance when left out.
 */
export function newSessionId(now: number, randomDigits = String(randomInt(1_000_000_000)).padStart(9, '0')): string {
  const time = new Date(now).toISOString().replace(/[-:]/g, '');
  return `${time.slice(0, 8)}-${time.slice(9, 15)}.${randomDigits}-sidekeep`;
}

/**
 * The id of the session whose transcript has this file name; null for a name that is no transcript's, or that no session
 * may have. Whether it is a regular file is for `lstat` to say.
 */
export function idOfTranscript(name: string): string | null {
  if (!name.endsWith('.jsonl') || !isSessionTranscriptName(name)) return null;
  const id = name.slice(0, -'.jsonl'.length);
  return SessionId.safeParse(id).success && id.isWellFormed() ? id : null;
}
