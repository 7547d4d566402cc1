import { Failure } from '../contract/errors.ts';
import { isObject } from './transcript/message.ts';
import type { TranscriptReaders } from './transcript/readers.ts';
import type { StoredMessages } from './writing/fork.ts';
import { escapeText } from './writing/message-text.ts';

/**
 * The messages of a transcript for a copy of it. What is no message is left out; an id that counts instead of the one in a
 * message stands in the copy, which has no other place for it.
 *
 * The last row that is wanted must be there: else the source ends with a Failure `not-found`.
 */
export function storedForCopy(readers: Pick<TranscriptReaders, 'stored'>): StoredMessages {
  return async function* (source, { head, upTo }) {
    const request = { ...(head === undefined ? {} : { head }), ...(upTo === undefined ? {} : { to: upTo + 1 }) };
    let last = -1;
    for await (const { index, kind, id, bytes } of readers.stored(source, request)) {
      last = index;
      if (kind !== 'message' && kind !== 'giant') continue;
      yield id === null ? bytes : withId(bytes, id);
    }
    if (upTo !== undefined && last < upTo) {
      throw new Failure('not-found', 'The session has no such message any more. No copy was made. Look at it again.');
    }
  };
}

function withId(bytes: Buffer, id: string): Uint8Array {
  const message: unknown = JSON.parse(bytes.toString('utf8'));
  if (!isObject(message) || message.id === id) return bytes;
  return Buffer.from(escapeText(JSON.stringify({ ...message, id })));
}
