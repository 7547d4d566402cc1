import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type DeletedItem, TrashId } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  createDurably,
  type FileIdentity,
  type FileState,
  identify,
  isFresh,
  isMissing,
  MAXIMUM_FILE_BYTES,
  mapBounded,
  moveDurably,
  readWhole,
  sameIdentity,
} from '../files/index.ts';
import { lookInto, nextTime } from '../files/kept-folder.ts';
import type { ContextDocument } from './document.ts';
import type { ProjectFiles } from './project-files.ts';
import { idOf, isSameFile, parseTrash, type RemovedItem, titleOf, trashBytes } from './trash-item.ts';

export { type RemovedEntry, type RemovedItem, removedFrom } from './trash-item.ts';

/** How long something that was deleted can come back: 30 days. */
export const TRASH_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Something of the trash, to be brought back. */
export interface TrashItem extends RemovedItem {
  readonly id: string;
  readonly deletedAt: number;
}

/** What is remembered of an item: enough for the list, without its texts. */
interface Summary {
  kind: DeletedItem['kind'];
  entries: { id: string; title: string }[];
  file: string | null;
}

interface Known {
  identity: FileIdentity;
  trusted: boolean;
  items: (Summary | null)[];
}

const jsonName = /^(\d{1,16})-[0-9a-f]{12}\.json$/;
const planName = /^(\d{1,16})-[0-9a-f]{12}\.\d+\.md$/;
const folder = ['trash'] as const;
const LATEST_TIME = 8.64e15;
/** The entries of the largest context file, with more blanks in front of each line. */
const LARGEST_BYTES = 4 * MAXIMUM_FILE_BYTES;
const CONCURRENCY = 8;

/** Told of what went wrong without harming an answer. */
export type Report = (where: string, error: unknown) => void;

/**
 * What was deleted from one owner's context and can come back. Bringing something back changes nothing here: what is in
 * the lists again is not shown any more.
 */
export class Trash {
  readonly #files: ProjectFiles;
  readonly #now: () => number;
  readonly #report: Report;
  readonly #known = new Map<string, Known>();
  /** The last time that a file was named by; null before the first look. */
  #newest: number | null = null;

  constructor(files: ProjectFiles, now: () => number, report: Report) {
    this.#files = files;
    this.#now = now;
    this.#report = report;
  }

