import { dirname } from 'node:path';
import type { SessionHolder } from '../../contract/session-entities.ts';
import { type FileStatus, identityOf, ioFailure, isFresh, isMissing, linkFailure } from '../../files/index.ts';
import type { ArtifactKind } from '../artifacts.ts';
import { isLocal } from '../catalog/disk.ts';
import type { SessionFiles } from '../session-files.ts';
import { deletedSession, foreignSession, heldSession, RECORD_FAILED, SESSION_KEPT } from './failures.ts';

/** Says who else has a session open; null when nobody has. */
export type FindHolder = (files: SessionFiles) => Promise<SessionHolder | null>;

/** Files whose locks can be taken without a change of any name. */
const lockKinds = ['lock', 'lease-lock', 'lease-info'] as const satisfies readonly ArtifactKind[];

/** What a folder is by its status; equal as long as no name in it came, went or changed. */
interface FolderMark {
  readonly ino: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/**
 * Whether a session may be written to, asked before each write: it is there, it is not being deleted, and nobody else has
 * it open. As long as no name in its folder changed since the last time, that is one question about the folder.
 */
export class SessionAccess {
  readonly #files: SessionFiles;
  readonly #findHolder: FindHolder;
  readonly #now: () => number;
  #unchanged: FolderMark | null = null;
  #paths: { log: string; folder: string } | null = null;
  #isLocal = false;

  /** @param now In ms since 1970. */
  constructor(files: SessionFiles, findHolder: FindHolder, now: () => number) {
    this.#files = files;
    this.#findHolder = findHolder;
    this.#now = now;
  }

  /**
   * @returns Status of the log, as it was after everything else was looked at or in the same moment.
   * @throws Failure `not-found` when it is gone or on its way to the trash, `in-use` when somebody has it open.
   */
  async check(): Promise<FileStatus> {
    const { log, folder } = await this.#locate();
    const [logStatus, folderStatus] = await Promise.all([this.#status(log), this.lstat(folder).catch(() => null)]);
    if (logStatus?.isSymbolicLink()) throw linkFailure();
    if (!logStatus?.isFile()) {
      await this.#look();
      // It is there, but has no log: then it was not made here.
      throw foreignSession();
    }
    if (folderStatus !== null && this.#isUnchanged(folderStatus)) return logStatus;
    this.#unchanged = null;
    const locks = await this.#look();
    // A lock file can be locked at any time without a trace in the folder; and a folder's clock moves in steps.
    const isSettled = folderStatus !== null && !locks && !isFresh(identityOf(folderStatus), this.#now());
    if (isSettled) this.#unchanged = folderStatus;
    return logStatus;
  }

  /** Status of a file of the session's folder, as fast as its disk allows. @throws errors of the system. */
  async lstat(path: string): Promise<FileStatus> {
    const { fileSystem } = this.#files;
    return this.#isLocal && fileSystem.lstatNow ? fileSystem.lstatNow(path) : fileSystem.lstat(path);
  }

  /** Asks everything anew the next time. */
  forget(): void {
    this.#unchanged = null;
  }

  /** @returns Whether lock files are there. */
  async #look(): Promise<boolean> {
    const [transcript, marker, ...locks] = await Promise.all([
      this.#statusOf('transcript'),
      this.#statusOf('cleanup-pending'),
      ...lockKinds.map((kind) => this.#statusOf(kind)),
    ]);
    // A log without its transcript is none that anybody could open: it is on its way to the trash, or back.
    if (transcript === null || marker !== null) throw deletedSession();
    const areThere = locks.some((status) => status !== null);
    if (!areThere) return false;
    const holder = await this.#findHolder(this.#files);
    if (holder !== null) throw heldSession(holder);
    return true;
  }

  #isUnchanged({ ino, mtimeNs, ctimeNs }: FileStatus): boolean {
    const known = this.#unchanged;
    return known !== null && known.ino === ino && known.mtimeNs === mtimeNs && known.ctimeNs === ctimeNs;
  }

  async #locate(): Promise<{ log: string; folder: string }> {
    if (this.#paths === null) {
      const log = await this.#files.path('events');
      const folder = dirname(log);
      this.#isLocal = this.#files.fileSystem.lstatNow !== undefined && (await isLocal(folder));
      this.#paths = { log, folder };
    }
    return this.#paths;
  }

  async #statusOf(kind: ArtifactKind): Promise<FileStatus | null> {
    return this.#status(await this.#files.path(kind));
  }

  async #status(path: string): Promise<FileStatus | null> {
    try {
      return await this.lstat(path);
    } catch (error) {
      if (isMissing(error)) return null;
      throw ioFailure(error, RECORD_FAILED, SESSION_KEPT);
    }
  }
}
