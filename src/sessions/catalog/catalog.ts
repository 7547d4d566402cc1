import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { CatalogState, ProjectId, SessionRef, SessionRow, StoreKey } from '../../contract/entities.ts';
import { sessionKey } from '../../contract/identifiers.ts';
import { type FileSystem, nodeFileSystem, systemCode } from '../../files/index.ts';
import type { NamedFolder, NamedFolders } from '../own-folder.ts';
import type { SessionStores } from '../session-stores.ts';
import { Background, type Job } from './background.ts';
import { CACHE_FILE, CacheFile, type Memory, type Remembered } from './cache-file.ts';
import { type Counter, localCounter, WorkerCounter } from './counter.ts';
import { listName, writeCursor } from './cursor.ts';
import { sameMark } from './disk.ts';
import { Entries, type Entry } from './entries.ts';
import { type Facts, isToBeCounted } from './facts.ts';
import type { Gist } from './first-look.ts';
import { realPathNow } from './local-path.ts';
import { reasonOf } from './look.ts';
import { LOG, lockedBy, meaningOf, TRANSCRIPT } from './names.ts';
import { Owners } from './owners.ts';
import { type Page, type PageInput, Pages } from './pages.ts';
import { Pauses } from './pauses.ts';
import { type CatalogChange, Pushes } from './pushes.ts';
import { Remembering } from './remembering.ts';
import { Scanner } from './scanner.ts';

export interface SessionCatalogOptions {
  stores: SessionStores;
  fileSystem?: FileSystem;
  /** Folder for what makes the next start fast; null for none. */
  cacheFolder: string | null;
  /** Owner of a session's folder; asked once for each folder until {@link SessionCatalog.ownersChanged}. */
  ownerOf: (directory: string) => Promise<ProjectId | null>;
  /** Keys (`sessionKey`) of the pinned sessions. */
  pinned?: () => ReadonlySet<string>;
  /** Which of these sessions were deleted here and not brought back; asked only for those that are new to the list. */
  deletedAmong?: (store: StoreKey, ids: ReadonlySet<string>) => Promise<ReadonlySet<string>>;
  /** Whether hints tell of every change. Otherwise each first page looks at the disk. */
  isWatching?: () => boolean;
  /** The worker that counts, as it was bundled; the source beside the catalog when left out. */
  workerUrl?: URL;
  /** How long a first page waits for the disk, in ms; see {@link defaultPatience}. */
  patience?: Patience;
  onChange?: (change: CatalogChange) => void;
  report: (where: string, error: unknown) => void;
  now?: () => number;
}

/** What `sessions.list` answers. */
export interface CatalogPage extends Page {
  sequence: number;
  catalog: CatalogState;
}

export interface Patience {
  /** For the first look at everything: then there is nothing to show yet. */
  first: number;
  /** For another look where hints do not tell of every change. */
  again: number;
}

/** Sessions of the remembered list that are shown before all others are ready. */
const FRONT = 50;
const defaultPatience: Patience = { first: 150, again: 1000 };
/** How often a page is made again to get whole rows: sessions may go meanwhile, and others come into their place. */
const ROUNDS = 5;
/** A search, which asks with every key, takes a look that is younger than this for a new one; in ms. */
const NEW_ENOUGH = 1000;
/** Sessions that hints name beyond this are looked at with all others. */
const MANY_HINTS = 500;

/**
 * The list of all sessions, in memory, made and kept true without reading transcripts: from the names in the stores, the
 * status of three files a session, and its meta file (docs/formats/session-format.md, section 11). It starts with the first
 * question or with {@link start}.
 */
export class SessionCatalog {
  readonly #options: SessionCatalogOptions;
  readonly #entries: Entries;
  readonly #owners: Owners;
  readonly #pages = new Pages();
  readonly #pushes: Pushes;
  readonly #pauses: Pauses;
  readonly #background: Background<Facts>;
  readonly #scanner: Scanner;
  readonly #remembering: Remembering | null;
  #version = 0;
  #started: Promise<void> | null = null;
  #loaded: Promise<void> = Promise.resolve();
  /** While only the front of the remembered list is in memory. */
  #front: { shown: number } | null = null;
  /** Whether the list of an earlier run is shown. */
  #isRemembered = false;
  #isDisposed = false;

