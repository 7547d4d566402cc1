import { Failure } from '../../contract/errors.ts';
import type { Entry } from './entries.ts';

/** Where a page ended. */
export interface Cursor {
  /** Names the order that the page was taken from. */
  readonly order: string;
  /** Place of the page's last row in it. */
  readonly index: number;
  /** What that row was sorted by: to go on in another order, should that one be forgotten. */
  readonly pinned: boolean;
  readonly lastActivity: number;
  readonly key: string;
}

/** Names a list by what it is restricted to: a cursor is good for the list that it came from. */
export function listName(ownerId: string | null, query: string): string {
  // FNV-1a: it keeps lists apart, not people.
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(JSON.stringify([ownerId, query]))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

const form = /^([0-9a-f]{16})\.([0-9a-z-]+)\.(\d+)\.([01])\.(\d+(?:\.\d+)?)\/(.+)$/s;

export function writeCursor(
  list: string,
  cursor: Omit<Cursor, 'pinned' | 'lastActivity' | 'key'>,
  last: Entry,
): string {
  const { isPinned, lastActivity } = last;
  return `${list}.${cursor.order}.${cursor.index}.${isPinned ? 1 : 0}.${lastActivity}/${last.key}`;
}

/** @throws Failure `conflict` for the cursor of another list, and for a text that is none. */
export function readCursor(list: string, text: string): Cursor {
  const [, name, order = '', index, pinned, lastActivity, key = ''] = form.exec(text) ?? [];
  if (name !== list) {
    throw new Failure(
      'conflict',
      'This is a place in another list of sessions. Nothing was changed. Begin at the top.',
    );
  }
  return { order, index: Number(index), pinned: pinned === '1', lastActivity: Number(lastActivity), key };
}
