import type { SessionRef, StoreKey } from '../../contract/entities.ts';
import { Failure } from '../../contract/errors.ts';
import type { FileSystem } from '../../files/index.ts';
import type { JsonObject } from '../../files/json.ts';
import { SessionFiles } from '../session-files.ts';
import { newSessionId } from '../session-id.ts';
import type { SessionStores } from '../session-stores.ts';
import { timeText } from './ledger.ts';
import { encodeMessage, type NewMessage } from './message-text.ts';
import { type MadeSession, makeSession, type NewSession } from './new-session.ts';

/** Ids that are tried until one is free. */
const MAXIMUM_TRIES = 5;

/** Whose a new session is, and where it lies. */
export interface SessionPlace {
  readonly store: StoreKey;
  /** The owner's folder; null where it has none. */
  readonly workspaceRoot: string | null;
  readonly scope: 'project' | 'global';
  readonly title?: string | undefined;
}

export interface CreateInput extends SessionPlace {
  /** Its first messages, recorded with it. */
  readonly messages?: readonly NewMessage[];
  /** The same for every try of one creation. */
  readonly requestId?: string | undefined;
}

/** A session that was made. */
export interface CreatedSession {
  readonly session: SessionRef;
  /** Its meta file's content. */
  readonly meta: JsonObject;
  /** Number of its messages. */
  readonly total: number;
}

/** What all makers of sessions work with. */
export interface Maker {
  readonly fileSystem: FileSystem;
  readonly stores: SessionStores;
  readonly writerId: string;
  /** In ms since 1970. */
  readonly now: () => number;
  /** A new id; for tests. */
  readonly newId?: (now: number) => string;
  /** Whether an id that no file has is not to be used all the same. @throws Failure when that cannot be told. */
  readonly isUsed?: (session: SessionRef) => Promise<boolean>;
}

/** A made session with its files. */
export interface Made {
  readonly files: SessionFiles;
  readonly made: MadeSession;
}

/** Makes a session with its first messages. */
export function createSession(maker: Maker, { messages = [], ...place }: CreateInput): Promise<Made> {
  return makeUnderNewId(maker, place, () => ({
    reason: 'create',
    messages: messages.map((message) => encodeMessage(message).bytes),
    marked: false,
  }));
}

/**
 * Makes a session under an id that nothing has.
 *
 * @param content What it is made of; asked again for each id that is tried.
 */
export async function makeUnderNewId(
  { fileSystem, stores, writerId, now, newId = newSessionId, isUsed }: Maker,
  place: SessionPlace,
  content: () => Pick<NewSession, 'reason' | 'messages' | 'marked' | 'metaOf' | 'addMore'>,
): Promise<Made> {
  for (let attempt = 0; attempt < MAXIMUM_TRIES; attempt++) {
    const at = now();
    const files = new SessionFiles(fileSystem, stores.get(place.store), newId(at));
    if ((await isUsed?.(files.ref)) === true) continue;
    const made = await makeSession({ files, writerId, now, meta: metaOf(files.id, place, at), ...content() });
    if (made !== 'taken') return { files, made };
  }
  throw new Failure('io', 'No free name was found for the session. Nothing was made. Try again.');
}

function metaOf(id: string, { workspaceRoot, scope, title }: SessionPlace, at: number): JsonObject {
  return {
    id,
    created_at: timeText(at),
    updated_at: timeText(at),
    scope,
    ...(workspaceRoot === null ? {} : { workspace_root: workspaceRoot }),
    ...(title === undefined ? {} : { custom_title: title }),
  };
}

/** The answer for a session that was made. */
export const createdSession = ({ files, made }: Made): CreatedSession => ({
  session: files.ref,
  meta: made.meta,
  total: made.state.count,
});