  constructor(options: SessionCatalogOptions) {
    this.#options = options;
    const { stores, fileSystem = nodeFileSystem, cacheFolder, now = Date.now, report } = options;
    this.#owners = new Owners({
      ownerOf: options.ownerOf,
      onLate: () => this.#entries.remakeAll(),
      report,
    });
    this.#entries = new Entries({
      ownerOf: (directory) => this.#owners.ownerOf(directory),
      pinned: options.pinned ?? (() => new Set()),
      onTouched: (key, before) => {
        this.#version++;
        this.#pushes.touch(key, before);
      },
    });
    const counter: Counter =
      fileSystem === nodeFileSystem ? new WorkerCounter(options.workerUrl) : localCounter(fileSystem, now);
    this.#background = new Background({
      counter,
      onCounted: (job, outcome) => this.#counted(job, outcome),
      onProgress: () => this.#pushes.soon(),
    });
    this.#pauses = new Pauses((keys) => this.#scanner.lookAtKeys(keys));
    this.#scanner = new Scanner({
      stores,
      fileSystem,
      entries: this.#entries,
      pauses: this.#pauses,
      now,
      report,
      deletedAmong: options.deletedAmong ?? (async () => new Set()),
      beforeSet: (directories) => this.#owners.resolve(directories),
      onSet: (session, facts, folder) => this.#set(session, facts, folder),
      onGone: (session) => this.#gone(session),
      onFirst: (folderOf) => this.#countRemembered(folderOf),
      onState: () => this.#pushes.soon(),
    });
    this.#pushes = new Pushes({
      entryOf: (key) => this.#entries.byKey(key),
      state: () => this.state(),
      tell: (change) => options.onChange?.(change),
    });
    this.#remembering =
      cacheFolder === null
        ? null
        : new Remembering({
            openFile: async () => {
              // The first call that leaves the event loop costs as much as all else up to the first page.
              const now = fileSystem === nodeFileSystem ? realPathNow(stores.givenRoot) : null;
              return new CacheFile(fileSystem, join(cacheFolder, CACHE_FILE), now ?? (await stores.root.path()));
            },
            entries: this.#entries,
            report,
          });
  }

  /** Begins to look, if that was not done yet; resolves when everything was looked at once. */
  async start(): Promise<void> {
    this.#started ??= this.#begin();
    await this.#started;
    await this.#loaded;
    await this.#scanner.first;
  }

  /**
   * A page of the list. It waits a moment for the first look at everything; `catalog` says how far that is.
   *
   * @throws Failure `conflict` for a cursor of another list.
   */
  async list(input: PageInput): Promise<CatalogPage> {
    if (this.#started === null) {
      this.#started = this.#begin();
      // Whoever asks learns it from the state.
      this.#started.catch(() => undefined);
    }
    await this.#started;
    const front = this.#frontPage(input);
    if (front !== null) return { ...front, sequence: this.#pushes.sequence, catalog: this.state() };
    await this.#loaded;
    if (input.cursor == null) await this.#freshen(input.query ?? '');
    const page = await this.#wholePage(input);
    return { ...page, sequence: this.#pushes.sequence, catalog: this.state() };
  }

  /** The row of a session as it is known, also of one that the list hides; null when there is none. */
  row(session: SessionRef): SessionRow | null {
    return this.#entries.get(session)?.row ?? null;
  }

  /** Looks at one session now: after it was made, changed or removed here. @returns Its row; null when there is none. */
  async look(session: SessionRef): Promise<SessionRow | null> {
    await this.#scanner.lookAtSession(session);
    return this.row(session);
  }

  state(): CatalogState {
    return { ...this.#scanner.state, progress: this.#background.progress };
  }

  /** Names that changed in a store. None at all: anything in it. */
  hint(store: StoreKey, names: readonly string[]): void {
    if (names.length === 0 || names.length > MANY_HINTS) {
      this.#scanner.lookAtAllSoon();
      return;
    }
    for (const name of names) {
      const meaning = meaningOf(name);
      if (meaning === 'titles') this.#scanner.lookAtTitles(store);
      else if (meaning !== null) this.#scanner.lookAtSoon({ store, id: meaning.id });
      const locked = lockedBy(name);
      if (locked !== null) this.holderChanged({ store, id: locked });
    }
  }

  /** Whether the list as it is known has a session of this id, whatever the case of its letters. */
  hasLike(session: SessionRef): boolean {
    return this.#entries.hasLike(session);
  }

  /** Something happened to a session that its files do not tell: it stands in its row until the session or the run ends. */
  notice(session: SessionRef, reason: string): void {
    this.#entries.notice(session, reason);
  }

  /** The folder that a session names, as it is known; null when it names none. */
  directoryOf(session: SessionRef): string | null {
    return this.#entries.get(session)?.facts.details?.workspaceRoot ?? null;
  }

  /**
   * The folders that all sessions name, by their meta files: no transcript is read for it. Waits for the first look at
   * everything, and where hints do not tell of every change for another one.
   */
  async namedFolders(): Promise<NamedFolders> {
    await this.start();
    if (!(this.#options.isWatching?.() ?? false)) await this.refreshAll();
    const { state, reason } = this.state();
    const named: NamedFolder[] = [];
    let unread = 0;
    for (const { session, ownerId, facts } of this.#entries.all()) {
      if (facts.detailsState === 'unknown') unread++;
      const directory = facts.details?.workspaceRoot ?? null;
      if (directory !== null) named.push({ session, ownerId, directory });
    }
    const many = unread === 1 ? 'One session names its folder' : `${unread} sessions name their folders`;
    const unsure = unread > 0 ? `${many} in a file that cannot be read now.` : null;
    if (state === 'ready') return { named, unsure: reason ?? unsure };
    return { named, unsure: reason ?? 'The sessions were not looked at yet.' };
  }

  /** Looks at everything again; resolves when that is done. Only what changed is read. */
  refreshAll(): Promise<void> {
    return this.#scanner.lookAtAll();
  }

  /** Projects changed: asks again whose the sessions are. */
  async ownersChanged(): Promise<void> {
    await this.#owners.refresh();
    this.#entries.remakeAll();
  }

  /** The pinned sessions changed. */
  pinsChanged(): void {
    this.#entries.remakePinned();
  }

  /** Stops everything and remembers the list. Nothing is told afterwards. */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#pauses.dispose();
    this.#pushes.dispose();
    await this.#started?.catch(() => undefined);
    await this.#loaded.catch(() => undefined);
    await Promise.all([this.#scanner.dispose(), this.#background.dispose()]);
    await this.#remembering?.dispose();
  }

  /** Shows what was remembered of the front of the list at once; the rest of it, and a look at the disk, come after that. */
  async #begin(): Promise<void> {
    const memory = (await this.#remembering?.read()) ?? null;
    if (memory !== null) {
      await this.#remember(memory.take(FRONT));
      this.#front = { shown: memory.shown };
      this.#isRemembered = this.#entries.size > 0;
    }
    this.#loaded = this.#load(memory);
    this.#loaded.catch((error: unknown) => this.#options.report('reading the remembered list of sessions', error));
  }

  async #load(memory: Memory | null): Promise<void> {
    try {
      if (memory !== null) {
        // Whoever waits for the front is answered first.
        await turn();
        await this.#remember(await memory.rest());
      }
    } finally {
      this.#front = null;
      if (!this.#isDisposed) this.#scanner.lookAtAllSoon();
    }
  }

  async #remember(remembered: readonly Remembered[]): Promise<void> {
    await this.#owners.resolve(remembered.map(({ facts }) => facts.details?.workspaceRoot ?? null));
    if (this.#isDisposed) return;
    for (const { session, facts } of remembered) if (!this.#entries.get(session)) this.#entries.set(session, facts);
  }

  /** The first page while only the front of the remembered list is ready; null for any other page, and later. */
  #frontPage({ ownerId, query = '', cursor = null, limit = FRONT }: PageInput): Page | null {
    const front = this.#front;
    if (front === null || ownerId !== null || query.trim() !== '' || cursor !== null || limit > FRONT) return null;
    const order = this.#entries.order();
    const page = this.#pages.page({ ownerId, limit }, order, this.#version);
    const last = order[page.rows.length - 1];
    if (page.cursor !== null || last === undefined || front.shown <= page.rows.length) {
      return { ...page, total: front.shown };
    }
    return { ...page, cursor: writeCursor(listName(null, ''), { order: 'front', index: 0 }, last), total: front.shown };
  }

  /** A page of rows that are known wholly: of sessions that were only glanced at so far, the rest is looked at now. */
  async #wholePage(input: PageInput): Promise<Page> {
    for (let round = 1; ; round++) {
      const page = this.#pages.page(input, this.#entries.order(), this.#version);
      const glimpses = page.rows.map(({ session }) => session).filter((one) => this.#entries.get(one)?.isGlimpse);
      // One that cannot be looked at now is told by the next look at everything.
      if (glimpses.length === 0 || round > ROUNDS) return page;
      await this.#scanner.lookAtSessions(glimpses);
    }
  }

  /** Waits until what is in memory is known to be true, as far as that takes no time. */
  async #freshen(query: string): Promise<void> {
    const { patience = defaultPatience, isWatching } = this.#options;
    const isFirst = this.#scanner.state.state === 'loading';
    if (isFirst && this.#isRemembered) return;
    if (!isFirst && (isWatching?.() ?? false)) return;
    if (query !== '' && this.#scanner.age < NEW_ENOUGH) return;
    const looked = isFirst ? this.#scanner.early : this.#scanner.lookAtAll();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, isFirst ? patience.first : patience.again);
    });
    await Promise.race([looked, late]);
    clearTimeout(timer);
  }

  #set(session: SessionRef, facts: Facts, folder: string): void {
    this.#entries.set(session, facts);
    this.#remembering?.changed();
    const entry = this.#entries.get(session);
    if (entry === undefined) return;
    if (isToBeCounted(facts)) this.#background.want(jobOf(entry, folder));
    else this.#background.forget(entry.key);
  }

  /** What an earlier run did not come to is counted now. */
  #countRemembered(folderOf: (store: StoreKey) => string | undefined): void {
    for (const entry of this.#entries.all()) {
      const folder = folderOf(entry.session.store);
      if (folder !== undefined && isToBeCounted(entry.facts)) this.#background.want(jobOf(entry, folder));
    }
  }

  /** Who has a session open may be another one: windows that show it ask anew. */
  holderChanged(session: SessionRef): void {
    const entry = this.#entries.get(session);
    if (entry?.shown) this.#pushes.again(entry.key);
  }

  #gone(session: SessionRef): void {
    this.#entries.delete(session);
    this.#background.forget(sessionKey(session));
    this.#remembering?.changed();
  }

  /** Takes what was counted, if the conversation is still the one that was counted. */
  #counted(job: Job<Facts>, outcome: Gist | Error): void {
    const entry = this.#entries.byKey(job.key);
    const facts = job.of;
    if (entry === undefined || entry.facts.gist === null) return;
    if (!sameMark(entry.facts.transcript, facts.transcript) || !sameMark(entry.facts.log, facts.log)) return;
    if (outcome instanceof Error) {
      // Gone meanwhile: the next look will tell. Of the other errors of the system the person is told.
      if (systemCode(outcome) === 'ENOENT') return;
      if (systemCode(outcome) === null) this.#options.report('counting a session', outcome);
      else this.#entries.set(entry.session, { ...entry.facts, unreadable: reasonOf(outcome) });
      this.#pauses.fail(job.key);
      return;
    }
    this.#entries.set(entry.session, { ...entry.facts, gist: outcome });
    this.#remembering?.changed();
  }
}

function jobOf({ key, lastActivity, facts, session }: Entry, folder: string): Job<Facts> {
  const stem = join(folder, session.id);
  const logPath = facts.log !== null && facts.log.size > 0 ? stem + LOG : null;
  return { key, of: facts, lastActivity, request: { transcriptPath: stem + TRANSCRIPT, logPath } };
}
