import type { StoreKey } from '../../contract/entities.ts';
import { Failure } from '../../contract/errors.ts';
import { type SessionRef, sessionKey } from '../../contract/identifiers.ts';
import type { Entries } from './entries.ts';

export interface DeletedSessionsOptions {
  entries: Entries;
  /** Which of these sessions were deleted here and not brought back. @throws Failure when the trash cannot be read. */
  deletedAmong: (store: StoreKey, ids: ReadonlySet<string>) => Promise<ReadonlySet<string>>;
  report: (where: string, error: unknown) => void;
}

type Named = Readonly<{ id: string }>;

/** Asks the trash which sessions of the list were deleted: whatever there is of them was written since. */
export class DeletedSessions {
  readonly #options: DeletedSessionsOptions;
  /** Stores of which it was asked for all sessions once. */
  readonly #asked = new Set<StoreKey>();
  /** Keys of sessions for which it could not be asked. */
  readonly #unasked = new Set<string>();

  constructor(options: DeletedSessionsOptions) {
    this.#options = options;
  }

  /**
   * At the first look at a store: what was remembered may have been deleted by an earlier run just before that ended.
   *
   * @returns The deleted ones of all its sessions; null at later looks, and when the trash cannot be asked.
   */
  async ofStore(store: StoreKey, sessions: readonly Named[]): Promise<ReadonlySet<string> | null> {
    if (this.#asked.has(store)) return null;
    const deleted = await this.#among(store, sessions);
    if (deleted !== null) this.#asked.add(store);
    return deleted;
  }

  /**
   * Notes which of these sessions were deleted. To be called after they were looked at: what was written later than a delete
   * is then found with the delete.
   *
   * @param known The deleted ones, where they are known; null to ask for the sessions that are new to the list.
   */
  async note(store: StoreKey, sessions: readonly Named[], known: ReadonlySet<string> | null): Promise<void> {
    const asked = known === null ? sessions.filter(({ id }) => this.#isDoubted({ store, id })) : sessions;
    const deleted = known ?? (await this.#among(store, asked));
    if (deleted === null) return;
    for (const { id } of asked) this.#options.entries.setDeleted({ store, id }, deleted.has(id));
  }

  /** Whether a session is new, or what is known of it may not hold any more. */
  #isDoubted(session: SessionRef): boolean {
    const entry = this.#options.entries.get(session);
    if (entry === undefined || entry.wasDeleted) return true;
    return this.#unasked.size > 0 && this.#unasked.has(entry.key);
  }

  /** Null when the trash cannot be asked: the sessions are shown all the same, and it is asked for them again. */
  async #among(store: StoreKey, sessions: readonly Named[]): Promise<ReadonlySet<string> | null> {
    if (sessions.length === 0) return new Set();
    const keys = (): string[] => sessions.map(({ id }) => sessionKey({ store, id }));
    try {
      const deleted = await this.#options.deletedAmong(store, new Set(sessions.map(({ id }) => id)));
      if (this.#unasked.size > 0) for (const key of keys()) this.#unasked.delete(key);
      return deleted;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#options.report('asking the trash which sessions were deleted', error);
      for (const key of keys()) this.#unasked.add(key);
      return null;
    }
  }
}
