import { join } from 'node:path';
import { type Backup, BackupId, type BackupReason, type PlanVersion } from '../contract/entities.ts';
import { Failure } from '../contract/errors.ts';
import {
  createDurably,
  FILE_MODE,
  type FileIdentity,
  guard,
  identify,
  isFresh,
  isMissing,
  mapBounded,
  modifiedAt,
  moveDurably,
  OLD_KEPT,
  readWhole,
  sameIdentity,
  systemCode,
} from '../files/index.ts';
import { parseStored } from '../files/json.ts';
import { compareTimes, lookInto, nextTime } from '../files/kept-folder.ts';
import { readDocument } from './document.ts';
import { isPlanFile } from './entries.ts';
import type { ProjectFiles } from './project-files.ts';
import type { Report } from './trash.ts';

/** How many earlier versions are kept for each reason. */
export const MAXIMUM_BACKUPS = 20;
/** How far apart the regular ones are at least: five minutes. */
export const BACKUP_INTERVAL_MS = 5 * 60 * 1000;

/** An earlier version, read. */
export interface EarlierVersion {
  bytes: Buffer;
  /** When these bytes were first written, in ms. */
  modifiedAt: number;
}

/** Where the earlier versions of one file are. */
interface Shelf {
  readonly key: string;
  readonly folder: readonly string[];
  readonly extension: '.json' | '.md';
}

/** A file of a shelf, by its name. */
interface Kept {
  id: string;
  at: number;
  /** What tells several of one moment apart. */
  suffix: number;
  reason: BackupReason;
}

type Counts = Backup['counts'];

const versionName = /^((\d{1,16})-(regular|overwritten|displaced|recovered)(?:-(\d{1,6}))?)(\.json|\.md)$/;
const LATEST_TIME = 8.64e15;
/** How many are read side by side: each can be a whole context of the largest size. */
const CONCURRENCY = 2;

/** Earlier versions of one owner's context and of its plans. */
export class Backups {
  readonly #files: ProjectFiles;
  readonly #now: () => number;
  readonly #report: Report;
  /** For each shelf when the last regular version was taken, as far as that is known; see {@link isDue}. */
  readonly #lastRegular = new Map<string, number>();
  readonly #counts = new Map<string, { identity: FileIdentity; counts: Counts }>();

  constructor(files: ProjectFiles, now: () => number, report: Report) {
    this.#files = files;
    this.#now = now;
    this.#report = report;
  }

  /**
   * Whether the last regular version is older than five minutes, by a clock that may have been put back; none is as well.
   * Looks into the folder once in a run.
   *
   * @param plan File of a plan; left out, it is about the context file.
   */
  async isDue(plan?: string): Promise<boolean> {
    const shelf = shelfOf(plan);
    const now = this.#now();
    if (!this.#lastRegular.has(shelf.key)) {
      const past = (await this.#kept(shelf)).filter(({ at, reason }) => reason === 'regular' && at <= now);
      const last = past.reduce((newest, { at }) => Math.max(newest, at), Number.NEGATIVE_INFINITY);
      this.#lastRegular.set(shelf.key, last);
    }
    return this.#isDue(shelf) ?? true;
  }

  /** {@link isDue} of the context file, without looking into the folder; null while that was not done. */
  get isDueForSure(): boolean | null {
    return this.#isDue(shelfOf());
  }

  #isDue(shelf: Shelf): boolean | null {
    const last = this.#lastRegular.get(shelf.key);
    const now = this.#now();
    return last === undefined ? null : now < last || now - last >= BACKUP_INTERVAL_MS;
  }

