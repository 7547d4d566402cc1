import { Failure } from '../contract/errors.ts';
import {
  childPath,
  type FileIdentity,
  type FileState,
  guard,
  identify,
  modifiedAt,
  putBack,
  readParsed,
  readWhole,
  removeTemporary,
  replaceDurably,
  sameIdentity,
  type Unchanged,
  writeDurably,
} from '../files/index.ts';
import { isRecord, type JsonObject, own, parseStored, serialiseStored } from '../files/json.ts';
import { type ContextDocument, writtenDocument } from './document.ts';
import {
  type LegacyData,
  legacyDataOf,
  missingEntries,
  missingLinks,
  missingNotes,
  withoutLegacyData,
} from './legacy.ts';
import { moveLegacyPlans } from './legacy-plans.ts';
import { nameOf } from './notices.ts';
import type { ProjectFiles } from './project-files.ts';

/**
 * Moves an owner's legacy data from the client's settings file into its context file
 * (docs/formats/context-format.md, section 5): plan files first, then the context file, then the keys go. A crash between
 * any two steps leaves data in both places, which the next run tells from new data by its ids and texts.
 */
export class LegacyMigration {
  readonly #files: ProjectFiles;
  /** The state of the settings file in which nothing (more) can be moved; undefined before the first look. */
  #done: FileIdentity | null | undefined;
  #path: string | null = null;
  /** Names of the plan files that could not be taken along, as of the last look; they wait in the settings. */
  waiting: readonly string[] = [];

  constructor(files: ProjectFiles) {
    this.#files = files;
  }

  /** The settings file in the state in which nothing (more) can be moved from it; null while that is not known. */
  get settled(): Unchanged | null {
    return this.#path === null || this.#done === undefined ? null : { path: this.#path, identity: this.#done };
  }

  /** Looks whether there is a settings file; the first step of {@link run}, which may go beside reading the context file. */
  async look(): Promise<FileState<object>> {
    // Nothing is read yet: whether a link is on the way is asked for the context file, and before this one is opened.
    this.#path = childPath(await this.#files.root.path(), 'projects', `${this.#files.id}.json`);
    return identify(this.#files.fileSystem, this.#path);
  }

  /**
   * @param document The context file as it is; never one that cannot be read.
   * @param looked What {@link look} found.
   * @param allowed Asked once there is something to look at; a watcher never may, nor a read of an unknown owner.
   * @param write Writes the context file; false when that changed meanwhile.
   * @param forReading Whether it is enough that everything is in the context file: the keys go at another time then. No
   *   change may be made before they are gone, or what it deletes would be moved in again.
   * @returns Whether the context file was written or changed, and has to be read again.
   * @throws Failure When there is no context file and the settings cannot be read: then nothing may be written.
   */
  async run(
    document: ContextDocument,
    looked: Promise<FileState<object>>,
    allowed: () => boolean | Promise<boolean>,
    write: (raw: JsonObject) => Promise<boolean>,
    forReading: boolean,
  ): Promise<boolean> {
    if (document.readOnly) return false;
    const found = await looked;
    if (found.state === 'missing') {
      this.#done = null;
      return false;
    }
    if (found.state === 'present' && document.state === 'present' && sameIdentity(found.identity, this.#done ?? null)) {
      return false;
    }
    if (!(await allowed())) return false;
    const path = await this.#files.legacyPath();
    const read = await readParsed(this.#files.fileSystem, path, (bytes, identity) => ({
      settings: parseStored(bytes, 'The file of project settings, which still holds older notes,'),
      modifiedAt: modifiedAt(identity),
    }));
    if (read.state === 'missing') return false;
    if (read.state === 'unknown') {
      // With a context file in place the settings are only the client's affair.
      if (document.state === 'present') return false;
      throw read.failure;
    }
    const data = legacyDataOf(read.value.settings, read.value.modifiedAt);
    if (data === null) {
      this.#done = read.identity;
      return false;
    }
    return this.#move(document, data, read, write, forReading);
  }

