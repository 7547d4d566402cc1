import { Failure } from '../../contract/errors.ts';
import type { SessionFiles } from '../session-files.ts';
import { SessionAccess } from './access.ts';
import { Checkpoint } from './checkpoint.ts';
import { LogWriter, type WaitingMessages } from './log-writer.ts';
import { type MetaWriter, readStoredMeta } from './meta-writer.ts';
import type { MadeSession } from './new-session.ts';
import type { SessionWritersOptions } from './writers.ts';

export interface OpenSessionOptions {
  readonly writerId: string;
  readonly now: () => number;
  readonly metas: MetaWriter;
  readonly options: SessionWritersOptions;
}

/** A session that is being written to: what waits for it, its log, and the files that follow. */
export class OpenSession {
  readonly #files: SessionFiles;
  readonly #access: SessionAccess;
  readonly #writer: LogWriter;
  readonly #checkpoint: Checkpoint;
  #waiting: WaitingMessages[] = [];
  #isWriting = false;
  #usedAt = performance.now();

  constructor(files: SessionFiles, { writerId, now, metas, options }: OpenSessionOptions) {
    const { sleep, report, onWritten, onTail, checkpointDelay } = options;
    const patience = sleep === undefined ? {} : { sleep };
    this.#files = files;
    this.#access = new SessionAccess(files, options.findHolder, now);
    this.#checkpoint = new Checkpoint(files, this.#access, {
      writerId,
      now,
      metas,
      state: () => this.#writer.state,
      report,
      onDone: () => onWritten?.(files.ref),
      ...(checkpointDelay === undefined ? {} : { delay: checkpointDelay }),
    });
    this.#writer = new LogWriter(files, this.#access, {
      writerId,
      now,
      ...patience,
      floor: () => this.#metaRevision(),
      onWritten: (records) => {
        this.#checkpoint.note(records);
        onWritten?.(files.ref);
      },
      onRead: () => this.#checkpoint.forget(),
      onTail: (notice) => onTail?.(files.ref, notice),
    });
  }

  get isOpen(): boolean {
    return this.#writer.isOpen;
  }

  /** When it was last used, by the clock of the process. */
  get usedAt(): number {
    return this.#usedAt;
  }

  /** Whether nothing waits for it and nothing has to be brought up to date. */
  get isIdle(): boolean {
    return !this.#isWriting && this.#waiting.length === 0 && !this.#checkpoint.isDue;
  }

  /** Puts messages into the queue. @returns Whether {@link writeWaiting} has to be called for them. */
  wait(waiting: WaitingMessages): boolean {
    this.#usedAt = performance.now();
    this.#waiting.push(waiting);
    if (this.#isWriting) return false;
    this.#isWriting = true;
    return true;
  }

  /** Writes whatever waits, and what comes meanwhile. */
  async writeWaiting(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.#writer.write((bytes) => this.#take(bytes));
    } finally {
      this.#isWriting = false;
      this.#usedAt = performance.now();
    }
  }

  /** Takes over a session that was just made. */
  adopt({ state, log, transcript }: MadeSession): void {
    this.#writer.adopt(state, log);
    this.#checkpoint.adopt(transcript);
  }

  flush(): Promise<void> {
    return this.#checkpoint.flush();
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  /** Brings the files up to date and lets go of them. */
  async letGo(): Promise<void> {
    await this.#checkpoint.flush();
    await this.forget();
  }

  /** Forgets what is known of the files. */
  async forget(): Promise<void> {
    this.#access.forget();
    this.#checkpoint.forget();
    await this.#writer.forget();
  }

  async dispose(): Promise<void> {
    await this.#checkpoint.dispose();
    await this.#writer.forget();
  }

  /** What waits, up to about so many bytes, one at least. */
  #take(bytes: number): readonly WaitingMessages[] {
    let size = 0;
    let count = 0;
    while (count < this.#waiting.length && (count === 0 || size < bytes)) {
      for (const { content } of this.#waiting[count]?.messages ?? []) size += content.length;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  /** The revision in the meta file, which the next one must be above. */
  async #metaRevision(): Promise<number> {
    try {
      const { meta } = await readStoredMeta(this.#files.fileSystem, await this.#files.path('meta'));
      return typeof meta?.revision === 'number' ? meta.revision : 0;
    } catch (error) {
      // A damaged one tells no revision; that of the log has to do.
      if (!(error instanceof Failure)) throw error;
      return 0;
    }
  }
}
