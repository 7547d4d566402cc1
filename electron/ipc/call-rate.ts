/** Calls that a window may make at once after a quiet moment. */
const BURST = 1000;
/** Calls a second that it may go on making. */
const SUSTAINED = 300;

/** How fast each window calls: far above what a person can cause, far below what would starve the other window. */
export class CallRate {
  readonly #now: () => number;
  readonly #windows = new Map<number, { credit: number; at: number }>();

  /** @param now A clock in ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a call; false when this window has made too many. */
  allow(contentsId: number): boolean {
    const now = this.#now();
    const window = this.#windows.get(contentsId) ?? { credit: BURST, at: now };
    const credit = Math.min(BURST, window.credit + ((now - window.at) / 1000) * SUSTAINED);
    const allowed = credit >= 1;
    this.#windows.set(contentsId, { credit: allowed ? credit - 1 : credit, at: now });
    return allowed;
  }
}
