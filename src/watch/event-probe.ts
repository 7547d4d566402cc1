import type { FolderChanges } from './root-identity.ts';
import type { TreeEvent } from './watched-tree.ts';

/**
 * Finds out, without writing anything, that events do not arrive: entries of a folder changed, and nobody said so. It
 * compares the times of the top folders with the events seen; an event gets one more round to arrive.
 */
export class EventProbe {
  #last: FolderChanges = {};
  readonly #noticed = new Set<string>();
  readonly #suspected = new Set<string>();

  /** Takes note of an event. */
  saw({ segments }: TreeEvent): void {
    const [folder] = segments;
    if (segments.length === 1) this.#noticed.add('root');
    if (segments.length === 2 && folder !== undefined && folder !== 'root') this.#noticed.add(folder);
  }

  /** Forgets everything, when a watch starts anew. */
  reset(): void {
    this.#last = {};
    this.#suspected.clear();
  }

  /** To be called about once a second. @returns whether a change stayed unannounced since the round before. */
  round(changes: FolderChanges): boolean {
    const silent = Object.keys(changes).filter((folder) => this.#judge(folder, changes));
    this.#last = changes;
    this.#noticed.clear();
    return silent.length > 0;
  }

  #judge(folder: string, changes: FolderChanges): boolean {
    const before = this.#last[folder] ?? null;
    const after = changes[folder] ?? null;
    if (this.#noticed.has(folder) || before === null || after === null) {
      this.#suspected.delete(folder);
      return false;
    }
    if (this.#suspected.delete(folder)) return true;
    if (before !== after) this.#suspected.add(folder);
    return false;
  }
}
