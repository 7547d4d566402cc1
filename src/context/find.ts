import { setTimeout as delay } from 'node:timers/promises';
import type { Implementation } from '../contract/contract.ts';
import { Failure } from '../contract/errors.ts';
import {
  type FileSystem,
  idProblem,
  mapBounded,
  type Root,
  type SeenFolders,
  type WriteAccess,
} from '../files/index.ts';
import type { PlanLink } from './entries.ts';
import { type Excerpt, excerptOf } from './find-excerpt.ts';
import { Looks } from './find-look.ts';
import { matchOf } from './find-match.ts';
import { type SearchedContext, SearchedOwner } from './find-owner.ts';
import { Pace } from './find-pace.ts';
import { isRefuted, type PlanReading, type PlanSearch, SearchedPlans } from './find-plans.ts';
import { narrows, parseQuery, type Query } from './find-query.ts';
import { Ranking } from './find-ranking.ts';
import { type Retained, Retention } from './find-retention.ts';
import { fold } from './find-text.ts';
import { ProjectFiles } from './project-files.ts';

export interface ContextSearchOptions {
  fileSystem: FileSystem;
  root: Root;
  /** Whether the data folder was seen in this run; shared with whoever else reads it. */
  seen?: SeenFolders;
  sleep?: (ms: number) => Promise<unknown>;
  /** Time between keys, in ms since any moment. */
  now?: () => number;
  platform?: NodeJS.Platform;
  /** Most bytes of plan texts, and of notes and todos, that are kept in memory between searches. */
  budget?: { plans: number; entries: number };
}

export interface FindOptions {
  /** Ids of the owners to search. */
  ids: readonly string[];
  signal?: AbortSignal;
}

type Find = Implementation['context']['find'];
export type FindInput = Omit<Parameters<Find>[0], 'projectId'>;
export type FindOutput = Awaited<ReturnType<Find>>;

/** How many entries are answered when no limit is named. */
const DEFAULT_LIMIT = 100;
/** How many owners are searched side by side, and how many plans of all of them. */
const OWNERS = 16;
const PLANS = 64;
const MIB = 1024 * 1024;
/** About what is kept of an owner that has nothing. */
const OWNER_BYTES = 1024;

/** What is known of one owner between searches. */
interface Known extends Retained {
  owner: SearchedOwner;
  plans: SearchedPlans;
  looks: Looks;
}

interface Search extends PlanSearch {
  ranking: Ranking;
  /** How many plans of each owner are read side by side. */
  plansEach: number;
}

/**
 * Searches the contexts of any number of owners. It only reads: it migrates nothing, tells nobody, and what it keeps in
 * memory is bounded. It finds what is on the disk now; only of plan texts, keys that are typed behind one another rely on
 * one look at the files, for some seconds and unless {@link changed} says otherwise.
 */
export class ContextSearch {
  readonly #options: ContextSearchOptions;
  readonly #seen: SeenFolders;
  readonly #known = new Map<string, Known>();
  readonly #texts: Retention;
  readonly #owners: Retention;
  #number = 0;
  #last: Query | null = null;

  constructor(options: ContextSearchOptions) {
    this.#options = options;
    this.#seen = options.seen ?? { root: false, projects: false };
    this.#texts = new Retention(options.budget?.plans ?? 64 * MIB);
    this.#owners = new Retention(options.budget?.entries ?? 32 * MIB);
  }

  /** About how many bytes are kept in memory. */
  get bytes(): number {
    return this.#texts.bytes + this.#owners.bytes;
  }

  /** Says that plan files of an owner were changed: the next search looks at all of them. */
  changed(projectId: string): void {
    this.#known.get(projectId)?.looks.changed();
  }

