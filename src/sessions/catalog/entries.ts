import type { ProjectId, SessionRef, SessionRow, StoreKey } from '../../contract/entities.ts';
import { sessionKey } from '../../contract/identifiers.ts';
import { type CopyName, copyName } from './copies.ts';
import { type Facts, isGlimpse, isHidden, lastActivity, rowOf, type Surroundings } from './facts.ts';
import { noTitles, type TitleMap } from './title.ts';

/** A session of the catalog. */
export class Entry {
  readonly key: string;
  readonly session: SessionRef;
  readonly copy: CopyName | null;
  /** False once it is no session any more: older pages skip it. */
  isThere = true;
  /** Title and preview as a search compares them; made when one does. */
  folded: string | null = null;
  #facts: Facts;
  #around: Surroundings;
  #row: SessionRow | null = null;
  #isHidden = false;
  #lastActivity = 0;

  constructor(session: SessionRef, facts: Facts, around: Surroundings) {
    this.key = sessionKey(session);
    this.session = session;
    this.copy = copyName(session.id);
    this.#facts = facts;
    this.#around = around;
    this.become(facts, around);
  }

  get facts(): Facts {
    return this.#facts;
  }

  get ownerId(): ProjectId | null {
    return this.#around.ownerId;
  }

  get isPinned(): boolean {
    return this.#around.isPinned;
  }

  get wasDeleted(): boolean {
    return this.#around.wasDeleted;
  }

  get lastActivity(): number {
    return this.#lastActivity;
  }

  get isHidden(): boolean {
    return this.#isHidden;
  }

  /** Its row, also while the list hides it; made when somebody looks at it: of thousands of sessions few are looked at. */
  get row(): SessionRow {
    this.#row ??= rowOf(this.session, this.#facts, this.#around);
    return this.#row;
  }

  /** Whether its row is not known wholly yet. */
  get isGlimpse(): boolean {
    return isGlimpse(this.#facts);
  }

  /** The row as the list shows it. */
  get shown(): SessionRow | null {
    return this.#isHidden ? null : this.row;
  }

  become(facts: Facts, around: Surroundings): void {
    this.#facts = facts;
    this.#around = around;
    this.#row = null;
    this.#isHidden = isHidden(facts);
    this.#lastActivity = lastActivity(facts);
    this.folded = null;
  }
}

export interface EntriesOptions {
  ownerOf: (directory: string | null) => ProjectId | null;
  /** Keys of the pinned sessions. */
  pinned: () => ReadonlySet<string>;
  /** Told of each session that came, went, or has another row, with the row that the list showed before. */
  onTouched: (key: string, before: SessionRow | null) => void;
}

/** Pinned ones first, then the last activity first; sessions of the same moment by store and id. */
export function compareRows(left: Entry, right: Entry): number {
  if (left.isPinned !== right.isPinned) return left.isPinned ? -1 : 1;
  return right.lastActivity - left.lastActivity || (left.key < right.key ? -1 : left.key > right.key ? 1 : 0);
}

/** All sessions in memory, with their rows. */
export class Entries {
  readonly #options: EntriesOptions;
  readonly #stores = new Map<StoreKey, Map<string, Entry>>();
  readonly #titles = new Map<StoreKey, TitleMap>();
  /** Copies by the session that their name tells. */
  readonly #copies = new Map<string, Set<Entry>>();
  /** Copies whose name holds only the beginning of that. */
  readonly #cutCopies = new Set<Entry>();
  /** Keys of sessions that were deleted here and not brought back. */
  readonly #deleted = new Set<string>();
  /** What happened to sessions in this run, by key. */
  readonly #notices = new Map<string, string>();
  #order: readonly Entry[] | null = null;

  constructor(options: EntriesOptions) {
    this.#options = options;
  }

