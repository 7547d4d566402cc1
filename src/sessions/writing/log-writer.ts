import { Failure } from '../../contract/errors.ts';
import {
  closeQuietly,
  type FileHandle,
  type FileIdentity,
  identityOf,
  ioFailure,
  isMissing,
} from '../../files/index.ts';
import type { SessionFiles } from '../session-files.ts';
import { LINE_CAP, readExactly } from '../transcript/lines.ts';
import type { SessionAccess } from './access.ts';
import { type ComposedRecord, RecordComposer, takeComposed } from './compose.ts';
import { busySession, deletedSession, RECORD_FAILED, SESSION_KEPT, tooLong, uncertain } from './failures.ts';
import { HeldLog, type HeldLogOptions } from './held-log.ts';
import { writeAll } from './log-handle.ts';
import { messageRanges } from './log-record.ts';
import type { LogState, MessagePlace } from './log-state.ts';
import { encodeMessage, type NewMessage } from './message-text.ts';

/** A message that is on the disk. */
export interface Appended {
  /** Position among the rows of the transcript, from 0: messages, and what could not be read. */
  readonly index: number;
  /** Number of rows up to and with it; of one that was there already, of all. */
  readonly total: number;
  /** Revision of the session with it; of one that was there already, the newest. */
  readonly revision: number;
  /** Its stored bytes: one object of JSON. */
  readonly stored: Buffer;
  /** Those of the message before it in the same record; null where it is the first there. */
  readonly before: Buffer | null;
  /** Bytes of its record. */
  readonly bytes: number;
  /** Whether an earlier try had recorded it. */
  readonly repeated: boolean;
}

/** Messages that go into one record, and who waits for it. The id of the last one is that of the whole. */
export interface WaitingMessages {
  readonly messages: readonly NewMessage[];
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

export interface LogWriterOptions extends HeldLogOptions {
  readonly writerId: string;
  /** Told after records are on the disk, in order. */
  readonly onWritten: (records: readonly ComposedRecord[]) => void;
}

/** Most bytes of messages that go out in one write, roughly. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** More than a record takes besides its messages, in bytes. */
const HEAD_BYTES = 2048;
const newline = Buffer.from('\n');

interface Planned {
  readonly waiting: WaitingMessages;
  readonly record: ComposedRecord;
  /** Where its line begins in the file. */
  readonly offset: number;
}

interface Plan {
  readonly planned: readonly Planned[];
  /** What made the records. */
  readonly composer: RecordComposer;
  /** Whose messages are recorded already, or twice among those that wait. */
  readonly repeated: readonly WaitingMessages[];
  readonly bytes: Buffer;
}

/**
 * Adds messages to the log of one session of ours. One write at a time: whatever waits when it begins goes out in it, with
 * one sync, and everyone is answered when the bytes are on the disk.
 */
export class LogWriter {
  readonly #files: SessionFiles;
  readonly #access: SessionAccess;
  readonly #options: LogWriterOptions;
  readonly #log: HeldLog;
  #open: { handle: FileHandle; ino: bigint } | null = null;

  constructor(files: SessionFiles, access: SessionAccess, options: LogWriterOptions) {
    this.#files = files;
    this.#access = access;
    this.#options = options;
    this.#log = new HeldLog(files, access, options);
  }

  /** What is known of the log; null before it was read. */
  get state(): LogState | null {
    return this.#log.state;
  }

  /** Whether its file is open. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  /**
   * Writes what waits, and answers each.
   *
   * @param take Hands over what waits, up to about so many bytes; asked when everything else is ready, so that whoever came
   *   meanwhile is in it.
   */
  async write(take: (bytes: number) => readonly WaitingMessages[]): Promise<void> {
    let batch: readonly WaitingMessages[] | null = null;
    try {
      const state = await this.#log.ready();
      batch = take(BATCH_BYTES);
      await this.#writeBatch(state, batch);
    } catch (error) {
      const failure = ioFailure(error, RECORD_FAILED, SESSION_KEPT);
      for (const { reject } of batch ?? take(Number.POSITIVE_INFINITY)) reject(failure);
    }
  }

  /** Takes over what whoever made the log knows of it; all of it is on the disk. */
  adopt(state: LogState, identity: FileIdentity): void {
    this.#log.hold(state, identity);
    this.#log.isSynced = true;
  }

  /** Lets go of the file; what is known of it is kept, and compared at the next write. */
  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await closeQuietly(open?.handle ?? null);
  }

  /** Forgets what is known of the log: it is read whole before the next write. */
  async forget(): Promise<void> {
    this.#log.forget();
    await this.close();
  }

