import type { SessionRef } from '../../contract/entities.ts';
import { SessionFiles } from '../session-files.ts';
import { hasOurForm } from '../session-id.ts';
import { copyCheckpoints } from './checkpoint-files.ts';
import { type Made, type Maker, makeUnderNewId, type SessionPlace } from './create.ts';

/**
 * The messages of a head in order, each as one object of JSON as it is to be stored: what is on the disk, with patches and
 * redactions applied and unknown fields kept. Bytes that are no message are left out. They are good until the next one is
 * asked for.
 *
 * @throws Failure as `sessions.page`.
 */
export type StoredMessages = (source: SessionRef, options: StoredMessagesOptions) => AsyncIterable<Uint8Array>;

export interface StoredMessagesOptions {
  /** The session's own choice when left out. */
  readonly head?: string | undefined;
  /** Index of the last row that is wanted, of those that are shown; all when left out. */
  readonly upTo?: number | undefined;
}

export interface ForkInput extends SessionPlace {
  readonly source: SessionRef;
  readonly head?: string | undefined;
  /** Index of the last row to take along, which must be there; all when left out. */
  readonly index?: number | undefined;
  /** Adds what else the copy takes along; `onMade` is told of each file or folder before it is made. */
  readonly addMore?: (target: SessionFiles, onMade: (path: string) => void) => Promise<void>;
}

/**
 * Makes a session of ours from the beginning of another one, of any kind. The other one is only read. The messages keep
 * their ids and all their fields; what was kept of files before its turns goes along within a store.
 */
export function forkSession(maker: Maker, storedMessages: StoredMessages, input: ForkInput): Promise<Made> {
  const { source, head, index, addMore, ...place } = input;
  const isPart = head !== undefined || index !== undefined;
  return makeUnderNewId(maker, place, () => ({
    reason: hasOurForm(source.id) ? 'fork' : 'import',
    messages: storedMessages(source, { head, upTo: index }),
    marked: true,
    metaOf: ({ count }) => ({
      // A parent is told by its id, so it is one of the same store.
      ...(source.store === place.store ? { parent_id: source.id } : {}),
      ...(count === 0 ? {} : { fork_message_index: count - 1 }),
    }),
    addMore: async (files, { turns }, onMade) => {
      await addMore?.(files, onMade);
      if (source.store !== files.store.key) return;
      const from = new SessionFiles(files.fileSystem, files.store, source.id);
      await copyCheckpoints(from, files, isPart ? turns : null, onMade);
    },
  }));
}