  get size(): number {
    let size = 0;
    for (const store of this.#stores.values()) size += store.size;
    return size;
  }

  get({ store, id }: SessionRef): Entry | undefined {
    return this.#stores.get(store)?.get(id);
  }

  /** By `sessionKey`. */
  byKey(key: string): Entry | undefined {
    const end = key.indexOf('/');
    return this.get({ store: key.slice(0, end), id: key.slice(end + 1) });
  }

  /** Keys of the stores that have sessions. */
  stores(): StoreKey[] {
    return [...this.#stores.keys()];
  }

  ids(store: StoreKey): string[] {
    return [...(this.#stores.get(store)?.keys() ?? [])];
  }

  *all(): Generator<Entry> {
    for (const store of this.#stores.values()) yield* store.values();
  }

  /** The sessions of the list in order; an array that never changes once it was answered. */
  order(): readonly Entry[] {
    this.#order ??= [...this.all()].filter(({ isHidden }) => !isHidden).sort(compareRows);
    return this.#order;
  }

  /** Whether a store has a session of this id, whatever the case of its letters. */
  hasLike({ store, id }: SessionRef): boolean {
    const folded = id.toLowerCase();
    for (const one of this.#stores.get(store)?.keys() ?? []) {
      if (one.length === id.length && one.toLowerCase() === folded) return true;
    }
    return false;
  }

  /** The sessions that the list leaves out. */
  hidden(): Entry[] {
    return [...this.all()].filter(({ isHidden }) => isHidden);
  }

  /** Puts what was seen of a session in the place of what was known. */
  set(session: SessionRef, facts: Facts): void {
    const known = this.get(session);
    if (known === undefined) this.#add(session, facts);
    else this.#remake(known, facts);
  }

  /** Says whether a session was deleted here and not brought back; also of one that is put here after that. */
  setDeleted(session: SessionRef, wasDeleted: boolean): void {
    const key = sessionKey(session);
    if (this.#deleted.has(key) === wasDeleted) return;
    if (wasDeleted) this.#deleted.add(key);
    else this.#deleted.delete(key);
    const entry = this.get(session);
    if (entry !== undefined) this.#remake(entry);
  }

  /** Something happened to a session that its files do not tell. */
  notice(session: SessionRef, reason: string): void {
    this.#notices.set(sessionKey(session), reason);
    const entry = this.get(session);
    if (entry !== undefined) this.#remake(entry);
  }

  delete(session: SessionRef): void {
    const key = sessionKey(session);
    this.#deleted.delete(key);
    this.#notices.delete(key);
    const store = this.#stores.get(session.store);
    const entry = store?.get(session.id);
    if (store === undefined || entry === undefined) return;
    store.delete(session.id);
    if (store.size === 0) this.#stores.delete(session.store);
    const before = entry.isGlimpse ? null : entry.shown;
    entry.isThere = false;
    if (entry.copy?.cut) this.#cutCopies.delete(entry);
    else if (entry.copy !== null) this.#copies.get(this.#rootKey(entry, entry.copy))?.delete(entry);
    this.#touch(entry, before);
    this.#remakeCopies(entry);
  }

  /** A store's title map changed. */
  setTitles(store: StoreKey, titles: TitleMap): void {
    const before = this.#titles.get(store) ?? noTitles;
    if (titles.size === 0) this.#titles.delete(store);
    else this.#titles.set(store, titles);
    for (const id of new Set([...before.keys(), ...titles.keys()])) {
      const entry = this.get({ store, id });
      if (entry !== undefined && before.get(id) !== titles.get(id)) this.#remake(entry);
    }
  }

  /** Owners changed: makes the rows again. */
  remakeAll(): void {
    for (const entry of this.all()) this.#remake(entry);
  }

  /** Pins changed. */
  remakePinned(): void {
    const pinned = this.#options.pinned();
    for (const entry of this.all()) if (entry.isPinned !== pinned.has(entry.key)) this.#remake(entry);
  }

  #add(session: SessionRef, facts: Facts): void {
    const entry = new Entry(session, facts, this.#around(session, copyName(session.id), facts));
    const { copy } = entry;
    let store = this.#stores.get(session.store);
    if (store === undefined) {
      store = new Map();
      this.#stores.set(session.store, store);
    }
    store.set(session.id, entry);
    if (copy?.cut) this.#cutCopies.add(entry);
    else if (copy !== null) {
      const key = this.#rootKey(entry, copy);
      const copies = this.#copies.get(key) ?? new Set();
      this.#copies.set(key, copies.add(entry));
    }
    this.#touch(entry, null);
    this.#remakeCopies(entry);
  }

  #remake(entry: Entry, facts: Facts = entry.facts): void {
    const around = this.#around(entry.session, entry.copy, facts);
    if (entry.isGlimpse) {
      // Nobody was shown its row.
      entry.become(facts, around);
      this.#touch(entry, null);
      return;
    }
    const { row, shown } = entry;
    entry.become(facts, around);
    if ((shown === null) !== entry.isHidden || !sameRow(row, entry.row)) this.#touch(entry, shown);
  }

  /** Whether a copy is listed under another session depends on whether that one is there. */
  #remakeCopies(root: Entry): void {
    const copies = this.#copies.get(root.key);
    if (copies?.size === 0) this.#copies.delete(root.key);
    for (const copy of copies ?? []) this.#remake(copy);
    for (const copy of this.#cutCopies) if (copy !== root && this.#mayBeRoot(root, copy)) this.#remake(copy);
  }

  #around(session: SessionRef, copy: CopyName | null, facts: Facts): Surroundings {
    const key = sessionKey(session);
    return {
      ownerId: this.#options.ownerOf(facts.details?.workspaceRoot ?? null),
      mapTitle: this.#titles.get(session.store)?.get(session.id) ?? null,
      isPinned: this.#options.pinned().has(key),
      recoveryOf: copy === null ? null : this.#rootOf(session, copy),
      wasDeleted: this.#deleted.has(key),
      notice: this.#notices.get(key) ?? null,
    };
  }

  /** Id of the session that a copy is to be listed under; null when that is not there or cannot be told. */
  #rootOf({ store, id }: SessionRef, { root, cut }: CopyName): string | null {
    const sessions = this.#stores.get(store);
    if (sessions === undefined) return null;
    if (root !== id && sessions.has(root)) return root;
    if (!cut) return null;
    const candidates = [...sessions.keys()].filter((other) => other !== id && other.startsWith(root));
    const roots = candidates.filter((other) => copyName(other) === null);
    return roots.length === 1 ? (roots[0] ?? null) : null;
  }

  #mayBeRoot(root: Entry, { session, copy }: Entry): boolean {
    return root.session.store === session.store && copy !== null && root.session.id.startsWith(copy.root);
  }

  #rootKey({ session }: Pick<Entry, 'session'>, { root }: CopyName): string {
    return `${session.store}/${root}`;
  }

  #touch(entry: Entry, before: SessionRow | null): void {
    this.#order = null;
    this.#options.onTouched(entry.key, before);
  }
}

/** Whether two rows of one session say the same. */
export function sameRow(left: SessionRow, right: SessionRow): boolean {
  for (const name in left) {
    const field = name as keyof SessionRow;
    if (field !== 'session' && left[field] !== right[field]) return false;
  }
  return true;
}
