import type { SessionHead } from '../../contract/session-entities.ts';

/** A head of a log of schema 2; plain data. */
export interface Head {
  readonly id: string;
  kind: SessionHead['kind'];
  name: string | null;
  retired: boolean;
  /** Number of its last message in the graph; -1 when it is empty. */
  leaf: number;
  /** Id of the turn that was begun and not ended. */
  turn: string | null;
  /** When something last happened to it, in ms, and the number of that record: later in the file wins a tie. */
  activity: number;
  order: number;
  /** Where its system text stands, when one is set for it alone. */
  system: { offset: number; length: number } | null;
  /** How often rows that were there became others or went. */
  changes: number;
}

export const MAIN_HEAD = 'main';

/** The heads of a log and which of them is shown. */
export class Heads {
  readonly #heads: Map<string, Head>;
  selected: string | null;

  constructor(heads: readonly Head[] = [], selected: string | null = null) {
    this.#heads = new Map(heads.map((head) => [head.id, { ...head }]));
    this.selected = selected;
  }

  all(): Head[] {
    return [...this.#heads.values()];
  }

  get(id: string): Head | undefined {
    return this.#heads.get(id);
  }

  /** A head that a record names; made when it is new. */
  named(id: string): Head {
    const known = this.#heads.get(id);
    if (known !== undefined) return known;
    const head: Head = {
      id,
      kind: id === MAIN_HEAD ? 'main' : 'fork',
      name: null,
      retired: false,
      leaf: -1,
      turn: null,
      activity: 0,
      order: 0,
      system: null,
      changes: 0,
    };
    this.#heads.set(id, head);
    return head;
  }

  /** The head to open (docs/formats/session-format.md, section 6). */
  toOpen(): string {
    const selected = this.selected === null ? undefined : this.#heads.get(this.selected);
    if (selected !== undefined && !selected.retired) return selected.id;
    const newest = (heads: Head[]): Head | undefined =>
      heads.sort((left, right) => right.activity - left.activity || right.order - left.order)[0];
    const live = newest(this.all().filter(({ retired }) => !retired));
    return (live ?? newest(this.all()))?.id ?? MAIN_HEAD;
  }

  /** As a window sees them. */
  shown(): SessionHead[] {
    const heads = this.all();
    if (heads.length === 0) heads.push(new Heads().named(MAIN_HEAD));
    return heads.map(({ id, name, kind, retired, turn }) => ({ id, name, kind, retired, openTurn: turn !== null }));
  }
}

/** Time of a record in ms, fractions included: RFC 3339 with up to nine digits. 0 when it tells none. */
export function recordTime(at: unknown): number {
  if (typeof at !== 'string') return 0;
  const fraction = /\.(\d+)(?=[Zz+-])/.exec(at);
  const whole = Date.parse(fraction === null ? at : at.replace(fraction[0], ''));
  if (!Number.isFinite(whole) || whole < 0) return 0;
  return whole + (fraction === null ? 0 : Number(`0.${fraction[1]}`) * 1000);
}
