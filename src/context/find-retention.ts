/** Something that can be let go of and made again. */
export interface Retained {
  /** Lets it go. */
  release(): void;
}

interface Holding {
  bytes: number;
  /** Number of the last search that used it. */
  usedBy: number;
}

/**
 * What is kept between searches, within a bound. Whatever a search needs beyond the bound it makes again each time: to
 * let go of what the same search has just used would only make it needed again.
 */
export class Retention {
  readonly #limit: number;
  readonly #holdings = new Map<Retained, Holding>();
  #bytes = 0;

  /** @param limit Most bytes to keep. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps something if it fits, in place of what only earlier searches used; answers whether it does. */
  keep(item: Retained, bytes: number, search: number): boolean {
    this.drop(item);
    for (const [other, { usedBy }] of this.#holdings) {
      if (this.#bytes + bytes <= this.#limit) break;
      if (usedBy >= search) continue;
      this.drop(other);
      other.release();
    }
    if (this.#bytes + bytes > this.#limit) return false;
    this.#holdings.set(item, { bytes, usedBy: search });
    this.#bytes += bytes;
    return true;
  }

  /** Notes that something was used. */
  use(item: Retained, search: number): void {
    const holding = this.#holdings.get(item);
    if (holding) holding.usedBy = Math.max(holding.usedBy, search);
  }

  /** Counts something no longer. It is not released. */
  drop(item: Retained): void {
    const holding = this.#holdings.get(item);
    if (holding === undefined) return;
    this.#holdings.delete(item);
    this.#bytes -= holding.bytes;
  }
}
