import type { Backups } from './backups.ts';
import type { Notices } from './notices.ts';
import type { RevertedEntry } from './own-changes.ts';

/** What other programs saved over: it is nowhere else. */
interface Saved {
  readonly bytes: Buffer;
  /** The plan file that it is of; the context file when null. */
  readonly plan: string | null;
  /** Who is told of it; null when nobody is. */
  readonly noticeId: string | null;
}

export interface OverwrittenOptions {
  /** Whether the owner's folder is there; one that was moved away is not made again for this. */
  hasFolder: () => Promise<boolean>;
  backups: Backups;
  notices: Notices;
  /** Told of what went wrong without harming an answer. */
  report: (where: string, error: unknown) => void;
}

/** How many are held that could not be written yet; each costs its bytes. */
const MAXIMUM_HELD = 20;

/**
 * Keeps what other programs saved over among the earlier versions. What the disk does not take, as one that is full, is held
 * as long as the program runs, and tried again; so is what belongs to a folder that is away.
 */
export class Overwritten {
  readonly #options: OverwrittenOptions;
  #held: readonly Saved[] = [];
  /** What each notice of this run is about, so that it can be made again. */
  readonly #reverted = new Map<string, readonly RevertedEntry[]>();

  constructor(options: OverwrittenOptions) {
    this.#options = options;
  }

  async keep(saved: Saved): Promise<void> {
    // Tried twice, as a disk may fail for a moment only.
    if ((await this.#write(saved, true)) || (await this.#write(saved, true))) return;
    this.#held = [...this.#held, saved].slice(-MAXIMUM_HELD);
  }

  /** Takes note of what a notice tells of. */
  remember(noticeId: string, reverted: readonly RevertedEntry[]): void {
    this.#reverted.set(noticeId, reverted);
    const told = new Set(this.#options.notices.all.map((notice) => notice.id));
    for (const id of this.#reverted.keys()) if (!told.has(id)) this.#reverted.delete(id);
  }

  /** The changes that a notice tells of; null when they are not known any more. */
  revertedBy(noticeId: string): readonly RevertedEntry[] | null {
    const isTold = this.#options.notices.all.some((notice) => notice.id === noticeId);
    return (isTold ? this.#reverted.get(noticeId) : undefined) ?? null;
  }

  /** Whether nothing waits to be written. */
  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Tries again to write what is held. */
  async retry(): Promise<void> {
    for (const saved of this.#held) {
      if (!(await this.#write(saved, false))) return;
      this.#held = this.#held.filter((other) => other !== saved);
    }
  }

  async #write({ bytes, plan, noticeId }: Saved, isFirst: boolean): Promise<boolean> {
    const { hasFolder, backups, notices, report } = this.#options;
    try {
      if (!(await hasFolder())) return false;
      const backupId = await backups.save(bytes, 'overwritten', plan ?? undefined);
      if (noticeId !== null) notices.setBackup(noticeId, backupId);
      return true;
    } catch (error) {
      if (isFirst) report('keeping what another program saved over', error);
      return false;
    }
  }
}
