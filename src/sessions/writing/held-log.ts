import { setTimeout as delay } from 'node:timers/promises';
import { closeQuietly, type FileIdentity, type FileStatus, identityOf } from '../../files/index.ts';
import type { SessionFiles } from '../session-files.ts';
import type { SessionAccess } from './access.ts';
import { busySession, deletedSession, foreignSession, newerSession } from './failures.ts';
import { isSameFile, writeAgain } from './log-handle.ts';
import { LogState } from './log-state.ts';
import { repairTail } from './tail-repair.ts';

/** A torn end that was found before a write. */
export interface TailNotice {
  /** Whether it was set aside and cut off; otherwise it stays as a line that is no record. */
  readonly setAside: boolean;
  readonly bytes: number;
}

export interface HeldLogOptions {
  /** In ms since 1970. */
  readonly now: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** A revision that the session had at least, by other files; asked when the log is read whole. */
  readonly floor: () => Promise<number>;
  /** Told when the log was read anew: what was known of it before may not hold. */
  readonly onRead: () => void;
  readonly onTail: (notice: TailNotice) => void;
}

/** How often a log that changes while it is read is read again. */
const STEADY_TRIES = 5;

/**
 * What is known of the log of a session, as long as the file is the one that was read or written last; and what has to be
 * done before anything is added to it: bytes that a failed write left uncertain are made certain, a torn end is repaired.
 */
export class HeldLog {
  readonly #files: SessionFiles;
  readonly #access: SessionAccess;
  readonly #options: HeldLogOptions;
  #held: { state: LogState; identity: FileIdentity } | null = null;
  /** Where bytes begin that a failed write or sync left uncertain. */
  #suspect: { ino: bigint; from: number } | null = null;
  /** Whether everything that is known is on the disk: what was read may only be in memory. */
  isSynced = false;

  constructor(files: SessionFiles, access: SessionAccess, options: HeldLogOptions) {
    this.#files = files;
    this.#access = access;
    this.#options = options;
  }

  /** Null before it was read. */
  get state(): LogState | null {
    return this.#held?.state ?? null;
  }

  get identity(): FileIdentity | null {
    return this.#held?.identity ?? null;
  }

  /** What is known now, of a file that is this one. */
  hold(state: LogState, identity: FileIdentity): void {
    this.#held = { state, identity };
  }

  forget(): void {
    this.#held = null;
  }

  /** A write or sync failed: bytes from here on may or may not be on the disk. */
  suspect(identity: FileIdentity): void {
    const from = Math.min(Number(identity.size), this.#suspect?.from ?? Number.POSITIVE_INFINITY);
    this.#suspect = { ino: identity.ino, from };
  }

  /**
   * Everything up to the point where bytes can be added: allowed, read, certain, repaired.
   *
   * @throws Failure `not-found`, `in-use`, `conflict` (not ours), `newer-version`; errors of the system.
   */
  async ready(): Promise<LogState> {
    for (let attempt = 0; attempt < STEADY_TRIES; attempt++) {
      const state = await this.certain();
      if (!state.torn || (await this.#repair(state))) return state;
    }
    throw busySession();
  }

  /** What the log holds, and all of its whole records on the disk as far as a failed write left them uncertain. */
  async certain(): Promise<LogState> {
    const state = await this.#current(await this.#access.check());
    await this.#confirm(state);
    return state;
  }

  /** What the log holds, given its status a moment ago. */
  async #current(status: FileStatus): Promise<LogState> {
    const held = this.#held;
    if (held !== null && isSameFile(status, held.identity)) return usable(held.state);
    this.#held = null;
    this.isSynced = false;
    this.#options.onRead();
    // Other bytes behind the known ones are all that has to be read.
    const grown = held !== null && held.identity.ino === status.ino && held.identity.size < status.size;
    const state = grown ? held.state : new LogState();
    const identity = await this.#read(state);
    if (!grown) state.revision = Math.max(state.revision, await this.#options.floor());
    this.#held = { state, identity };
    return state;
  }

  async #read(state: LogState): Promise<FileIdentity> {
    const handle = await this.#files.fileSystem.open(await this.#files.path('events'), 'r');
    try {
      for (let attempt = 0; attempt < STEADY_TRIES; attempt++) {
        const before = await handle.stat();
        if (!before.isFile()) throw deletedSession();
        await state.read(handle);
        usable(state);
        const after = await handle.stat();
        if (isSameFile(after, identityOf(before)) && state.size === Number(after.size)) return identityOf(after);
      }
    } finally {
      await closeQuietly(handle);
    }
    throw busySession();
  }

  /** Makes bytes certain that a failed write or sync left behind, or throws. */
  async #confirm(state: LogState): Promise<void> {
    if (this.#suspect === null || this.#held === null) return;
    const { ino, from } = this.#suspect;
    const { identity } = this.#held;
    if (identity.ino === ino && from < state.goodEnd) {
      const path = await this.#files.path('events');
      const written = await writeAgain(this.#files.fileSystem, path, from, state.goodEnd);
      if (written.ino !== ino || written.size !== identity.size) {
        this.#held = null;
        throw busySession();
      }
      // The same bytes, written at another time.
      this.#held = { state, identity: identityOf(written) };
    }
    // What is torn behind them stays suspect: it is ours, so that nobody has to be waited for.
    if (!state.torn) this.#suspect = null;
  }

  /** @returns Whether it is settled what becomes of the torn end; otherwise the log has to be looked at again. */
  async #repair(state: LogState): Promise<boolean> {
    if (this.#held === null) return false;
    const { identity } = this.#held;
    const { now, sleep = delay, onTail } = this.#options;
    const bytes = state.size - state.goodEnd;
    const repaired = await repairTail({
      fileSystem: this.#files.fileSystem,
      log: await this.#files.path('events'),
      damaged: await this.#files.path('events-damaged'),
      identity,
      goodEnd: state.goodEnd,
      own: this.#suspect?.ino === identity.ino && this.#suspect.from <= state.goodEnd,
      now,
      sleep,
    });
    if (repaired.outcome !== 'changed') this.#suspect = null;
    if (repaired.outcome === 'kept') {
      state.leaveTail();
      onTail({ setAside: false, bytes });
      return true;
    }
    this.#held = null;
    if (repaired.outcome === 'cut') onTail({ setAside: true, bytes });
    return false;
  }
}

/** Refuses what nothing may be added to. */
function usable(state: LogState): LogState {
  if (state.newer) throw newerSession();
  if (!state.isOurs || state.other) throw foreignSession();
  return state;
}
