/** How many plans that were saved in this run are watched over; each costs the bytes of its text. */
const MAXIMUM_PLANS = 32;

/** A text that was saved here and is not in its file any more. */
export interface OverwrittenPlan {
  readonly bytes: Buffer;
  /** Whether an earlier text is there again, so that whoever brought it back never saw this one. */
  readonly reverted: boolean;
}

/**
 * The plans that were saved here in this run, so that a save of another program that never saw them can be told from one
 * that may have: the first brings back an earlier text.
 */
export class OwnPlans {
  readonly #saved = new Map<string, { bytes: Buffer; revision: string; past: Set<string>; replaced: boolean }>();

  /** Takes note of a save over another text. */
  record(file: string, bytes: Buffer, revision: string, before: string): void {
    const past = this.#saved.get(file)?.past ?? new Set<string>();
    past.add(before);
    past.delete(revision);
    // Set anew, so that those saved longest ago stand first.
    this.#saved.delete(file);
    this.#saved.set(file, { bytes, revision, past, replaced: false });
    for (const oldest of this.#saved.keys()) {
      if (this.#saved.size <= MAXIMUM_PLANS) break;
      this.#saved.delete(oldest);
    }
  }

  /**
   * The text that was saved here, if it is not what is there now; told once.
   *
   * @param revision Of what is there now; null when the file is gone.
   */
  takeOverwritten(file: string, revision: string | null): OverwrittenPlan | null {
    const saved = this.#saved.get(file);
    if (saved === undefined || saved.revision === revision) return null;
    const reverted = revision !== null && saved.past.has(revision);
    if (reverted) this.#saved.delete(file);
    else if (saved.replaced) return null;
    saved.replaced = true;
    return { bytes: saved.bytes, reverted };
  }

  /** Forgets a plan: it was deleted here. */
  forget(file: string): void {
    this.#saved.delete(file);
  }
}
