import type { Entry } from './entries.ts';
import type { StoredMessage } from './message.ts';

/** How many ids are remembered to find those that are there twice; beyond, none is marked. */
const MAXIMUM_IDS = 4_000_000;
/** How many calls a result may lie behind its own. */
const MAXIMUM_CALLS = 1024;

/** A 53-bit hash of a text, never 0. */
export function hashText(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (high & 0x1fffff) * 0x100000000 + (low >>> 0) || 1;
}

/** What must be remembered of the rows so far to tell what is odd about the next ones. */
export class Oddities {
  readonly #ids = new HashSet();
  readonly #calls: Set<number>;

  /** @param calls Hashes of the last calls, oldest first, as {@link calls} gave them. */
  constructor(calls: readonly number[] = []) {
    this.#calls = new Set(calls);
  }

  get calls(): number[] {
    return [...this.#calls];
  }

  /** Remembers the id of an entry that was looked at before. */
  remember(idHash: number): void {
    if (idHash !== 0) this.#ids.add(idHash);
  }

  /** Looks at the next message. */
  look(message: StoredMessage): Pick<Entry, 'idHash' | 'oddity'> {
    const idHash = message.id === null ? 0 : hashText(message.id);
    const isRepeated = idHash !== 0 && !this.#ids.add(idHash);
    for (const call of message.toolCalls) this.#addCall(hashText(call.id));
    const hasNoCall =
      message.role === 'tool' && (message.toolCallId === null || !this.#calls.has(hashText(message.toolCallId)));
    return { idHash, oddity: isRepeated ? 'repeated-id' : hasNoCall ? 'no-call' : null };
  }

  #addCall(hash: number): void {
    this.#calls.delete(hash);
    this.#calls.add(hash);
    if (this.#calls.size <= MAXIMUM_CALLS) return;
    const [oldest] = this.#calls;
    if (oldest !== undefined) this.#calls.delete(oldest);
  }

  clear(): void {
    this.#ids.clear();
    this.#calls.clear();
  }
}

/** A set of numbers other than 0 that takes eight to sixteen bytes for each. */
class HashSet {
  #slots = new Float64Array(1024);
  #size = 0;

  /** Whether it was not in it before. */
  add(value: number): boolean {
    if (this.#size >= MAXIMUM_IDS) return this.#slots[this.#find(value)] !== value;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    const slot = this.#find(value);
    if (this.#slots[slot] === value) return false;
    this.#slots[slot] = value;
    this.#size++;
    return true;
  }

  clear(): void {
    this.#slots = new Float64Array(1024);
    this.#size = 0;
  }

  #find(value: number): number {
    const mask = this.#slots.length - 1;
    let slot = (value % 0x7fffffff) & mask;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== value) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Float64Array(old.length * 2);
    for (const value of old) if (value !== 0) this.#slots[this.#find(value)] = value;
  }
}
