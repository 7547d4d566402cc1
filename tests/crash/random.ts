/** Chance that is the same in every run. */
export class Random {
  #state: bigint;

  constructor(seed: number) {
    this.#state = BigInt(seed);
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    // A linear congruence over 64 bits; only its upper half looks like chance.
    this.#state = BigInt.asUintN(64, this.#state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return Number(((this.#state >> 32n) * BigInt(limit)) >> 32n);
  }

  /** One of a list that is not empty. */
  of<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('there is nothing to choose from');
    return item;
  }
}