  /**
   * Finds the entries that have every word of a query.
   *
   * @throws Failure `cancelled` when the signal is aborted. What cannot be read is counted and hides nothing else.
   */
  async find({ query: text, limit = DEFAULT_LIMIT }: FindInput, { ids, signal }: FindOptions): Promise<FindOutput> {
    const pace = new Pace(signal);
    pace.check();
    const ranking = new Ranking(limit);
    const query = parseQuery(text);
    if (query.needles.length === 0) return { counts: ranking.counts, found: [], unread: 0 };
    const last = this.#last;
    const earlier = last !== null && narrows(query, last) ? last : null;
    const owners = [...new Set(ids)].map((id, place) => ({ id, place }));
    const plansEach = Math.ceil(PLANS / Math.min(OWNERS, owners.length));
    const search: Search = { number: ++this.#number, query, earlier, pace, ranking, plansEach };
    this.#last = query;
    const unread = await mapBounded(owners, OWNERS, ({ id, place }) => this.#searchOwner(id, place, search));
    return { counts: ranking.counts, found: await ranking.found(query, pace), unread: sumOf(unread) };
  }

  /** Searches one owner; answers how much of it could not be read. */
  async #searchOwner(id: string, place: number, search: Search): Promise<number> {
    search.pace.check();
    if (idProblem(id, this.#options.platform ?? process.platform) !== null) return 1;
    const known = this.#known.get(id) ?? this.#open(id);
    let bytes = 0;
    try {
      const look = known.looks.begin(search.query);
      const context = await known.owner.read(search.pace, look.relies);
      bytes = context.bytes;
      await searchEntries(context, place, search);
      const read = known.plans.reader(filesOf(context), search, look.relies);
      const unread = await searchPlans(id, read, context, place, search);
      look.end();
      return unread;
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'cancelled') throw error;
      return 1;
    } finally {
      // What there is no room for is read again by the next search.
      if (!this.#owners.keep(known, bytes + OWNER_BYTES, search.number)) known.release();
    }
  }

  #open(id: string): Known {
    const { fileSystem, root, sleep = delay, now = () => performance.now() } = this.#options;
    const files = new ProjectFiles(fileSystem, root, id, this.#seen, noAccess);
    const known: Known = {
      owner: new SearchedOwner(files, sleep),
      plans: new SearchedPlans(files, this.#texts),
      looks: new Looks(now),
      release: () => {
        known.plans.clear();
        known.looks.changed();
        if (this.#known.get(id) === known) this.#known.delete(id);
      },
    };
    this.#known.set(id, known);
    return known;
  }
}

async function searchEntries({ entries }: SearchedContext, owner: number, search: Search): Promise<void> {
  const { query, ranking, pace } = search;
  for (const [position, entry] of entries.entries()) {
    const match = isRefuted(entry, search) ? null : matchOf(query, entry.title, entry.text);
    if (match === null) entry.refutedBy = query;
    else ranking.add({ head: entry.head, rank: match.rank, shown: match, owner, position });
    if (pace.isDue) await pace.pause();
  }
}

/** Searches the plans of one owner; answers how many could not be read. */
async function searchPlans(
  projectId: string,
  read: (name: string) => Promise<PlanReading>,
  { links }: SearchedContext,
  owner: number,
  search: Search,
): Promise<number> {
  const unread = await mapBounded([...links.entries()], search.plansEach, async ([position, link]) => {
    const reading = await read(link.file);
    const candidate = planCandidate(link, reading, search);
    if (candidate !== null) {
      const { title, ...rest } = candidate;
      const head = { projectId, section: 'plans', id: link.id, title, createdAt: link.createdAt } as const;
      search.ranking.add({ head, ...rest, owner, position });
    }
    await search.pace.pause();
    return reading.state === 'unread' ? 1 : 0;
  });
  return sumOf(unread);
}

function planCandidate(link: PlanLink, reading: PlanReading, search: Search) {
  const { query } = search;
  if (reading.state !== 'present') {
    // Its title is known all the same.
    const match = matchOf(query, fold(link.title), null);
    return match && { title: link.title, rank: match.rank, shown: match };
  }
  const { plan, text } = reading;
  const match = isRefuted(plan, search) ? null : matchOf(query, plan.foldedTitle, text);
  if (match === null) {
    plan.refutedBy = query;
    return null;
  }
  // A text that there was no room for is not to be kept by what is shown of it.
  const shown = plan.text === null ? copyOf(excerptOf(query, match)) : match;
  return { title: plan.title, rank: match.rank, shown };
}

/** An excerpt without a hold on the text that it is a part of. */
function copyOf({ excerpt, highlights }: Excerpt): Excerpt {
  return { excerpt: Buffer.from(excerpt, 'utf16le').toString('utf16le'), highlights };
}

function refuseToWrite(): never {
  throw new Error('a search writes nothing');
}

const noAccess: WriteAccess = {
  claim: async () => refuseToWrite(),
  proofs: () => null,
  replacer: { replace: async () => refuseToWrite() },
};

const filesOf = ({ links }: SearchedContext): string[] => links.map((link) => link.file);

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
