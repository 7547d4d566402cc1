import type { TreeEvent } from './hints.ts';
import type { FolderChanges } from './root-identity.ts';

/**
 * Finds out, without writing anything, that events do not arrive: entries of a folder changed, and nobody said so. It
 * compares the times of the two top folders with the events seen; an event gets one more round to arrive.
 */
export class EventProbe {
  #last: FolderChanges | null = null;
  readonly #noticed = { root: false, projects: false };
  readonly #suspected = { root: false, projects: false };

  /** Takes note of an event. */
  saw({ segments }: TreeEvent): void {
    if (segments.length === 1) this.#noticed.root = true;
    if (segments.length === 2 && segments[0] === 'projects') this.#noticed.projects = true;
  }

  /** Forgets everything, when a watch starts anew. */
  reset(): void {
    this.#last = null;
    this.#suspected.root = false;
    this.#suspected.projects = false;
  }

  /** To be called about once a second. @returns whether a change stayed unannounced since the round before. */
  round(changes: FolderChanges): boolean {
    const silent = this.#judge('root', changes) || this.#judge('projects', changes);
    this.#last = changes;
    this.#noticed.root = false;
    this.#noticed.projects = false;
    return silent;
  }

  #judge(folder: keyof FolderChanges, changes: FolderChanges): boolean {
    const before = this.#last?.[folder] ?? null;
    const after = changes[folder];
    if (this.#noticed[folder] || before === null || after === null) {
      this.#suspected[folder] = false;
      return false;
    }
    if (this.#suspected[folder]) {
      this.#suspected[folder] = false;
      return true;
    }
    this.#suspected[folder] = before !== after;
    return false;
  }
}
