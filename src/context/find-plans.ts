import { dirname } from 'node:path';
import { Failure } from '../contract/errors.ts';
import { childPath, type FileIdentity, identify, isFresh, readWhole, sameIdentity } from '../files/index.ts';
import type { Pace } from './find-pace.ts';
import type { Query } from './find-query.ts';
import type { Retained, Retention } from './find-retention.ts';
import { type FoldedText, fold, foldPatiently } from './find-text.ts';
import { decodePlan, planTitle } from './plan-text.ts';
import type { ProjectFiles } from './project-files.ts';

/** Larger files are no plans that anybody reads, and are not searched: 8 MiB. */
const MAXIMUM_BYTES = 8 * 1024 * 1024;

/** One state of a plan's file as a search looks at it. */
export class SearchedPlan implements Retained {
  readonly identity: FileIdentity;
  /** Whether an equal identity proves equal bytes. */
  readonly trusted: boolean;
  readonly title: string;
  readonly foldedTitle: FoldedText;
  /** Null when there was no room to keep it. */
  text: FoldedText | null = null;
  /** The last query that was not found here. */
  refutedBy: Query | null = null;

  constructor(identity: FileIdentity, title: string) {
    this.identity = identity;
    this.trusted = !isFresh(identity, Date.now());
    this.title = title;
    this.foldedTitle = fold(title);
  }

  release(): void {
    this.text = null;
  }
}

/** What a search does with plans: its number, what it looks for, what earlier search it narrows. */
export interface PlanSearch {
  readonly number: number;
  readonly query: Query;
  /** A query that finds all that `query` finds; null when none is known. */
  readonly earlier: Query | null;
  readonly pace: Pace;
}

type Absence = 'missing' | 'unread';

/** What a search finds of a plan; the text is null when it is known not to hold the query. */
export type PlanReading = { state: 'present'; plan: SearchedPlan; text: FoldedText | null } | { state: Absence };

/** The plan files of one owner as searches know them. */
export class SearchedPlans {
  readonly #files: ProjectFiles;
  readonly #retention: Retention;
  readonly #known = new Map<string, SearchedPlan | Absence>();

  constructor(files: ProjectFiles, retention: Retention) {
    this.#files = files;
    this.#retention = retention;
  }

  /** Lets go of everything. */
  clear(): void {
    for (const plan of this.#known.values()) if (typeof plan === 'object') this.#retention.drop(plan);
    this.#known.clear();
  }

  /**
   * Answers how to read each plan for one search. Files are looked at by their status, and read when that differs.
   *
   * @param names Base names of all plan files that are linked now.
   * @param relies Whether files that are known are not looked at.
   */
  reader(names: readonly string[], search: PlanSearch, relies: boolean): (name: string) => Promise<PlanReading> {
    this.#forgetAllBut(new Set(names));
    let folder: Promise<string | null> | null = null;
    return async (name) => {
      const known = relies ? this.#known.get(name) : undefined;
      if (typeof known === 'string') return { state: known };
      if (known !== undefined && isEnough(known, search)) return this.#reading(known, search);
      folder ??= this.#folder();
      const parent = await folder;
      return this.#lookAt(name, parent === null ? null : childPath(parent, name), search);
    };
  }

  #forgetAllBut(linked: ReadonlySet<string>): void {
    for (const [name, plan] of this.#known) {
      if (linked.has(name)) continue;
      this.#known.delete(name);
      if (typeof plan === 'object') this.#retention.drop(plan);
    }
  }

  async #lookAt(name: string, path: string | null, search: PlanSearch): Promise<PlanReading> {
    const { fileSystem } = this.#files;
    if (path === null) return this.#note(name, 'unknown');
    const found = await identify(fileSystem, path);
    if (found.state !== 'present') return this.#note(name, found.state);
    const stored = this.#known.get(name);
    const known = typeof stored === 'object' ? stored : null;
    const isSame = known?.trusted && sameIdentity(known.identity, found.identity);
    if (known && isSame && isEnough(known, search)) return this.#reading(known, search);
    search.pace.check();
    const read = await readWhole(fileSystem, path, { limit: MAXIMUM_BYTES });
    if (read.state !== 'present') return this.#note(name, read.state);
    await search.pace.pause();
    const { text } = decodePlan(read.bytes);
    const before = known?.text ?? null;
    const folded = before?.text === text ? before : await foldPatiently(text, () => search.pace.pause());
    const plan = new SearchedPlan(read.identity, planTitle(read.bytes));
    this.#replace(name, plan);
    if (this.#retention.keep(plan, folded.bytes, search.number)) plan.text = folded;
    return { state: 'present', plan, text: folded };
  }

  #reading(plan: SearchedPlan, search: PlanSearch): PlanReading {
    this.#retention.use(plan, search.number);
    return { state: 'present', plan, text: plan.text };
  }

  #note(name: string, state: 'missing' | 'unknown'): PlanReading {
    const absence = state === 'missing' ? 'missing' : 'unread';
    this.#replace(name, absence);
    return { state: absence };
  }

  #replace(name: string, known: SearchedPlan | Absence): void {
    const before = this.#known.get(name);
    if (typeof before === 'object') this.#retention.drop(before);
    this.#known.set(name, known);
  }

  /** The folder of the plans; null behind a link, where nothing is ours to look at. */
  async #folder(): Promise<string | null> {
    try {
      return dirname(await this.#files.planPath('x'));
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  }
}

/** Whether something is known not to hold what a search looks for. */
export function isRefuted(
  { refutedBy }: { readonly refutedBy: Query | null },
  { earlier }: Pick<PlanSearch, 'earlier'>,
): boolean {
  return earlier !== null && refutedBy === earlier;
}

/** Whether a plan whose file did not change can be searched without reading it. */
function isEnough(plan: SearchedPlan, search: PlanSearch): boolean {
  return plan.text !== null || isRefuted(plan, search);
}
