import type { StoredMessage } from './message.ts';
import { hashText } from './oddities.ts';

/** Where the text of a message stands, and what its row must know of it. */
export interface GraphText {
  readonly offset: number;
  readonly length: number;
  /** Whether it is no message: shown in raw form. */
  readonly raw: boolean;
  readonly system: boolean;
  /** Hashes of the calls that it makes, and of the one that it answers. */
  readonly calls: readonly number[];
  readonly result: number | null;
}

/** What the graph keeps of the text of a message. */
export function graphText(offset: number, length: number, message: StoredMessage | null): GraphText {
  return {
    offset,
    length,
    raw: message === null,
    system: message?.role === 'system',
    calls: message?.toolCalls.map((call) => hashText(call.id)) ?? [],
    result: message?.role === 'tool' ? hashText(message.toolCallId ?? '') : null,
  };
}

/** The graph as plain data: a part of the index file. */
export interface GraphData {
  readonly ids: readonly string[];
  readonly offsets: readonly number[];
  readonly lengths: readonly number[];
  readonly parents: readonly number[];
  readonly flags: readonly number[];
  readonly lost: readonly (readonly [node: number, parent: string])[];
  readonly calls: readonly (readonly [node: number, hashes: readonly number[]])[];
  readonly results: readonly (readonly [node: number, hash: number])[];
  readonly waiting: readonly (readonly [id: string, text: WaitingText])[];
}

/** A text for a message that has not been read yet. */
type WaitingText = GraphText & { readonly redacted: boolean };

const RAW = 1;
const REDACTED = 2;
const SYSTEM = 4;
const ROOT = -1;
const LOST = -2;

/** Messages of a log of schema 2 by number, in file order: where each stands and what it follows. A few dozen bytes each. */
export class MessageGraph {
  readonly #ids: string[];
  readonly #numbers: Map<string, number>;
  readonly #offsets: number[];
  readonly #lengths: number[];
  readonly #parents: number[];
  readonly #flags: number[];
  /** Ids of parents that have not been read. */
  readonly #lost: Map<number, string>;
  readonly #calls: Map<number, readonly number[]>;
  readonly #results: Map<number, number>;
  readonly #waiting: Map<string, WaitingText>;

  constructor(data?: GraphData) {
    this.#ids = [...(data?.ids ?? [])];
    this.#numbers = new Map(this.#ids.map((id, number) => [id, number]));
    this.#offsets = [...(data?.offsets ?? [])];
    this.#lengths = [...(data?.lengths ?? [])];
    this.#parents = [...(data?.parents ?? [])];
    this.#flags = [...(data?.flags ?? [])];
    this.#lost = new Map(data?.lost);
    this.#calls = new Map(data?.calls);
    this.#results = new Map(data?.results);
    this.#waiting = new Map(data?.waiting);
  }

  get count(): number {
    return this.#ids.length;
  }

  /** Number of a message; -1 when there is none of that id. */
  numberOf(id: string): number {
    return this.#numbers.get(id) ?? -1;
  }

  id(number: number): string {
    return this.#ids[number] ?? '';
  }

  /** Where the text of a message stands that counts: its own, the last patch, or what a redaction left. */
  place(number: number): Pick<GraphText, 'offset' | 'length' | 'raw' | 'system'> {
    const flags = this.#flags[number] ?? 0;
    return {
      offset: this.#offsets[number] ?? 0,
      length: this.#lengths[number] ?? 0,
      raw: (flags & RAW) !== 0,
      system: (flags & SYSTEM) !== 0,
    };
  }

  /**
   * Adds a message.
   *
   * @param parent Id of the one before it; null for the first of a chain.
   * @returns Its number; -1 when its id was there before.
   */
  add(id: string, parent: string | null, text: GraphText): number {
    if (this.#numbers.has(id)) return -1;
    const number = this.#ids.push(id) - 1;
    this.#numbers.set(id, number);
    this.#offsets.push(0);
    this.#lengths.push(0);
    this.#flags.push(0);
    const before = parent === null ? ROOT : this.numberOf(parent);
    this.#parents.push(parent !== null && (before < 0 || before === number) ? LOST : before);
    if (parent !== null && before < 0) this.#lost.set(number, parent);
    this.#setText(number, text, false);
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) {
      this.#waiting.delete(id);
      this.#setText(number, waiting, waiting.redacted);
    }
    return number;
  }

  /** Replaces the text of a message. A patch does not undo a redaction. Of an id that is not known yet it is kept in mind. */
  replace(id: string, text: GraphText, redacted: boolean): boolean {
    const number = this.numberOf(id);
    if (number >= 0) return this.#setText(number, text, redacted);
    if (redacted || !this.#waiting.get(id)?.redacted) this.#waiting.set(id, { ...text, redacted });
    return false;
  }

  #setText(number: number, text: GraphText, redacted: boolean): boolean {
    const before = this.#flags[number] ?? 0;
    if ((before & REDACTED) !== 0 && !redacted) return false;
    this.#offsets[number] = text.offset;
    this.#lengths[number] = text.length;
    this.#flags[number] = (text.raw ? RAW : 0) | (redacted ? REDACTED : 0) | (text.system ? SYSTEM : 0);
    if (text.calls.length > 0) this.#calls.set(number, text.calls);
    else this.#calls.delete(number);
    if (text.result === null) this.#results.delete(number);
    else this.#results.set(number, text.result);
    return true;
  }

  #parent(number: number): number {
    const parent = this.#parents[number] ?? ROOT;
    if (parent !== LOST) return parent;
    const found = this.numberOf(this.#lost.get(number) ?? '');
    if (found >= 0) this.#parents[number] = found;
    return found;
  }

  /** The messages up to a leaf, first to last: up to a root, a parent that is not there, or a circle. */
  chain(leaf: number): Uint32Array {
    const seen = new Uint8Array(this.count);
    const chain: number[] = [];
    for (let number = leaf; number >= 0 && seen[number] === 0; number = this.#parent(number)) {
      seen[number] = 1;
      chain.push(number);
    }
    return Uint32Array.from(chain.reverse());
  }

  /** Which messages of a chain are results without the call that they answer before them. */
  withoutCall(chain: Uint32Array): Set<number> {
    const calls = new Set<number>();
    const lonely = new Set<number>();
    for (const number of chain) {
      for (const hash of this.#calls.get(number) ?? []) calls.add(hash);
      const result = this.#results.get(number);
      if (result !== undefined && !calls.has(result)) lonely.add(number);
    }
    return lonely;
  }

  data(): GraphData {
    return {
      ids: this.#ids,
      offsets: this.#offsets,
      lengths: this.#lengths,
      parents: this.#parents,
      flags: this.#flags,
      lost: [...this.#lost],
      calls: [...this.#calls],
      results: [...this.#results],
      waiting: [...this.#waiting],
    };
  }
}