  async #move(
    document: ContextDocument,
    data: LegacyData,
    settings: { bytes: Buffer; identity: FileIdentity; value: { settings: JsonObject } },
    write: (raw: JsonObject) => Promise<boolean>,
    forReading: boolean,
  ): Promise<boolean> {
    const moved = await moveLegacyPlans(this.#files, data.links ?? []);
    this.waiting = moved.remaining.map(nameOf);
    const unnoted = await this.#log(moved.dropped);
    const waiting = [...moved.remaining, ...unnoted];
    const retry = moved.retry || unnoted.length > 0;
    const additions = {
      notes: missingNotes(document.notes.raw, data.notes ?? []),
      todos: missingEntries(document.todos.raw, data.todos ?? []),
      plans: missingLinks(document.plans.raw, moved.links),
    };
    const adds = Object.values(additions).some((list) => list.length > 0);
    const before = settings.value.settings;
    const after = withoutLegacyData(before, data, waiting);
    if (!adds && JSON.stringify(before) === JSON.stringify(after)) {
      // Nothing but links that have to wait.
      this.#done = retry ? undefined : settings.identity;
      return false;
    }
    if (adds || document.state === 'missing') {
      const raw = writtenDocument(document, {
        notes: [...document.notes.raw, ...additions.notes],
        todos: [...document.todos.raw, ...additions.todos],
        plans: [...document.plans.raw, ...additions.plans],
      });
      if (!(await write(raw))) return true;
    }
    try {
      const written = await this.#rewriteSettings(settings.identity, after);
      this.#done = retry ? undefined : written;
    } catch (error) {
      // What is in the context file can be shown. The next load tries again to take the keys away.
      if (!(error instanceof Failure) || !forReading) throw error;
    }
    return true;
  }

  /**
   * Rewrites the settings file if it is still the one that was read; otherwise it stays, and the next read looks at it anew.
   */
  async #rewriteSettings(read: FileIdentity, after: JsonObject): Promise<FileIdentity | undefined> {
    const { fileSystem } = this.#files;
    const path = await this.#files.legacyPath();
    await this.#files.prepareFolder();
    const replaced = await replaceDurably(fileSystem, path, serialiseStored(after), read);
    if (replaced === 'changed') return undefined;
    const { identity, kept, displaced } = replaced;
    if (kept === null) return identity ?? undefined;
    // The client saved in the moment of the rename: its file goes back, and is looked at anew.
    const back = displaced && identity !== null && (await putBack(fileSystem, kept, path, identity));
    // It was replaced once more meanwhile; what was displaced stays beside it.
    if (displaced && !back) await guard(() => fileSystem.rename(kept, `${path}.displaced-${Date.now()}`));
    else if (!back) await removeTemporary(fileSystem, kept);
    return back ? undefined : (identity ?? undefined);
  }

  /**
   * Notes which links are dropped because their file is gone, so that nothing goes without a trace.
   *
   * @returns The links that could not be noted: they have to stay where they are.
   */
  async #log(dropped: readonly JsonObject[]): Promise<readonly JsonObject[]> {
    if (dropped.length === 0) return [];
    try {
      await this.#writeLog(dropped);
      return [];
    } catch (error) {
      // A log that is damaged or cannot be written must not stand between a person and the notes.
      if (error instanceof Failure) return dropped;
      throw error;
    }
  }

  async #writeLog(dropped: readonly JsonObject[]): Promise<void> {
    const { fileSystem } = this.#files;
    await this.#files.prepareFolder('.sidekeep');
    const path = await this.#files.migrationLogPath();
    const read = await readWhole(fileSystem, path);
    if (read.state === 'unknown') throw new Failure('io', read.failure.message, { cause: read.failure });
    const log = read.state === 'present' ? parseStored(read.bytes, 'The migration log') : { version: 1 };
    const earlier = own(log, 'dropped');
    const entries: unknown[] = Array.isArray(earlier) ? earlier : [];
    const known = new Set(entries.map((entry) => JSON.stringify(isRecord(entry) ? own(entry, 'link') : entry)));
    const fresh = dropped.filter((link) => !known.has(JSON.stringify(link)));
    if (fresh.length === 0) return;
    const lines = [...entries, ...fresh.map((link) => ({ at: Date.now(), reason: 'file-missing', link }))];
    await writeDurably(fileSystem, path, serialiseStored({ ...log, dropped: lines }));
  }
}
