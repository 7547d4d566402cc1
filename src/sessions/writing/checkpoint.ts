import { Failure } from '../../contract/errors.ts';
import { type FileIdentity, identityOf, sameIdentity, systemCode, writeDurably } from '../../files/index.ts';
import type { SessionFiles } from '../session-files.ts';
import type { SessionAccess } from './access.ts';
import type { ComposedRecord } from './compose.ts';
import { eventIndex, type Ledger, withLedger } from './ledger.ts';
import type { LogState } from './log-state.ts';
import type { MetaWriter } from './meta-writer.ts';
import { addToTranscript, catchUpTranscript } from './transcript-copy.ts';

/** How long after a record the files beside the log follow, in ms: with the time that takes, within a second. */
export const CHECKPOINT_DELAY = 400;
/** Longest pause before a checkpoint that failed is tried again, in ms. */
const LONGEST_PAUSE = 60_000;
/** Most bytes of messages that wait in memory; beyond them they are read from the log again. */
const MOST_WAITING = 16 * 1024 * 1024;

export interface CheckpointOptions {
  readonly writerId: string;
  /** In ms since 1970. */
  readonly now: () => number;
  readonly metas: MetaWriter;
  /** What is known of the log now. */
  readonly state: () => LogState | null;
  /** Told of what went wrong; it is tried again. */
  readonly report: (where: string, error: unknown) => void;
  /** Told when the files beside the log are up to it. */
  readonly onDone?: () => void;
  readonly delay?: number;
}

/**
 * Brings the files beside a log up to it, some time after records were written: the transcript, then the ledger in the
 * meta file, then the event index (docs/formats/session-format.md, section 10). What a crash takes of that is made good
 * when the log is next written to.
 */
export class Checkpoint {
  readonly #files: SessionFiles;
  readonly #access: SessionAccess;
  readonly #options: CheckpointOptions;
  /** Messages that the transcript lacks, if it is as it was left; else null: then it is compared with the log. */
  #waiting: Buffer[] | null = null;
  #waitingBytes = 0;
  #transcript: FileIdentity | null = null;
  #isDue = false;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #failures = 0;

  constructor(files: SessionFiles, access: SessionAccess, options: CheckpointOptions) {
    this.#files = files;
    this.#access = access;
    this.#options = options;
  }

  /** Whether something waits to be written beside the log. */
  get isDue(): boolean {
    return this.#isDue || this.#running !== null;
  }

  /** Takes note of records that were written. */
  note(records: readonly ComposedRecord[]): void {
    for (const { messages } of records) for (const { bytes } of messages) this.#keep(bytes);
    this.#isDue = true;
    this.#schedule(this.#options.delay ?? CHECKPOINT_DELAY);
  }

  /** Takes over a transcript that is up to its log. */
  adopt(transcript: FileIdentity): void {
    this.#transcript = transcript;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  /** The log was read anew: the transcript has to be compared with it. */
  forget(): void {
    this.#transcript = null;
    this.#waiting = null;
    this.#waitingBytes = 0;
  }

  /** Writes what waits now. What fails is reported, and tried again later. */
  async flush(): Promise<void> {
    this.#stop();
    while (this.#running !== null) await this.#running;
    if (!this.#isDue) return;
    this.#running = this.#run();
    await this.#running;
  }

  /** Writes what waits, once, and ends. */
  async dispose(): Promise<void> {
    await this.flush();
    this.#stop();
    this.#isDue = false;
  }

  #keep(message: Buffer): void {
    if (this.#waiting === null) return;
    this.#waitingBytes += message.length;
    if (this.#waitingBytes > MOST_WAITING) this.forget();
    else this.#waiting.push(message);
  }

  #schedule(delay: number): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, delay);
    this.#timer.unref();
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #run(): Promise<void> {
    try {
      await this.#write();
      this.#failures = 0;
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#running = null;
    }
  }

  #failed(error: unknown): void {
    this.forget();
    const code = error instanceof Failure ? error.code : null;
    // It is gone, or somebody else looks after it now: nothing is left to be done here.
    if (code === 'not-found' || code === 'in-use') return;
    this.#isDue = true;
    this.#schedule(Math.min(LONGEST_PAUSE, 1000 * 2 ** this.#failures++));
    this.#options.report('bringing the files of a session up to its log', error);
  }

  async #write(): Promise<void> {
    const state = this.#options.state();
    this.#isDue = false;
    if (state === null) return;
    const ledger = this.#ledgerOf(state);
    const { fileSystem } = this.#files;
    await this.#access.check();
    await this.#writeTranscript(state);
    await this.#access.check();
    await this.#options.metas.update(await this.#files.path('meta'), (meta) => withLedger(meta, ledger));
    await this.#access.check();
    await writeDurably(fileSystem, await this.#files.path('event-index'), eventIndex(ledger));
    this.#options.onDone?.();
  }

  #ledgerOf(state: LogState): Ledger {
    const { revision, digest, count, turns, preview, goodEnd, lastAt } = state;
    const { writerId, now } = this.#options;
    const at = lastAt ?? now();
    return { id: this.#files.id, revision, digest, writerId, count, turns, preview, logSize: goodEnd, at };
  }

  async #writeTranscript(state: LogState): Promise<void> {
    const { fileSystem } = this.#files;
    const path = await this.#files.path('transcript');
    const log = await this.#files.path('events');
    // In one moment: what is written to the log from here on waits for the next time, all of it.
    const range = { from: state.base, to: state.goodEnd };
    const known = this.#transcript;
    const waiting = this.#waiting;
    this.#transcript = null;
    // While the log is being read anew nobody can say what the transcript will lack.
    this.#waiting = this.#options.state() === state ? [] : null;
    this.#waitingBytes = 0;
    if (known !== null && waiting !== null) {
      const added = await addToTranscript(fileSystem, path, known, waiting);
      if (added !== 'changed') {
        this.#transcript = added;
        return;
      }
    }
    const caughtUp = await catchUpTranscript(fileSystem, path, log, range);
    if (typeof caughtUp === 'object') this.#transcript = await this.#confirmed(path, caughtUp);
    else if (caughtUp === 'foreign')
      this.#options.report('leaving a transcript alone that its log does not explain', null);
  }

  /** The identity, if what has the name is that file. */
  async #confirmed(path: string, identity: FileIdentity): Promise<FileIdentity | null> {
    try {
      return sameIdentity(identityOf(await this.#files.fileSystem.lstat(path)), identity) ? identity : null;
    } catch (error) {
      // It is compared again the next time.
      if (systemCode(error) === null) throw error;
      return null;
    }
  }
}
