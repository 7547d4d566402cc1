import { type ContextStore, openContextStore } from '../../src/context/index.ts';
import type { ContextSnapshot, DeletedItem } from '../../src/contract/entities.ts';
import { Failure } from '../../src/contract/errors.ts';
import type { FileSystem } from '../../src/files/index.ts';
import type { DiskImage } from './disk-image.ts';
import { MemoryDisk } from './memory-disk.ts';

/** Where the data is on every disk of these tests. */
export const DATA = '/data';

/** A store over a disk in memory, with the time of the disk. */
export function openStore(disk: MemoryDisk, fileSystem: FileSystem = disk): ContextStore {
  return openContextStore({
    root: DATA,
    fileSystem,
    now: () => disk.now,
    isKnownProject: () => true,
    onEvent: () => undefined,
    report: (where, error) => {
      throw new Error(`reported: ${where}`, { cause: error });
    },
    sleep: () => Promise.resolve(),
  });
}

/** What is started over a disk, and whose context is looked at. */
export interface Program {
  readonly owners: readonly string[];
  /** Whether open merges are finished at each start, before anybody asks for anything. */
  readonly resumes?: boolean;
}

/** All that a person can see of one owner. */
export interface OwnerView {
  notes: ContextSnapshot['notes'];
  todos: ContextSnapshot['todos'];
  /** Plans with their text; null when the file is missing. */
  plans: (Omit<ContextSnapshot['plans'][number], 'revision'> & { raw: string | null })[];
  /** Oddities, without their places. */
  health: string[];
  /** What the person is told until they dismiss it. */
  notices: Pick<ContextSnapshot['notices'][number], 'kind' | 'items'>[];
  deleted: DeletedItem[];
}

/** What a disk holds to whoever opens it. */
export interface Inspection {
  /** Null for an owner whose file is damaged. */
  views: (OwnerView | null)[];
  /** The same after everything deleted was brought back; null where an owner's file is damaged. */
  restored: (OwnerView | null)[] | null;
}

/** Something that no disk may ever do. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/**
 * Opens a disk as the program would after a crash and looks at everything of all owners; starts again, which must show the
 * same; writes to each; brings back all that was deleted; looks once more from another start.
 *
 * @param startMs Time of the disk, after everything on it.
 */
export async function inspect(image: DiskImage, program: Program, startMs: number): Promise<Inspection> {
  const disk = new MemoryDisk(image, startMs);
  const views = await opened(disk, program, (store) => viewsOf(store, program));
  if (views.includes(null)) return { views, restored: null };
  const after = await opened(disk, program, async (store) => {
    // Where the first start wrote nothing, the second can see nothing else.
    if (disk.log.length > 0) {
      demandSame('opening it again shows something else', await viewsOf(store, program), views);
    }
    const ids = new Set<string>();
    for (const [index, projectId] of program.owners.entries()) {
      ids.add((await store.notes.create({ projectId, body: 'further' })).note.id);
      await restoreAll(store, projectId, views[index]?.deleted ?? []);
    }
    const restored = await viewsOf(store, program);
    if (restored.some((view) => !view?.notes.some(({ id }) => ids.has(id)))) {
      throw new Violation('a further note is not there');
    }
    return { all: restored, views: without(restored, ids) };
  });
  const last = await opened(disk, program, (store) => viewsOf(store, program));
  demandSame('what was written after the crash is gone at the next start', last, after.all);
  return { views, restored: after.views };
}

/** Starts a program, uses its store and ends it. */
export async function opened<Value>(
  disk: MemoryDisk,
  program: Program,
  use: (store: ContextStore) => Promise<Value>,
): Promise<Value> {
  const store = openStore(disk);
  try {
    if (program.resumes) await store.resumeMerges();
    return await use(store);
  } finally {
    await store.dispose();
  }
}

/** Looks at all owners, one after the other. */
export async function viewsOf(store: ContextStore, { owners }: Program): Promise<(OwnerView | null)[]> {
  const views: (OwnerView | null)[] = [];
  for (const projectId of owners) views.push(await viewOf(store, projectId));
  return views;
}

async function viewOf(store: ContextStore, projectId: string): Promise<OwnerView | null> {
  const context = await store.context.get({ projectId }).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'malformed') return null;
    throw error;
  });
  if (context === null) return null;
  const plans = await Promise.all(
    context.plans.map(async ({ revision: _revision, ...plan }) => {
      const raw = plan.missing ? null : (await store.plans.read({ projectId, planId: plan.id })).raw;
      return { ...plan, raw };
    }),
  );
  const { items } = await store.context.deleted({ projectId });
  return {
    notes: context.notes,
    todos: context.todos,
    plans,
    health: context.health.map(({ list, problem }) => `${list} ${problem}`),
    notices: context.notices.map(({ kind, items }) => ({ kind, items })),
    deleted: items,
  };
}

async function restoreAll(store: ContextStore, projectId: string, items: readonly DeletedItem[]): Promise<void> {
  for (const { id: trashId, kind } of items) {
    if (kind === 'note') await store.notes.restore({ projectId, trashId });
    else if (kind === 'todos') await store.todos.restore({ projectId, trashId });
    else await store.plans.restore({ projectId, trashId });
  }
}

function without(views: readonly (OwnerView | null)[], noteIds: ReadonlySet<string>): (OwnerView | null)[] {
  return views.map((view) => view && { ...view, notes: view.notes.filter(({ id }) => !noteIds.has(id)) });
}

function demandSame(what: string, found: unknown, expected: unknown): void {
  const difference = firstDifference(JSON.stringify(found), JSON.stringify(expected));
  if (difference !== null) throw new Violation(`${what}: ${difference}`);
}

/** Where two texts part, with what stands around it; null when they are the same. */
export function firstDifference(found: string, expected: string): string | null {
  if (found === expected) return null;
  let place = 0;
  while (found[place] === expected[place]) place++;
  const around = (text: string): string => text.slice(Math.max(0, place - 60), place + 140);
  return `found …${around(found)}… expected …${around(expected)}…`;
}
