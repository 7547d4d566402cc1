/** How many plans that were saved in this run are watched over; each costs the bytes of its text. */
const MAXIMUM_PLANS = 32;

/**
 * The plans that were saved here in this run, so that a save of another program that never saw them can be told from one
 * that did: the first brings back an earlier text.
 */
export class OwnPlans {
  readonly #saved = new Map<string, { bytes: Buffer; revision: string; past: Set<string> }>();

  /** Takes note of a save over another text. */
  record(file: string, bytes: Buffer, revision: string, before: string): void {
    const past = this.#saved.get(file)?.past ?? new Set<string>();
    past.add(before);
    past.delete(revision);
    // Set anew, so that those saved longest ago stand first.
    this.#saved.delete(file);
    this.#saved.set(file, { bytes, revision, past });
    for (const oldest of this.#saved.keys()) {
      if (this.#saved.size <= MAXIMUM_PLANS) break;
      this.#saved.delete(oldest);
    }
  }

  /** The text that was saved here, if this revision takes it back to an earlier one; it is then forgotten. */
  takeReverted(file: string, revision: string): Buffer | null {
    const saved = this.#saved.get(file);
    if (saved === undefined || saved.revision === revision || !saved.past.has(revision)) return null;
    this.#saved.delete(file);
    return saved.bytes;
  }
}
