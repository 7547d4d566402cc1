import type { DeletedItem } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  DeletedFiles,
  type FileIdentity,
  type FileState,
  fileOfItem,
  goneForGood,
  identify,
  isFresh,
  LARGEST_TRASH_BYTES,
  mapBounded,
  moveDurably,
  readWhole,
  sameIdentity,
  TRASH_LIFETIME_MS,
} from '../files/index.ts';
import type { ContextDocument } from './document.ts';
import type { ProjectFiles } from './project-files.ts';
import { idOf, isSameFile, parseTrash, type RemovedItem, titleOf, trashBytes } from './trash-item.ts';

export { type RemovedEntry, type RemovedItem, removedFrom } from './trash-item.ts';

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

const folder = ['trash'] as const;
const CONCURRENCY = 8;

/** Told of what went wrong without harming an answer. */
export type Report = (where: string, error: unknown) => void;

/**
 * What was deleted from one owner's context and can come back. Bringing something back changes nothing here: what is in
 * the lists again is not shown any more.
 */
export class Trash {
  readonly #files: ProjectFiles;
  readonly #deleted: DeletedFiles;
  readonly #report: Report;
  readonly #known = new Map<string, Known>();

  constructor(files: ProjectFiles, now: () => number, report: Report) {
    this.#files = files;
    this.#deleted = new DeletedFiles(files, now, report);
    this.#report = report;
  }

  /**
   * Keeps what is about to be taken out of the context; resolves when it is on the disk.
   *
   * @returns For each item the id by which it comes back.
   */
  keep(items: readonly RemovedItem[]): Promise<string[]> {
    return this.#deleted.keep(items.length, (deletedAt) => trashBytes(deletedAt, items));
  }

  /** See {@link DeletedFiles.discard}. */
  discard(ids: readonly string[]): Promise<void> {
    return this.#deleted.discard(ids);
  }

  /** What can come back, newest first: not what is in the lists again, and of one entry only what was deleted last. */
  async list(document: ContextDocument): Promise<DeletedItem[]> {
    const { files, names } = await this.#deleted.list();
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
    const { bytes, index, deletedAt } = await this.#deleted.read(id);
    const item = parseTrash(bytes)[index];
    if (!item) throw goneForGood();
    return { ...item, id, deletedAt };
  }

  /** Where the document of a deleted plan is. */
  planPath(id: string): Promise<string> {
    return this.#deleted.path(`${id}.md`);
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
    const found = (await this.#deleted.documents()).filter(({ deletedAt }) => deletedAt >= since);
    const ids: string[] = [];
    for (const id of found.map(({ name }) => name.slice(0, -3))) {
      const items = await this.#summaries(fileOfItem(id));
      if (isSameFile(items?.[Number(id.slice(id.lastIndexOf('.') + 1))]?.file ?? null, file)) ids.push(id);
    }
    return ids;
  }

  /** See {@link DeletedFiles.purge}. */
  purge(): Promise<number> {
    return this.#deleted.purge();
  }

  /** What a file holds; null when it cannot be read, which is reported. */
  async #summaries(name: string): Promise<(Summary | null)[] | null> {
    const { fileSystem } = this.#files;
    const path = await this.#deleted.path(name);
    const found = await identify(fileSystem, path);
    const known = this.#known.get(name);
    if (found.state === 'present' && known?.trusted && sameIdentity(known.identity, found.identity)) return known.items;
    const read = await readWhole(fileSystem, path, { limit: LARGEST_TRASH_BYTES });
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
