import type { FoundEntry } from '../contract/entities.ts';
import { type Excerpt, excerptOf } from './find-excerpt.ts';
import type { Match } from './find-match.ts';
import type { Pace } from './find-pace.ts';
import type { Query } from './find-query.ts';

/** A found entry. */
export interface Candidate {
  head: Omit<FoundEntry, 'excerpt' | 'highlights'>;
  rank: Match['rank'];
  /** What its excerpt is made of when it is answered; or the excerpt, when the text is not to be held until then. */
  shown: Match | Excerpt;
  /** Where it stands among all: of the owners asked for, and in its list. */
  owner: number;
  position: number;
}

const sections = { notes: 0, todos: 1, plans: 2 };
/** How many more candidates are held than are answered, before those that will not be are let go. */
const SLACK = 500;

/** The best of what a search finds, and how many there are in all; the same whatever order they come in. */
export class Ranking {
  readonly counts = { notes: 0, todos: 0, plans: 0 };
  readonly #limit: number;
  #candidates: Candidate[] = [];
  /** Whatever comes behind it is not among the best. */
  #last: Candidate | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(candidate: Candidate): void {
    this.counts[candidate.head.section]++;
    if (this.#last !== null && inOrder(candidate, this.#last) > 0) return;
    this.#candidates.push(candidate);
    if (this.#candidates.length > this.#limit + SLACK) this.#cut();
  }

  /** The best in order: title before text, beginnings of words first, then newest. */
  async found(query: Query, pace: Pace): Promise<FoundEntry[]> {
    this.#cut();
    const found: FoundEntry[] = [];
    for (const { head, shown } of this.#candidates) {
      found.push({ ...head, ...('excerpt' in shown ? shown : excerptOf(query, shown)) });
      await pace.pause();
    }
    return found;
  }

  #cut(): void {
    this.#candidates = this.#candidates.sort(inOrder).slice(0, this.#limit);
    if (this.#candidates.length === this.#limit) this.#last = this.#candidates.at(-1) ?? null;
  }
}

function inOrder(left: Candidate, right: Candidate): number {
  return (
    left.rank - right.rank ||
    right.head.createdAt - left.head.createdAt ||
    sections[left.head.section] - sections[right.head.section] ||
    left.owner - right.owner ||
    left.position - right.position
  );
}
