import type { TreeEvent, WatchedTree } from './watched-tree.ts';

/** Time and timers, so that recorded traces can be replayed without waiting. */
export type Clock = {
  /** Milliseconds on a clock that never jumps. */
  now(): number;
  /** Runs `callback` once after `delay` ms; the result cancels it. */
  after(delay: number, callback: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (delay, callback) => {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};

/**
 * Pauses between batches, in ms: a lone change and the one right behind it (truncate, then write) go out fast, a storm
 * settles at ten batches a second.
 */
const pauses = [20, 40, 100] as const;
const stormPause = pauses[pauses.length - 1] ?? 100;

/** After this many quiet ms the short pauses apply again. */
const calm = 500;

/**
 * How long after an event its file is looked at once more. It outlasts the gap of a save by delete and create, and the
 * coarsest clock tick of a file system on which two writes could look alike.
 */
export const settleTime = 100;

/** A file that never settles is looked at again at least this often, in ms. */
const settleLimit = 500;

/** So many hints may wait before those that one wider hint can stand for give way to it. */
const crowd = 500;

type Pending<Hint> = { hint: Hint; due: number; deadline: number };

/** What the queue has to know of the hints. */
export type HintLanguage<Hint> = Pick<WatchedTree<Hint>, 'hintsFor' | 'keyOf' | 'widened' | 'joined'>;

/**
 * Coalesces events into batches of hints, with a leading and a trailing edge. An event that proves a file present is
 * passed on at once; one that may be half of a replacement waits {@link settleTime} for its other half. After every
 * event, one look follows when things have settled: the last state is never missed.
 */
export class HintQueue<Hint> {
  readonly #language: HintLanguage<Hint>;
  readonly #deliver: (hints: Hint[]) => void;
  readonly #clock: Clock;
  readonly #urgent = new Map<string, Hint>();
  readonly #settling = new Map<string, Pending<Hint>>();
  #lastBatch = Number.NEGATIVE_INFINITY;
  #rapid = 0;
  #cancelTimer: (() => void) | null = null;
  #timerDue = Number.POSITIVE_INFINITY;
  #disposed = false;

  /** @param deliver Gets each batch; never an empty one, never the same hint twice in one. */
  constructor(language: HintLanguage<Hint>, deliver: (hints: Hint[]) => void, clock: Clock = systemClock) {
    this.#language = language;
    this.#deliver = deliver;
    this.#clock = clock;
  }

  push(event: TreeEvent): void {
    const present = event.kind === 'add' || event.kind === 'change';
    for (const found of this.#language.hintsFor(event)) {
      const hint = this.#widenedInACrowd(found);
      if (present) this.#urgent.set(this.#language.keyOf(hint), hint);
      this.#settleLater(hint);
    }
    this.#schedule();
  }

  /** Queues a hint that does not come from an event. */
  pushHint(hint: Hint): void {
    this.#urgent.set(this.#language.keyOf(hint), hint);
    this.#schedule();
  }

  /** Drops what is queued and stops; nothing is delivered afterwards. */
  dispose(): void {
    this.#disposed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#urgent.clear();
    this.#settling.clear();
  }

  /** Keeps the queue small, whatever happens to how many files: in a crowd, the wider hint takes the place of its like. */
  #widenedInACrowd(hint: Hint): Hint {
    const { keyOf, widened } = this.#language;
    const wider = widened(hint);
    if (wider === null) return hint;
    const widerKey = keyOf(wider);
    if (this.#settling.has(widerKey)) return wider;
    if (this.#settling.size < crowd) return hint;
    const isCovered = (other: Hint): boolean => {
      const alike = widened(other);
      return alike !== null && keyOf(alike) === widerKey;
    };
    for (const [key, other] of this.#urgent) {
      if (!isCovered(other)) continue;
      this.#urgent.delete(key);
      this.#urgent.set(widerKey, wider);
    }
    for (const [key, { hint: other }] of this.#settling) if (isCovered(other)) this.#settling.delete(key);
    return wider;
  }

  #settleLater(hint: Hint): void {
    const key = this.#language.keyOf(hint);
    const now = this.#clock.now();
    const deadline = this.#settling.get(key)?.deadline ?? now + settleLimit;
    this.#settling.set(key, { hint, due: Math.min(now + settleTime, deadline), deadline });
  }

  #schedule(): void {
    if (this.#disposed) return;
    const wanted = this.#nextDue();
    if (wanted === Number.POSITIVE_INFINITY) return;
    const now = this.#clock.now();
    const due = Math.max(wanted, this.#earliestBatch(now));
    if (due <= now) {
      this.#flush(now);
      return;
    }
    if (this.#cancelTimer !== null && this.#timerDue <= due) return;
    this.#cancelTimer?.();
    this.#timerDue = due;
    this.#cancelTimer = this.#clock.after(due - now, () => {
      this.#cancelTimer = null;
      this.#timerDue = Number.POSITIVE_INFINITY;
      this.#schedule();
    });
  }

  #nextDue(): number {
    if (this.#urgent.size > 0) return Number.NEGATIVE_INFINITY;
    let due = Number.POSITIVE_INFINITY;
    for (const pending of this.#settling.values()) due = Math.min(due, pending.due);
    return due;
  }

  #earliestBatch(now: number): number {
    if (now - this.#lastBatch >= calm) this.#rapid = 0;
    return this.#lastBatch + (pauses[Math.max(0, this.#rapid - 1)] ?? stormPause);
  }

  #flush(now: number): void {
    const batch = new Map(this.#urgent);
    this.#urgent.clear();
    for (const [key, pending] of this.#settling) {
      if (pending.due > now) continue;
      this.#settling.delete(key);
      batch.set(key, pending.hint);
    }
    this.#rapid += 1;
    this.#lastBatch = now;
    this.#deliver(this.#language.joined([...batch.values()]));
    this.#schedule();
  }
}
