import { dirname } from 'node:path';
import { Failure } from '../../contract/errors.ts';
import {
  closeQuietly,
  createDurably,
  FILE_MODE,
  type FileHandle,
  type FileIdentity,
  guard,
  identityOf,
  isMissing,
  makeFolderDurably,
  removeDurably,
  removeTemporary,
  syncFolder,
  systemCode,
  temporaryPath,
} from '../../files/index.ts';
import type { JsonObject } from '../../files/json.ts';
import type { SessionFiles } from '../session-files.ts';
import { LINE_CAP } from '../transcript/lines.ts';
import { removeTree } from '../trash-files.ts';
import { RecordComposer, takeComposed } from './compose.ts';
import { eventIndex, type Ledger, withLedger } from './ledger.ts';
import { writeAll } from './log-handle.ts';
import { LogState } from './log-state.ts';
import type { EncodedMessage } from './message-text.ts';
import { encodeMeta } from './meta-writer.ts';

/** Most bytes of messages that are put into one record; a longer message has one of its own. */
const RECORD_BYTES = 1024 * 1024;
const MAKING_FAILED = 'The session could not be made';
const NOTHING_LEFT = 'Nothing of it was kept.';
const LF = Buffer.from('\n');

/** A session that is whole on the disk, and what its next writer has to know. */
export interface MadeSession {
  readonly state: LogState;
  readonly log: FileIdentity;
  readonly transcript: FileIdentity;
  readonly meta: JsonObject;
}

export interface NewSession {
  readonly files: SessionFiles;
  readonly writerId: string;
  /** In ms since 1970. */
  readonly now: () => number;
  readonly reason: 'create' | 'fork' | 'import';
  /** Fields of the meta file besides those of the ledger. */
  readonly meta: JsonObject;
  /** Stored messages, one object of JSON each; they are streamed. */
  readonly messages: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Added to the meta file once all messages are known. */
  readonly metaOf?: (state: LogState) => JsonObject;
  /** Adds what else belongs to it once all messages are known; `onMade` is told of each file or folder before it is made. */
  readonly addMore?: (files: SessionFiles, state: LogState, onMade: (path: string) => void) => Promise<void>;
  /** Whether the half-made files are marked, so that a start after a crash removes them; for what may take long. */
  readonly marked: boolean;
}

/**
 * Makes a session: its log first, its transcript last, so that it is listed only when all of it is on the disk. What fails
 * leaves nothing behind; a crash leaves nothing that is listed.
 *
 * @returns `taken` when the id has files already; they are untouched.
 */
export async function makeSession(session: NewSession): Promise<MadeSession | 'taken'> {
  const { files } = session;
  await makeFolderDurably(files.fileSystem, await files.store.root.path());
  if ((await files.existing()).length > 0) return 'taken';
  return guard(() => new Making(session).run(), MAKING_FAILED, NOTHING_LEFT);
}

class Making {
  readonly #session: NewSession;
  /** What was made so far, in the order in which it is removed should the rest fail. */
  readonly #made: string[] = [];
  readonly #folders: string[] = [];
  /** The transcript before it has its name: first to come and last to go, since it tells that the rest is a half. */
  #unnamed: string | null = null;

  constructor(session: NewSession) {
    this.#session = session;
  }

  async run(): Promise<MadeSession | 'taken'> {
    const { files, marked } = this.#session;
    const { fileSystem } = files;
    const marker = await files.path('cleanup-pending');
    if (marked && !(await this.#mark(marker))) return 'taken';
    try {
      const made = await this.#make();
      if (made !== 'taken' && marked) await removeDurably(fileSystem, marker);
      if (made === 'taken') await this.#undo(marker);
      return made;
    } catch (error) {
      await this.#undo(marker);
      throw error;
    }
  }

  async #mark(path: string): Promise<boolean> {
    const { files, now } = this.#session;
    const bytes = Buffer.from(`${JSON.stringify({ operation: 'fork', createdAt: now() })}\n`);
    return (await createDurably(files.fileSystem, path, bytes)) !== 'taken';
  }

  async #make(): Promise<MadeSession | 'taken'> {
    const { files } = this.#session;
    const { fileSystem } = files;
    const log = await files.path('events');
    const transcript = await files.path('transcript');
    const temporary = temporaryPath(transcript);
    const written = await this.#writeMessages(log, temporary);
    if (written === 'taken') return 'taken';
    await this.#session.addMore?.(files, written.state, (path) => this.#folders.push(path));
    const meta = await this.#writeDetails(written.state);
    const folder = dirname(log);
    await syncFolder(fileSystem, folder);
    if (!(await isFree(files, transcript))) return 'taken';
    this.#made.unshift(transcript);
    await fileSystem.rename(temporary, transcript);
    await syncFolder(fileSystem, folder);
    const [logStatus, transcriptStatus] = await Promise.all([fileSystem.lstat(log), fileSystem.lstat(transcript)]);
    return { state: written.state, meta, log: identityOf(logStatus), transcript: identityOf(transcriptStatus) };
  }

