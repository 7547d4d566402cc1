import type { ContextDocument } from './document.ts';
import { isPlanFile } from './entries.ts';
import { hashOf, type Left, listFolder, readableFileOf, readFileOf } from './merge-folders.ts';
import type { Copy } from './merge-journal.ts';
import { linkedFiles } from './plan-links.ts';
import type { ProjectFiles } from './project-files.ts';

/** One side of a merge: where its files are, and its context file as it was read. */
export interface PlanSide {
  files: ProjectFiles;
  document: ContextDocument;
}

/** What becomes of the plan files of the source. */
export interface PlanMoves {
  copies: Copy[];
  /** Name in the destination of each plan file of the source, also of one that only a link names. */
  names: Map<string, string>;
  left: Left[];
  /** What was in the folder of plans, by name. */
  seen: string[];
  /** Whether the destination has, or gets, a plan under a name. */
  isTaken: (name: string) => boolean;
}

/**
 * Finds a place in the destination for each plan file of the source, those included that no link names. A name that is
 * taken there gets a suffix; a file is shared only if it is the very same plan. A link whose file is gone never comes to
 * name another plan's file.
 *
 * @param earlier Copies and names of the merge that is begun again.
 */
export async function movePlans(
  source: PlanSide,
  destination: PlanSide,
  earlier: { copies: readonly Copy[]; names: ReadonlyMap<string, string> },
): Promise<PlanMoves> {
  const places = new PlanPlaces(source, destination, await namesIn(destination.files));
  const moves: PlanMoves = {
    copies: [],
    names: new Map(),
    left: [],
    seen: [],
    isTaken: (name) => places.isTaken(name),
  };
  const copied = new Set(earlier.copies.map((copy) => copy.from.join('/')));
  places.reserve([...earlier.names].filter(([name]) => !copied.has(`plans/${name}`)).map(([, place]) => place));
  for (const { name, kind } of await listFolder(source.files, 'plans')) {
    moves.seen.push(name);
    if (!isPlanFile(name) || kind !== 'file') {
      moves.left.push({ what: `plans/${name}`, reason: 'unknown-file' });
      continue;
    }
    const bytes = await readableFileOf(source.files, ['plans', name]);
    if (bytes === null) {
      moves.left.push({ what: `plans/${name}`, reason: 'unreadable' });
      continue;
    }
    const from = ['plans', name];
    const before = earlier.copies.find((copy) => copy.from.join('/') === from.join('/') && copy.to[0] === 'plans');
    const place = await places.ofFile(name, bytes, before?.to[1]);
    moves.names.set(name, place);
    moves.copies.push({ from, to: ['plans', place], hash: hashOf(bytes), backup: false });
  }
  for (const name of new Set(linkedFiles(source.document))) {
    if (!moves.names.has(name)) moves.names.set(name, earlier.names.get(name) ?? places.ofMissing(name));
  }
  return moves;
}

/** The names `x.md`, `x-1.md`, `x-2.md` …, none of them too long for a file. */
export function* suffixedNames(name: string): Generator<string> {
  yield name;
  const stem = name.slice(0, -'.md'.length);
  for (let suffix = 1; ; suffix++) yield `${stem.slice(0, 240)}-${suffix}.md`;
}

class PlanPlaces {
  readonly #destination: ProjectFiles;
  readonly #coming: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #here: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names in the destination by their lower case: some disks take `A.md` and `a.md` for the same file. */
  readonly #taken: Map<string, string>;
  /** Lower-case names that this merge gave away. */
  readonly #given = new Set<string>();

  constructor(source: PlanSide, destination: PlanSide, taken: readonly string[]) {
    this.#destination = destination.files;
    this.#coming = idsByFile(source.document);
    this.#here = idsByFile(destination.document);
    this.#taken = new Map(taken.map((name) => [name.toLowerCase(), name]));
  }

  isTaken(name: string): boolean {
    const lower = name.toLowerCase();
    const isLinked = [...this.#here.keys()].some((file) => file.toLowerCase() === lower);
    return isLinked || this.#taken.has(lower) || this.#given.has(lower);
  }

  /** Keeps names for links that an interrupted merge gave them to. */
  reserve(names: readonly string[]): void {
    for (const name of names) this.#give(name);
  }

  /** @param before Where an interrupted merge copied it to. */
  async ofFile(name: string, bytes: Buffer, before: string | undefined): Promise<string> {
    if (before !== undefined && this.#isFree(before) && (await this.#holds(before, bytes))) return this.#give(before);
    for (const place of suffixedNames(name)) {
      if (!this.#isFree(place)) continue;
      const isNew = !this.#taken.has(place.toLowerCase()) && !this.#isForeign(name, place);
      if (isNew || (place === name && this.#isSamePlan(name) && (await this.#holds(name, bytes)))) {
        return this.#give(place);
      }
    }
    throw new Error('there is always another name');
  }

  /** Where the link of a file that is gone may point: to nothing, or to the file of the same plan. */
  ofMissing(name: string): string {
    for (const place of suffixedNames(name)) {
      const samePlan = place === name && this.#here.has(name) && this.#isSamePlan(name);
      const nothing = this.#isFree(place) && !this.#taken.has(place.toLowerCase()) && !this.#isForeign(name, place);
      if (samePlan) return place;
      if (nothing) return this.#give(place);
    }
    throw new Error('there is always another name');
  }

  #isFree(place: string): boolean {
    return !this.#given.has(place.toLowerCase());
  }

  #give(place: string): string {
    this.#given.add(place.toLowerCase());
    return place;
  }

  /** Whether the links of both sides to the file of this name are of one plan, or at least one side has none. */
  #isSamePlan(name: string): boolean {
    const coming = this.#coming.get(name);
    const here = this.#here.get(name);
    if (coming === undefined || here === undefined) return true;
    return coming.size === here.size && [...coming].every((id) => here.has(id));
  }

  /** Whether a link of another plan names the place, though its file is gone. */
  #isForeign(name: string, place: string): boolean {
    const here = [...this.#here].filter(([file]) => file.toLowerCase() === place.toLowerCase());
    return here.some(([, ids]) => [...ids].some((id) => !this.#coming.get(name)?.has(id)));
  }

  async #holds(place: string, bytes: Buffer): Promise<boolean> {
    return this.#taken.get(place.toLowerCase()) === place
      ? ((await readFileOf(this.#destination, ['plans', place]))?.equals(bytes) ?? false)
      : false;
  }
}

async function namesIn(files: ProjectFiles): Promise<string[]> {
  return (await listFolder(files, 'plans')).map(({ name }) => name);
}

function idsByFile(document: ContextDocument): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { view } of document.plans.entries) ids.set(view.file, (ids.get(view.file) ?? new Set()).add(view.id));
  return ids;
}
