import {
  type SessionRef,
  type SessionReport,
  type StoreKey,
  sessionKey,
  type TrashedRef,
  type TrashedSession,
} from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import { guard } from '../files/index.ts';
import { deletedAmong, isSpent, revive } from './deleted-ids.ts';
import { Deletion } from './deletion.ts';
import { heldFailure } from './holder.ts';
import type { FolderChoice } from './own-folder.ts';
import { idOfMarker, readMarker, removeMarker, writeMarker } from './pending-marker.ts';
import { removeEntry } from './removal.ts';
import { Restoration } from './restoration.ts';
import type { SessionFiles } from './session-files.ts';
import { storedTitle } from './stored-title.ts';
import { isSession, leavingFolder, liveOf, notFound, TrashContext, type TrashOptions } from './trash-context.ts';
import type { TrashEntry } from './trash-entry.ts';
import { trashedIn } from './trash-list.ts';
import { parseEntryName } from './trash-names.ts';
import { deleteMarked, type Reconciled, reconcileStore, resumeEntry } from './trash-reconcile.ts';
import { repairFindings } from './trash-repair.ts';
import { type MadeReport, makeReport } from './trash-report.ts';

export interface SessionTrashOptions extends TrashOptions {
  /** Told of sessions that went to the trash later than they were deleted: they had been open elsewhere. */
  onDeleted?: (session: SessionRef, trashed: TrashedRef) => void;
}

interface DeleteOptions {
  /** Hides it now and moves it when whoever has it open lets go of it. */
  whenFree?: boolean | undefined;
  /** Whether a folder of its own that holds files goes along; an empty one always does. */
  folder?: FolderChoice;
}

interface Deleted {
  /** Its entry; null while it is hidden and waits. */
  trashed: TrashedRef | null;
  /** Why its own folder stays; null when it went along, or there is none. */
  folderKept: string | null;
}

/** Pauses between the looks at sessions that wait to be deleted, in ms; the last one again and again. */
const pauses = [1000, 2000, 5000, 10_000, 30_000];
const KEPT_REPORTS = 4;
const DELETE_FAILED = 'The session was not deleted';

/**
 * Deletes sessions, whole or not at all, brings them back and removes them for good
 * (docs/formats/session-format.md, section 12).
 */
export class SessionTrash {
  readonly context: TrashContext;
  readonly #onDeleted: (session: SessionRef, trashed: TrashedRef) => void;
  readonly #startedAt: number;
  /** Sessions that are hidden and wait to be moved. */
  readonly #waiting = new Map<
    string,
    { files: SessionFiles; entry: TrashEntry | null; title: string; since: number }
  >();
  /** The newest reports, which their repairs need. */
  readonly #reports = new Map<string, MadeReport>();
  #timer: NodeJS.Timeout | null = null;
  #looks = 0;
  #disposed = false;

  constructor(options: SessionTrashOptions) {
    this.context = new TrashContext(options);
    this.#onDeleted = options.onDeleted ?? (() => undefined);
    this.#startedAt = this.context.now();
  }

  /**
   * Moves a session with everything that belongs to it to the trash. Deleting it again answers the same.
   *
   * @returns Its entry; null while it is hidden and waits for whoever has it open (`whenFree`).
   * @throws Failure `in-use` with nothing touched; `not-found`; `invalid`; `io`.
   */
  async delete(ref: SessionRef, options: Omit<DeleteOptions, 'folder'> = {}): Promise<TrashedRef | null> {
    return (await this.deleteWith(ref, options)).trashed;
  }

