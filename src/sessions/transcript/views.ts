import type { SessionHead } from '../../contract/session-entities.ts';
import { MAIN_HEAD } from './heads.ts';
import type { BuiltIndex } from './index-builder.ts';
import type { TranscriptFormat } from './index-head.ts';
import type { LogTwoIndexer } from './log-two.ts';
import type { RowPlace } from './rows.ts';
import type { Tail } from './tail.ts';

/** A transcript as it is known at one moment: how many rows each head has, and where they stand in which file. */
export interface View {
  readonly path: string;
  readonly format: TranscriptFormat;
  /** The file's inode; another file by that path is not the one that the places are of. */
  readonly ino: string;
  /** Whether all rows are known. */
  readonly complete: boolean;
  readonly holes: number;
  readonly torn: boolean;
  readonly heads: readonly SessionHead[];
  /** The head that is shown when none is named. */
  readonly head: string;
  generation(head: string): string;
  count(head: string): number;
  places(head: string, from: number, to: number): Promise<RowPlace[]>;
}

const mainOnly: readonly SessionHead[] = [{ id: MAIN_HEAD, name: null, kind: 'main', retired: false, openTurn: false }];

/** A transcript that is one list. */
export class ListView implements View {
  readonly path: string;
  readonly format: TranscriptFormat;
  readonly ino: string;
  readonly complete = true;
  readonly holes: number;
  readonly torn: boolean;
  readonly heads = mainOnly;
  readonly head = MAIN_HEAD;
  readonly #index: BuiltIndex;
  readonly #count: number;

  constructor(path: string, index: BuiltIndex) {
    this.path = path;
    this.format = index.head.format;
    this.ino = index.head.ino;
    this.holes = index.head.list?.holes ?? 0;
    this.torn = index.head.list?.torn ?? false;
    this.#index = index;
    this.#count = index.head.count;
  }

  generation(): string {
    return `${this.#index.head.generation}.${this.#index.head.list?.replaces ?? 0}`;
  }

  count(): number {
    return this.#count;
  }

  async places(_head: string, from: number, to: number): Promise<RowPlace[]> {
    const entries = await this.#index.entries.slice(from, Math.min(to, this.#count));
    return entries.map(({ offset, length, kind, oddity }) => ({ offset, length, kind, oddity, id: null }));
  }
}

interface Chain {
  readonly key: string;
  readonly numbers: Uint32Array;
  readonly lonely: ReadonlySet<number>;
  /** What stands first and is no message of the chain, or in the place of its first one. */
  readonly system: { offset: number; length: number } | null;
  readonly replacesFirst: boolean;
}

/** A transcript of a log of schema 2. */
export class GraphView implements View {
  readonly path: string;
  readonly format = 'log-2';
  readonly ino: string;
  readonly complete = true;
  readonly holes: number;
  readonly torn: boolean;
  readonly heads: readonly SessionHead[];
  readonly head: string;
  readonly #index: BuiltIndex;
  readonly #log: LogTwoIndexer;
  readonly #chains = new Map<string, Chain>();

  constructor(path: string, index: BuiltIndex, log: LogTwoIndexer) {
    this.path = path;
    this.ino = index.head.ino;
    this.holes = log.holes;
    this.torn = log.torn;
    this.heads = log.heads.shown();
    this.head = log.heads.toOpen();
    this.#index = index;
    this.#log = log;
  }

  generation(head: string): string {
    return `${this.#index.head.generation}.${this.#log.changes}.${this.#log.heads.get(head)?.changes ?? 0}`;
  }

  count(head: string): number {
    const { numbers, system, replacesFirst } = this.#chain(head);
    return numbers.length + (system !== null && !replacesFirst ? 1 : 0);
  }

  places(head: string, from: number, to: number): Promise<RowPlace[]> {
    const chain = this.#chain(head);
    const shift = chain.system !== null && !chain.replacesFirst ? 1 : 0;
    const places: RowPlace[] = [];
    for (let index = Math.max(0, from); index < Math.min(to, chain.numbers.length + shift); index++) {
      const number = chain.numbers[index - shift];
      const id = number === undefined || (index === 0 && shift === 1) ? null : this.#log.graph.id(number);
      if (index === 0 && chain.system !== null) {
        places.push({ ...chain.system, kind: 'message', oddity: null, id });
      } else if (number !== undefined) {
        const { offset, length, raw } = this.#log.graph.place(number);
        const oddity = chain.lonely.has(number) ? 'no-call' : null;
        places.push({ offset, length, kind: raw ? 'raw' : 'message', oddity, id });
      }
    }
    return Promise.resolve(places);
  }

  #chain(name: string): Chain {
    const { graph, heads, changes } = this.#log;
    const head = heads.get(name);
    const key = `${head?.leaf} ${head?.changes} ${changes} ${graph.count}`;
    const known = this.#chains.get(name);
    if (known?.key === key) return known;
    const numbers = graph.chain(head?.leaf ?? -1);
    const [first] = numbers;
    const chain: Chain = {
      key,
      numbers,
      lonely: graph.withoutCall(numbers),
      system: head?.system ?? null,
      replacesFirst: first !== undefined && graph.place(first).system,
    };
    this.#chains.set(name, chain);
    return chain;
  }
}

/** The end of a transcript whose beginning is not known yet, or is not going to be. */
export class TailView implements View {
  readonly path: string;
  readonly format: TranscriptFormat;
  readonly ino: string;
  readonly complete = false;
  readonly holes: number;
  readonly torn: boolean;
  readonly heads = mainOnly;
  readonly head = MAIN_HEAD;
  readonly #tail: Tail;

  constructor(path: string, format: TranscriptFormat, ino: string, tail: Tail) {
    this.path = path;
    this.format = format;
    this.ino = ino;
    this.holes = tail.rows.filter(({ kind }) => kind === 'hole').length;
    this.torn = tail.torn;
    this.#tail = tail;
  }

  generation(): string {
    return `end-${this.ino}-${this.#tail.size}`;
  }

  count(): number {
    return this.#tail.rows.length;
  }

  places(_head: string, from: number, to: number): Promise<RowPlace[]> {
    return Promise.resolve(this.#tail.rows.slice(from, to));
  }
}
