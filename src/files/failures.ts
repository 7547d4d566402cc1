import { Failure } from '../contract/errors.ts';

/** The system's name of an error, such as `ENOSPC`; null when the error does not come from the system. */
export function systemCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : null;
}

/** Whether the system says that there is nothing by that name: the only error that means "missing". */
export const isMissing = (error: unknown): boolean => systemCode(error) === 'ENOENT';

const causes: Readonly<Record<string, readonly [reason: string, text: string, advice: string]>> = {
  ENOSPC: ['disk-full', 'the disk is full', 'Free some space and try again.'],
  EDQUOT: ['disk-full', 'your quota on this disk is used up', 'Free some space and try again.'],
  EFBIG: ['too-large', 'the file would be too large for this disk', 'Make it smaller and try again.'],
  EACCES: ['no-permission', 'permission was denied', 'Check who may change the data folder and try again.'],
  EPERM: ['no-permission', 'permission was denied', 'Check who may change the data folder and try again.'],
  EROFS: ['read-only-disk', 'the disk is read-only', 'Make it writable and try again.'],
  EBUSY: ['busy', 'another program is using the file', 'Try again in a moment.'],
  EIO: ['disk-error', 'the disk reported an error', 'Check the disk and try again.'],
  EMFILE: ['too-many-files', 'too many files are open', 'Try again in a moment.'],
  ENFILE: ['too-many-files', 'too many files are open', 'Try again in a moment.'],
  ELOOP: ['link', 'a link stands where a file or folder of the data should be', 'Put the real file in its place.'],
  ENOTDIR: ['not-a-folder', 'a file stands where a folder should be', 'Move it away and try again.'],
  EISDIR: ['not-a-file', 'a folder stands where a file should be', 'Move it away and try again.'],
  ENAMETOOLONG: ['name-too-long', 'the name is too long for this disk', 'Use a shorter one.'],
};

/**
 * An error of the system as an `io` failure whose message says what happened to the data and what to do, without a path
 * (the error itself stays as its cause). A `Failure` passes unchanged, and so does any other error: that is a bug, not a
 * disk.
 *
 * @param what What could not be done, such as `The note could not be saved`.
 * @param state What is true of the data now, such as `What was saved before is unchanged.`
 */
export function ioFailure(error: unknown, what: string, state: string): unknown {
  if (error instanceof Failure) return error;
  const code = systemCode(error);
  if (code === null) return error;
  const [reason, text, advice] = causes[code] ?? ['system', `the system reported ${code}`, 'Try again.'];
  return new Failure('io', `${what}: ${text}. ${state} ${advice}`, { detail: { reason, system: code }, cause: error });
}

/** The refusal of a link below a root. */
export function linkFailure(): Failure {
  return new Failure(
    'io',
    'A link stands where a file or folder of the data should be. Nothing was read or changed through it. Put the real file in its place.',
    { detail: { reason: 'link' } },
  );
}

/** What a write says that left everything as it was. */
export const SAVE_FAILED = 'The change could not be saved';
export const OLD_KEPT = 'What was saved before is unchanged.';

/** Runs an action and turns an error of the system into a failure, see {@link ioFailure}. */
export async function guard<Value>(action: () => Promise<Value>, what = SAVE_FAILED, state = OLD_KEPT): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    throw ioFailure(error, what, state);
  }
}
