import type { WatcherStatus } from '../contract/entities.ts';

/** From best to worst. */
const order: readonly WatcherStatus['state'][] = ['watching', 'starting', 'polling', 'degraded', 'stopped'];

/** One status for several watchers: that of the one which is worst off, with its reason. */
export class WatcherStatuses {
  readonly #onStatus: (status: WatcherStatus) => void;
  readonly #parts: WatcherStatus[] = [];
  #status: WatcherStatus = { sequence: 0, state: 'starting', reason: null };

  /** @param onStatus Gets each new status; `sequence` grows by one with each. */
  constructor(onStatus: (status: WatcherStatus) => void) {
    this.#onStatus = onStatus;
  }

  get status(): WatcherStatus {
    return this.#status;
  }

  /** Adds a watcher, as starting. @returns what gets its statuses. */
  part(): (status: WatcherStatus) => void {
    const place = this.#parts.length;
    this.#parts.push({ sequence: 0, state: 'starting', reason: null });
    return (status) => {
      this.#parts[place] = status;
      this.#publish();
    };
  }

  #publish(): void {
    const [worst] = [...this.#parts].sort((left, right) => badness(right) - badness(left));
    if (worst === undefined) return;
    const { state, reason } = worst;
    if (state === this.#status.state && reason === this.#status.reason) return;
    this.#status = { sequence: this.#status.sequence + 1, state, reason };
    this.#onStatus(this.#status);
  }
}

/** Among two of the same state, the one that has something to say. */
const badness = ({ state, reason }: WatcherStatus): number => 2 * order.indexOf(state) + (reason === null ? 0 : 1);
