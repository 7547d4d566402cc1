/** Something that one window has for the other, kept until that has taken it; a newer one takes its place. */
export class Offer<Content extends object> {
  #current: ({ id: number } & Content) | null = null;
  #lastId = 0;

  /** What is offered, with an id that no other offer had; null when nothing is. */
  get current(): ({ id: number } & Content) | null {
    return this.#current;
  }

  make(content: Content): void {
    this.#lastId += 1;
    this.#current = { id: this.#lastId, ...content };
  }

  /** Ends the offer of this id. @returns whether it was the current one. */
  take(id: number): boolean {
    if (this.#current?.id !== id) return false;
    this.#current = null;
    return true;
  }
}
