import { type ErrorDetail, Failure } from '../contract/errors.ts';
import type { JsonObject } from '../files/json.ts';
import type { RemovedItem } from './trash-item.ts';

/**
 * What a mutation makes of the newest state of a context file. It is a function of that state alone, so it can be applied
 * again when another program changed the file, and several can be taken together into one write.
 */
export interface Change<Result> {
  /** The top level to write; null when nothing has to be written. */
  readonly raw: JsonObject | null;
  readonly result: Result;
  /** What it deletes, so that it can come back; put into the trash before the write. */
  readonly removed?: RemovedItem;
}

/** The answer for something that is not there (any more). */
export function notFound(what: string): Failure {
  return new Failure('not-found', `This ${what} is not there any more; it may have been deleted elsewhere.`);
}

/**
 * Refuses a change that was based on another state than the current one.
 *
 * @param expected Revision that the caller named; undefined when it named none.
 * @param detail The current state, for the caller to compare with its own.
 */
export function checkRevision(
  what: string,
  expected: string | undefined,
  current: string | null,
  detail: object,
): void {
  if (expected === undefined || expected === current) return;
  throw new Failure(
    'conflict',
    `This ${what} was changed elsewhere in the meantime. Nothing was overwritten; look at both and decide.`,
    // Only what JSON keeps crosses the bridge.
    { detail: JSON.parse(JSON.stringify(detail)) as ErrorDetail },
  );
}

/** Refuses to make a list longer than what fits. */
export function fullList(what: string, limit: number): Failure {
  return new Failure('limit', `A project holds at most ${limit} ${what}. Nothing was changed; delete some first.`, {
    detail: { limit },
  });
}