  /**
   * Keeps what is about to be taken out of the context; resolves when it is on the disk.
   *
   * @returns For each item the id by which it comes back.
   */
  async keep(items: readonly RemovedItem[]): Promise<string[]> {
    if (items.length === 0) return [];
    await this.#files.prepareFolder('.sidekeep', ...folder);
    for (;;) {
      const deletedAt = nextTime(this.#newest === null ? await this.#times() : [this.#newest], this.#now());
      const name = `${deletedAt}-${randomBytes(6).toString('hex')}`;
      const path = await this.#path(`${name}.json`);
      const made = await createDurably(this.#files.fileSystem, path, trashBytes(deletedAt, items));
      this.#newest = deletedAt;
      if (made !== 'taken') return items.map((_item, index) => `${name}.${index}`);
    }
  }

  /**
   * Takes back what was kept for a change that was then not made. It may fail without harm: what is in the lists is not
   * shown as deleted.
   */
  async discard(ids: readonly string[]): Promise<void> {
    for (const name of new Set(ids.map((id) => fileOf(id)))) {
      try {
        await this.#files.fileSystem.unlink(await this.#path(name));
      } catch (error) {
        if (!isMissing(error)) this.#report('taking back what was kept of a delete', error);
      }
    }
  }

  /** What can come back, newest first: not what is in the lists again, and of one entry only what was deleted last. */
  async list(document: ContextDocument): Promise<DeletedItem[]> {
    const { names } = await lookInto(this.#files, ...folder);
    const files = names
      .map((name) => ({ name, deletedAt: timeOf(jsonName, name) }))
      .filter((file): file is { name: string; deletedAt: number } => file.deletedAt !== null)
      .filter(({ deletedAt }) => !this.#isExpired(deletedAt))
      .sort((left, right) => right.deletedAt - left.deletedAt || (left.name < right.name ? 1 : -1));
    const known = await mapBounded(files, CONCURRENCY, ({ name }) => this.#summaries(name));
    for (const name of this.#known.keys()) if (!names.includes(name)) this.#known.delete(name);
    const taken = takenIds(document);
    return files.flatMap(({ name, deletedAt }, place) =>
      (known[place] ?? [])
        .map((item, index) => item && shownItem(item, `${name.slice(0, -5)}.${index}`, deletedAt, taken))
        .filter((item) => item !== null),
    );
  }

  /**
   * One item, to be brought back.
   *
   * @throws Failure `not-found` when it is gone for good, `malformed`, `newer-version`.
   */
  async read(id: string): Promise<TrashItem> {
    const deletedAt = TrashId.safeParse(id).success ? timeOf(jsonName, fileOf(id)) : null;
    if (deletedAt === null || this.#isExpired(deletedAt)) throw goneForGood();
    const read = await readWhole(this.#files.fileSystem, await this.#path(fileOf(id)), { limit: LARGEST_BYTES });
    if (read.state === 'unknown') throw read.failure;
    const item = read.state === 'missing' ? null : parseTrash(read.bytes)[Number(id.slice(id.lastIndexOf('.') + 1))];
    if (!item) throw goneForGood();
    return { ...item, id, deletedAt };
  }

  /** Where the document of a deleted plan is. */
  planPath(id: string): Promise<string> {
    return this.#path(`${id}.md`);
  }

  /** The document of a deleted plan; never through a link. */
  async readPlan(id: string): Promise<FileState<{ bytes: Buffer }>> {
    return readWhole(this.#files.fileSystem, await this.planPath(id));
  }

  /**
   * The deleted plans that had a file of this name and whose document is here, newest first.
   *
   * @param since Only those deleted at this time or later, in ms.
   */
  async plansOf(file: string, since = 0): Promise<string[]> {
    const { names } = await lookInto(this.#files, ...folder);
    const found = names
      .map((name) => ({ name, deletedAt: timeOf(planName, name) ?? -1 }))
      .filter(({ deletedAt }) => deletedAt >= since && !this.#isExpired(deletedAt))
      .sort((left, right) => right.deletedAt - left.deletedAt);
    const ids: string[] = [];
    for (const id of found.map(({ name }) => name.slice(0, -3))) {
      const items = await this.#summaries(fileOf(id));
      if (isSameFile(items?.[Number(id.slice(id.lastIndexOf('.') + 1))]?.file ?? null, file)) ids.push(id);
    }
    return ids;
  }

  /** Removes for good what was deleted 30 days ago, and no stranger; answers how many files that were. */
  async purge(): Promise<number> {
    const { path, names } = await lookInto(this.#files, ...folder);
    let removed = 0;
    for (const name of names) {
      const isPlan = planName.test(name);
      const deletedAt = timeOf(isPlan ? planName : jsonName, name);
      if (deletedAt === null || !this.#isExpired(deletedAt)) continue;
      try {
        const status = await this.#files.fileSystem.lstat(join(path, name));
        // A plan can have been a link; nothing else of ours is one.
        if (!status.isFile() && !(isPlan && status.isSymbolicLink())) continue;
        await this.#files.fileSystem.unlink(join(path, name));
        removed++;
      } catch (error) {
        if (!isMissing(error)) this.#report('emptying the trash', error);
      }
    }
    return removed;
  }

  /** What a file holds; null when it cannot be read, which is reported. */
  async #summaries(name: string): Promise<(Summary | null)[] | null> {
    const { fileSystem } = this.#files;
    const path = await this.#path(name);
    const found = await identify(fileSystem, path);
    const known = this.#known.get(name);
    if (found.state === 'present' && known?.trusted && sameIdentity(known.identity, found.identity)) return known.items;
    const read = await readWhole(fileSystem, path, { limit: LARGEST_BYTES });
    if (read.state === 'missing') return null;
    if (read.state === 'unknown') {
      this.#report('reading what was deleted', read.failure);
      return null;
    }
    let items: (Summary | null)[] = [];
    try {
      items = parseTrash(read.bytes).map((item) => item && summaryOf(item));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#report('reading what was deleted', error);
    }
    this.#known.set(name, { identity: read.identity, trusted: !isFresh(read.identity, Date.now()), items });
    return items;
  }

  async #times(): Promise<number[]> {
    const { names } = await lookInto(this.#files, ...folder);
    return names.map((name) => timeOf(jsonName, name)).filter((time) => time !== null);
  }

  #isExpired(deletedAt: number): boolean {
    return deletedAt + TRASH_LIFETIME_MS <= this.#now();
  }

  #path(name: string): Promise<string> {
    return this.#files.root.locate('projects', this.#files.id, '.sidekeep', ...folder, name);
  }
}

/**
 * Moves the file of a plan whose link is gone to the trash; a link itself, never what it points to.
 *
 * @returns False when there is no such file.
 */
export async function trashPlanFile(files: ProjectFiles, file: string, trashId: string): Promise<boolean> {
  await files.prepareFolder('.sidekeep', ...folder);
  const target = await files.root.locate('projects', files.id, '.sidekeep', ...folder, `${trashId}.md`);
  const moved = await moveDurably(files.fileSystem, await files.planPath(file), target);
  if (moved === 'taken') {
    throw new Failure('io', 'Another file stands where the deleted plan should go. It is still in its place.', {
      detail: { reason: 'taken' },
    });
  }
  return moved === 'moved';
}

/** The id of an entry in the trash, with its kind: lists may use the same ids. */
const key = (kind: DeletedItem['kind'], id: string): string => `${kind} ${id}`;

function takenIds({ notes, todos, plans }: ContextDocument): Set<string> {
  return new Set([
    ...notes.entries.map(({ view }) => key('note', view.id)),
    ...todos.entries.map(({ view }) => key('todos', view.id)),
    ...plans.entries.map(({ view }) => key('plan', view.id)),
  ]);
}

/** @param taken Ids that are in the lists or in a newer item; those of this one are added. */
function shownItem(item: Summary, id: string, deletedAt: number, taken: Set<string>): DeletedItem | null {
  const { kind } = item;
  const entries = item.entries.filter((entry) => !taken.has(key(kind, entry.id)));
  for (const entry of entries) taken.add(key(kind, entry.id));
  const [first] = entries;
  if (first === undefined) return null;
  const expiresAt = deletedAt + TRASH_LIFETIME_MS;
  return { id, kind, deletedAt, expiresAt, title: first.title, count: entries.length };
}

function summaryOf({ kind, entries, file }: RemovedItem): Summary {
  const shown = entries.map(({ raw }) => ({ id: idOf(raw), title: titleOf(kind, raw) }));
  return { kind, entries: shown, file: file ?? null };
}

/** The time in a name of ours; null for any other name, and for a time that no date can hold. */
function timeOf(pattern: RegExp, name: string): number | null {
  const time = Number(pattern.exec(name)?.[1] ?? Number.NaN);
  return time + TRASH_LIFETIME_MS <= LATEST_TIME ? time : null;
}

const fileOf = (id: string): string => `${id.slice(0, id.lastIndexOf('.'))}.json`;

function goneForGood(): Failure {
  return new Failure(
    'not-found',
    'This cannot be brought back any more: what is deleted is kept for 30 days. Earlier versions of the context may still hold it.',
  );
}
