import { setImmediate as turn } from 'node:timers/promises';
import type { CatalogState, SessionRef, StoreKey } from '../../contract/entities.ts';
import { sessionKey } from '../../contract/identifiers.ts';
import type { FileSystem } from '../../files/index.ts';
import type { SessionStore, SessionStores } from '../session-stores.ts';
import { DeletedSessions } from './deleted-sessions.ts';
import { type CatalogDisk, catalogDisk, type QuickDisk } from './disk.ts';
import type { Entries } from './entries.ts';
import type { Facts } from './facts.ts';
import { glanceAt, namesAtAGlance, newestFirst } from './glance.ts';
import { type LookOptions, lookAt, reasonOf, type Target } from './look.ts';
import { namedSessions } from './names.ts';
import type { Pauses } from './pauses.ts';
import { ScanState } from './scan-state.ts';
import { TitleFiles } from './title-files.ts';

export interface ScannerOptions {
  stores: SessionStores;
  fileSystem: FileSystem;
  entries: Entries;
  /** Sessions to be looked at again, by key. */
  pauses: Pauses;
  now: () => number;
  report: (where: string, error: unknown) => void;
  /** Which of these sessions were deleted here and not brought back. */
  deletedAmong: (store: StoreKey, ids: ReadonlySet<string>) => Promise<ReadonlySet<string>>;
  /** Waits for what the rows of sessions of these folders need. */
  beforeSet: (directories: (string | null)[]) => Promise<void>;
  onSet: (session: SessionRef, facts: Facts, folder: string) => void;
  onGone: (session: SessionRef) => void;
  /** Everything was looked at for the first time, with success. */
  onFirst: (folderOf: (store: StoreKey) => string | undefined) => void;
  onState: () => void;
}

/** Sessions that are looked at together, before single ones that hints name have their turn. */
const TOGETHER = 256;

/**
 * Looks at the stores, one look at a time: at everything, or at single sessions. What is asked for during a look leads to
 * another one after it, since the first may have passed by before the change.
 */
export class Scanner {
  readonly #options: ScannerOptions;
  readonly #pending = new Map<string, SessionRef>();
  readonly #pendingTitles = new Set<StoreKey>();
  readonly #folders = new Map<StoreKey, string>();
  readonly #titles: TitleFiles;
  /** Sessions that were looked at by themselves since the names were listed: newer than those. */
  readonly #newer = new Set<string>();
  readonly #deleted: DeletedSessions;
  /** Resolved when everything, or the sessions that were named, were looked at. */
  #forAll: (() => void)[] = [];
  #forPending: (() => void)[] = [];
  #wantsAll = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #disk: Promise<CatalogDisk> | null = null;
  #work: Promise<void> | null = null;
  #isDisposed = false;
  readonly #state: ScanState;
  readonly #early = Promise.withResolvers<void>();