  /** As {@link delete}, with what becomes of the folder of its own that the session may have. */
  async deleteWith(ref: SessionRef, { whenFree = false, folder }: DeleteOptions = {}): Promise<Deleted> {
    const files = this.context.filesOf(ref);
    return this.context.queue.run(sessionKey(ref), async () => {
      const found = await files.existing();
      if (!isSession(found)) return { trashed: await this.#alreadyDeleted(files), folderKept: null };
      const hold = await this.context.hold(files);
      if (hold !== null && !whenFree) throw heldFailure(hold.holder, DELETE_FAILED);
      if (hold !== null) return this.#park(files, folder);
      return this.#move(files, found, { whenFree, folder });
    });
  }

  /**
   * Brings a session back, whole; of one that waits to be deleted, takes the deletion back.
   *
   * @throws Failure `conflict` naming what is in the way, `in-use`, `not-found`, `io`: it is in the trash as it was.
   */
  async restore({ store, name }: TrashedRef): Promise<SessionRef> {
    const { context } = this;
    const waiting = idOfMarker(name);
    if (waiting !== null) return this.#takeBack(context.filesOf({ store, id: waiting }));
    const entry = await this.#entry({ store, name });
    const id = (await entry.identity())?.id;
    if (id === undefined) throw unknownEntry();
    const files = context.filesOf({ store, id });
    return context.queue.run(sessionKey(files.ref), async () => {
      const told = (await entry.folder()) === null ? null : await entry.identity();
      if (told === null) throw goneFromTrash();
      if (told.journal?.phase === 'open') throw busy();
      const hold = await context.hold(files);
      if (hold !== null) throw heldFailure(hold.holder, 'The session was not brought back');
      const restoration = await Restoration.begin(files, entry, told, context.ownFolders);
      try {
        await restoration.finish(() => revive(context, entry.store, id, name));
      } catch (error) {
        if (isUnfinished(error)) this.#wait(files, entry);
        throw error;
      }
      return files.ref;
    });
  }

  /** What is in the trash of all stores, newest first, with what waits to be moved there. */
  async list(): Promise<TrashedSession[]> {
    const { stores } = await this.context.stores.list();
    const items: TrashedSession[] = [...this.#waiting.values()].flatMap(({ files, entry, title, since }) =>
      entry !== null ? [] : waitingItem(files, title, since),
    );
    for (const store of stores) {
      try {
        items.push(...(await trashedIn(this.context, store)));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.context.report('reading the trash of a store', error);
      }
    }
    return items.sort((left, right) => right.deletedAt - left.deletedAt);
  }

  /** Removes entries for good; those that cannot be are named with the reason, and the others go all the same. */
  async purge(
    items: readonly TrashedRef[],
  ): Promise<{ purged: number; failed: { item: TrashedRef; reason: string }[] }> {
    const failed: { item: TrashedRef; reason: string }[] = [];
    let purged = 0;
    for (const item of items) {
      try {
        const entry = await this.#entry(item);
        const id = (await entry.identity())?.id ?? item.name;
        await this.context.queue.run(sessionKey({ store: item.store, id }), () =>
          removeEntry(entry, this.context.tombstones, this.context.report),
        );
        purged++;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failed.push({ item, reason: error.message });
      }
    }
    return { purged, failed };
  }

  /**
   * To be called at start: carries on with whatever was stopped half-way, looks at what waits to be deleted, and removes
   * what has been in the trash for 30 days and was put there by Sidekeep.
   *
   * @throws When the signal says so; what was done until then is done.
   */
  async reconcile(signal?: AbortSignal): Promise<Reconciled> {
    const found: Reconciled = { deleted: [], restored: [], waiting: [], purged: 0, left: [] };
    const { stores } = await this.context.stores.list();
    for (const store of stores) {
      try {
        await reconcileStore(this.context, store, this.#startedAt, found, signal);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.context.report('finishing what was left undone in a store', error);
        found.left.push({ store: store.key, name: '', reason: error.message });
      }
    }
    for (const ref of found.waiting) await this.#waitFor(this.context.filesOf(ref));
    return found;
  }

  /** Looks once at what waits to be deleted; answers how many still wait. */
  async retry(): Promise<number> {
    const { context } = this;
    for (const [key, { files, entry }] of this.#waiting) {
      const found: Reconciled = { deleted: [], restored: [], waiting: [], purged: 0, left: [] };
      try {
        await context.queue.run(key, async () => {
          if (!this.#waiting.has(key)) return;
          if (entry !== null) await resumeEntry(context, entry, found);
          else if (await isMarked(files)) await deleteMarked(context, files, found);
          if (found.waiting.length === 0) this.#waiting.delete(key);
        });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        context.report('moving a session to the trash', error);
      }
      for (const trashed of found.deleted) this.#onDeleted(files.ref, trashed);
    }
    return this.#waiting.size;
  }

  /**
   * Which of these sessions were deleted here and not brought back: what is live under such an id was written since by a
   * program that did not notice. A list must not show it as if nothing had happened; the report names it.
   */
  deletedAmong(store: StoreKey, ids: ReadonlySet<string>): Promise<Set<string>> {
    return deletedAmong(this.context, this.context.stores.get(store), ids);
  }

  /** The newest entry of a session that was deleted here and not brought back, or that waits to be; null when there is none. */
  async newestEntry(ref: SessionRef): Promise<TrashedRef | null> {
    const { context } = this;
    const files = context.filesOf(ref);
    if (this.#waiting.has(sessionKey(ref))) return { store: ref.store, name: files.name('cleanup-pending') };
    let newest: { at: number; ref: TrashedRef } | null = null;
    for (const entry of await context.entriesOf(files.store, new Set([ref.id]))) {
      const read = await entry.readJournal();
      if (read.state !== 'present' || read.value.id !== ref.id || read.value.revived) continue;
      if (newest === null || read.value.deletedAt > newest.at) newest = { at: read.value.deletedAt, ref: entry.ref };
    }
    return newest?.ref ?? null;
  }

  /** Whether a session is deleted, or about to be: a late save must fail, and its id must not be used again. */
  async isDeleted(ref: SessionRef): Promise<boolean> {
    const files = this.context.filesOf(ref);
    if (this.#waiting.has(sessionKey(ref))) return true;
    if ((await readMarker(files)).state !== 'missing') return true;
    return (await this.deletedAmong(ref.store, new Set([ref.id]))).size > 0;
  }

  /** Whether an id is one that no new session may have: of one that was deleted here or elsewhere, or is about to be. */
  async isSpent(ref: SessionRef): Promise<boolean> {
    const { store } = this.context.filesOf(ref);
    return (await isSpent(this.context, store, ref.id)) || this.isDeleted(ref);
  }

  /** How much space what takes up, and what is damaged, orphaned or left over. Changes nothing. */
  async report(signal?: AbortSignal): Promise<SessionReport> {
    const made = await makeReport(this.context, signal);
    this.#reports.set(made.report.id, made);
    for (const id of [...this.#reports.keys()].slice(0, -KEPT_REPORTS)) this.#reports.delete(id);
    return made.report;
  }

  /**
   * Does what a report showed for the findings named, and nothing else.
   *
   * @throws Failure `not-found` for a report that is not known any more.
   */
  async repair(reportId: string, findings: readonly string[], signal?: AbortSignal): ReturnType<typeof repairFindings> {
    const made = this.#reports.get(reportId);
    if (made === undefined) {
      throw new Failure('not-found', 'This report is not known any more. Nothing was changed. Make a new one.');
    }
    return repairFindings(this.context, made, findings, signal);
  }

  /** Waits for what is being done, and looks at nothing any more. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.context.queue.idle();
  }

  async #move(
    files: SessionFiles,
    found: Parameters<typeof Deletion.begin>[1],
    { whenFree, folder }: DeleteOptions,
  ): Promise<Deleted> {
    const { own, kept } = await leavingFolder(this.context, files, folder);
    const deletion = await Deletion.begin(files, found, this.context.now(), own);
    // Since the session is hidden nobody opens it any more; somebody may have done so just before.
    const hold = await this.context.hold(files);
    if (hold !== null) {
      await guard(() => deletion.withdraw(), DELETE_FAILED, 'It is hidden until the next start.');
      if (!whenFree) throw heldFailure(hold.holder, DELETE_FAILED);
      return this.#park(files, folder);
    }
    try {
      await deletion.finish();
    } catch (error) {
      if (isUnfinished(error)) this.#wait(files, deletion.entry);
      throw error;
    }
    this.#waiting.delete(sessionKey(files.ref));
    return { trashed: deletion.entry.ref, folderKept: kept };
  }

  /** Hides a session until it can be moved. */
  async #park(files: SessionFiles, folder: FolderChoice): Promise<Deleted> {
    await writeMarker(files, this.context.now(), folder);
    await this.#waitFor(files);
    return { trashed: null, folderKept: null };
  }

  async #waitFor(files: SessionFiles): Promise<void> {
    const title = await storedTitle(this.context.fileSystem, (kind) => files.path(kind));
    this.#wait(files, null, title ?? files.id);
  }

  #wait(files: SessionFiles, entry: TrashEntry | null, title = files.id): void {
    this.#waiting.set(sessionKey(files.ref), { files, entry, title, since: this.context.now() });
    this.#looks = 0;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#disposed || this.#timer !== null || this.#waiting.size === 0) return;
    const pause = pauses[Math.min(this.#looks, pauses.length - 1)];
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#looks++;
      this.retry()
        .catch((error: unknown) => this.context.report('looking at sessions that wait to be deleted', error))
        .finally(() => this.#schedule());
    }, pause);
    this.#timer.unref();
  }

  async #takeBack(files: SessionFiles): Promise<SessionRef> {
    return this.context.queue.run(sessionKey(files.ref), async () => {
      const marker = await readMarker(files);
      const isOurs = marker.state === 'present' && marker.value.operation === 'delete';
      if (!isOurs || liveOf(await files.existing()).length === 0) throw goneFromTrash();
      await removeMarker(files);
      this.#waiting.delete(sessionKey(files.ref));
      return files.ref;
    });
  }

  /** @throws Failure `not-found` for what is no entry of the trash. */
  async #entry({ store, name }: TrashedRef): Promise<TrashEntry> {
    const entry = this.context.entryOf(this.context.stores.get(store), name);
    if (parseEntryName(name) === null || (await entry.folder()) === null) throw goneFromTrash();
    return entry;
  }

  /** Who deletes it again gets the same answer. */
  async #alreadyDeleted(files: SessionFiles): Promise<TrashedRef> {
    const newest = await this.newestEntry(files.ref);
    if (newest === null) throw notFound();
    return newest;
  }
}

const isUnfinished = (error: unknown): boolean => error instanceof Failure && error.detail?.reason === 'unfinished';

async function isMarked(files: SessionFiles): Promise<boolean> {
  const marker = await readMarker(files);
  return marker.state === 'present' && marker.value.operation === 'delete';
}

function waitingItem(files: SessionFiles, title: string, since: number): TrashedSession {
  const problem = 'It is hidden, and goes to the trash when the program that has it open lets go of it.';
  const name = files.name('cleanup-pending');
  const { ref } = files;
  return {
    store: ref.store,
    name,
    session: ref,
    title,
    deletedAt: since,
    purgeAt: null,
    files: 0,
    bytes: 0,
    folderFiles: null,
    problem,
  };
}

function busy(): Failure {
  return new Failure(
    'in-use',
    'Sidekeep is not done with this session yet. Nothing was changed. Try again in a moment.',
  );
}

function goneFromTrash(): Failure {
  return new Failure('not-found', 'This is not in the trash any more. Nothing was changed.');
}

function unknownEntry(): Failure {
  return new Failure('malformed', 'Nothing in this entry of the trash tells which session it was. It is unchanged.');
}