  async #writeMessages(log: string, transcript: string): Promise<{ state: LogState } | 'taken'> {
    const transcriptHandle = await this.#session.files.fileSystem.open(transcript, 'wx', FILE_MODE);
    this.#unnamed = transcript;
    try {
      const logHandle = await this.#open(log);
      if (logHandle === 'taken') return 'taken';
      try {
        const state = await this.#stream(logHandle, transcriptHandle);
        await Promise.all([logHandle.sync(), transcriptHandle.sync()]);
        return { state };
      } finally {
        await closeQuietly(logHandle);
      }
    } finally {
      await closeQuietly(transcriptHandle);
    }
  }

  async #stream(log: FileHandle, transcript: FileHandle): Promise<LogState> {
    const { messages, writerId, reason, now } = this.#session;
    const state = new LogState();
    const composer = new RecordComposer(state, writerId);
    let batch: EncodedMessage[] = [];
    let bytes = 0;
    let textBytes = 0;
    const write = async (): Promise<void> => {
      const isFirst = state.records === 0;
      const record = composer.add({ messages: batch, ...(isFirst ? { type: 'replace', reason } : {}) }, now());
      await writeAll(log, record.line, state.size);
      const text = Buffer.concat(batch.flatMap((message) => [message.bytes, LF]));
      await writeAll(transcript, text, textBytes);
      textBytes += text.length;
      takeComposed(state, record, state.size, composer);
      batch = [];
      bytes = 0;
    };
    for await (const message of messages) {
      const stored = checkedMessage(message);
      if (batch.length > 0 && bytes + stored.bytes.length > RECORD_BYTES) await write();
      batch.push(stored);
      bytes += stored.bytes.length;
    }
    if (batch.length > 0 || state.records === 0) await write();
    return state;
  }

  async #writeDetails(state: LogState): Promise<JsonObject> {
    const { files, meta, metaOf, writerId, now } = this.#session;
    const ledger: Ledger = {
      id: files.id,
      revision: state.revision,
      digest: state.digest,
      writerId,
      count: state.count,
      turns: state.turns,
      preview: state.preview,
      logSize: state.size,
      at: state.lastAt ?? now(),
    };
    const fields = { ...meta, ...metaOf?.(state) };
    const whole = withLedger(fields, ledger) ?? fields;
    await this.#writeNew(await files.path('meta'), encodeMeta(whole));
    await this.#writeNew(await files.path('event-index'), eventIndex(ledger));
    return whole;
  }

  async #writeNew(path: string, bytes: Buffer): Promise<void> {
    const handle = await this.#open(path);
    if (handle === 'taken') throw Object.assign(new Error('somebody made the same file'), { code: 'EEXIST' });
    try {
      await writeAll(handle, bytes, 0);
      await handle.sync();
    } finally {
      await closeQuietly(handle);
    }
  }

  /** Makes a file that must be new. */
  async #open(path: string): Promise<FileHandle | 'taken'> {
    try {
      const handle = await this.#session.files.fileSystem.open(path, 'wx', FILE_MODE);
      this.#made.push(path);
      return handle;
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return 'taken';
      throw error;
    }
  }

  async #removeFolder(path: string): Promise<void> {
    try {
      await removeTree(this.#session.files.fileSystem, path);
    } catch (error) {
      // The marker stays then, and the next start tries it again; the first error matters more.
      if (systemCode(error) === null) throw error;
    }
  }

  /** Removes what was made; what tells that it is a half, and the marker, last and only if nothing else is left. */
  async #undo(marker: string): Promise<void> {
    const { files, marked } = this.#session;
    for (const path of this.#made) await removeTemporary(files.fileSystem, path);
    for (const path of this.#folders) await this.#removeFolder(path);
    for (const path of [...this.#made, ...this.#folders]) if (!(await isFree(files, path))) return;
    if (this.#unnamed !== null) {
      await removeTemporary(files.fileSystem, this.#unnamed);
      if (!(await isFree(files, this.#unnamed))) return;
    }
    if (!marked) return;
    await removeTemporary(files.fileSystem, marker);
  }
}

async function isFree({ fileSystem }: SessionFiles, path: string): Promise<boolean> {
  try {
    await fileSystem.lstat(path);
    return false;
  } catch (error) {
    return isMissing(error);
  }
}

/** A message as it may stand in a line: one object of JSON, on one line. */
function checkedMessage(message: Uint8Array): EncodedMessage {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw notCopied(error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notCopied();
  if (bytes.length > LINE_CAP - 1024) throw notCopied();
  // A line break can only stand between the parts of an object: within a text it is escaped.
  const isOneLine = !bytes.includes(0x0a) && !bytes.includes(0x0d);
  const line = isOneLine ? bytes : bytes.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte));
  return { bytes: Buffer.from(line), value };
}

function notCopied(cause?: unknown): Failure {
  return new Failure(
    'malformed',
    'A message of the session cannot be copied: it is damaged or too large. No copy was made, and the session is unchanged. Copy a shorter part of it.',
    { cause },
  );
}
