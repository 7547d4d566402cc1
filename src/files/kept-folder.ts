import { dirname } from 'node:path';
import { guard, isMissing } from './failures.ts';
import type { OwnerFolder } from './owner-folder.ts';

/** Further ahead of now than this, a time comes from a clock that was wrong: 24 hours. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Where the program keeps what is no longer current: below an owner's folder. */
export interface KeptFolder {
  /** Its path; it need not be there. */
  path: string;
  /** What is in it. */
  names: string[];
}

/**
 * Looks into one of the program's own folders of an owner. One that is not there is empty.
 *
 * @throws Failure `io`, with `detail.reason` `link` where a link stands in the way.
 */
export async function lookInto(files: OwnerFolder, ...names: readonly string[]): Promise<KeptFolder> {
  const path = dirname(await files.locateOwn('.sidekeep', ...names, 'x'));
  const found = await guard(
    () =>
      files.fileSystem.readdir(path).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      }),
    'What is kept could not be read',
    'It is unchanged.',
  );
  return { path, names: found };
}

/**
 * The time to name something new by: now, but above all that was named before, so that a clock that jumped back a little
 * keeps new above old. Names more than a day ahead of now are some other clock's mistake and do not count.
 *
 * @param times Times that are in use already, in ms.
 */
export function nextTime(times: Iterable<number>, now: number): number {
  let next = Math.max(0, Math.floor(now));
  for (const time of times) if (time <= now + DAY_MS && time >= next) next = time + 1;
  return next;
}

/** Compares two times, the older first: one that is more than a day ahead of now was given before the clock was put right. */
export function compareTimes(left: number, right: number, now: number): number {
  const [leftWrong, rightWrong] = [left > now + DAY_MS, right > now + DAY_MS];
  return leftWrong === rightWrong ? left - right : leftWrong ? -1 : 1;
}
