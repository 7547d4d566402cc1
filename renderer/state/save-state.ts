import type { CallError } from '../../src/contract/index.ts';
import { Store } from './store.ts';

/** One change that did not reach the disk. */
export interface FailedSave {
  /** What the change was about, such as `note:<id>`; a later success with the same subject ends the failure. */
  readonly subject: string;
  readonly error: CallError;
  /** What the person had typed, to be copied; null for a change without text. */
  readonly text: string | null;
  /** Does the same again; null when doing it again cannot help. */
  readonly retry: (() => void) | null;
}

/** What the status line says about saving. */
export interface SaveState {
  readonly running: number;
  /** Milliseconds since 1970 of the last acknowledged change of this window; null before the first. */
  readonly savedAt: number | null;
  readonly failures: readonly FailedSave[];
}

/** The truth about saving in this window. */
export class SaveStateStore extends Store<SaveState> {
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    super({ running: 0, savedAt: null, failures: [] });
    this.#now = now;
  }

  started(): void {
    this.update((state) => ({ ...state, running: state.running + 1 }));
  }

  succeeded(subject: string): void {
    this.update((state) => ({
      running: state.running - 1,
      savedAt: this.#now(),
      failures: without(state.failures, subject),
    }));
  }

  failed(failure: FailedSave): void {
    this.update((state) => ({
      ...state,
      running: state.running - 1,
      failures: [...without(state.failures, failure.subject), failure],
    }));
  }

  /** Ends a call whose outcome something else shows, such as a conflict in the editor. */
  ended(): void {
    this.update((state) => ({ ...state, running: state.running - 1 }));
  }

  /** Takes a failure off the status line; its text stays wherever it was typed. */
  dismiss(subject: string): void {
    this.update((state) => ({ ...state, failures: without(state.failures, subject) }));
  }
}

const without = (failures: readonly FailedSave[], subject: string) =>
  failures.some((failure) => failure.subject === subject)
    ? failures.filter((failure) => failure.subject !== subject)
    : failures;
