import { Failure } from '../../contract/errors.ts';
import type { SessionHolder } from '../../contract/session-entities.ts';
import { heldFailure } from '../holder.ts';

/** What a failed write of a message says first. */
export const RECORD_FAILED = 'The message could not be recorded';
export const SESSION_KEPT = 'The session is as it was before.';

/** The session is not there any more, or never was; nothing brings it back. */
export function deletedSession(): Failure {
  return new Failure(
    'not-found',
    'This session was deleted or moved away. Nothing was written, and it was not made again. Copy what you typed to another session.',
    { detail: { reason: 'deleted' } },
  );
}

/** Somebody else has the session open. */
export const heldSession = (holder: SessionHolder): Failure =>
  heldFailure(holder, 'Nothing was written to this session');

/** What would be too long for one line of the log. */
export function tooLong(): Failure {
  return new Failure('too-large', 'The message is too long to be recorded. Nothing was written. Send it in parts.');
}

/** The files keep changing under us. */
export function busySession(): Failure {
  return new Failure(
    'in-use',
    'Another program keeps writing to this session. Nothing was written. Try again when it has ended.',
    { detail: { reason: 'busy' } },
  );
}

export function foreignSession(): Failure {
  return new Failure(
    'conflict',
    'This session was made or continued by another program, so nothing is added to it. It is unchanged. Go on in a copy.',
    { detail: { reason: 'foreign' } },
  );
}

export function newerSession(): Failure {
  return new Failure(
    'newer-version',
    'This session was written by a newer version of the program, so nothing is added to it. It is unchanged. Update this program.',
  );
}

/** The bytes may or may not be on the disk, and it could not be found out. */
export function uncertain(cause: unknown): Failure {
  return new Failure(
    'io',
    'It is not certain whether the message was recorded: the disk did not confirm it. Check the disk, then send it again; it will not be there twice.',
    { detail: { reason: 'not-confirmed' }, cause },
  );
}
