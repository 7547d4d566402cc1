import type { CallError } from '../../src/contract/index.ts';
import { Store } from './store.ts';

/** One change that did not reach the disk. */
export interface FailedSave {
  /** What the change was about, such as `note:<id>`; a later success with the same subject ends the failure. */
  readonly subject: string;
  /** Whose context it was to change. */
  readonly projectId: string;
  readonly error: CallError;
  /** What the person had typed, to be copied; null for a change without text. */
  readonly text: string | null;
  /** Does the same again; null when doing it again cannot help. */
  readonly retry: (() => void) | null;
  /** Whether it may be done again without being asked for, once what stood in its way is gone. */
  readonly byItself: boolean;
  /** What stood in its way is gone: it can be saved now. */
  readonly ready: boolean;
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

  failed(failure: Omit<FailedSave, 'ready'>): void {
    this.update((state) => ({
      ...state,
      running: state.running - 1,
      failures: [...without(state.failures, failure.subject), { ...failure, ready: false }],
    }));
  }

  /** Ends a call whose outcome something else shows, such as a conflict in the editor; with it what failed before. */
  ended(subject: string): void {
    this.update((state) => ({
      ...state,
      running: state.running - 1,
      failures: without(state.failures, subject),
    }));
  }

  /**
   * The file of an owner can be read again: what failed because it could not is done again once, or can be, where it
   * would send a text that the person may be changing.
   */
  readable(projectId: string): void {
    const waiting = this.get().failures.filter(
      (failure) => failure.projectId === projectId && BY_THE_FILE.includes(failure.error.code) && !failure.ready,
    );
    if (waiting.length === 0) return;
    this.update((state) => ({
      ...state,
      failures: state.failures.map((failure) => (waiting.includes(failure) ? { ...failure, ready: true } : failure)),
    }));
    for (const { byItself, retry } of waiting) if (byItself) retry?.();
  }

  /** Takes a failure off the status line; its text stays wherever it was typed. */
  dismiss(subject: string): void {
    this.update((state) => ({ ...state, failures: without(state.failures, subject) }));
  }
}

/** Failures whose cause is the stored file itself, or another program that holds it. */
const BY_THE_FILE: readonly CallError['code'][] = ['malformed', 'in-use'];

const without = (failures: readonly FailedSave[], subject: string) =>
  failures.some((failure) => failure.subject === subject)
    ? failures.filter((failure) => failure.subject !== subject)
    : failures;