  constructor(options: ScannerOptions) {
    this.#options = options;
    this.#state = new ScanState({
      onFirst: () => options.onFirst((store) => this.#folders.get(store)),
      onState: options.onState,
      onRetry: () => this.lookAtAllSoon(),
    });
    this.#deleted = new DeletedSessions(options);
    this.#titles = new TitleFiles((store, titles) => options.entries.setTitles(store, titles));
  }

  /** How long ago the last look at everything began, in ms. */
  get age(): number {
    return performance.now() - this.#lookedAt;
  }

  get state(): Pick<CatalogState, 'state' | 'reason'> {
    return this.#state.value;
  }

  /** Resolves when everything was looked at once, or could not be. */
  get first(): Promise<void> {
    return this.#state.first;
  }

  /** Resolves when every session is listed, some by a glance only; at the latest with {@link first}. */
  get early(): Promise<void> {
    return Promise.race([this.#early.promise, this.#state.first]);
  }

  lookAtAllSoon(): void {
    this.#wantsAll = true;
    this.#go();
  }

  lookAtAll(): Promise<void> {
    return this.#promise(this.#forAll, () => this.lookAtAllSoon());
  }

  lookAtSoon(session: SessionRef): void {
    this.#pending.set(sessionKey(session), session);
    this.#go();
  }

  lookAtSession(session: SessionRef): Promise<void> {
    return this.#promise(this.#forPending, () => this.lookAtSoon(session));
  }

  async lookAtSessions(sessions: readonly SessionRef[]): Promise<void> {
    await Promise.all(sessions.map((session) => this.lookAtSession(session)));
  }

  lookAtKeys(keys: readonly string[]): void {
    for (const key of keys) {
      const entry = this.#options.entries.byKey(key);
      if (entry === undefined) this.#options.pauses.clear(key);
      else this.lookAtSoon(entry.session);
    }
  }

  lookAtTitles(store: StoreKey): void {
    this.#pendingTitles.add(store);
    this.#go();
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#state.dispose();
    await this.#work;
    for (const resolve of [...this.#forAll, ...this.#forPending]) resolve();
  }

  #promise(waiting: (() => void)[], start: () => void): Promise<void> {
    if (this.#isDisposed) return Promise.resolve();
    return new Promise((resolve) => {
      waiting.push(resolve);
      start();
    });
  }

  #go(): void {
    if (!this.#isDisposed) this.#work ??= this.#run();
  }

  async #run(): Promise<void> {
    // What is asked for in this turn is looked at together.
    await Promise.resolve();
    while (!this.#isDisposed) {
      if (this.#pending.size > 0 || this.#pendingTitles.size > 0) await this.#safely(() => this.#lookAtPending());
      else if (this.#wantsAll) {
        this.#wantsAll = false;
        const waiting = this.#forAll.splice(0);
        await this.#safely(() => this.#lookAtAll());
        for (const resolve of waiting) resolve();
      } else break;
    }
    // In one go with the last look at what is pending.
    this.#work = null;
  }

  /** Errors of the system are answers of the disk; whatever else comes up is a bug, told once, and the list stays as it was. */
  async #safely(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#options.report('looking at the sessions', error);
      if (this.#state.isLoading) this.#state.fail('The list of sessions could not be made. Nothing was changed.');
    }
  }

  async #lookAtPending(): Promise<void> {
    const sessions = [...this.#pending.values()];
    const waiting = this.#forPending.splice(0);
    const titles = [...this.#pendingTitles];
    this.#pending.clear();
    this.#pendingTitles.clear();
    try {
      for (const store of titles)
        await this.#inStore(store, async (folder) => this.#titles.read(await this.#diskOf(), store, folder, true));
      for (const [store, own] of Map.groupBy(sessions, (session) => session.store)) {
        await this.#inStore(store, async (folder) => {
          for (const { id } of own) this.#newer.add(sessionKey({ store, id }));
          const targets = own.map(({ id }) => ({ id, hasLog: null, hasMeta: null, asksPending: true }));
          await this.#lookAtSome(store, folder, targets);
        });
      }
    } finally {
      for (const resolve of waiting) resolve();
    }
  }

  /** Does something in a store's folder; one that cannot be reached is left to the next look at everything. */
  async #inStore(store: StoreKey, act: (folder: string) => Promise<void>): Promise<void> {
    let folder: string;
    try {
      folder = await this.#options.stores.get(store).root.path();
    } catch {
      this.lookAtAllSoon();
      return;
    }
    await act(folder);
  }

  async #lookAtAll(): Promise<void> {
    this.#lookedAt = performance.now();
    this.#newer.clear();
    if (this.#options.entries.size > 0) this.#state.hadSessions();
    const { stores, entries } = this.#options;
    let listed: Awaited<ReturnType<SessionStores['list']>>;
    try {
      listed = await stores.list();
    } catch (error) {
      this.#state.fail(reasonOf(error));
      return;
    }
    if (this.#state.isLoading && entries.size === 0) await this.#glance(listed.stores);
    const unread = new Map(listed.unread.map(({ store, reason }) => [store, reason]));
    let found = 0;
    for (const store of listed.stores) {
      if (this.#isDisposed) return;
      try {
        if (await this.#lookAtStore(store)) found++;
      } catch (error) {
        unread.set(store.key, reasonOf(error));
      }
    }
    const there = new Set(listed.stores.map(({ key }) => key));
    for (const store of entries.stores()) {
      if (!there.has(store) && !unread.has(store)) this.#forget(store, entries.ids(store));
    }
    this.#state.finish(found, unread);
  }

  /** Before the first look at everything: lists every session, those that their meta files vouch for by these alone. */
  async #glance(stores: readonly SessionStore[]): Promise<void> {
    const { quick } = await this.#diskOf();
    if (quick === undefined) return;
    for (const store of stores) {
      try {
        await this.#glanceAtStore(quick, store);
      } catch (error) {
        // Of an obstacle the look at everything will tell; a bug is thrown.
        reasonOf(error);
      }
    }
    this.#early.resolve();
    // Whoever waits for a page names the sessions whose rows are wanted whole at once.
    await turn();
    if (this.#pending.size > 0) await this.#lookAtPending();
  }

  async #glanceAtStore(quick: QuickDisk, { key: store, root }: SessionStore): Promise<void> {
    const { entries, now, onSet, beforeSet } = this.#options;
    const folder = await root.path();
    const named = await namesAtAGlance(quick, folder);
    if (named === null) return;
    const { sessions, hasTitles, odd } = named;
    const deleted = await this.#deleted.ofStore(store, sessions);
    await this.#titles.read(await this.#diskOf(), store, folder, hasTitles);
    for (let start = 0; start < sessions.length && !this.#isDisposed; start += TOGETHER) {
      if (start > 0) await turn();
      if (this.#pending.size > 0) await this.#lookAtPending();
      const some = sessions.slice(start, start + TOGETHER);
      const { known, rest } = await glanceAt(quick, folder, some, { odd, now: now() });
      await beforeSet(known.map(({ facts }) => facts.details?.workspaceRoot ?? null));
      if (this.#isDisposed) return;
      if (deleted !== null) await this.#deleted.note(store, known, deleted);
      for (const { id, facts } of known) {
        const session = { store, id };
        if (!this.#newer.has(sessionKey(session)) && entries.get(session) === undefined) onSet(session, facts, folder);
      }
      await this.#lookAtSome(
        store,
        folder,
        rest.map((session) => ({ ...session, asksPending: false })),
        deleted,
      );
    }
  }

  /** @returns Whether the store's folder is there. */
  async #lookAtStore(store: SessionStore): Promise<boolean> {
    const { entries } = this.#options;
    const folder = await store.root.path();
    const names = await (await this.#diskOf()).names(folder);
    if (names === null) {
      this.#forget(store.key, entries.ids(store.key));
      return false;
    }
    this.#folders.set(store.key, folder);
    const { sessions, hasTitles } = namedSessions(names, (id) => entries.get({ store: store.key, id }) !== undefined);
    const deleted = await this.#deleted.ofStore(store.key, sessions);
    await this.#titles.read(await this.#diskOf(), store.key, folder, hasTitles);
    if (this.#state.isLoading) newestFirst(sessions);
    for (let start = 0; start < sessions.length && !this.#isDisposed; start += TOGETHER) {
      if (start > 0) await turn();
      if (this.#pending.size > 0) await this.#lookAtPending();
      const some = sessions.slice(start, start + TOGETHER);
      await this.#lookAtSome(
        store.key,
        folder,
        some.map((session) => ({ ...session, asksPending: false })),
        deleted,
      );
    }
    const named = new Set(sessions.map(({ id }) => id));
    this.#forget(
      store.key,
      entries.ids(store.key).filter((id) => !named.has(id)),
    );
    return true;
  }

  /** @param deleted The sessions that the trash has; null to ask for those that are new to the list. */
  async #lookAtSome(
    store: StoreKey,
    folder: string,
    targets: readonly Target[],
    deleted: ReadonlySet<string> | null = null,
  ): Promise<void> {
    const { entries, pauses, now, onSet, onGone, beforeSet } = this.#options;
    const options: LookOptions = {
      disk: await this.#diskOf(),
      folder,
      known: (id) => entries.get({ store, id })?.facts,
      isDue: (id) => pauses.isDue(sessionKey({ store, id })),
      now,
    };
    const looked = await lookAt(options, targets);
    await this.#deleted.note(store, targets, deleted);
    if (looked.length === 0 || this.#isDisposed) return;
    await beforeSet(
      looked.map(({ id, facts }) => {
        const directory = facts === 'gone' ? null : (facts.details?.workspaceRoot ?? null);
        const before = entries.get({ store, id });
        // At a glance it was asked whose it is.
        return before?.isGlimpse && before.facts.details?.workspaceRoot === directory ? null : directory;
      }),
    );
    for (const { id, facts, again } of looked) {
      const session = entries.get({ store, id })?.session ?? { store, id };
      const key = sessionKey(session);
      if (facts === 'gone') {
        pauses.clear(key);
        onGone(session);
        continue;
      }
      if (facts.unreadable !== null || facts.detailsState === 'unknown') pauses.fail(key);
      else if (again !== null) pauses.later(key, again);
      else pauses.clear(key);
      onSet(session, facts, folder);
    }
  }

  #forget(store: StoreKey, ids: readonly string[]): void {
    for (const id of ids) {
      const key = sessionKey({ store, id });
      if (this.#newer.has(key)) continue;
      this.#options.pauses.clear(key);
      this.#options.onGone({ store, id });
    }
  }

  #diskOf(): Promise<CatalogDisk> {
    const { stores, fileSystem } = this.#options;
    this.#disk ??= stores.root.path().then((path) => catalogDisk(fileSystem, path));
    return this.#disk;
  }
}