  async #writeBatch(state: LogState, batch: readonly WaitingMessages[]): Promise<void> {
    const before = this.#log.identity;
    if (before === null) throw busySession();
    const plan = this.#plan(state, batch);
    const handle = await this.#handle(before.ino);
    let after: FileIdentity;
    try {
      after = await this.#put(handle, plan.bytes, before);
    } catch (error) {
      return this.#settleUncertain(error, before, batch);
    }
    for (const { record, offset } of plan.planned) takeComposed(state, record, offset, plan.composer);
    this.#log.hold(state, after);
    this.#log.isSynced = true;
    if (plan.planned.length > 0) this.#options.onWritten(plan.planned.map(({ record }) => record));
    for (const { waiting, record } of plan.planned) waiting.resolve(appended(record));
    await this.#answerRepeated(state, plan.repeated);
  }

  /** The records for what waits. What is recorded already, or waits twice, is not recorded again. */
  #plan(state: LogState, batch: readonly WaitingMessages[]): Plan {
    const planned: Planned[] = [];
    const repeated: WaitingMessages[] = [];
    const ids = new Set<string>();
    const composer = new RecordComposer(state, this.#options.writerId);
    const lines: Buffer[] = state.needsNewline ? [newline] : [];
    let offset = state.size + lines.length;
    for (const waiting of batch) {
      const id = idOf(waiting);
      if (state.placeOf(id) !== undefined || ids.has(id)) {
        repeated.push(waiting);
        continue;
      }
      const messages = waiting.messages.map(encodeMessage);
      if (messages.reduce((size, { bytes }) => size + bytes.length, HEAD_BYTES) > LINE_CAP) {
        waiting.reject(tooLong());
        continue;
      }
      ids.add(id);
      const record = composer.add({ messages }, this.#options.now());
      planned.push({ waiting, record, offset });
      lines.push(record.line);
      offset += record.line.length;
    }
    return { planned, composer, repeated, bytes: planned.length === 0 ? Buffer.alloc(0) : Buffer.concat(lines) };
  }

  /**
   * Puts bytes at the end of the log and on the disk.
   *
   * @returns What the file is then.
   * @throws Elsewhere when what has the name then is not that file with just these bytes more.
   */
  async #put(handle: FileHandle, bytes: Buffer, before: FileIdentity): Promise<FileIdentity> {
    if (bytes.length > 0) await writeAll(handle, bytes, Number(before.size));
    const isNew = bytes.length > 0 || !this.#log.isSynced;
    const path = await this.#files.path('events');
    // The look at the file does not wait for the disk.
    const [status] = await Promise.all([this.#access.lstat(path), isNew ? handle.sync() : undefined]);
    if (status.ino !== before.ino || status.size !== before.size + BigInt(bytes.length)) throw new Elsewhere();
    return identityOf(status);
  }

  async #handle(ino: bigint): Promise<FileHandle> {
    if (this.#open?.ino === ino) return this.#open.handle;
    await this.close();
    const handle = await this.#files.fileSystem.open(await this.#files.path('events'), 'a');
    let isSame = false;
    try {
      isSame = (await handle.stat()).ino === ino;
    } finally {
      if (!isSame) await closeQuietly(handle);
    }
    if (!isSame) throw busySession();
    this.#open = { handle, ino };
    return handle;
  }

  /**
   * After a write or a sync that failed, or beside another program's write: looks at what is there now, through another
   * handle, and answers each by that alone.
   */
  async #settleUncertain(error: unknown, before: FileIdentity, batch: readonly WaitingMessages[]): Promise<void> {
    await this.forget();
    const isElsewhere = error instanceof Elsewhere || isMissing(error);
    // There all bytes were taken and synced: only which file has the name is in question.
    if (!isElsewhere) this.#log.suspect(before);
    let state: LogState;
    try {
      state = await this.#log.certain();
    } catch (second) {
      const isGone = second instanceof Failure && second.code === 'not-found';
      for (const { reject } of batch) reject(isGone ? second : uncertain(error));
      return;
    }
    const isThere = (waiting: WaitingMessages): boolean => state.placeOf(idOf(waiting)) !== undefined;
    const why = isElsewhere ? deletedSession() : ioFailure(error, RECORD_FAILED, SESSION_KEPT);
    for (const waiting of batch) if (!isThere(waiting)) waiting.reject(why);
    this.#options.onWritten([]);
    await this.#answerRepeated(state, batch.filter(isThere));
  }

  /** Answers those whose messages the log already holds. */
  async #answerRepeated(state: LogState, repeated: readonly WaitingMessages[]): Promise<void> {
    for (const waiting of repeated) {
      const place = state.placeOf(idOf(waiting));
      try {
        if (place === undefined) throw busySession();
        waiting.resolve(await this.#read(state, place));
      } catch (error) {
        waiting.reject(ioFailure(error, 'The message is recorded, but could not be read back', 'It is unchanged.'));
      }
    }
  }

  async #read(state: LogState, { index, offset, length, item }: MessagePlace): Promise<Appended> {
    const handle = await this.#files.fileSystem.open(await this.#files.path('events'), 'r');
    try {
      const record = await readExactly(handle, offset, length);
      const ranges = messageRanges(record, 0);
      const [before = null, stored] = [ranges[item - 1], ranges[item]].map(
        (range) => range && record.subarray(range.start, range.end),
      );
      if (stored === undefined) throw busySession();
      const { rows: total, revision } = state;
      return { index, total, revision, stored, before, bytes: length, repeated: true };
    } finally {
      await closeQuietly(handle);
    }
  }
}

/** The file that was written to is not the one that has the name, or others wrote to it in the same moment. */
class Elsewhere extends Error {
  override readonly name = 'Elsewhere';
}

const idOf = ({ messages }: WaitingMessages): string => messages.at(-1)?.id ?? '';

function appended({ line, messages, rows, head }: ComposedRecord): Appended {
  const stored = messages.at(-1)?.bytes ?? Buffer.alloc(0);
  const before = messages.at(-2)?.bytes ?? null;
  const { revision } = head;
  return { index: rows - 1, total: rows, revision, stored, before, bytes: line.length - 1, repeated: false };
}