  /**
   * Takes a file that was just replaced as an earlier version; nothing else may have a name for it any more.
   *
   * @param keptPath Its path, on the same disk; it is gone from there then.
   */
  adopt(keptPath: string, reason: BackupReason, plan?: string): Promise<string> {
    return this.#take(shelfOf(plan), reason, async (path) => {
      await guard(() => this.#narrow(keptPath), 'The earlier version could not be kept', OLD_KEPT);
      const moved = await moveDurably(this.#files.fileSystem, keptPath, path).catch((error: unknown) => {
        // It has its new name; after a power cut perhaps its old one as well, which is swept one day.
        if (error instanceof Failure && error.detail?.reason === 'not-confirmed') return 'moved';
        throw error;
      });
      if (moved === 'missing') throw new Failure('io', 'The earlier version could not be kept: its file is gone.');
      return moved === 'moved';
    });
  }

  /** Keeps bytes as an earlier version; resolves when they are on the disk. */
  save(bytes: Uint8Array, reason: BackupReason, plan?: string): Promise<string> {
    return this.#take(shelfOf(plan), reason, async (path) => {
      return (await createDurably(this.#files.fileSystem, path, bytes)) !== 'taken';
    });
  }

  /** Earlier versions of the context, newest first, with what they hold. */
  async list(): Promise<Backup[]> {
    const shelf = shelfOf();
    const { path, kept } = await this.#look(shelf);
    const backups = await mapBounded(kept.reverse(), CONCURRENCY, async ({ id, at, reason }) => {
      const file = join(path, `${id}${shelf.extension}`);
      const found = await identify(this.#files.fileSystem, file);
      if (found.state !== 'present') return null;
      return {
        id,
        at,
        reason,
        bytes: Number(found.identity.size),
        counts: await this.#count(id, file, found.identity),
      };
    });
    const ids = new Set(kept.map(({ id }) => id));
    for (const id of this.#counts.keys()) if (!ids.has(id)) this.#counts.delete(id);
    return backups.filter((backup) => backup !== null);
  }

  /** Earlier versions of a plan's document, newest first. */
  async listPlan(file: string): Promise<PlanVersion[]> {
    const shelf = shelfOf(file);
    const { path, kept } = await this.#look(shelf);
    const versions = await mapBounded(kept.reverse(), CONCURRENCY, async ({ id, at, reason }) => {
      const found = await identify(this.#files.fileSystem, join(path, `${id}${shelf.extension}`));
      return found.state === 'present' ? { id, at, reason, bytes: Number(found.identity.size) } : null;
    });
    return versions.filter((version) => version !== null);
  }

  /**
   * An earlier version of the context.
   *
   * @throws Failure `not-found`, `io`, `malformed` for one that is too large.
   */
  read(id: string): Promise<EarlierVersion> {
    return this.#read(shelfOf(), id);
  }

  /** An earlier version of a plan's document. */
  readPlan(file: string, id: string): Promise<EarlierVersion> {
    return this.#read(shelfOf(file), id);
  }

  async #read(shelf: Shelf, id: string): Promise<EarlierVersion> {
    if (!BackupId.safeParse(id).success) throw versionGone();
    const path = await this.#files.root.locate(...this.#names(shelf), `${id}${shelf.extension}`);
    const read = await readWhole(this.#files.fileSystem, path);
    if (read.state === 'missing') throw versionGone();
    if (read.state === 'unknown') throw read.failure;
    return { bytes: read.bytes, modifiedAt: modifiedAt(read.identity) };
  }

  /** @param make Makes the version at a path; answers false when something has that name. */
  async #take(shelf: Shelf, reason: BackupReason, make: (path: string) => Promise<boolean>): Promise<string> {
    await this.#files.prepareFolder('.sidekeep', ...shelf.folder);
    const { names, kept } = await this.#look(shelf);
    const now = this.#now();
    const at = nextTime(
      kept.map((one) => one.at),
      now,
    );
    for (let suffix = 0; ; suffix++) {
      const id = suffix === 0 ? `${at}-${reason}` : `${at}-${reason}-${suffix}`;
      const name = `${id}${shelf.extension}`;
      if (names.includes(name)) continue;
      if (!(await make(await this.#files.root.locate(...this.#names(shelf), name)))) continue;
      if (reason === 'regular') this.#lastRegular.set(shelf.key, now);
      await this.#prune(shelf, [...kept, { id, at, suffix, reason }], reason);
      return id;
    }
  }

  /** Removes the oldest of a reason that are too many. @param kept The oldest first. */
  async #prune(shelf: Shelf, kept: readonly Kept[], reason: BackupReason): Promise<void> {
    const sorted = kept.filter((one) => one.reason === reason);
    for (const { id } of sorted.slice(0, Math.max(0, sorted.length - MAXIMUM_BACKUPS))) {
      try {
        const path = await this.#files.root.locate(...this.#names(shelf), `${id}${shelf.extension}`);
        // Only a file of ours: anything else by this name is a stranger's.
        if ((await this.#files.fileSystem.lstat(path)).isFile()) await this.#files.fileSystem.unlink(path);
      } catch (error) {
        if (!isMissing(error)) this.#report('removing an earlier version', error);
      }
    }
  }

  /** Takes from a file what others may do with it; what it may be in the data folder it need not be here. */
  async #narrow(path: string): Promise<void> {
    const handle = await this.#files.fileSystem.open(path, 'r').catch((error: unknown) => {
      // What cannot be read by its owner is open to nobody else either, or is no file: moving it will tell.
      if (['EACCES', 'ELOOP', 'ENOENT'].includes(systemCode(error) ?? '')) return null;
      throw error;
    });
    if (handle === null) return;
    try {
      const mode = Number((await handle.stat()).mode & 0o777n);
      if ((mode & ~FILE_MODE) !== 0) await handle.chmod(mode & FILE_MODE);
    } catch (error) {
      // Somebody else's file: the folder that it goes to is closed to others anyway.
      if (systemCode(error) !== 'EPERM') throw error;
    } finally {
      // Nothing was written through it.
      await handle.close().catch(() => undefined);
    }
  }

  async #count(id: string, path: string, identity: FileIdentity): Promise<Counts> {
    const known = this.#counts.get(id);
    if (known && sameIdentity(known.identity, identity)) return known.counts;
    const read = await readWhole(this.#files.fileSystem, path);
    if (read.state !== 'present') return null;
    const counts = countsOf(read.bytes);
    if (!isFresh(read.identity, Date.now())) this.#counts.set(id, { identity: read.identity, counts });
    return counts;
  }

  async #kept(shelf: Shelf): Promise<Kept[]> {
    return (await this.#look(shelf)).kept;
  }

  /** What is on a shelf, the oldest first. */
  async #look(shelf: Shelf): Promise<{ path: string; names: string[]; kept: Kept[] }> {
    const { path, names } = await lookInto(this.#files, ...shelf.folder);
    const kept = names.map((name) => keptOf(name, shelf)).filter((one) => one !== null);
    const now = this.#now();
    kept.sort((left, right) => compareTimes(left.at, right.at, now) || left.suffix - right.suffix);
    return { path, names, kept };
  }

  #names(shelf: Shelf): string[] {
    return ['projects', this.#files.id, '.sidekeep', ...shelf.folder];
  }
}

function shelfOf(plan?: string): Shelf {
  if (plan === undefined) return { key: '', folder: ['backups'], extension: '.json' };
  if (!isPlanFile(plan)) throw versionGone();
  return { key: plan, folder: ['backups', 'plans', plan], extension: '.md' };
}

function keptOf(name: string, { extension }: Shelf): Kept | null {
  const match = versionName.exec(name);
  const [, id = '', time = '', reason, suffix = '0'] = match ?? [];
  const at = Number(time);
  if (match === null || match[5] !== extension || at > LATEST_TIME) return null;
  return { id, at, suffix: Number(suffix), reason: reason as BackupReason };
}

function countsOf(bytes: Buffer): Counts {
  try {
    const { notes, todos, plans } = readDocument(parseStored(bytes, 'The earlier version'), 0);
    return { notes: notes.entries.length, todos: todos.entries.length, plans: plans.entries.length };
  } catch (error) {
    // The list says that it cannot be read.
    if (error instanceof Failure) return null;
    throw error;
  }
}

function versionGone(): Failure {
  return new Failure('not-found', 'This earlier version is not there any more. Nothing was changed.');
}
