import type { CatalogState, StoreKey } from '../../contract/entities.ts';
import { retryPauses } from './pauses.ts';

export interface ScanStateOptions {
  /** Everything was looked at for the first time, with success. */
  onFirst: () => void;
  onState: () => void;
  /** Time to try again what failed. */
  onRetry: () => void;
}

/** What the looks at everything came to, and when to try again. */
export class ScanState {
  readonly #options: ScanStateOptions;
  #value: Pick<CatalogState, 'state' | 'reason'> = { state: 'loading', reason: null };
  #hadFolder = false;
  #hadFirst = false;
  #failures = 0;
  #retry: NodeJS.Timeout | null = null;
  #isDisposed = false;
  readonly #first = Promise.withResolvers<void>();

  constructor(options: ScanStateOptions) {
    this.#options = options;
  }

  get value(): Pick<CatalogState, 'state' | 'reason'> {
    return this.#value;
  }

  get isLoading(): boolean {
    return this.#value.state === 'loading';
  }

  /** Resolves when everything was looked at once, or could not be. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  /** There are or were sessions: should no folder be there any more, that is no empty list. */
  hadSessions(): void {
    this.#hadFolder = true;
  }

  /** @param found How many folders of sessions are there. @param unread Why others could not be looked at. */
  finish(found: number, unread: ReadonlyMap<StoreKey, string>): void {
    this.#hadFolder ||= found > 0;
    const [reason] = unread.values();
    if (found === 0 && reason !== undefined) this.fail(reason);
    else if (found === 0 && this.#hadFolder) {
      this.fail('The folder of the sessions is not there any more. If it is on another disk, connect that again.');
    } else {
      const many = unread.size === 1 ? 'One folder of sessions' : `${unread.size} folders of sessions`;
      this.#set('ready', reason === undefined ? null : `${many} could not be looked at. ${reason}`);
      if (reason === undefined) this.#failures = 0;
      else this.#retryLater();
    }
  }

  fail(reason: string): void {
    this.#set('failed', reason);
    this.#retryLater();
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#first.resolve();
  }

  #set(state: CatalogState['state'], reason: string | null): void {
    this.#value = { state, reason };
    if (!this.#hadFirst && state === 'ready') {
      this.#hadFirst = true;
      this.#options.onFirst();
    }
    this.#first.resolve();
    this.#options.onState();
  }

  #retryLater(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    const pause = retryPauses[Math.min(this.#failures++, retryPauses.length - 1)];
    if (this.#isDisposed) return;
    this.#retry = setTimeout(this.#options.onRetry, pause);
    this.#retry.unref();
  }
}
