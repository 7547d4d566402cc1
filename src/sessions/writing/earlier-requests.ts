import type { StoreKey } from '../../contract/entities.ts';
import type { SessionRef } from '../../contract/identifiers.ts';
import { closeQuietly, type FileSystem, guard, isMissing, systemCode } from '../../files/index.ts';
import { SessionFiles } from '../session-files.ts';
import { hasOurForm, idOfTranscript, newSessionId } from '../session-id.ts';
import type { SessionStores } from '../session-stores.ts';
import { readExactly } from '../transcript/lines.ts';
import { namesOrNone, statusOrNull } from '../trash-files.ts';
import { readStoredMeta } from './meta-writer.ts';
import { toldWith } from './told-message.ts';

/** How far back a try of the same creation is looked for: a window that was not told of it tries again when it is opened. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** Most sessions that are looked at, the newest. */
const MOST = 200;
/** A message's id stands at its beginning, in bytes: the longest id there may be, escaped. */
const HEAD_BYTES = 16 * 1024;
/** The beginning of a transcript of ours that begins with a message of the person, or what was told with it. */
const beginning = /^\{"role":"user","id":("(?:[^"\\]|\\.)*"),/;

/**
 * Finds the sessions that earlier runs made for a request. The first message of such a session has the request's id, so
 * that nothing else has to be kept; a session that was made without a message is not found.
 */
export class EarlierRequests {
  readonly #fileSystem: FileSystem;
  readonly #stores: SessionStores;
  readonly #startedAt: number;
  readonly #known = new Map<StoreKey, Promise<ReadonlyMap<string, readonly SessionRef[]>>>();

  /** @param startedAt Sessions that are younger are of this run, in ms since 1970. */
  constructor(fileSystem: FileSystem, stores: SessionStores, startedAt: number) {
    this.#fileSystem = fileSystem;
    this.#stores = stores;
    this.#startedAt = startedAt;
  }

  /**
   * @returns The session that was made for this request and is still there; null when there is none.
   * @throws Failure `io`: then it cannot be told, and another one must not be made.
   */
  async find(store: StoreKey, requestId: string): Promise<SessionRef | null> {
    let known = this.#known.get(store);
    if (known === undefined) {
      known = this.#read(store);
      this.#known.set(store, known);
      known.catch(() => this.#known.delete(store));
    }
    for (const session of (await known).get(requestId) ?? []) if (await this.#isIt(session)) return session;
    return null;
  }

  /** The sessions of ours of the last day by the id of their first message; read once in a run. */
  #read(store: StoreKey): Promise<ReadonlyMap<string, readonly SessionRef[]>> {
    return guard(
      async () => {
        const found = new Map<string, readonly SessionRef[]>();
        const names = await namesOrNone(this.#fileSystem, await this.#stores.get(store).root.path());
        // An id begins with its time, so the two ends of the day are two texts between which it stands.
        const [from, to] = [this.#startedAt - DAY_MS, this.#startedAt].map((at) => newSessionId(at, '').slice(0, 15));
        const ids = names.flatMap((name) => {
          const id = name.endsWith('-sidekeep.jsonl') ? idOfTranscript(name) : null;
          const time = id?.slice(0, 15) ?? '';
          return id !== null && hasOurForm(id) && time >= (from ?? '') && time <= (to ?? '') ? [id] : [];
        });
        for (const id of ids.sort().slice(-MOST)) {
          const session = { store, id };
          const first = await this.#firstId(session);
          if (first !== null) found.set(first, [...(found.get(first) ?? []), session]);
        }
        return found;
      },
      'It could not be told whether the session was made already',
      'No session was made. Try again.',
    );
  }

  /** Id of the first message; null when a session begins with none of the person's, or cannot be read. */
  async #firstId(session: SessionRef): Promise<string | null> {
    const path = await this.#files(session).path('transcript');
    if ((await statusOrNull(this.#fileSystem, path))?.isFile() !== true) return null;
    try {
      const handle = await this.#fileSystem.open(path, 'r');
      try {
        const [, text] = beginning.exec((await readExactly(handle, 0, HEAD_BYTES)).toString('utf8')) ?? [];
        if (text === undefined) return null;
        const id = String(JSON.parse(text));
        // What was told with the person's first message stands before it.
        return toldWith(id)?.messageId ?? id;
      } finally {
        await closeQuietly(handle);
      }
    } catch (error) {
      // Gone meanwhile, or not to be read by us: then it is not a session that could be gone on with.
      if (isMissing(error) || ['EACCES', 'EPERM'].includes(systemCode(error) ?? '') || error instanceof SyntaxError) {
        return null;
      }
      throw error;
    }
  }

  /** Whether a session is there, and is no copy: copies keep the ids of their messages. */
  async #isIt(session: SessionRef): Promise<boolean> {
    const files = this.#files(session);
    if ((await statusOrNull(this.#fileSystem, await files.path('transcript'))) === null) return false;
    if ((await statusOrNull(this.#fileSystem, await files.path('cleanup-pending'))) !== null) return false;
    const { meta } = await readStoredMeta(this.#fileSystem, await files.path('meta'));
    return meta !== null && meta.fork_message_index === undefined;
  }

  #files({ store, id }: SessionRef): SessionFiles {
    return new SessionFiles(this.#fileSystem, this.#stores.get(store), id);
  }
}
